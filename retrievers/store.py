"""A small SQLite file that several processes share and that may be lost at any time.

Limits and cached answers live in such files. One that is corrupt is made anew; one that cannot be written is replaced
by memory; while another process holds one, its users do without: a search never fails because of it. All work happens
in one thread of its own, so the event loop never waits for a disk and a statement never waits for a neighbour's long
computation.
"""

import asyncio
import logging
import sqlite3
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from typing import TypeVar

from calibrant.retrievers.home import made_private

T = TypeVar("T")

BUSY_MS = 1_000
"""How long a statement waits for another process's lock: what is written takes milliseconds, and a search has four
seconds for all of it."""

_log = logging.getLogger(__name__)


class Store:
    """The file. ``work(connection)`` runs in one immediate transaction: nobody else writes in between."""

    def __init__(self, path: Path | None, schema: str) -> None:
        """``path`` None: in memory, for this process alone. Nothing is opened before the first use."""
        self.path = path
        self._schema = schema
        self._connection: sqlite3.Connection | None = None
        self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="calibrant-store")

    async def run(self, work: Callable[[sqlite3.Connection], T]) -> T:
        """``work``'s result. ``sqlite3.Error`` while another process holds the file, or where a new one fails too."""
        return await asyncio.wrap_future(self.start(work))

    def start(self, work: Callable[[sqlite3.Connection], T]) -> "Future[T]":
        """The same without waiting: for what has to happen although the caller is being cancelled."""
        return self._thread.submit(self._run, work)

    def close(self) -> None:
        """Finish what was started and close the file."""
        self._thread.submit(self._close)
        self._thread.shutdown(wait=True)

    def _run(self, work: Callable[[sqlite3.Connection], T]) -> T:
        try:
            return self._transaction(work)
        except sqlite3.OperationalError as error:
            if "locked" in str(error):
                self._close()  # it may have been opened by half
                raise
            self._fall_back(error)
        except (sqlite3.DatabaseError, OSError) as error:
            self._make_anew(error)
        return self._transaction(work)

    def _transaction(self, work: Callable[[sqlite3.Connection], T]) -> T:
        connection = self._opened()
        connection.execute("BEGIN IMMEDIATE")
        try:
            result = work(connection)
        except BaseException:
            connection.rollback()
            raise
        connection.commit()
        return result

    def _opened(self) -> sqlite3.Connection:
        if self._connection is None:
            if self.path is not None:
                made_private(self.path.parent)
            connection = sqlite3.connect(self.path or ":memory:", isolation_level=None, timeout=BUSY_MS / 1000)
            self._connection = connection
            connection.execute("PRAGMA journal_mode=WAL")
            connection.execute("PRAGMA synchronous=OFF")  # losing the last writes in a power cut costs nothing
            connection.executescript(self._schema)
        return self._connection

    def _make_anew(self, error: Exception) -> None:
        """A file that is no database (any more): take it away, begin again. Where that fails, memory will do."""
        _log.warning("%s is unreadable (%s); it is made anew", self.path, type(error).__name__)
        self._close()
        try:
            for suffix in ("", "-wal", "-shm"):
                if self.path is not None:
                    self.path.with_name(self.path.name + suffix).unlink(missing_ok=True)
            self._opened()
        except (sqlite3.Error, OSError) as again:
            self._fall_back(again)

    def _fall_back(self, error: Exception) -> None:
        _log.warning("%s cannot be used (%s); keeping to memory", self.path, type(error).__name__)
        self._close()
        self.path = None

    def _close(self) -> None:
        if self._connection is not None:
            self._connection.close()
            self._connection = None
