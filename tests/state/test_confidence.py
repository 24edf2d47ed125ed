"""Confidence: the weighted mean, unscored factors, levels, and what cost most."""

from math import nextafter
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from pydantic import ValidationError

from calibrant.state.confidence import (
    Confidence,
    Factor,
    Level,
    PhaseWeights,
    ResultWeights,
    SufficiencyWeights,
    confidence_of,
    level_of,
    score_text,
    weighted_mean,
)


def factors(*pairs: tuple[float | None, float]) -> list[Factor]:
    """Factors from (score, weight), named f0, f1, ..."""
    return [Factor(name=f"f{number}", score=score, weight=weight) for number, (score, weight) in enumerate(pairs)]


@pytest.mark.parametrize(
    ("pairs", "mean"),
    [
        ([(1.0, 1.0)], 1.0),
        ([(0.0, 1.0)], 0.0),
        ([(1.0, 0.25), (0.0, 0.75)], 0.25),
        ([(0.5, 0.2), (1.0, 0.2)], 0.75),
        ([(1.0, 3.0), (0.0, 1.0)], 0.75),
        ([(0.8, 0.3), (None, 0.7)], 0.8),
        ([(0.6, 0.4), (None, 0.2), (0.0, 0.4)], 0.3),
        ([(None, 1.0)], 0.0),
        ([(0.9, 0.0)], 0.0),
        ([], 0.0),
    ],
)
def test_weighted_mean(pairs: list[tuple[float | None, float]], mean: float) -> None:
    """Unscored is not zero: its weight is spread over the others. Nothing scored is 0."""
    assert weighted_mean(factors(*pairs)) == pytest.approx(mean)


def test_spec_1s_worked_example() -> None:
    """No experience, no pattern, understanding 0.9, clarity 0.6, risk 0.8 with spec 1's weights."""
    weights = PhaseWeights()
    scored = factors(
        (0.0, weights.past_experience),
        (0.0, weights.pattern_availability),
        (0.9, weights.task_understanding),
        (0.6, weights.strategy_clarity),
        (0.8, weights.risk),
    )
    assert weighted_mean(scored) == pytest.approx(0.18 + 0.09 + 0.08)


@pytest.mark.parametrize("weights", [PhaseWeights(), SufficiencyWeights(), ResultWeights()])
def test_each_default_profile_adds_up_to_one(weights: Any) -> None:
    """The specs' tables do."""
    assert sum(weights.model_dump().values()) == pytest.approx(1.0)


@pytest.mark.parametrize(
    ("score", "level"),
    [
        (1.0, Level.HIGH),
        (0.9, Level.HIGH),
        (nextafter(0.9, 0.0), Level.MEDIUM),
        (0.7, Level.MEDIUM),
        (nextafter(0.7, 0.0), Level.LOW),
        (0.5, Level.LOW),
        (nextafter(0.5, 0.0), Level.VERY_LOW),
        (0.0, Level.VERY_LOW),
    ],
)
def test_levels(score: float, level: Level) -> None:
    """At and just below each boundary."""
    assert level_of(score) is level
    assert Confidence(score=score).level is level


@pytest.mark.parametrize(
    ("score", "read"),
    [(0.7499, "0.74"), (0.75, "0.75"), (0.4951, "0.49"), (0.29, "0.29"), (1.0, "1.00")],
)
def test_what_misses_a_threshold_does_not_read_as_if_it_reached_it(score: float, read: str) -> None:
    assert score_text(score) == read


def test_no_threshold_is_missed_by_the_error_of_a_sum() -> None:
    scores, weights = (0.0, 0.6, 1.0, 0.6, 0.6), (0.3, 0.25, 0.2, 0.15, 0.1)
    assert sum(score * weight for score, weight in zip(scores, weights, strict=True)) < 0.5
    factors = [Factor(name="f", score=score, weight=weight) for score, weight in zip(scores, weights, strict=True)]
    assert weighted_mean(factors) == 0.5


def test_the_level_reads_the_calibrated_score() -> None:
    """Not the raw one."""
    assert Confidence(raw=0.95, score=0.6, calibrator="c").level is Level.LOW


def test_the_level_stands_in_json_and_is_not_read_from_it() -> None:
    """A checkpoint of an earlier version has none, and one that was edited may have another one's."""
    given = Confidence(raw=0.95, score=0.5)
    told = given.model_dump(mode="json")
    assert told["level"] == "low"
    assert Confidence.model_validate({**told, "level": "high"}) == given
    assert Confidence.model_validate({"raw": 0.95, "score": 0.5}) == given


def test_costliest_names_what_took_most() -> None:
    """By weight times what is missing; unscored and perfect factors take nothing."""
    confidence = confidence_of(factors((0.9, 0.5), (0.0, 0.2), (None, 0.9), (1.0, 0.9), (0.5, 0.3)))
    assert [factor.name for factor in confidence.costliest()] == ["f1", "f4", "f0"]
    assert [factor.name for factor in confidence.costliest(1)] == ["f1"]


def test_a_factor_is_found_by_name() -> None:
    """Absent and unscored read the same."""
    confidence = confidence_of(factors((0.4, 1.0), (None, 1.0)))
    assert (confidence.factor("f0"), confidence.factor("f1"), confidence.factor("f2")) == (0.4, None, None)


@pytest.mark.parametrize(
    "wrong",
    [{"score": 1.1}, {"score": -0.1}, {"score": float("nan")}, {"weight": -1.0}],
)
def test_a_factor_outside_its_range_is_refused(wrong: dict[str, float]) -> None:
    """Also not-a-number."""
    with pytest.raises(ValidationError):
        Factor(**{"name": "f", "weight": 1.0, **wrong})


PAIRS = st.lists(st.tuples(st.none() | st.floats(0.0, 1.0), st.floats(0.0, 10.0)), max_size=6)
MANY = PAIRS.map(lambda pairs: factors(*pairs))


@given(MANY)
def test_the_mean_stays_between_its_scores(many: list[Factor]) -> None:
    """And in 0..1."""
    mean = weighted_mean(many)
    assert 0.0 <= mean <= 1.0
    scores = [factor.score for factor in many if factor.score is not None and factor.weight > 1e-9]
    if scores and all(factor.weight > 1e-9 or factor.score is None for factor in many):
        assert min(scores) - 1e-9 <= mean <= max(scores) + 1e-9


@given(MANY, st.data())
def test_the_mean_is_monotone_in_each_factor(many: list[Factor], data: st.DataObject) -> None:
    """A better factor never makes the whole worse."""
    scored = [number for number, factor in enumerate(many) if factor.score is not None]
    assume(scored)
    chosen = data.draw(st.sampled_from(scored))
    held = many[chosen].score
    assert held is not None
    better = data.draw(st.floats(held, 1.0))
    raised = [factor.replace(score=better) if number == chosen else factor for number, factor in enumerate(many)]
    assert weighted_mean(raised) >= weighted_mean(many) - 1e-12


@given(MANY, st.floats(0.0, 10.0))
def test_an_unscored_factor_changes_nothing(many: list[Factor], weight: float) -> None:
    """Whatever its weight."""
    assert weighted_mean([*many, Factor(name="none", weight=weight)]) == weighted_mean(many)


@given(MANY)
def test_an_uncalibrated_confidence_is_its_mean(many: list[Factor]) -> None:
    """Raw and score are the same, and no calibrator is named."""
    confidence = confidence_of(many)
    assert confidence.raw == confidence.score == weighted_mean(many)
    assert confidence.calibrator == ""
    assert confidence.factors == tuple(many)
