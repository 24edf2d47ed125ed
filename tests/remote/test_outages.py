"""Services that are down, over HTTP and through the compiled graph: the run ends in time with what the others gave."""

import time
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio

from calibrant.graph import build_graph, build_retrieval_graph
from calibrant.graph.settings import Settings
from calibrant.retrievers.asking import ask_source
from calibrant.retrievers.breaker import FAILURES
from calibrant.retrievers.guard import DEADLINE_S, Guarded, guarded
from calibrant.retrievers.http import Http
from calibrant.retrievers.limits import Limits
from calibrant.state.evidence import LONGEST_PASSAGE, Evidence, SearchQuery
from calibrant.state.protocols import Source
from tests.remote.server import Reply, Server
from tests.remote.sources import OverHttp, Scripted, passage

QUESTION = "What is the rated pressure of the valve korabi?"
FACT = "The rated pressure of the valve korabi is {} bar."
BROKEN = {
    "hanging": (Reply(hang=True), "failed", "timeout"),
    "failing": (Reply(status=500), "failed", "unavailable"),
    "limited": (Reply(status=429, headers={"Retry-After": "60"}), "limited", "limited"),
    "malformed": (Reply(body=b"<html>"), "failed", "unavailable"),
    "empty": (Reply.of_json({"items": []}), "empty", ""),
}
FINE = {f"fine{place}": Reply.of_json({"items": [FACT.format(42)]}, wait=0.1) for place in range(5)}
SECONDS = 3.0
"""For the retrieval; each source has half of it."""


