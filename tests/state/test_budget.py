"""The ledger: what adds up, what is kept back for synthesis, what is left, and that nothing becomes negative."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from calibrant.state.budget import (
    COUNTERS,
    JOIN_GAP_S,
    Allowance,
    Interval,
    Ledger,
    RetrievalLimits,
    RunLimits,
    Spend,
    add_spend,
    union,
)

# Limits.


def test_the_default_limits_of_a_run_are_the_designed_ones() -> None:
    """4 retrievals, 2 refinements, 3 questions, 10 sequential and 30 total calls, 60 s."""
    limits = RunLimits()
    assert (limits.retrievals, limits.refinements, limits.questions) == (4, 2, 3)
    assert (limits.sequential_calls, limits.model_calls, limits.seconds) == (10, 30, 60.0)


def test_the_default_limits_of_a_retrieval_are_the_designed_ones() -> None:
    """Depth 3, rounds 3, 50 chunks, 20 documents, 10,000 tokens, 5 s."""
    limits = RetrievalLimits()
    assert (limits.depth, limits.rounds, limits.chunks, limits.documents) == (3, 3, 50, 20)
    assert (limits.tokens, limits.seconds) == (10_000, 5.0)


# Time.


@pytest.mark.parametrize(
    ("intervals", "united"),
    [
        ([], ()),
        ([(0, 1)], ((0.0, 1.0),)),
        ([(0, 2), (1, 3)], ((0.0, 3.0),)),
        ([(5, 6), (0, 1)], ((0.0, 1.0), (5.0, 6.0))),
        ([(0, 10), (2, 3)], ((0.0, 10.0),)),
        ([(0, 1), (1 + JOIN_GAP_S, 3)], ((0.0, 3.0),)),
        ([(0, 1), (1 + JOIN_GAP_S + 0.001, 3)], ((0.0, 1.0), (2.001, 3.0))),
    ],
)
def test_union(intervals: list[Interval], united: tuple[Interval, ...]) -> None:
    """Overlaps count once; a gap of up to a second is the graph's own work."""
    assert union(intervals) == united


TIMES = st.integers(0, 400).map(lambda tenths: tenths / 8)
INTERVALS = st.lists(st.tuples(TIMES, TIMES).map(lambda pair: (min(pair), max(pair))), max_size=6)


@given(INTERVALS, INTERVALS, INTERVALS)
def test_union_is_associative(a: list[Interval], b: list[Interval], c: list[Interval]) -> None:
    """Whichever branches are joined first."""
    assert union((*union((*a, *b)), *c)) == union((*a, *union((*b, *c)))) == union((*a, *b, *c))


@given(INTERVALS)
def test_union_is_idempotent_and_disjoint(intervals: list[Interval]) -> None:
    """Told twice, counted once; sorted, with more than the gap between any two."""
    united = union(intervals)
    assert union((*united, *intervals)) == united
    assert all(later[0] - earlier[1] > JOIN_GAP_S for earlier, later in pairwise(united))


@given(INTERVALS)
def test_union_covers_what_it_was_given(intervals: list[Interval]) -> None:
    """No working time is lost."""
    united = union(intervals)
    assert all(any(start <= a and b <= end for start, end in united) for a, b in intervals)


def test_a_clock_that_was_set_back_gives_no_negative_time() -> None:
    """The wall clock may step back while a node works."""
    assert add_spend(None, Spend(active=((10.0, 4.0),))).seconds >= 0.0


# Spend.

COUNTS = st.integers(0, 1000)
SPENDS = st.builds(
    Spend,
    **{name: COUNTS for name in COUNTERS if name != "dollars"},
    dollars=st.integers(0, 100).map(lambda eighths: eighths / 8),
    sequential_calls=COUNTS,
    active=INTERVALS.map(union),
)


def test_counters_add_and_the_chain_takes_the_longer() -> None:
    """Parallel branches extend one chain."""
    total = add_spend(
        Spend(model_calls=2, sequential_calls=2, tokens_in=10, tokens_out=1, dollars=0.5, active=((0.0, 2.0),)),
        Spend(model_calls=3, sequential_calls=4, tokens_in=5, tokens_out=2, dollars=0.25, active=((1.0, 4.0),)),
    )
    assert (total.model_calls, total.sequential_calls) == (5, 4)
    assert (total.tokens, total.dollars, total.seconds) == (18, 0.75, 4.0)


@given(SPENDS, SPENDS, SPENDS)
def test_add_spend_is_associative(a: Spend, b: Spend, c: Spend) -> None:
    """Whichever branches return first."""
    assert add_spend(add_spend(a, b), c) == add_spend(a, add_spend(b, c))


@given(SPENDS, SPENDS)
def test_add_spend_is_commutative_and_has_a_zero(a: Spend, b: Spend) -> None:
    """The order of a fan-out does not show."""
    assert add_spend(a, b) == add_spend(b, a)
    assert add_spend(a, Spend()) == add_spend(Spend(), a) == a


