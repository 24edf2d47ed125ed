"""Rows of a table by the bound that a question sets: which plans cost less than 50 euros, which reach over 400 km?

To a score of likeness one row is as good as another: what it has to be compared by is its number.
"""

import re
from collections.abc import Iterator

from calibrant.judges.free.comparing.reading import Quantity, bound_before, read
from calibrant.judges.free.evidence.lexical import Query, prepare
from calibrant.judges.free.words.tables import CELL
from calibrant.judges.free.words.text import stems

_INCLUSIVE = re.compile(
    r"at (?:least|most)|up to|(?:minimum|maximum) of|(?:no|not) (?:more|less|fewer) than"
    r"|pelo menos|(?:[na]o )?(?:mínimo|máximo)|não (?:mais|menos) de|até",
    re.IGNORECASE,
)
"""Words behind which the number itself is within the bound."""
_SELECTS = re.compile(
    r"\W*(?:(?:in |on |at |for |to |em |para )?(?:which|quais|qual|que)\b|what (?!happens)[\w-]+s\b"
    r"|(?:is|are) there an?y?\b|(?:list|show|name|give|find)\b|há |existe)",
    re.IGNORECASE,
)
"""Openings of a question that wants things chosen: elsewhere a bound may be the case that something is asked for."""
_UNIT = re.compile(r"\(([^()]{1,12})\)\s*$")
"""The unit of a column at the end of its name: Range (km)."""
_MOST_WORDS = 3
"""Words of a cell that is an amount and nothing else."""


def within(query: Query, row: str) -> bool | None:
    """Whether ``row`` is within every bound by which the question chooses; None where it has none that a cell of the
    row can be compared with."""
    found = [verdict for bound in _bounds(query) if (verdict := _fits(query, bound, row)) is not None]
    return all(found) if found else None


def without_bounds(query: Query) -> Query:
    """The question without the bounds that it sets: a row that happens to have their number is no better for it."""
    text = query.text
    for bound in reversed(_bounds(query)):
        words = bound_before(text, bound.start)[1]
        text = text[: bound.start - len(words)] + text[bound.end :]
    return query if text == query.text else prepare(text)


def _bounds(query: Query) -> list[Quantity]:
    """What the question chooses by; nothing where it chooses nothing."""
    if not _SELECTS.match(query.text):
        return []
    return [amount for amount in read(query.text, query.language).quantities if amount.bound in ("<", ">")]


def _fits(query: Query, bound: Quantity, row: str) -> bool | None:
    """Whether a cell that can be compared with ``bound`` is within it; of several such the ones that the question
    names count."""
    cells = [(name, amount) for name, amount in _amounts(query, row) if _is_of_a_kind(query, bound, name, amount)]
    asked = set(stems(query.text, query.language))
    named = [amount for name, amount in cells if not asked.isdisjoint(stems(name, query.language))]
    compared = [_is_within(query, bound, amount) for amount in named or (amount for _, amount in cells)]
    return any(compared) if compared else None


def _amounts(query: Query, row: str) -> Iterator[tuple[str, Quantity]]:
    """The cells that are one plain amount, with the names of their columns."""
    for name, value in CELL.findall(row):
        unit = _UNIT.search(name)
        found = read(f"{value} {unit[1]}" if unit else value, query.language).quantities
        if len(found) == 1 and not found[0].bound and len(value.split()) <= _MOST_WORDS:
            yield name, found[0]


def _is_of_a_kind(query: Query, bound: Quantity, column: str, amount: Quantity) -> bool:
    """Whether both are of one unit, or the column is named by what the bound counts: at least 20 users."""
    return amount.unit == bound.unit or (not amount.unit and bound.unit in stems(column, query.language))


def _is_within(query: Query, bound: Quantity, amount: Quantity) -> bool:
    if amount.value == bound.value:
        return _INCLUSIVE.match(bound_before(query.text, bound.start)[1]) is not None
    return (amount.value < bound.value) is (bound.bound == "<")
