"""Amounts, prices and frequencies that a sentence tells, and which two of them can both be right."""

import re
from collections.abc import Sequence
from dataclasses import replace

from calibrant.judges.free.comparing.amounts import Quantity
from calibrant.judges.free.comparing.clashes import agree
from calibrant.judges.free.comparing.mentions import Mention, MentionKind, column_of, overlap, with_labels
from calibrant.judges.free.comparing.reading import Reading
from calibrant.judges.free.comparing.told_as import is_example
from calibrant.judges.free.evidence.query import Query
from calibrant.judges.free.words.frequency import Frequency, frequencies
from calibrant.judges.free.words.numbers import CLOCK, NUMBER_WORDS
from calibrant.judges.free.words.tables import is_row
from calibrant.judges.free.words.units import CANONICAL, MONEY, UNITS

_LIMIT = re.compile(
    r"\b(?:max(?:imum)?|min(?:imum)?|limits?|at (?:most|least)|up to|lowest|highest|longest|shortest|oldest|youngest"
    r"|latest|máxim[oa]s?|mínim[oa]s?|limites?)\b"
    r"|\bhow (?:much|many|long|far|old|big|large|heavy|high|fast|cold|warm|hot)\b"
    r".{0,120}\b(?:may|can|must|should|allowed|have to|has to)\b"
    r"|\bquant[oa]s?\b.{0,120}\b(?:pode|podem|posso|podemos|deve|devem|devo)\b",
    re.IGNORECASE,
)
"""What asks for a limit: a number told without a bound is one too, then."""
_COUNTED = re.compile(r"\b(?:how many|quant[oa]s) (\w+)", re.IGNORECASE)
_PER = re.compile(
    r"(?:\s*[^\W\d_]+)?\s*(?:\b(?:an?|per|each|every|por|cada|ao|à)\s+|/\s*)(?P<what>[^\W\d]+)", re.IGNORECASE
)
"""Behind an amount, and what it counts: 60 requests per minute."""
_RATE = re.compile(
    r"(?:\s*[^\W\d_]+)?(?:\s(?:an?|per|each|every|por|cada|ao|à)\s|\s?/\s?)(?:second|minute|hour|segundo|minuto|hora)\b",
    re.IGNORECASE,
)
"""Behind a number, and what it counts."""
_FREE = re.compile(
    r"\b(?:is|are|be|come|comes) free\b(?! (?:of (?!charge)|from|to|for|with))|\bfree of charge\b"
    r"|\b(?:at no (?:cost|charge)|costs? nothing|é (?:gratuit[oa]|grátis)|são (?:gratuit[oa]s|grátis)|de graça"
    r"|entrada (?:livre|franca))\b",
    re.IGNORECASE,
)
MEASURES = CANONICAL | {CLOCK}
SPANS = frozenset({"s", "year"})
"""The two units of time. A month or a year has no certain number of days."""
_DAY = 86_400.0
FREE = "free"
"""The unit of a price that is none."""


def asks_limit(query: Query) -> bool:
    """Whether a question asks for the most or the least that there may be."""
    return _LIMIT.search(query.text) is not None


def is_rate(reading: Reading, mention: Mention[Quantity]) -> bool:
    """Whether it tells how many there are in a second, a minute or an hour, and so not how many there are."""
    return mention.value.unit not in MEASURES and _RATE.match(reading.text, mention.end) is not None


def thing_counted(query: Query) -> str:
    """What a question counts: people, of "how many people"; empty where it counts nothing."""
    counted = _COUNTED.search(query.text)
    return counted[1].lower() if counted else ""


def amount_of(
    units: frozenset[str], bare: tuple[str, float] | None = None, query: Query | None = None, likely: bool = False
) -> MentionKind[Quantity]:
    """The kind of amounts of ``units``; ``bare`` is the unit, with its factor, of one that has none. With ``query``,
    what a column that it asks for tells, counts what the column's name says. Of ``SPANS``, all count as days."""

    def find(reading: Reading) -> list[Mention[Quantity]]:
        found = in_columns(query, reading) if query else list(reading.quantities)
        if likely and query and "" in units:  # of what is counted, one side may give the number alone
            asked = {term.stem for term in query.terms}
            found = [replace(one, unit="") if one.unit in asked - MEASURES else one for one in found]
        told = [one for one in found if not is_example(reading.text, one.start)]
        amounts = [_measured(one, bare) for one in _counted_in(query, told) if one.unit in units]
        if units == SPANS:
            amounts = [_in_seconds(one) for one in amounts if one.unit == "year" or one.factor >= _DAY]
        return with_labels(reading, [_mention(reading, one) for one in amounts], by_verb=CLOCK in units)

    is_limit = likely or (query is not None and asks_limit(query))
    return MentionKind("number", find, _same_limit if is_limit else _same_amount)


