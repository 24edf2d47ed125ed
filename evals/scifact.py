"""SciFact: claims about health and biology beside the sentences of an abstract that support or contradict them."""

import csv
import io
import re
import tokenize
import zipfile
from ast import literal_eval
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from calibrant.judges.free.words.text import content_words
from calibrant.state.evidence import Evidence

SUPPORT, CONTRADICT, NOTHING = "SUPPORT", "CONTRADICT", "NOTHING"


@dataclass(frozen=True)
class Rationale:
    """A claim, an abstract, the sentences of it that matter, and what they say of the claim."""

    claim: str
    abstract: Evidence
    sentences: tuple[str, ...]
    label: str


def abstracts(root: Path) -> Iterator[tuple[str, str, str]]:
    """Id, title and text of every abstract."""
    with zipfile.ZipFile(root / "scifact" / "scifact.zip") as archive:
        for row in _rows(archive, "corpus_train.csv"):
            yield row["doc_id"], row["title"], " ".join(_sentences(row["abstract"]))


def rationales(root: Path) -> Iterator[Rationale]:
    """Every labelled pair of claim and abstract.

    Where the cited abstract says nothing about the claim, the sentence that shares most words with it stands for it.
    """
    with zipfile.ZipFile(root / "scifact" / "scifact.zip") as archive:
        abstracts = {row["doc_id"]: row for row in _rows(archive, "corpus_train.csv")}
        claims = [*_rows(archive, "claims_train.csv"), *_rows(archive, "claims_validation.csv")]
    for row in claims:
        cited = [row["evidence_doc_id"]] if row["evidence_doc_id"] else re.findall(r"\d+", row["cited_doc_ids"])[:1]
        for name in cited:
            told = _sentences(abstracts[name]["abstract"])
            places = [int(place) for place in re.findall(r"\d+", row["evidence_sentences"])]
            chosen = tuple(told[place] for place in places) or (_nearest(row["claim"], told),)
            abstract = Evidence(
                id=name, text=" ".join(told), title=abstracts[name]["title"], source="scifact", url=f"scifact:{name}"
            )
            yield Rationale(row["claim"], abstract, chosen, row["evidence_label"] or NOTHING)


def _rows(archive: zipfile.ZipFile, name: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(archive.read(name).decode("utf-8"))))


def _sentences(printed: str) -> list[str]:
    """The sentences of an abstract, printed as an array of Python strings."""
    tokens = tokenize.generate_tokens(io.StringIO(printed).readline)
    return [" ".join(str(literal_eval(token.string)).split()) for token in tokens if token.type == tokenize.STRING]


def _nearest(claim: str, told: list[str]) -> str:
    wanted = set(content_words(claim))
    return max(told, key=lambda sentence: len(wanted & set(content_words(sentence))))
