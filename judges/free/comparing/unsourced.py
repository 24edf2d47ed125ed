"""Numbers of a text that no source has and nothing explains: no calculation that the text shows, no unit that another
number is told in, no time or date, no list of so many things."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from datetime import date
from itertools import combinations
from math import ceil, floor

from calibrant.judges.free.comparing.counted import counts_what_follows
from calibrant.judges.free.comparing.elapsed import explained, month_lengths
from calibrant.judges.free.comparing.reading import read
from calibrant.judges.free.comparing.scales import by_scale
from calibrant.judges.free.words.arithmetic import Working, workings
from calibrant.judges.free.words.formulas import PERCENT, plain
from calibrant.judges.free.words.numbers import CLOCK, Number, counts, numbers
from calibrant.judges.free.words.units import HUNDREDTHS, MONEY, MONTHS, UNITS, conversion

_FIRST = re.compile(r"\b(?:first|primeir[oa])\b", re.IGNORECASE)
"""Sets one apart from the others."""
_HALF = re.compile(
    r"(?<!first )(?<!second )(?<!other )\b(?:half(?!-| past| board| day)|halve[sd]?|halving)\b"
    r"|(?<!primeira )(?<!segunda )(?<!outra )\bmetade\b",
    re.IGNORECASE,
)
"""Of an amount, and not a time of the day or a part of a year."""
_DOUBLE = re.compile(
    r"\b(?:doubl(?:es|ed|ing)|double(?= (?:the|that|this|what)\b|\W*$|[.,;)])|twice(?= (?:the|that|this|what|as)\b)"
    r"|dobr(?:o|am?|ad[oa]s?)|duplica(?:m|d[oa]s?)?)\b",
    re.IGNORECASE,
)
"""Of an amount, and no double room."""
_PER = re.compile(r"\b(?:per|por|cada|every|for each)\s+$", re.IGNORECASE)
"""Stands before that for which a price or a rate is given."""
ROUNDED = 0.05
"""So much of a result may be rounded away."""
WHOLE = 0.01
"""So much where an amount is told in another unit by a whole number: 104 GB, and not one hour for 61 minutes."""
_NEAR = 16
"""Characters before a number in which such words are looked for."""


def strange_numbers(text: str, *sources: str, asked: str = "") -> tuple[float, ...]:
    """The numbers in ``text`` that stand in none of ``sources`` and do not follow from those that do, or that were
    ``asked`` with; and what comes out of a wrong calculation that is not a source's own."""
    text, sources = plain(text), tuple(map(plain, sources))
    strange = _unexplained(text, sources, plain(asked))
    if not strange:
        return ()
    followed = explained(text, sources, asked, (number.start for number in strange))
    return tuple(number.value for number in strange if number.start not in followed)


def without_day(text: str, day: date | None) -> str:
    """``text`` without ``day``, where it names that: a statement may say of today that it is today."""
    if day is None:
        return text
    for found in reversed(read(text).dates):
        if found.ymd in ((day.year, day.month, day.day), (0, day.month, day.day)):
            text = text[: found.start] + text[found.end :]
    return text


def _unexplained(text: str, sources: Sequence[str], asked: str) -> list[Number]:
    """The numbers of ``text`` that neither a source has nor a calculation explains."""
    held = [number for source in sources for number in numbers(source)]
    scaled = by_scale(sources)
    known = {_exact(number.value) for number in held}
    known.update(_exact(value * scale) for scale, values in scaled.items() for value in values)
    shown = list(workings(text))
    asked_with = {_exact(number.value) for number in numbers(asked)}
    starts = known.union(_operands((*sources, asked)), *scaled.values())
    sound = _sound(text, shown, starts, set(_multiples((*sources, asked))), scaled)
    wrong = [one for one in shown if not one.is_right and not any(text[one.start : one.end] in it for it in sources)]
    told = known.union(*(map(_exact, (*_results(one), *one.stated)) for one in sound))
    come_to = [one.result * scale for one in sound for scale in (1.0, *_scales(one, scaled))]
    told.update(map(_exact, come_to))
    results = {one.places[-1] for one in wrong}
    own = numbers(text)
    held += [number for number in own if any(number.start == one.places[-1] for one in sound)]
    beside = [number for number in (*own, *numbers(asked)) if _exact(number.value) in told | asked_with]

    def is_told(number: Number) -> bool:
        is_worked_out = _exact(number.value) in told or any(_explains(one, number) for one in sound)
        follows = _is_converted(number, held) or _is_total_or_rest(number, beside) or _is_series(text, number, sources)
        parts = 100.0 if PERCENT.match(text, number.end) else 1.0
        follows = follows or any(_is_rounded(number, result * part) for result in come_to for part in (1.0, parts))
        follows = follows or (len(sound) > 1 and _exact(number.value) == _exact(sum(one.result for one in sound)))
        return (is_worked_out or follows) and number.start not in results

    counted = (number for number in own if counts(text, number))
    return [number for number in counted if not (is_told(number) or counts_what_follows(text, number, own))]


def _is_rounded(number: Number, result: float) -> bool:
    """Whether ``number`` tells the ``result`` of a calculation by fewer digits: 2.7 of 2.65, and not 1 million of
    565,000."""
    off = abs(number.value - result)
    return off <= number.step / 2 + 1e-9 * abs(result) and off <= ROUNDED * abs(result)


