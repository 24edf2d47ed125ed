"""Permission and duty: whether a sentence says that something may be done, and not only that it may happen, and whether
it says that it has to be done.

"May" means both. What happens by itself ("may cause", "may not be safe") is a possibility; the rest is read as leave
to do it, or as its denial.
"""

import re
from collections.abc import Set

from calibrant.judges.free.comparing.content import Word
from calibrant.judges.free.comparing.reading import Reading
from calibrant.judges.free.words.claim_words import HAPPENING, LEAVE, stemmed
from calibrant.judges.free.words.lists import word_set
from calibrant.judges.free.words.text import tokens
from calibrant.state.task import Language

_BETWEEN = {
    Language.ENGLISH: word_set("to not no longer never also only still"),
    Language.PORTUGUESE: word_set("a para se também já ainda só"),
}
_GRANTS = word_set("permissão autorização direito")
"""What one has who may: "têm permissão para"."""
_BE = frozenset(["be", "ser"])
_PARTICIPLE = ("ed", "en", "do", "da", "dos", "das")
_ASKS_DUTY = re.compile(
    r"\W*(?:(?:should|must|ought)\b|(?:do|does) (?:\w+ ){1,3}(?:need|have) to\b"
    r"|is it (?:necessary|required|mandatory)\b|(?:dev(?:o|e|emos|em)|precis(?:o|a|amos|am)"
    r"|(?:tenho|tem|temos|têm) (?:de|que)|é (?:preciso|necessário|obrigatório))\b)",
    re.IGNORECASE,
)
_TELLS_DUTY = re.compile(
    r"\W*(?:yes|sim)\b|\b(?:should|must|ought|shall|need(?:s|ed)?|ha(?:s|ve|d) to|requir\w+|necessary|mandatory"
    r"|obligatory|compulsory|recommend\w*|advis\w+|better|dev(?:e|em|erá|erão|eria|eriam)|precis(?:a|am)"
    r"|(?:tem|têm) (?:de|que)|necessári\w+|obrigatóri\w+|recomend\w+|aconselh\w+)\b",
    re.IGNORECASE,
)


def is_permitted(word: Word, reading: Reading) -> bool:
    """Whether ``word`` is an act that the sentence gives or denies leave for: may book, may not be taken on board."""
    before = [token.word for token in tokens(reading.text)[: word.place]]
    between = _BETWEEN[reading.language]
    _drop(before, between)
    if word.low.endswith(_PARTICIPLE):
        _drop(before, between | _BE)
    leave = bool(before) and before[-1] in LEAVE[reading.language] | _GRANTS
    return leave and word.stem not in stemmed(HAPPENING[reading.language], reading.language)


def _drop(words: list[str], skipped: frozenset[str]) -> None:
    """Take ``skipped`` off the end of ``words``."""
    while words and words[-1] in skipped:
        words.pop()


def asks_duty(question: str) -> bool:
    """Whether a question asks if something has to be done: "Should I stop the mill first?"."""
    return _ASKS_DUTY.match(question) is not None


def tells_duty(reading: Reading, asked: Set[str]) -> bool:
    """Whether a sentence says that something has to be done, or tells to do it in a word that was ``asked`` ("Stop the
    mill first."): that stopping the mill takes an hour does not."""
    first = reading.words[0] if reading.words else None
    is_order = first is not None and first.place == 0 and first.low in asked
    return is_order or _TELLS_DUTY.search(reading.text) is not None
