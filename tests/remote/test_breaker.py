"""Circuit breakers, by the table in their module."""

import pytest

from calibrant.retrievers.breaker import (
    FAILURES,
    Breaker,
    Breakers,
    BreakerState,
    SourceSkipped,
    shared_breakers,
    urged,
)
from tests.remote.sources import Clock


def state_of(breaker: Breaker) -> BreakerState:
    """Behind a function: a type checker believes that an attribute stays what it was."""
    return breaker.state


def opened(clock: Clock) -> Breaker:
    breaker = Breaker("x", clock=clock)
    for _ in range(3):
        breaker.admit()
        breaker.fail()
    return breaker


def test_three_failures_in_a_row_open_it() -> None:
    breaker = Breaker("x", clock=Clock())
    for _ in range(5):
        breaker.fail()
        breaker.fail()
        breaker.succeed()
    assert state_of(breaker) is BreakerState.CLOSED
    for _ in range(3):
        breaker.admit()
        breaker.fail()
    assert state_of(breaker) is BreakerState.OPEN
    with pytest.raises(SourceSkipped, match=r"^not asked after 3 failures in a row; next try in 30 s$"):
        breaker.admit()


def test_after_a_rest_one_request_probes() -> None:
    clock = Clock()
    breaker = opened(clock)
    clock.now += 29.9
    with pytest.raises(SourceSkipped):
        breaker.admit()
    clock.now += 0.1
    assert state_of(breaker) is BreakerState.HALF_OPEN
    breaker.admit()
    with pytest.raises(SourceSkipped, match="it is being tried again"):
        breaker.admit()
    breaker.succeed()
    assert state_of(breaker) is BreakerState.CLOSED
    breaker.admit()


def test_a_persons_word_is_as_good_as_a_rest() -> None:
    breaker = opened(Clock())
    with urged():
        breaker.admit()
        with pytest.raises(SourceSkipped):  # one at a time
            breaker.admit()
    breaker.fail()
    with pytest.raises(SourceSkipped, match="4 failures in a row; next try in 30 s"):
        breaker.admit()
    with urged():
        breaker.admit()
    breaker.succeed()
    assert state_of(breaker) is BreakerState.CLOSED


def test_a_failed_probe_opens_it_for_another_rest() -> None:
    clock = Clock()
    breaker = opened(clock)
    clock.now += 30
    breaker.admit()
    breaker.fail()
    assert state_of(breaker) is BreakerState.OPEN
    with pytest.raises(SourceSkipped, match="4 failures in a row; next try in 30 s"):
        breaker.admit()


def test_a_probe_that_was_cancelled_lets_the_next_one_try() -> None:
    clock = Clock()
    breaker = opened(clock)
    clock.now += 30
    breaker.admit()
    breaker.release()
    breaker.admit()


def test_one_for_each_source_and_observable() -> None:
    breakers = Breakers()
    for _ in range(FAILURES):
        breakers.of("a").fail()
    assert breakers.of("a") is breakers.of("a")
    breakers.of("b")
    assert (breakers.of("a").state, breakers.of("b").state) == (BreakerState.OPEN, BreakerState.CLOSED)
    assert shared_breakers() is shared_breakers()
