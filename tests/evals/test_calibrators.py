"""Calibrators make a confidence that is too high true, and keep its order."""

import numpy as np
import pytest

from calibrant.evals import metrics
from calibrant.evals.calibrators import CALIBRATORS


@pytest.mark.parametrize("name", CALIBRATORS)
def test_too_much_confidence_is_taken_back(name: str) -> None:
    dice = np.random.default_rng(2)
    stated = dice.uniform(0.5, 1.0, 4000)
    right = dice.random(4000) < stated - 0.3
    fitted = CALIBRATORS[name](stated[:2000], right[:2000])(stated[2000:])
    raw, mended = (metrics.ece(right[2000:], given) for given in (stated[2000:], fitted))
    assert raw is not None
    assert mended is not None
    assert raw > 0.25
    assert mended < 0.06
    assert (np.diff(fitted[np.argsort(stated[2000:])]) >= -1e-9).all()


@pytest.mark.parametrize("name", CALIBRATORS)
def test_where_all_is_right_all_is_sure(name: str) -> None:
    fitted = CALIBRATORS[name]([0.2, 0.4, 0.9], [True, True, True])
    assert list(fitted([0.1, 1.0])) == pytest.approx([1.0, 1.0])
