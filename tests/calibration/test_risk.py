"""A threshold for an error rate: exact on constructed questions, and kept on average over drawn ones."""

import numpy as np
import pytest

from calibrant.evals.risk import Answer, Kept, kept, threshold_for


def answers(right: int, wrong: int, unanswered: int = 0) -> list[Answer]:
    """Right ones at 0.9, wrong ones at 0.01, 0.02, ..., and questions without an answer."""
    return [
        *(Answer(True, 0.9, False) for _ in range(right)),
        *(Answer(True, (place + 1) / 100, True) for place in range(wrong)),
        *(Answer(False, 0.99, True) for _ in range(unanswered)),
    ]


@pytest.mark.parametrize(
    ("questions", "threshold"),
    [
        (answers(79, 20), 0.1101),  # 100 + 1 questions: nine wrong ones may stay, those at 0.12 to 0.20
        (answers(90, 9), 0.0),  # nine are as many as may be
        (answers(40, 20, 39), 0.1101),  # what is not answered counts as a question, never as wrong
        (answers(19, 0), 0.0),
        (answers(8, 0), None),  # eight right ones do not show a rate of one in ten
        (answers(8, 1), 0.0101),
        ([Answer(True, 1.0, True)] * 99, None),  # nothing is surer than the wrong ones
        ([Answer(True, 0.57, True)] * 99, 0.5701),  # 0.57 * 10000 is a little less than 5700
    ],
)
def test_the_smallest_threshold_that_keeps_a_tenth(questions: list[Answer], threshold: float | None) -> None:
    assert threshold_for(0.1, questions) == threshold


def test_the_threshold_found_keeps_the_bound_and_a_smaller_one_does_not() -> None:
    questions = answers(79, 20)
    found = threshold_for(0.1, questions)
    assert found is not None
    n = len(questions)
    bounds = [n / (n + 1) * kept(place, questions).risk + 1 / (n + 1) for place in (found, found - 0.0002)]
    assert bounds[0] <= 0.1 < bounds[1]


def test_no_score_on_the_grid_of_thresholds_breaks_the_bound() -> None:
    for step in range(10_000):
        score = step / 10_000
        found = threshold_for(0.1, [Answer(True, score, True)] * 20)
        assert found is not None
        assert score < found <= score + 0.00011


def test_what_a_threshold_keeps() -> None:
    questions = answers(3, 2, 5)
    assert kept(0.0, questions) == Kept(coverage=0.5, risk=0.2)
    assert kept(0.02, questions) == Kept(coverage=0.4, risk=0.1)
    assert kept(0.95, questions) == Kept(coverage=0.0, risk=0.0)
    assert kept(0.5, []) == Kept(coverage=0.0, risk=0.0)


def test_on_average_the_promise_is_kept() -> None:
    """Uniform scores, four of five answered, one at s wrong with 1 - s: at a threshold t the risk is 0.4 (1 - t)^2."""
    dice = np.random.default_rng(5)
    risks = []
    for _ in range(1500):
        scores, answered = dice.random(60), dice.random(60) < 0.8
        wrong = dice.random(60) > scores
        drawn = zip(answered.tolist(), scores.tolist(), wrong.tolist(), strict=True)
        found = threshold_for(0.15, [Answer(*one) for one in drawn])
        risks.append(0.0 if found is None else 0.4 * (1.0 - found) ** 2)
    assert np.mean(risks) <= 0.15 + 3 * np.std(risks) / len(risks) ** 0.5
    assert np.mean(risks) > 0.13
