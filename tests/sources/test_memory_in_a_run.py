"""Memory as a configured source: over the store that the run brings, in the compiled graph."""

from collections.abc import Callable, Sequence
from pathlib import Path

import pytest
from langgraph.store.base import BaseStore
from langgraph.store.memory import InMemoryStore

from calibrant.graph.build import make_deps
from calibrant.graph.retrieval import information_graph
from calibrant.graph.services import Gateway
from calibrant.graph.settings import Machine, Secrets, Settings
from calibrant.graph.sources import default_sources
from calibrant.memory import Memory
from calibrant.state.context import Switches
from calibrant.state.evidence import SearchQuery
from calibrant.state.memory import Experience
from calibrant.state.protocols import Source
from tests.graph.house import deps_for, ingest, write_documents

QUESTION = "How often is a failed job retried?"


@pytest.fixture
def data_dir(tmp_path: Path) -> Path:
    ingest(tmp_path / "data", write_documents(tmp_path / "manual"))
    return tmp_path / "data"


def local_sources(machine: Machine) -> Sequence[Source]:
    return default_sources(Gateway(machine, Secrets()), None)


async def store_with(data_dir: Path) -> InMemoryStore:
    """A store that remembers the question, with the passage that answered it."""
    (knowledge,) = local_sources(Machine(data_dir=data_dir))
    best, *_ = await knowledge.search(SearchQuery(text=QUESTION, limit=1))
    store = InMemoryStore()
    experience = Experience(id="e1", task=QUESTION, outcome="answered", confidence=0.9, evidence_ids=(best.id,), at=1e9)
    await Memory(store, lambda: 1e9).remember(experience)
    return store


@pytest.mark.parametrize(
    ("with_store", "remembering", "state"), [(True, True, "ok"), (True, False, "empty"), (False, True, "empty")]
)
async def test_it_recalls_from_the_store_of_the_run(
    data_dir: Path, with_store: bool, remembering: bool, state: str
) -> None:
    sources = local_sources(Machine(data_dir=data_dir, sources=("memory",)))
    assert [source.name for source in sources] == ["memory"]
    settings = Settings(switches=Switches(memory=remembering))
    deps = deps_for(data_dir, sources=sources, context=settings)
    graph = information_graph(deps, Settings, store=await store_with(data_dir) if with_store else None)
    found = await graph.ainvoke({"query": QUESTION}, context=settings)
    assert [(report["source"], report["state"]) for report in found["sources"]] == [("memory", state)]
    if state == "ok":
        assert found["documents"][0]["source"] == "memory"
        assert "retried five times" in found["documents"][0]["text"]


async def test_without_settings_of_its_own_a_run_remembers_as_the_graph_was_told(data_dir: Path) -> None:
    machine = Machine(data_dir=data_dir, sources=("memory",), allow_download=False)
    settings = Settings(switches=Switches(memory=False))
    deps = make_deps(context=settings, machine=machine, secrets=Secrets())
    graph = information_graph(deps, Settings, store=await store_with(data_dir))
    found = await graph.ainvoke({"query": QUESTION})
    assert [(report["source"], report["state"]) for report in found["sources"]] == [("memory", "empty")]


async def test_it_tells_the_time_by_the_clock_of_the_graph(data_dir: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    clocks: set[Callable[[], float]] = set()

    def memory(store: BaseStore, clock: Callable[[], float]) -> Memory:
        clocks.add(clock)
        return Memory(store, clock)

    def own() -> float:
        return 1e9

    monkeypatch.setattr("calibrant.graph.recall.Memory", memory)
    machine = Machine(data_dir=data_dir, sources=("memory",), allow_download=False)
    deps = make_deps(context=Settings(), machine=machine, secrets=Secrets(), clock=own)
    await information_graph(deps, Settings, store=await store_with(data_dir)).ainvoke({"query": QUESTION})
    assert clocks == {own}


def test_it_is_a_source_only_where_it_is_named(data_dir: Path) -> None:
    def names(*wanted: str) -> list[str]:
        machine = Machine(data_dir=data_dir, sources=wanted)
        return [source.name for source in local_sources(machine)]

    assert names() == ["knowledge"]
    assert names("memory", "knowledge") == ["knowledge", "memory"]
    assert names("all")[:2] == ["knowledge", "memory"]