@given(SPENDS, SPENDS)
def test_add_spend_reads_what_a_checkpoint_or_json_gives(a: Spend, b: Spend) -> None:
    """Plain dicts, lists for tuples, None for nothing."""
    assert add_spend(a.model_dump(mode="json"), b.model_dump()) == add_spend(a, b)
    assert add_spend(None, a) == add_spend(a, None) == a


def test_every_counter_is_added() -> None:
    """A counter that is added to the class and forgotten in the reducer would be lost."""
    counted = set(Spend.model_fields) - {"sequential_calls", "active"}
    assert counted == set(COUNTERS)


# The ledger.

LIMITS = RunLimits(sequential_calls=10, model_calls=20, tokens=1000, dollars=2.0, seconds=100.0, synthesis_share=0.25)


def test_a_slice_is_kept_for_synthesis() -> None:
    """Work may touch three quarters here, synthesis and review all of it."""
    ledger = Ledger(limits=LIMITS, spend=Spend())
    work, closing = ledger.left(), ledger.left(closing=True)
    assert (work.model_calls, work.sequential_calls, work.tokens) == (15, 7, 750)
    assert (work.dollars, work.seconds) == (1.5, 75.0)
    assert (closing.model_calls, closing.sequential_calls, closing.tokens) == (20, 10, 1000)
    assert (closing.dollars, closing.seconds) == (2.0, 100.0)


@pytest.mark.parametrize(("limit", "before"), [(0, 0), (1, 1), (2, 1), (4, 3)])
def test_of_an_only_call_no_slice_is_kept(limit: int, before: int) -> None:
    left = Ledger(limits=LIMITS.replace(model_calls=limit, sequential_calls=limit), spend=Spend()).left()
    assert (left.model_calls, left.sequential_calls) == (before, before)
    assert left.ahead().model_calls == before // 2


def test_when_work_has_spent_its_share_synthesis_can_still_call() -> None:
    """That is what the slice is for."""
    ledger = Ledger(limits=LIMITS, spend=Spend(model_calls=15, sequential_calls=7, tokens_in=750, dollars=1.5))
    assert not ledger.left().can_call()
    assert ledger.left(closing=True).can_call()


def test_what_was_spent_is_subtracted() -> None:
    """Also the time of the step in progress, up to now; the chain is told on."""
    spend = Spend(model_calls=4, sequential_calls=3, tokens_in=90, tokens_out=10, dollars=0.5, active=((0.0, 10.0),))
    left = Ledger(limits=LIMITS, spend=spend, now=10.5).left()
    assert (left.model_calls, left.sequential_calls, left.chain, left.tokens) == (11, 4, 3, 650)
    assert (left.dollars, left.seconds) == (1.0, 64.5)


def test_time_in_which_a_person_thinks_does_not_count() -> None:
    """An hour between two intervals is nobody's work."""
    spend = Spend(active=((0.0, 10.0),))
    assert Ledger(limits=LIMITS, spend=spend, now=3600.0).seconds_spent == 10.0


def test_a_clock_before_the_last_interval_costs_nothing() -> None:
    """A reading from an earlier moment."""
    assert Ledger(limits=LIMITS, spend=Spend(active=((50.0, 60.0),)), now=55.0).seconds_spent == 10.0


@pytest.mark.parametrize(
    ("spend", "exhausted"),
    [
        (Spend(), False),
        (Spend(dollars=10.0), False),
        (Spend(tokens_in=7_000, tokens_out=500), False),
        (Spend(active=((0.0, 74.9),)), False),
        (Spend(active=((0.0, 75.0),)), True),
        (Spend(model_calls=20, sequential_calls=10), False),
    ],
)
def test_exhausted_just_below_and_at_the_limit(spend: Spend, exhausted: bool) -> None:
    """Time alone. Where dollars, tokens or model calls are spent, the LLM-free tier goes on."""
    now = spend.active[-1][1] if spend.active else 0.0
    assert Ledger(limits=LIMITS, spend=spend, now=now).exhausted is exhausted


@pytest.mark.parametrize("nothing", [{"dollars": 0.0}, {"tokens": 0}, {"dollars": 0.0, "tokens": 0, "model_calls": 0}])
def test_a_run_that_may_not_pay_is_not_exhausted_before_it_starts(nothing: dict[str, float]) -> None:
    """Limits of 0 dollars or tokens mean: without a model. The LLM-free tier spends neither."""
    limits = RunLimits.model_validate(nothing)
    assert not Ledger(limits=limits, spend=Spend()).exhausted


@pytest.mark.parametrize(
    ("spent", "left"),
    [
        (Spend(), (4, 2, 3)),
        (Spend(retrievals=4, refinements=2, questions=3), (0, 0, 0)),
        (Spend(retrievals=9, refinements=9, questions=9), (0, 0, 0)),
    ],
)
def test_counts_left(spent: Spend, left: tuple[int, int, int]) -> None:
    """Never below zero."""
    ledger = Ledger(limits=RunLimits(), spend=spent)
    assert (ledger.retrievals_left, ledger.refinements_left, ledger.questions_left) == left


