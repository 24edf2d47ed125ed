"""What one text makes of another, read together: that it follows, that it cannot be, or neither (natural language
inference).

Words compare word by word: "works from home twice a week" and "is at the office every day" share none. A cross-encoder
reads both at once, and three weights a dimension make scores of it. ``evals/fitting/inference.py`` fits both to pairs
that people labelled.

Shapes: d dimensions.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from calibrant.state.protocols import Adapter, CrossEncoder, PairVectors

Floats = NDArray[np.float64]

FOLLOWS, CONTRADICTS, NEITHER = range(3)
"""The rows of the weights."""


@dataclass(frozen=True, eq=False)
class Inference:
    """The fitted numbers: ``adapter`` makes the cross-encoder, the others the scores."""

    adapter: Adapter
    weights: Floats
    """3 x 2d: for the vector of the pair, and for the mean of the second text's tokens."""
    biases: Floats
    """3."""


@dataclass(frozen=True)
class Relation:
    """How likely the second text follows from the first, and how likely it contradicts it: 0..1, and at most 1
    together."""

    follows: float
    contradicts: float


class Reads(Protocol):
    """Whatever can say what two texts make of each other."""

    def relation(self, first: str, second: str) -> Relation:
        """What ``first`` makes of ``second``. Blocking."""
        ...


def relations(inference: Inference, pairs: CrossEncoder, first: str, seconds: Sequence[str]) -> list[Relation]:
    """What ``first`` makes of each of ``seconds``. Blocking."""
    return [_relation(inference, read) for read in pairs.encode_pairs(first, seconds)] if seconds else []


def _relation(inference: Inference, read: PairVectors) -> Relation:
    """A second text of which nothing was read is taken for one that says nothing."""
    tokens = np.asarray(read.vectors, dtype=np.float64)
    whole = np.asarray(read.whole, dtype=np.float64)
    if not len(tokens):
        return Relation(0.0, 0.0)
    scores = inference.weights @ np.concatenate([whole, tokens.mean(axis=0)]) + inference.biases
    odds = np.exp(scores - scores.max())
    shares = odds / odds.sum()
    return Relation(float(shares[FOLLOWS]), float(shares[CONTRADICTS]))
