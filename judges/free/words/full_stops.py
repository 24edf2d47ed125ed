"""Where one sentence of prose ends and the next begins: at a full stop that is no abbreviation's."""

import re
from collections.abc import Iterator

from calibrant.judges.free.words.lists import ABBREVIATIONS, ANY_STOP_WORD, word_set

_STOP = re.compile(r"(?<![.!?…])[.!?…]++(?:\[\^?[\w-]{1,20}\])*+[\"'”’»)\]*_`]*+(?=\s)")
"""The mark of a note may stand behind it: "open.[1]", "open.[^note]"."""
_NEXT = re.compile(r"\s+[\"'“‘«(\[*_`¿¡]*(?=[A-ZÀ-Þ\d]|\w*(?:[_(`]|\w\.\w))(?P<word>\w*)")
_REPLY = re.compile(r"\W*(?:(?:A|Answer|R|Resposta):\s*)?(?:yes|no|sim|não)", re.IGNORECASE)
_DEFAULT = re.compile(
    r"[\s(\[\"'“*_`]*(?:(?:the )?defaults?(?: value| setting)?(?:\s*[:=]|\s+(?:is|are|was|to)\b|\s+[\"'“*_`\d])"
    r"|(?:o )?(?:valor )?(?:padrão|predefinido|default)(?:\s*[:=]|\s+(?:é|são|era)\b|\s+[\"'“*_`\d]))",
    re.IGNORECASE,
)
"""What tells the default of the thing that the sentence before is about, without its name: "The default is 600."."""
_OWNED = 400
"""Characters of a sentence at most that its default is told with."""
_MAY_END = word_set("a.m p.m inc ltd co corp jr al no ft st min")
"""Abbreviations with which a sentence may end: one does where a function word with a capital follows."""
_INITIALS = re.compile(r"[A-ZÀ-Þ]|\w(?:\.\w)+")
_GERMAN_DAY = re.compile(r"(?:am|vom|zum|bis|ab|seit|de[mnr]|und)\s+\d{1,2}$", re.IGNORECASE)
_GERMAN_MONTHS = word_set("januar februar märz mai juni juli oktober dezember")
_COMMON_MONTHS = word_set("april august september november")
"""Those that English has too."""


def cuts(text: str, start: int, end: int) -> Iterator[int]:
    """The places between ``start`` and ``end`` where one sentence ends and another begins."""
    last = seen = start
    for match in _STOP.finditer(text, start, end):
        before, seen = text[seen : match.start()], match.end()  # each begins with the whitespace after a full stop
        following = _NEXT.match(text, match.end(), end)
        if following and _REPLY.fullmatch(text, last, match.start()):
            continue  # a bare yes or no goes with its reason
        if following and match.start() - last <= _OWNED and _DEFAULT.match(text, match.end(), end):
            continue  # a default goes with what it is the default of
        if following and not _is_abbreviation(before, match.group(), _opener(text, following)):
            yield match.end()
            last = match.end()


def _opener(text: str, following: re.Match[str]) -> str:
    """The word that follows a full stop, lowercase; with its own full stop where it is another initial (W. E. B.)."""
    word = following["word"]
    is_initial = len(word) == 1 and text.startswith(".", following.end("word"))
    return f"{word.lower()}." if is_initial else word.lower()


def _is_abbreviation(before: str, stop: str, following: str) -> bool:
    """Whether the full stop belongs to the word before it. ``following`` is the next word, lowercase."""
    if not stop.startswith(".") or stop.startswith(".."):
        return False
    last = re.split(r"[\s(\[“\"'`*]", before)[-1]
    if _is_german_day(before, last, following):
        return True
    if last.lower() in _MAY_END and following in ANY_STOP_WORD:
        return False
    if last.lower() in ABBREVIATIONS or (len(last) == 1 and last.islower() and following[:1].isdigit()):
        return True  # the second: united c. 3000 BC, p. 12
    # Initials and letter abbreviations (J. Smith, U.S. Army), but not the end of a sentence (vitamin C. It ...).
    return bool(_INITIALS.fullmatch(last)) and following not in ANY_STOP_WORD


def _is_german_day(before: str, last: str, following: str) -> bool:
    """Whether the full stop makes a number the day of a month: am 3. Juli."""
    is_day = last.isdigit() and len(last) <= 2
    return is_day and (
        following in _GERMAN_MONTHS or (following in _COMMON_MONTHS and bool(_GERMAN_DAY.search(before)))
    )
