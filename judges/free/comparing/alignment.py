"""How the words of two sentences match: literally, as synonyms, and by token vectors where an encoder is given.

Token alignment follows late interaction (Khattab & Zaharia, ColBERT, 2020): each word takes its best match on the other
side. A name never matches another name by meaning: "Go" is close to "Rust" and yet not the same.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from calibrant.judges.free.comparing.content import Word
from calibrant.judges.free.comparing.reading import Reading
from calibrant.judges.free.words.opposites import (
    are_exclusive,
    are_opposite,
    are_synonyms,
    negates_by_prefix,
    telling_stems,
)
from calibrant.state.protocols import TokenEncoder, TokenVectors
from calibrant.state.task import Language

Floats = NDArray[np.float32]
Vectors = Mapping[tuple[str, Language], Floats]
"""Text and the language it was read in -> one row per content word of that reading."""
Same = Callable[[Word, Word], bool]

_SAME_MEANING = 0.72
"""Cosine of two word vectors in context from which they count as one word. High: words of one kind stand close too."""
NAME_WEIGHT = 2.0
"""A name tells more about what a sentence is about than a common word."""


@dataclass(frozen=True)
class Alignment:
    """The words of two readings: those that match, and those that only one side has."""

    first: Reading
    second: Reading
    pairs: tuple[tuple[Word, Word], ...]
    only_first: tuple[Word, ...]
    only_second: tuple[Word, ...]

    @property
    def shared(self) -> float:
        """The weight of the words that match."""
        return weight(one if one.name else other for one, other in self.pairs)

    @property
    def cover_first(self) -> float:
        """The share of the first sentence that the second one has, by weight."""
        return share(self.shared, weight(self.only_first))

    @property
    def cover_second(self) -> float:
        return share(self.shared, weight(self.only_second))

    @property
    def least_cover(self) -> float:
        """The share of each sentence that the other one has, the smaller of the two."""
        return min(self.cover_first, self.cover_second)

    @property
    def sides(self) -> tuple[Reading, Reading]:
        return self.first, self.second

    @property
    def unmatched(self) -> tuple[tuple[Word, ...], tuple[Word, ...]]:
        return self.only_first, self.only_second

    @property
    def shares_name(self) -> bool:
        return any(one.name or other.name for one, other in self.pairs)


def weight(words: Iterable[Word]) -> float:
    """How much words tell: names twice as much."""
    return sum(NAME_WEIGHT if word.name else 1.0 for word in words)


def share(part: float, rest: float) -> float:
    """``part`` of ``part + rest``; 0 when both are nothing."""
    return part / (part + rest) if part + rest > 0.0 else 0.0


def align(first: Reading, second: Reading, vectors: Vectors | None = None) -> Alignment:
    """Match the content words of two sentences, one to one, surest matches first."""
    left, right = list(first.words), list(second.words)
    pairs = _matched(left, right, list(left), _literal)
    known = telling_stems(first.language)
    listed = [word for word in left if word.stem in known]
    pairs += _matched(left, right, listed, lambda one, other: are_synonyms(one.stem, other.stem, first.language))
    if vectors is not None:
        pairs += _similar(first, second, left, right, vectors)
    # A match by meaning can pair a word with its later repetition: a repetition says nothing new.
    held_first, held_second = {word.stem for word, _ in pairs}, {word.stem for _, word in pairs}
    return Alignment(
        first,
        second,
        tuple(pairs),
        tuple(word for word in left if word.stem not in held_first),
        tuple(word for word in right if word.stem not in held_second),
    )


def _matched(left: list[Word], right: list[Word], tried: list[Word], same: Same) -> list[tuple[Word, Word]]:
    """Take the pairs that ``same`` accepts out of both lists; ``tried`` are the words of ``left`` that can have one."""
    pairs = []
    for word in tried:
        other = next((candidate for candidate in right if same(word, candidate)), None)
        if other is not None:
            left.remove(word)
            right.remove(other)
            pairs.append((word, other))
    return pairs


def _literal(one: Word, other: Word) -> bool:
    """The same stem, or an identifier and its parts (``maxRetries`` and "max retries")."""
    return one.stem == other.stem or one.low in other.parts or other.low in one.parts


def _similar(
    first: Reading, second: Reading, left: list[Word], right: list[Word], vectors: Vectors
) -> list[tuple[Word, Word]]:
    """Pairs of common words that mean the same in their contexts. Opposites stand close too: they are no match."""
    if not left or not right:
        return []
    near = _rows(first, left, vectors) @ _rows(second, right, vectors).T
    pairs: list[tuple[Word, Word]] = []
    for i, j in zip(*np.unravel_index(np.argsort(-near, axis=None), near.shape), strict=True):
        one, other = left[i], right[j]
        if near[i, j] < _SAME_MEANING:
            break
        taken = any(one is a or other is b for a, b in pairs)
        if not taken and not one.name and not other.name and not _apart(one, other, first):
            pairs.append((one, other))
    for one, other in pairs:
        left.remove(one)
        right.remove(other)
    return pairs


def _apart(one: Word, other: Word, reading: Reading) -> bool:
    stems = one.stem, other.stem, reading.language
    return negates_by_prefix(one.low, other.low) or are_opposite(*stems) or are_exclusive(*stems)


def _rows(reading: Reading, words: Sequence[Word], vectors: Vectors) -> Floats:
    places = {word.place: row for row, word in enumerate(reading.words)}
    held: Floats = vectors[reading.text, reading.language][[places[word.place] for word in words]]
    return held


def word_vectors(encoder: TokenEncoder, readings: Iterable[Reading]) -> dict[tuple[str, Language], Floats]:
    """For each reading the normalised mean vector of each content word's tokens."""
    wanted = list({(reading.text, reading.language): reading for reading in readings}.values())
    encoded = encoder.encode_tokens([reading.text for reading in wanted]) if wanted else []
    return {
        (reading.text, reading.language): _by_word(reading, found)
        for reading, found in zip(wanted, encoded, strict=True)
    }


def _by_word(reading: Reading, found: TokenVectors) -> Floats:
    """Rows for the words of ``reading``. A word past the encoder's limit has a zero row and matches nothing."""
    tokens = np.asarray(found.vectors, dtype=np.float32)
    rows = np.zeros((len(reading.words), tokens.shape[1] if tokens.ndim == 2 else 1), dtype=np.float32)
    for row, word in enumerate(reading.words):
        inside = [i for i, (start, end) in enumerate(found.offsets) if start < word.end and end > word.start]
        if inside:
            mean = tokens[inside].mean(axis=0)
            rows[row] = mean / max(float(np.linalg.norm(mean)), 1e-9)
    return rows
