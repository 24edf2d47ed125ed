"""Pairs of texts of which people said whether the second follows from the first, contradicts it, or neither: what
``inference.py`` learns from.

Sets that are measured on give the halves that fits may use. The others are not among the datasets, since nothing is
measured on them; ``SOURCES`` says where they are from. A pair whose premise a measured set has too is left out.
"""

import csv
import json
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import chain
from pathlib import Path

from calibrant.evals.fitting import conflict
from calibrant.evals.halves import HELD_OUT, half_of, number_of
from calibrant.evals.scifact import CONTRADICT, NOTHING, rationales
from calibrant.judges.free.evidence.inference import CONTRADICTS, FOLLOWS, NEITHER
from calibrant.judges.free.synthesis.pairing import flat
from calibrant.state.errors import InputError

SOURCES = {
    "snli_test.tsv": "github.com/MJ-Jang/BECEL at f5bdd1196e46, data/snli/test.tsv (SNLI, CC BY-SA 4.0)",
    "snli_validation.tsv": "github.com/MJ-Jang/BECEL at f5bdd1196e46, data/snli/validation.tsv (SNLI, CC BY-SA 4.0)",
    "snli_cad_train.tsv": "github.com/acmi-lab/counterfactually-augmented-data at 6f232a1d2a11, "
    "NLI/all_combined/train.tsv (Apache-2.0)",
    "taxinli10k.tsv": "github.com/microsoft/TaxiNLI at 60d89b03293c, taxinli10k.tsv (C-UDA 1.0)",
    "fm2_dev.jsonl": "github.com/google-research/fool-me-twice at d9db753e5acf, dataset/dev.jsonl (Apache-2.0)",
    "fm2_test.jsonl": "github.com/google-research/fool-me-twice at d9db753e5acf, dataset/test.jsonl (Apache-2.0)",
    "conjnli_train.tsv": "github.com/swarnaHub/ConjNLI at 10e0515c0d17, data/NLI/adversarial_train_15k.tsv (MIT)",
}
"""The files beside the datasets, each with where it is from."""
COUNTS = {"conjnli": 0.5, "conflictqa": 0.3, "ramdocs": 0.5, "breaking_nli": 0.3, "fm2": 3.0}
"""How much a pair of a set counts; 1 where nothing is said. Those that count less are made by a pattern; statements
over an encyclopaedia are what documents have most."""
ONE_IN = {"conjnli": 4, "breaking_nli": 4}
"""Of sets made by a pattern so many are left out that one in this many stays."""
TURNED = 3
"""One contradiction in this many is read the other way round: it is none in one direction only."""
MEASURED = ("scifact", "conflictqa", "ramdocs", "breaking_nli")
"""Sets that give the half that fits may use."""
LABELS = {"entailment": FOLLOWS, "contradiction": CONTRADICTS, "neutral": NEITHER}
NUMBERED = {"0": FOLLOWS, "1": NEITHER, "2": CONTRADICTS}


@dataclass(frozen=True)
class Labelled:
    """Two texts of a set, and what the first makes of the second."""

    source: str
    first: str
    second: str
    label: int

    @property
    def counts(self) -> float:
        return COUNTS.get(self.source, 1.0)

    @property
    def turned(self) -> "Labelled":
        """The same pair, the second text first."""
        return replace(self, first=self.second, second=self.first)


def labelled(folder: Path, root: Path) -> Iterator[Labelled]:
    """All pairs, from the files of ``SOURCES`` in ``folder`` and the datasets in ``root``. Raises ``InputError`` where
    a file is missing."""
    measured = {flat(text) for name in ("snli_cad", "breaking_nli") for text in _texts(name, root)}
    for pair in chain(_beside(folder), _of_halves(root)):
        known = {flat(pair.first), *([flat(pair.second)] if pair.source == "snli_cad" else [])}
        if pair.source in MEASURED or not known & measured:
            yield pair.turned if pair.label == CONTRADICTS and number_of(pair.first) % TURNED == 0 else pair


def _texts(name: str, root: Path) -> Iterator[str]:
    for pair in conflict.SETS[name](root):
        yield from (pair.first, pair.second)


def _beside(folder: Path) -> Iterator[Labelled]:
    for name in ("snli_test.tsv", "snli_validation.tsv"):
        for row in _rows(folder, name):
            if row["label"] in NUMBERED and row["hypothesis"]:
                yield Labelled("snli", row["premise"], row["hypothesis"], NUMBERED[row["label"]])
    for row in _rows(folder, "snli_cad_train.tsv"):
        yield Labelled("snli_cad", row["sentence1"], row["sentence2"], LABELS[row["gold_label"]])
    for row in _rows(folder, "taxinli10k.tsv"):
        if row["label"] in LABELS:
            yield Labelled("mnli", row["prem"], row["hyp"], LABELS[row["label"]])
    for row in _rows(folder, "conjnli_train.tsv"):
        if row["Label"] in LABELS and _stays("conjnli", row["Hypothesis"]):
            yield Labelled("conjnli", row["Premise"], row["Hypothesis"], LABELS[row["Label"]])
    for name in ("fm2_dev.jsonl", "fm2_test.jsonl"):
        with _file(folder, name).open(encoding="utf-8") as lines:
            for row in map(json.loads, lines):
                told = " ".join(one["text"] for one in row["gold_evidence"])
                label = FOLLOWS if row["label"] == "SUPPORTS" else CONTRADICTS
                yield Labelled("fm2", told, row["text"], label)


def _of_halves(root: Path) -> Iterator[Labelled]:
    for one in rationales(root):
        if half_of("scifact", one.abstract.id) != HELD_OUT:
            label = {NOTHING: NEITHER, CONTRADICT: CONTRADICTS}.get(one.label, FOLLOWS)
            yield Labelled("scifact", " ".join(one.sentences), one.claim, label)
    others = (("conflictqa", NEITHER), ("ramdocs", FOLLOWS), ("breaking_nli", FOLLOWS))
    for name, otherwise in others:
        for pair in conflict.SETS[name](root):
            if pair.half == 0 and _stays(name, pair.second):
                yield Labelled(name, pair.first, pair.second, CONTRADICTS if pair.contradicts else otherwise)


def _stays(source: str, text: str) -> bool:
    return number_of(text) % ONE_IN.get(source, 1) == 0


def _rows(folder: Path, name: str) -> Iterator[dict[str, str]]:
    with _file(folder, name).open(encoding="utf-8-sig", newline="") as lines:
        yield from csv.DictReader(lines, delimiter="\t", quoting=csv.QUOTE_NONE)


def _file(folder: Path, name: str) -> Path:
    if not (folder / name).is_file():
        raise InputError(f"no {name} in {folder}: it is {SOURCES[name]}")
    return folder / name
