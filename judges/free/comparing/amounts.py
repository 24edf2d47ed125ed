"""The amounts of a sentence: a number with its unit, what bounds it, and how exact it is."""

import re
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from calibrant.judges.free.words.lists import word_set
from calibrant.judges.free.words.numbers import CLOCK, Number, ends_label, numbers
from calibrant.judges.free.words.taken import Taken
from calibrant.judges.free.words.text import Token, stem
from calibrant.judges.free.words.units import UNITS
from calibrant.state.task import Language

_REACH = 24
"""Characters before a number in which the words stand that bound it."""
_NOT_DENIED = r"(?<!no )(?<!not )(?<!não )"
"""Not behind a word that turns the bound round: no more than."""
_THEN_IT = r"\s*(?:[A-Z]{0,2}\$|[€£¥])?\s*$"
"""Behind words that bound a number, up to it: maybe the sign of money."""
_AT_LEAST = re.compile(
    rf"(?:at least|{_NOT_DENIED}(?:more than|mais de)|(?:no|not) (?:less|fewer) than|não menos de|over|minimum of|above"
    rf"|pelo menos|(?:no )?mínimo(?: de)?|acima de){_THEN_IT}",
    re.I,
)
_AT_MOST = re.compile(
    rf"(?:at most|{_NOT_DENIED}(?:(?:less|fewer) than|menos de)|(?:no|not) more than|não mais de|up to|under|maximum of"
    rf"|below|até|(?:até )?(?:[na]o )?máximo(?: de)?|abaixo de){_THEN_IT}",
    re.I,
)
_ABOUT = re.compile(
    r"(?:about|around|approximately|roughly|nearly|almost|some|circa|cerca de|aproximadamente|quase"
    rf"|~){_THEN_IT}",
    re.I,
)
_BETWEEN = r"(?: (?:(?:of|de) )?\w+)?\W{0,2}"
_BOUND_BEHIND = {
    ">": re.compile(
        rf"{_BETWEEN}(?:at (?:the )?least|minimum|or (?:more|older|over|above)|and (?:over|above|older)|is the minimum"
        r"|no mínimo|pelo menos|ou mais)\b",
        re.I,
    ),
    "<": re.compile(
        rf"{_BETWEEN}(?:at (?:the )?most|maximum|or (?:less|fewer|under|below)|is the (?:maximum|limit)"
        r"|no máximo|ou menos)\b",
        re.I,
    ),
}
"""The same behind it: 2 GB at least."""
_DEGREES = re.compile(
    r"\s?(?:°|(?:degrees?|graus?)\b)(?:\s?(?P<fahrenheit>F(?:ahrenheit)?\b)|\s?C(?:elsius)?\b|(?!\s?\w)|(?<=[se])\b)",
    re.I,
)
DEGREES = "°c"
"""The unit of a temperature: in other scales it is reckoned into this one."""
_SCALES = word_set("thousand million billion trillion mil milhão milhões bilhão bilhões")
_RANGE = re.compile(r"\s*(?:to|or|[-–—]|a|ou|para)\s*")
"""Between two numbers of which the unit is told once: three to five days."""
_COUNTED_DAYS = word_set("working business bank útil úteis")
"""Days of these kinds are no days of the calendar."""
_DAYS = frozenset({"dia", "dias"})
"""Their kind stands behind them: dias úteis."""
_ORDINAL_ENDINGS = ("st", "nd", "rd", "th", "º", "ª", ".º", ".ª")


@dataclass(frozen=True)
class Quantity:
    """A number with what it counts. ``bound``: ``>``, ``<``, ``~`` or empty; ``exact``: what it may be rounded to;
    ``factor``: what it was multiplied by, to count in ``unit``."""

    value: float
    unit: str
    place: int
    start: int
    end: int
    bound: str = ""
    exact: float = 1.0
    factor: float = 1.0


