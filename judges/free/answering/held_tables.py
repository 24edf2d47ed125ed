"""The tables in the passages that are held: whose row a sentence is, and which tables are held as a whole."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby

from calibrant.judges.free.words.tables import cells, is_row
from calibrant.judges.free.words.text import Sentence, sentences_of
from calibrant.state.evidence import Evidence

Table = tuple[str, ...]

_GAP = 2
"""Characters between two passages that follow each other."""


@dataclass(frozen=True)
class Row:
    """A sentence of a passage that is a row of ``table``; of none where that is empty. ``run`` counts the stretches of
    passages that follow each other."""

    item: Evidence
    sentence: Sentence
    table: Table
    run: int
    is_first: bool
    is_last: bool
    """Of the sentences of its passage."""

    @property
    def cells(self) -> dict[str, str]:
        """What it holds, by the names of its columns."""
        return dict(cells(self.sentence.text))

    @property
    def place(self) -> tuple[str, int]:
        """Its passage, and where it starts there."""
        return self.item.id, self.sentence.start


def table_of(item: Evidence, text: str) -> Table:
    """The document, the heading and the first column of the table whose row ``text`` is; empty for anything else. Empty
    cells are not told, so that the other columns vary."""
    return (item.document, item.locator.heading, cells(text)[0][0]) if is_row(text) else ()


def whole_tables(evidence: Sequence[Evidence]) -> list[list[Row]]:
    """The rows of each table that is held from its first row to its last."""
    groups = (list(group) for _, group in groupby(_sentences(evidence), lambda one: (one.table, one.run)))
    return [rows for rows in groups if rows[0].table and _begins(rows[0]) and _ends(rows[-1])]


def _sentences(evidence: Sequence[Evidence]) -> Iterator[Row]:
    run, document, end = 0, "", 0
    for item in sorted(evidence, key=lambda item: (item.document, item.locator.start)):
        run += item.document != document or item.locator.start - end > _GAP
        document, end = item.document, item.locator.end
        found = sentences_of(item)
        for one in found:
            yield Row(item, one, table_of(item, one.text), run, one is found[0], one is found[-1])


def _begins(row: Row) -> bool:
    """Whether a table has no row above this one: something else stands there, or its head, or nothing at all."""
    place = row.item.locator
    headed = "|" in row.item.text and not place.columns
    return not row.is_first or headed or place.start == 0


def _ends(row: Row) -> bool:
    """Whether a table has no row below this one."""
    return not row.is_last or row.item.locator.goes_on is False
