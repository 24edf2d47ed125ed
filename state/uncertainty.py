"""Uncertainty signals: typed, weighted, cumulative per phase (spec 5).

A signal counts once per attempt of a phase and comes from model or tool output, never from retrieved text. The score of
a phase is the sum of its signals since the last guidance: a person's answer resets it.
"""

from collections.abc import Sequence
from enum import StrEnum

from calibrant.state.base import Value, merged
from calibrant.state.task import Phase


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


SIGNAL_WEIGHTS: dict[SignalKind, int] = {
    SignalKind.HESITATION: 2,
    SignalKind.SEVERAL_CANDIDATES: 3,
    SignalKind.REPEATED_FAILURE: 5,
    SignalKind.NO_TOOL_CALLS: 4,
    SignalKind.INCONCLUSIVE: 3,
    SignalKind.MISSING_RESOURCE: 2,
    SignalKind.UNEXPLAINED_TIMEOUT: 2,
    SignalKind.CONFLICTING_RESULTS: 3,
    SignalKind.BREAKER_OPENED: 5,
}
"""Spec 5's table; the last two are DESIGN's."""

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
    resolved: bool = False
    """True once a person has answered for the phase: it no longer counts."""

    @property
    def key(self) -> tuple[str, str, int]:
        """What may count only once."""
        return (self.kind, self.phase, self.attempt)


merge_signals = merged(Signal, "key")
"""The reducer of signals: repeats of one kind in one attempt of a phase count once, a later write replaces an
earlier."""


def uncertainty_score(signals: Sequence[Signal], phase: Phase) -> int:
    """The cumulative score of ``phase``: the weights of its unresolved signals."""
    counted = {signal.key: signal for signal in signals if signal.phase is phase and not signal.resolved}
    return sum(SIGNAL_WEIGHTS[signal.kind] for signal in counted.values())


def resolve(signals: Sequence[Signal], phase: Phase) -> tuple[Signal, ...]:
    """The signals of ``phase``, marked as answered."""
    return tuple(signal.replace(resolved=True) for signal in signals if signal.phase is phase and not signal.resolved)
