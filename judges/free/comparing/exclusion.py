"""Where two sentences fill one place with what excludes each other: red and green, near and far."""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from calibrant.judges.free.comparing.alignment import Alignment
from calibrant.judges.free.comparing.content import ARTICLES, Word
from calibrant.judges.free.comparing.frame import governor_of
from calibrant.judges.free.comparing.reading import Reading
from calibrant.judges.free.words.claim_words import MANY_VALUED
from calibrant.judges.free.words.opposites import (
    LONGEST_NAME,
    are_exclusive,
    are_opposite,
    classes_of,
    names_member,
    roots,
)
from calibrant.judges.free.words.text import Token, tokens
from calibrant.state.task import Language

Run = tuple[Word, ...]
"""Neighbouring words that name one thing."""
NEAR = 3
"""Words before a value that may say that others hold beside it."""
_LONGEST_SWAP = 4
"""Words that may be exchanged: "in front of", "far away from"."""


@dataclass(frozen=True)
class Swap:
    """The one stretch in which two sentences differ, word for word; everything else is the same."""

    first: tuple[Token, ...]
    second: tuple[Token, ...]
    before: tuple[str, ...]
    """The words before it, without articles."""
    places: tuple[int, int]
    """Where it begins among the words of each sentence."""

    def takes_many(self, language: Language) -> bool:
        """Whether words just before it say that more than one value may hold: supports English, supports Spanish."""
        return not MANY_VALUED[language].isdisjoint(self.before[-NEAR:])


def one_swap(first: Reading, second: Reading) -> Swap | None:
    """Where two sentences are the same but for one stretch of a few words; None where they differ more."""
    one, other = _bare(first.text), _bare(second.text)
    if abs(len(one) - len(other)) >= _LONGEST_SWAP:
        return None
    head = _same_start(one, other)
    tail = _same_start(one[head:][::-1], other[head:][::-1])
    left, right = one[head : len(one) - tail], other[head : len(other) - tail]
    if not (0 < len(left) <= _LONGEST_SWAP and 0 < len(right) <= _LONGEST_SWAP):
        return None
    places = tokens(first.text).index(left[0]), tokens(second.text).index(right[0])
    return Swap(tuple(left), tuple(right), tuple(token.word for token in one[:head]), places)


def _bare(text: str) -> list[Token]:
    return [token for token in tokens(text) if token.word not in ARTICLES]


def _same_start(one: Sequence[Token], other: Sequence[Token]) -> int:
    """How many words two sentences have in common from their beginning."""
    pairs = enumerate(zip(one, other, strict=False))
    return next((at for at, (a, b) in pairs if a.word != b.word), min(len(one), len(other)))


def swap_kind(swap: Swap, language: Language) -> Literal["class", "antonym"] | None:
    """``class`` where the two stretches name members of one class, ``antonym`` for opposites, else None."""
    one, other = (roots((token.word for token in side), language) for side in (swap.first, swap.second))
    if are_exclusive(one, other, language):
        return "class"
    opposite = sum(are_opposite(a, b, language) for a in one.split() for b in other.split())
    return "antonym" if opposite % 2 else None


def exclusive_members(alignment: Alignment) -> Iterator[tuple[Run, Run]]:
    """Pairs of names of one class that exclude each other, governed alike; each has a word without a match."""
    language = alignment.first.language
    if not all(any(names_member(word.stem, language) for word in words) for words in alignment.unmatched):
        return
    first, second = _named(alignment.first, alignment.only_first), _named(alignment.second, alignment.only_second)
    for one in first:
        for other in second:
            if governor_of(one[0]) == governor_of(other[0]) and are_exclusive(_name(one), _name(other), language):
                yield one, other


def _name(run: Run) -> str:
    return " ".join(word.stem for word in run)


def _named(reading: Reading, unmatched: Collection[Word]) -> list[Run]:
    """The class members that a sentence names, the longest first: "North Korea" before "Korea"."""
    found: list[Run] = []
    at = 0
    while at < len(reading.words):
        run = next((run for run in _runs(reading.words, at) if classes_of(_name(run), reading.language)), ())
        if any(word in unmatched for word in run):
            found.append(run)
        at += max(1, len(run))
    return found


def _runs(words: tuple[Word, ...], at: int) -> Iterator[Run]:
    """The runs of neighbours that start at ``at``, longest first."""
    for length in range(LONGEST_NAME, 0, -1):
        run = words[at : at + length]
        if len(run) == length and run[-1].place - run[0].place < length + (length > 1):
            yield run  # one function word may stand between: Coreia do Norte
