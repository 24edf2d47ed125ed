"""Who works on a knowledge base, as all processes see it: locks that the system frees however a process ends."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from calibrant.retrievers.home import made_private
from calibrant.retrievers.knowledge.database import errors_as_ours

READING, INDEXING = "reading.lock", "indexing.lock"
"""Held by any number of processes from the first file that they read to the last passage that they embed; and by the
one that embeds."""

WAIT_SECONDS = 5.0
"""How long one of several waits for somebody who is alone: who removes a knowledge base is that for a moment."""


@contextmanager
def alone(path: Path) -> Iterator[bool]:
    """True for the one process that holds the lock now; False where another holds it, alone or with others."""
    with closing(_opened(path, 0.0)) as lock:
        with errors_as_ours(path):
            ours = _taken(lock)
        yield ours


@contextmanager
def with_others(path: Path) -> Iterator[None]:
    """Inside it nobody is ``alone``."""
    with closing(_opened(path, WAIT_SECONDS)) as lock:
        with errors_as_ours(path):
            lock.execute("BEGIN")
            lock.execute("SELECT count(*) FROM sqlite_master").fetchone()  # what was read stays locked
        yield


def _opened(path: Path, seconds: float) -> sqlite3.Connection:
    with errors_as_ours(path):
        made_private(path.parent)
        return sqlite3.connect(path, timeout=seconds, isolation_level=None)


def _taken(lock: sqlite3.Connection) -> bool:
    """Whether the lock was free, and is ours now."""
    try:
        lock.execute("BEGIN EXCLUSIVE")
    except sqlite3.OperationalError as error:
        if "locked" not in str(error):  # a full disk, or a folder that cannot be written
            raise
        return False
    return True
