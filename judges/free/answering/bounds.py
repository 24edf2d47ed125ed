"""Rows of a table by the bound that a question sets: which plans cost less than 50 euros, which reach over 400 km?

To a score of likeness one row is as good as another: what it has to be compared by is its number.
"""

import re
from collections.abc import Iterator

from calibrant.judges.free.comparing.amounts import Quantity, bound_before
from calibrant.judges.free.comparing.reading import read
from calibrant.judges.free.evidence.answer_kind import COST
from calibrant.judges.free.evidence.query import Query, prepare
from calibrant.judges.free.words.lists import word_set
from calibrant.judges.free.words.numbers import numbers
from calibrant.judges.free.words.tables import cells
from calibrant.judges.free.words.text import stems, words
from calibrant.judges.free.words.units import MONEY, UNITS

_INCLUSIVE = re.compile(
    r"at (?:least|most)|up to|(?:minimum|maximum) of|(?:no|not) (?:more|less|fewer) than"
    r"|pelo menos|(?:[na]o )?(?:mínimo|máximo)|não (?:mais|menos) de|até",
    re.IGNORECASE,
)
"""Words behind which the number itself is within the bound."""
SELECTS = re.compile(
    r"\W*(?:(?:in |on |at |for |to |em |para )?(?:which|quais|qual|que)\b|what (?!happens)[\w-]+s\b"
    r"|(?:is|are) there\b|(?:list|show|name|give|find)\b|há |existe)",
    re.IGNORECASE,
)
"""Openings of a question that wants things chosen: elsewhere a bound may be the case that something is asked for."""
PRICE = COST | word_set("rent tariff renda aluguel tarifa mensalidade")
"""Words of a column that has prices."""
_UNIT = re.compile(r"(?:\(([^()]{1,12})\)|(?<!\bper )(?<!\bpor )\b(\w+))\s*$", re.IGNORECASE)
"""The unit of a column at the end of its name: Range (km), Rent EUR."""
_BARE_UNITS = frozenset(name for name, (kind, _) in UNITS.items() if kind in {*MONEY, "m", "g", "byte"})
"""Units that need no brackets there: "Users a month" is no time."""
MOST_WORDS = 3
"""Words of a cell that is an amount or a date and nothing else."""


def within(query: Query, row: str) -> bool | None:
    """Whether ``row`` is within every bound by which the question chooses; None where it has none that a cell of the
    row can be compared with."""
    found = [verdict for bound in _bounds(query) if (verdict := _fits(query, bound, row)) is not None]
    return all(found) if found else None


def says_bounds(query: Query, text: str) -> bool:
    """Whether ``text`` has the numbers of all bounds that the question sets."""
    told = {number.value for number in numbers(text, query.language)}
    return all(bound.value / bound.factor in told for bound in _bounds(query))


def without_bounds(query: Query) -> Query:
    """The question without the bounds that it sets: a row that happens to have their number is no better for it."""
    text = query.text
    for bound in reversed(_bounds(query)):
        words = bound_before(text, bound.start)[1]
        text = text[: bound.start - len(words)] + text[bound.end :]
    return query if text == query.text else prepare(query.scene + text)


def _bounds(query: Query) -> list[Quantity]:
    """What the question chooses by; nothing where it chooses nothing."""
    if not SELECTS.match(query.text):
        return []
    return [amount for amount in read(query.text, query.language).quantities if amount.bound in ("<", ">")]


def _fits(query: Query, bound: Quantity, row: str) -> bool | None:
    """Whether a cell that can be compared with ``bound`` is within it; of several such the ones that the question
    names count, and then those that are prices."""
    held = [(name, amount) for name, amount in _amounts(query, row) if _is_of_a_kind(query, bound, name, amount)]
    asked = set(stems(query.text, query.language))
    named = [amount for name, amount in held if not asked.isdisjoint(stems(name, query.language))]
    priced = [amount for name, amount in held if bound.unit in MONEY and not PRICE.isdisjoint(words(name))]
    compared = [_is_within(query, bound, amount) for amount in named or priced or (amount for _, amount in held)]
    return any(compared) if compared else None


def _amounts(query: Query, row: str) -> Iterator[tuple[str, Quantity]]:
    """The cells that are one plain amount, with the names of their columns."""
    for name, value in cells(row):
        found = read(f"{value} {_unit_of(name)}", query.language).quantities
        if len(found) == 1 and not found[0].bound and len(value.split()) <= MOST_WORDS:
            yield name, found[0]


def _unit_of(column: str) -> str:
    """The unit that a column's name ends with; empty for none."""
    unit = _UNIT.search(column)
    if unit is None:
        return ""
    return unit[1] or (unit[2] if unit[2].lower() in _BARE_UNITS else "")


def _is_of_a_kind(query: Query, bound: Quantity, column: str, amount: Quantity) -> bool:
    """Whether both are of one unit, or the column is named by what the bound counts: at least 20 users."""
    return amount.unit == bound.unit or (not amount.unit and bound.unit in stems(column, query.language))


def _is_within(query: Query, bound: Quantity, amount: Quantity) -> bool:
    if amount.value == bound.value:
        return _INCLUSIVE.match(bound_before(query.text, bound.start)[1]) is not None
    return (amount.value < bound.value) is (bound.bound == "<")
