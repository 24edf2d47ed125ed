"""Guarded sources, and asking them: cache, single flight, breaker, deadline, and a report of each."""

import asyncio
import time
from collections.abc import Callable, Sequence
from typing import Any

import pytest
from langchain_core.documents import Document

from calibrant.interfaces.wording import state_of
from calibrant.retrievers.asking import Answered, Partial, ask_source, merge_reports
from calibrant.retrievers.breaker import Breaker, BreakerState
from calibrant.retrievers.cache import Cache, Recalled, fresh
from calibrant.retrievers.deadline import within
from calibrant.retrievers.guard import Guarded, GuardedRereadable, guarded
from calibrant.retrievers.http_answers import BadStatus
from calibrant.state.errors import Failure, FailureKind, SourceError, SourceLimited, SourceTimeout
from calibrant.state.evidence import Evidence, SearchQuery, SourceState
from calibrant.state.protocols import Rereadable, Source
from calibrant.state.retrieval import PAGES, SourceReport
from tests.remote.sources import Clock, Scripted, passage

QUERY = SearchQuery(text="q")


async def ask(source: Source, query: SearchQuery = QUERY, seconds: float = 1.0) -> Answered:
    return await ask_source(source, query, seconds, time.monotonic)


async def test_it_is_a_source_of_the_same_name() -> None:
    inner = Scripted("web", [passage("a")])
    guard = Guarded(inner)
    assert isinstance(guard, Source)
    assert (guard.name, guard.remote) == ("web", True)
    assert list(await guard.search(QUERY)) == [passage("a")]


async def test_where_passages_are_held_it_is_told_that_nothing_new_was_found() -> None:
    source = Scripted("web", [passage("a")])
    first = await ask(source)
    again = await ask(source, QUERY.replace(exclude=("a",)))
    nothing = await ask(Scripted("web", []))
    assert [state_of(one.report) for one in (first, again, nothing)] == ["1 hit", "nothing new", "nothing"]
    assert [state_of(one) for one in merge_reports([nothing.report, again.report])] == ["nothing"]


def test_local_sources_need_no_guard() -> None:
    local, remote = Scripted("knowledge", []), Scripted("web", [])
    local.remote = False
    assert guarded(local) is local
    assert isinstance(guarded(remote), Guarded)


def test_what_is_guarded_already_is_taken_as_it_is() -> None:
    own = Guarded(Scripted("web", []), seconds=9.0)
    assert guarded(own) is own


@pytest.mark.parametrize("remote", [True, False])
async def test_what_is_no_passage_is_the_failure_of_its_source_alone(remote: bool) -> None:
    """A LangChain ``Document`` has an id too."""
    source = Scripted("shelf", [Document("five times", id="a")])  # type: ignore[list-item]
    source.remote = remote
    told = await ask(guarded(source))
    assert (told.evidence, told.report.state) == ((), SourceState.FAILED)
    assert told.report.failure is not None
    assert told.report.failure.message.startswith("shelf: what its search returns is no Evidence: Input should be")


class Library(Scripted):
    """A source that gives passages again by id."""

    async def reread(self, ids: Sequence[str]) -> Sequence[Evidence]:
        await asyncio.sleep(self.wait)
        return [passage(one) for one in ids]


async def test_a_guarded_source_still_gives_passages_again_but_not_without_end() -> None:
    kept, slow = guarded(Library("web", [])), GuardedRereadable(Library("web", [], wait=5.0), seconds=0.05)
    assert isinstance(kept, Rereadable)
    assert isinstance(slow, Rereadable)
    assert await kept.reread(["a"]) == [passage("a")]
    with pytest.raises(SourceTimeout):
        await slow.reread(["a"])
    assert not isinstance(guarded(Scripted("web", [])), Rereadable)


@pytest.mark.parametrize("remote", [True, False])
async def test_a_time_out_of_its_own_is_not_told_as_ours(remote: bool) -> None:
    pool = Scripted("web", TimeoutError("postgresql://user:secret@host"))
    pool.remote = remote
    failure = (await ask(guarded(pool))).report.failure
    assert failure is not None
    assert (failure.kind, failure.message) == (FailureKind.TIMEOUT, "TimeoutError")


async def test_the_second_answer_comes_from_the_cache_and_says_so() -> None:
    inner, cache = Scripted("web", [passage("a"), passage("b")]), Cache()
    guard = Guarded(inner, cache=cache)
    first = await ask(guard)
    second = await ask(guard, SearchQuery(text=" Q ", exclude=("a",)))
    assert (first.report.cached, second.report.cached) == (False, True)
    assert [item.id for item in second.evidence] == ["b"]
    assert len(inner.asked) == 1
    with fresh():
        assert not (await ask(guard)).report.cached
    cache.close()


