"""Word search over the chunks (BM25), the filters of a query, and how much of a query's meaning a passage covers."""

import json
import math
import sqlite3
import threading
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

from calibrant.retrievers.knowledge.database import TOKENIZER, Database
from calibrant.retrievers.knowledge.files import matches
from calibrant.retrievers.knowledge.store import EVIDENCE_COLUMNS, evidence_of
from calibrant.retrievers.knowledge.terms import Term, identifier_parts, match_expression, terms_of
from calibrant.state.evidence import Evidence, Filters, SearchQuery

WEIGHTS = (1.0, 6.0, 1.0, 0.5)
"""BM25 weights of title, heading, text and identifier parts."""

_RANKED = """
SELECT (SELECT id FROM chunks WHERE number = words.rowid) AS id FROM words
WHERE words MATCH :words {filters} ORDER BY bm25(words, {weights}) LIMIT :limit
"""
_ALLOWED = """
SELECT {columns} FROM chunks c JOIN documents d ON d.number = c.document
WHERE (:documents IS NULL OR c.document IN (SELECT value FROM json_each(:documents)))
AND c.id NOT IN (SELECT value FROM json_each(:held)) {more}
"""
_THESE = "AND c.id IN (SELECT value FROM json_each(:ids))"
_STEMS = "SELECT doc, term FROM instances"
_NOT_HELD = """
AND (c.heading, c.text) NOT IN (SELECT heading, text FROM chunks WHERE id IN (SELECT value FROM json_each(:held)))
"""
_WANTED = " WHERE term IN (SELECT value FROM json_each(?))"
_NOT_SAID = " AND c.number NOT IN (SELECT rowid FROM words WHERE words MATCH :negative)"


@dataclass(frozen=True)
class Scope:
    """What part of the knowledge base a query may see, as SQL parameters. ``documents`` None: all of them."""

    documents: tuple[int, ...] | None
    held: tuple[str, ...]
    negative: str

    @property
    def everything(self) -> bool:
        return self.documents is None and not self.held and not self.negative

    def sql(self, columns: str, more: str = "") -> str:
        """The chunks in scope."""
        return _ALLOWED.format(columns=columns, more=more + (_NOT_SAID if self.negative else ""))

    def parameters(self) -> dict[str, str | None]:
        documents = None if self.documents is None else json.dumps(self.documents)
        return {"documents": documents, "held": json.dumps(self.held), "negative": self.negative}


