"""A sentence as a comparison reads it: words with roles, quantities, dates, names, negation and force."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from typing import Protocol

from calibrant.judges.free.comparing.amounts import Quantity, quantities
from calibrant.judges.free.comparing.content import Word, is_pronoun, negates, word_at, words_with_roles
from calibrant.judges.free.words.claim_words import CONDITIONS, FORCE, PLAIN_FORCE
from calibrant.judges.free.words.dates import Date, dates_in, versions_in
from calibrant.judges.free.words.lists import word_set
from calibrant.judges.free.words.numbers import numbers
from calibrant.judges.free.words.taken import Taken
from calibrant.judges.free.words.text import Token, language_of, tokens
from calibrant.state.task import Language

_DETERMINERS = word_set(
    "some few many most all every each any alguns algumas poucos muitos muitas todos todas todo toda cada"
)
_OPENING = 3
_PRONOUNS = word_set("it he she they this that these those ele ela eles elas isso isto este esta")


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


@dataclass(frozen=True)
class Reading:
    """A sentence, read once. ``force`` is how much it claims (``claim_words.FORCE``)."""

    text: str
    language: Language
    words: tuple[Word, ...]
    stems: frozenset[str]
    quantities: tuple[Quantity, ...]
    dates: tuple[Date, ...]
    versions: tuple[tuple[str, int], ...]
    force: int
    negative: bool
    conditional: bool
    lowered: frozenset[str]

    @property
    def names(self) -> frozenset[str]:
        return frozenset(word.stem for word in self.words if word.name)

    def said(self, part: Placed) -> str:
        """The words of a part of it, as they stand there."""
        return self.text[part.start : part.end]


def read(text: str, language: Language | None = None) -> Reading:
    """What a comparison needs to know of one sentence."""
    return _read(text, language or language_of(text))


@lru_cache(maxsize=8_000)
def _read(text: str, language: Language) -> Reading:
    found = tokens(text)
    dates = dates_in(text, language)
    taken = Taken(text)
    for date in dates:
        taken.take(date.start, date.end)
    undated = [token for token in found if token.start not in taken]  # the month of May limits nothing
    is_portuguese = language is Language.PORTUGUESE  # 15.03.2026 is a date there, and no version
    versions = tuple(one for one in versions_in(text, language) if not (is_portuguese and one[1] in taken))
    for name, start in versions:
        taken.take(start, start + len(name))
    amounts = quantities(text, found, language, taken)
    for amount in amounts:
        taken.take(amount.start, amount.end)
    content = words_with_roles(text, found, language, taken)
    lowered = lowered_words(text, language)
    return Reading(
        text=text, language=language, words=content, stems=frozenset(word.stem for word in content),
        quantities=amounts, dates=dates, versions=versions, force=_force(undated, language),
        negative=any(negates(text, found, place, language) for place in range(len(found))),
        conditional=bool(lowered & CONDITIONS[language]), lowered=lowered,
    )  # fmt: skip


@lru_cache(maxsize=8_000)
def lowered_words(text: str, language: Language) -> frozenset[str]:
    """The words of a text. In Portuguese also each two neighbours ("até que"), but neither a "se" that is a pronoun
    ("aplica-se") nor a "durante" that tells how long: those open no condition."""
    found = tokens(text)
    if language is not Language.PORTUGUESE:
        return frozenset(token.word for token in found)
    said = [
        token.word
        for place, token in enumerate(found)
        if not is_pronoun(text, found, place) and not _is_for_how_long(found, place)
    ]
    return frozenset((*said, *_neighbours(said)))


def _is_for_how_long(found: tuple[Token, ...], place: int) -> bool:
    """Whether a Portuguese "during" tells for how long: "durante 30 dias" is no condition."""
    return found[place].word == "durante" and bool(numbers(word_at(found, place + 1), Language.PORTUGUESE))


def _neighbours(words: Sequence[str]) -> list[str]:
    return [f"{one} {other}" for one, other in pairwise(words)]


def _force(found: Sequence[Token], language: Language) -> int:
    """The force of the weakest word that limits the sentence, else of the strongest that widens it."""
    # A determiner says how far the sentence reaches only before its subject: "some users", not "across some trees".
    told = [token.word for place, token in enumerate(found) if token.word not in _DETERMINERS or place < _OPENING]
    told += _neighbours([token.word for token in found])
    levels = [FORCE[language][word] for word in told if word in FORCE[language]]
    weak = [level for level in levels if level < PLAIN_FORCE]
    return min(weak) if weak else max(levels, default=PLAIN_FORCE)


def opens_with_pronoun(text: str) -> bool:
    """Whether only what stands before tells what a sentence is about."""
    words = text.split(maxsplit=1)
    return bool(words) and words[0].lower() in _PRONOUNS
