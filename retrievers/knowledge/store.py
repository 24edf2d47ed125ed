"""What a knowledge base holds: documents and their chunks, read and written. SQLite is the truth; vectors follow it."""

import json
import sqlite3
import uuid
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from calibrant.retrievers.knowledge.chunking import Passage, headed, split_heading
from calibrant.retrievers.knowledge.database import Database
from calibrant.retrievers.knowledge.terms import identifier_parts
from calibrant.state.evidence import Evidence, Locator

OPENING = 300
"""Characters of a document's beginning that go with each of its passages: a title and two or three sentences."""

_BEGINNING = f"substr(f.text, 1, {OPENING})"
_OPENING_OF_DOCUMENT = (
    f"SELECT {_BEGINNING} FROM chunks f WHERE f.document = c.document AND f.position = 0"  # noqa: S608
    f" AND c.position > 0 AND d.kind NOT IN ('csv', 'code') AND {_BEGINNING} GLOB '*[0-9]*'"
)
_GOES_ON = (
    "SELECT 1 FROM chunks n WHERE n.document = c.document AND n.position = c.position + 1"
    " AND (d.kind = 'csv' OR n.heading LIKE '%|')"
)
_PLACE = 'c.start, c."end", c.line, c.end_line, c.jumps, c.page'
EVIDENCE_COLUMNS = (
    f"c.number, c.id, c.text, c.heading, {_PLACE}, d.title, d.url, d.kind, d.modified,"
    f" EXISTS ({_GOES_ON}) AS goes_on, ({_OPENING_OF_DOCUMENT}) AS opening"
)
_CHUNK_COLUMNS = 'id, document, position, heading, text, parts, start, "end", line, end_line, jumps, page'
_FORGET_WORDS = (
    "INSERT INTO words (words, rowid, title, heading, text, parts) SELECT 'delete', s.* FROM searchable s"
    " WHERE number IN (SELECT number FROM chunks WHERE document = ?)"
)


@dataclass(frozen=True)
class Known:
    """What the store remembers of a file, to see whether it changed."""

    digest: str
    recipe: int


@dataclass(frozen=True)
class FileFacts:
    """A file as it was read."""

    path: Path
    digest: str
    recipe: int
    bytes: int
    modified: float

    @property
    def url(self) -> str:
        return self.path.as_uri()


@dataclass(frozen=True)
class Counts:
    """What is in the store."""

    documents: int
    chunks: int
    bytes: int
    updated: datetime | None


