"""The agent as the benchmarks run it: the whole graph, its threads and memory in SQLite, over the scripted services."""

import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.base import BaseCheckpointSaver

from calibrant.evals.bench.services import Services
from calibrant.graph.build import make_deps
from calibrant.graph.persistence import open_checkpointer, open_store
from calibrant.graph.retrieval import Compiled
from calibrant.graph.serde import serde
from calibrant.graph.settings import Machine, Secrets
from calibrant.graph.wiring import wire
from calibrant.retrievers.guard import Guarded
from calibrant.retrievers.http import Http
from calibrant.retrievers.limits import Limits
from calibrant.retrievers.web import SearXNG
from calibrant.state.budget import RetrievalLimits, RunLimits, StopReason
from calibrant.state.channels import View
from calibrant.state.context import Context, ModelSettings

PATIENCE_S = 600.0
"""For deadlines that must not cut a run short when a hundred of them share one processor."""


@dataclass(frozen=True)
class Agent:
    """The compiled graph with what a run of it needs."""

    graph: Compiled
    context: Context
    checkpointer: BaseCheckpointSaver[str]

    async def ask(self, question: Any, thread: str) -> float:
        """Seconds that one run takes. ``question``: the text, or a ``Command`` that goes on with an interrupted run."""
        given = {"task": question} if isinstance(question, str) else question
        started = time.perf_counter()
        await self.graph.ainvoke(given, config_of(thread), context=self.context)
        return time.perf_counter() - started

    async def state(self, thread: str) -> View:
        """What a thread holds."""
        return View.model_validate((await self.graph.aget_state(config_of(thread))).values)

    async def answered(self, thread: str) -> View:
        """What a thread holds after a run that answered. Raises ``RuntimeError`` where it did not: its cost would say
        nothing about the others'."""
        state = await self.state(thread)
        if state.stop_reason is not StopReason.ANSWERED:
            raise RuntimeError(f"a run was to answer, and {state.stop_reason}: {state.answer}")
        return state

    async def state_bytes(self, thread: str) -> int:
        """What a thread holds in the end, as it is stored, once."""
        values = (await self.graph.aget_state(config_of(thread))).values
        return len(serde().dumps_typed(values)[1])

    async def nodes_of(self, question: str, thread: str) -> int:
        """How many nodes a run goes through, those of subgraphs included."""
        given, config = {"task": question}, config_of(thread)
        stream = self.graph.astream(given, config, context=self.context, stream_mode="updates", subgraphs=True)
        return sum([len(update) async for _, update in stream])


def config_of(thread: str) -> RunnableConfig:
    """The run configuration of a thread."""
    return RunnableConfig(configurable={"thread_id": thread})


def context_of(services: Services | None, **changes: Any) -> Context:
    """The defaults of a run (nobody there to ask), whatever this machine's settings are; with patience."""
    model = ModelSettings(name="scripted", base_url=f"{services.url}/v1", timeout_s=PATIENCE_S) if services else None
    patient: dict[str, Any] = {
        "interactive": False,
        "limits": RunLimits(seconds=PATIENCE_S),
        "retrieval": RetrievalLimits(seconds=PATIENCE_S),
    }
    return Context(model=model or ModelSettings(), **{**patient, **changes})


@asynccontextmanager
async def opened(folder: Path, context: Context, services: Services) -> AsyncIterator[Agent]:
    """The agent over the search service alone: all else of a default machine, with nothing installed."""
    machine = Machine(data_dir=folder, embeddings="none", allow_download=False)
    web = Guarded(SearXNG(Http(Limits(default=()), timeout=PATIENCE_S), services.url), seconds=PATIENCE_S)
    async with open_checkpointer(machine) as checkpointer, open_store(machine) as store:
        deps = make_deps(sources=[web], context=context, machine=machine, secrets=Secrets())
        graph = wire(deps, Context, checkpointer=checkpointer, store=store)
        yield Agent(graph, context, checkpointer)
