"""Forcing gaps: what makes a phase search whatever its score."""

from math import nextafter

import pytest

from calibrant.state.confidence import Confidence, Factor
from calibrant.state.decision import NO_EXPERIENCE, NO_PATTERN, UNCLEAR, forcing_gaps


def known(experience: float | None, pattern: float | None, clarity: float | None) -> Confidence:
    """A confidence with these three factors."""
    scores = {"past_experience": experience, "pattern_availability": pattern, "strategy_clarity": clarity}
    return Confidence(factors=tuple(Factor(name=name, score=score, weight=0.2) for name, score in scores.items()))


@pytest.mark.parametrize(
    ("experience", "pattern", "clarity", "gaps"),
    [
        (0.0, 0.5, 1.0, (NO_EXPERIENCE,)),
        (0.01, 0.5, 1.0, ()),
        (None, 0.5, 1.0, ()),
        (0.5, 0.0, nextafter(UNCLEAR, 0.0), (NO_PATTERN,)),
        (0.5, 0.0, UNCLEAR, ()),
        (0.5, 0.0, nextafter(UNCLEAR, 1.0), ()),
        (0.5, 0.0, None, (NO_PATTERN,)),
        (0.5, 0.01, 0.0, ()),
        (0.5, None, 0.0, ()),
        (0.0, 0.0, 0.0, (NO_EXPERIENCE, NO_PATTERN)),
        (0.0, 0.0, 1.0, (NO_EXPERIENCE,)),
    ],
)
def test_gaps(experience: float | None, pattern: float | None, clarity: float | None, gaps: tuple[str, ...]) -> None:
    """No past experience; or no pattern and an unclear strategy. An unscored factor is no gap."""
    assert forcing_gaps(known(experience, pattern, clarity), ()) == gaps


@pytest.mark.parametrize(
    ("searched", "left"),
    [
        ((), (NO_EXPERIENCE, NO_PATTERN)),
        ((NO_EXPERIENCE,), (NO_PATTERN,)),
        ((NO_PATTERN,), (NO_EXPERIENCE,)),
        ((NO_PATTERN, NO_EXPERIENCE), ()),
    ],
)
def test_a_gap_forces_one_search_in_a_run(searched: tuple[str, ...], left: tuple[str, ...]) -> None:
    """What was searched for and not found is not searched for again."""
    assert forcing_gaps(known(0.0, 0.0, 0.0), searched) == left


def test_no_factors_no_gaps() -> None:
    """With confidence tracking switched off nothing is forced."""
    assert forcing_gaps(Confidence(), ()) == ()
