"""Rows of a table by the extreme that a question asks for: the cheapest plan, the city with the most bikes.

A row is chosen where the question means one column, all rows can be compared in it, and all of the table is held: half
a table has a cheapest row too.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import dropwhile, takewhile
from math import inf
from typing import NamedTuple

from calibrant.judges.free.answering.bounds import MOST_WORDS, PRICE
from calibrant.judges.free.answering.held_tables import Row, Table, whole_tables
from calibrant.judges.free.answering.properties import UNSAID
from calibrant.judges.free.answering.row_features import LACKS
from calibrant.judges.free.comparing.reading import read
from calibrant.judges.free.evidence.above import called, line_above
from calibrant.judges.free.evidence.matching import is_among, is_said, keys
from calibrant.judges.free.evidence.query import Query
from calibrant.judges.free.words.lists import OF, word_set
from calibrant.judges.free.words.text import content_words, silent_words, tokens, words
from calibrant.judges.free.words.units import MONEY
from calibrant.state.evidence import Evidence

_SIZE = word_set("area size capacity área tamanho capacidade")
_SPAN = word_set("time duration length distance days hours minutes weeks tempo duração distância dias horas minutos")


class _Superlative(NamedTuple):
    """Words that ask for the row with the most, or the least, in a column."""

    words: str
    most: bool
    implied: frozenset[str] = frozenset()
    """Words for the column, where it need not be named."""
    in_time: bool = False
    """Of a date or a year: no price is the first."""


_SUPERLATIVES = (
    _Superlative(r"most expensive|mais car[oa]s?", most=True, implied=PRICE),
    _Superlative(r"cheapest|least expensive|mais barat[oa]s?", most=False, implied=PRICE),
    _Superlative(r"largest|biggest", most=True, implied=_SIZE),
    _Superlative(r"smallest", most=False, implied=_SIZE),
    _Superlative(r"longest|slowest|mais (?:long|demorad|lent)[oa]s?", most=True, implied=_SPAN),
    _Superlative(r"shortest|quickest|fastest|mais (?:curt|rápid)[oa]s?", most=False, implied=_SPAN),
    _Superlative(r"mais antig[oa]s?|earliest|oldest|first", most=False, in_time=True),
    _Superlative(r"mais recentes?|latest|newest|most recent(?:ly)?|last", most=True, in_time=True),
    _Superlative(r"lowest|menor(?:es)?|mais baix[oa]s?|least|fewest|menos", most=False),
    _Superlative(r"highest|greatest|maior(?:es)?|mais alt[oa]s?|most|mais", most=True),
)
_SUPERLATIVE = re.compile(
    "|".join(rf"(?<!\bat )(?<!\bat the )\b({one.words})\b(?! d[eo]\b| que\b)" for one in _SUPERLATIVES), re.IGNORECASE
)
_THINGS = word_set(
    "product products item items article articles thing things option options "
    "produto produtos item itens artigo artigos coisa coisas opção opções"
)
"""What rows may be called, though nothing in their table does, where its first column says no more of them."""
_NAMES = _THINGS | word_set("name title id code sku number no description label nome título código número descrição")
"""Names of such a column."""
_THING = re.compile(rf"\b(?:{'|'.join(sorted(_THINGS))})\b", re.IGNORECASE)
_COUNTS = ("most", "the most", "fewest", "the fewest", "mais", "o mais", "menos")
_DATE = "date"
"""What stands for a unit where a cell is a date."""
_UNLIMITED = re.compile(r"unlimited|ilimitad[oa]s?", re.IGNORECASE)
_FOREIGN = 1 / 3
"""The share of the other words, by weight, of which a table need not speak: a condition ("for students") is more."""


@dataclass(frozen=True)
class Extremes:
    """What a superlative leaves of the rows of a ``table``, each by its passage and its place there."""

    table: Table
    best: frozenset[tuple[str, int]]
    rows: frozenset[tuple[str, int]]
    question: str
    """Without the superlative, with the column that it implies."""


def extremes(query: Query, evidence: Sequence[Evidence]) -> Extremes | None:
    """What the one superlative of ``query`` leaves of a table, if exactly one can tell that."""
    said = list(_SUPERLATIVE.finditer(query.text))
    if len(said) != 1:
        return None
    found = [left for rows in whole_tables(evidence) if (left := _left(query, said[0], rows))]
    return found[0] if len(found) == 1 else None


def _left(query: Query, said: re.Match[str], rows: Sequence[Row]) -> Extremes | None:
    superlative = _SUPERLATIVES[(said.lastindex or 1) - 1]
    column = _column(query, said, superlative.implied, rows)
    meant = _meant(query, said, rows, column) if column else []
    cells = [
        (row, cell)
        for row in meant
        if (cell := row.cells.get(column, "")) and (cell == "0" or not LACKS.fullmatch(cell))
    ]
    amounts = [_amount(query, cell) for _, cell in cells]
    values = [amount[1] for amount in amounts if amount]
    units = {unit for unit, _ in filter(None, amounts) if unit}
    if len(cells) < 2 or len(values) < len(cells) or len(units) > 1 or (superlative.in_time and units - {_DATE}):
        return None
    best = max(values) if superlative.most else min(values)
    before, behind = (_unnamed(query, rows, part) for part in (query.text[: said.start()], query.text[said.end() :]))
    return Extremes(
        rows[0].table,
        frozenset(row.place for (row, _), value in zip(cells, values, strict=True) if value == best),
        frozenset(row.place for row in rows),
        f"{query.scene}{before}{column if superlative.implied else ''}{behind}",
    )


def _unnamed(query: Query, rows: Sequence[Row], text: str) -> str:
    """``text`` without what it only calls the rows: no row is found by it."""
    return _THING.sub(lambda word: "" if _is_any(query, rows, word[0].lower()) else word[0], text)


def _is_any(query: Query, rows: Sequence[Row], word: str) -> bool:
    """Whether a word of the question stands for the rows of any table, and this one has no other word for them."""
    is_told = is_said(word, query.language, _known(query, rows) | _other_columns(query, rows))
    return word in _THINGS and not is_told and _NAMES.issuperset(words(next(iter(rows[0].cells))))


def _known(query: Query, rows: Sequence[Row]) -> frozenset[str]:
    """What tells what the rows are: what stands above them, the name of the file and the first column."""
    first = next(iter(rows[0].cells))
    return keys(f"{line_above(rows[0].item)} {called(rows[0].item)} {first}", query.language)


def _other_columns(query: Query, rows: Sequence[Row]) -> frozenset[str]:
    first = next(iter(rows[0].cells))
    return keys(" ".join(name for row in rows for name in row.cells if name != first), query.language)


def _column(query: Query, said: re.Match[str], implied: frozenset[str], rows: Sequence[Row]) -> str:
    """The column that the superlative is about: the one named beside it, else the one that it implies. Empty where that
    is none, or more than one. The first column only tells what a row is about."""
    names = list(dict.fromkeys(name for row in rows for name in row.cells))[1:]
    counts = said[0].lower() in _COUNTS  # "the most delivery options" asks for those
    behind = [word for word in _behind(query, said) if counts or not _is_any(query, rows, word)]
    phrase = behind or ([] if implied else _before(query, said))
    fits = {name: _fit(query, phrase, name) for name in names}
    best = max(fits.values(), default=0.0)
    named = [name for name in names if best and fits[name] == best]
    found = named or [name for name in names if not implied.isdisjoint(keys(name, query.language))]
    found = found or (_prices_asked_for(query, names, rows) if implied is PRICE else [])
    return found[0] if len(found) == 1 else ""


def _prices_asked_for(query: Query, names: Sequence[str], rows: Sequence[Row]) -> list[str]:
    """The columns with prices that the question names by whose they are: the cheapest dish for guests."""
    asked, above = keys(query.text, query.language), words(f"{line_above(rows[0].item)} {called(rows[0].item)}")
    units = {*MONEY} if PRICE.isdisjoint(above) else {*MONEY, ""}
    named = (name for name in names if all(is_said(word, query.language, asked) for word in content_words(name)))
    cells = {name: [_amount(query, row.cells.get(name, "")) for row in rows] for name in named}
    return [name for name, held in cells.items() if all(amount and amount[0] in units for amount in held)]


def _fit(query: Query, phrase: Sequence[str], column: str) -> float:
    """The share of a column's name that ``phrase`` says, if the name says all of that."""
    held = keys(column, query.language)
    if not phrase or not all(is_said(word, query.language, held) for word in phrase):
        return 0.0
    return len(phrase) / len(tokens(column))


