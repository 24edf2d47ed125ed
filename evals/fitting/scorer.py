"""Fit the scorer's weights to people's ratings: ``python -m calibrant.evals.fitting.scorer``.

The factors of every rated answer are measured as the task ``scorer`` does. The weights are chosen on the fit halves
alone. Both halves are reported, under each profile of ``RESULT_PROFILES`` and under the weights just fitted.
"""

import argparse
import asyncio
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import numpy as np

from calibrant.evals import metrics
from calibrant.evals.figures import figure
from calibrant.evals.halves import FIT, HELD_OUT
from calibrant.evals.metrics import Floats
from calibrant.evals.runner import Options, judged
from calibrant.evals.setup import Setup
from calibrant.evals.task import Row, Sample
from calibrant.evals.tasks.scorer import FACTORS, TASK, ratings
from calibrant.graph.settings import load_machine, load_settings
from calibrant.state.confidence import RESULT_PROFILES, ResultWeights

RATING = "overall"
STEP = 0.05
"""Weights are multiples of it: the ratings of some hundred answers do not tell finer ones apart."""
BEST = 0.01
"""The share of all the weights tried whose mean is taken: which of them comes first is chance."""


def factors_of(rows: Sequence[Row]) -> Floats:
    """The factors of the items' answers (items x answers x factors), NaN where unscored."""
    answers = [row.values["answers"] for row in rows]
    return np.asarray([[[one[name] for name in FACTORS] for one in held] for held in answers], dtype=float)


def scores(factors: Floats, weights: Floats) -> Floats:
    """What the scorer makes of ``factors`` under ``weights``; of two answers, the second's score less the first's."""
    scored = ~np.isnan(factors)
    means = (np.where(scored, factors, 0.0) @ weights) / np.maximum(scored @ weights, 1e-9)
    out: Floats = means[:, 0] if means.shape[1] == 1 else means[:, 1] - means[:, 0]
    return out


def fitted(datasets: Sequence[Sequence[Row]]) -> ResultWeights:
    """The weights whose scores rank most like people's ratings: by the mean Spearman over the datasets."""
    grid = STEP * np.asarray(list(_grid(len(FACTORS), round(1 / STEP))))
    agreed = np.mean([_agreement(rows, grid) for rows in datasets], axis=0)
    best = np.argsort(agreed)[::-1][: max(1, round(BEST * len(grid)))]
    mean = [round(float(one), 2) for one in grid[best].mean(axis=0)]
    weights = dict(zip(FACTORS, mean, strict=True))
    largest = max(weights, key=lambda name: weights[name])
    weights[largest] = round(weights[largest] + 1.0 - sum(mean), 2)  # rounding must not change their sum
    return ResultWeights(**weights)


def _agreement(rows: Sequence[Row], grid: Floats) -> Floats:
    """How alike the scores under each weights of ``grid`` rank the answers as people rated them: Spearman, 0 where all
    are alike. All at once: ``spearmanr`` takes a millisecond for each."""
    from scipy.stats import rankdata

    factors = factors_of(rows)
    ranks = rankdata([scores(factors, weights) for weights in grid], axis=1)
    rated = rankdata(ratings(rows, RATING))
    mine, theirs = ranks - ranks.mean(axis=1, keepdims=True), rated - rated.mean()
    spread = np.sqrt((mine**2).sum(axis=1) * (theirs**2).sum())
    agreement: Floats = np.divide(mine @ theirs, spread, out=np.zeros(len(grid)), where=spread > 0.0)
    return agreement


def _grid(places: int, total: int) -> Iterator[tuple[int, ...]]:
    """Every way to share ``total`` out over ``places``."""
    if places == 1:
        yield (total,)
        return
    for first in range(total + 1):
        for rest in _grid(places - 1, total - first):
            yield (first, *rest)


def report(rows: Sequence[Row], profiles: Mapping[str, ResultWeights]) -> Iterator[str]:
    """A line for each dataset, profile and coefficient, with its 95% bootstrap interval."""
    for dataset, part in Sample(tuple(rows)).by_dataset():
        for name, weights in profiles.items():
            mine = scores(factors_of(part.rows), np.asarray([getattr(weights, factor) for factor in FACTORS]))
            for kind, statistic in (("Spearman", metrics.spearman), ("Kendall", metrics.kendall)):
                found = figure(part, dataset, kind, statistic, mine.tolist(), ratings(part.rows, RATING))
                yield f"{dataset:14}{name:16}{kind:10}{_shown(found.value, found.low, found.high)}  n={len(part.rows)}"


def _shown(value: float | None, low: float | None, high: float | None) -> str:
    return "no spread" if value is None else f"{value:.3f} ({low:.3f} to {high:.3f})"


def _tell(done: int, total: int, dataset: str) -> None:
    if done % 100 == 0 or done == total:
        sys.stderr.write(f"{done:,} of {total:,} items ({dataset})\n")


def main() -> None:
    """Measure, fit, report. The measurements are kept in ``--out`` and used again."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--embeddings", help="as for `calibrant eval`")
    parser.add_argument("--out", type=Path, required=True, help="folder for what was measured")
    arguments = parser.parse_args()
    out = sys.stdout.write
    machine = load_machine({"embeddings": arguments.embeddings} if arguments.embeddings else None)
    setup = Setup(load_settings({}), machine)
    options = Options(arguments.out, datasets=tuple(TASK.loaders), half="all")
    found = asyncio.run(judged(TASK, setup, options, _tell))
    rated = [row for row in found.rows if not row.unscored and RATING in row.truth]
    halves = {half: [row for row in rated if row.half == half] for half in (FIT, HELD_OUT)}
    weights = fitted([part.rows for _, part in Sample(tuple(halves[FIT])).by_dataset()])
    out(f"fitted: {weights.model_dump()}\n")
    profiles = {name: ResultWeights.model_validate(name) for name in RESULT_PROFILES} | {"fitted now": weights}
    for half, rows in halves.items():
        out(f"{half} half\n" + "".join(f"{line}\n" for line in report(rows, profiles)))


if __name__ == "__main__":
    main()
