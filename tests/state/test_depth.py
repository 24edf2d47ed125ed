"""How a retrieval goes on after a round: the five reasons to stop, deeper, refined; at and around each threshold."""

from math import nextafter
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from calibrant.state.budget import RetrievalLimits, StopReason
from calibrant.state.decision import USEFUL_BOOST
from calibrant.state.depth import (
    ASKED,
    CHOSEN,
    CHUNKS,
    FULL,
    NEAR,
    NO_TIME_S,
    PAGES_READ,
    QUERIES,
    DepthRuling,
    DepthSituation,
    next_round,
)
from calibrant.state.retrieval import DepthDecision

LIMITS = RetrievalLimits(rounds=3, chunks=50, tokens=1000, seconds=5.0)


def situation(**known: Any) -> DepthSituation:
    """After a first round at depth 1 that helped but was not enough; all budgets are far away."""
    usual = {"score": 0.5, "gain": 0.5, "threshold": 0.75, "depth": 1, "round": 1, "chunks": 5, "tokens": 100}
    return DepthSituation.model_validate({**usual, "seconds_left": 4.0, "limits": LIMITS, **known})


def ruled(**known: Any) -> tuple[DepthDecision, StopReason | None]:
    """What follows."""
    ruling = next_round(situation(**known))
    return ruling.decision, ruling.stop


DEEPER = (DepthDecision.DEEPER, None)
REFINED = (DepthDecision.REFINED, None)
SUFFICIENT = (DepthDecision.SUFFICIENT, StopReason.SUFFICIENT)
PLATEAU = (DepthDecision.STOP, StopReason.PLATEAU)
EXHAUSTED = (DepthDecision.STOP, StopReason.EXHAUSTED)
BUDGET = (DepthDecision.STOP, StopReason.BUDGET)
DEADLINE = (DepthDecision.STOP, StopReason.DEADLINE)


@pytest.mark.parametrize(
    ("known", "outcome"),
    [
        # sufficient: at, above, just below the threshold
        ({"score": 0.75}, SUFFICIENT),
        ({"score": 1.0}, SUFFICIENT),
        ({"score": nextafter(0.75, 0.0)}, DEEPER),
        # a model has shown the answers: the score counts other things too, and is no reason to show them to it again
        ({"score": 0.5, "shown": True}, SUFFICIENT),
        ({"score": 0.5, "shown": True, "leads": True}, SUFFICIENT),
        # nearly sufficient, once going on has been tried
        ({"score": 0.75 - NEAR, "round": 2}, SUFFICIENT),
        ({"score": nextafter(0.75 - NEAR, 0.0), "round": 2}, DEEPER),
        ({"score": 0.75 - NEAR, "round": 1}, DEEPER),
        # a question of several steps whose first passages lead on: one more round, where there is room for it
        ({"score": 1.0, "leads": True}, DEEPER),
        ({"score": 1.0, "leads": True, "round": 2}, SUFFICIENT),
        ({"score": 1.0, "leads": True, "depth": 3}, SUFFICIENT),
        ({"score": 1.0, "leads": True, "forced": True}, SUFFICIENT),
        ({"score": 1.0, "leads": True, "seconds_left": 0.0}, SUFFICIENT),
        ({"score": 1.0, "leads": True, "chunks": 50}, SUFFICIENT),
        ({"score": 1.0, "leads": True, "tokens": 950}, SUFFICIENT),
        ({"score": 1.0, "leads": True, "tokens": 949}, DEEPER),
        ({"score": 1.0, "leads": True, "seconds_left": NO_TIME_S}, SUFFICIENT),
        ({"score": 1.0, "leads": True, "limits": LIMITS.replace(rounds=1)}, SUFFICIENT),
        ({"score": 1.0, "leads": True, "limits": LIMITS.replace(depth=1)}, SUFFICIENT),
        # deadline
        ({"seconds_left": 0.0}, DEADLINE),
        ({"seconds_left": -1.0}, DEADLINE),
        ({"seconds_left": NO_TIME_S}, DEADLINE),
        ({"seconds_left": nextafter(NO_TIME_S, 1.0)}, DEEPER),
        # budget: rounds, chunks, tokens
        ({"round": 3}, BUDGET),
        ({"round": 4}, BUDGET),
        ({"round": 2}, DEEPER),
        ({"chunks": 50}, BUDGET),
        ({"chunks": 51}, BUDGET),
        ({"chunks": 49}, DEEPER),
        ({"tokens": 1000}, BUDGET),
        ({"tokens": 950}, BUDGET),
        ({"tokens": 949}, DEEPER),
        # plateau: at, above, just below a useful gain; never after the first round
        ({"round": 2, "gain": USEFUL_BOOST}, DEEPER),
        ({"round": 2, "gain": nextafter(USEFUL_BOOST, 1.0)}, DEEPER),
        ({"round": 2, "gain": nextafter(USEFUL_BOOST, 0.0)}, PLATEAU),
        ({"round": 2, "gain": -0.2}, PLATEAU),
        ({"round": 1, "gain": 0.0}, DEEPER),
        # no plateau where the limits had no room for what was found
        ({"round": 2, "gain": 0.0, "full": True}, BUDGET),
        ({"round": 2, "gain": USEFUL_BOOST, "full": True}, DEEPER),
        ({"round": 2, "gain": 0.0, "full": True, "seconds_left": 0.0}, DEADLINE),
        # deeper, refined, exhausted
        ({"depth": 2, "round": 2}, DEEPER),
        ({"depth": 3}, REFINED),
        ({"depth": 3, "fresh": False}, EXHAUSTED),
        ({"depth": 2, "limits": LIMITS.replace(depth=2)}, REFINED),
        ({"depth": 1, "limits": LIMITS.replace(depth=1), "fresh": False}, EXHAUSTED),
        # pages: before other queries, at the deepest level alone
        ({"depth": 3, "unread": True, "fresh": False}, REFINED),
        ({"depth": 3, "unread": True, "round": 2, "gain": 0.0}, PLATEAU),
        ({"depth": 2, "unread": True, "round": 2, "gain": 0.0}, DEEPER),
        ({"depth": 2, "unread": True, "round": 3, "gain": 0.0}, BUDGET),
        ({"depth": 3, "unread": True, "seconds_left": 0.0}, DEADLINE),
        # forced power: one round at its depth, and one more for the pages behind what it found
        ({"forced": True, "depth": 3, "unread": True}, REFINED),
        ({"forced": True, "depth": 2, "unread": True}, EXHAUSTED),
        ({"forced": True, "depth": 3, "unread": True, "round": 2}, EXHAUSTED),
        ({"forced": True, "depth": 3, "unread": True, "score": 0.75}, SUFFICIENT),
        ({"forced": True}, EXHAUSTED),
        ({"forced": True, "score": 0.75}, SUFFICIENT),
    ],
)
def test_what_follows_a_round(known: dict[str, Any], outcome: tuple[DepthDecision, StopReason | None]) -> None:
    """The rule as a table."""
    assert ruled(**known) == outcome


