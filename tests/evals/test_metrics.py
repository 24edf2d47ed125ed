"""The metrics, against values worked out by hand."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from calibrant.evals import metrics

YES, NO = True, False


def test_auroc_counts_the_pairs_in_order_and_ties_half() -> None:
    assert metrics.auroc([YES, YES, NO, NO], [0.9, 0.4, 0.5, 0.1]) == pytest.approx(0.75)
    assert metrics.auroc([YES, NO], [0.5, 0.5]) == pytest.approx(0.5)
    assert metrics.auroc([YES, YES], [0.1, 0.9]) is None


@given(st.lists(st.tuples(st.booleans(), st.sampled_from([0.1, 0.2, 0.5, 0.9])), min_size=2, max_size=40))
def test_auroc_is_that_of_scikit_learn(pairs: list[tuple[bool, float]]) -> None:
    from sklearn.metrics import roc_auc_score  # here, since it takes seconds to import

    truth, scores = [one for one, _ in pairs], [score for _, score in pairs]
    if any(truth) and not all(truth):
        assert metrics.auroc(truth, scores) == pytest.approx(roc_auc_score(truth, scores))


def test_balanced_accuracy_weighs_the_classes_alike() -> None:
    assert metrics.balanced_accuracy([YES, NO, NO, NO], [YES, NO, NO, YES]) == pytest.approx((1 + 2 / 3) / 2)
    assert metrics.balanced_accuracy([NO, NO], [YES, NO]) is None


def test_the_best_threshold_parts_what_can_be_parted() -> None:
    truth, scores = [NO, NO, YES, YES], [0.1, 0.3, 0.6, 0.8]
    best = metrics.best_threshold(truth, scores)
    assert best is not None
    assert best == pytest.approx(0.6)
    assert metrics.balanced_accuracy(truth, [score >= best for score in scores]) == 1.0


def test_precision_recall_and_f1() -> None:
    truth, said = [YES, YES, YES, NO, NO], [YES, NO, NO, YES, NO]
    assert metrics.precision(truth, said) == pytest.approx(1 / 2)
    assert metrics.recall(truth, said) == pytest.approx(1 / 3)
    assert metrics.f1(truth, said) == pytest.approx(2 / 5)
    assert metrics.precision(truth, [NO] * 5) is None
    assert metrics.f1(truth, [NO] * 5) == 0.0


def test_a_calibration_error_is_the_mean_gap() -> None:
    """Two bins of equal mass: 0.2 where half is right, 0.8 where all is."""
    truth = [YES, NO, YES, YES]
    confidences = [0.2, 0.2, 0.8, 0.8]
    assert metrics.ece(truth, confidences, bins=2) == pytest.approx((0.3 + 0.2) / 2)
    assert metrics.brier(truth, confidences) == pytest.approx((0.64 + 0.04 + 0.04 + 0.04) / 4)


def test_the_confidence_that_most_have_is_a_bin_of_its_own() -> None:
    """20 of 1,000 at 0 and right, 980 at 1 of which 20 are wrong: together they would show no error."""
    truth, confidences = [*[YES] * 20, *[YES] * 960, *[NO] * 20], [*[0.0] * 20, *[1.0] * 980]
    assert metrics.ece(truth, confidences) == pytest.approx(0.04)
    assert [count for _, _, count in metrics.reliability(truth, confidences)] == [20, 980]


def test_equal_confidences_share_a_bin() -> None:
    """Parted at random they would show an error that is not there."""
    assert metrics.ece([YES, NO] * 50, [0.5] * 100) == pytest.approx(0.0)
    assert metrics.reliability([YES, NO] * 50, [0.5] * 100) == [(0.5, 0.5, 100)]


def test_the_bins_hold_everything_once() -> None:
    dice = np.random.default_rng(3)
    found = metrics.reliability(dice.random(997) < 0.5, dice.random(997))
    assert sum(count for _, _, count in found) == 997
    assert len(found) == metrics.BINS


def test_risk_rises_with_coverage_where_the_sure_ones_are_right() -> None:
    coverage, risk = metrics.risk_coverage([YES, YES, NO, NO], [0.9, 0.8, 0.2, 0.1])
    assert list(coverage) == [0.25, 0.5, 0.75, 1.0]
    assert list(risk) == pytest.approx([0.0, 0.0, 1 / 3, 1 / 2])
    assert metrics.aurc([YES, YES, NO, NO], [0.9, 0.8, 0.2, 0.1]) == pytest.approx((1 / 3 + 1 / 2) / 4)


def test_the_order_of_equal_confidences_does_not_matter() -> None:
    one, other = ([YES, NO, NO, YES], [NO, YES, YES, NO])
    assert metrics.aurc(one, [0.5] * 4) == metrics.aurc(other, [0.5] * 4) == pytest.approx(0.5)


def test_rank_correlations() -> None:
    assert metrics.spearman([1, 2, 3, 4], [10, 20, 30, 400]) == pytest.approx(1.0)
    assert metrics.kendall([1, 2, 3, 4], [4, 3, 2, 1]) == pytest.approx(-1.0)
    assert metrics.spearman([1, 1, 1], [1, 2, 3]) is None


def test_accuracy_and_macro_f1() -> None:
    truth, said = ["a", "a", "b", "c"], ["a", "b", "b", "b"]
    assert metrics.accuracy(truth, said) == 0.5
    assert metrics.macro_f1(truth, said) == pytest.approx((2 / 3 + 1 / 2 + 0) / 3)


def test_an_interval_is_the_same_for_the_same_seed_and_wider_for_groups() -> None:
    """Ten records of ten equal items each tell as much as ten items."""
    values = np.repeat(np.arange(10) % 2, 10)
    alone = [str(place) for place in range(100)]
    records = [str(place // 10) for place in range(100)]

    def mean(held: np.ndarray) -> float:
        return float(held.mean())

    first = metrics.interval(mean, values, groups=alone, seed=1)
    assert first == metrics.interval(mean, values, groups=alone, seed=1)
    assert first != metrics.interval(mean, values, groups=alone, seed=2)
    grouped = metrics.interval(mean, values, groups=records, seed=1)
    assert first is not None
    assert grouped is not None
    assert grouped[1] - grouped[0] > 2 * (first[1] - first[0])
    assert metrics.interval(mean, values, groups=["one"] * 100) is None


def test_the_interval_of_a_calibration_error_lies_around_it() -> None:
    """Percentiles alone would leave out the error itself, as samples of a sample look worse calibrated."""
    dice = np.random.default_rng(5)
    confidences = dice.random(400)
    truth = dice.random(400) < confidences
    error = metrics.ece(truth, confidences)
    bounds = metrics.interval(metrics.ece, truth, confidences, groups=[str(place) for place in range(400)])
    assert error is not None
    assert bounds is not None
    assert bounds[0] <= error <= bounds[1]


@given(st.lists(st.tuples(st.booleans(), st.floats(0, 1)), min_size=1, max_size=60))
def test_every_metric_stays_in_its_range(pairs: list[tuple[bool, float]]) -> None:

    truth, scores = [one for one, _ in pairs], [score for _, score in pairs]
    for statistic in (metrics.auroc, metrics.ece, metrics.brier, metrics.aurc):
        value = statistic(truth, scores)
        assert value is None or -1e-9 <= value <= 1 + 1e-9


def test_few_items_show_an_error_by_chance_and_many_hardly_one() -> None:
    few, many = (metrics.ece_by_chance([0.3, 0.5, 0.7] * count) for count in (10, 2_000))
    assert few is not None
    assert many is not None
    assert few > 0.05
    assert many < 0.02
    assert metrics.ece_by_chance([]) is None
