"""Whether a statement gives an amount or a date of a table's row for another column than its own.

"The Pro plan costs €290 a month" has all its words in "Plan: Pro; Price per month: €29; Price per year: €290".
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from calibrant.judges.free.comparing.quantities import agree, same_day
from calibrant.judges.free.comparing.reading import Quantity, Reading, read
from calibrant.judges.free.words.tables import CELL

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
    cells = CELL.findall(row)
    names = _names(claim, [read(name, claim.language) for name, _ in cells])
    values = _values(claim, [read(value, claim.language) for _, value in cells])
    edges = [found.start() for found in _APART.finditer(claim.text)]
    beside: dict[_Told, set[int]] = {}
    for name in names:
        near = [one for one in values if not any(_between(edge, name, one) for edge in edges)]
        if near:
            beside.setdefault(min(near, key=name.gap), set()).add(name.column)
    wrong = (one for one, columns in beside.items() if one.column not in columns)
    return next((claim.text[one.start : one.end] for one in wrong), "")


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


def _values(claim: Reading, cells: Sequence[Reading]) -> list[_Told]:
    """The amounts and dates of ``claim`` that only one of the cells has."""
    held = [
        *(
            (one, [any(_is_same(one, other) for other in cell.quantities) for cell in cells])
            for one in claim.quantities
        ),
        *((one, [any(same_day(one, other) for other in cell.dates) for cell in cells]) for one in claim.dates),
    ]
    return [_Told(where.index(True), one.start, one.end) for one, where in held if sum(where) == 1]


def _is_same(one: Quantity, other: Quantity) -> bool:
    """Whether two amounts are one: of a unit that agrees, or the same number where one leaves out its unit."""
    bare = not (one.unit and other.unit) and one.value / one.factor == other.value / other.factor
    return bare or (one.unit == other.unit and agree(one, other))
