"""What of a claim its passages do not have: a number, a date, a name."""

from collections.abc import Sequence

from calibrant.judges.free.comparing.alignment import Alignment
from calibrant.judges.free.comparing.amounts import Quantity
from calibrant.judges.free.comparing.changed import current
from calibrant.judges.free.comparing.clashes import agree, same_day
from calibrant.judges.free.comparing.content import Word
from calibrant.judges.free.comparing.reading import Reading
from calibrant.judges.free.words.frequency import frequencies
from calibrant.judges.free.words.numbers import ends_label, numbers
from calibrant.judges.free.words.units import CANONICAL


def first_absent(claim: Reading, near: Sequence[Alignment]) -> str:
    """The first number (a name's too: ADR-014), date, frequency or name of the claim that the passage does not have;
    empty where it has all. What was so before it has not, unless the claim speaks of the past."""
    amounts = [amount for one in near for amount in current(one.second, one.second.quantities, claim)]
    days = [date for one in near for date in current(one.second, one.second.dates, claim)]
    bare = {date.year for date in days if not date.month}  # a cell's 1810 may be kilograms
    for mine in claim.quantities:
        said = claim.said(mine)
        if mine.value / mine.factor not in bare and not any(_same_amount(mine, said, other) for other in amounts):
            return said
    for date in claim.dates:
        if not any(same_day(date, other) for other in days):
            return claim.said(date)
    told = [often for one in near for often in frequencies(one.second.text)]
    for often in frequencies(claim.text):
        if told and not any(map(often.agrees, told)):
            return claim.said(often)
    held = {number.value for one in near for number in numbers(one.second.text)}
    for number in numbers(claim.text):
        if ends_label(claim.text, number.start) and number.value not in held:
            return claim.said(number)
    name = absent_name(claim, near)
    return claim.said(name) if name is not None else ""


def _same_amount(mine: Quantity, said: str, other: Quantity) -> bool:
    """One side may leave out what it counts: the value tells then, and the bare number where units were reckoned into
    it ("28 days", ``within_days: 28``). Euros are no dollars, and "above" is not "below"."""
    if ({mine.unit, other.unit} <= CANONICAL and mine.unit != other.unit) or {mine.bound, other.bound} == {"<", ">"}:
        return False
    if mine.value == other.value or (mine.unit == other.unit and agree(mine, other)):
        return True
    return not other.unit and any(number.value == other.value for number in numbers(said))


def absent_name(claim: Reading, near: Sequence[Alignment]) -> Word | None:
    """The first name of the claim that the passage does not have."""
    held = {word.stem for one in near for word, _ in one.pairs}
    return next((word for word in claim.words if word.name and word.stem not in held), None)
