"""Questions written for the reader: their answers stand where they are said to, their passages are the sets' own."""

import gzip
import json
from pathlib import Path

import pytest

from calibrant.evals.data import lines_of
from calibrant.evals.fitting import written as fit_written
from calibrant.evals.fitting.data import Item
from calibrant.evals.fitting.examples import COUNTS, examples
from calibrant.evals.questions import Document


def said(item: Item) -> list[str]:
    return [item.evidence[0].text[start:end] for start, end in item.spans or ()]


def test_each_document_holds_what_answers_its_questions() -> None:
    found = list(fit_written.documents())
    assert {one.source for one in found} == {"documents"} <= set(COUNTS)
    assert all(one.answerable == bool(one.spans) for one in found)
    assert 0.3 < sum(one.answerable for one in found) / len(found) < 0.7
    assert len({(one.key, one.question) for one in found}) == len(found), "asked once"
    assert all(any(part.spans for part in examples(1.0, one)) for one in found if one.answerable)


def test_questions_over_passages_are_asked_once_and_hold_no_text_of_them() -> None:
    rows = list(lines_of(fit_written.QUESTIONS))
    assert len({(row["set"], row["name"]) for row in rows}) == len(rows)
    for row in rows:
        assert set(row) == {"set", "name", "asked", "missing"}
        asked = [*(question for question, _, _ in row["asked"]), *row["missing"]]
        assert len(set(asked)) == len(asked)
        assert all(0 <= start < end for _, start, end in row["asked"])


def test_passages_are_found_in_their_sets(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    texts = {name: f"The {name} mill burnt in 1931." for name in ("squad2", "nq_open", "hotpot", "clapnq")}
    _sets(tmp_path, texts)
    rows = [
        {
            "set": name, "name": Document("Mill", text).name,
            "asked": [["when did the mill burn", text.index("1931"), text.index("1931") + 4]],
            "missing": ["Who owned the mill?"],
        }
        for name, text in texts.items()
    ]  # fmt: skip
    file = tmp_path / "questions.jsonl"
    file.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    monkeypatch.setattr(fit_written, "QUESTIONS", file)
    found = list(fit_written.passages(tmp_path))
    assert [one.evidence[0].text for one in found] == [text for text in texts.values() for _ in range(2)]
    assert [said(one) for one in found] == [["1931"], []] * 4
    assert [one.answerable for one in found] == [True, False] * 4


def _sets(root: Path, texts: dict[str, str]) -> None:
    """The four sets with one passage each, as they are published."""
    for name in ("squad2_dev", "nq_open_oracle", "hotpot_distractor100", "clapnq"):
        (root / name).mkdir()
    squad = {"data": [{"title": "Mill", "paragraphs": [{"context": texts["squad2"], "qas": []}]}]}
    (root / "squad2_dev" / "dev-v2.0.json").write_text(json.dumps(squad), encoding="utf-8")
    row = {"question": "q", "answers": ["1931"], "ctxs": [{"title": "Mill", "text": texts["nq_open"]}]}
    with gzip.open(root / "nq_open_oracle" / "nq-open-oracle.jsonl.gz", "wt", encoding="utf-8") as packed:
        packed.write(json.dumps(row))
    pages = {"title": ["Mill"], "sentences": [[texts["hotpot"]]]}
    asked = {"id": "1", "question": "q", "context": pages, "supporting_facts": {"title": ["Mill"]}}
    (root / "hotpot_distractor100" / "hotpot_distractor_100.jsonl").write_text(json.dumps(asked), encoding="utf-8")
    held = {"title": "Mill", "text": texts["clapnq"]}
    told = {"id": "1", "input": "q", "passages": [held], "output": [{"selected_sentences": []}]}
    (root / "clapnq" / "clapnq_dev_answerable.jsonl").write_text(json.dumps(told), encoding="utf-8")
    (root / "clapnq" / "clapnq_dev_unanswerable.jsonl").write_text("", encoding="utf-8")