class Store:
    """Documents and chunks of one knowledge base."""

    def __init__(self, database: Database) -> None:
        self.database = database

    @property
    def key(self) -> str:
        """What names this knowledge base in the vector index, wherever its folder moves."""
        with self.database.reading() as connection:
            return str(connection.execute("SELECT value FROM about WHERE name = 'key'").fetchone()[0])

    def known(self) -> Mapping[str, Known]:
        """The documents held, by path."""
        with self.database.reading() as connection:
            rows = connection.execute("SELECT path, digest, recipe FROM documents")
            return {path: Known(*rest) for path, *rest in rows}

    def roots(self) -> list[Path]:
        """The files and folders that were ingested, as given."""
        with self.database.reading() as connection:
            return [Path(row[0]) for row in connection.execute("SELECT path FROM roots ORDER BY path")]

    def remember_roots(self, paths: Iterable[Path]) -> None:
        with self.database.writing() as connection:
            connection.executemany("INSERT OR IGNORE INTO roots VALUES (?)", [(str(path),) for path in paths])

    def forget_roots(self, paths: Iterable[Path]) -> None:
        with self.database.writing() as connection:
            connection.executemany("DELETE FROM roots WHERE path = ?", [(str(path),) for path in paths])

    def put(self, facts: FileFacts, kind: str, title: str, passages: Sequence[Passage], now: datetime) -> None:
        """A document with its passages in place of what was known of it, in one transaction."""
        with self.database.writing() as connection:
            _remove(connection, [row[0] for row in connection.execute(_BY_URL, (facts.url,))])
            number = connection.execute(
                "INSERT INTO documents (url, path, kind, title, digest, recipe, bytes, modified)"
                " VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
                (facts.url, str(facts.path), kind, title, facts.digest, facts.recipe, facts.bytes, facts.modified),
            ).lastrowid
            connection.executemany(
                f"INSERT INTO chunks ({_CHUNK_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",  # noqa: S608
                [_row(number or 0, position, passage) for position, passage in enumerate(passages)],
            )
            connection.execute(
                "INSERT INTO words (rowid, title, heading, text, parts) SELECT * FROM searchable WHERE number IN"
                " (SELECT number FROM chunks WHERE document = ?)",
                (number,),
            )
            _stamp(connection, "updated", now)

    def remove(self, paths: Sequence[str], now: datetime) -> None:
        """Documents by path, with their passages. A number may be another document's by now: two may read at once."""
        with self.database.writing() as connection:
            _remove(connection, [row[0] for row in connection.execute(_BY_PATHS, (json.dumps(list(paths)),))])
            _stamp(connection, "updated", now)

    def facts(self, urls: Sequence[str]) -> list[FileFacts]:
        """The documents of these addresses, as they were read."""
        with self.database.reading() as connection:
            rows = connection.execute(
                "SELECT path, digest, recipe, bytes, modified FROM documents"
                " WHERE url IN (SELECT value FROM json_each(?))",
                (json.dumps(list(urls)),),
            )
            return [FileFacts(Path(path), *rest) for path, *rest in rows]

    def counts(self) -> Counts:
        """How much there is, and when it last changed."""
        with self.database.reading() as connection:
            documents, size = connection.execute("SELECT count(*), total(bytes) FROM documents").fetchone()
            chunks = connection.execute("SELECT count(*) FROM chunks").fetchone()[0]
        return Counts(documents, chunks, int(size), self.updated())

    def updated(self) -> datetime | None:
        """When a document last came, changed or went; None where nothing was ever ingested."""
        with self.database.reading() as connection:
            return _moment(connection, "updated")

    def chunk_ids(self) -> list[str]:
        """All ids, in the order of ingestion."""
        with self.database.reading() as connection:
            return [row[0] for row in connection.execute("SELECT id FROM chunks ORDER BY number")]

    def vector_texts(self, ids: Sequence[str]) -> dict[str, str]:
        """What is embedded for each chunk: its heading (or the document's title) and its text."""
        with self.database.reading() as connection:
            rows = connection.execute(
                "SELECT c.id, coalesce(nullif(c.heading, ''), d.title), c.text FROM chunks c"
                " JOIN documents d ON d.number = c.document WHERE c.id IN (SELECT value FROM json_each(?))",
                (json.dumps(list(ids)),),
            )
            return {key: f"{heading}\n{text}" for key, heading, text in rows}

    def is_half_read(self) -> bool:
        """Whether an ingest was begun and has not come to its end: it was cut off, or is still at it."""
        with self.database.reading() as connection:
            return connection.execute("SELECT 1 FROM about WHERE name = 'reading'").fetchone() is not None

    def mark_reading(self, *, begins: bool) -> None:
        """Note that an ingest begins, or that it has come to its end."""
        with self.database.writing() as connection:
            connection.execute("DELETE FROM about WHERE name = 'reading'")
            if begins:
                connection.execute("INSERT INTO about VALUES ('reading', '')")

    def vectors_mark(self) -> str:
        """Changes whenever any process has filled the vector index."""
        with self.database.reading() as connection:
            row = connection.execute("SELECT value FROM about WHERE name = 'vectors'").fetchone()
            return str(row[0]) if row else ""

    def mark_vectors(self) -> str:
        """Note that the vector index was filled; gives the new mark."""
        mark = uuid.uuid4().hex
        with self.database.writing() as connection:
            connection.execute("INSERT OR REPLACE INTO about VALUES ('vectors', ?)", (mark,))
        return mark

    def filled(self, index: str) -> datetime | None:
        """How new a state of the documents the vector index of this name has seen whole; None for none."""
        with self.database.reading() as connection:
            return _moment(connection, f"filled {index}")

    def mark_filled(self, index: str, as_of: datetime) -> None:
        """Note that the vector index of this name has all that was held at ``as_of``."""
        with self.database.writing() as connection:
            _stamp(connection, f"filled {index}", as_of)

    def evidence(self, ids: Sequence[str], collection: str) -> list[Evidence]:
        """Those of ``ids`` that exist, in the order given."""
        with self.database.reading() as connection:
            rows = connection.execute(
                f"SELECT {EVIDENCE_COLUMNS} FROM chunks c JOIN documents d ON d.number = c.document"  # noqa: S608
                " WHERE c.id IN (SELECT value FROM json_each(?))",
                (json.dumps(list(ids)),),
            )
            found = {row["id"]: evidence_of(row, collection) for row in rows}
        return [found[key] for key in dict.fromkeys(ids) if key in found]

    def around(self, ids: Sequence[str], collection: str) -> dict[str, list[Evidence]]:
        """For each of ``ids`` the passages right before and right behind it that stand in the same section."""
        with self.database.reading() as connection:
            rows = connection.execute(
                f"SELECT {EVIDENCE_COLUMNS}, it.id AS beside, it.heading AS under FROM chunks it"  # noqa: S608
                " JOIN chunks c ON c.document = it.document AND c.position IN (it.position - 1, it.position + 1)"
                " JOIN documents d ON d.number = c.document"
                " WHERE it.id IN (SELECT value FROM json_each(?)) ORDER BY c.position",
                (json.dumps(list(ids)),),
            )
            found: dict[str, list[Evidence]] = {}
            for row in rows:
                item = evidence_of(row, collection)
                if item.locator.heading == split_heading(row["under"])[0]:
                    found.setdefault(row["beside"], []).append(item)
        return found


