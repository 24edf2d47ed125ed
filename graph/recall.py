"""Memory as a source: over the store of whichever run is searching."""

from collections.abc import Callable

from langgraph.runtime import get_runtime

from calibrant.memory import Memory
from calibrant.retrievers.memory import MemorySource
from calibrant.state.context import Context
from calibrant.state.memory import Recollection
from calibrant.state.protocols import Reread
from calibrant.state.task import Task


def memory_source(reread: Reread, clock: Callable[[], float], remembers: bool = True) -> MemorySource:
    """The source of passages that helped with tasks like a query, where ``reread`` still finds them.

    It finds nothing in a run that has no store or has memory switched off. ``clock``: seconds since the epoch.
    ``remembers``: whether memory is on for runs that bring no settings of their own.
    """
    return MemorySource(_RunMemory(clock, remembers), reread)


class _RunMemory:
    """Recalls from the store of the run in which it is asked: a server brings its own, known only while it runs."""

    def __init__(self, clock: Callable[[], float], remembers: bool) -> None:
        self._clock = clock
        self._remembers = remembers

    async def recall(self, task: Task, reread: Reread | None = None) -> Recollection:
        runtime = get_runtime(Context)
        remembers = runtime.context.switches.memory if isinstance(runtime.context, Context) else self._remembers
        if runtime.store is None or not remembers:
            return Recollection()
        return await Memory(runtime.store, self._clock).recall(task, reread)
