"""A small house for graph tests: documents written for them, a knowledge base over those, and a graph over that."""

import itertools
import time
from collections.abc import AsyncIterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from langchain_core.language_models import BaseChatModel
from langchain_core.runnables import RunnableConfig
from langchain_core.tools import BaseTool
from langgraph.checkpoint.base import BaseCheckpointSaver
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.store.base import BaseStore
from langgraph.types import Command

from calibrant.graph.build import make_deps
from calibrant.graph.retrieval import Compiled
from calibrant.graph.serde import serde
from calibrant.graph.settings import Machine, Secrets, Settings
from calibrant.graph.wiring import wire
from calibrant.nodes.deps import Deps
from calibrant.retrievers.knowledge import KnowledgeBase, knowledge_dir
from calibrant.state.channels import View

DOCUMENTS = {
    "retries.md": """# Retries

A failed job is retried five times by default. The wait between two tries doubles each time, starting at ten seconds.
Set `max_retries` to 0 to switch retries off.

## Dead letters

A job that has used up its retries is moved to the dead-letter queue. It stays there for fourteen days.
""",
    "workers.md": """# Workers

Each worker process runs four jobs at a time. Raise `concurrency` to run more jobs in one worker.
A worker sends a heartbeat every thirty seconds; a worker that is silent for two minutes is considered lost.

## Shutdown

On SIGTERM a worker finishes the jobs that it is running and takes no new ones.
""",
    "storage.md": """# Storage

Job results are kept in SQLite by default. Use the Postgres backend when several machines share one queue.
The SQLite backend locks the whole file while it writes, so it is limited to one writing machine.
The Postgres backend needs version 14 or newer.
""",
    "filas.md": """# Filas

Cada fila tem uma prioridade entre 0 e 9. A prioridade padrão é 5.
Uma fila pausada não entrega tarefas, mas continua a aceitar novas.
""",
}
"""The manual of Halyard, a job queue that does not exist: no test can pass by what a model already knows."""


def write_documents(folder: Path, documents: Mapping[str, str] = DOCUMENTS) -> Path:
    """The documents as files."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in documents.items():
        (folder / name).write_text(text, encoding="utf-8")
    return folder


def ingest(data_dir: Path, folder: Path, name: str = "manual") -> None:
    """The folder as a knowledge base."""
    base = KnowledgeBase.open(knowledge_dir(data_dir, name), name, create=True)
    base.ingest([folder])
    base.close()


def machine(data_dir: Path) -> Machine:
    """A machine without embeddings: what every machine has."""
    return Machine(data_dir=data_dir, embeddings="none", allow_download=False)


def deps_for(data_dir: Path, **changes: Any) -> Deps:
    """Deps over the knowledge bases of ``data_dir``. ``changes``: model, sources, tools, context, clock."""
    count = itertools.count(1)
    settings = changes.pop("context", None) or Settings(interactive=False)
    return make_deps(
        machine=machine(data_dir),
        secrets=Secrets(),
        context=settings,
        new_id=lambda: f"id{next(count)}",
        clock=changes.pop("clock", time.time),
        **changes,
    )


def graph_for(
    data_dir: Path,
    *,
    checkpointer: BaseCheckpointSaver[Any] | None = None,
    store: BaseStore | None = None,
    model: BaseChatModel | None = None,
    tools: Sequence[BaseTool] | None = None,
    sources: Sequence[Any] | None = None,
    context: Settings | None = None,
) -> Compiled:
    """The compiled graph with a strict in-memory checkpointer unless another is given."""
    deps = deps_for(data_dir, model=model, tools=tools, sources=sources, context=context)
    return wire(deps, Settings, checkpointer=checkpointer or InMemorySaver(serde=serde()), store=store)


def config(thread: str = "t1") -> RunnableConfig:
    """The run configuration of a thread."""
    return RunnableConfig(configurable={"thread_id": thread})


async def steps(graph: Compiled, given: Any, thread: str = "t1", **options: Any) -> AsyncIterator[str]:
    """The names of the nodes, in the order in which they end."""
    stream = graph.astream(given, config(thread), stream_mode="updates", **options)
    async for update in stream:
        for name in update:
            yield name


async def path(graph: Compiled, given: Any, thread: str = "t1", **options: Any) -> list[str]:
    """The nodes that a run went through."""
    return [name async for name in steps(graph, given, thread, **options)]


async def run(graph: Compiled, question: str, thread: str = "t1", **options: Any) -> View:
    """One question, and the state at its end."""
    await graph.ainvoke({"task": question, **options.pop("given", {})}, config(thread), **options)
    return await state_of(graph, thread)


async def answer(graph: Compiled, reply: Any, thread: str = "t1") -> View:
    """A person's reply to the open question, and the state then."""
    await graph.ainvoke(Command(resume=reply), config(thread))
    return await state_of(graph, thread)


async def state_of(graph: Compiled, thread: str = "t1") -> View:
    """The thread's state as models."""
    return View.model_validate((await graph.aget_state(config(thread))).values)


async def asked(graph: Compiled, thread: str = "t1") -> dict[str, Any]:
    """The payload of the open interrupt."""
    snapshot = await graph.aget_state(config(thread))
    (question,) = snapshot.interrupts
    return dict(question.value)