@pytest.mark.parametrize(
    ("known", "outcome"),
    [
        ({"score": 0.75, "seconds_left": 0.0, "round": 3, "forced": True}, SUFFICIENT),
        ({"seconds_left": 0.0, "round": 3, "gain": 0.0}, DEADLINE),
        ({"round": 3, "gain": 0.0}, PLATEAU),
        ({"round": 3, "chunks": 50}, BUDGET),
        ({"round": 2, "gain": 0.0, "depth": 3, "fresh": False}, PLATEAU),
    ],
)
def test_the_first_reason_wins(known: dict[str, Any], outcome: tuple[DepthDecision, StopReason | None]) -> None:
    """What is enough is enough, whatever ran out; then deadline, plateau, budget, exhausted."""
    assert ruled(**known) == outcome


def test_deeper_goes_one_level_down_and_refined_stays() -> None:
    """Level by level."""
    assert [next_round(situation(depth=depth)).depth for depth in (1, 2, 3)] == [2, 3, 3]


def test_each_level_searches_more_than_the_one_above() -> None:
    """Spec 2's table, upper ends, and the lower one at a level 2 that nobody asked for; more is asked for than kept."""
    assert CHUNKS == {1: 5, 2: 15, 3: 40}
    assert CHOSEN == {1: 5, 2: 10, 3: 40}
    assert all(ASKED[depth] >= CHUNKS[depth] for depth in CHUNKS)
    assert QUERIES == {1: 1, 2: 2, 3: 4}


@pytest.mark.parametrize(("rounds", "said"), [(3, "3 rounds"), (1, "passages")])
def test_the_budget_that_ran_out_is_named(rounds: int, said: str) -> None:
    """So that the log explains itself."""
    assert said in next_round(situation(round=rounds, chunks=50)).reason


SITUATIONS = st.builds(
    DepthSituation,
    score=st.floats(0.0, 1.0),
    gain=st.floats(-1.0, 1.0),
    threshold=st.floats(0.0, 1.0),
    depth=st.integers(1, 3),
    round=st.integers(1, 5),
    chunks=st.integers(0, 60),
    tokens=st.integers(0, 1200),
    forced=st.booleans(),
    fresh=st.booleans(),
    unread=st.booleans(),
    leads=st.booleans(),
    seconds_left=st.floats(-1.0, 5.0),
    limits=st.just(LIMITS),
)


def test_the_levels_are_the_specified_ones() -> None:
    assert (CHUNKS, QUERIES, PAGES_READ) == ({1: 5, 2: 15, 3: 40}, {1: 1, 2: 2, 3: 4}, {1: 0, 2: 0, 3: 6})
    assert all(ASKED[depth] >= CHUNKS[depth] for depth in CHUNKS)
    assert (NEAR, NO_TIME_S, FULL) == (0.03, 0.05, 0.95)


@given(SITUATIONS)
def test_every_round_goes_on_or_stops_for_one_reason(s: DepthSituation) -> None:
    """``stop`` is set exactly when the decision ends the retrieval; the depth stays in 1..3."""
    ruling = next_round(s)
    goes_on = ruling.decision in (DepthDecision.DEEPER, DepthDecision.REFINED)
    assert goes_on == (ruling.stop is None)
    assert s.depth <= ruling.depth <= 3
    assert ruling.reason


@given(SITUATIONS, st.floats(0.0, 1.0))
def test_a_retrieval_ends_within_its_rounds(s: DepthSituation, score: float) -> None:
    """Whatever the scores are."""
    held = s.replace(round=1, score=score)
    for _ in range(LIMITS.rounds):
        ruling: DepthRuling = next_round(held)
        if ruling.stop is not None:
            return
        held = held.replace(round=held.round + 1, depth=ruling.depth)
    pytest.fail(f"still searching after {LIMITS.rounds} rounds")
