"""Where checkpoints and memory are kept: SQLite files by default, Postgres by URL, this process alone for tests.

    async with open_checkpointer(machine) as saver, open_store(machine, encoder) as store:
        graph = build_graph(checkpointer=saver, store=store)

Both are set up when they are opened. A file that cannot be read, a server that does not answer and a missing package
are one ``CalibrantError`` each, with one line that says what to do. Nothing is deleted but by who opens them to
(``forgets``); of what is deleted then, SQLite's files keep nothing.
"""

import asyncio
import shutil
import sqlite3
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager, suppress
from pathlib import Path
from types import ModuleType
from typing import Any

import aiosqlite
from langgraph.checkpoint.base import BaseCheckpointSaver
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.checkpoint.sqlite.aio import AsyncSqliteSaver
from langgraph.store.base import BaseStore
from langgraph.store.memory import InMemoryStore

from calibrant.graph.read_only import is_read_only, reading_address
from calibrant.graph.serde import serde
from calibrant.graph.settings import Machine
from calibrant.graph.vectors import SqliteStore, index_of, keep_indexed
from calibrant.retrievers.home import made_private
from calibrant.state.errors import CalibrantError, ConfigurationError, how_to_install
from calibrant.state.protocols import TextEncoder

CHECKPOINTS = "checkpoints.db"
MEMORY = "memory.db"

BUSY_SECONDS = 10.0
"""How long a writer waits for another process that is writing."""

ROOM = 1_000_000
"""Bytes without which a disk counts as full: SQLite's files grow by some 30,000 at a time."""

TURN_SECONDS = 60.0
"""How long a process waits for its turn to set a file up, or to close it: many may start at once on a slow disk."""

Checkpointer = BaseCheckpointSaver[str]


@asynccontextmanager
async def open_checkpointer(machine: Machine | None, *, forgets: bool = False) -> AsyncIterator[Checkpointer]:
    """The checkpointer that ``machine`` names. None keeps checkpoints in this process only.

    ``forgets``: threads will be deleted.
    """
    if machine is None:
        yield InMemorySaver(serde=serde())
    elif url := machine.postgres:
        async with _postgres().open_saver(url, serde()) as saver:
            yield saver
    else:
        path = machine.data_dir / CHECKPOINTS
        async with _sqlite(path, "DEFERRED", forgets=forgets) as connection:
            sqlite_saver = AsyncSqliteSaver(connection, serde=serde())
            async with _alone(path):
                await sqlite_saver.setup()
            yield sqlite_saver


@asynccontextmanager
async def open_store(
    machine: Machine | None, embeddings: TextEncoder | None = None, *, learns: bool = True, forgets: bool = False
) -> AsyncIterator[BaseStore]:
    """The store that ``machine`` names, searched by meaning where there are ``embeddings``. None: this process only.

    ``learns``: records will be added, so that the index has to be that of ``embeddings``; else it is left as it is.
    ``forgets``: records will be deleted.
    """
    index = await index_of(embeddings)
    if machine is None:
        yield InMemoryStore(index=index)
    elif url := machine.postgres:
        async with _postgres().open_store(url, index) as store:
            if learns:
                await keep_indexed(store, _identity(store, embeddings))
            yield store
    else:
        path = machine.data_dir / MEMORY
        async with _sqlite(path, None, forgets=forgets) as connection:
            async with _alone(path):
                sqlite_store = SqliteStore(connection, index=index)
                await sqlite_store.setup()
                if learns:
                    await keep_indexed(sqlite_store, _identity(sqlite_store, embeddings))
            yield sqlite_store


async def problems(machine: Machine) -> list[str]:
    """What keeps a run from its threads and its memory, and what to do, a line each. SQLite's files are read whole."""
    if url := machine.postgres:
        attempts = [_open_postgres(url)]
    else:
        attempts = [_read_whole(machine.data_dir / name) for name in (CHECKPOINTS, MEMORY)]
    told: dict[str, None] = {}
    for attempt in attempts:
        try:
            await attempt
        except CalibrantError as error:
            told[str(error)] = None
    return list(told)


async def _open_postgres(url: str) -> None:
    async with _postgres().open_saver(url, serde()):
        pass


async def _read_whole(path: Path) -> None:
    if is_read_only(path):
        raise CalibrantError(f"{path} {_prevented('read-only', path)}")
    async with _sqlite(path, None) as connection:
        with _readable(path):
            async with connection.execute("PRAGMA quick_check(1)") as found:
                async for (line,) in found:
                    if line != "ok":
                        raise sqlite3.DatabaseError("database disk image is malformed")


