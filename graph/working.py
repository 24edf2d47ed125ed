"""Who works on a thread: one at a time on a machine, whether in this process or in another. Two would do the same work
twice, and write over what the other has written.

    with working_on(machine.data_dir, thread_id):
        ...
"""

import asyncio
import hashlib
import sqlite3
from collections.abc import AsyncIterator, Iterator
from contextlib import ExitStack, asynccontextmanager, contextmanager
from pathlib import Path

from calibrant.retrievers.home import made_private
from calibrant.state.errors import InputError

FOLDER = "threads"

DOOR = "door"
"""A lock around the other locks, held for the moment in which one of them is taken, or let go and removed. Without it
one process could hold a file that was removed, while another holds a new one of the same name."""

WAIT_SECONDS = 5.0
"""How long to wait for the door: far longer than anybody holds it."""


@asynccontextmanager
async def at_work_on(data_dir: Path, thread_id: str) -> AsyncIterator[None]:
    """``working_on`` for an event loop, which goes on while the lock is waited for."""
    held = ExitStack()
    await asyncio.to_thread(held.enter_context, working_on(data_dir, thread_id))
    try:
        yield
    finally:
        await asyncio.to_thread(held.close)


@contextmanager
def working_on(data_dir: Path, thread_id: str) -> Iterator[None]:
    """Inside it nobody else works on the thread; the system ends that however the process ends.

    Raises ``InputError`` where somebody does."""
    path = _lock_of(data_dir, thread_id)
    made_private(path.parent)
    with _door(path) as alone:
        lock = _taken(path) if alone else None
    if lock is None:
        raise InputError(f"thread {thread_id} is at work elsewhere: try again when that has ended")
    try:
        yield
    finally:
        with _door(path) as alone:
            _let_go(lock, path, alone)


def is_worked_on(data_dir: Path, thread_id: str) -> bool:
    """Whether somebody works on the thread now."""
    path = _lock_of(data_dir, thread_id)
    if not path.exists():
        return False
    with _door(path) as alone:
        lock = _taken(path) if alone else None
        if lock is not None:
            _let_go(lock, path, alone)
    return lock is None


@contextmanager
def _door(path: Path) -> Iterator[bool]:
    """Inside it nobody else takes or removes a lock. False where somebody does not let go of it: then touch no lock."""
    door = _taken(path.with_name(DOOR), WAIT_SECONDS)
    try:
        yield door is not None
    finally:
        if door is not None:
            door.close()


def _taken(path: Path, seconds: float = 0.0) -> sqlite3.Connection | None:
    """The lock, held until it is closed; None where somebody else has held it for so long."""
    # Not only the thread that opens it may close it: ``at_work_on`` has two, one after the other.
    lock = sqlite3.connect(path, timeout=seconds, isolation_level=None, check_same_thread=False)
    try:
        lock.execute("BEGIN EXCLUSIVE")
    except sqlite3.OperationalError as error:
        lock.close()
        if "locked" not in str(error):
            raise
        return None
    return lock


def _let_go(lock: sqlite3.Connection, path: Path, alone: bool) -> None:
    lock.close()
    if alone:
        path.unlink(missing_ok=True)


def _lock_of(data_dir: Path, thread_id: str) -> Path:
    """An empty file, there while the thread is worked on; where a worker was killed, until somebody looks."""
    return data_dir / FOLDER / f"{hashlib.sha256(thread_id.encode()).hexdigest()[:24]}.lock"
