"""What of a claim its passages do not have: a number, a date, a name."""

from collections.abc import Sequence

from calibrant.judges.free.comparing.alignment import Alignment
from calibrant.judges.free.comparing.amounts import Quantity
from calibrant.judges.free.comparing.clashes import agree, same_day
from calibrant.judges.free.comparing.content import Word
from calibrant.judges.free.comparing.reading import Reading
from calibrant.judges.free.words.numbers import ends_label, numbers


def first_absent(claim: Reading, near: Sequence[Alignment]) -> str:
    """The first number (a name's too: ADR-014), date or name of the claim that the passage does not have; empty where
    it has all."""
    amounts = [amount for one in near for amount in one.second.quantities]
    days = [date for one in near for date in one.second.dates]
    bare = {date.year for date in days if not date.month}  # a cell's 1810 may be kilograms
    for mine in claim.quantities:
        said = claim.said(mine)
        if mine.value / mine.factor not in bare and not any(_same_amount(mine, said, other) for other in amounts):
            return said
    for date in claim.dates:
        if not any(same_day(date, other) for other in days):
            return claim.said(date)
    held = {number.value for one in near for number in numbers(one.second.text)}
    for number in numbers(claim.text):
        if ends_label(claim.text, number.start) and number.value not in held:
            return claim.said(number)
    name = absent_name(claim, near)
    return claim.said(name) if name is not None else ""


def _same_amount(mine: Quantity, said: str, other: Quantity) -> bool:
    """One side may leave out what it counts: the value tells then, and the bare number where units were reckoned into
    it ("28 days", ``within_days: 28``)."""
    if mine.value == other.value or (mine.unit == other.unit and agree(mine, other)):
        return True
    return not other.unit and any(number.value == other.value for number in numbers(said))


def absent_name(claim: Reading, near: Sequence[Alignment]) -> Word | None:
    """The first name of the claim that the passage does not have."""
    held = {word.stem for one in near for word, _ in one.pairs}
    return next((word for word in claim.words if word.name and word.stem not in held), None)
