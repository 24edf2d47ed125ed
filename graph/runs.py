"""The records of finished runs, in one SQLite file of the data directory: what statistics and metrics are made of.

    log = RunLog(machine.data_dir)
    graph = build_graph(recorder=log)
    log.read()

Whatever process works in that directory (the command line, the server, an MCP client's) writes to the same file, and
any of them can count what all did. With Postgres, where several machines share threads and memory, each machine has
the records of its own runs.
"""

import asyncio
import json
import logging
import sqlite3
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from threading import Lock
from typing import Any

from calibrant.graph.read_only import reading_address
from calibrant.retrievers.home import made_private
from calibrant.state.errors import CalibrantError
from calibrant.state.record import RunRecord

FILE = "runs.db"

KEPT = 100_000
"""Older records are dropped: the file stays below some hundred megabytes."""

BUSY_SECONDS = 5.0
"""How long a writer waits for another process that is writing."""

_SCHEMA = """
CREATE TABLE IF NOT EXISTS runs (
    number INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, ended_at REAL NOT NULL, record TEXT NOT NULL);
CREATE INDEX IF NOT EXISTS runs_by_end ON runs (ended_at);
"""

_log = logging.getLogger(__name__)


class RunLog:
    """The records of one data directory. Nothing is opened or made before the first record. May be used by several
    threads at a time."""

    def __init__(self, data_dir: Path | str) -> None:
        self.path = Path(data_dir) / FILE
        self._writer: sqlite3.Connection | None = None
        self._lock = Lock()

    async def record(self, record: RunRecord) -> None:
        """Keep ``record``; a second one with the same id changes nothing. What fails is logged, not raised."""
        try:
            await asyncio.to_thread(self.add, record)
        except (sqlite3.Error, OSError) as error:
            _log.warning("the run %s is not recorded in %s: %s", record.id, self.path, error)

    def add(self, record: RunRecord) -> None:
        """The same, blocking. Raises ``sqlite3.Error`` or ``OSError``."""
        with self._lock, self._opened() as transaction:
            transaction.execute(
                "INSERT OR IGNORE INTO runs (id, ended_at, record) VALUES (?, ?, ?)",
                (record.id, record.ended_at, record.model_dump_json()),
            )
            transaction.execute("DELETE FROM runs WHERE number <= (SELECT max(number) FROM runs) - ?", (KEPT,))

    def judge(self, run_id: str, verdict: str) -> bool:
        """Note the user's verdict with a run's record; False where there is none. Blocking.

        Raises ``CalibrantError`` with one line where the file cannot be written."""
        return (
            self._change("UPDATE runs SET record = json_set(record, '$.verdict', ?) WHERE id = ?", verdict, run_id) > 0
        )

    def forget(self, threads: Sequence[str], before: float = 0.0) -> None:
        """Leave no question in the records of these threads, nor of what ended ``before``: their numbers are counted
        all the same. Blocking; raises as ``judge``."""
        which = "ended_at < ? OR json_extract(record, '$.thread_id') IN (SELECT value FROM json_each(?))"
        change = f"UPDATE runs SET record = json_set(record, '$.question', '') WHERE {which}"  # noqa: S608
        self._change(change, before, json.dumps(threads))

    def _change(self, change: str, *values: Any) -> int:
        """How many records were changed. What stood there before is written over."""
        if not self.path.exists():
            return 0
        try:
            with self._lock, self._opened() as transaction:
                transaction.execute("PRAGMA secure_delete=ON")
                return transaction.execute(change, values).rowcount
        except sqlite3.Error as error:
            raise CalibrantError(f"{self.path} cannot be written ({error})") from None

    async def aclose(self) -> None:
        """Close the file, if it is open. A later record opens it again."""
        await asyncio.to_thread(self._close)

    def _close(self) -> None:
        with self._lock:
            if self._writer is not None:
                self._writer.close()
                self._writer = None

    def read(self, since: float = 0.0) -> list[RunRecord]:
        """The runs that ended at ``since`` (seconds since the epoch) or later, oldest first. Blocking.

        Raises ``CalibrantError`` with one line where the file cannot be read."""
        return [record for _, record in self._rows("ended_at >= ? ORDER BY ended_at, number", since)]

    def latest(self, count: int) -> list[RunRecord]:
        """The runs that ended last, ``count`` of them at most, oldest first. Blocking; raises as ``read``."""
        return [record for _, record in self._rows("true ORDER BY ended_at DESC, number DESC LIMIT ?", count)][::-1]

    def added_after(self, number: int) -> list[tuple[int, RunRecord]]:
        """The records written after row ``number``, as (row number, record) pairs. Blocking; raises as ``read``."""
        return self._rows("number > ? ORDER BY number", number)

    def last_number(self) -> int:
        """The row number of the last record; 0 where there is none. Blocking; raises as ``read``."""
        return next((number for (number,) in self._selected("SELECT coalesce(max(number), 0) FROM runs")), 0)

    def _rows(self, which: str, value: float) -> list[tuple[int, RunRecord]]:
        rows = self._selected(f"SELECT number, record FROM runs WHERE {which}", value)  # noqa: S608
        return [(number, RunRecord.model_validate_json(text)) for number, text in rows]

    def _selected(self, query: str, *values: Any) -> list[Any]:
        if not self.path.exists():
            return []
        try:
            with closing(self._reader()) as reader:
                return reader.execute(query, values).fetchall()
        except sqlite3.Error as error:
            do = "move it away to begin with an empty one: it holds statistics alone"
            raise CalibrantError(f"{self.path} cannot be read ({error}): {do}") from None

    def _reader(self) -> sqlite3.Connection:
        """A connection that changes nothing."""
        return sqlite3.connect(reading_address(self.path), uri=True, timeout=BUSY_SECONDS)

    def _opened(self) -> sqlite3.Connection:
        """The writer's connection. It stays open: the last to close the file waits for the disk."""
        if self._writer is None:
            made_private(self.path.parent)
            writer = sqlite3.connect(self.path, timeout=BUSY_SECONDS, check_same_thread=False)
            writer.execute("PRAGMA journal_mode=WAL")
            writer.execute("PRAGMA synchronous=NORMAL")
            writer.executescript(_SCHEMA)
            self._writer = writer
        return self._writer
