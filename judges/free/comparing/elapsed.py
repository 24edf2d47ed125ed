"""What times and dates explain: how long it is between two of them, and what comes so much before or after one."""

import re
from calendar import monthrange
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import date, timedelta
from itertools import combinations, product

from calibrant.judges.free.comparing.amounts import Quantity
from calibrant.judges.free.comparing.reading import Reading, read
from calibrant.judges.free.words.dates import Date
from calibrant.judges.free.words.numbers import CLOCK, numbers
from calibrant.judges.free.words.text import sentences

_DAY = 86_400.0
_YEARS = range(1900, 2100)
_LEAP = 2000
"""The year of a date that names none."""
_OTHER_YEAR = re.compile(
    r"\b(?:(?:last|past|previous|preceding|next|following|coming) (?:calendar )?year"
    r"|year (?:before|after)|ano (?:passado|anterior|seguinte|que vem)|próximo ano)\b",
    re.IGNORECASE,
)
"""Names a year by another one: "until 30 April of the following year"."""
_JOINED = frozenset(["", ",", "and", "e"])
"""What may stand between the parts of one length: 2 hours and 19 minutes."""


@dataclass(frozen=True)
class _Length:
    """A length of time: ``value`` in seconds, or in years where it is told in months or years. Told in several parts (2
    hours 19 minutes) it has the numbers that open at ``starts``, the last of them as precise as ``exact``."""

    value: float
    unit: str
    exact: float = 0.0
    starts: tuple[int, ...] = ()

    def is_told_as(self, told: "_Length") -> bool:
        """Whether ``told`` gives this length, rounded only to the decimals that it has."""
        return self.unit == told.unit and abs(self.value - told.value) <= told.exact / 2 + 1e-6 * abs(told.value)


@dataclass(frozen=True)
class _Times:
    """The times of day (in hours), the dates and the lengths of time of one sentence."""

    clocks: tuple[Quantity, ...] = ()
    dates: tuple[Date, ...] = ()
    lengths: tuple[_Length, ...] = ()

    def between(self) -> Iterator[_Length]:
        """How long it is from one to another, from one day to the next too, with and without the first day."""
        for one, other in combinations(self.clocks, 2):
            gap = abs(one.value - other.value)
            yield from (_Length(hours * 3600, "s") for hours in (gap, 24 - gap))
        for first, second in combinations(self.dates, 2):
            yield from _between(first, second)

    def lead_to(self, day: Date, *, further: bool = False) -> bool:
        """Whether ``day`` is a length of the sentence before or after one of its dates; ``further``: or two lengths, as
        a notice of six months is before the end of a term of 24, which is the day before it begins anew."""
        near = {found for one in self.dates if one.day for found in self._near(_day(one))}
        if further:
            near |= {again for found in near for again in self._near(found)}
            near |= {found - timedelta(days=1) for found in near if found > date.min}
        return any(_is_day(found, day) for found in near)

    def _near(self, day: date | None) -> Iterator[date]:
        """The days that one of the lengths is before and after ``day``."""
        return (found for length in self.lengths if day for found in _shifted(day, length))

    def lead_to_time(self, clock: Quantity) -> bool:
        """Whether ``clock`` is a length of the sentence before or after one of its times of day."""
        hours = [length.value / 3600 for length in self.lengths if length.unit == "s"]
        led = ((one.value + sign * length) % 24 for one in self.clocks for length in hours for sign in (1, -1))
        return any(abs(one - clock.value) < 1e-6 for one in led)


def explained(text: str, sources: Sequence[str], asked: str, strange: Iterable[int]) -> frozenset[int]:
    """Which of the ``strange`` numbers of ``text``, told by where they start, follow from times and dates: those of the
    text's own other numbers and of what was ``asked``, or those that stand together in a sentence of ``sources``."""
    unknown, said = frozenset(strange), read(text)
    told = _times(said, unknown)
    own = _Times(told.clocks, (*told.dates, *read(asked).dates), told.lengths)
    held = [_times(read(one.text)) for source in sources for one in sentences(source)]
    places = (own, *held)
    stated = {length for times in held for length in times.lengths}
    gaps = {gap for times in places for gap in times.between()}
    lengths = [*stated, *gaps, *_beyond(own.between(), stated)]

    beside = _years_beside(asked) if _OTHER_YEAR.search(asked) or any(map(_OTHER_YEAR.search, sources)) else set()
    days = [day for times in held for day in times.dates if not day.year]
    told_as = (*_lengths(said), *_as_lengths(said))
    found = {start for one in told_as if any(length.is_told_as(one) for length in lengths) for start in one.starts}
    led: list[Date | Quantity] = [
        *(day for day in said.dates if own.lead_to(day, further=True) or any(times.lead_to(day) for times in held)),
        *(one for one in _clocks(said) if any(times.lead_to_time(one) for times in places)),
        *(day for day in said.dates if day.year in beside and _is_year_of(day, days)),
    ]
    return unknown & (found | {number for number in unknown for one in led if one.start <= number < one.end})


