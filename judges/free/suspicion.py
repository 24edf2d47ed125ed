"""How far two sentences of one subject look like a contradiction that no rule names: a small fitted model.

Its verdict is too weak to report (``fitted_conflict.json`` has its AUROC on unseen pairs): it only raises the
doubt of the free tier, so that a model is asked where one is configured. Only for pairs that share most of their words:
on unrelated sentences it is wrong, since it was fitted on pairs about one thing.
"""

import json
from functools import cache
from math import exp
from pathlib import Path
from typing import Any

import numpy as np

from calibrant.judges.free.alignment import Alignment, Floats, Vectors
from calibrant.judges.free.opposition import oppose

FITTED = Path(__file__).parents[1] / "fitted_conflict.json"
FEATURES = (
    "opposed", "cover_first", "cover_second", "negation_differs", "low1_first", "low2_first", "low3_first",
    "mean_first", "unmatched_first", "low1_second", "low2_second", "low3_second", "mean_second", "unmatched_second",
    "pooled",
)  # fmt: skip


def features(alignment: Alignment, vectors: Vectors) -> list[float]:
    """The features of one pair, in the order of ``FEATURES``: best matches of each side's words in the other one."""
    hit = oppose(alignment)
    first = vectors[alignment.first.text, alignment.first.language]
    second = vectors[alignment.second.text, alignment.second.language]
    opposed = hit.severity if hit is not None and not hit.qualifies else 0.0
    return [
        opposed,
        alignment.cover_first,
        alignment.cover_second,
        float(alignment.first.negative is not alignment.second.negative),
        *_best_matches(first, second, [word in alignment.only_first for word in alignment.first.words]),
        *_best_matches(second, first, [word in alignment.only_second for word in alignment.second.words]),
        _pooled(first, second),
    ]


def _best_matches(mine: Floats, theirs: Floats, unmatched: list[bool]) -> list[float]:
    """The three lowest best matches, their mean, and the mean over words without a literal match."""
    if not len(mine) or not len(theirs):
        return [0.0] * 5
    best = (mine @ theirs.T).max(axis=1)
    low = np.sort(best)[[0, min(1, len(best) - 1), min(2, len(best) - 1)]]
    strange = best[np.asarray(unmatched, dtype=bool)]
    return [*map(float, low), float(best.mean()), float(strange.mean()) if len(strange) else 1.0]


def _pooled(first: Floats, second: Floats) -> float:
    if not len(first) or not len(second):
        return 0.0
    one, other = first.mean(axis=0), second.mean(axis=0)
    return float(one @ other / max(float(np.linalg.norm(one) * np.linalg.norm(other)), 1e-9))


@cache
def _fitted() -> dict[str, Any]:
    found: dict[str, Any] = json.loads(FITTED.read_text(encoding="utf-8"))
    return found


def suspicion(alignment: Alignment, vectors: Vectors) -> float:
    """The fitted probability, 0..1, that the two sentences contradict each other: a logistic regression."""
    fitted = _fitted()
    scaled = (np.asarray(features(alignment, vectors)) - fitted["mean"]) / fitted["scale"]
    return 1.0 / (1.0 + exp(-float(scaled @ np.asarray(fitted["weights"]) + fitted["bias"])))
