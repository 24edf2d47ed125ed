"""Reciprocal rank fusion: several rankings into one, without comparing their scores."""

from collections.abc import Hashable, Mapping, Sequence
from typing import TypeVar

K = TypeVar("K", bound=Hashable)

SMOOTHING = 60
"""The constant of Cormack, Clarke and Buettcher (2009): how little the very first places count over the next."""


def reciprocal_ranks(rankings: Sequence[Sequence[K]]) -> Mapping[K, float]:
    """The fused score of each item, best first: the sum over rankings of ``1 / (SMOOTHING + rank)``, ranks from 1.

    An item that a ranking repeats counts there once, at its best place. Ties keep the order of first appearance.
    """
    scores: dict[K, float] = {}
    for ranking in rankings:
        for rank, item in enumerate(dict.fromkeys(ranking), start=1):
            scores[item] = scores.get(item, 0.0) + 1.0 / (SMOOTHING + rank)
    return dict(sorted(scores.items(), key=lambda pair: -pair[1]))
