"""What is not so yet, or no more: an outlook on a future version says nothing against how things are now, nor does a
proposal or a plan, nor what used to be."""

import re

from calibrant.judges.free.comparing.alignment import Alignment
from calibrant.judges.free.comparing.reading import read

_OUTLOOK = re.compile(
    r"\b(?:future|upcoming|subsequent|next(?: (?:major|minor))?) (?:major |minor )?(?:versions?|releases?)\b"
    r"|\bin (?:the )?(?:near |not too distant )?future\b"
    r"|\b(?:propos(?:e|es|ed|ing)|there (?:is|was) a proposal) to (?!(?:her|him|me|them|us|you|the|an?)\b)\w+"
    r"|\b(?:propõem?|propôs|propuseram|há uma proposta de) \w+[aei]r\b"
    r"|\b(?:may|might|could) (?:\w+ ){1,6}?(?:eventually|one day|some ?day|at some point)\b"
    r"|\b(?:versões|versão|lançamentos?) (?:futur[ao]s?|seguintes?|posterior(?:es)?)\b"
    r"|\b(?:futur[ao]s?|próxim[ao]s?) (?:versões|versão|lançamentos?)\b|\b(?:no|num|em um) futuro\b|\bfuturamente\b"
    r"|\b(?:pode(?:m|rá|rão|riam?)?) (?:\w+ ){1,6}?(?:(?:algum|um) dia|eventualmente|em algum momento|mais adiante)\b",
    re.IGNORECASE,
)
_GONE = re.compile(
    r"\b(?:(?<!is )(?<!are )(?<!be )used to (?:be|have)|formerly|previously|in the past|in former (?:times|years)"
    r"|antigamente|outrora|anteriormente|no passado|costumavam?|em tempos)\b",
    re.IGNORECASE,
)
_NOW = re.compile(r"\b(?:now|today|nowadays|currently|since|meanwhile|agora|hoje|atualmente|desde)\b", re.IGNORECASE)
"""Beside it: what is so now is told as well."""
_AHEAD = re.compile(
    r"\b(?:will|shall|is to|are to|going to|plan(?:s|ned)? to|vai|vão|irá|irão"
    r"|(?:discuss|consider|propos|suggest|debat|recommend)(?:e?s|ed|ing)?(?= \w+ing\b)"
    r"|(?:discut|propõ|propôs|suger|consider|ponder|recomend)\w*(?= \w+[aei]r\b))\b",
    re.IGNORECASE,
)
"""Words for what is not yet so, and may never be."""
_SOON = 12
"""Characters between such words and the verb."""
_PAST = re.compile(r"\w+(?:ed|ou|iu|eu)$")


_UNTIL = re.compile(r"\b(?:until|till|up to|through|before|até|antes de)(?: the)?\s+$", re.IGNORECASE)
_FROM = re.compile(r"\b(?:from|since|as of|after|starting(?: on)?|a partir de|desde|após)(?: the)?\s+$", re.IGNORECASE)
_NEAR = 24
"""Characters before a date in which such words stand."""


def are_of_two_times(first: str, second: str) -> bool:
    """Whether one of two texts speaks of what may be later, or of nothing but what was once, and the other does not, or
    the one of a time that ends where the other's begins: both may be right."""
    ahead, past = ([bool(told(text)) for text in (first, second)] for told in (_OUTLOOK.search, is_of_the_past))
    follows = _follows(first, second) or _follows(second, first)
    return ahead[0] is not ahead[1] or past[0] is not past[1] or follows


def _follows(text: str, other: str) -> bool:
    """Whether ``other`` tells from when something holds, and ``text`` of what holds until then, or until before."""
    ends, begins = _days_behind(_UNTIL, text), _days_behind(_FROM, other)
    return bool(ends and begins) and max(ends) <= min(begins)


def _days_behind(word: re.Pattern[str], text: str) -> list[tuple[int, int, int]]:
    dates = (date for date in read(text).dates if date.year)
    return [date.ymd for date in dates if word.search(text, max(0, date.start - _NEAR), date.start)]


def is_of_the_past(text: str) -> bool:
    """Whether a text tells of nothing but what was once."""
    return bool(_GONE.search(text)) and not _NOW.search(text)


def is_announced(alignment: Alignment) -> bool:
    """Whether the second sentence says that something will be, or that somebody thinks of it, which the first one tells
    as done."""
    ahead = [found.end() for found in _AHEAD.finditer(alignment.second.text)]
    if not ahead or _AHEAD.search(alignment.first.text):
        return False
    return any(
        _PAST.match(one.low) and any(0 <= other.start - end <= _SOON for end in ahead) for one, other in alignment.pairs
    )
