"""Which kinds of things may answer a question: amounts, prices, times, dates, days, names, places, versions."""

import re
from collections.abc import Iterator
from typing import Any

from calibrant.judges.free.comparing.mentioned_addresses import ADDRESS, PHONE
from calibrant.judges.free.comparing.mentioned_amounts import (
    FREQUENCY,
    MEASURES,
    PRICE,
    SPANS,
    amount_of,
    in_columns,
    thing_counted,
)
from calibrant.judges.free.comparing.mentioned_names import NAME, OFFICE, THING, place_of
from calibrant.judges.free.comparing.mentioned_times import DATE, DAY, DAY_OF_MONTH, VERSION
from calibrant.judges.free.comparing.mentions import MentionKind
from calibrant.judges.free.comparing.reading import Reading
from calibrant.judges.free.evidence.answer_kind import COST, Expects
from calibrant.judges.free.evidence.query import Query
from calibrant.judges.free.evidence.question_form import is_polar
from calibrant.judges.free.words.numbers import CLOCK
from calibrant.judges.free.words.units import MONEY, UNITS
from calibrant.state.task import Language

_WHEN = re.compile(r"\b(?:when|quando)\b", re.IGNORECASE)
_OTHERWISE = re.compile(
    r"\b(?:why|where|how (?:do|does|did|can|should|to|is|are)|por ?qu[eê]|onde|como)\b", re.IGNORECASE
)
"""What asks for no amount."""
_WHERE = re.compile(
    r"\b(?:where|onde|aonde)\b"
    r"|^\W*(?:in|on|at|em) (?:which|what|que|qual) (?!\w*[^s\W]s\b|[ao]s? |the |port\b|porta\b)",
    re.IGNORECASE,
)
_PHONE = re.compile(r"\b(?:(?:tele)?phone|fax|mobile|telefones?|telemóve(?:l|is)|celular(?:es)?)\b", re.IGNORECASE)
_WHICH_NAME = re.compile(
    r"^\W*(?:which|what|qual|quais|que)\s+(?!(?:is|are|was|were|do|does|did|has|have|can|é|são|foi|faz|as?|os?)\b)"
    r"(?!\w*[^s\W]s\b|(?:[\w-]+\s+){1,4}?(?:are|were|have|são|eram|têm)\b)[^\W\d]+",
    re.IGNORECASE,
)
"""What asks for the name of one thing of a kind: which tool, and not which tools."""
_OFTEN = frozenset({"often", "frequently"})
_OFTEN_PT = re.compile(r"\b(?:com que frequência|quantas vezes|de quant[oa]s? em quant[oa]s?)\b", re.IGNORECASE)


def kinds_of(query: Query, first: Reading, second: Reading, likely: bool = False) -> Iterator[MentionKind[Any]]:
    """The kinds of things that may answer ``query``, the likeliest first. ``likely``: both sides are known to answer
    it, so that the names and places in them are what they answer."""
    is_number = query.expects is Expects.NUMBER
    if (is_number and not query.asked.isdisjoint(_OFTEN)) or _OFTEN_PT.search(query.text):
        yield FREQUENCY
        return
    if _PHONE.search(query.text):
        yield PHONE
        return
    if query.expects in (Expects.ANY, Expects.VALUE, Expects.PLACE) and not is_polar(query.text):
        yield ADDRESS
    costs = not query.asked.isdisjoint(COST) and not thing_counted(query)
    named = query.expects in (Expects.ANY, Expects.VALUE)
    if likely and (query.expects is Expects.PLACE or (named and _WHERE.search(query.text))):
        yield place_of(query)
    elif likely and named and _WHICH_NAME.search(query.text):
        yield THING
    match query.expects:
        case Expects.NUMBER:
            yield from _amounts(query, first, second, bare=True, of=MONEY if costs else None, likely=likely)
            yield PRICE
        case Expects.VERSION:
            yield VERSION
        case Expects.TIME:
            yield amount_of(frozenset({CLOCK}))
        case Expects.DATE:
            yield from (DATE, DAY_OF_MONTH, DAY)
        case Expects.PERSON | Expects.BODY:
            # Of firms and offices only in English: elsewhere titles of papers look like names.
            in_english = query.language is Language.ENGLISH
            if in_english or query.expects is Expects.PERSON:
                yield NAME
            if in_english and likely:
                yield OFFICE
        case Expects.ANY | Expects.VALUE | Expects.WHEN if not is_polar(query.text):
            if _WHEN.search(query.text):
                yield from (DATE, DAY_OF_MONTH, amount_of(frozenset({CLOCK})), DAY)
            elif costs:
                yield from (*_amounts(query, first, second, bare=True, of=MONEY, likely=likely), PRICE)
            elif not _OTHERWISE.search(query.text):
                yield from (*_amounts(query, first, second, bare=query.expects is Expects.VALUE, likely=likely), DAY)


def _amounts(
    query: Query, first: Reading, second: Reading, bare: bool, of: frozenset[str] | None = None, likely: bool = False
) -> Iterator[MentionKind[Any]]:
    """Amounts of each unit that both sides have (of those in ``of``), or of the one that the question names; ``bare``:
    numbers without a unit too, which count as the unit that the question names."""
    units = [{amount.unit for amount in in_columns(query, side) if amount.unit} for side in (first, second)]
    both = units[0] & units[1] & (of or units[0])
    named = both & {term.stem for term in query.terms}
    counted = thing_counted(query)
    unit = UNITS.get(counted)
    if counted and unit is None:
        both -= MEASURES  # who counts people is told no metres
    yield from (amount_of(frozenset({unit}), query=query, likely=likely) for unit in sorted(named or both))
    if of is None and (unit or not counted) and not both & SPANS and all(side & SPANS for side in units):
        yield amount_of(SPANS, query=query, likely=likely)
    if bare:
        kinds = frozenset({"", *(of or ()), *(unit[:1] if unit else ())})
        yield amount_of(kinds, unit, query if likely else None, likely)
