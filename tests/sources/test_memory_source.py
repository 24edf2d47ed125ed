"""Memory as a source, through its protocol and over the real one."""

from collections.abc import Sequence

import pytest
from langgraph.store.memory import InMemoryStore

from calibrant.memory import Memory
from calibrant.retrievers.memory import MemorySource
from calibrant.state.errors import KnowledgeError, SourceError
from calibrant.state.evidence import Evidence, SearchQuery
from calibrant.state.memory import Experience, Recollection
from calibrant.state.protocols import Reread
from calibrant.state.task import Task

PASSAGES = (
    Evidence(id="k1", text="Gardening in spring.", title="Garden", source="knowledge", url="file:///g.md"),
    Evidence(id="k2", text="A semaphore limits concurrency.", title="Sync", source="web", url="https://example.org"),
    Evidence(id="k3", text="A semaphore is a counter.", title="Sync", source="web", url="https://example.org/c"),
)
QUERY = SearchQuery(text="How does a semaphore limit concurrency?")


class Held:
    """A memory that recalls the same passages, or fails."""

    def __init__(self, failure: Exception | None = None) -> None:
        self._failure = failure

    async def recall(self, task: Task, reread: Reread | None = None) -> Recollection:
        if self._failure is not None:
            raise self._failure
        return Recollection(evidence=PASSAGES)


async def test_passages_that_fit_keep_their_ids() -> None:
    first, second = await MemorySource(Held()).search(QUERY)
    assert (first.id, first.source, first.rank, first.relevance) == ("k2", "memory", 1, 1.0)
    assert (second.id, second.rank) == ("k3", 2)
    assert first.url == "https://example.org"


async def test_held_ids_limit_and_negative_words() -> None:
    source = MemorySource(Held())
    assert [item.id for item in await source.search(QUERY.replace(exclude=("k2",)))] == ["k3"]
    assert [item.id for item in await source.search(QUERY.replace(limit=1))] == ["k2"]
    assert [item.id for item in await source.search(QUERY.replace(negative=("counters",)))] == ["k2"]


async def test_its_failure_is_a_source_error() -> None:
    with pytest.raises(SourceError, match="memory: closed"):
        await MemorySource(Held(KnowledgeError("closed"))).search(QUERY)


async def test_over_a_real_memory() -> None:
    memory = Memory(InMemoryStore(), lambda: 1000.0)
    experience = Experience(
        id="e1", task=QUERY.text, outcome="answered", confidence=0.9, evidence_ids=("k2",), at=900.0
    )
    await memory.remember(experience)

    async def reread(ids: Sequence[str]) -> list[Evidence]:
        return [item for item in PASSAGES if item.id in ids]

    assert [item.id for item in await MemorySource(memory, reread).search(QUERY)] == ["k2"]
    assert await MemorySource(memory).search(QUERY) == []
