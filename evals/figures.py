"""Figures and plots that several tasks share: from rows to numbers with their intervals."""

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from calibrant.evals import metrics
from calibrant.evals.metrics import Statistic
from calibrant.evals.task import Figure, Plot, Row, Sample, Series

WIDEST_CURVE = 200
"""Points of a curve: more cannot be seen."""


def column(rows: Sequence[Row], name: str) -> list[Any]:
    """One value of each row."""
    return [row.values[name] for row in rows]


def truths(rows: Sequence[Row]) -> list[Any]:
    """The truth of each row."""
    return [row.truth for row in rows]


def figure(
    sample: Sample, dataset: str, name: str, statistic: Statistic, *columns: Sequence[Any], **more: Any
) -> Figure:
    """``statistic`` of ``columns`` (one entry a row of ``sample``) with its bootstrap interval."""
    groups = [row.key for row in sample.rows]
    bounds = metrics.interval(statistic, *columns, groups=groups, seed=sample.seed) or (None, None)
    return plain_figure(sample, dataset, name, statistic, *columns, low=bounds[0], high=bounds[1], **more)


def plain_figure(
    sample: Sample, dataset: str, name: str, statistic: Statistic, *columns: Sequence[Any], **more: Any
) -> Figure:
    """The same without an interval, for figures that come by the dozen."""
    return Figure(dataset, name, statistic(*columns), len(sample.rows), **more)


def mean(values: Any) -> float | None:
    """The mean of a column."""
    return float(np.mean(values)) if len(values) else None


def costs(sample: Sample) -> Iterator[Figure]:
    """What an item took: seconds, and where a model was called its calls, tokens and dollars."""
    for dataset, part in sample.by_dataset():
        seconds = [row.seconds for row in part.rows]
        for share, name in ((0.5, "p50"), (0.95, "p95")):
            yield Figure(dataset, f"seconds, {name}", float(np.quantile(seconds, share)), len(seconds), aim="down")
        for name in ("calls", "tokens", "dollars"):
            spent = [row.values[name] for row in part.rows if name in row.values]
            if spent:
                yield Figure(dataset, f"{name}, mean", sum(spent) / len(seconds), len(seconds), aim="down")


def reliability(sample: Sample, score: str, right: str = "", title: str = "Reliability") -> Plot:
    """Confidence against the share that was right, one line a dataset. ``right`` as for ``risk_coverage``."""
    series = []
    for dataset, part in sample.by_dataset():
        bins = metrics.reliability(_hits(part, right), column(part.rows, score), bins=10)
        series.append(Series(dataset, tuple(one[0] for one in bins), tuple(one[1] for one in bins)))
    return Plot(title, "score", "share that is right", tuple(series), diagonal=True)


def risk_coverage(sample: Sample, score: str, right: str = "", title: str = "Risk and coverage") -> Plot:
    """The error rate among the most confident share, one line a dataset. ``right``: a value; empty: the truth."""
    series = []
    for dataset, part in sample.by_dataset():
        coverage, risk = metrics.risk_coverage(_hits(part, right), column(part.rows, score))
        step = max(1, len(coverage) // WIDEST_CURVE)
        series.append(Series(dataset, tuple(map(float, coverage[::step])), tuple(map(float, risk[::step]))))
    return Plot(title, "coverage", "error rate", tuple(series))


def _hits(part: Sample, right: str) -> list[Any]:
    return column(part.rows, right) if right else truths(part.rows)


def histogram(sample: Sample, value: str, title: str) -> Plot:
    """How often each whole number occurs (depths, calls), as a share, bars a dataset."""
    series = []
    for dataset, part in sample.by_dataset():
        seen = Counter(row.values[value] for row in part.rows if value in row.values)
        total = max(1, sum(seen.values()))
        series.append(Series(dataset, tuple(sorted(seen)), tuple(seen[key] / total for key in sorted(seen))))
    return Plot(title, value, "share of the items", tuple(series), kind="bars")


def cost_quality(sample: Sample, quality: str) -> Plot:
    """The mean quality against the mean seconds, one point a dataset."""
    series = []
    for dataset, part in sample.by_dataset():
        spent = [row.seconds for row in part.rows]
        good = [float(row.values[quality]) for row in part.rows]
        series.append(Series(dataset, (float(np.mean(spent)),), (float(np.mean(good)),)))
    return Plot("Cost and quality", "seconds, mean", f"{quality}, mean", tuple(series), kind="points")
