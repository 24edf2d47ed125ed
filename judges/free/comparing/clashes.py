"""Where two sentences give different numbers or dates for what they both measure."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import product

from calibrant.judges.free.comparing.alignment import Alignment
from calibrant.judges.free.comparing.amounts import Quantity, is_within
from calibrant.judges.free.comparing.changed import current, former, tells_change
from calibrant.judges.free.comparing.content import Word
from calibrant.judges.free.comparing.reading import Reading
from calibrant.judges.free.comparing.told_as import are_of_one, is_example
from calibrant.judges.free.words.dates import Date
from calibrant.judges.free.words.numbers import CLOCK
from calibrant.state.task import Language

_NEAR = {Language.ENGLISH: 4, Language.PORTUGUESE: 6}
"""How many words a number may stand from the word that says what it measures: Portuguese has more of the small ones
("passa a ser de 30")."""
_ROUND_FROM = 10_000
"""Only numbers written so large are taken as rounded: a port or a year of 8080 is exact, and so are 30 days."""
_MEASURED_FROM = {"m": 100, "g": 100, "byte": 100}
"""Sizes are measured, and rounded sooner."""
_CROWD = 3
"""Numbers in one sentence beyond which it is less sure which two measure one thing, where more than two may."""
_CROWDED = 0.7
"""What a clash counts for there."""
_HALF_DAY = 12
"""Hours between two times of day that can both be right where one was told without am or pm."""


@dataclass(frozen=True)
class NumberClash:
    """Two numbers for one attribute."""

    first: Quantity
    second: Quantity
    strength: float
    said_first: str
    said_second: str


@dataclass(frozen=True)
class DateClash:
    """Two dates for one event."""

    first_place: int
    second_place: int
    said_first: str
    said_second: str
    is_life: bool = False
    """The dates of a life: in brackets after a name, or after "born"."""


def agree(one: Quantity, other: Quantity) -> bool:
    """Whether two numbers of one unit can both be right: equal, within a bound, or one is the other rounded."""
    if {one.bound, other.bound} & {"<", ">"}:
        return _within(one, other)
    gap = abs(one.value - other.value)
    size = max(abs(one.value), abs(other.value))
    if gap <= 1e-6 * size or (one.unit == CLOCK and gap == _HALF_DAY):
        return True
    if "~" in (one.bound, other.bound) and gap <= 0.1 * size:
        return True
    return _may_be_rounded(one, other) and gap <= 0.5 * max(one.exact, other.exact) and gap <= 0.1 * size


def _may_be_rounded(one: Quantity, other: Quantity) -> bool:
    """Whether they are large enough for that, or one was told in another unit: 26 miles, 42 km."""
    written = max(abs(one.value), abs(other.value)) / one.factor
    return one.factor != other.factor or written >= _MEASURED_FROM.get(one.unit, _ROUND_FROM)


def _within(one: Quantity, other: Quantity) -> bool:
    # Two bounds of one kind are two statements of the same limit: they agree only if they are equal.
    if one.bound == other.bound:
        return abs(one.value - other.value) <= 1e-6 * max(abs(one.value), abs(other.value))
    low = max((q.value for q in (one, other) if q.bound == ">"), default=float("-inf"))
    high = min((q.value for q in (one, other) if q.bound == "<"), default=float("inf"))
    exact = [q.value for q in (one, other) if q.bound not in ("<", ">")]
    return all(low <= value <= high for value in exact) and low <= high


def clash_of_numbers(alignment: Alignment) -> NumberClash | None:
    """The clearest pair of numbers that cannot both be right, None where all agree or measure different things."""
    first, second = alignment.sides
    now = current(first, first.quantities, second), current(second, second.quantities, first)
    open_first, open_second = _without_agreement(*now), _without_agreement(*reversed(now))
    open_first = [one for one in open_first if not is_example(first.text, one.start)]
    open_second = [one for one in open_second if not is_example(second.text, one.start)]
    if min(len(open_first), len(open_second)) > 1 and _are_numbered(alignment, open_first, open_second):
        return None
    pairs = [
        (one, other)
        for one, other in _of_one_unit(open_first, open_second)
        if _same_measure(alignment, one.place, other.place, bool(one.unit))
        and are_of_one(first.text, one, second.text, other)
        and not (is_within(one, second.text, now[1]) or is_within(other, first.text, now[0]))
    ]
    if not pairs:
        return None
    one, other = max(pairs, key=lambda pair: _strength(*pair))
    is_crowded = len(pairs) > 1 and max(len(first.quantities), len(second.quantities)) > _CROWD
    strength = _strength(one, other) * (_CROWDED if is_crowded else 1.0)
    return NumberClash(one, other, strength, first.said(one), second.said(other))


def _strength(one: Quantity, other: Quantity) -> float:
    gap = abs(one.value - other.value) / max(abs(one.value), abs(other.value), 1e-9)
    return 0.7 + 0.25 * min(1.0, gap)


def _of_one_unit(first: Sequence[Quantity], second: Sequence[Quantity]) -> Iterator[tuple[Quantity, Quantity]]:
    """Pairs of one unit. Where both sides have as many of it, each stands for the one in its own place: 120 at home and
    150 abroad, 140 at home and 170 abroad."""
    for unit in dict.fromkeys(one.unit for one in first):
        mine, theirs = ([one for one in side if one.unit == unit] for side in (first, second))
        yield from zip(mine, theirs, strict=True) if len(mine) == len(theirs) else product(mine, theirs)


def _are_numbered(alignment: Alignment, first: Iterable[Quantity], second: Iterable[Quantity]) -> bool:
    """Whether two of the numbers say which thing is meant: the limit of queue 3 is 6, that of queue 4 is 7."""
    after = {(one.place + 1, other.place + 1) for one, other in alignment.pairs}
    bare = [[quantity.place for quantity in side if not quantity.unit] for side in (first, second)]
    return any((one, other) in after for one in bare[0] for other in bare[1])


def _without_agreement(mine: Iterable[Quantity], theirs: Sequence[Quantity]) -> list[Quantity]:
    return [one for one in mine if not any(_may_be_one(one, other) for other in theirs)]


def _may_be_one(one: Quantity, other: Quantity) -> bool:
    """Whether two numbers may count one thing, and both be right: one may leave out what it counts ("up from 1.05
    million"), and its unit (7, and 7 days)."""
    if one.unit != other.unit and "" not in (one.unit, other.unit):
        return False
    return agree(one, other) or (one.unit != other.unit and one.value / one.factor == other.value / other.factor)


def _same_measure(alignment: Alignment, one: int, other: int, unit: bool) -> bool:
    """Whether a matched word stands close to both numbers, and no two unmatched ones stand closer."""
    matched = [(abs(a.place - one), abs(b.place - other)) for a, b in alignment.pairs]
    reach = _NEAR[alignment.first.language] + (2 if unit else 0)
    near = [max(pair) for pair in matched if max(pair) <= reach]
    if not near:
        return False
    return max(_closest(alignment.only_first, one), _closest(alignment.only_second, other)) >= min(near)


def _closest(words: Iterable[Word], place: int) -> int:
    return min((abs(word.place - place) for word in words), default=99)


def clash_of_dates(alignment: Alignment) -> DateClash | None:
    """Two dates that cannot both be right, with the same word before them (born, released)."""
    first, second = alignment.sides
    open_first, open_second = _not_in_both(current(first, first.dates, second), current(second, second.dates, first))
    mine = [one for one in open_first if not any(same_day(one, other) for other in open_second)]
    theirs = [other for other in open_second if not any(same_day(one, other) for one in open_first)]
    for one, other in product(mine, theirs):
        places = _place(first, one.start), _place(second, other.start)
        life = _is_birth(first, one) and _is_birth(second, other) and alignment.shares_name
        if life or _same_lead(alignment, *places):
            return DateClash(*places, first.said(one), second.said(other), life)
    return None


def _not_in_both(first: Iterable[Date], second: Iterable[Date]) -> tuple[list[Date], list[Date]]:
    """The dates of each side without those that the other one gives too, each counted once: a year that both name says
    nothing about a day of that year that one of them names."""
    mine, theirs = list(first), list[Date]()
    for date in second:
        same = next((one for one in mine if one.ymd == date.ymd), None)
        if same is None:
            theirs.append(date)
        else:
            mine.remove(same)
    return mine, theirs


def _is_birth(reading: Reading, date: Date) -> bool:
    """Born on a date, or the first date in brackets after a name: Harold Macmillan (10 February 1894 - ...)."""
    before = reading.text[: date.start].rstrip().lower()
    return before.endswith(("(", "born", "born on", "born in", "nasceu em"))


def same_day(one: Date, other: Date) -> bool:
    """Whether two dates agree in all that both of them give."""
    given = [(a, b) for a, b in zip(one.ymd, other.ymd, strict=True) if a and b]
    return bool(given) and all(a == b for a, b in given)


def changes(one: Reading, other: Reading) -> bool:
    """Whether ``one`` says that what ``other`` tells has changed: moved from 13 June, raised from 40 euros."""
    if tells_change(other):
        return False
    amounts = [(mine, theirs) for mine in former(one, one.quantities) for theirs in other.quantities]
    dates = [(mine, theirs) for mine in former(one, one.dates) for theirs in other.dates]
    return any(_may_be_one(*pair) for pair in amounts) or any(same_day(*pair) for pair in dates)


def _place(reading: Reading, start: int) -> int:
    """The place of a character among the words: just after the last content word before it."""
    return max((word.place for word in reading.words if word.start < start), default=-1) + 1


def _same_lead(alignment: Alignment, one: int, other: int) -> bool:
    """Whether the content words just before both dates match, or both dates open their sentences. ``one`` and
    ``other``: the places of the dates, as ``_place`` tells them."""
    lead = {(a.place, b.place) for a, b in alignment.pairs}
    if one == other == 0 or (one - 1, other - 1) in lead:
        return True
    if one - 1 not in {a for a, _ in lead} and other - 1 not in {b for _, b in lead}:
        return False  # two events: born in, died in
    return any(one - a in range(4) and other - b in range(4) for a, b in lead)
