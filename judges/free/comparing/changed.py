"""What a sentence says was so before and is so no more: the 13th in "moved from 13 June to 27 June"."""

import re
from collections.abc import Sequence
from itertools import pairwise
from typing import TypeVar

from calibrant.judges.free.comparing.decided import is_decided, turns
from calibrant.judges.free.comparing.reading import Placed, Reading

CURRENCY = r"(?:(?:[A-Z]{1,2}\$|[$€£¥])\s?)?"
"""What stands before an amount of money: its number begins behind it."""
_CHANGED_FROM = re.compile(
    r"\b(?:moved|postponed|rescheduled|shifted|changed|raised|increased|rose|risen|grew|grown|lowered|reduced|cut|fell"
    r"|fallen|dropped|extended|shortened|went (?:up|down)|gone (?:up|down)|brought forward|put (?:back|off)"
    r"|(?:adi|mud|alter|aument|baix|elev|antecip|prorrog|encurt|ampli|alarg|reajust|remarc)(?:ou|aram|ad[oa]s?)"
    r"|pass(?:a|am|ou|aram)|(?:sub|ca|cresc|diminu|reduz|transfer|estend)(?:iu|eu|íram|iram|eram|id[oa]s?|íd[oa]s?))\b"
    r"[^.;:]{0,40}\b(?:from|de|do|da|dos|das)\s+(?:(?:the|\w+day|dia|(?:sábado|domingo|\w+-feira),?(?: dia)?)\s+)?"
    rf"{CURRENCY}$",
    re.IGNORECASE,
)
"""Before what was so: a verb of change, in the past, and "from"."""
_TO = re.compile(
    rf"(?:\s?[$€£¥%])?,?\s*(?:to|para|a)\s+(?:(?:the|o|a|as)\s+)?(?:[^\W\d]+(?:-feira)?,?\s+)?(?:dia\s+)?{CURRENCY}",
    re.IGNORECASE,
)
"""Between what was so, maybe with a sign behind it, and what is, with a word such as a day's name."""
_WAS = re.compile(rf"\b(?:was|were|had|used to be|era|eram|foi)\s+(?:de\s+)?{CURRENCY}$", re.IGNORECASE)
_SUGGESTED = re.compile(
    r"\b(?:propos\w+|motions?|suggest\w+|would|(?-i:may)|might|could|should|if|unless|whether|propost\w+|propôs|moç(?:ão|ões)"
    r"|prop(?:õe|us)\w*|suger\w+|seriam?|fossem?|poderiam?|podem?|deveriam?|teriam?|tivessem?|caso"
    r"|(?<!-)se (?:[oa]s?|for|forem|houver))\b",
    re.IGNORECASE,
)
"""What is told with it was not done, unless it says how it was decided."""
_NEAR = 120
"""Characters before a value in which the words are looked for that say what it is: longer than any pattern."""


PlacedT = TypeVar("PlacedT", bound=Placed)


def former(reading: Reading, values: Sequence[PlacedT]) -> list[PlacedT]:
    """Those of ``values``, in their order in the text, that were so before: another one has taken their place, which
    stands behind it ("raised from 7 to 14") or before it ("14 days, raised from 7")."""
    gone = [one for one, following in pairwise(values) if _gives_way(reading, one, following)]
    gone += [one for _, one in pairwise(values) if one not in gone and stands_behind(reading, one, _CHANGED_FROM)]
    return gone if gone and _is_done(reading) else []


def stands_behind(reading: Reading, one: Placed, words: re.Pattern[str]) -> bool:
    """Whether ``words``, a pattern with an end, are found right before ``one``."""
    return words.search(reading.text, max(0, one.start - _NEAR), one.start) is not None


def _gives_way(reading: Reading, one: Placed, following: Placed) -> bool:
    return bool(_TO.fullmatch(reading.text, one.end, following.start)) and stands_behind(reading, one, _CHANGED_FROM)


def _is_done(reading: Reading) -> bool:
    """Whether a change was made: not denied, not rejected, and not only proposed."""
    if reading.negative or turns(reading):
        return False
    return is_decided(reading) or not _SUGGESTED.search(reading.text)


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
    was = any(stands_behind(reading, amount, _WAS) for amount in reading.quantities)
    return tells_change(reading) or was or any(date.scope or not date.month for date in reading.dates)
