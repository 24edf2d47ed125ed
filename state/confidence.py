"""Confidence: named factors, their weighted mean, and the level that people read.

A score explains itself: each factor has a name, a score in 0..1, a weight and a reason. A factor that does not apply
is *unscored* (``score=None``): its weight is spread over the others, and it never counts as 0.
"""

from collections.abc import Mapping, Sequence
from enum import StrEnum
from math import floor
from typing import Annotated, Any

from pydantic import AfterValidator, Field, computed_field, model_validator

from calibrant.state.base import Value


class Level(StrEnum):
    """The reading of a score (spec 3, appendix): >= 0.9 high, >= 0.7 medium, >= 0.5 low, else very low."""

    HIGH = "high"
    MEDIUM = "medium"
    LOW = "low"
    VERY_LOW = "very low"


def level_of(score: float) -> Level:
    """The level of a score in 0..1."""
    if score >= 0.9:
        return Level.HIGH
    if score >= 0.7:
        return Level.MEDIUM
    return Level.LOW if score >= 0.5 else Level.VERY_LOW


def score_text(score: float) -> str:
    """A score as people read it: two digits, rounded down, so that what misses a threshold never reads as if it reached
    it. (0.29 * 100 is a little less than 29.)"""
    return f"{floor(score * 100 + 1e-6) / 100:.2f}"


class Factor(Value):
    """One named reason for a score. ``score`` is None where the factor does not apply."""

    name: str
    score: float | None = Field(default=None, ge=0.0, le=1.0)
    weight: float = Field(ge=0.0)
    reason: str = ""


class Confidence(Value):
    """A score with its reasons. ``raw`` is the weighted mean; ``score`` is calibrated where a calibrator was valid."""

    raw: float = Field(default=0.0, ge=0.0, le=1.0)
    score: float = Field(default=0.0, ge=0.0, le=1.0)
    factors: tuple[Factor, ...] = ()
    calibrator: str = ""
    """Name of the calibrator that made ``score`` from ``raw``; empty means not calibrated."""
    uncalibrated: str = ""
    """Why a calibrator that exists was not used; empty where one was, and where there is none."""

    @computed_field  # type: ignore[prop-decorator]
    @property
    def level(self) -> Level:
        """What the score is called, in JSON too."""
        return level_of(self.score)

    def factor(self, name: str) -> float | None:
        """The score of the named factor; None if it is unscored or absent."""
        return next((factor.score for factor in self.factors if factor.name == name), None)

    def costliest(self, count: int = 3) -> tuple[Factor, ...]:
        """The factors that took most from the score, in falling order of what they took."""
        scored = [factor for factor in self.factors if factor.score is not None and lost(factor) > 0.005]
        return tuple(sorted(scored, key=lost, reverse=True)[:count])


def lost(factor: Factor) -> float:
    """What a factor takes from a perfect score, before the weights are normalised."""
    return factor.weight * (1.0 - (1.0 if factor.score is None else factor.score))


def weighted_mean(factors: Sequence[Factor]) -> float:
    """The mean of the scored factors, by weight (spec 3, ``Confidence.Weighted``). 0.0 when none is scored.

    To nine digits: no threshold is missed by the error of a sum.
    """
    scored = [(factor.score, factor.weight) for factor in factors if factor.score is not None]
    total = sum(weight for _, weight in scored)
    if total == 0.0:
        return 0.0
    return min(1.0, max(0.0, round(sum(score * weight for score, weight in scored) / total, 9)))


def confidence_of(factors: Sequence[Factor]) -> Confidence:
    """An uncalibrated ``Confidence`` from its factors."""
    mean = weighted_mean(factors)
    return Confidence(raw=mean, score=mean, factors=tuple(factors))


Weight = Annotated[
    float, Field(ge=0.0, allow_inf_nan=False, description="Weight of this factor among those of its group.")
]


class PhaseWeights(Value):
    """Weights of the phase factors (spec 1: past experience .30, patterns .25, understanding .20, clarity .15, risk
    .10)."""

    past_experience: Weight = 0.30
    pattern_availability: Weight = 0.25
    task_understanding: Weight = 0.20
    strategy_clarity: Weight = 0.15
    risk: Weight = 0.10


class SufficiencyWeights(Value):
    """Weights of the sufficiency factors (spec 2, heuristic method)."""

    coverage: Weight = 0.4
    recency: Weight = 0.2
    diversity: Weight = 0.2
    completeness: Weight = 0.2


RESULT_PROFILES: Mapping[str, Mapping[str, float]] = {
    "specification": {},
    "fitted": {"completeness": 0.39, "consistency": 0.05, "specificity": 0.13, "grounding": 0.39, "hedging": 0.04},
}
"""Named weights of the result-quality factors: the defaults, and those fitted to people's ratings of answers
(``evals/fitting/scorer.py``)."""


class ResultWeights(Value):
    """Weights of the result-quality factors (spec 3, ``DefaultFactors``). One word stands for all: a profile's name."""

    completeness: Weight = 0.25
    consistency: Weight = 0.25
    specificity: Weight = 0.20
    grounding: Weight = 0.20
    hedging: Weight = 0.10

    @model_validator(mode="before")
    @classmethod
    def _by_name(cls, value: Any) -> Any:
        if not isinstance(value, str):
            return value
        if value not in RESULT_PROFILES:
            raise ValueError(f"weights by factor, or one of {', '.join(RESULT_PROFILES)}")
        return dict(RESULT_PROFILES[value])


def after_verdict(score: float, up: bool, strength: float = 0.8) -> float:
    """A score after a model's verdict: ``strength`` of the way to 1 or to 0, so that what code found still counts."""
    return score + (1.0 - score) * strength if up else score * (1.0 - strength)


class Thresholds(Value):
    """Proceed, retrieve and abort thresholds of a phase, P > R > A (spec 1)."""

    proceed: float = Field(ge=0.0, le=1.0, description="Go on from here up.")
    retrieve: float = Field(ge=0.0, le=1.0, description="Below this, searching having stopped helping, ask.")
    abort: float = Field(ge=0.0, le=1.0, description="Below this, end unless a person says otherwise.")


def _falling(thresholds: Thresholds) -> Thresholds:
    if not thresholds.proceed > thresholds.retrieve > thresholds.abort:
        raise ValueError("proceed above retrieve, and retrieve above abort")
    return thresholds


Ordered = Annotated[Thresholds, AfterValidator(_falling)]
"""Thresholds as a setting. The rule is not the class's own, since what is stored must load whatever it was."""


class PhaseThresholds(Value):
    """Spec 1, ``config/confidence.yaml``."""

    perceive: Ordered = Thresholds(proceed=0.70, retrieve=0.50, abort=0.30)
    reason: Ordered = Thresholds(proceed=0.75, retrieve=0.60, abort=0.40)
    act: Ordered = Thresholds(proceed=0.80, retrieve=0.65, abort=0.50)
    reflect: Ordered = Thresholds(proceed=0.70, retrieve=0.55, abort=0.40)
