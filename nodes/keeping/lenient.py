"""The memory as a node sees it: what cannot be recalled or kept costs a warning, never the answer."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import TypeVar

from langgraph.runtime import Runtime

from calibrant.nodes.deps import PATIENCE_S, Remembering
from calibrant.nodes.work import Work
from calibrant.state.context import Context
from calibrant.state.errors import failure_of
from calibrant.state.memory import Experience, Pattern, Recollection
from calibrant.state.protocols import Reread
from calibrant.state.retrieval import Refinement
from calibrant.state.task import Task

T = TypeVar("T")

PAUSE_S = 0.1
"""Before the second try: a store may be busy or away for a moment only."""

LEAST_S = 1.0
"""What one access to the memory may take even where the run's time is spent: to keep a lesson takes a moment. Else it
is half of what the run has left, ``PATIENCE_S`` at most."""


def memory_of(work: Work, runtime: Runtime[Context]) -> Remembering | None:
    """The run's memory; None where it has no store, or memory is switched off."""
    memory = work.deps.memory(runtime) if work.context.switches.memory else None
    return LenientMemory(memory, work) if memory is not None else None


class LenientMemory:
    """A memory that never raises, and never hangs: a store may be away, full or of any make."""

    def __init__(self, memory: Remembering, work: Work) -> None:
        self._memory = memory
        self._work = work
        self._hangs = False

    async def recall(self, task: Task, reread: Reread | None) -> Recollection:
        return await self._tried(lambda: self._memory.recall(task, reread), Recollection())

    async def remember(self, experience: Experience, pattern: Pattern | None) -> None:
        await self._tried(lambda: self._memory.remember(experience, pattern), None)

    async def worked_refinements(self, reason: str) -> tuple[Refinement, ...]:
        return await self._tried(lambda: self._memory.worked_refinements(reason), ())

    async def note_refinement(self, reason: str, refinement: Refinement, worked: bool, run_id: str) -> None:
        # Once: it counts, and nobody knows whether a count that failed was kept.
        await self._tried(lambda: self._memory.note_refinement(reason, refinement, worked, run_id), None, tries=1)

    async def _tried(self, work: Callable[[], Awaitable[T]], otherwise: T, tries: int = 2) -> T:
        if self._hangs:
            return otherwise
        timer = asyncio.timeout(max(LEAST_S, min(PATIENCE_S, self._work.ledger.left().seconds / 2)))
        try:
            async with timer:
                return await work()
        except Exception as error:  # noqa: BLE001 - a store is foreign code
            self._hangs = timer.expired()
            if tries > 1 and not self._hangs:
                await asyncio.sleep(PAUSE_S)
                return await self._tried(work, otherwise, tries - 1)
            told = "it did not answer in time" if self._hangs else failure_of(error, "memory").message
            self._work.warnings.append(f"The run went on without its memory: {told}.")
            return otherwise
