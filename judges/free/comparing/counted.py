"""Numbers that count what their sentence lists: "three reasons: volume, replay, skills"."""

import re
from collections.abc import Sequence

from calibrant.judges.free.words.numbers import CLOCK, Number
from calibrant.judges.free.words.text import STOP_WORDS, language_of
from calibrant.judges.free.words.units import UNITS

_LIST = re.compile(r"(?P<of>(?:[ -][^\W\d_]+){0,6}):\s+(?P<things>[^\n]+?)(?=[.!?](?:\s|\Z)|\n|\Z)")
"""What is counted, and behind a colon the things themselves."""
_ASIDE = re.compile(r"\([^()]*\)")
_COMMA = re.compile(r",(?!\d)")
_AND = re.compile(r"\s(?:and|or|e|ou)\s", re.IGNORECASE)
"""Joins the last thing of a list to the others, or stands behind a comma at its beginning."""
_WORD_BEFORE = re.compile(r"(\w+) \Z")


def counts_what_follows(text: str, number: Number, own: Sequence[Number]) -> bool:
    """Whether ``number``, one of the ``own`` of ``text``, says how many things are listed behind a colon. An amount
    does not, nor what follows a name: three euros, Release 3."""
    found = _LIST.match(text, number.end)
    if found is None or number.value <= 1 or number.unit in UNITS or number.unit == CLOCK:
        return False
    has_another = any(number.start < one.start < found.end("of") for one in own)
    of = found["of"].split()
    in_words = text[number.start : number.end].isalpha()  # "one of four:", but not "it closes at 4:"
    is_plural = any(word.endswith("s") for word in of) if of else in_words
    return is_plural and not has_another and not _is_named(text, number) and number.value == _listed(found["things"])


def _is_named(text: str, number: Number) -> bool:
    """Whether a number in digits stands behind a word of content, of which it may be the name."""
    before = _WORD_BEFORE.search(text[: number.start])
    is_written = text[number.start].isdigit()
    return before is not None and is_written and before[1].lower() not in STOP_WORDS[language_of(text)]


def _listed(things: str) -> int:
    """How many things a list names: apart by semicolons, else by commas and an "and"."""
    plain = _ASIDE.sub("", things)
    if ";" in plain:
        return len([thing for thing in plain.split(";") if thing.strip()])
    named = [thing for thing in _COMMA.split(plain) if thing.strip()]
    last = f" {named[-1].strip()}" if named else ""
    return len(named) + (_AND.search(last) is not None and _AND.match(last) is None)
