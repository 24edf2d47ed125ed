"""What the reader learns from: where answers are marked, tables that hold their answers, and halves that do not mix."""

import json
from itertools import islice
from pathlib import Path

import pytest

from calibrant.evals.fitting.data import SEVERAL, Item, near_passages, passage, qnli, several
from calibrant.evals.fitting.examples import examples
from calibrant.evals.fitting.tables import table_items
from calibrant.evals.fitting.texts import pages, stories


def item(text: str, answer: str, title: str = "") -> Item:
    start = text.index(answer)
    return Item("made", "k", "What is it?", (passage(text, title),), True, ((start, start + len(answer)),))


def marked(one: Item) -> list[str]:
    return [part.text[start:end] for part in examples(1.0, one) for start, end in part.spans]


@pytest.mark.parametrize(
    ("text", "answer", "seen"),
    [
        ("The mill closed in 1931. It burnt in 1931.", "1931. It", ["1931.", "It"]),
        ("The mill\nstood by the\nriver.", "by the\nriver", ["by the river"]),
        ("| Name | Role |\n|---|---|\n| Ada | cook |\n| Bob | cook |", "Bob", ["Bob"]),
        ("server:\n  port: 8080\n  host: here\n", "8080", ["8080"]),
        ("It is late, it is late.", "it is late.", ["it is late."]),
    ],
)
def test_an_answer_is_marked_in_the_sentence_as_it_is_read(text: str, answer: str, seen: list[str]) -> None:
    assert marked(item(text, answer)) == seen


def test_each_window_of_a_long_text_is_an_example_of_its_own() -> None:
    text = " ".join(f"Sentence number {number} says nothing of note." for number in range(60)) + " The key is blue."
    found = list(examples(1.0, item(text, "blue", "Keys")))
    assert len(found) > 2
    assert [bool(one.spans) for one in found] == [False] * (len(found) - 1) + [True]
    assert all(one.text.startswith("Keys: ") for one in found)


def test_made_tables_hold_their_answers_and_only_those() -> None:
    found = list(islice(table_items(), 300))
    assert sum(one.answerable for one in found) == 200
    for one in found:
        text = one.evidence[0].text
        assert one.answerable == bool(one.spans)
        assert not set(text + one.question) & set("{}=\ue000\ue001")
        assert all(text[start:end].strip() == text[start:end] != "" for start, end in one.spans or ())
    assert marked(found[1]), "the sentences of a made table are those of a kept one"


def test_questions_of_stories_stand_alone(tmp_path: Path) -> None:
    story = "Ann lived in Rome. She sold fruit."
    turns = [
        {"question": "Where did Ann live?", "rationale": "Ann lived in Rome"},
        {"question": "What did she sell there?", "rationale": "She sold fruit"},
        {"question": "Why?", "rationale": "She sold fruit"},
        {"question": "Who is the mayor of Rome?", "rationale": "not in the story"},
    ]
    (tmp_path / "abg_coqa").mkdir()
    rows = {"data": [{"story": story, "history_turns": turns[:2], "target_turn": turn} for turn in turns[2:]]}
    (tmp_path / "abg_coqa" / "coqa_abg_val.json").write_text(json.dumps(rows), encoding="utf-8")
    assert [(one.question, one.spans) for one in stories(tmp_path)] == [("Where did Ann live?", ((0, 17),))]