def quantities(text: str, found: tuple[Token, ...], language: Language, taken: Taken) -> tuple[Quantity, ...]:
    """The amounts of ``text`` (whose tokens are ``found``) outside of what is ``taken``, in their order. Both ends of a
    range have its unit: three to five days."""
    out = list[Quantity]()
    ends = [token.end for token in found]
    for number in numbers(text, language):
        if number.start in taken:
            continue
        if number.unit not in UNITS and ends_label(text, number.start):
            continue  # SEV-1 says which one, and T-5 days how many
        place = bisect_right(ends, number.start)
        if degrees := _DEGREES.match(text, number.end):
            out.append(_temperature(text, number, degrees, place))
            continue
        if text[number.start : number.end].lower() == "one" and number.unit not in UNITS:
            continue  # "one" mostly stands for a thing, not for a count
        if number.unit in ("", *_ORDINAL_ENDINGS) and text.startswith(_ORDINAL_ENDINGS, number.end):
            continue  # "7th" says which one, not how many
        unit = _behind_adjective(found, place, number.unit)
        kind, factor = UNITS.get(unit, (stem(unit, language), 1.0))
        exact = _rounded_to(number) * factor
        end = max(number.end, _end_of_unit(found, place, number.unit, unit))
        open_until = number.unit == CLOCK and text.endswith("até ", 0, number.start)  # and not up to
        bound = "" if open_until else bound_of(text, number.start, end)
        out.append(Quantity(number.value * factor, kind, place, number.start, end, bound, exact, factor))
    for at, (one, other) in reversed(list(enumerate(pairwise(out)))):
        if not one.unit and _RANGE.fullmatch(text, one.end, other.start):
            out[at] = _in_unit_of(one, other, text)
    return tuple(out)


def is_within(one: Quantity, text: str, others: Sequence[Quantity]) -> bool:
    """Whether ``one`` lies between the ends of a range in ``text``, of which ``others`` are the amounts: four days, of
    three to five. When something opens or closes is told by the ends."""
    return one.unit != CLOCK and any(
        low.unit == one.unit == high.unit and low.value < one.value < high.value
        for low, high in pairwise(others)
        if _RANGE.fullmatch(text, low.end, high.start)
    )


def _in_unit_of(one: Quantity, other: Quantity, text: str) -> Quantity:
    """``one``, a number alone, in the unit of ``other`` behind it: 50 to 60 °F."""
    found = _DEGREES.search(text, other.start, other.end) if other.unit == DEGREES else None
    value = _celsius(one.value, found) if found else one.value * other.factor
    return replace(one, unit=other.unit, value=value, exact=one.exact * other.factor, factor=other.factor)


def _celsius(value: float, degrees: re.Match[str]) -> float:
    return (value - 32) / 1.8 if degrees["fahrenheit"] else value


def _temperature(text: str, number: Number, degrees: re.Match[str], place: int) -> Quantity:
    bound = bound_of(text, number.start, degrees.end())
    return Quantity(_celsius(number.value, degrees), DEGREES, place, number.start, degrees.end(), bound, number.step)


def _behind_adjective(found: tuple[Token, ...], place: int, unit: str) -> str:
    """The unit of measure right after ``unit``, if that only qualifies it: 500 operating hours."""
    words = [token.word for token in found[place + 1 : place + 3]]
    if len(words) == 2 and words[0] == unit in _DAYS and words[1] in _COUNTED_DAYS:
        return words[1]  # dias úteis
    if unit in UNITS or unit in _COUNTED_DAYS:
        return unit
    is_measure = len(words) == 2 and words[0] == unit and len(words[1]) > 2 and words[1] in UNITS
    return words[1] if is_measure else unit


def _end_of_unit(found: tuple[Token, ...], place: int, written: str, unit: str) -> int:
    """Where a quantity ends: its scale (million) and its unit of measure (km) are part of it, and an adjective before
    that; a counted noun is not."""
    end = found[place].end if place < len(found) else 0
    for token in found[place + 1 : place + 3]:
        if token.word not in _SCALES and not (token.word in (*written.split("-"), unit) and unit in UNITS):
            break
        end = token.end
    return end


def bound_of(text: str, start: int, end: int) -> str:
    """The sign of what bounds the number at ``start``, whose unit ends at ``end``; empty where nothing does."""
    behind = (sign for sign, pattern in _BOUND_BEHIND.items() if pattern.match(text, end))
    return bound_before(text, start)[0] or next(behind, "")


def bound_before(text: str, place: int) -> tuple[str, str]:
    """The sign of what bounds the number at ``place``, and the words right before it that say so; both may be empty."""
    for sign, pattern in ((">", _AT_LEAST), ("<", _AT_MOST), ("~", _ABOUT)):
        if words := pattern.search(text, max(0, place - _REACH), place):
            return sign, words.group()
    return "", ""


def _rounded_to(number: Number) -> float:
    """What a number may have been rounded to: the size of its last decimal, or of the last digit of a whole number that
    is no zero (3,500 -> 100, 2.5 million -> 100,000, 42 -> 1, 0.05 -> 0.01)."""
    exact = number.step
    while 1 <= exact < abs(number.value) and number.value % (10 * exact) == 0:
        exact *= 10
    return exact