def _behind(query: Query, said: re.Match[str]) -> list[str]:
    """The words that a superlative belongs to, where they stand behind it: the highest monthly fee."""
    silent = silent_words(query.language) - OF
    behind = takewhile(lambda word: word not in silent, words(query.text[said.end() :]))
    return [word for word in behind if word not in OF | UNSAID]


def _before(query: Query, said: re.Match[str]) -> list[str]:
    """The words that a superlative belongs to, where they stand before it: whose monthly fee is highest."""
    silent = silent_words(query.language)
    before = dropwhile(lambda word: word in silent, reversed(words(query.text[: said.start()])))
    return list(takewhile(lambda word: word not in silent, before))


def _meant(query: Query, said: re.Match[str], rows: Sequence[Row], column: str) -> list[Row]:
    """The rows that have what else the question says. None where that is about another column, or nothing of which the
    table speaks."""
    known = _known(query, rows) | keys(column, query.language)
    others = _other_columns(query, rows)
    terms = [term for term, start, _ in query.spans if not said.start() <= start < said.end()]
    terms = [term for term in terms if not _is_any(query, rows, term.word)]
    meant, foreign = list(rows), 0.0
    for term in terms:
        if is_among(term, known) or term.word in UNSAID:
            continue
        having = [row for row in rows if is_among(term, keys(" ".join(row.cells.values()), query.language))]
        if is_among(term, others) or (having and term.word.isdigit()):
            return []
        meant = [row for row in meant if row in having] if having else meant
        foreign += 0.0 if having else term.weight
    return meant if foreign <= _FOREIGN * sum(term.weight for term in terms) else []


def _amount(query: Query, cell: str) -> tuple[str, tuple[float, ...]] | None:
    """The unit and the value of a cell that is an amount or a date and nothing else."""
    if _UNLIMITED.fullmatch(cell):
        return "", (inf,)
    if cell.isdigit():
        return "", (float(cell),)
    found = read(cell, query.language)
    if len(cell.split()) > MOST_WORDS or len(found.dates) + len(found.quantities) != 1:
        return None
    if found.dates:
        return (_DATE, found.dates[0].ymd) if found.dates[0].year else None
    amount = found.quantities[0]
    return None if amount.bound else (amount.unit, (amount.value,))
