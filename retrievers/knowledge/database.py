"""The SQLite file of a knowledge base: its schema, its connections, and its errors in our terms.

One connection per thread for reading (read-only), one for writing; WAL, so that neither waits for the other.
"""

import os
import sqlite3
import threading
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from calibrant.retrievers.home import made_private
from calibrant.state.errors import KnowledgeError

SCHEMA_VERSION = 2
APPLICATION_ID = 0x43414C42
FILE_NAME = "knowledge.db"
TOKENIZER = "porter unicode61 remove_diacritics 2 tokenchars '_'"

_SCHEMA = """
CREATE TABLE about (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE roots (path TEXT PRIMARY KEY) WITHOUT ROWID;
CREATE TABLE documents (
    number INTEGER PRIMARY KEY,
    url TEXT NOT NULL UNIQUE,
    path TEXT NOT NULL,
    kind TEXT NOT NULL,
    title TEXT NOT NULL,
    digest TEXT NOT NULL,
    recipe INTEGER NOT NULL,
    bytes INTEGER NOT NULL,
    modified REAL NOT NULL
);
CREATE TABLE chunks (
    number INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    document INTEGER NOT NULL REFERENCES documents (number),
    position INTEGER NOT NULL,
    heading TEXT NOT NULL,
    text TEXT NOT NULL,
    parts TEXT NOT NULL,
    start INTEGER NOT NULL,
    "end" INTEGER NOT NULL,
    line INTEGER,
    end_line INTEGER,
    jumps TEXT NOT NULL DEFAULT '[]',
    page INTEGER,
    UNIQUE (document, position)
);
CREATE VIEW searchable AS
    SELECT c.number, d.title, c.heading, c.text, c.parts FROM chunks c JOIN documents d ON d.number = c.document;
CREATE VIRTUAL TABLE words USING fts5 (
    title, heading, text, parts, content = 'searchable', content_rowid = 'number', tokenize = "TOKENIZER"
);
CREATE VIRTUAL TABLE vocabulary USING fts5vocab ('words', 'row');
PRAGMA application_id = APPLICATION_ID;
PRAGMA user_version = SCHEMA_VERSION;
"""


_Held = tuple[sqlite3.Connection, "threading.RLock"]
"""A connection, and what a thread holds while it uses it."""


