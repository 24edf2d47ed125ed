"""Who works on a thread: one at a time on a machine, whether in this process or in another. Two would do the same work
twice, and write over what the other has written.

    with working_on(machine.data_dir, thread_id):
        ...
"""

import asyncio
import hashlib
import sqlite3
from collections.abc import AsyncIterator, Iterator
from contextlib import ExitStack, asynccontextmanager, closing, contextmanager
from pathlib import Path

from calibrant.state.errors import InputError

FOLDER = "threads"

WAIT_SECONDS = 0.5
"""Longer than a look at a lock takes."""


@asynccontextmanager
async def at_work_on(data_dir: Path, thread_id: str) -> AsyncIterator[None]:
    """``working_on`` for an event loop, which goes on while the lock is waited for."""
    with ExitStack() as held:
        await asyncio.to_thread(held.enter_context, working_on(data_dir, thread_id))
        yield


@contextmanager
def working_on(data_dir: Path, thread_id: str) -> Iterator[None]:
    """Inside it nobody else works on the thread; the system ends that however the process ends.

    Raises ``InputError`` where somebody does."""
    path = _lock_of(data_dir, thread_id)
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    # Not only the thread that opens it may close it: ``at_work_on`` has two, one after the other.
    connection = sqlite3.connect(path, timeout=WAIT_SECONDS, isolation_level=None, check_same_thread=False)
    with closing(connection) as lock:
        if not _taken(lock, "BEGIN EXCLUSIVE"):
            raise InputError(f"thread {thread_id} is at work elsewhere: try again when that has ended")
        yield


def is_worked_on(data_dir: Path, thread_id: str) -> bool:
    """Whether somebody works on the thread now."""
    path = _lock_of(data_dir, thread_id)
    if not path.exists():
        return False
    with closing(sqlite3.connect(path, timeout=0, isolation_level=None)) as lock:
        return not _taken(lock, "SELECT count(*) FROM sqlite_master")


def _taken(lock: sqlite3.Connection, how: str) -> bool:
    try:
        lock.execute(how).fetchall()
    except sqlite3.OperationalError as error:
        if "locked" not in str(error):
            raise
        return False
    return True


def _lock_of(data_dir: Path, thread_id: str) -> Path:
    """An empty file. It stays: who deleted it could take it from under somebody who has just opened it."""
    return data_dir / FOLDER / f"{hashlib.sha256(thread_id.encode()).hexdigest()[:24]}.lock"
