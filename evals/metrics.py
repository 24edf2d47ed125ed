"""Metrics, pure: arrays in, numbers out. None where a metric says nothing (one class only, no spread, no items)."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]

ROUNDS = 500
"""Bootstrap samples: enough for two digits of a 95% interval."""
BINS = 15
"""Bins of a calibration error, as in Guo et al. 2017."""
DRAWS = 50
"""Random outcomes of which the mean error is what chance gives."""


def auroc(truth: ArrayLike, scores: ArrayLike) -> float | None:
    """The chance that a positive scores above a negative, ties counting half: Mann and Whitney's U over the pairs.

    By ranks, since bootstrapping asks for it hundreds of times (``roc_auc_score`` gives the same, far slower).
    """
    from scipy.stats import rankdata

    labels = np.asarray(truth, dtype=bool)
    if labels.all() or not labels.any():
        return None
    yes = int(labels.sum())
    ranks = rankdata(np.asarray(scores, dtype=float))[labels].sum()
    return float((ranks - yes * (yes + 1) / 2) / (yes * (len(labels) - yes)))


def balanced_accuracy(truth: ArrayLike, said: ArrayLike) -> float | None:
    """The mean of the recalls of both classes."""
    labels, found = np.asarray(truth, dtype=bool), np.asarray(said, dtype=bool)
    if labels.all() or not labels.any():
        return None
    return float((found[labels].mean() + (~found[~labels]).mean()) / 2)


def best_threshold(truth: ArrayLike, scores: ArrayLike) -> float | None:
    """The score from which on to say yes, for the highest balanced accuracy (Youden's index)."""
    from sklearn.metrics import roc_curve

    labels = np.asarray(truth, dtype=bool)
    if labels.all() or not labels.any():
        return None
    false, true, thresholds = roc_curve(labels, np.asarray(scores, dtype=float))
    return float(thresholds[1:][int(np.argmax((true - false)[1:]))])


def accuracy(truth: ArrayLike, said: ArrayLike) -> float | None:
    """The share that agrees."""
    labels, found = np.asarray(truth), np.asarray(said)
    return float((labels == found).mean()) if len(labels) else None


def precision(truth: ArrayLike, said: ArrayLike) -> float | None:
    """The share of what was reported that is right; None where nothing was reported."""
    labels, found = np.asarray(truth, dtype=bool), np.asarray(said, dtype=bool)
    return float(labels[found].mean()) if found.any() else None


def recall(truth: ArrayLike, said: ArrayLike) -> float | None:
    """The share of what there is that was reported; None where there is none."""
    labels, found = np.asarray(truth, dtype=bool), np.asarray(said, dtype=bool)
    return float(found[labels].mean()) if labels.any() else None


def f1(truth: ArrayLike, said: ArrayLike) -> float | None:
    """The harmonic mean of precision and recall; 0 where nothing right was reported."""
    labels, found = np.asarray(truth, dtype=bool), np.asarray(said, dtype=bool)
    if not labels.any():
        return None
    return float(2 * (labels & found).sum() / (labels.sum() + found.sum()))


def macro_f1(truth: Sequence[str], said: Sequence[str]) -> float | None:
    """The mean F1 over the classes that occur in ``truth``."""
    labels, found = np.asarray(truth), np.asarray(said)
    each = [f1(labels == name, found == name) for name in sorted(set(truth))]
    return float(np.mean([score for score in each if score is not None])) if each else None


def brier(truth: ArrayLike, confidences: ArrayLike) -> float | None:
    """The mean squared distance of a confidence from what came true (Brier 1950)."""
    labels, given = np.asarray(truth, dtype=float), np.asarray(confidences, dtype=float)
    return float(((given - labels) ** 2).mean()) if len(labels) else None


def reliability(truth: ArrayLike, confidences: ArrayLike, bins: int = BINS) -> list[tuple[float, float, int]]:
    """Bins of about equal mass: mean confidence, share that was right, count. Equal confidences share a bin."""
    labels, given = np.asarray(truth, dtype=float), np.asarray(confidences, dtype=float)
    if not len(labels):
        return []
    edges = np.unique(np.quantile(given, np.linspace(0, 1, bins + 1)[1:-1]))
    places = np.searchsorted(edges, given, side="right")
    counts = np.bincount(places)
    sums, hits = np.bincount(places, weights=given), np.bincount(places, weights=labels)
    return [
        (float(total / count), float(hit / count), int(count))
        for total, hit, count in zip(sums, hits, counts, strict=True)
        if count
    ]


def ece(truth: ArrayLike, confidences: ArrayLike, bins: int = BINS) -> float | None:
    """Expected calibration error: the mean gap between confidence and accuracy over ``reliability``'s bins."""
    found = reliability(truth, confidences, bins)
    total = sum(count for _, _, count in found)
    return sum(abs(mean - share) * count for mean, share, count in found) / total if total else None


def ece_by_chance(confidences: ArrayLike, bins: int = BINS) -> float | None:
    """The ``ece`` that ``confidences`` would show if each were exactly right: the mean over random outcomes."""
    given, dice = np.asarray(confidences, dtype=float), np.random.default_rng(0)
    found = [ece(dice.random(len(given)) < given, given, bins) for _ in range(DRAWS)] if len(given) else []
    return float(np.mean([one for one in found if one is not None])) if found else None


def risk_coverage(right: ArrayLike, confidences: ArrayLike) -> tuple[Floats, Floats]:
    """Coverage and the error rate among what is covered, most confident first (El-Yaniv & Wiener 2010).

    Items of equal confidence have the mean error of all of them: their order would be chance.
    """
    labels, given = np.asarray(right, dtype=float), np.asarray(confidences, dtype=float)
    order = np.argsort(-given, kind="stable")
    _, places, counts = np.unique(-given[order], return_inverse=True, return_counts=True)
    errors = (np.bincount(places, weights=1.0 - labels[order]) / counts)[places] if len(labels) else labels
    ranks = np.arange(1, len(labels) + 1)
    return ranks / max(len(labels), 1), np.cumsum(errors) / ranks


def aurc(right: ArrayLike, confidences: ArrayLike) -> float | None:
    """The mean risk over all coverages: lower is better, the error rate itself is what chance gives."""
    _, risks = risk_coverage(right, confidences)
    return float(risks.mean()) if len(risks) else None


def spearman(first: ArrayLike, second: ArrayLike) -> float | None:
    """Rank correlation."""
    from scipy.stats import spearmanr

    return _correlation(spearmanr, first, second)


def kendall(first: ArrayLike, second: ArrayLike) -> float | None:
    """Kendall's tau-b: pairs in the same order less pairs in the other, ties corrected."""
    from scipy.stats import kendalltau

    return _correlation(kendalltau, first, second)


def _correlation(measure: Callable[[Any, Any], Any], first: ArrayLike, second: ArrayLike) -> float | None:
    one, other = np.asarray(first, dtype=float), np.asarray(second, dtype=float)
    if len(one) < 3 or np.ptp(one) == 0 or np.ptp(other) == 0:
        return None
    return float(measure(one, other).statistic)


Statistic = Callable[..., float | None]


def interval(
    statistic: Statistic, *columns: ArrayLike, groups: Sequence[str], seed: int = 0
) -> tuple[float, float] | None:
    """The 95% bootstrap interval. Whole groups are drawn: items of one record are not independent.

    Percentiles, but for a calibration error moved so that their middle is the error itself: samples drawn from a sample
    stray further from their own confidences, and would all show a larger error.
    """
    held = [np.asarray(column) for column in columns]
    _, places = np.unique(np.asarray(groups, dtype=str), return_inverse=True)
    order, sizes = np.argsort(places, kind="stable"), np.bincount(places)
    if len(sizes) < 2:
        return None
    starts = np.cumsum(sizes) - sizes
    dice = np.random.default_rng(seed)
    found = []
    for _ in range(ROUNDS):
        groups_drawn = dice.integers(0, len(sizes), len(sizes))
        lengths = sizes[groups_drawn]
        first = np.repeat(starts[groups_drawn] - np.cumsum(lengths) + lengths, lengths)
        drawn = order[first + np.arange(len(first))]
        value = statistic(*(column[drawn] for column in held))
        if value is not None:
            found.append(value)
    if not found:
        return None
    low, middle, high = (float(value) for value in np.quantile(found, (0.025, 0.5, 0.975)))
    moved = (statistic(*held) or 0.0) - middle if statistic is ece else 0.0
    return max(0.0, low + moved) if statistic is ece else low, high + moved
