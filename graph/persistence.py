"""Where checkpoints and memory are kept: SQLite files by default, Postgres by URL, the process itself for tests.

    async with open_checkpointer(machine) as saver, open_store(machine, encoder) as store:
        graph = build_graph(checkpointer=saver, store=store)

Both are set up when they are opened. A file that cannot be read, a server that does not answer and a missing package are
one ``CalibrantError`` each, with one line that says what to do. Nothing is ever deleted.
"""

import sqlite3
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import aiosqlite
from langgraph.checkpoint.base import BaseCheckpointSaver
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.checkpoint.sqlite.aio import AsyncSqliteSaver
from langgraph.store.base import BaseStore, IndexConfig
from langgraph.store.memory import InMemoryStore
from langgraph.store.sqlite.aio import AsyncSqliteStore

from calibrant.graph.serde import serde
from calibrant.graph.settings import Machine
from calibrant.graph.vectors import Encoder, index_of, reindexed
from calibrant.state.errors import CalibrantError, ConfigurationError

CHECKPOINTS = "checkpoints.db"
MEMORY = "memory.db"

BUSY_SECONDS = 10.0
"""How long a writer waits for another process that is writing."""


@asynccontextmanager
async def open_checkpointer(machine: Machine | None) -> AsyncIterator[BaseCheckpointSaver[str]]:
    """The checkpointer that ``machine`` names. None keeps checkpoints in this process only."""
    if machine is None:
        yield InMemorySaver(serde=serde())
    elif machine.postgres:
        from calibrant.graph.postgres import open_saver

        async with open_saver(machine.postgres, serde()) as saver:
            yield saver
    else:
        async with _sqlite(machine.data_dir / CHECKPOINTS) as connection:
            sqlite_saver = AsyncSqliteSaver(connection, serde=serde())
            await sqlite_saver.setup()
            yield sqlite_saver


@asynccontextmanager
async def open_store(machine: Machine | None, encoder: Encoder | None = None) -> AsyncIterator[BaseStore]:
    """The store that ``machine`` names, with a semantic index where there is an ``encoder``. None: in this process only."""
    index = await index_of(encoder)
    if machine is None:
        yield InMemoryStore(index=index)
    elif machine.postgres:
        from calibrant.graph.postgres import open_postgres_store

        async with open_postgres_store(machine.postgres, index) as store:
            yield await reindexed(store, encoder, index)
    else:
        async with _sqlite_store(machine.data_dir / MEMORY, index) as store:
            yield await reindexed(store, encoder, index)
