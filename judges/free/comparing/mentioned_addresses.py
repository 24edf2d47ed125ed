"""Where somebody or something is reached, as a sentence tells it: by mail, by phone, on the web, in a channel."""

import re

from calibrant.judges.free.comparing.mentions import Mention, MentionKind, with_labels
from calibrant.judges.free.comparing.reading import Reading

_ADDRESS = re.compile(
    r"(?<![\w.+-])[\w.+-]{1,64}@[\w-]+(?:\.[\w-]+)+"
    r"|\b(?:https?://|www\.)[^\s<>()\"'`]{0,300}[^\W_]"
    r"|(?<![\w.])\d{1,3}(?:\.\d{1,3}){3}(?![\w.]?\w)"
    r"|(?<![\w&/])#[^\W\d_][\w-]+",
)
_PHONE = re.compile(r"(?<![\w.,/-])\(?\+?\d[\d ()/-]{5,24}\d(?![\w.,/-]?\d)")
_SCHEME = re.compile(r"https?://|www\.", re.IGNORECASE)


def _mentioned(reading: Reading, pattern: re.Pattern[str]) -> list[Mention[frozenset[str]]]:
    days = {day.start for day in reading.dates}
    found = (one for one in pattern.finditer(reading.text) if one.start() not in days)
    return with_labels(reading, [Mention(frozenset({_plain(one.group())}), *one.span()) for one in found])


def _plain(address: str) -> str:
    """An address as it is compared: without what a browser adds; of a phone number its digits."""
    bare = _SCHEME.sub("", address).lower()
    return bare if any(char.isalpha() or char == "." for char in bare) else re.sub(r"\D", "", bare)


def _are_one(one: frozenset[str], other: frozenset[str]) -> bool:
    """Whether one address is the other, or a part of it: a phone number without its country, a page of a site."""
    (mine,), (theirs,) = one, other
    return mine in theirs or theirs in mine


ADDRESS = MentionKind("answer", lambda reading: _mentioned(reading, _ADDRESS), _are_one)
PHONE = MentionKind("answer", lambda reading: _mentioned(reading, _PHONE), _are_one)
