"""Memory as a source: the passages that answers to similar tasks cited, where they still stand unchanged."""

import asyncio
from collections.abc import Sequence
from typing import Protocol

from calibrant.retrievers.excerpt import Piece
from calibrant.retrievers.findings import Fit, Result, is_allowed
from calibrant.state.errors import CalibrantError, SourceError
from calibrant.state.evidence import Evidence, SearchQuery
from calibrant.state.memory import Recollection
from calibrant.state.protocols import Reread
from calibrant.state.task import Task


class Recalls(Protocol):
    """What this source needs of a memory (``calibrant.memory.Memory`` has it)."""

    async def recall(self, task: Task, reread: Reread | None = None) -> Recollection:
        """What was done that resembles ``task``."""
        ...


class MemorySource:
    """What helped before. A passage keeps its id, so that one found twice is held once."""

    name = "memory"
    remote = False

    def __init__(self, memory: Recalls, reread: Reread | None = None) -> None:
        """``reread`` gives passages again by id, as ``Rereadable.reread`` does; without it there are none to give."""
        self._memory = memory
        self._reread = reread

    async def search(self, query: SearchQuery) -> list[Evidence]:
        """The remembered passages that say something about the query, those that say most first."""
        try:
            recollection = await self._memory.recall(Task(text=query.text), self._reread)
        except CalibrantError as error:
            raise SourceError(f"memory: {error}") from error
        return await asyncio.to_thread(_fitting, query, recollection.evidence)


def _fitting(query: SearchQuery, held: Sequence[Evidence]) -> list[Evidence]:
    fit, known = Fit(query), set(query.exclude)
    wanted = [item for item in held if item.id not in known and is_allowed(query.filters, item)]
    scored = [(fit.best(_as_result(item), 1, set()), item) for item in wanted]
    kept = [(best[0][0], item) for best, item in scored if best and best[0][0] > 0]
    kept.sort(key=lambda pair: -pair[0])
    return [
        item.replace(source=MemorySource.name, relevance=share, rank=rank, query=query.text)
        for rank, (share, item) in enumerate(kept[: query.limit], start=1)
    ]


def _as_result(item: Evidence) -> Result:
    return Result(item.title, item.url, [Piece(item.text, item.locator)])
