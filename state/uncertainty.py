"""Uncertainty signals: typed, weighted, cumulative per phase (spec 5).

A signal counts once per attempt of a phase and comes from model or tool output, never from retrieved text. The score of
a phase is the sum of its signals since the last guidance: a person's answer resets it.
"""

from collections.abc import Sequence
from enum import StrEnum
from typing import Annotated

from pydantic import Field

from calibrant.state.base import Value, merged
from calibrant.state.task import Phase

Points = Annotated[
    int, Field(ge=0, le=1000, description="What this sign of uncertainty adds to the score; 0 ignores it.")
]


class SignalKind(StrEnum):
    """What made a phase uncertain."""

    HESITATION = "planner_hesitation"
    SEVERAL_CANDIDATES = "several_candidates"
    REPEATED_FAILURE = "repeated_failure"
    NO_TOOL_CALLS = "no_tool_calls"
    INCONCLUSIVE = "verification_inconclusive"
    MISSING_RESOURCE = "missing_resource"
    UNEXPLAINED_TIMEOUT = "unexplained_timeout"
    CONFLICTING_RESULTS = "conflicting_results"
    BREAKER_OPENED = "breaker_opened"


class SignalWeights(Value):
    """What a signal counts for (spec 5's table; the last two are DESIGN's). A field for each kind."""

    planner_hesitation: Points = 2
    several_candidates: Points = 3
    repeated_failure: Points = 5
    no_tool_calls: Points = 4
    verification_inconclusive: Points = 3
    missing_resource: Points = 2
    unexplained_timeout: Points = 2
    conflicting_results: Points = 3
    breaker_opened: Points = 5

    def of(self, kind: SignalKind) -> int:
        """The weight of one kind."""
        weight: int = getattr(self, kind.value)
        return weight


ASK_AT = 5
"""Cumulative score at which a person is asked (spec 5, ``threshold``)."""

SKIP_ABOVE = 10
"""With nobody there, a step whose phase scores above this is skipped (spec 5, ``auto_skip_threshold``)."""


class Signal(Value):
    """One observed sign of uncertainty."""

    kind: SignalKind
    phase: Phase
    attempt: int = 1
    detail: str = ""
    weight: int | None = None
    """By the run's configuration; None in what an earlier version stored."""
    resolved: bool = False
    """True once a person has answered for the phase: it no longer counts."""

    @property
    def key(self) -> tuple[str, str, int]:
        """What may count only once."""
        return (self.kind, self.phase, self.attempt)

    @property
    def counts(self) -> int:
        """What it adds to the score."""
        return SignalWeights().of(self.kind) if self.weight is None else self.weight


merge_signals = merged(Signal, "key")
"""The reducer of signals: repeats of one kind in one attempt of a phase count once, a later write replaces an
earlier."""


def uncertainty_score(signals: Sequence[Signal], phase: Phase) -> int:
    """The cumulative score of ``phase``: the weights of its unresolved signals."""
    counted = {signal.key: signal for signal in signals if signal.phase is phase and not signal.resolved}
    return sum(signal.counts for signal in counted.values())


def resolve(signals: Sequence[Signal], phase: Phase) -> tuple[Signal, ...]:
    """The signals of ``phase``, marked as answered."""
    return tuple(signal.replace(resolved=True) for signal in signals if signal.phase is phase and not signal.resolved)
