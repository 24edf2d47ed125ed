"""What a sentence says was so before and is so no more: the 13th in "moved from 13 June to 27 June"."""

import re
from collections.abc import Sequence
from itertools import pairwise
from typing import Protocol, TypeVar

from calibrant.judges.free.comparing.reading import Reading

_CHANGED_FROM = re.compile(
    r"\b(?:moved|postponed|rescheduled|shifted|changed|raised|increased|rose|risen|grew|grown|lowered|reduced|cut|fell"
    r"|fallen|dropped|extended|shortened|went (?:up|down)|gone (?:up|down)|brought forward|put (?:back|off)"
    r"|adiad[oa]s?|adiou|mudou|mudaram|mudad[oa]s?|passou|passaram|alterad[oa]s?|alterou|aumentou|aumentad[oa]s?|subiu"
    r"|subiram|reduzid[oa]s?|reduziu|baixou|transferid[oa]s?|antecipad[oa]s?|prorrogad[oa]s?)\b"
    r"[^.;:]{0,40}\b(?:from|de|do|da|dos|das)\s+(?:(?:the|\w+day)\s+)?$",
    re.IGNORECASE,
)
"""Before what was so: a verb of change, in the past, and "from"."""
_TO = re.compile(r"\s*(?:to|para|a)\s+(?:(?:the|o|a|as)\s+)?(?:[^\W\d]+,?\s+)?", re.IGNORECASE)
"""Between what was so and what is, with a word such as a day's name."""
_WAS = re.compile(r"\b(?:was|were|had|used to be|era|eram|foi)\s+$", re.IGNORECASE)


class Placed(Protocol):
    """What stands somewhere in a text."""

    @property
    def start(self) -> int:
        """Its first character."""
        ...

    @property
    def end(self) -> int:
        """The character behind it."""
        ...


PlacedT = TypeVar("PlacedT", bound=Placed)


def is_former(reading: Reading, one: Placed, following: Placed) -> bool:
    """Whether ``one`` is what was so before, and ``following`` what has taken its place."""
    if not _TO.fullmatch(reading.text, one.end, following.start):
        return False
    return bool(_CHANGED_FROM.search(reading.text[: one.start]))


def former(reading: Reading, values: Sequence[PlacedT]) -> list[PlacedT]:
    """Those of ``values``, in their order in the text, that were so before."""
    return [one for one, following in pairwise(values) if is_former(reading, one, following)]


def tells_change(reading: Reading) -> bool:
    """Whether a number or a date of a sentence was so before."""
    return bool(former(reading, reading.quantities)) or bool(former(reading, reading.dates))


def current(reading: Reading, values: Sequence[PlacedT], against: Reading) -> list[PlacedT]:
    """``values`` without those that were so before, unless ``against`` tells of the past as well: what the fee was in
    2019 is no news to who says that it was raised."""
    gone = [] if _tells_of_the_past(against) else former(reading, values)
    return [one for one in values if one not in gone]


def _tells_of_the_past(reading: Reading) -> bool:
    """Whether it tells a change itself, or what was, or of a year."""
    was = any(_WAS.search(reading.text[: amount.start]) for amount in reading.quantities)
    return tells_change(reading) or was or any(date.scope or not date.month for date in reading.dates)
