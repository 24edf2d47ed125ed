"""A calibrator is applied where it holds, and nowhere else."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from calibrant.graph.calibrators import fitted_models, fitted_sections
from calibrant.judges.calibration import (
    DRIFT_LEAST,
    DRIFTED,
    Calibration,
    Calibrator,
    Conditions,
    Kind,
    drift,
    kind_of,
    weights_of,
)
from calibrant.state.confidence import Confidence, Factor, PhaseWeights, confidence_of
from calibrant.state.context import Context, ModelSettings, Switches
from calibrant.state.task import Language, QueryType
from tests.calibration.made import calibrator, conditions, in_sections

MADE = calibrator()
RAW = confidence_of((Factor(name="evidence", score=0.6, weight=1.0),))


def calibration(*held: Calibrator, **changes: Any) -> Calibration:
    """As a graph without embeddings has it, whose judges were fitted to the numbers that ship."""
    return Calibration(held or (MADE,), **{"models": fitted_models(), "sections": fitted_sections(), **changes})


def applied(
    to: Calibration,
    language: Language = Language.ENGLISH,
    query_type: QueryType = QueryType.FACTUAL,
    context: Context | None = None,
    **kind: bool,
) -> Confidence:
    asked = Kind(language=language, query_type=query_type, **kind)
    return to.apply(RAW, "answer", asked, context or Context())


@pytest.mark.parametrize(
    ("raw", "score"),
    [(0.0, 0.1), (0.39, 0.1), (0.4, 0.1), (0.6, 0.3), (0.8, 0.5), (0.81, 0.505), (0.9, 0.55), (1.0, 0.6)],
)
def test_between_the_knots_the_curve_is_straight_and_beyond_them_flat(raw: float, score: float) -> None:
    assert MADE.score(raw) == pytest.approx(score)


knots = st.lists(st.integers(0, 1000), min_size=1, max_size=8, unique=True).map(sorted)
unit = st.floats(0.0, 1.0)


@given(knots, st.data(), unit, unit)
def test_a_higher_score_stays_higher_or_equal_and_within_bounds(
    places: list[int], data: st.DataObject, one: float, other: float
) -> None:
    values = sorted(data.draw(st.lists(unit, min_size=len(places), max_size=len(places))))
    made = calibrator(x=tuple(place / 1000 for place in places), y=tuple(values))
    low, high = sorted((one, other))
    assert 0.0 <= made.score(low) <= made.score(high) <= 1.0


@pytest.mark.parametrize(
    "curve",
    [
        {"x": (0.1, 0.2), "y": (0.5, 0.4)},
        {"x": (0.2, 0.1), "y": (0.4, 0.5)},
        {"x": (0.1, 0.1), "y": (0.4, 0.5)},
        {"x": (0.1,), "y": (0.4, 0.5)},
        {"x": (), "y": ()},
        {"x": (0.1, 1.2), "y": (0.4, 0.5)},
        {"x": (0.1, 0.2), "y": (0.4, float("nan"))},
    ],
)
def test_a_curve_that_does_not_rise_within_bounds_is_refused(curve: dict[str, Any]) -> None:
    with pytest.raises(ValidationError):
        calibrator(**curve)


def test_where_it_holds_the_score_changes_and_says_by_what() -> None:
    found = applied(calibration())
    assert found == RAW.replace(score=MADE.score(0.6), calibrator="answer-made")
    assert found.raw == 0.6


@pytest.mark.parametrize(
    ("under", "question", "problem"),
    [
        ({"encoder": "other"}, {}, "fitted with other embeddings"),
        ({"models": "other"}, {}, "fitted with other weights"),
        ({"model": "gpt"}, {}, "fitted without a model"),
        ({}, {"context": Context(phase_weights=PhaseWeights(risk=0.5))}, "fitted with other weights"),
        ({}, {"context": Context(model=ModelSettings(name="gpt"))}, "fitted without a model"),
    ],
)
def test_where_it_does_not_hold_the_raw_score_stands_and_the_reason_is_said(
    under: dict[str, Any], question: dict[str, Any], problem: str
) -> None:
    to = Calibration(**{"calibrators": (MADE,), "models": calibration().models, **under})
    assert applied(to, **question) == RAW.replace(uncalibrated=problem)


@pytest.mark.parametrize(
    ("question", "problem"),
    [
        ({"language": Language.PORTUGUESE}, "not calibrated for Portuguese questions"),
        ({"query_type": QueryType.DECISION}, "not calibrated for this kind of question (decision)"),
        ({"in_sections": True}, "not calibrated for long documents"),
        ({"from_afar": True}, "not calibrated for remote sources"),
        ({"names_code": True}, "not calibrated for questions about code"),
    ],
)
def test_another_kind_of_question_is_answered_no_surer_than_the_nearest(question: dict[str, Any], problem: str) -> None:
    assert MADE.score(0.6) < 0.6
    assert applied(calibration(), **question) == RAW.replace(score=MADE.score(0.6), uncalibrated=problem)
    surer = calibration(calibrator(x=(0.0, 1.0), y=(0.5, 1.0)))
    assert applied(surer, **question) == RAW.replace(uncalibrated=problem)


def test_what_tools_gave_is_told_as_it_is() -> None:
    """No text was searched, which is all that was measured: a call that succeeded did what was asked."""
    kind = Kind(language=Language.ENGLISH, query_type=QueryType.FACTUAL, from_tools=True)
    found = calibration().apply(RAW, "answer", kind, Context())
    assert found == RAW.replace(uncalibrated="not calibrated for what tools give")


def test_a_phase_of_another_kind_of_question_keeps_its_score() -> None:
    kind = Kind(language=Language.PORTUGUESE, query_type=QueryType.FACTUAL)
    found = calibration(calibrator("act")).apply(RAW, "act", kind, Context())
    assert found == RAW.replace(uncalibrated="not calibrated for Portuguese questions")


def test_one_that_was_fitted_with_a_model_is_not_for_runs_without() -> None:
    made = calibrator(conditions=conditions(tier="gpt"))
    assert applied(calibration(made)).uncalibrated == "fitted with gpt"
    asked = Context(model=ModelSettings(name="gpt"))
    assert applied(calibration(made), context=asked).calibrator == "answer-made"


def test_what_a_model_gave_nothing_of_is_scored_as_without_one() -> None:
    asked = Context(model=ModelSettings(name="gpt"))
    kind = Kind(language=Language.ENGLISH, query_type=QueryType.FACTUAL)
    by_words, with_model = (
        calibration().apply(RAW, "answer", kind, asked, by_words=by_words) for by_words in (True, False)
    )
    assert by_words.calibrator == "answer-made"
    assert with_model.uncalibrated == "fitted without a model"


def test_of_several_the_one_that_holds_is_taken_else_the_nearest_gives_the_reason() -> None:
    fitted = MADE.fitted_on.replace(languages=(Language.PORTUGUESE,))
    other = MADE.replace(name="answer-pt", y=(0.0, 0.0, 0.0), fitted_on=fitted)
    both = calibration(calibrator(conditions=conditions(encoder="x")), other, MADE)
    assert applied(both).calibrator == "answer-made"
    assert applied(both, Language.PORTUGUESE).calibrator == "answer-pt"
    assert "decision" in applied(both, Language.PORTUGUESE, QueryType.DECISION).uncalibrated


def test_nothing_is_said_where_there_is_nothing_to_apply() -> None:
    assert applied(Calibration()) == RAW
    assert calibration().apply(RAW, "act", kind_of("Why?", Language.ENGLISH, QueryType.FACTUAL), Context()) == RAW
    assert applied(calibration(), context=Context(switches=Switches(calibration=False))) == RAW


def test_what_was_fitted_to_sections_is_for_those_alone() -> None:
    both = calibration(MADE, in_sections(MADE))
    assert applied(both, in_sections=True).calibrator == "answer-made-sections"
    assert applied(both).calibrator == "answer-made"
    assert applied(calibration(in_sections(MADE))).uncalibrated == "calibrated for long documents only"


def test_another_reader_of_sections_leaves_other_answers_calibrated() -> None:
    changed = calibration(MADE, in_sections(MADE), sections="other")
    assert applied(changed).calibrator == "answer-made"
    assert applied(changed, in_sections=True).uncalibrated == "not calibrated for long documents"


def test_what_was_fitted_to_enough_of_both_holds_for_questions_about_code_and_others() -> None:
    both = calibration(MADE.replace(fitted_on=MADE.fitted_on.replace(names_code=None)))
    assert applied(both, names_code=True).calibrator == applied(both).calibrator == "answer-made"


def test_conditions_change_with_the_weights_and_with_nothing_else() -> None:
    assert weights_of(Context(doubt=0.9), "m") == weights_of(Context(), "m") != weights_of(Context(), "n")
    assert Calibration(encoder="e").conditions(Context()).replace(weights="") == Conditions(encoder="e")


def test_the_same_mix_of_scores_is_no_drift_and_another_is() -> None:
    dice = np.random.default_rng(1)
    same = drift(dice.random(DRIFT_LEAST).tolist(), MADE.fitted_on)
    other = drift(dice.uniform(0.7, 1.0, DRIFT_LEAST).tolist(), MADE.fitted_on)
    assert same is not None
    assert other is not None
    assert same < DRIFTED < other


def test_drift_is_the_population_stability_index() -> None:
    """Of 100 scores 70 and 30 lie where the fit had 20 and 80 of 100; each bin gets half a score."""
    fitted = MADE.fitted_on.replace(edges=(0.5,), shares=(0.2, 0.8))
    found = drift([0.1] * 70 + [0.5] * 30, fitted)
    seen, known = np.array([70.5, 30.5]) / 101, np.array([20.5, 80.5]) / 101
    assert found == pytest.approx(float(((seen - known) * np.log(seen / known)).sum()))
    assert (DRIFTED, DRIFT_LEAST) == (0.25, 100)


def test_few_scores_and_fits_without_bins_say_nothing_about_drift() -> None:
    assert drift([0.9] * (DRIFT_LEAST - 1), MADE.fitted_on) is None
    assert drift([0.9] * DRIFT_LEAST, MADE.fitted_on.replace(edges=(), shares=())) is None


@pytest.mark.parametrize(
    ("question", "reason"),
    [
        ("Who wrote the manual?", ""),
        ("Who built the Press C9 in room B12?", ""),
        ("What does json.dumps return?", "not calibrated for questions about code"),
        ("What is the default of max_retries?", "not calibrated for questions about code"),
    ],
)
def test_questions_about_code_are_another_kind(question: str, reason: str) -> None:
    kind = kind_of(question, Language.ENGLISH, QueryType.FACTUAL)
    assert calibration().apply(RAW, "answer", kind, Context()).uncalibrated == reason
    assert applied(calibration(), names_code=kind.names_code).uncalibrated == reason
