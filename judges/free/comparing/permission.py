"""Permission: whether a sentence says that something may be done, and not only that it may happen.

"May" means both. What happens by itself ("may cause", "may not be safe") is a possibility; the rest is read as leave
to do it, or as its denial.
"""

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
