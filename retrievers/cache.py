"""What remote services answered, kept on disk for an hour: JSON text by key in one small SQLite file.

A cache is never a reason to fail: what cannot be read is a miss, what cannot be written is forgotten.
"""

import hashlib
import json
import logging
import sqlite3
import time
import unicodedata
import zlib
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path

from pydantic import TypeAdapter, ValidationError

from calibrant.retrievers.body import BodyError, unpacker
from calibrant.retrievers.store import Store
from calibrant.state.evidence import Evidence, SearchQuery

TTL_S = 3600.0
EMPTY_TTL_S = 300.0
"""An empty answer is kept for less: services that turn a client away quietly look just the same."""
MAX_BYTES = 64 * 2**20
MAX_ENTRY = 8 * 2**20

_SCHEMA = """
CREATE TABLE IF NOT EXISTS entries (
    key TEXT PRIMARY KEY, expires REAL NOT NULL, used REAL NOT NULL, size INTEGER NOT NULL, body BLOB NOT NULL);
CREATE INDEX IF NOT EXISTS entries_by_use ON entries (used, size);
"""
_PASSAGES = TypeAdapter(tuple[Evidence, ...])
_FRESH: ContextVar[bool] = ContextVar("calibrant_fresh", default=False)
_log = logging.getLogger(__name__)


class Recalled(tuple[Evidence, ...]):
    """Passages that came from the cache. A source that returns them is reported as ``cached``."""

    __slots__ = ()


@contextmanager
def fresh(wanted: bool = True) -> Iterator[None]:
    """What runs in this block neither reads nor writes a cache."""
    token = _FRESH.set(wanted)
    try:
        yield
    finally:
        _FRESH.reset(token)


class Cache:
    """The cache. Shared by all sources and by the page reader, and by every process that names the same file."""

    def __init__(
        self,
        path: Path | None = None,
        *,
        ttl: float = TTL_S,
        max_bytes: int = MAX_BYTES,
        clock: Callable[[], float] = time.time,
    ) -> None:
        """``path`` None: in memory, for this process alone."""
        self._store = Store(path, _SCHEMA)
        self.ttl = ttl
        self._max_bytes = max_bytes
        self._clock = clock

    async def get(self, key: str) -> str | None:
        """The text kept under ``key``, unless it is older than its time."""
        if _FRESH.get():
            return None
        try:
            return await self._store.run(lambda held: _read(held, key, self._clock()))
        except (sqlite3.Error, BodyError, ValueError, TypeError) as error:
            _log.warning("the cache cannot be read: %s", type(error).__name__)
            return None

    async def put(self, key: str, text: str, ttl: float | None = None) -> None:
        """Keep ``text`` under ``key``; what was used least recently makes room."""
        if _FRESH.get():
            return
        body = text.encode("utf-8", "replace")
        if len(body) > MAX_ENTRY:
            return
        now = self._clock()
        expires = now + (self.ttl if ttl is None else ttl)
        try:
            await self._store.run(lambda held: _write(held, key, zlib.compress(body, 1), now, expires, self._max_bytes))
        except sqlite3.Error as error:
            _log.warning("the cache cannot be written: %s", type(error).__name__)

    async def recall(self, key: str) -> Recalled | None:
        """The passages kept under ``key``. A text that is none is a miss."""
        text = await self.get(key)
        if text is None:
            return None
        try:
            return Recalled(_PASSAGES.validate_json(text))
        except ValidationError:
            return None

    async def remember(self, key: str, passages: Sequence[Evidence], ttl: float | None = None) -> None:
        """Keep ``passages`` under ``key``, for ``ttl`` seconds where that is not the cache's own."""
        ttl = self.ttl if ttl is None else ttl
        ttl = ttl if passages else min(ttl, EMPTY_TTL_S)
        await self.put(key, _PASSAGES.dump_json(tuple(passages)).decode(), ttl)

    def close(self) -> None:
        """Close the file."""
        self._store.close()


def search_key(source: str, query: SearchQuery, options: str = "") -> str:
    """One key for all queries that must get the same answer. What is held already (``exclude``) is left out: it is
    taken from the answer afterwards."""
    asked = {
        "source": source,
        "text": normalised(query.text),
        "limit": query.limit,
        "filters": query.filters.model_dump(mode="json"),
        "negative": sorted({normalised(word) for word in query.negative}),
        "options": options,
    }
    return hashlib.sha256(json.dumps(asked, sort_keys=True).encode("utf-8", "replace")).hexdigest()


def normalised(text: str) -> str:
    """Without differences of case, white space, width and composition."""
    return " ".join(unicodedata.normalize("NFKC", text).casefold().split())


def _read(held: sqlite3.Connection, key: str, now: float) -> str | None:
    # What was used later than now was kept before the clock was set back: nobody knows how old it is.
    fresh = "SELECT body FROM entries WHERE key = ? AND expires > ? AND used <= ?"
    row = held.execute(fresh, (key, now, now)).fetchone()
    if row is None:
        return None
    held.execute("UPDATE entries SET used = ? WHERE key = ?", (now, key))
    unpack = unpacker(("deflate",), MAX_ENTRY)
    return unpack(bytes(row[0])).decode()


def _write(held: sqlite3.Connection, key: str, body: bytes, now: float, expires: float, max_bytes: int) -> None:
    held.execute("DELETE FROM entries WHERE expires <= ?", (now,))
    held.execute("INSERT OR REPLACE INTO entries VALUES (?, ?, ?, ?, ?)", (key, expires, now, len(body), body))
    total = held.execute("SELECT total(size) FROM entries").fetchone()[0]
    oldest = held.execute("SELECT key, size FROM entries ORDER BY used").fetchall() if total > max_bytes else []
    for old, size in oldest:
        if total <= max_bytes:
            return
        held.execute("DELETE FROM entries WHERE key = ?", (old,))
        total -= size
