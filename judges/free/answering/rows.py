"""Which rows of a table answer: those that are named or chosen by their numbers, and have what is asked of them.

Rows differ in nothing but their cells, so that one of another plan seems to answer as well as the one meant.
"""

import re
from collections.abc import Sequence, Set
from dataclasses import dataclass
from typing import Generic, TypeVar

from calibrant.judges.free.answering.bounds import says_bounds, within, without_bounds
from calibrant.judges.free.answering.held_tables import Table, table_of
from calibrant.judges.free.answering.properties import (
    COUNTED,
    IS_GENERAL,
    UNSAID,
    called_row,
    property_words,
    says_any,
    what_it_has,
)
from calibrant.judges.free.answering.row_features import has_feature
from calibrant.judges.free.evidence.above import line_above
from calibrant.judges.free.evidence.answer_kind import COST, FORMAL, Expects
from calibrant.judges.free.evidence.holding import holds
from calibrant.judges.free.evidence.matching import EVERYBODY, is_among, is_said, keys
from calibrant.judges.free.evidence.query import Query, share_of
from calibrant.judges.free.evidence.question_form import wants_several
from calibrant.judges.free.words.tables import cells, is_row, name_of
from calibrant.judges.free.words.text import content_words, sentences_of, stand_in_a_row, stem, stems
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
_ASKS_PAST = re.compile(r"\b(?:when (?:was|were|did)|quando)\b", re.IGNORECASE)
_ONLY_DATES = re.compile(r"\b(?:dates?|days?|years?|months?|time|datas?|dias?|anos?|mês)\b", re.IGNORECASE)
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
    """By its number, by what it has, or for the columns that are compared."""
    share: tuple[int, int, float]


def rows_asked_for(
    query: Query, found: Sequence[tuple[T, Evidence, str]], *, bounded: bool = False
) -> list[tuple[T, Table]]:
    """Of ``found`` (each with its passage and text), of the rows of a table only those that say most of the question.

    None is meant whose cells say too little of what the title and the columns leave open. With each row goes its table
    where the question names one of its cells, sets a bound, or compares columns: all rows that are left of a table then
    answer alike.
    ``bounded``: some row is held that can be compared with a bound. What is no such row was scored without the bound,
    and has to say its number.
    """
    rows = [row for row in _rows(query, found) if row.chosen or not bounded or says_bounds(query, row.text)]
    most: dict[Table, tuple[int, int, float]] = {}
    for row in rows:
        most[row.table] = max(most.get(row.table, row.share), row.share)
    return [
        (row.found, row.table if row.share[0] or row.chosen else ())
        for row in rows
        if not row.table or (row.share >= most[row.table] and _tells_asked(query, row))
    ]


def _rows(query: Query, found: Sequence[tuple[T, Evidence, str]]) -> list[_Row[T]]:
    """``found`` without what is beyond a bound of the question, has not the feature that it asks for, or has another
    cell than the one that it names."""
    unbounded = without_bounds(query)
    passages = {item.id: item for _, item, text in found if table_of(item, text)}
    named = {item.id: _named_columns(unbounded, item) for item in passages.values()}
    inside = ((one, item, text, _is_chosen(query, text)) for one, item, text in found)
    return [
        _Row(one, item, text, table_of(item, text), bool(chosen), _said(unbounded if chosen else query, item, text))
        for one, item, text, chosen in inside
        if chosen is not False and not _is_beside(unbounded, named.get(item.id, frozenset()), text)
    ]


def _named_columns(query: Query, item: Evidence) -> frozenset[str]:
    """The columns of a passage's tables of which the question names a cell ("fsync always")."""
    held = (cell for row in sentences_of(item) for cell in cells(row.text))
    return frozenset(column for column, value in held if _names_cell(query, column, value))


def _is_beside(query: Query, named: Set[str], row: str) -> bool:
    """Whether the question names a cell of another row in one of the columns ``named``, and not the one that ``row``
    has there."""
    inside = ((column, value) for column, value in cells(row) if column in named)
    return is_row(row) and not all(_names_cell(query, column, value) for column, value in inside)


def _names_cell(query: Query, column: str, value: str) -> bool:
    """Whether the question says the value of a cell: in several words, or right behind the name of its column."""
    return bool(value) and (_is_run(query, value) or _is_run(query, f"{column} {value}"))


def _is_chosen(query: Query, row: str) -> bool | None:
    """Whether the question chooses a row by its number, by what it has, or for the columns that it compares; None where
    it does not choose so."""
    if _compares_columns(query, row):
        return True
    by_number = within(query, row)
    return by_number if by_number is not None else has_feature(query, row)