async def test_the_inner_source_is_asked_for_everything() -> None:
    """So that the one answer can be shared by callers who hold different things already."""
    inner = Scripted("web", [passage("a"), passage("b")])
    found = await Guarded(inner).search(QUERY.replace(exclude=("b",)))
    assert [item.id for item in found] == ["a"]
    assert inner.asked == [QUERY]


async def test_failures_are_not_cached() -> None:
    cache = Cache()
    guard = Guarded(Scripted("web", SourceError("no"), [passage("a")]), cache=cache)
    assert (await ask(guard)).report.state is SourceState.FAILED
    assert (await ask(guard)).report.state is SourceState.OK
    cache.close()


async def test_what_lacks_a_part_says_so_and_is_not_cached() -> None:
    cache, away = Cache(), Failure(kind=FailureKind.UNAVAILABLE, where="web", message="one site is away")
    guard = Guarded(Scripted("web", Partial([passage("a")], away), [passage("a"), passage("b")]), cache=cache)
    first, second = await ask(guard), await ask(guard)
    assert (first.report.partial, first.report.failure, first.report.state) == (True, away, SourceState.OK)
    assert [item.id for item in second.evidence] == ["a", "b"]
    assert (second.report.partial, second.report.cached) == (False, False)
    cache.close()


async def test_identical_requests_at_once_are_one() -> None:
    inner = Scripted("web", [passage("a")], wait=0.05)
    guard = Guarded(inner)
    answers = await asyncio.gather(*(ask(guard) for _ in range(50)), ask(guard, SearchQuery(text="other")))
    assert len(inner.asked) == 2
    assert all(answer.evidence == (passage("a"),) for answer in answers)


async def test_a_failure_is_shared_too() -> None:
    inner = Scripted("web", SourceError("no"), wait=0.02)
    guard = Guarded(inner)
    answers = await asyncio.gather(*(ask(guard) for _ in range(10)))
    assert {answer.report.state for answer in answers} == {SourceState.FAILED}
    assert len(inner.asked) == 1


async def test_the_first_to_ask_may_leave() -> None:
    inner = Scripted("web", [passage("a")], wait=0.08)
    guard = Guarded(inner)
    first = asyncio.create_task(guard.search(QUERY))
    await asyncio.sleep(0.02)
    second = asyncio.create_task(guard.search(QUERY))
    await asyncio.sleep(0.02)
    first.cancel()
    assert len(await second) == 1
    assert len(inner.asked) == 1


async def test_the_work_ends_with_the_last_one_who_waits() -> None:
    inner = Scripted("web", [passage("a")], wait=5.0)
    guard = Guarded(inner)
    tasks = [asyncio.create_task(guard.search(QUERY)) for _ in range(2)]
    await asyncio.sleep(0.02)
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
    await asyncio.sleep(0)
    assert inner.cancelled == 1
    inner.wait = 0.0
    assert len(await guard.search(QUERY)) == 1, "who comes next begins anew"


async def test_one_in_a_hurry_does_not_cost_the_others_their_time() -> None:
    guard = Guarded(Scripted("web", [passage("a")], wait=0.12))
    hurried, patient = await asyncio.gather(ask(guard, seconds=0.06), ask(guard, seconds=2.0))
    assert hurried.report.state is SourceState.FAILED
    assert patient.report.state is SourceState.OK


async def test_its_own_deadline() -> None:
    answer = await ask(Guarded(Scripted("web", [], wait=5.0), seconds=0.1))
    assert answer.report.failure is not None
    assert answer.report.failure.kind is FailureKind.TIMEOUT
    assert answer.report.failure.message == "no answer within 0.1 s"
    assert answer.report.seconds < 0.5


async def test_an_open_breaker_is_reported_as_skipped() -> None:
    clock = Clock()
    inner, breaker = Scripted("web", SourceError("down")), Breaker("web", clock=clock)
    guard = Guarded(inner, breaker=breaker)
    states = [(await ask(guard, SearchQuery(text=f"q{place}"))).report for place in range(4)]
    assert [report.state for report in states] == [*[SourceState.FAILED] * 3, SourceState.SKIPPED]
    assert states[-1].failure is not None
    assert breaker.state.value == "open"
    assert states[-1].failure.message == "not asked after 3 failures in a row; next try in 30 s"
    assert len(inner.asked) == 3
    clock.now += 30.0
    inner.script = [[passage("a")]]
    assert (await ask(guard)).report.state is SourceState.OK
    assert breaker.state.value == "closed"