class WordSearch:
    """BM25 over one knowledge base."""

    def __init__(self, database: Database, collection: str) -> None:
        self._database = database
        self._collection = collection
        self._stems = Stems()

    def scope(self, query: SearchQuery) -> Scope:
        """The query's filters, held ids and negative words, looked up once."""
        negative = match_expression(terms_of(" ".join(query.negative)))
        return Scope(self._documents(query.filters), query.exclude, negative)

    def ranked(self, terms: Sequence[Term], scope: Scope, limit: int) -> list[str]:
        """Ids of the chunks with any of ``terms``, best first."""
        if not terms:
            return []
        # The unary plus keeps SQLite from looking each chunk in scope up in the index, one by one.
        filters = "" if scope.everything else f"AND +words.rowid IN ({scope.sql('c.number')})"
        sql = _RANKED.format(filters=filters, weights=", ".join(map(str, WEIGHTS)))
        parameters = {**scope.parameters(), "words": match_expression(terms), "limit": limit}
        with self._database.reading() as connection:
            return [row["id"] for row in connection.execute(sql, parameters)]

    def ids_in(self, scope: Scope, limit: int) -> list[str] | None:
        """The chunks in scope when documents are filtered and they are at most ``limit``, else None."""
        if scope.documents is None:
            return None
        with self._database.reading() as connection:
            cursor = connection.execute(scope.sql("c.id"), scope.parameters())
            found = [row[0] for row in cursor.fetchmany(limit + 1)]
        return found if len(found) <= limit else None

    def evidence(self, ids: Sequence[str], scope: Scope, limit: int) -> list[Evidence]:
        """The first ``limit`` of ``ids`` that exist and are in scope, in order. Of those that say the same under the
        same heading one, and none where one is held: copies of a file would take the place of everything else."""
        with self._database.reading() as connection:
            rows = connection.execute(
                scope.sql(EVIDENCE_COLUMNS, _THESE + _NOT_HELD), {**scope.parameters(), "ids": json.dumps(list(ids))}
            )
            found = {row["id"]: row for row in rows}
        distinct: dict[tuple[str, str], sqlite3.Row] = {}
        for row in (found[key] for key in ids if key in found):
            distinct.setdefault((row["heading"], row["text"]), row)
        kept = list(distinct.values())[:limit]
        return [evidence_of(row, self._collection) for row in kept]

    def coverage(self, terms: Sequence[Term], passages: Sequence[Evidence]) -> list[float]:
        """The share of the query's words in each passage, each word weighing what it tells (its IDF). An identifier
        that the index has counts as a word of its own beside its parts, which may stand anywhere."""
        parts, whole = self._stems.of(
            [
                " ".join(word for term in terms for word in term.plain),
                " ".join(word for term in terms for word in term.phrases[0]),
            ]
        )
        weight = self._idf(sorted(parts | self._known(whole - parts)))
        asked = set(weight)
        total = sum(weight.values()) or 1.0
        texts = [" ".join((item.title, item.locator.heading, item.text)) for item in passages]
        said = self._stems.of([f"{text} {identifier_parts((text,))}" for text in texts], wanted=asked)
        return [sum(weight[stem] for stem in stems) / total for stems in said]

    def _idf(self, stems: Sequence[str]) -> Mapping[str, float]:
        with self._database.reading() as connection:
            size = connection.execute("SELECT count(*) FROM chunks").fetchone()[0]
            sql = "SELECT term, doc FROM vocabulary WHERE term = ?"
            found = dict(row for stem in stems for row in map(tuple, connection.execute(sql, (stem,))))
        return {stem: math.log(1 + (size - (n := found.get(stem, 0)) + 0.5) / (n + 0.5)) for stem in stems}

    def _known(self, stems: Iterable[str]) -> set[str]:
        """Those of ``stems`` that a chunk has."""
        sql = "SELECT 1 FROM vocabulary WHERE term = ?"
        with self._database.reading() as connection:
            return {stem for stem in stems if connection.execute(sql, (stem,)).fetchone()}

    def _documents(self, filters: Filters) -> tuple[int, ...] | None:
        """The documents that pass kinds, paths and date, or None where those do not restrict."""
        if not (filters.kinds or filters.paths or filters.since):
            return None
        since = filters.since.timestamp() if filters.since else 0.0
        with self._database.reading() as connection:
            rows = connection.execute("SELECT number, path, url, kind FROM documents WHERE modified >= ?", (since,))
            return tuple(row["number"] for row in rows if _passes(row, filters))


class Stems:
    """The index's own tokenizer and stemmer, for texts that are not in the index: one in-memory table per thread.

    The table is filled and rolled back, so that nothing is ever merged or deleted in it.
    """

    def __init__(self) -> None:
        self._local = threading.local()

    def of(self, texts: Sequence[str], wanted: Collection[str] | None = None) -> list[set[str]]:
        """The set of stems of each text; only those in ``wanted``, where that is given."""
        connection = self._connection()
        sql, asked = (_STEMS, ()) if wanted is None else (_STEMS + _WANTED, (json.dumps(list(wanted)),))
        out: list[set[str]] = [set() for _ in texts]
        connection.execute("BEGIN")
        try:
            connection.executemany("INSERT INTO words (rowid, text) VALUES (?, ?)", enumerate(texts))
            for place, stem in connection.execute(sql, asked):
                out[place].add(stem)
        finally:
            connection.execute("ROLLBACK")
        return out

    def _connection(self) -> sqlite3.Connection:
        held: sqlite3.Connection | None = getattr(self._local, "connection", None)
        if held is None:
            held = self._local.connection = sqlite3.connect(":memory:", isolation_level=None)
            kept = "content = '', columnsize = 0, detail = none"  # each stem of a text once, and nothing else
            held.execute(f'CREATE VIRTUAL TABLE words USING fts5 (text, tokenize = "{TOKENIZER}", {kept})')
            held.execute("CREATE VIRTUAL TABLE instances USING fts5vocab ('words', 'instance')")
        return held


def _passes(row: sqlite3.Row, filters: Filters) -> bool:
    if filters.kinds and row["kind"] not in filters.kinds:
        return False
    globs = filters.paths
    return not globs or any(matches(row["path"], glob) or matches(row["url"], glob) for glob in globs)
