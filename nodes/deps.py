"""What nodes work with: judgements, sources, memory, tools, clock and ids. ``build_graph`` makes one and closes over
it."""

import uuid
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol, runtime_checkable

from langchain_core.tools import BaseTool
from langgraph.runtime import Runtime

from calibrant.judges.calibration import Calibration
from calibrant.judges.panel import Panel
from calibrant.retrievers.asking import Answered
from calibrant.retrievers.breaker import Breakers
from calibrant.state.channels import Update
from calibrant.state.context import Context
from calibrant.state.errors import InputError
from calibrant.state.evidence import Evidence
from calibrant.state.memory import Experience, Pattern, Recollection
from calibrant.state.protocols import Reread, Source
from calibrant.state.record import RunRecord
from calibrant.state.retrieval import Refinement
from calibrant.state.task import Task

ReadPage = Callable[[Evidence, str, float], Awaitable[Answered]]
"""The page behind a result, for a question, within so many seconds: its best passages and a report. Never raises."""

PATIENCE_S = 5.0
"""What is asked of foreign code beside a search (the memory, the recorder, what a source knows) may take so long."""


class Node(Protocol):
    """What every node is: a function of the state (or of its task, behind a ``Send``) and the runtime."""

    def __call__(self, state: Any, runtime: Runtime[Context]) -> Awaitable[Update]: ...


class Remembering(Protocol):
    """What nodes need of the memory."""

    async def recall(self, task: Task, reread: Reread | None) -> Recollection:
        """What was done before that is like ``task``."""
        ...

    async def remember(self, experience: Experience, pattern: Pattern | None) -> None:
        """Keep a finished task and, after a verified success, the approach. Idempotent by id."""
        ...

    async def worked_refinements(self, reason: str) -> tuple[Refinement, ...]:
        """The refinements that helped against a kind of rejection, the most successful first."""
        ...

    async def note_refinement(self, reason: str, refinement: Refinement, worked: bool, run_id: str) -> None:
        """Count a refinement that a run tried against a kind of rejection."""
        ...


@runtime_checkable
class Recorder(Protocol):
    """Who keeps the records of finished runs."""

    async def record(self, record: RunRecord) -> None:
        """Keep ``record``. Idempotent by id. What it raises is logged: an answer does not fail for a statistic."""
        ...


@dataclass(frozen=True)
class Offered:
    """Tools by name, and a line for each server that could not be asked."""

    tools: Mapping[str, BaseTool]
    warnings: tuple[str, ...] = ()


@dataclass(frozen=True)
class Deps:
    """Everything a node may touch beside its state. Built by ``build_graph``; replaced by fakes in tests."""

    panel: Callable[[Context], Awaitable[Panel]]
    """The judgements under a run's settings: its model may differ from run to run."""
    sources: Mapping[str, Source]
    clock: Callable[[], float]
    """Seconds since the epoch."""
    new_id: Callable[[], str]
    memory: Callable[[Runtime[Context]], Remembering | None] = lambda runtime: None
    """The memory over the run's store; None where the run has no store."""
    read_page: ReadPage | None = None
    """Reads full pages; None where nothing may be fetched."""
    recorder: Recorder | None = None
    """Keeps the records of finished runs; None where nobody does."""
    tools: Mapping[str, BaseTool] = field(default_factory=dict)
    """The tools that the program around the agent brings."""
    offered: Callable[[], Awaitable[Offered]] | None = None
    """The tools of the configured servers, which are asked when first needed; None where there is no server."""
    breakers: Breakers = field(default_factory=Breakers)
    """The circuit breakers of the tools."""
    holder: str = field(default_factory=lambda: uuid.uuid4().hex)
    """The id of this process. Whether a call that another process was to make was made, this one cannot know."""
    begun: set[str] = field(default_factory=set)
    """The calls that this process has begun, where no store keeps that."""
    calibration: Calibration = Calibration()
    """The calibrators; none by default."""
    context: Context = field(default_factory=Context)
    """The settings of a run that brings none."""

    def settings(self, runtime: Runtime[Any] | None) -> Context:
        """The run's settings. Where this graph is a node of another one, ``runtime`` has the context of that one; where
        a state is edited, there is no runtime."""
        given = runtime.context if runtime is not None else None
        return given if isinstance(given, Context) else self.context


WITHIN = "|"
"""In the namespace of a node's checkpoints where its graph is a node of another one."""


def check_context(runtime: Runtime[Any]) -> None:
    """Raises ``InputError`` for a context that is none of ours: a run that passed it over would seem to heed it. That
    of another graph, in which this one runs, is not meant for us."""
    given, info = runtime.context, runtime.execution_info
    is_within = info is not None and WITHIN in info.checkpoint_ns
    if given is not None and not is_within and not isinstance(given, Context):
        wanted = 'settings by name, such as {"power": "2"}, or Settings(...)'
        raise InputError(f"the context is a {type(given).__name__}: expected {wanted}")