_BY_URL = "SELECT number FROM documents WHERE url = ?"
_BY_PATHS = "SELECT number FROM documents WHERE path IN (SELECT value FROM json_each(?))"


def evidence_of(row: sqlite3.Row, collection: str) -> Evidence:
    """A row of ``EVIDENCE_COLUMNS`` as evidence, not yet scored."""
    heading, columns, fence = split_heading(row["heading"])
    place = {name: row[name] for name in ("start", "end", "line", "end_line", "page")}
    return Evidence(
        id=row["id"],
        text=row["text"],
        title=row["title"],
        source="knowledge",
        url=row["url"],
        locator=Locator(
            heading=heading,
            columns=columns,
            fence=fence,
            goes_on=bool(row["goes_on"]),
            jumps=json.loads(row["jumps"]),
            **place,
        ),
        collection=collection,
        kind=row["kind"],
        published=_day(row["modified"]),
        opening=_whole_words(row["opening"] or ""),
    )


def _day(modified: float) -> datetime | None:
    """When a file was written; None for a time that no calendar has: anybody may set one."""
    try:
        return datetime.fromtimestamp(modified, UTC)
    except (ValueError, OverflowError, OSError):
        return None


def _whole_words(opening: str) -> str:
    """A beginning that may be cut without the word in which it is: half of a date is another date."""
    return opening.rsplit(maxsplit=1)[0] if len(opening) == OPENING else opening


def _row(document: int, position: int, passage: Passage) -> tuple[str | int | None, ...]:
    above = headed(passage.heading, passage.columns, passage.fence)
    parts = identifier_parts((above, passage.text))
    place = (passage.start, passage.end, passage.line, passage.end_line, json.dumps(passage.jumps), passage.page)
    return (passage.id, document, position, above, passage.text, parts, *place)


def _remove(connection: sqlite3.Connection, documents: Iterable[int]) -> None:
    """The index keeps no text of its own: it must be told what it forgets, while that still stands in the tables."""
    for number in documents:
        connection.execute(_FORGET_WORDS, (number,))
        connection.execute("DELETE FROM chunks WHERE document = ?", (number,))
        connection.execute("DELETE FROM documents WHERE number = ?", (number,))


def _stamp(connection: sqlite3.Connection, name: str, moment: datetime) -> None:
    connection.execute("INSERT OR REPLACE INTO about VALUES (?, ?)", (name, moment.isoformat()))


def _moment(connection: sqlite3.Connection, name: str) -> datetime | None:
    stamp = connection.execute("SELECT value FROM about WHERE name = ?", (name,)).fetchone()
    return datetime.fromisoformat(stamp[0]) if stamp else None