@pytest.mark.parametrize(
    ("error", "state"),
    [
        (SourceError("down"), BreakerState.OPEN),
        (SourceTimeout("late"), BreakerState.OPEN),
        (BadStatus("x", 503), BreakerState.OPEN),
        (BadStatus("x", 401), BreakerState.OPEN),
        (KeyError("foreign"), BreakerState.OPEN),
        (asyncio.CancelledError(), BreakerState.OPEN),
        (BadStatus("x", 404), BreakerState.CLOSED),
        (BadStatus("x", 422), BreakerState.CLOSED),
        (SourceLimited("wait"), BreakerState.CLOSED),
    ],
)
async def test_what_counts_as_a_failure(error: BaseException, state: BreakerState) -> None:
    breaker = Breaker("web")
    guard = Guarded(Scripted("web", error), breaker=breaker)
    for place in range(3):
        await ask(guard, SearchQuery(text=f"q{place}"), seconds=10.0)
    assert breaker.state is state


async def test_too_short_a_deadline_is_not_the_sources_fault() -> None:
    breaker = Breaker("web")
    guard = Guarded(Scripted("web", [], wait=5.0), breaker=breaker, seconds=4.0)
    for place in range(4):
        with within(0.03), pytest.raises(SourceTimeout):
            await guard.search(SearchQuery(text=f"q{place}"))
    assert breaker.state is BreakerState.CLOSED


async def test_asking_never_raises() -> None:
    for error in (ValueError("secret"), SourceLimited("later", 3.0), RecursionError(), TimeoutError()):
        report = (await ask(Scripted("web", error))).report
        assert report.failure is not None
        assert "secret" not in report.failure.message
        expected = SourceState.LIMITED if isinstance(error, SourceLimited) else SourceState.FAILED
        assert report.state is expected


@pytest.mark.parametrize("given", [None, [passage("a"), None], 7])
async def test_what_is_no_list_of_passages_is_a_failure(given: Any) -> None:
    report = (await ask(Scripted("web", given))).report
    assert report.state is SourceState.FAILED
    assert report.failure is not None


async def test_a_source_that_cancels_itself_has_failed() -> None:
    inner = Scripted("web", asyncio.CancelledError())
    for source in (inner, Guarded(inner)):
        report = (await ask(source)).report
        assert report.state is SourceState.FAILED
        assert report.failure is not None


@pytest.mark.parametrize("wrap", [guarded, lambda source: source], ids=["guarded", "bare"])
async def test_cancelling_goes_through(wrap: Callable[[Source], Source]) -> None:
    task = asyncio.create_task(ask(wrap(Scripted("web", [], wait=5.0))))
    await asyncio.sleep(0.01)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task


def test_reports_of_several_queries_become_one() -> None:
    async def reports() -> list[Answered]:
        cached = Scripted("web", Recalled([passage("a")]))
        return [await ask(cached), await ask(Scripted("web", SourceError("no"))), await ask(Scripted("hub", []))]

    web, hub = merge_reports([answer.report for answer in asyncio.run(reports())])
    assert (web.state, web.count, web.cached) == (SourceState.OK, 1, False)
    assert web.failure is not None
    assert (hub.state, hub.partial) == (SourceState.EMPTY, False)


FAILED, LIMITED, SKIPPED = SourceState.FAILED, SourceState.LIMITED, SourceState.SKIPPED


@pytest.mark.parametrize(
    ("states", "state", "partial"),
    [
        ((SourceState.EMPTY, FAILED), FAILED, True),
        ((SourceState.EMPTY, LIMITED), LIMITED, True),
        ((SourceState.EMPTY, SKIPPED), SourceState.EMPTY, True),
        ((SourceState.OK, FAILED), SourceState.OK, True),
        ((FAILED, FAILED), FAILED, False),
        ((LIMITED, FAILED), LIMITED, False),
        ((FAILED, SourceState.EMPTY, FAILED), FAILED, True),
        ((SourceState.OK, SourceState.EMPTY), SourceState.OK, False),
    ],
)
def test_an_outage_is_not_told_as_nothing_found(
    states: Sequence[SourceState], state: SourceState, partial: bool
) -> None:
    answered = (SourceState.OK, SourceState.EMPTY)
    failure = Failure(kind=FailureKind.UNAVAILABLE, where="web", message="away")
    reports = [SourceReport(source="web", state=one, failure=None if one in answered else failure) for one in states]
    for order in (reports, reports[::-1]):
        (joined,) = merge_reports(order)
        assert (joined.state, joined.partial) == (state, partial)


def test_a_page_that_could_not_be_read_is_no_part_of_a_source() -> None:
    failure = Failure(kind=FailureKind.REFUSED, where=PAGES, message="robots.txt")
    read = SourceReport(source=PAGES, state=SourceState.OK, count=2)
    (joined,) = merge_reports([read, SourceReport(source=PAGES, state=FAILED, failure=failure)])
    assert (joined.state, joined.partial) == (SourceState.OK, False)
