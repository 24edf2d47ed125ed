"""Where the answer stands: how likely each word of a passage, read beside the question, is part of what is asked for.

Late interaction says whether a sentence is about the question's words; this says whether it holds what is wanted: of
"In 1950 the bridge was rebuilt" only "1950" answers "When was it rebuilt?". A cross-encoder gives each word a vector
that knows of the question, and one weight a dimension makes a score of it. ``evals/fitting/reader.py`` fits both to
where people marked answers, and to questions without one; once more to what stands in sections of manuals.

Shapes: t passage tokens, d dimensions.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from calibrant.state.protocols import Adapter, PairVectors

Floats = NDArray[np.float64]
Numbers = NDArray[np.int64]
Places = Sequence[tuple[int, int, int]]
"""For each sentence of a text its number, and where it starts and ends."""

LEAST, MOST = -6.0, 6.0
"""Log odds are cut off there: text unlike what the reader was fitted to must not decide by this alone."""


@dataclass(frozen=True, eq=False)
class Reader:
    """The fitted numbers: ``adapter`` makes the cross-encoder, the others the scores."""

    adapter: Adapter
    told: Floats
    """d: how far a token's vector is that of an answer."""
    nowhere: Floats
    """d: how far the pair's vector is that of a text without an answer, with ``threshold`` added."""
    threshold: float


def read_odds(reader: Reader, parts: Sequence[Places], read: Sequence[PairVectors], count: int) -> Floats:
    """For each of ``count`` sentences the log odds that the answer stands in it, within ``LEAST``..``MOST``.

    ``parts``: the sentences of each text that was read; ``read``: its tokens. A sentence beyond what was read gets
    ``LEAST``.
    """
    odds = np.full(count, LEAST)
    for places, tokens in zip(parts, read, strict=True):
        scores = np.asarray(tokens.vectors, dtype=np.float64) @ reader.told
        numbers = sentence_of(tokens.offsets, places)
        nowhere = float(np.asarray(tokens.whole, dtype=np.float64) @ reader.nowhere) + reader.threshold
        for number in np.unique(numbers[numbers >= 0]):
            own = scores[numbers == number]
            odds[number] = own.max() + np.log(np.exp(own - own.max()).sum()) - nowhere
    clipped: Floats = odds.clip(LEAST, MOST)
    return clipped


def sentence_of(offsets: Sequence[tuple[int, int]], places: Places) -> Numbers:
    """t: the number of the sentence in which each token lies, -1 where in none."""
    spans = np.asarray(offsets, dtype=np.int64).reshape(-1, 2)
    numbers = np.full(len(spans), -1, dtype=np.int64)
    for number, start, end in places:
        numbers[(spans[:, 0] >= start) & (spans[:, 1] <= end)] = number
    return numbers
