"""One node's piece of work: what it has left counts the time that it has taken itself."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from langgraph.runtime import Runtime

from calibrant.graph.settings import Settings
from calibrant.judges.cascade import Judged, Judgement
from calibrant.nodes.deps import Deps
from calibrant.nodes.retrieval.channels import RetrieveView, Standing
from calibrant.nodes.retrieval.rank import sufficiency_of
from calibrant.nodes.retrieval.rounds import seconds_left
from calibrant.nodes.work import Work
from calibrant.state.budget import Allowance, RetrievalLimits, Spend
from calibrant.state.channels import View
from calibrant.state.evidence import Evidence
from calibrant.state.retrieval import RetrievalRequest, Sufficiency
from tests.graph.house import deps_for
from tests.remote.sources import Clock

LIMITS = {"seconds": 60.0, "synthesis_share": 0.0}


@pytest.fixture
def clock() -> Clock:
    return Clock(1_000.0)


@pytest.fixture
def deps(data_dir: Path, clock: Clock) -> Deps:
    return replace(deps_for(data_dir, context=Settings(interactive=False, limits=LIMITS)), clock=clock)


async def _asked(work: Work, clock: Clock, took: float, **options: Any) -> list[float]:
    """The seconds that each of two calls in a row may take, the first of which took some."""
    allowed: list[float] = []

    async def ask(given: None, free: None, allowance: Allowance) -> Judged[None]:
        allowed.append(allowance.seconds)
        clock.now += took
        return Judged(None)

    judgement = Judgement("a thing", lambda given: Judged(None, doubt=1.0), ask)
    for _ in range(2):
        await work.judge(judgement, None, **options)
    return allowed


async def test_what_the_run_has_left_counts_the_node_that_is_at_work(deps: Deps, clock: Clock) -> None:
    work = await Work.begin(deps, Runtime(), View(spend=Spend(active=((990.0, 1_000.0),))))
    assert await _asked(work, clock, 20.0) == [50.0, 30.0]
    assert work.ledger.seconds_spent == 50.0
    assert work.done({})["spend"].active == ((1_000.0, 1_040.0),)


async def test_so_does_what_a_lease_has_left(deps: Deps, clock: Clock) -> None:
    lease = Allowance(model_calls=5, sequential_calls=5, tokens=1_000, dollars=1.0, seconds=30.0)
    work = await Work.begin(deps, Runtime())
    assert await _asked(work, clock, 20.0, allowance=lease) == [30.0, 10.0]


async def test_what_is_judged_ahead_leaves_half_of_what_is_left(deps: Deps, clock: Clock) -> None:
    """What the run has left is net of what it has spent: that is not taken from it again."""
    allowed: list[int] = []

    async def ask(given: None, free: None, allowance: Allowance) -> Judged[None]:
        allowed.append(allowance.model_calls)
        return Judged(None, spend=Spend(model_calls=1))

    judgement = Judgement("a thing", lambda given: Judged(None, doubt=1.0), ask)
    work = await Work.begin(deps, Runtime(), View(spend=Spend(model_calls=16, sequential_calls=1)))
    for _ in range(2):
        await work.judge(judgement, None, ahead=True)
    assert work.limits.model_calls == 30
    assert allowed == [7, 6]
    lease = Allowance(model_calls=9, sequential_calls=9, tokens=1_000, dollars=1.0, seconds=30.0)
    await work.judge(judgement, None, ahead=True, allowance=lease.replace(model_calls=24))
    assert allowed[-1] == 3, "of a lease, what this work has seen spent"


async def test_a_person_who_thinks_between_two_nodes_costs_nothing(deps: Deps, clock: Clock) -> None:
    clock.now += 3_600.0
    work = await Work.begin(deps, Runtime(), View(spend=Spend(active=((990.0, 1_000.0),))))
    assert work.ledger.seconds_spent == 10.0


@pytest.mark.parametrize(("had", "left"), [(0.0, 0.0), (3.0, 1.0), (30.0, 6.0)])
async def test_a_retrieval_ends_with_its_own_limit_or_with_the_time_that_the_run_had_left(
    deps: Deps, clock: Clock, had: float, left: float
) -> None:
    """No time left is not the same as no limit."""
    limits, allowance = RetrievalLimits(seconds=8.0), Allowance(seconds=had)
    request = RetrievalRequest(id="r", query="q", limits=limits, allowance=allowance)
    work = await Work.begin(deps, Runtime())
    clock.now += 2.0
    assert seconds_left(request, work, 0.0) == left


@pytest.mark.parametrize("calls", [0, 1])
async def test_the_time_in_which_a_model_reads_is_no_searching_time(
    deps: Deps, clock: Clock, monkeypatch: pytest.MonkeyPatch, calls: int
) -> None:
    """Where a model takes longer than the searches may, each retrieval would end with its first verdict."""

    async def suffices(state: RetrieveView, held: tuple[Evidence, ...], work: Work) -> Sufficiency:
        clock.now += 20.0
        work.spend(Spend(model_calls=calls))
        return Sufficiency()

    monkeypatch.setattr("calibrant.nodes.retrieval.rank._suffices", suffices)
    limits, allowance = RetrievalLimits(seconds=8.0), Allowance(seconds=60.0)
    request = RetrievalRequest(id="r", query="q", limits=limits, allowance=allowance)
    work = await Work.begin(deps, Runtime())
    clock.now += 2.0
    *_, waited = await sufficiency_of(RetrieveView(request=request, standing=Standing(waited=3.0)), (), work)
    assert waited == 3.0 + 20.0 * calls
    assert seconds_left(request, work, waited) == (9.0 if calls else 0.0)
