"""The agent with everything it needs, opened from the settings: what the command line and other front ends run on."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import aclosing, asynccontextmanager, suppress
from dataclasses import dataclass

from langgraph.checkpoint.base import BaseCheckpointSaver
from langgraph.store.base import BaseStore

from calibrant.graph.build import make_deps
from calibrant.graph.describe import Component, describe
from calibrant.graph.encoders import encoder_of
from calibrant.graph.persistence import open_checkpointer, open_store, problems
from calibrant.graph.retrieval import Compiled
from calibrant.graph.runs import RunLog
from calibrant.graph.services import Gateway
from calibrant.graph.settings import Machine, Secrets, Settings
from calibrant.graph.wiring import wire
from calibrant.judges.free.evidence.features import encoders_of
from calibrant.judges.free.evidence.late_interaction import CachedEncoder
from calibrant.memory import Memory
from calibrant.nodes.deps import Deps
from calibrant.retrievers.http import trusted
from calibrant.retrievers.knowledge.folder import KnowledgeFolder
from calibrant.state.protocols import TextEncoder, TokenEncoder


@dataclass(frozen=True)
class App:
    """The compiled graph with its durable parts. ``context`` is what a run is given."""

    graph: Compiled
    context: Settings
    machine: Machine
    deps: Deps
    checkpointer: BaseCheckpointSaver[str]
    store: BaseStore

    @property
    def memory(self) -> Memory:
        """The long-term memory over the store."""
        return Memory(self.store, self.deps.clock)

    async def check_model(self) -> None:
        """Raises ``ConfigurationError`` where a run would, for a model that cannot be opened."""
        await self.deps.panel(self.context)


@asynccontextmanager
async def open_app(*, settings: Settings, machine: Machine, secrets: Secrets) -> AsyncIterator[App]:
    """Open checkpoints and memory, and build the graph over them.

    Raises ``CalibrantError`` with one line where something cannot be opened.
    """
    encoder = await asyncio.to_thread(encoder_of, None, machine, secrets.embeddings_api_key)
    async with (
        open_checkpointer(machine) as checkpointer,
        open_store(machine, encoder, learns=settings.switches.memory) as store,
        aclosing(RunLog(machine.data_dir)) as recorder,
        aclosing(Gateway(machine, secrets)) as gateway,
    ):
        deps = make_deps(embeddings=encoder, context=settings, recorder=recorder, gateway=gateway)
        try:
            await warm(deps, settings, encoder)
            graph = wire(deps, Settings, checkpointer=checkpointer, store=store)
            yield App(graph, settings, machine, deps, checkpointer, store)
        finally:
            await asyncio.to_thread(_close_knowledge, deps)


async def examined(*, settings: Settings, machine: Machine, secrets: Secrets) -> list[Component]:
    """What is configured, how to add what is missing, and what is damaged: that keeps nothing else from being told."""
    encoder = await asyncio.to_thread(encoder_of, None, machine, secrets.embeddings_api_key)
    async with aclosing(Gateway(machine, secrets)) as gateway:
        deps = make_deps(embeddings=encoder, context=settings, gateway=gateway)
        return describe(settings, machine, secrets, deps, await problems(machine))


async def warm(deps: Deps, context: Settings, encoder: TextEncoder | None) -> None:
    """Load in advance what the first run would spend most of its time on: the model's client, the certificates, the
    vectors. What cannot be opened is reported by the run that needs it."""
    with suppress(Exception):
        await deps.panel(context)
    if any(source.remote for source in deps.sources.values()):
        await asyncio.to_thread(trusted)
    if encoder is not None:
        await asyncio.to_thread(_warm_vectors, deps, context.knowledge)
        await asyncio.to_thread(_warm_reader, encoder)


def _warm_vectors(deps: Deps, knowledge: Sequence[str]) -> None:
    for folder in _folders(deps):
        folder.warm(knowledge)


def _close_knowledge(deps: Deps) -> None:
    for folder in _folders(deps):
        folder.close()


def _folders(deps: Deps) -> list[KnowledgeFolder]:
    return [source for source in deps.sources.values() if isinstance(source, KnowledgeFolder)]


def _warm_reader(encoder: object) -> None:
    if isinstance(encoder, TokenEncoder):
        encoders_of(CachedEncoder(encoder))
