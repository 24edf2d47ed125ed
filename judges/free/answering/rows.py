"""Which rows of a table answer: those that are named or chosen by their numbers, and have what is asked of them.

Rows differ in nothing but their cells, so that one of another plan seems to answer as well as the one meant.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from calibrant.judges.free.answering.asked import COUNTED, IS_GENERAL, UNSAID, property_words, says_any
from calibrant.judges.free.answering.bounds import within, without_bounds
from calibrant.judges.free.answering.held_tables import Table, table_of
from calibrant.judges.free.evidence.answer_kind import COST, FORMAL, Expects
from calibrant.judges.free.evidence.lexical import Query, coverage, covered, is_said, keys
from calibrant.judges.free.evidence.relevance import title_of
from calibrant.judges.free.words.tables import CELL
from calibrant.judges.free.words.text import content_words, stem, stems
from calibrant.state.evidence import Evidence

T = TypeVar("T")

NAMED = 1 / 3
"""The least share, by weight, of what only a row's cells can say of a question: the row of alarm A04 says "A04"."""
_OVER_ALL = re.compile(
    r"\b(?:averages?|(?<=the )mean|median|sum|combined|altogether|média|mediana|soma|somad[oa]s|ao todo)\b"
    r"|^(?=.*\btotal\b).*\b(?:all|both|every|together|tod[oa]s|amb[oa]s|junt[oa]s)\b",
    re.IGNORECASE,
)
"""Words for what comes of several amounts."""
_MEASURED = frozenset((Expects.NUMBER, Expects.PERSON))
"""Kinds whose form tells too little in a row: each has some number, and most have a name."""


@dataclass(frozen=True)
class _Row(Generic[T]):
    """Something that was found, and where it is a row of a ``table``, how much of the question it says."""

    found: T
    item: Evidence
    text: str
    table: Table
    chosen: bool
    """By its number."""
    share: tuple[int, int, float]


def rows_asked_for(query: Query, found: Sequence[tuple[T, Evidence, str]]) -> list[tuple[T, Table]]:
    """Of ``found`` (each with its passage and text), of the rows of a table only those that say most of the question.

    None is meant whose cells say too little of what the title and the columns leave open. With each row goes its table
    where the question names one of its cells, or sets a bound: all rows that are left of a table then answer alike.
    """
    rows = _rows(query, found)
    most: dict[Table, tuple[int, int, float]] = {}
    for row in rows:
        most[row.table] = max(most.get(row.table, row.share), row.share)
    return [
        (row.found, row.table if row.share[0] or row.chosen else ())
        for row in rows
        if not row.table or (row.share >= most[row.table] and _tells_asked(query, row))
    ]


def _rows(query: Query, found: Sequence[tuple[T, Evidence, str]]) -> list[_Row[T]]:
    """``found`` without what is beyond a bound of the question."""
    unbounded = without_bounds(query)
    inside = ((one, item, text, within(query, text)) for one, item, text in found)
    return [
        _Row(one, item, text, table_of(item, text), bool(chosen), _said(unbounded if chosen else query, text))
        for one, item, text, chosen in inside
        if chosen is not False
    ]


def _tells_asked(query: Query, row: _Row[T]) -> bool:
    """Whether a row has what is asked of it, and is meant: chosen by its number, or named."""
    if _is_counted(query, row.text) or _is_over_all(query, row.item, row.text):
        return False
    return (row.chosen or _is_named(query, row.item, row.text)) and _has_property(query, row.item, row.text)


def _is_counted(query: Query, row: str) -> bool:
    """Whether a row is one of the things that the question wants counted, and so does not tell how many there are."""
    asked, cells = COUNTED.search(query.text), CELL.findall(row)
    if asked is None or not cells:
        return False
    return stem(asked[1].split()[-1], query.language) in stems(cells[0][0], query.language)


def _is_over_all(query: Query, item: Evidence, row: str) -> bool:
    """Whether the question wants what comes of all rows together, an average or a sum, and a row does not tell it."""
    wanted = _OVER_ALL.search(query.text)
    return bool(wanted) and not _OVER_ALL.search(f"{title_of(item)} {row}")


def _is_named(query: Query, item: Evidence, row: str) -> bool:
    """Whether the cells of a row say what the question leaves open beside its title and columns, or enough of it: not
    what a row tells by its form, nor words as general as "value"."""
    columns = " ".join(column for column, _ in CELL.findall(row))
    known = keys(f"{title_of(item)} {columns}", query.language)
    telling = [term for term in query.terms if term.word not in UNSAID and not IS_GENERAL.fullmatch(term.word)]
    left = [term for term in telling if covered(term, known) < 0.5]
    held = keys(row, query.language)
    return sum(term.weight for term in left if covered(term, held) >= 0.5) >= NAMED * sum(term.weight for term in left)


def _has_property(query: Query, item: Evidence, row: str) -> bool:
    """Whether a row says what is asked of the one it is about: "the pager of Nina", of which a row without a word of
    pagers says nothing. A day, a time or a version is told by its form instead, and a price by its currency."""
    told_by_form = query.expects in FORMAL - _MEASURED or not query.asked.isdisjoint(COST)
    return told_by_form or says_any(query, property_words(query), f"{title_of(item)} {row}")


def _said(query: Query, row: str) -> tuple[int, int, float]:
    """How many cells of a row the question says whole ("Business", not "within two business days"), how many word for
    word (boats over 5 m, not up to 5 m), and how much of the question the row says."""
    asked = keys(query.text, query.language)
    cells = [content_words(value, query.language) for _, value in CELL.findall(row)]
    whole = sum(bool(words) and all(is_said(one, stem(one, query.language), asked) for one in words) for words in cells)
    literal = sum(_is_run(query, value) for _, value in CELL.findall(row))
    return whole, literal, coverage(query, keys(row, query.language))


def _is_run(query: Query, cell: str) -> bool:
    """Whether the question has the words of a cell, if those are several, in a row."""
    said, asked = (stems(text, query.language) for text in (cell, query.text))
    return len(said) > 1 and any(asked[at : at + len(said)] == said for at in range(len(asked)))
