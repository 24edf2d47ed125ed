"""From labelled scores to calibrators: fitted where they can be, refused with a reason where not."""

from dataclasses import replace

import numpy as np
import pytest

from calibrant.evals.calibrate import RunShares, Trial, _checked
from calibrant.evals.calibrators import CALIBRATORS
from calibrant.evals.fitting import calibrators as fit_calibrators
from calibrant.evals.fitting.calibrators import TOLERANCE, Fit, bins, fits, is_right, raw_of
from calibrant.evals.task import Row
from calibrant.judges.calibration import Conditions, Scored
from calibrant.state.task import Language, QueryType
from tests.calibration.made import conditions, row, rows


def one(held: list[Row], scored: Scored = "answer") -> Fit:
    (found,) = fits(held, scored, of_all, seed=0)
    return found


def of_all(in_sections: bool) -> Conditions:
    return conditions()


def test_too_much_confidence_is_taken_back_and_what_it_was_fitted_on_is_kept() -> None:
    held = rows(400)
    found = one(held).calibrator
    assert found is not None
    assert found.score(0.9) == pytest.approx(0.63, abs=0.08)
    assert found.name in ("answer-en-platt", "answer-en-beta")
    fitted = found.fitted_on
    assert (fitted.datasets, fitted.answers, fitted.right) == (("made",), 400, sum(map(is_right, held)))
    assert (fitted.languages, fitted.query_types) == ((Language.ENGLISH,), (QueryType.FACTUAL,))
    assert fitted.conditions == conditions()
    assert fitted.shares == pytest.approx((0.2,) * 5, abs=0.01)


def test_with_many_labels_the_curve_is_isotonic(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fit_calibrators, "ISOTONIC_FROM", 300)
    found = one(rows(300)).calibrator
    assert found is not None
    assert found.kind == "isotonic"
    assert one(rows(299)).calibrator != found


@pytest.mark.parametrize(
    ("held", "problem"),
    [
        (rows(49), "49 labels, 50 are needed"),
        (rows(60, share=0.0), "all 60 are wrong"),
        ([row(number, 0.5 + number / 1000, right=True) for number in range(60)], "all 60 are right"),
        (
            [row(number, 1.0 - number / 1000, right=number % 3 > 0 and number > 50) for number in range(200)],
            "does not tell",
        ),
    ],
)
def test_what_cannot_be_fitted_says_why(held: list[Row], problem: str) -> None:
    found = one(held)
    assert found.calibrator is None
    assert problem in found.problem


def test_a_score_that_tells_little_may_be_shown_as_little_but_leads_no_phase() -> None:
    dice = np.random.default_rng(0)
    weak = [row(number, 0.8 + number / 1000, right=bool(dice.random() < 0.4 + number / 1000)) for number in range(200)]
    shown, leading = one(weak), one(weak, "reflect")
    assert shown.low is not None
    assert shown.low <= fit_calibrators.TELLING
    assert leading.problem == "the score does not tell right from wrong"
    assert shown.calibrator is not None
    assert 0.3 < shown.calibrator.score(0.8) < shown.calibrator.score(1.0) < 0.75


def test_reviews_count_only_where_an_answer_was_given() -> None:
    silent = row(1, 0.9, right=True, answered=False)
    assert raw_of(silent, "answer") is None
    assert raw_of(silent, "reflect") is None
    assert raw_of(silent, "perceive") == 0.5
    assert raw_of(silent, "act") is None
    assert not is_right(silent)  # it was right to abstain, but there is no right answer


def test_each_language_has_a_fit_of_its_own_and_a_rare_kind_of_question_has_none() -> None:
    english = [replace(held, values={**held.values, "query_type": "decision"}) for held in rows(19, seed=3)]
    portuguese = [replace(held, values={**held.values, "language": "pt"}) for held in rows(200, seed=4)]
    found = list(fits([*rows(200), *english, *portuguese], "answer", of_all, seed=0))
    assert [fit.language for fit in found] == [Language.ENGLISH, Language.PORTUGUESE]
    assert [fit.calibrator.fitted_on.query_types for fit in found if fit.calibrator] == [(QueryType.FACTUAL,)] * 2


def test_answers_in_sections_have_a_fit_of_their_own_and_phases_have_one_for_all() -> None:
    below = [replace(held, values={**held.values, "in_sections": True}) for held in rows(100, seed=5)]
    both = [*rows(200), *below]
    found = list(fits(both, "answer", lambda in_sections: conditions(weights=f"{in_sections}"), seed=0))
    assert [(fit.in_sections, fit.count) for fit in found] == [(False, 200), (True, 100)]
    held = [fit.calibrator.fitted_on for fit in found if fit.calibrator]
    assert [(one.in_sections, one.conditions.weights) for one in held] == [(False, "False"), (True, "True")]
    assert [(fit.in_sections, fit.count) for fit in fits(both, "reflect", of_all, seed=0)] == [(False, 300)]


@pytest.mark.parametrize(("naming", "told"), [(0, False), (19, False), (20, None), (180, None), (181, True)])
def test_questions_about_code_and_others_are_both_stood_for_from_twenty_of_each(naming: int, told: bool | None) -> None:
    held = [replace(one, values={**one.values, "names_code": number < naming}) for number, one in enumerate(rows(200))]
    found = one(held).calibrator
    assert found is not None
    assert found.fitted_on.names_code is told


def test_the_thinned_curve_is_the_fitted_one() -> None:
    held = rows(400)
    raw, right = fit_calibrators.scores(held, "answer"), fit_calibrators.labels(held)
    for kind in ("Platt", "beta", "isotonic"):
        x, y = fit_calibrators.knots(kind, raw, right)
        whole = CALIBRATORS[kind](raw, right)(raw)
        assert np.abs(np.interp(raw, x, y) - whole).max() < TOLERANCE + 1e-3
        assert len(x) < 60
        assert (x[0], x[-1]) == (raw.min(), raw.max())


def test_equal_scores_share_a_bin() -> None:
    edges, shares = bins(np.asarray([0.5] * 80 + [0.9] * 20))
    assert len(shares) == len(edges) + 1
    assert sum(shares) == pytest.approx(1.0)
    assert 0.8 in shares


def test_a_calibrator_that_does_not_help_on_the_other_half_is_dropped() -> None:
    honest = rows(400)
    found = one(honest)
    assert _checked(found, honest).calibrator == found.calibrator
    turned = [replace(held, values={**held.values, "right": held.values["raw"]["reflect"] > 0.3}) for held in honest]
    assert _checked(found, turned).problem == "it does not help on the held-out half"
    assert "answers to check it on" in _checked(found, honest[:30]).problem


@pytest.mark.parametrize(
    ("after", "is_kept"),
    [
        (RunShares(0.7, 0.5, 2.0), True),
        (RunShares(0.7, 0.5, 2.2), True),
        (RunShares(0.7, 0.5, 2.3), False),
        (RunShares(0.69, 0.5, 2.0), False),
        (RunShares(0.7, 0.49, 1.0), False),
    ],
)
def test_calibrators_of_phases_are_kept_only_where_the_run_gets_no_worse(after: RunShares, is_kept: bool) -> None:
    assert Trial(("act",), RunShares(0.7, 0.5, 2.0), after).kept is is_kept
