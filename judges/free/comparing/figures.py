"""Two sentences that give different numbers or dates for one thing."""

from collections.abc import Iterator

from calibrant.judges.free.comparing.alignment import Alignment
from calibrant.judges.free.comparing.belonging import of_two_days
from calibrant.judges.free.comparing.clashes import clash_of_dates, clash_of_numbers
from calibrant.judges.free.comparing.frame import fit_of, scope_of
from calibrant.judges.free.comparing.opposition import MIN_FIT, Opposition, graded
from calibrant.judges.free.comparing.reading import Reading
from calibrant.judges.free.words.claim_words import EVENTS, PRICING, stemmed
from calibrant.judges.free.words.units import MONEY


def is_bare(alignment: Alignment) -> bool:
    """Whether both sentences tell an amount of one thing and nothing else: admission is 12 euros, a ticket costs 15."""
    sides = zip(alignment.sides, alignment.unmatched, strict=True)
    return bool(alignment.pairs) and all({word.place for word in rest} <= _priced(side) for side, rest in sides)


def _priced(reading: Reading) -> set[int]:
    """The places of the words that an amount of money says anyway: it costs, its price."""
    if not any(amount.unit in MONEY for amount in reading.quantities):
        return set()
    pricing = stemmed(PRICING[reading.language], reading.language)
    return {word.place for word in reading.words if word.stem in pricing}


def differing_numbers(alignment: Alignment) -> Iterator[Opposition]:
    """Two numbers that cannot both be right of what both sentences measure."""
    clash = clash_of_numbers(alignment)
    if clash is None or alignment.first.negative is not alignment.second.negative:
        return
    slots = {clash.first.place}, {clash.second.place}
    fit = fit_of(alignment, slots[0] | _priced(alignment.first), slots[1] | _priced(alignment.second))
    if fit < MIN_FIT:
        return
    scope = scope_of(alignment, *slots, "number")
    if of_two_days(alignment.first, clash.first, alignment.second, clash.second):
        scope = "different"
    severity = graded(clash.strength, fit, alignment)
    yield Opposition("number", severity, (clash.said_first, clash.said_second), fit, scope)


def differing_dates(alignment: Alignment) -> Iterator[Opposition]:
    """Two dates for what happens once, or at least for what both sentences tell of."""
    clash = clash_of_dates(alignment)
    if clash is None or clash_of_numbers(alignment) is not None:
        return
    fit = fit_of(alignment, {clash.first_place}, {clash.second_place})
    # What can happen again (a match won) may well have two dates.
    base = 0.85 if clash.is_life or _is_event(alignment) else 0.45
    if fit >= MIN_FIT and alignment.first.negative is alignment.second.negative:
        scope = scope_of(alignment, {clash.first_place}, {clash.second_place}, "date")
        said = (clash.said_first, clash.said_second)
        yield Opposition("date", graded(base, fit, alignment), said, fit, scope)


def _is_event(alignment: Alignment) -> bool:
    language = alignment.first.language
    stems = stemmed(EVENTS[language], language)
    return any(one.stem in stems for one, _ in alignment.pairs)