def _identity(store: Any, embeddings: TextEncoder | None) -> str:
    return embeddings.identity if embeddings is not None and store.index_config else ""


@asynccontextmanager
async def _sqlite(path: Path, isolation: Any, *, forgets: bool = False) -> AsyncIterator[aiosqlite.Connection]:
    """A connection for several processes: readers never wait, writers wait for each other. In a folder that cannot be
    written it reads, unless somebody ``forgets``."""
    if not forgets and is_read_only(path):
        async with _as_it_stands(path) as connection:
            yield connection
        return
    await asyncio.to_thread(_make_folder, path.parent)
    with _readable(path):
        connection = await aiosqlite.connect(path, timeout=BUSY_SECONDS, isolation_level=isolation)
    try:
        async with _alone(path):
            await connection.execute("PRAGMA journal_mode=WAL")
            await connection.execute("PRAGMA synchronous=NORMAL")
            # Read to its end: one that is left open keeps what it saw, and cannot write once others have written.
            await connection.execute_fetchall("SELECT count(*) FROM sqlite_master")
            if forgets:
                await connection.execute("PRAGMA foreign_keys=ON")  # a record's vector goes with it
                await connection.execute("PRAGMA secure_delete=ON")  # and the bytes are written over
        yield connection
        if forgets:
            await _give_back(connection)
    finally:
        try:
            async with _alone(path):
                await connection.close()
        except BaseException:  # told to end at once: the connection's thread would keep the process from that
            await connection.close()
            raise


@asynccontextmanager
async def _as_it_stands(path: Path) -> AsyncIterator[aiosqlite.Connection]:
    with _readable(path):
        connection = await aiosqlite.connect(reading_address(path), uri=True)
    try:
        yield connection
    finally:
        await connection.close()


@asynccontextmanager
async def _alone(path: Path) -> AsyncIterator[None]:
    """Meanwhile no other process makes the file, sets it up or closes it. SQLite does not wait for that by itself: it
    says at once that the file is locked, and LangGraph's set-up is not made for two."""
    from filelock import AsyncFileLock  # writes files when it is imported

    lock = AsyncFileLock(f"{path}.lock", timeout=TURN_SECONDS)
    with suppress(OSError):  # another is at it for long, or the folder cannot be written: SQLite says so
        await lock.acquire()
    try:
        with _readable(path):
            yield
    finally:
        await lock.release()


async def _give_back(connection: aiosqlite.Connection) -> None:
    """Free the space of what was deleted where more was deleted than is left, which is what writing the file anew
    takes. Else it is filled again by what comes."""
    async with connection.execute(
        "SELECT freelist_count, page_count FROM pragma_freelist_count, pragma_page_count"
    ) as found:
        (free, pages), *_ = await found.fetchall()
    if 2 * free > pages:
        with suppress(sqlite3.OperationalError):  # another process is at work in it, or the disk is full
            await connection.execute("VACUUM")


def _make_folder(folder: Path) -> None:
    try:
        made_private(folder)
    except OSError as error:
        why = f"data_dir {folder} cannot be used ({error.strerror})"
        raise ConfigurationError(f"{why}: set CALIBRANT_DATA_DIR to a folder that can be written") from None


@contextmanager
def _readable(path: Path) -> Iterator[None]:
    try:
        yield
    except sqlite3.OperationalError as error:
        raise CalibrantError(f"{path} {_prevented(str(error), path)}") from error
    except sqlite3.DatabaseError as error:
        do = "restore it from a backup, or move it away to start with an empty one; nothing was changed"
        raise CalibrantError(f"{path} cannot be read ({error}): {do}") from error


def _prevented(why: str, path: Path) -> str:
    """What keeps SQLite from a file that may be sound, and what to do."""
    if "locked" in why:
        return "is in use by another process: try again"
    if "full" in why or ("disk I/O" in why and _is_full(path)):  # SQLite says either
        return "cannot be written: no space is left on the disk"
    return f"cannot be opened ({why}): check that it and its folder can be read and written"


def _is_full(path: Path) -> bool:
    """Whether the disk of ``path`` has no room for the file that SQLite writes beside a database."""
    try:
        return shutil.disk_usage(path.parent).free < ROOM
    except OSError:
        return False


def _postgres() -> ModuleType:
    try:
        from calibrant.graph import postgres
    except ImportError:
        message = f"Postgres needs a package that is not installed: {how_to_install('postgres')}"
        raise ConfigurationError(message) from None
    return postgres