@pytest.mark.parametrize(
    ("spend", "used"),
    [
        (Spend(), 0.0),
        (Spend(model_calls=10), 0.5),
        (Spend(model_calls=10, retrievals=3), 0.75),
        (Spend(dollars=5.0), 1.0),
        (Spend(active=((0.0, 80.0),)), 0.8),
    ],
)
def test_used_is_the_largest_share(spend: Spend, used: float) -> None:
    """At most 1, also when something was overspent."""
    assert Ledger(limits=LIMITS, spend=spend).used() == pytest.approx(used)


def test_used_without_limits_to_divide_by() -> None:
    """Limits of zero do not divide."""
    limits = RunLimits(retrievals=0, model_calls=0, tokens=0, dollars=0.0)
    assert Ledger(limits=limits, spend=Spend()).used() == 0.0


@given(SPENDS, st.floats(0.0, 0.99), st.floats(0.0, 1e6))
def test_nothing_left_is_ever_negative(spend: Spend, share: float, now: float) -> None:
    """Overspent or not; and closing work may always spend at least what other work may."""
    ledger = Ledger(limits=LIMITS.replace(synthesis_share=share), spend=spend, now=now)
    work, closing = ledger.left(), ledger.left(closing=True)
    for name in ("model_calls", "sequential_calls", "tokens", "dollars", "seconds"):
        assert 0 <= getattr(work, name) <= getattr(closing, name)
    assert 0.0 <= ledger.used() <= 1.0


# Allowances.

ALLOWANCES = st.builds(
    Allowance,
    model_calls=COUNTS,
    sequential_calls=COUNTS,
    chain=COUNTS,
    tokens=COUNTS,
    dollars=st.floats(0.0, 10.0),
    seconds=st.floats(0.0, 100.0),
)


@given(ALLOWANCES, st.integers(1, 20))
def test_shares_never_add_up_to_more_than_the_whole(whole: Allowance, parts: int) -> None:
    """Calls, tokens and dollars are divided; time and the chain run side by side."""
    share = whole.split(parts)
    assert share.model_calls * parts <= whole.model_calls
    assert share.tokens * parts <= whole.tokens
    assert share.dollars * parts <= whole.dollars * (1 + 1e-9)
    assert (share.seconds, share.sequential_calls, share.chain) == (
        whole.seconds,
        whole.sequential_calls,
        whole.chain,
    )


@pytest.mark.parametrize("parts", [1, 0, -3])
def test_a_split_into_one_or_none_is_the_whole(parts: int) -> None:
    """No division by zero."""
    whole = Allowance(model_calls=3, sequential_calls=2, tokens=10, dollars=1.0, seconds=5.0)
    assert whole.split(parts) == whole


@given(ALLOWANCES, SPENDS)
def test_an_allowance_after_spending_is_never_negative_and_never_grows(whole: Allowance, spent: Spend) -> None:
    """Whatever was spent."""
    rest = whole.after(spent)
    for name in ("model_calls", "sequential_calls", "tokens", "dollars", "seconds"):
        assert 0 <= getattr(rest, name) <= getattr(whole, name)
    assert rest.chain >= whole.chain


def test_after_counts_only_what_the_chain_has_grown() -> None:
    """The chain in a spend is an absolute length."""
    whole = Allowance(model_calls=5, sequential_calls=4, chain=3, tokens=100, dollars=1.0, seconds=9.0)
    rest = whole.after(Spend(model_calls=1, sequential_calls=5, tokens_in=30, tokens_out=5, dollars=0.25))
    assert (rest.model_calls, rest.sequential_calls, rest.chain, rest.tokens, rest.dollars) == (4, 2, 5, 65, 0.75)
    assert whole.after(Spend(sequential_calls=2)).sequential_calls == 4
    assert whole.after(Spend(active=((10.0, 12.0), (15.0, 16.0)))).seconds == 6.0


FULL = Allowance(model_calls=1, sequential_calls=1, tokens=100, dollars=0.01, seconds=0.1)


@pytest.mark.parametrize(
    ("allowance", "tokens", "can"),
    [
        (FULL, 0, True),
        (FULL, 100, True),
        (FULL, 101, False),
        (FULL.replace(model_calls=0), 0, False),
        (FULL.replace(sequential_calls=0), 0, False),
        (FULL.replace(dollars=0.0), 0, False),
        (FULL.replace(seconds=0.0), 0, False),
        (Allowance(), 0, False),
    ],
)
def test_can_call_needs_every_budget(allowance: Allowance, tokens: int, can: bool) -> None:
    """One that is gone is enough."""
    assert allowance.can_call(tokens) is can