def month_lengths(days: Iterable[Date]) -> frozenset[int]:
    """How many days the months of ``days`` have; 28 and 29 for a February of no year."""
    years = ((day, (day.year,) if day.year else (_LEAP, _LEAP + 1)) for day in days if day.month)
    return frozenset(monthrange(year, day.month)[1] for day, known in years for year in known)


def _years_beside(asked: str) -> set[int]:
    """The years that a text may name where "last year" or "the following year" is told: those beside the ones that are
    asked about, today's among them."""
    years = {int(number.value) for number in numbers(asked) if number.value in _YEARS and not number.unit}
    years |= {day.year for day in read(asked).dates if day.year}
    return {year + by for year in years for by in (-1, 0, 1)}


def _is_year_of(day: Date, days: Sequence[Date]) -> bool:
    """Whether ``day`` is a year alone, or one of ``days`` with its year."""
    return not day.month or any((day.month, day.day) == (one.month, one.day) for one in days)


def _beyond(gaps: Iterable[_Length], lengths: Iterable[_Length]) -> Iterator[_Length]:
    """By how much each gap differs from each length: 19 minutes later than the two hours promised."""
    for gap, one in product(gaps, lengths):
        if gap.unit == one.unit:
            yield _Length(abs(gap.value - one.value), gap.unit)


def _times(said: Reading, unknown: frozenset[int] = frozenset()) -> _Times:
    """The times of a sentence, but for those with an ``unknown`` number: they explain nothing."""
    return _Times(
        tuple(one for one in _clocks(said) if one.start not in unknown),
        tuple(day for day in said.dates if not any(day.start <= start < day.end for start in unknown)),
        tuple(length for length in _lengths(said) if unknown.isdisjoint(length.starts)),
    )


def _clocks(said: Reading) -> list[Quantity]:
    return [one for one in said.quantities if one.unit == CLOCK]


def _as_lengths(said: Reading) -> list[_Length]:
    """Times of day read as lengths: 3:35 hours."""
    return [_Length(one.value * 3600, "s", starts=(one.start,)) for one in _clocks(said)]


def _lengths(said: Reading) -> list[_Length]:
    found: list[_Length] = []
    last: Quantity | None = None
    for one in said.quantities:
        if one.unit not in ("s", "year"):
            continue
        length = _Length(one.value, one.unit, one.exact if one.exact < one.factor else 0.0, (one.start,))
        if last is not None and _goes_on(said.text, last, one):
            before = found.pop()
            length = _Length(before.value + one.value, one.unit, length.exact, (*before.starts, one.start))
        found.append(length)
        last = one
    return found


def _goes_on(text: str, one: Quantity, following: Quantity) -> bool:
    """Whether ``following`` tells the smaller part of the length that ``one`` opens."""
    is_smaller = following.unit == one.unit and following.factor < one.factor
    return is_smaller and text[one.end : following.start].strip(" ,").lower() in _JOINED


def _between(one: Date, other: Date) -> Iterator[_Length]:
    """The whole years and months between two dates, and the days."""
    if one.month and other.month and (one.year != 0) == (other.year != 0):
        months = abs((one.year - other.year) * 12 + one.month - other.month)
        yield from (_Length(count, "year") for count in (months / 12, months // 12))
    elif one.year and other.year:
        yield _Length(float(abs(one.year - other.year)), "year")
    first, second = _day(one, other.year), _day(other, one.year)
    if first and second:
        days = abs((first - second).days)
        yield from (_Length(count * _DAY, "s") for count in (days, days + 1))


def _day(one: Date, year: int = 0) -> date | None:
    """The day of a date; in ``year`` where it names none itself."""
    try:
        return date(one.year or year or _LEAP, one.month, one.day)
    except ValueError:
        return None


def _shifted(day: date, length: _Length) -> Iterator[date]:
    """The days that are ``length`` before and after ``day``. A month later is the same day of it, or its last."""
    for sign in (1, -1):
        with suppress(ValueError, OverflowError):  # no year of the calendar
            yield _after(day, sign * length.value, length.unit)


def _after(day: date, time: float, unit: str) -> date:
    """``day`` and so much ``time``, which is less than nothing for a day before."""
    if unit == "s":
        return day + timedelta(days=round(time / _DAY))
    year, month = divmod(day.year * 12 + day.month - 1 + round(time * 12), 12)
    return date(year, month + 1, min(day.day, monthrange(year, month + 1)[1]))


def _is_day(found: date, told: Date) -> bool:
    return (found.month, found.day) == (told.month, told.day) and told.year in (0, found.year)
