"""The knowledge base at 1,000, 10,000 and 100,000 passages: filling it, its size, and a search by words and by both."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import chromadb
from chromadb.config import Settings

from calibrant.evals.bench.table import Row, percentile, size, spread, tell, timed, times
from calibrant.evals.bench.texts import FixedEncoder, queries, write_files
from calibrant.retrievers.knowledge import KnowledgeBase
from calibrant.retrievers.knowledge.database import FILE_NAME, TOKENIZER
from calibrant.retrievers.knowledge.reports import IngestProgress
from calibrant.retrievers.knowledge.search import WEIGHTS
from calibrant.retrievers.knowledge.terms import match_expression, terms_of
from calibrant.state.evidence import SearchQuery

SIZES = (1_000, 10_000, 100_000)
VECTORS = 10_000
"""Up to so many passages vectors are indexed too; more takes minutes, and is left to ``--full``."""
QUERIES = 60
LIMIT = 10
POOL = 50
"""What the knowledge base takes from each ranking."""


def measure(folder: Path, full: bool) -> Iterator[Row]:
    """Words alone at every size; with vectors at those that do not take minutes, or at all with ``full``."""
    for count in SIZES:
        place = folder / str(count)
        tell(f"writing {count:,} passages")
        text_bytes = write_files(place / "files", count)
        asked = queries(QUERIES, count)
        yield from _words(place, text_bytes, asked)
        if full or count <= VECTORS:
            yield from _vectors(place, count, asked)


def _words(place: Path, text_bytes: int, asked: list[str]) -> Iterator[Row]:
    base = KnowledgeBase.open(place / "base", "bench", create=True)
    tell("ingesting")
    seconds = timed(lambda: base.ingest([place / "files"]))
    bare = _bare_ingest(place / "base", place / "bare.db")
    held = base.stats().chunks
    yield Row(
        measured=f"ingest {held:,} passages",
        figure=f"{held / seconds:,.0f} passages/s, {seconds:.1f} s",
        against=f"{text_bytes / seconds / 1e6:.1f} MB of text a second",
        limited_by=f"the same rows into a bare FTS5 table: {held / bare:,.0f}/s",
        from_limit=times(seconds, bare),
    )
    on_disk = _size_of(place / "base")
    yield Row(
        measured=f"{held:,} passages on disk",
        figure=size(on_disk),
        against=f"{on_disk / held:,.0f} bytes a passage",
        limited_by=f"the text itself: {size(text_bytes)}",
        from_limit=times(on_disk, text_bytes),
    )
    tell("searching by words")
    own = [timed(lambda text=text: base.search(SearchQuery(text=text, limit=LIMIT))) for text in asked]  # type: ignore[misc]
    base.close()
    floor = _bare_search(place / "base", asked)
    yield _search_row(f"search {held:,} passages by words", own, "the bare FTS5 query", floor)


def _vectors(place: Path, count: int, asked: list[str]) -> Iterator[Row]:
    encoder = FixedEncoder()
    base = KnowledgeBase.open(place / "base", "bench", encoder=encoder)
    before = _size_of(place / "base")
    shown = [0]

    def progress(at: IngestProgress) -> None:
        if at.done - shown[0] >= VECTORS:
            shown[0] = at.done
            tell(f"{at.done:,} of {at.total:,} vectors")

    tell(f"indexing {count:,} vectors")
    seconds = timed(lambda: base.index_vectors(progress=progress))
    added, raw = _size_of(place / "base") - before, count * encoder.dimensions * 4
    yield Row(
        measured=f"index {count:,} precomputed vectors",
        figure=f"{count / seconds:,.0f} vectors/s, {size(added)} on disk",
        against=f"{added / count:,.0f} bytes a vector of {encoder.dimensions} numbers",
        limited_by=f"the numbers themselves: {size(raw)}",
        from_limit=f"{times(added, raw)} in size",
    )
    tell("searching by words and vectors")
    base.warm()
    own = [timed(lambda text=text: base.search(SearchQuery(text=text, limit=LIMIT))) for text in asked]  # type: ignore[misc]
    floor = [one + two for one, two in zip(_bare_search(place / "base", asked), _bare_near(place, asked), strict=True)]
    base.close()
    yield _search_row(f"search {count:,} passages by words and vectors", own, "bare FTS5 and Chroma queries", floor)


def _search_row(what: str, own: list[float], limit: str, floor: list[float]) -> Row:
    return Row(
        measured=what,
        figure=spread(own),
        against=f"{len(own) / sum(own):,.0f} searches/s, one after the other",
        limited_by=f"{limit}: {spread(floor)}",
        from_limit=times(percentile(own, 0.5), percentile(floor, 0.5)),
    )


def _size_of(folder: Path) -> int:
    return sum(file.stat().st_size for file in folder.rglob("*") if file.is_file())


def _bare_ingest(folder: Path, file: Path) -> float:
    """Seconds in which SQLite puts the same rows into a full-text table, in one transaction."""
    with closing(sqlite3.connect(folder / FILE_NAME)) as connection:
        rows = connection.execute("SELECT title, heading, text, parts FROM searchable").fetchall()
    with closing(sqlite3.connect(file)) as connection:
        connection.execute(f'CREATE VIRTUAL TABLE words USING fts5 (a, b, c, d, tokenize = "{TOKENIZER}")')

        def fill() -> None:
            connection.executemany("INSERT INTO words VALUES (?, ?, ?, ?)", rows)
            connection.commit()

        return timed(fill)


def _bare_search(folder: Path, asked: list[str]) -> list[float]:
    """Seconds of each query in SQLite alone: the best of the pool, by number."""
    sql = (
        f"SELECT rowid FROM words WHERE words MATCH ? ORDER BY bm25(words, {', '.join(map(str, WEIGHTS))}) LIMIT {POOL}"  # noqa: S608
    )
    with closing(sqlite3.connect(folder / FILE_NAME)) as connection:
        expressions = [match_expression(terms_of(text)) for text in asked]
        return [timed(lambda one=one: connection.execute(sql, (one,)).fetchall()) for one in expressions]  # type: ignore[misc]


def _bare_near(place: Path, asked: list[str]) -> list[float]:
    """Seconds of each query in Chroma alone, on the index as it stands; the vectors of the queries are there."""
    client = chromadb.PersistentClient(str(place / "base" / "chroma"), Settings(anonymized_telemetry=False))
    collection = client.list_collections()[0]
    vectors = FixedEncoder().encode(asked)
    return [
        timed(lambda row=row: collection.query(query_embeddings=row[None, :], n_results=POOL, include=["distances"]))  # type: ignore[misc]
        for row in vectors
    ]
