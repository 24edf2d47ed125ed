"""The stores that memory is tested on, and what fills them."""

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from langgraph.store.base import BaseStore

from calibrant.graph.persistence import open_store
from calibrant.graph.settings import Machine
from calibrant.memory.similarity import terms_of
from calibrant.state.memory import Experience, Pattern
from calibrant.state.task import QueryType, Task

DAY = 86_400.0
NOW = 1_000 * DAY


class WordEncoder:
    """A stand-in for an embedding model: one direction per stem, hashed. Counts the texts that it was given."""

    def __init__(self, identity: str = "words", dimensions: int = 256) -> None:
        self.identity = identity
        self.dimensions = dimensions
        self.texts: list[str] = []

    def encode(self, texts: Sequence[str]) -> Any:
        self.texts += texts
        return [self._vector(text) for text in texts]

    def _vector(self, text: str) -> list[float]:
        vector = [0.0] * self.dimensions
        for word in terms_of(text).words:
            vector[sum(ord(c) * 31**place for place, c in enumerate(word)) % self.dimensions] += 1.0
        length = sum(number * number for number in vector) ** 0.5 or 1.0
        return [number / length for number in vector]


@asynccontextmanager
async def opened(kind: str, folder: Path, *, learns: bool = True, forgets: bool = False) -> AsyncIterator[BaseStore]:
    """A store by kind: ``memory``, ``sqlite``, each also with an index."""
    machine = Machine(data_dir=folder) if kind.startswith("sqlite") else None
    encoder = WordEncoder() if kind.endswith("indexed") else None
    async with open_store(machine, encoder, learns=learns, forgets=forgets) as store:
        yield store


def task(text: str, query_type: QueryType = QueryType.OPERATIONAL) -> Task:
    return Task(text=text, query_type=query_type)


def experience(id: str, text: str, **fields: Any) -> Experience:
    defaults = {"outcome": "answered", "confidence": 0.8, "at": NOW, "query_type": QueryType.OPERATIONAL}
    return Experience(id=id, task=text, **{**defaults, **fields})


def pattern(id: str, applies_to: str, **fields: Any) -> Pattern:
    defaults = {"name": id, "at": NOW, "query_type": QueryType.OPERATIONAL}
    return Pattern(id=id, applies_to=applies_to, **{**defaults, **fields})