def _tells_asked(query: Query, row: _Row[T]) -> bool:
    """Whether a row has what is asked of it, and is meant: chosen by its number, or named."""
    if _is_counted(query, row.text) or _is_over_all(query, row.item, row.text):
        return False
    return (row.chosen or _is_named(query, row.item, row.text)) and _has_property(query, row.item, row.text)


def _compares_columns(query: Query, row: str) -> bool:
    """Whether the question asks how two columns differ, and the row, which is called by a name, has a cell in each."""
    return bool(name_of(row)) and wants_several(query.text) and len(columns_asked_for(query, row)) > 1


def columns_asked_for(query: Query, row: str) -> list[str]:
    """The columns of a row of which the question says the name."""
    asked = keys(query.text, query.language)
    return [column for column, _ in cells(row) if _is_all_said(query, column, asked)]


def _is_all_said(query: Query, text: str, asked: frozenset[str]) -> bool:
    """Whether the question, whose keys are ``asked``, says all words of ``text`` that have any content."""
    said = content_words(text, query.language)
    return bool(said) and all(is_said(word, query.language, asked) for word in said)


def _is_counted(query: Query, row: str) -> bool:
    """Whether a row is one of the things that the question wants counted, and so does not tell how many there are."""
    asked = COUNTED.search(query.text)
    columns = [column for column, _ in cells(row)]
    if asked is None or not columns:
        return False
    return stem(asked[1].split()[-1], query.language) in stems(columns[0], query.language)


def _is_over_all(query: Query, item: Evidence, row: str) -> bool:
    """Whether the question wants what comes of all rows together, an average or a sum, and a row does not tell it."""
    wanted = _OVER_ALL.search(query.text)
    return bool(wanted) and not _OVER_ALL.search(f"{line_above(item)} {row}")


def _is_named(query: Query, item: Evidence, row: str) -> bool:
    """Whether the question says what a row is called, or its cells say what the question leaves open beside its title
    and columns, or enough of it: not what a row tells by its form, nor words as general as "value"."""
    if _is_all_said(query, name_of(row), keys(query.text, query.language)):
        return True
    columns = " ".join(column for column, _ in cells(row))
    known = keys(f"{line_above(item)} {columns}", query.language)
    unsaid = UNSAID | EVERYBODY
    telling = [term for term in query.terms if term.word not in unsaid and not IS_GENERAL.fullmatch(term.word)]
    left = [term for term in telling if not is_among(term, known)]
    held = keys(row, query.language)
    return sum(term.weight for term in left if is_among(term, held)) >= NAMED * sum(term.weight for term in left)


def _has_property(query: Query, item: Evidence, row: str) -> bool:
    """Whether a row says what is asked of the one it is about: "the pager of Nina", of which a row without a word of
    pagers says nothing. A day, a time or a version is told by its form instead, and a price by its currency; and what
    is counted is told with its number, in one cell, or is what the row is called."""
    if _ASKS_PAST.search(query.text) and query.expects is Expects.DATE:
        return _dates_it(query, row)
    told_by_form = query.expects in FORMAL - _MEASURED or not query.asked.isdisjoint(COST)
    if COUNTED.search(query.text):
        counts = (f"{name} {value}" for name, value in cells(row) if holds(Expects.NUMBER, value, query.asked))
        row = " ".join((called_row(query, row), *counts))
    wanted = property_words(query) or what_it_has(query)
    return told_by_form or says_any(query, wanted, f"{line_above(item)} {row}")


def _dates_it(query: Query, row: str) -> bool:
    """Whether a row tells when what is asked about was: in a column with a word of the question ("launched"), or one
    that says no more than that it is a date; not "Free from" where it was built."""
    asked = keys(query.text, query.language)
    dated = [name for name, value in cells(row) if holds(Expects.DATE, value, query.asked)]
    told = [_ONLY_DATES.sub("", name) for name in dated]
    said = [[is_said(word, query.language, asked) for word in content_words(name)] for name in told]
    return any(not each or any(each) for each in said)


def _said(query: Query, item: Evidence, row: str) -> tuple[int, int, float]:
    """How many cells of a row the question says whole ("Business", not "within two business days"), how many word for
    word (boats over 5 m, not up to 5 m), and how much of what the title leaves open of the question the row says."""
    asked = keys(query.text, query.language)
    values = [value for _, value in cells(row)]
    held = [content_words(value, query.language) for value in values]
    whole = sum(bool(words) and all(is_said(one, query.language, asked) for one in words) for words in held)
    literal = sum(_is_run(query, value) for value in values)
    above = keys(line_above(item), query.language)
    left = [term for term in query.terms if not is_among(term, above)]
    return whole, literal, share_of(left, keys(row, query.language))


def _is_run(query: Query, cell: str) -> bool:
    """Whether the question has the words of a cell, if those are several, in a row."""
    said, asked = (stems(text, query.language) for text in (cell, query.text))
    return len(said) > 1 and stand_in_a_row(said, asked)