class Database:
    """One ``knowledge.db``. Raises ``KnowledgeError`` for everything SQLite cannot do with it."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._local = threading.local()
        self._open: list[_Held] = []
        self._guard = threading.Lock()
        self._writing = threading.RLock()
        self._writer: sqlite3.Connection | None = None

    def create(self) -> None:
        """Make the file where there is none. Two processes may try at once: one makes it, the other finds it."""
        with errors_as_ours(self.path):
            made_private(self.path.parent)
            with self.writing() as connection:
                if connection.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]:
                    return
                for statement in _statements():
                    connection.execute(statement)
                connection.execute("INSERT INTO about VALUES ('key', ?)", (uuid.uuid4().hex[:12],))

    def check(self) -> None:
        """Refuse a file that is damaged, not ours, or written by a newer version; bring an older one up to date."""
        with self.reading() as connection:
            version = connection.execute("PRAGMA user_version").fetchone()[0]
            ours = connection.execute("PRAGMA application_id").fetchone()[0] == APPLICATION_ID
            if ours and version > SCHEMA_VERSION:
                raise KnowledgeError(
                    f"{self.path} was written by a newer version of calibrant (schema {version}, "
                    f"this version reads {SCHEMA_VERSION}): upgrade calibrant"
                )
            if not ours:
                raise KnowledgeError(f"{self.path} is not a knowledge base: move it away or choose another name")
            connection.execute("SELECT count(*) FROM words WHERE words MATCH 'calibrant'").fetchone()
        if version < SCHEMA_VERSION:
            self._upgrade()

    def _upgrade(self) -> None:
        """From schema 1. Two processes may try at once: one does it, the other finds it done."""
        with self.writing() as connection:
            if connection.execute("PRAGMA user_version").fetchone()[0] < SCHEMA_VERSION:
                connection.execute("ALTER TABLE chunks ADD COLUMN jumps TEXT NOT NULL DEFAULT '[]'")
                connection.execute(f"PRAGMA user_version = {SCHEMA_VERSION}")

    @contextmanager
    def reading(self) -> Iterator[sqlite3.Connection]:
        """This thread's read-only connection."""
        with errors_as_ours(self.path):
            held: _Held | None = getattr(self._local, "held", None)
            if held is None:
                held = self._local.held = self._connect(threading.RLock(), read_only=True)
            connection, lock = held
            with lock:
                yield connection

    @contextmanager
    def writing(self) -> Iterator[sqlite3.Connection]:
        """The writing connection in one transaction: all of it happens, or nothing."""
        with errors_as_ours(self.path), self._writing:
            if self._writer is None:
                self._writer, _ = self._connect(self._writing, read_only=False)
            self._writer.execute("BEGIN IMMEDIATE")
            try:
                yield self._writer
            except BaseException:
                if self._writer.in_transaction:  # SQLite has rolled back by itself where the disk was full
                    self._writer.execute("ROLLBACK")
                raise
            self._writer.execute("COMMIT")

    def close(self) -> None:
        """Close every connection, whichever thread opened it; the writing one last, for it tidies the file up. A thread
        that is at work ends what it has begun, and finds its connection closed then."""
        with self._guard:
            opened, self._open = self._open, []
        for connection, lock in sorted(opened, key=lambda held: held[0] is self._writer):
            with lock:  # to close what is being read crashes the process
                connection.close()
        self._writer = None

    def _connect(self, lock: "threading.RLock", *, read_only: bool) -> _Held:
        uri = f"{self.path.absolute().as_uri()}?mode={'ro' if read_only else 'rwc'}"
        connection = sqlite3.connect(uri, uri=True, timeout=30, isolation_level=None, check_same_thread=False)
        connection.row_factory = sqlite3.Row
        if not read_only:
            connection.execute("PRAGMA journal_mode = WAL")
            connection.execute("PRAGMA synchronous = NORMAL")
        connection.execute("PRAGMA cache_size = -16000")
        with self._guard:
            self._open.append((connection, lock))
        return connection, lock


@contextmanager
def errors_as_ours(path: Path) -> Iterator[None]:
    """SQLite's and the file system's errors as one line that says what to do."""
    try:
        yield
    except sqlite3.Error as error:
        raise KnowledgeError(_line(path, error)) from error
    except OSError as error:
        raise KnowledgeError(f"{path.parent} cannot be written: {error.strerror or error}") from error


def _statements() -> list[str]:
    values = {"TOKENIZER": TOKENIZER, "APPLICATION_ID": str(APPLICATION_ID), "SCHEMA_VERSION": str(SCHEMA_VERSION)}
    text = _SCHEMA
    for name, value in values.items():
        text = text.replace(name, value)
    return text.split(";\n")


def set_aside(path: Path) -> Path:
    """Rename a damaged database out of the way, and give its new name. Nothing of it is deleted."""
    number = 1
    while (target := path.with_name(f"{path.name}.broken-{number}")).exists():
        number += 1
    with errors_as_ours(path):
        for suffix in ("", "-wal", "-shm"):
            if (old := path.with_name(path.name + suffix)).exists():
                os.replace(old, target.with_name(target.name + suffix))
    return target


def _line(path: Path, error: sqlite3.Error) -> str:
    text = str(error)
    if "locked" in text or "busy" in text:
        return f"{path} is being written by another process: try again in a moment"
    if "closed" in text:
        return f"{path} was closed while it was in use"
    if "no such module" in text:
        return "this Python's SQLite has no full-text search (FTS5): use another build of Python"
    if "full" in text:
        return f"no space left to write {path}"
    if "readonly" in text or "unable to open" in text:
        return f"{path} cannot be opened: check that the file and its folder can be read and written"
    return f"{path} is damaged ({text}): `calibrant ingest PATH -k {path.parent.name} --rebuild` reads it anew"