@pytest.fixture(autouse=True)
def _without_embeddings(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """These graphs are built as a program builds them, which fetches an embedding model where none is found."""
    monkeypatch.setenv("CALIBRANT_EMBEDDINGS", "none")
    monkeypatch.setenv("CALIBRANT_DATA_DIR", str(tmp_path))


@pytest_asyncio.fixture
async def sources(server: Server) -> AsyncIterator[list[Guarded]]:
    """Ten of them, each a service of its own on loopback; the limits are the default ones."""
    replies = {**{name: reply for name, (reply, _, _) in BROKEN.items()}, **FINE}
    limits = Limits()
    async with Http(limits) as http:
        for name, reply in replies.items():
            server.on(f"/{name}", reply)
        yield [Guarded(OverHttp(name, http, server.url(f"/{name}")), seconds=SECONDS / 2) for name in replies]
    limits.close()


def settings() -> Settings:
    return Settings(interactive=False, retrieval={"seconds": SECONDS})


def _told(reports: list[dict[str, Any]]) -> dict[str, tuple[str, str]]:
    """State and kind of failure by source."""
    return {report["source"]: (report["state"], (report["failure"] or {}).get("kind", "")) for report in reports}


async def test_a_retrieval_ends_in_time_with_the_rest(server: Server, sources: list[Guarded]) -> None:
    graph = build_retrieval_graph(sources=sources, context=settings())
    started = time.perf_counter()
    found = await graph.ainvoke({"query": QUESTION, "power": "2"})
    took = time.perf_counter() - started
    told = _told(found["sources"])
    assert {name: told[name] for name in BROKEN} == {name: (state, kind) for name, (_, state, kind) in BROKEN.items()}
    assert {told[name][0] for name in FINE} == {"ok"}
    assert found["documents"][0]["text"] == FACT.format(42)
    assert took < SECONDS + 1.0
    assert {hit.path for hit in server.hits()} == {f"/{name}" for name in (*BROKEN, *FINE)}


async def test_a_question_is_answered_from_the_rest(sources: list[Guarded]) -> None:
    graph = build_graph(sources=sources, context=settings())
    ended = await graph.ainvoke({"task": QUESTION, "power": "2"})
    assert "42 bar" in ended["answer"]
    warnings = " ".join(ended["warnings"])
    assert "limited could not be searched: 127.0.0.1 answered 429 (too many requests)" in warnings
    for name in ("hanging", "failing", "malformed"):
        assert f"{name} could not be searched" in warnings
    assert "empty could not" not in warnings


async def test_a_source_that_is_passed_in_bare_is_left_alone_when_it_keeps_failing() -> None:
    """The embedder's own source fails three times; then nobody asks it, and its sibling still answers."""
    own, fine = Scripted("own", RuntimeError("no")), Scripted("fine", [passage("a", FACT.format(42))])
    graph = build_retrieval_graph(sources=[own, fine], context=settings())
    states = []
    for number in range(5):
        found = await graph.ainvoke({"query": f"{QUESTION} ({number})", "power": "1"})
        states.append(_told(found["sources"])["own"][0])
        assert found["documents"][0]["text"] == FACT.format(42)
    assert states == ["failed"] * FAILURES + ["skipped"] * 2
    assert len(own.asked) == FAILURES


@pytest.mark.parametrize("remote", [True, False])
async def test_a_search_that_is_not_asynchronous_is_told_so(remote: bool) -> None:
    class Plain:
        name = "mine"

        def __init__(self) -> None:
            self.remote = remote

        def search(self, query: SearchQuery) -> list[Evidence]:
            return [passage("p", FACT.format(42))]

    source: Any = Plain()
    found = await build_retrieval_graph(sources=[source]).ainvoke({"query": QUESTION})
    (report,) = found["sources"]
    assert report["failure"]["message"] == "mine: its search is not async: write async def search(...)"


@pytest.mark.parametrize(
    ("found", "told"),
    [
        (None, "its search returns a NoneType, not a list of Evidence"),
        ("ten", "its search returns a str, not a list of Evidence"),
        (["ten"], "what its search returns is no Evidence: Input should be"),
        ([{"id": "a", "text": "ten", "title": "T", "source": "mine"}], "no Evidence: its field url: Field required"),
    ],
)
@pytest.mark.parametrize("remote", [False, True])
async def test_a_source_that_returns_something_else_is_told_what(found: Any, told: str, remote: bool) -> None:
    ended = await build_retrieval_graph(sources=[_returning(found, remote)]).ainvoke({"query": QUESTION})
    (report,) = ended["sources"]
    assert report["failure"]["message"].startswith("mine: ")
    assert told in report["failure"]["message"]


@pytest.mark.parametrize("remote", [False, True])
async def test_a_source_may_return_dicts(remote: bool) -> None:
    found = [{"id": "a", "text": FACT.format(42), "title": "T", "source": "mine", "url": "https://example.org/a"}]
    ended = await build_graph(sources=[_returning(found, remote)], context=settings()).ainvoke({"task": QUESTION})
    assert "42 bar" in ended["answer"]


def _returning(found: Any, remote: bool) -> Source:
    """A source as a user may write it."""

    class Mine:
        name = "mine"

        def __init__(self) -> None:
            self.remote = remote

        async def search(self, query: SearchQuery) -> Any:
            return found

    return Mine()


@pytest.mark.parametrize(("length", "is_told"), [(LONGEST_PASSAGE, False), (LONGEST_PASSAGE + 1, True)])
async def test_a_passage_that_is_too_long_is_read_to_its_limit(length: int, is_told: bool) -> None:
    text = f"{FACT.format(42)} The hall is quiet.".ljust(length)
    own = Scripted("own", [passage("a", text)])
    ended = await build_graph(sources=[own], context=settings()).ainvoke({"task": QUESTION, "power": "1"})
    assert "42 bar" in ended["answer"]
    told = "A part of own could not be searched: its passage a has 50,001 characters, of which 50,000 were read"
    assert any(told in warning for warning in ended["warnings"]) is is_told


@pytest.mark.parametrize("remote", [False, True])
@pytest.mark.parametrize(("more", "is_told"), [(-1, False), (0, False), (1, True), (20_000, True)])
async def test_no_more_passages_are_read_than_were_asked_for(more: int, is_told: bool, remote: bool) -> None:
    """Reading takes milliseconds each, and nothing can interrupt it."""
    given = [passage(f"p{place}", FACT.format(place)) for place in range(SearchQuery(text="q").limit + more)]
    answered = await ask_source(guarded(_returning(given, remote)), SearchQuery(text="q"), 5.0, time.monotonic)
    assert list(answered.evidence) == given[:5]
    told = f"it gave {5 + more:,} passages, of which 5 were asked for and read: a source has to heed the limit"
    assert (answered.report.failure is not None and answered.report.failure.message == told) is is_told
    assert answered.report.partial is is_told


async def test_what_is_held_counts_for_no_passage_that_was_asked_for() -> None:
    given = [passage(f"p{place}") for place in range(6)]
    query = SearchQuery(text="q", exclude=("p0",))
    answered = await ask_source(_returning(given, False), query, 5.0, time.monotonic)
    assert list(answered.evidence) == given[1:]
    assert answered.report.failure is None


@pytest.mark.parametrize(("second", "is_told"), [("nine", True), ("three", False)])
async def test_two_texts_with_one_id_are_told(second: str, is_told: bool) -> None:
    given = [passage("a", FACT.format("three")), passage("a", FACT.format(second))]
    ended = await build_graph(sources=[_returning(given, False)], context=settings()).ainvoke({"task": QUESTION})
    told = "two of its passages have the id a and different texts, of which one was read: an id is for one text"
    assert any(told in warning for warning in ended["warnings"]) is is_told


async def test_all_that_is_lost_of_a_source_is_told_in_one_line() -> None:
    text = FACT.format(42).ljust(LONGEST_PASSAGE + 1)
    given = [passage("a", text), passage("a", FACT.format(9)), *(passage(str(place)) for place in range(9))]
    answered = await ask_source(_returning(given, False), SearchQuery(text="q"), 5.0, time.monotonic)
    assert answered.report.failure is not None
    assert [part.split()[1] for part in answered.report.failure.message.split("; ")] == ["gave", "passage", "of"]


async def test_a_source_that_is_passed_in_bare_may_not_take_longer_than_its_share() -> None:
    own = Scripted("own", [passage("a")], wait=DEADLINE_S + 3.0)
    context = Settings(interactive=False, retrieval={"seconds": DEADLINE_S + 2.0})
    started = time.perf_counter()
    found = await build_retrieval_graph(sources=[own], context=context).ainvoke({"query": QUESTION, "power": "2"})
    assert time.perf_counter() - started < DEADLINE_S + 1.0
    assert _told(found["sources"]) == {"own": ("failed", "timeout")}
    assert own.cancelled == 1
