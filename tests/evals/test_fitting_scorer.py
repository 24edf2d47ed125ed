"""Fitting the scorer's weights: they follow what people's ratings follow, and are reported half by half."""

from collections.abc import Callable

import numpy as np
import pytest

from calibrant.evals.fitting.scorer import factors_of, fitted, report, scores
from calibrant.evals.halves import FIT
from calibrant.evals.task import Row
from calibrant.evals.tasks.scorer import FACTORS
from calibrant.state.confidence import ResultWeights

DICE = np.random.default_rng(7)
Values = dict[str, float | None]


def values() -> Values:
    return {name: float(DICE.random()) for name in FACTORS}


def row(number: int, answers: list[Values], overall: float) -> Row:
    return Row(
        id=str(number), dataset="made up", key=str(number), half=FIT, truth={"overall": overall}, category="",
        values={"answers": answers}, unscored="", seconds=0.0,
    )  # fmt: skip


def rated(by: Callable[[Values], float], count: int = 60) -> list[Row]:
    told = [values() for _ in range(count)]
    return [row(number, [one], by(one)) for number, one in enumerate(told)]


@pytest.mark.parametrize("name", ["grounding", "specificity"])
def test_the_factor_that_ratings_follow_gets_the_weight(name: str) -> None:
    weights = fitted([rated(lambda one: one[name] or 0.0)])
    assert getattr(weights, name) > 0.75
    assert sum(weights.model_dump().values()) == pytest.approx(1.0)


def test_an_unscored_factor_is_left_out_and_two_answers_are_compared() -> None:
    half: Values = {**dict.fromkeys(FACTORS, 0.5), "consistency": None}
    better: Values = {**half, "grounding": 1.0}
    weights = np.asarray([0.25, 0.25, 0.2, 0.2, 0.1])
    alone = factors_of([row(1, [half], 1.0), row(2, [better], 1.0)])
    assert scores(alone, weights) == pytest.approx([0.5, 0.5 + 0.5 * 0.2 / 0.75])
    assert scores(factors_of([row(1, [half, better], 1.0)]), weights) == pytest.approx([0.5 * 0.2 / 0.75])


def test_the_report_has_both_coefficients_of_each_profile() -> None:
    lines = list(report(rated(lambda one: one["grounding"] or 0.0), {"one": ResultWeights(), "two": ResultWeights()}))
    assert [line.split()[2:4] for line in lines] == [
        [name, kind] for name in ("one", "two") for kind in ("Spearman", "Kendall")
    ]
