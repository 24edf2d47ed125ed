"""Whether a statement gives an amount or a date of a table's row for another column than its own.

"The Pro plan costs €290 a month" has all its words in "Plan: Pro; Price per month: €29; Price per year: €290".
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from calibrant.judges.free.comparing.amounts import Quantity
from calibrant.judges.free.comparing.clashes import agree, same_day
from calibrant.judges.free.comparing.reading import Reading, read
from calibrant.judges.free.words.dates import Date
from calibrant.judges.free.words.numbers import numbers
from calibrant.judges.free.words.tables import cells
from calibrant.state.task import Language

_APART = re.compile(r"[,;]\s|\b(?:and|or|but|while|e|ou|mas|enquanto)\b", re.IGNORECASE)
"""What parts the values of a statement: 29 a month and 290 a year."""


@dataclass(frozen=True)
class _Told:
    """A part of a statement, at ``start`` to ``end``, that stands for the ``column``, as its name or as its value."""

    column: int
    start: int
    end: int

    def gap(self, other: "_Told") -> int:
        return max(other.start - self.end, self.start - other.end)


def misplaced(claim: Reading, row: str) -> str:
    """The amount or date that ``claim`` puts beside the name of another column than its own in ``row``, a row as it is
    read; empty where there is none. A name belongs to the value that is nearest to it."""
    held = cells(row)
    names = _names(claim, [read(name, claim.language) for name, _ in held])
    values = _values(claim, [value for _, value in held])
    edges = [found.start() for found in _APART.finditer(claim.text)]
    beside: dict[_Told, set[int]] = {}
    for name in names:
        near = [one for one in values if not any(_between(edge, name, one) for edge in edges)]
        if near:
            beside.setdefault(min(near, key=name.gap), set()).add(name.column)
    wrong = (one for one, columns in beside.items() if one.column not in columns)
    return next((claim.said(one) for one in wrong), "")


def _between(edge: int, one: _Told, other: _Told) -> bool:
    return min(one.end, other.end) <= edge < max(one.start, other.start)


def _names(claim: Reading, columns: Sequence[Reading]) -> list[_Told]:
    """The words of ``claim`` that only one of the columns has in its name."""
    found = []
    for word in claim.words:
        held = [place for place, column in enumerate(columns) if word.stem in column.stems]
        if len(held) == 1:
            found.append(_Told(held[0], word.start, word.end))
    return found


def _values(claim: Reading, told: Sequence[str]) -> list[_Told]:
    """The amounts and dates of ``claim`` that only one of the cells has."""
    held = [
        *(([_has_amount(cell, one, claim.language) for cell in told], one.start, one.end) for one in claim.quantities),
        *(([_has_date(cell, one, claim.language) for cell in told], one.start, one.end) for one in claim.dates),
    ]
    return [_Told(where.index(True), start, end) for where, start, end in held if sum(where) == 1]


def _has_amount(cell: str, one: Quantity, language: Language) -> bool:
    """Whether a cell has the amount: of a unit that agrees, or the same number where one leaves out its unit."""
    bare = any(
        other.value == one.value / one.factor for other in numbers(cell, language) if not (other.unit and one.unit)
    )
    return bare or any(
        agree(one, other) for other in read(cell, language).quantities if other.unit and other.unit == one.unit
    )


def _has_date(cell: str, one: Date, language: Language) -> bool:
    return any(same_day(one, other) for other in read(cell, language).dates)
