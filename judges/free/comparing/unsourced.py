"""Numbers of a text that no source has and nothing explains: no calculation that the text shows, no unit that another
number is told in, no time or date."""

import re
from collections.abc import Iterable, Iterator, Sequence, Set

from calibrant.judges.free.comparing.elapsed import explained
from calibrant.judges.free.words.arithmetic import Working, workings
from calibrant.judges.free.words.formulas import PERCENT, plain
from calibrant.judges.free.words.numbers import Number, numbers
from calibrant.judges.free.words.units import HUNDREDTHS, MONEY, UNITS, conversion

_FIRST = re.compile(r"\b(?:first|primeir[oa])\b", re.IGNORECASE)
"""Sets one apart from the others."""


def strange_numbers(text: str, *sources: str, asked: str = "") -> tuple[float, ...]:
    """The numbers in ``text`` that stand in none of ``sources`` and do not follow from those that do, or that were
    ``asked`` with; and what comes out of a wrong calculation that is not a source's own."""
    text, sources = plain(text), tuple(map(plain, sources))
    strange = _unexplained(text, sources, plain(asked))
    if not strange:
        return ()
    followed = explained(text, sources, asked, (number.start for number in strange))
    return tuple(number.value for number in strange if number.start not in followed)


def _unexplained(text: str, sources: Sequence[str], asked: str) -> list[Number]:
    """The numbers of ``text`` that neither a source has nor a calculation explains."""
    held = [number for source in sources for number in numbers(source)]
    known = {_exact(number.value) for number in held}
    shown = list(workings(text))
    sound = _sound(shown, known | set(_operands((*sources, asked))))
    wrong = [one for one in shown if not one.is_right and not any(text[one.start : one.end] in it for it in sources)]
    told = known.union(*((_exact(one.result), *map(_exact, one.stated)) for one in sound))
    results = {one.places[-1] for one in wrong}
    own = numbers(text)
    held += [number for number in own if any(number.start == one.places[-1] for one in sound)]

    def is_told(number: Number) -> bool:
        is_worked_out = _exact(number.value) in told or any(_explains(one, number) for one in sound)
        return (is_worked_out or _is_converted(number, held)) and number.start not in results

    counts = (n for n in own if text[n.start].isdigit() or n.value > 1.0)  # "one of them" counts nothing
    return [number for number in counts if not is_told(number)]


def _is_converted(number: Number, held: Iterable[Number]) -> bool:
    """Whether ``number`` tells one that is ``held`` in another unit: 43.20 pounds, from 4,320 pence."""
    units = ((one, conversion(one.unit, number.unit)) for one in held if one.unit != number.unit)
    close = number.step / 2 if number.step < 1 else 1e-6
    return any(factor is not None and abs(one.value * factor - number.value) <= close for one, factor in units)


def _sound(shown: Iterable[Working], known: Set[float]) -> list[Working]:
    """The calculations that are right and start from ``known`` numbers, or from what one before has come to."""
    held, sound = set(known), []
    for one in shown:
        starts_from = held.intersection(map(_exact, one.operands))
        if one.is_right and starts_from and held.issuperset(map(_exact, one.stated)):
            held.add(_exact(one.result))
            sound.append(one)
    return sound


def _explains(working: Working, number: Number) -> bool:
    """Whether ``number`` is a part of the calculation, or tells a measure that it converts by: 12 months."""
    measure, _ = UNITS.get(number.unit, ("", 1.0))
    is_measure = measure not in {"", "%", *MONEY}
    return number.start in working.places or (is_measure and number.value in working.operands)


def _operands(sources: Iterable[str]) -> Iterator[float]:
    """What a calculation may start from: the numbers of ``sources``, percentages and hundredths of money as fractions
    too (0.85: 15 % less; 0.72: 72 pence), and the one that is told apart as the first ("the first hour costs ..., each
    further hour ...")."""
    for source in sources:
        if _FIRST.search(source):
            yield 1.0
        for number in numbers(source):
            yield _exact(number.value)
            if PERCENT.match(source, number.end):
                share = number.value / 100
                yield from map(_exact, (share, 1 - share, 1 + share))
            elif number.unit in HUNDREDTHS:
                yield _exact(number.value / 100)


def _exact(value: float) -> float:
    """``value`` without what floating point adds to it."""
    return round(value, 6)