def _counted_in(query: Query | None, found: Sequence[Quantity]) -> Sequence[Quantity]:
    """Of ``found`` those in the very unit that the question counts, if there are any: days, beside minutes."""
    _, factor = UNITS.get(thing_counted(query) if query else "", ("", 0.0))
    return [one for one in found if one.unit and one.factor == factor] or found


def in_columns(query: Query, reading: Reading) -> list[Quantity]:
    """The amounts, with what a column counts as the unit of its cells: passengers: 280."""
    asked = [term.stem for term in query.terms]
    found, named = [], _unit_of_row(reading)
    for one in reading.quantities:
        if not one.unit and named:
            found.append(_measured(one, named))
            continue
        names = [] if one.unit else column_of(reading, one)
        counted = next((word.stem for word in names if overlap([word], asked, query.language)), "")
        found.append(replace(one, unit=counted or one.unit))
    return found


def _unit_of_row(reading: Reading) -> tuple[str, float] | None:
    """The one unit of measure that a row names in another cell: "Default: 120; Meaning: seconds until ..."."""
    if not is_row(reading.text):
        return None
    named = {UNITS[word] for word in reading.lowered if len(word) > 2 and word in UNITS}
    return named.pop() if len(named) == 1 else None


def _mention(reading: Reading, one: Quantity) -> Mention[Quantity]:
    """An amount with what it is for so much of. So many things in a minute count as how many there are in a second."""
    match = _PER.match(reading.text, one.end)
    per = match["what"].lower() if match and match["what"].lower() not in NUMBER_WORDS else ""
    kind, factor = UNITS.get(per, ("", 1.0))
    if kind == "s" and one.unit not in MEASURES:
        one = replace(one, value=one.value / factor, exact=one.exact / factor, factor=one.factor / factor)
        per = kind
    return Mention(one, one.start, one.end, one.place, per=per)


def _measured(one: Quantity, bare: tuple[str, float] | None) -> Quantity:
    if one.unit or bare is None:
        return one
    unit, factor = bare
    return replace(one, unit=unit, value=one.value * factor, exact=one.exact * factor, factor=factor)


def _in_seconds(one: Quantity) -> Quantity:
    """Months or years as so many days of 30 or 365, which is about right."""
    if one.unit == "s":
        return one
    by = _DAY * (365 if one.factor >= 1 else 360)
    bound = one.bound or "~"
    return replace(one, unit="s", value=one.value * by, exact=one.exact * by, factor=one.factor * by, bound=bound)


def _same_amount(one: Quantity, other: Quantity) -> bool | None:
    """A number and a bound that holds it tell different things, and may both be right."""
    is_one = agree(one, other)
    return is_one if one.bound == other.bound or not is_one else None


def _same_limit(one: Quantity, other: Quantity) -> bool:
    """Where a limit is asked for, a bound makes no difference: "120 euros" is one, as "up to 120 euros" is."""
    mine, theirs = (replace(side, bound="") if side.bound in "<>" else side for side in (one, other))
    return agree(mine, theirs)


def _find_frequencies(reading: Reading) -> list[Mention[Frequency]]:
    """How often: hourly, every six hours, twice a week."""
    return with_labels(reading, [Mention(one, one.start, one.end) for one in frequencies(reading.text)])


def _find_prices(reading: Reading) -> list[Mention[Quantity]]:
    """Amounts of money, or that nothing is paid."""
    paid = [one for one in reading.quantities if one.unit in MONEY and one.value > 0]
    free = None if paid else _FREE.search(reading.text)
    prices = [Quantity(0.0, FREE, -1, *free.span())] if free else paid
    return with_labels(reading, [Mention(one, one.start, one.end, one.place) for one in prices])


def _is_paid_alike(one: Quantity, other: Quantity) -> bool | None:
    """One side says that nothing is paid, the other one what. Two prices are compared in their unit."""
    return one.unit == other.unit if FREE in (one.unit, other.unit) else None


FREQUENCY = MentionKind("number", _find_frequencies, Frequency.agrees)
PRICE = MentionKind("number", _find_prices, _is_paid_alike)
