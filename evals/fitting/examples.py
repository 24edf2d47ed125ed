"""What the reader learns from: questions with windows of passages, and where in them the answer stands.

They are the fitting halves of public sets, whose people marked answers or said that there are none, made tables, and
questions written for it. Many of the questions are asked of a near passage too, which does not hold the answer.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain
from pathlib import Path

from calibrant.evals.fitting.data import Item, items, near_passages, nq_open
from calibrant.evals.fitting.tables import table_items
from calibrant.evals.fitting.texts import abstracts, pages, several, stories
from calibrant.evals.fitting.written import documents, passages
from calibrant.judges.free.evidence.above import line_above
from calibrant.judges.free.evidence.features import ENCODED_CHARACTERS
from calibrant.judges.free.evidence.late_interaction import WINDOW, windows
from calibrant.judges.free.words.text import Sentence, sentences
from calibrant.retrievers.cross_encoder import MAX_CHARACTERS

COUNTS = {
    "squad2": 1.0, "nq_open": 0.7, "qnli": 0.6, "clapnq": 2.0,
    "stories": 0.7, "ramdocs": 0.5, "scifact": 0.5, "mtrag": 0.7, "made": 0.5,
    "documents": 1.5, "written": 1.0,
}  # fmt: skip
"""How much an example of a set counts."""
NEAR = 0.5
"""And one whose passage was chosen because it is like the question."""


@dataclass(frozen=True)
class Example:
    """A question with a window of a passage. ``spans``: the characters that answer."""

    item: Item
    counts: float
    question: str
    text: str
    places: tuple[tuple[int, int, int], ...]
    spans: tuple[tuple[int, int], ...]


def counted(root: Path) -> Iterator[tuple[float, Item]]:
    """Each item with what its examples count."""
    held = [item for item in items(root) if item.source in COUNTS]
    more = [[*stories(root)], [*abstracts(root)], [*pages(root)], [*documents()]]
    for item in [*held, *nq_open(root), *several(root), *table_items(), *passages(root), *chain(*more)]:
        yield COUNTS[item.source], item
    for asked in [[item for item in held if item.source == "squad2"], *more]:
        yield from ((COUNTS[item.source] * NEAR, item) for item in near_passages(asked))


def examples(counts: float, item: Item) -> Iterator[Example]:
    """The windows of the item's only passage, as the product would read them."""
    evidence = item.evidence[0]
    found = sentences(evidence.text)
    for part in windows(found, line_above(evidence))[: ENCODED_CHARACTERS // WINDOW]:
        spans = [
            answer_in(found[number], evidence.text, span, part.text[start:end], start)
            for number, start, end in part.places
            for span in item.spans or ()
            if span[0] < found[number].end and span[1] > found[number].start
        ]
        yield Example(item, counts, item.question[:MAX_CHARACTERS], part.text, part.places, tuple(spans))


def answer_in(sentence: Sentence, text: str, span: tuple[int, int], shown: str, start: int) -> tuple[int, int]:
    """Where the answer ``span`` of ``text`` stands in what is read of ``sentence``, from ``start`` on: where its words
    are, nearest to its own place, since a row is told with the names of its columns; else all of the sentence."""
    left, right = max(span[0], sentence.start), min(span[1], sentence.end)
    said = " ".join(text[left:right].split())
    places = [found.start() for found in re.finditer(re.escape(said), shown)]
    if not said or not places:
        return start, start + len(shown)
    at = start + min(places, key=lambda place: abs(place - (left - sentence.start)))
    return at, at + len(said)
