"""Uncertainty signals: their weights, counted once per attempt, cumulative per phase, reset by an answer."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from calibrant.state.task import Phase
from calibrant.state.uncertainty import (
    ASK_AT,
    SKIP_ABOVE,
    Signal,
    SignalKind,
    SignalWeights,
    merge_signals,
    resolve,
    uncertainty_score,
)

SIGNALS = st.lists(
    st.builds(
        Signal,
        kind=st.sampled_from(SignalKind),
        phase=st.sampled_from(Phase),
        attempt=st.integers(1, 3),
        resolved=st.booleans(),
        detail=st.sampled_from(["", "first", "second"]),
    ),
    max_size=8,
)


def test_weights_are_the_specified_ones() -> None:
    """DESIGN section 4, every kind."""
    specified = {
        "planner_hesitation": 2,
        "several_candidates": 3,
        "repeated_failure": 5,
        "no_tool_calls": 4,
        "verification_inconclusive": 3,
        "missing_resource": 2,
        "unexplained_timeout": 2,
        "conflicting_results": 3,
        "breaker_opened": 5,
    }
    assert specified == SignalWeights().model_dump()
    assert set(SignalWeights.model_fields) == set(SignalKind)
    assert (ASK_AT, SKIP_ABOVE) == (5, 10)


@pytest.mark.parametrize("kind", list(SignalKind))
def test_one_signal_counts_its_weight(kind: SignalKind) -> None:
    """In its own phase and in no other."""
    signal = Signal(kind=kind, phase=Phase.ACT)
    assert uncertainty_score([signal], Phase.ACT) == SignalWeights().of(kind)
    assert uncertainty_score([signal], Phase.REASON) == 0


def test_a_signal_counts_what_the_run_weighs_it() -> None:
    """One that an earlier version stored counts as specified."""
    signal = Signal(kind=SignalKind.NO_TOOL_CALLS, phase=Phase.ACT)
    assert [uncertainty_score([signal.replace(weight=weight)], Phase.ACT) for weight in (None, 0, 7)] == [4, 0, 7]


def test_kinds_add_up() -> None:
    """Two weak signs together ask a person."""
    signals = [Signal(kind=SignalKind.HESITATION, phase=Phase.REASON)]
    assert uncertainty_score(signals, Phase.REASON) < ASK_AT
    signals.append(Signal(kind=SignalKind.SEVERAL_CANDIDATES, phase=Phase.REASON))
    assert uncertainty_score(signals, Phase.REASON) == ASK_AT


def test_a_signal_counts_once_per_attempt() -> None:
    """However often it is seen; a new attempt counts anew."""
    one = Signal(kind=SignalKind.MISSING_RESOURCE, phase=Phase.ACT, attempt=1, detail="a")
    again = one.replace(detail="b")
    later = one.replace(attempt=2)
    assert uncertainty_score([one, again], Phase.ACT) == 2
    assert uncertainty_score([one, again, later], Phase.ACT) == 4


def test_a_later_write_replaces_an_earlier_one() -> None:
    """In its place."""
    one = Signal(kind=SignalKind.HESITATION, phase=Phase.ACT, detail="a")
    other = Signal(kind=SignalKind.NO_TOOL_CALLS, phase=Phase.ACT)
    assert merge_signals([one, other], [one.replace(detail="b")]) == (one.replace(detail="b"), other)


def test_an_answer_resets_its_phase_only() -> None:
    """What came before the answer no longer counts; what comes after does."""
    held = [
        Signal(kind=SignalKind.NO_TOOL_CALLS, phase=Phase.ACT),
        Signal(kind=SignalKind.REPEATED_FAILURE, phase=Phase.REASON),
    ]
    answered = merge_signals(held, resolve(held, Phase.ACT))
    assert uncertainty_score(answered, Phase.ACT) == 0
    assert uncertainty_score(answered, Phase.REASON) == 5
    afterwards = merge_signals(answered, [Signal(kind=SignalKind.NO_TOOL_CALLS, phase=Phase.ACT, attempt=2)])
    assert uncertainty_score(afterwards, Phase.ACT) == 4


@given(SIGNALS, SIGNALS, SIGNALS)
def test_merging_is_associative(a: list[Signal], b: list[Signal], c: list[Signal]) -> None:
    """Whichever branches return first."""
    assert merge_signals(merge_signals(a, b), c) == merge_signals(a, merge_signals(b, c))


@given(SIGNALS, SIGNALS)
def test_merging_twice_changes_nothing(a: list[Signal], b: list[Signal]) -> None:
    """A replayed write is harmless."""
    once = merge_signals(a, b)
    assert merge_signals(once, b) == once


@given(SIGNALS, st.sampled_from(Phase))
def test_resolving_leaves_no_score(signals: list[Signal], phase: Phase) -> None:
    """And touches nothing of other phases."""
    held = merge_signals([], signals)
    after = merge_signals(held, resolve(held, phase))
    assert uncertainty_score(after, phase) == 0
    others = [other for other in Phase if other is not phase]
    assert [uncertainty_score(after, other) for other in others] == [uncertainty_score(held, other) for other in others]


@given(SIGNALS, SIGNALS, st.sampled_from(Phase))
def test_the_score_only_grows_within_a_phase(a: list[Signal], b: list[Signal], phase: Phase) -> None:
    """As long as nobody answers."""
    open_a = merge_signals([], [signal.replace(resolved=False) for signal in a])
    open_b = [signal.replace(resolved=False) for signal in b]
    assert uncertainty_score(merge_signals(open_a, open_b), phase) >= uncertainty_score(open_a, phase)
