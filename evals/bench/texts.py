"""Texts and vectors for a knowledge base of any size, made by rule: the same in every run, and nothing downloaded.

Words are drawn from 20,000 made-up ones with the frequencies of a natural language (Zipf's law): how many passages
share a word of a query decides what a search costs. Vectors are sums of one fixed random vector a word, so that
passages with common words are near each other; as with any precomputed vectors, no time goes into a model.
"""

import itertools
import random
import zlib
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

SEED = 20
WORDS = 20_000
PER_PASSAGE = 120
PER_SENTENCE = 12
PER_FILE = 100
COMMON = 100
"""The most frequent words: a query has none of them, as stop words are left out of real ones."""
PER_QUERY = 5
_STARTS, _MIDDLES, _ENDS = "bcdfgklmnprstvz", "aeiou", "lmnrstx"


def vocabulary() -> list[str]:
    """The made-up words, the most frequent first."""
    syllables = ["".join(parts) for parts in itertools.product(_STARTS, _MIDDLES)]
    words = ("".join(parts) for parts in itertools.product(syllables, syllables, _ENDS))
    held = list(itertools.islice(words, WORDS * 2))
    random.Random(SEED).shuffle(held)  # noqa: S311 - repeatable on purpose
    return held[:WORDS]


def passages(count: int) -> Iterator[list[str]]:
    """The words of each passage."""
    words, chance = vocabulary(), random.Random(SEED)  # noqa: S311
    weights = list(itertools.accumulate(1.0 / (rank + 3) for rank in range(WORDS)))
    for _ in range(count):
        yield chance.choices(words, cum_weights=weights, k=PER_PASSAGE)


def write_files(folder: Path, count: int) -> int:
    """``count`` passages as Markdown files, one section a passage; gives the bytes of their text."""
    folder.mkdir(parents=True)
    size = 0
    for number, batch in enumerate(_batches(passages(count))):
        text = "\n".join(f"## Section {place}\n\n{_prose(words)}\n" for place, words in enumerate(batch))
        size += (folder / f"{number:05}.md").write_text(text, encoding="utf-8")
    return size


def _batches(items: Iterator[list[str]]) -> Iterator[list[list[str]]]:
    while batch := list(itertools.islice(items, PER_FILE)):
        yield batch


def _prose(words: Sequence[str]) -> str:
    starts = range(0, len(words), PER_SENTENCE)
    return " ".join(f"{' '.join(words[at : at + PER_SENTENCE]).capitalize()}." for at in starts)


def queries(count: int, held: int) -> list[str]:
    """Queries of a few words of one passage each, the passages spread over all ``held``."""
    common, chance = frozenset(vocabulary()[:COMMON]), random.Random(SEED + 1)  # noqa: S311
    wanted = {number * held // count for number in range(count)}
    found = (words for number, words in enumerate(passages(held)) if number in wanted)
    return [" ".join(chance.sample([word for word in words if word not in common], PER_QUERY)) for words in found]


class FixedEncoder:
    """Sums of one fixed vector a word, as an encoder."""

    identity = "fixed-384"
    dimensions = 384
    _ROWS = 4096

    def __init__(self) -> None:
        table = np.random.default_rng(SEED).standard_normal((self._ROWS, self.dimensions))
        self._table: NDArray[np.float32] = table.astype(np.float32)

    def encode(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """One L2-normalised row a text."""
        rows = [self._table[[zlib.crc32(word.encode()) % self._ROWS for word in text.split()]].sum(0) for text in texts]
        out = np.asarray(rows, dtype=np.float32).reshape(len(texts), self.dimensions)
        normalised: NDArray[np.float32] = out / np.maximum(np.linalg.norm(out, axis=1, keepdims=True), 1e-9)
        return normalised
