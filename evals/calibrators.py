"""Calibrators to compare: from stated confidences and outcomes to a function that maps a confidence to a better one."""

from collections.abc import Callable

import numpy as np
from numpy.typing import ArrayLike

from calibrant.evals.metrics import Floats

Calibrator = Callable[[ArrayLike], Floats]
_EDGE = 1e-3
"""Confidences are kept this far from 0 and 1: their log odds must be finite."""


def isotonic(confidences: ArrayLike, right: ArrayLike) -> Calibrator:
    """The best rising step function (Zadrozny & Elkan 2002)."""
    from sklearn.isotonic import IsotonicRegression

    curve = IsotonicRegression(y_min=0.0, y_max=1.0, out_of_bounds="clip")
    curve.fit(_inside(confidences), np.asarray(right, dtype=float))
    return lambda given: np.asarray(curve.predict(_inside(given)))


def platt(confidences: ArrayLike, right: ArrayLike) -> Calibrator:
    """A logistic curve over the log odds (Platt 1999)."""
    return _logistic(lambda p: np.column_stack([np.log(p / (1 - p))]), confidences, right)


def beta(confidences: ArrayLike, right: ArrayLike) -> Calibrator:
    """A logistic curve over ln p and -ln(1 - p), each with its own weight (Kull et al. 2017)."""
    return _logistic(lambda p: np.column_stack([np.log(p), -np.log(1 - p)]), confidences, right)


def _logistic(inputs: Callable[[Floats], Floats], confidences: ArrayLike, right: ArrayLike) -> Calibrator:
    from sklearn.linear_model import LogisticRegression

    outcomes = np.asarray(right, dtype=bool)
    if outcomes.all() or not outcomes.any():
        share = float(outcomes.mean())
        return lambda given: np.full(len(np.asarray(given)), share)
    fitted = LogisticRegression(C=1e4).fit(inputs(_inside(confidences)), outcomes)
    return lambda given: np.asarray(fitted.predict_proba(inputs(_inside(given)))[:, 1])


def _inside(confidences: ArrayLike) -> Floats:
    inside: Floats = np.clip(np.asarray(confidences, dtype=float), _EDGE, 1 - _EDGE)
    return inside


CALIBRATORS: dict[str, Callable[[ArrayLike, ArrayLike], Calibrator]] = {
    "isotonic": isotonic, "Platt": platt, "beta": beta,
}  # fmt: skip
