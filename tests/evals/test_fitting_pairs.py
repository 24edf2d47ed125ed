"""What the reader of two texts learns from: labels as the sets have them, and nothing of what is measured on."""

import json
from pathlib import Path

import pytest

from calibrant.evals.fitting import conflict, pairs
from calibrant.evals.fitting.conflict import Pair
from calibrant.evals.fitting.pairs import COUNTS, SOURCES, Labelled, labelled
from calibrant.judges.free.evidence.inference import CONTRADICTS, FOLLOWS, NEITHER
from calibrant.state.errors import InputError

HELD = "A man sleeps."
TABLES = {
    "snli_test.tsv": [("premise", "hypothesis", "label"), ("A dog runs.", "An animal moves.", "0"), ("A.", "B.", "-1"),
                      (HELD, "Nobody is asleep.", "2")],
    "snli_validation.tsv": [("premise", "hypothesis", "label"), ("A cat sits.", "A cat is old.", "1")],
    "snli_cad_train.tsv": [("sentence1", "sentence2", "gold_label"), ("A boy sits.", "A boy stands.", "contradiction"),
                           ("A boy sits.", HELD, "neutral")],
    "taxinli10k.tsv": [("prem", "hyp", "label"), ("It may rain.", 'It "will" rain.', "neutral"), ("x", "y", "none")],
    "conjnli_train.tsv": [("Premise", "Hypothesis", "Label"), ("Ann and Bo sang.", "Ann sang.", "entailment")],
}  # fmt: skip
CLAIMS = {"gold_evidence": [{"text": "One."}, {"text": "Two."}], "text": "Three.", "label": "REFUTES"}


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The files, and measured sets of one pair each."""
    for name, rows in TABLES.items():
        (tmp_path / name).write_text("\ufeff" + "".join("\t".join(row) + "\n" for row in rows), encoding="utf-8")
    for name, claim in (("fm2_dev.jsonl", CLAIMS), ("fm2_test.jsonl", CLAIMS | {"label": "SUPPORTS"})):
        (tmp_path / name).write_text(json.dumps(claim) + "\n", encoding="utf-8")
    own = [Pair(f"{HELD}{number}", "x", number % 2 == 0, "") for number in range(40)]
    sets = dict.fromkeys(conflict.SETS, lambda root: iter([Pair(HELD, HELD, False, ""), *own]))
    monkeypatch.setattr(conflict, "SETS", sets)
    monkeypatch.setattr(pairs, "rationales", lambda root: iter(()))
    monkeypatch.setattr(pairs, "ONE_IN", {})
    return tmp_path


def found(folder: Path, *sources: str) -> list[Labelled]:
    return [one for one in labelled(folder, folder) if one.source in sources]


def test_labels_are_read_as_the_sets_have_them(folder: Path) -> None:
    assert [(one.first, one.second, one.label) for one in found(folder, "snli", "mnli", "conjnli")] == [
        ("A dog runs.", "An animal moves.", FOLLOWS),
        ("A cat sits.", "A cat is old.", NEITHER),
        ("It may rain.", 'It "will" rain.', NEITHER),
        ("Ann and Bo sang.", "Ann sang.", FOLLOWS),
    ]


def test_claims_follow_from_their_evidence_or_are_refuted_by_it(folder: Path) -> None:
    read = found(folder, "fm2")
    assert {frozenset((one.first, one.second)) for one in read} == {frozenset(("One. Two.", "Three."))}
    assert [one.label for one in read] == [CONTRADICTS, FOLLOWS]
    assert read[1].first == "One. Two."


def test_nothing_of_what_is_measured_on_is_learnt(folder: Path) -> None:
    beside = [one for one in labelled(folder, folder) if one.source not in pairs.MEASURED]
    assert all(HELD not in (one.first, one.second) for one in beside)
    used = {one.first for one in found(folder, "ramdocs")} | {one.second for one in found(folder, "ramdocs")}
    halves = {pair.first for pair in conflict.SETS["ramdocs"](folder) if pair.half == 1}
    assert halves
    assert not halves & used


def test_one_contradiction_in_three_is_read_the_other_way_round(folder: Path) -> None:
    contradictions = [one for one in found(folder, "ramdocs") if one.label == CONTRADICTS]
    turned = [one for one in contradictions if one.first == "x"]
    assert 0 < len(turned) < len(contradictions)
    assert all(one.second == "x" for one in found(folder, "ramdocs") if one.label != CONTRADICTS)


def test_a_missing_file_is_named_with_where_it_is_from(folder: Path) -> None:
    (folder / "taxinli10k.tsv").unlink()
    with pytest.raises(InputError, match=r"no taxinli10k\.tsv in .*: it is github\.com/microsoft/TaxiNLI"):
        found(folder, "mnli")


def test_each_file_says_where_it_is_from() -> None:
    assert set(TABLES) | {"fm2_dev.jsonl", "fm2_test.jsonl"} == set(SOURCES)
    assert all(source.startswith("github.com/") and " at " in source for source in SOURCES.values())


def test_sets_made_by_a_pattern_count_less() -> None:
    assert Labelled("conjnli", "", "", FOLLOWS).counts == COUNTS["conjnli"] < Labelled("snli", "", "", FOLLOWS).counts
