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
from calibrant.judges.free.opposites import are_exclusive, are_opposite
from calibrant.judges.free.opposition import oppose
from calibrant.judges.free.quantities import same_day

FITTED = Path(__file__).parents[1] / "fitted_conflict.json"
FEATURES = (
    "opposed", "pooled", "negation_differs", "lowest", "third_lowest", "mean_unmatched", "mean_of_longer", "exclusive",
    "antonyms", "names_only_shorter", "names_only_longer", "dates_only_shorter", "matched",
)  # fmt: skip


def features(alignment: Alignment, vectors: Vectors) -> list[float]:
    """The features of one pair, in the order of ``FEATURES``.

    The shorter sentence is looked up in the longer one, whichever comes first: it is the one that may be told by it.
    """
    hit = oppose(alignment)
    sides = [(alignment.first, alignment.only_first), (alignment.second, alignment.only_second)]
    (short, only_short), (long, only_long) = sorted(sides, key=lambda side: len(side[0].words))
    mine, theirs = vectors[short.text, short.language], vectors[long.text, long.language]
    language = short.language
    unmatched = np.asarray([word in only_short for word in short.words], dtype=bool)
    dates_absent = sum(not any(same_day(one, other) for other in long.dates) for one in short.dates)
    return [
        hit.severity if hit is not None and not hit.qualifies else 0.0,
        _pooled(mine, theirs),
        float(short.negative is not long.negative),
        *_best_matches(mine, theirs, unmatched),
        float(sum(are_exclusive(a.stem, b.stem, language) for a in only_short for b in only_long)),
        float(sum(are_opposite(a.stem, b.stem, language) for a in short.words for b in long.words)),
        float(sum(word.name for word in only_short)),
        float(sum(word.name for word in only_long)),
        float(dates_absent),
        float(len(alignment.pairs)),
    ]


def _best_matches(mine: Floats, theirs: Floats, unmatched: Any) -> list[float]:
    """Cosines of each word's best match: the lowest, the third lowest, the mean over words without a literal match (all
    for the shorter sentence), and the mean over the longer one's words."""
    if not len(mine) or not len(theirs):
        return [0.0] * 4
    near = mine @ theirs.T
    best = near.max(axis=1)
    low = np.sort(best)
    strange = float(best[unmatched].mean()) if unmatched.any() else 1.0
    return [float(low[0]), float(low[min(2, len(low) - 1)]), strange, float(near.max(axis=0).mean())]


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
