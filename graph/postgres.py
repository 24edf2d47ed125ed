"""Checkpoints and memory in Postgres. Needs the extra ``postgres``; imported only where a URL is set."""

import asyncio
import logging
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from typing import Any, cast

import psycopg
from langgraph.checkpoint.postgres.aio import AsyncPostgresSaver
from langgraph.checkpoint.serde.base import SerializerProtocol
from langgraph.store.base import IndexConfig
from langgraph.store.postgres.aio import AsyncPostgresStore
from langgraph.store.postgres.base import PostgresIndexConfig
from psycopg.conninfo import conninfo_to_dict, make_conninfo
from psycopg.rows import DictRow, dict_row
from psycopg_pool import AsyncConnectionPool

from calibrant.state.errors import CalibrantError, ConfigurationError

log = logging.getLogger(__name__)

Pool = AsyncConnectionPool[psycopg.AsyncConnection[DictRow]]

CONNECT_SECONDS = 5
POOL_SIZE = 8
SETUP_LOCK = 0x0CA11B8A
"""An advisory lock: several machines may start at once on an empty database."""

SETUP_SECONDS = 60.0

NO_INDEX = (
    psycopg.errors.FeatureNotSupported,  # the extension is not installed on the server
    psycopg.errors.UndefinedFile,  # the same, before Postgres 14
    psycopg.errors.UndefinedObject,  # the type of its columns is not there
    psycopg.errors.ProgramLimitExceeded,  # it indexes 2,000 dimensions at most
)
"""What says that pgvector is not there, or not for these vectors. Anything else is wrong with the database."""


@asynccontextmanager
async def open_saver(url: str, serde: SerializerProtocol) -> AsyncIterator[AsyncPostgresSaver]:
    """A checkpointer on ``url``, its tables made."""
    async with _pool(url) as pool:
        saver = AsyncPostgresSaver(pool, serde=serde)
        with _explained(url):
            await _alone(pool, saver.setup)
        yield saver


@asynccontextmanager
async def open_store(url: str, index: IndexConfig | None) -> AsyncIterator[AsyncPostgresStore]:
    """A store on ``url``, its tables made; without a semantic index where the server has no pgvector for it."""
    async with _pool(url) as pool:
        with _explained(url):
            store = await _indexed_store(pool, index) if index else await _plain_store(pool)
        yield store


async def _indexed_store(pool: Pool, index: IndexConfig) -> AsyncPostgresStore:
    store = AsyncPostgresStore(pool, index=cast(PostgresIndexConfig, index))
    try:
        await _alone(pool, store.setup)
    except NO_INDEX as error:
        log.warning("Postgres makes no vector index (%s): memory is searched by words only", type(error).__name__)
        return await _plain_store(pool)
    return store


async def _plain_store(pool: Pool) -> AsyncPostgresStore:
    store = AsyncPostgresStore(pool)
    await _alone(pool, store.setup)
    return store


@asynccontextmanager
async def _pool(url: str) -> AsyncIterator[Pool]:
    """A pool of connections. One is tried first: the pool itself would retry in silence and then say nothing of why."""
    with _explained(url):
        timed = make_conninfo(url, **{"connect_timeout": CONNECT_SECONDS, **conninfo_to_dict(url)})
        await (await psycopg.AsyncConnection.connect(timed)).close()
    settings: dict[str, Any] = {"autocommit": True, "prepare_threshold": 0, "row_factory": dict_row}
    pool: Pool = AsyncConnectionPool(timed, min_size=1, max_size=POOL_SIZE, open=False, kwargs=settings)
    async with pool:
        yield pool


async def _alone(pool: Pool, setup: Callable[[], Awaitable[None]]) -> None:
    """Run ``setup`` while nobody else does. The lock is polled: a waiting query would block the index being built."""
    async with pool.connection() as connection, asyncio.timeout(SETUP_SECONDS):
        while not await _taken(connection):  # noqa: ASYNC110 - the other one is another process
            await asyncio.sleep(0.05)
        try:
            await setup()
        finally:
            await connection.execute("SELECT pg_advisory_unlock(%s)", (SETUP_LOCK,))


async def _taken(connection: psycopg.AsyncConnection[DictRow]) -> bool:
    row = await (await connection.execute("SELECT pg_try_advisory_lock(%s) AS taken", (SETUP_LOCK,))).fetchone()
    return bool(row and row["taken"])


@contextmanager
def _explained(url: str) -> Iterator[None]:
    try:
        yield
    except (psycopg.Error, TimeoutError) as error:
        raise _error(url, error) from None


def _error(url: str, error: Exception) -> CalibrantError:
    """One line without the password: drivers quote what they were given."""
    try:
        parts = conninfo_to_dict(url)
    except psycopg.Error:
        return ConfigurationError(
            "CALIBRANT_POSTGRES_URL is no Postgres URL: postgresql://user:password@host:5432/name"
        )
    place = f"{parts.get('host', 'localhost')}:{parts.get('port', 5432)}/{parts.get('dbname', '')}"
    told = f"its tables were not set up within {SETUP_SECONDS:g} s" if isinstance(error, TimeoutError) else str(error)
    lines = [line.strip() for line in told.splitlines() if line.strip()] or [type(error).__name__]
    why = lines[0].replace(str(parts["password"]), "***") if parts.get("password") else lines[0]
    return CalibrantError(f"Postgres at {place} cannot be used: {why}")