def _is_converted(number: Number, held: Iterable[Number]) -> bool:
    """Whether ``number`` tells one that is ``held`` in another unit: 43.20 pounds, from 4,320 pence."""
    units = ((one, conversion(one.unit, number.unit)) for one in held if one.unit != number.unit)
    close = max(1e-6, min(number.step / 2, WHOLE * number.value)) if number.step >= 1 else number.step / 2
    return any(factor is not None and abs(one.value * factor - number.value) <= close for one, factor in units)


def _is_series(text: str, number: Number, sources: Sequence[str]) -> bool:
    """Whether ``number`` names all versions that begin with it, and one of them is told: 3.x, of 3.4."""
    if not text.startswith(".x", number.end):
        return False
    begins = re.compile(rf"(?<![\d.]){re.escape(text[number.start : number.end])}\.[\dx]")
    return any(map(begins.search, sources))


def _is_total_or_rest(number: Number, beside: Sequence[Number]) -> bool:
    """Whether ``number`` is the sum or the difference of two of its unit that stand ``beside`` it, in the text or in
    what was asked: of 600,000 messages 100,000 are above a quota of 500,000 messages. Dates and times of day are no
    amounts."""
    if number.unit in ("", CLOCK, *MONTHS):
        return False
    alike = {one.value for one in beside if one.unit == number.unit}
    pairs = combinations(alike, 2)
    return any(_exact(number.value) in (_exact(one + other), _exact(abs(one - other))) for one, other in pairs)


def _sound(
    text: str,
    shown: Iterable[Working],
    known: Set[float],
    multiples: Set[float],
    scaled: Mapping[float, Set[float]],
) -> list[Working]:
    """The calculations of ``text`` that are right and start from ``known`` numbers, or from what one before has come
    to, also as a whole number or, of per cent, as a fraction. They may multiply by ``multiples``, and count in what a
    number that they start from is told in (``scaled``)."""
    held, sound = set(known), []
    for one in shown:
        starts_from = held.intersection(map(_exact, one.operands))
        needed = zip(one.stated, one.factors, strict=True)
        is_counted = one.counted_in in (1.0, *_scales(one, scaled))
        is_known = starts_from and all(_exact(told) in held or by in multiples for told, by in needed)
        if one.is_right and is_counted and is_known:
            held.update(map(_exact, _results(one)))
            if PERCENT.search(text, one.places[-1], one.end):
                held.update(map(_exact, _fractions(one.result)))
            sound.append(one)
    return sound


def _results(working: Working) -> tuple[float, ...]:
    """What comes out, and the whole numbers beside it: of 12.5 groups 12 fit, and 13 are begun."""
    return working.result, float(floor(working.result)), float(ceil(working.result))


def _scales(working: Working, scaled: Mapping[float, Set[float]]) -> Iterator[float]:
    """What the result may be told in, since a number that it starts from is: millions of euros."""
    yield from (scale for scale, values in scaled.items() if not values.isdisjoint(working.stated))


def _explains(working: Working, number: Number) -> bool:
    """Whether ``number`` is a part of the calculation, or tells a measure that it converts by: 12 months."""
    measure, _ = UNITS.get(number.unit, ("", 1.0))
    is_measure = measure not in {"", "%", *MONEY}
    return number.start in working.places or (is_measure and number.value in working.operands)


def _operands(sources: Sequence[str]) -> Iterator[float]:
    """What a calculation may start from: the numbers of ``sources``, percentages and hundredths of money as fractions
    too (0.85: 15 % less; 0.72: 72 pence), how many times each has what a price is for (140, of 140,000 meters at one
    per 1,000), the one that is told apart as the first ("the first hour costs ..., each further hour ..."), and how
    many days the months have that are named (31, of "in March")."""
    held = [(source, number) for source in sources for number in numbers(source)]
    bases = {number.value for source, number in held if number.value > 1 and _is_base(source, number)}
    yield from (_exact(number.value / base) for _, number in held for base in bases)
    for source in sources:
        if _FIRST.search(source):
            yield 1.0
        yield from map(float, month_lengths(read(source).dates))
        for number in numbers(source):
            yield _exact(number.value)
            if PERCENT.match(source, number.end):
                yield from map(_exact, _fractions(number.value))
            elif number.unit in HUNDREDTHS:
                yield _exact(number.value / 100)


def _fractions(percent: float) -> tuple[float, ...]:
    """What one multiplies by for so much, for the rest, and for so much more."""
    share = percent / 100
    return share, 1 - share, 1 + share


def _multiples(sources: Sequence[str]) -> Iterator[float]:
    """What an amount may be multiplied by without a number: 0.5 where half of it is told of, 2 where its double is."""
    for multiple, told in ((0.5, _HALF), (2.0, _DOUBLE)):
        if any(map(told.search, sources)):
            yield multiple


def _is_base(source: str, number: Number) -> bool:
    """Whether a price or a rate is given for so many: 75 euros per 1,000 meters."""
    return _PER.search(source, max(0, number.start - _NEAR), number.start) is not None


def _exact(value: float) -> float:
    """``value`` without what floating point adds to it."""
    return round(value, 6)