def test_the_source_of_an_answer_is_the_sentence_that_says_its_words(tmp_path: Path) -> None:
    text = "Backups\nBackups of a volume are kept for thirty days. Volumes can be resized in the console."
    row = {
        "conversation_id": "c", "Collection": "cloud",
        "contexts": [{"text": text}, {"text": "Prices are on the site."}],
        "input": [{"text": "How long are backups kept?"}],
        "targets": [{"text": "Backups of a volume are kept for thirty days, as the manual says."}],
    }  # fmt: skip
    (tmp_path / "mtrag").mkdir()
    shared = json.dumps(row | {"Collection": "clapnq"})
    (tmp_path / "mtrag" / "reference.jsonl").write_text(f"{json.dumps(row)}\n{shared}\n", encoding="utf-8")
    rated: dict[str, list[str]] = {"documents": [], "tasks": []}
    (tmp_path / "mtrag" / "reference_subset_with_human_evaluations.json").write_text(json.dumps(rated))
    found = list(pages(tmp_path))
    assert [(one.evidence[0].title, marked(one)) for one in found] == [
        ("Backups", ["Backups of a volume are kept for thirty days."])
    ]


def test_pairs_that_share_a_question_or_a_sentence_are_in_one_half(tmp_path: Path) -> None:
    paragraph = {"context": "Rome is old. It is big.", "qas": [{"question": "Is Rome old?", "answers": []}]}
    (tmp_path / "squad2_dev").mkdir()
    squad = {"data": [{"title": "Rome", "paragraphs": [paragraph]}]}
    (tmp_path / "squad2_dev" / "dev-v2.0.json").write_text(json.dumps(squad), encoding="utf-8")
    pairs = [
        ("Who came?", "Ann came."), ("Who came?", "Bob left."), ("Who left?", "Bob left."),
        ("Is Rome old?", "Rome is old."), ("Is it big?", "It is big."), ("Is it big?", "Paris is big."),
    ]  # fmt: skip
    lines = ["index\tquestion\tsentence\tlabel"]
    lines += [f"{number}\t{asked}\t{told}\tentailment" for number, (asked, told) in enumerate(pairs)]
    (tmp_path / "qnli_en").mkdir()
    (tmp_path / "qnli_en" / "dev.tsv").write_text("\n".join(lines) + "\n", encoding="utf-8")
    keys = {(one.question, one.evidence[0].text): one.key for one in qnli(tmp_path)}
    assert {keys[pair] for pair in pairs[3:]} == {paragraph["context"]}
    assert len({keys[pair] for pair in pairs[:3]}) == 1
    assert len(set(keys.values())) == 2


def test_a_question_is_asked_of_the_passages_most_like_it_with_its_own_and_without() -> None:
    names = ("Ash", "Elm", "Fir", "Oak", "Yew", "Box", "Bay", "Fig", "Sal", "Tea", "Nut", "Ivy", "Hop", "Rye", "Oat")
    held = [
        Item("faquad", text, f"In which year did the {name} mill burn?", (passage(text),), True, ((0, len(text)),))
        for name in names
        for text in (f"The {name} mill burnt in {1900 + len(name) + 7 * names.index(name)}.",)
    ]
    found = list(several("faquad_several", held))
    asked = {item.question: item for item in held}
    assert found
    for with_own, without in zip(found[::2], found[1::2], strict=True):
        own = asked[with_own.question]
        assert (with_own.answerable, without.answerable) == (True, False)
        assert own.evidence[0] in with_own.evidence
        assert own.evidence[0] not in without.evidence
        assert {len(one.evidence) for one in (with_own, without)} == {SEVERAL}
        others = {one.id for one in (*with_own.evidence, *without.evidence)} - {own.evidence[0].id}
        halves = {item.half for item in held if item.evidence[0].id in others}
        assert halves == {own.half}, "the other half's passages stay unseen"


def test_a_passage_that_holds_the_answer_is_no_near_one() -> None:
    texts = ("The Ash mill burnt in 1901.", "The Elm mill burnt in 1901 too.", "The Fir mill burnt in 1907.")
    key = "one paragraph"
    held = [Item("faquad", key, "When did the Ash mill burn?", (passage(texts[0]),), True, ((22, 26),))]
    held += [Item("faquad", key, "What burnt?", (passage(text),), False, ()) for text in texts[1:]]
    assert [one.evidence[0].text for one in near_passages(held)] == [texts[2]]
