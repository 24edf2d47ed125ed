"""Dates, days of the week and versions that a sentence tells, and which two of them can both be right."""

import re
from collections.abc import Sequence
from itertools import pairwise

from calibrant.judges.free.comparing.clashes import same_day
from calibrant.judges.free.comparing.mentioned_names import same_names
from calibrant.judges.free.comparing.mentions import Mention, MentionKind, with_labels
from calibrant.judges.free.comparing.reading import Reading
from calibrant.judges.free.words.dates import Date
from calibrant.judges.free.words.text import STOP_WORDS, Token, tokens
from calibrant.judges.free.words.units import WEEKDAYS
from calibrant.state.task import Language

_YEARS_ON = re.compile(r"[-–—/]\d")
"""Behind a year: it names a span of them (2017-18)."""
_COUNTED_FROM = re.compile(
    r"\b(?:days?|weeks?|months?|years?|dias?|semanas?|mês|meses|anos?)\s+"
    r"(?:before|after|prior to|antes d[eo]|depois d[eo]|após)\s+(?:the\s+|o\s+)?(?:dia\s+)?$",
    re.IGNORECASE,
)
"""Before a date that time is counted from: it is not what is told."""
_ORDINAL_DAYS = frozenset({"segunda", "quarta", "quinta", "sexta"})
_FEIRA = re.compile(r"-feiras?\b", re.IGNORECASE)
_OF_MONTH = re.compile(r"\b(\d{1,2})(?:st|nd|rd|th)(?: day)? of (?:the|each|every|a) month\b", re.IGNORECASE)
_NEWER = re.compile(
    r"\+|,? (?:or|and) (?:a(?:ny)? )?(?:everything )?(?:newer|later|above|higher|up|upwards|onwards|greater)\b"
    r"|,? (?:ou|e) (?:superior|mais recente|posterior)\w*",
    re.IGNORECASE,
)
_AT_LEAST = re.compile(
    r"(?:\b(?i:at least|minimum(?: of)?|from|no mínimo|pelo menos|a partir d[ao])|>=|≥)\s*(?:[A-Z][\w+#]*\s+)?"
    r"(?i:version\s+|versão\s+)?v?$"
)
_CHANGES = tuple(
    re.compile(rf"\b(?:{words})\b", re.IGNORECASE)
    for words in (
        r"add(?:s|ed|ition)?|introduc\w+|new|appear(?:s|ed)|available|ha(?:s|ve) been|adicion\w+|acrescent\w+"
        r"|introduz\w+|nov[oa]s?|disponíve\w+",
        r"remov\w+|drop(?:s|ped)?|delet\w+|retir\w+|elimin\w+",
        r"deprecat\w+|obsolet\w+|descontinu\w+",
        r"fix(?:es|ed)?|repair\w*|resolv\w+|correct(?:s|ed)|corrig\w+",
        r"chang\w+|renam\w+|alter(?:a|ou|ad)\w*|mud(?:a|ou|ad)\w*|renome\w+",
    )
)
"""Words for what a version brings: what is added, removed, given up, repaired, changed."""
_REACH = 40
"""Characters before a version in which such words stand."""
_AND_UP = "+"
"""Beside a version: that one or a newer one."""


def tells_of_change(question: str, text: str) -> bool:
    """Whether ``text`` tells of the very change of which a question asks the version: that it was added, and not that
    it was removed. So does any text where the question names no change."""
    asked = [kind for kind in _CHANGES if kind.search(question)]
    return not asked or any(kind.search(text) for kind in asked)


def _find_dates(reading: Reading) -> list[Mention[Date]]:
    dates = (
        one
        for one in reading.dates
        if not _YEARS_ON.match(reading.text, one.end) and not _COUNTED_FROM.search(reading.text, 0, one.start)
    )
    return with_labels(reading, [Mention(one, one.start, one.end) for one in dates], by_verb=True)


def _same_date(one: Date, other: Date) -> bool | None:
    """A year and a day, or a day of some year, may go together."""
    if bool(one.month) is not bool(other.month):
        return None
    return same_day(one, other) if any(a and b for a, b in zip(one.ymd, other.ymd, strict=True)) else None


def _find_days(reading: Reading) -> list[Mention[frozenset[str]]]:
    """Days of the week."""
    words = [*tokens(reading.text), None]
    found = [one for one, following in pairwise(words) if one and _is_day(reading, one, following)]
    mentions = [Mention(frozenset({one.word.rstrip("s")}), one.start, _end_of_day(reading, one)) for one in found]
    return with_labels(reading, mentions, by_verb=True)


def _find_days_of_month(reading: Reading) -> list[Mention[frozenset[str]]]:
    """The days on which something is in each month: the 5th of the month."""
    found = _OF_MONTH.finditer(reading.text)
    return with_labels(reading, [Mention(frozenset({one[1]}), *one.span()) for one in found], by_verb=True)


def _is_day(reading: Reading, one: Token, following: Token | None) -> bool:
    """Whether a word names a day. Before a noun, "segunda" is the second of several."""
    name = one.word.rstrip("s")
    if name not in _ORDINAL_DAYS or following is None or _end_of_day(reading, one) > one.end:
        return name in WEEKDAYS
    is_beside = reading.text[one.end : following.start] == " " and following.word.isalpha()
    return not is_beside or following.word in STOP_WORDS[Language.PORTUGUESE]


def _end_of_day(reading: Reading, day: Token) -> int:
    match = _FEIRA.match(reading.text, day.end)
    return match.end() if match else day.end


def _find_versions(reading: Reading) -> list[Mention[frozenset[str]]]:
    """Version numbers, each a whole word of the text."""
    words = tokens(reading.text)
    found = [(name, next(one for one in words if one.end > start)) for name, start in reading.versions]
    named = [(frozenset({name, *_or_newer(reading.text, word)}), word) for name, word in found]
    return with_labels(reading, [Mention(value, word.start, word.end) for value, word in named])


def _or_newer(text: str, word: Token) -> tuple[str, ...]:
    """The mark of a version that is only the oldest of those that are meant."""
    is_least = _NEWER.match(text, word.end) or _AT_LEAST.search(text, max(0, word.start - _REACH), word.start)
    return (_AND_UP,) if is_least else ()


def _same_version(one: frozenset[str], other: frozenset[str]) -> bool | None:
    """Whether two versions go together, as far as both go: 3.8 and 3.8.1 do."""
    mine, theirs = (next(iter(side - {_AND_UP})).split(".") for side in (one, other))
    is_one = all(a == b for a, b in zip(mine, theirs, strict=False))
    if (_AND_UP in one) is (_AND_UP in other):
        return is_one
    least, exact = (mine, theirs) if _AND_UP in one else (theirs, mine)
    return None if is_one or _number_of(exact) > _number_of(least) else False


def _number_of(version: Sequence[str]) -> tuple[int, ...]:
    return tuple(int(part) if part.isdecimal() else 0 for part in version)


VERSION = MentionKind("version", _find_versions, _same_version)
DATE = MentionKind("date", _find_dates, _same_date)
DAY_OF_MONTH = MentionKind("date", _find_days_of_month, same_names)
DAY = MentionKind("value", _find_days, same_names)
