"""A knowledge base: the store, the vector index that follows it, and a search over both."""

import shutil
import threading
from collections.abc import Mapping, Sequence
from contextlib import closing, suppress
from functools import partial
from pathlib import Path

from calibrant.retrievers.fusion import reciprocal_ranks
from calibrant.retrievers.knowledge import ingest as ingestion
from calibrant.retrievers.knowledge.database import FILE_NAME, Database, set_aside
from calibrant.retrievers.knowledge.locks import INDEXING, READING, alone
from calibrant.retrievers.knowledge.meaning import MeaningSearch, Near
from calibrant.retrievers.knowledge.reports import IngestReport, KnowledgeStats, Progress
from calibrant.retrievers.knowledge.search import Scope, WordSearch
from calibrant.retrievers.knowledge.spelling import Spelling
from calibrant.retrievers.knowledge.store import Store
from calibrant.retrievers.knowledge.terms import Term, terms_of
from calibrant.retrievers.knowledge.vectors import drop_vectors
from calibrant.state.errors import InputError, KnowledgeError
from calibrant.state.evidence import Evidence, SearchQuery
from calibrant.state.protocols import TextEncoder

POOL = 50
"""Candidates from each ranking before they are fused."""
FILTERED = 10_000
"""Where the filters leave at most so many chunks, only those are compared; else all are, and the others dropped."""
COSINE_FLOOR, COSINE_SPAN = 0.1, 0.6
"""Unrelated texts have a cosine of about 0.1, paraphrases of 0.7 and more (all-MiniLM-L6-v2)."""


class KnowledgeBase:
    """Documents of one name. Everything here blocks; ``KnowledgeSource`` is the way in for async code.

    Safe to use from several threads. Words are searched as soon as a document is in; vectors once ``index_vectors``
    (or ``start_indexing``, in the background) has come to it. Without an encoder, words are all there is.
    """

    def __init__(self, name: str, store: Store, meaning: MeaningSearch) -> None:
        self.name = name
        self._store = store
        self._words = WordSearch(store.database, name)
        self._spelling = Spelling(store.database)
        self._meaning = meaning
        self._stop = threading.Event()
        self._worker: threading.Thread | None = None

    @classmethod
    def open(
        cls,
        directory: Path | str,
        name: str,
        *,
        encoder: TextEncoder | None = None,
        chroma_url: str | None = None,
        create: bool = False,
    ) -> "KnowledgeBase":
        """The knowledge base in ``directory``. ``InputError`` where there is none, ``KnowledgeError`` if damaged."""
        directory = Path(directory)
        database = Database(directory / FILE_NAME)
        if create:
            database.create()
        elif not database.path.is_file():
            raise InputError(f"no knowledge base named {name!r}: make it with `calibrant ingest PATH -k {name}`")
        database.check()
        store = Store(database)
        return cls(name, store, MeaningSearch.over(directory / "chroma", name, store, encoder, chroma_url))

    @staticmethod
    def set_aside(directory: Path) -> Path | None:
        """Make room for a new knowledge base: the old file is renamed (its new name is returned), vectors go."""
        shutil.rmtree(directory / "chroma", ignore_errors=True)
        path = directory / FILE_NAME
        return set_aside(path) if path.exists() else None

    @staticmethod
    def remove(directory: Path, chroma_url: str | None = None) -> None:
        """Delete the knowledge base in ``directory``, also what a Chroma server holds of it. ``InputError`` while
        another process reads files into it or embeds its passages."""
        for lock in (READING, INDEXING):
            with alone(directory / lock) as ours:
                if not ours:
                    raise InputError(f"{directory.name} is being read or embedded: try again when that has ended")
        key = ""
        with suppress(KnowledgeError), closing(Database(directory / FILE_NAME)) as database:
            key = Store(database).key
        if chroma_url and key:  # of a damaged file nobody knows it
            drop_vectors(chroma_url, key)
        shutil.rmtree(directory)

    def ingest(
        self,
        paths: Sequence[Path],
        *,
        progress: Progress | None = None,
        include: Sequence[str] = (),
        exclude: Sequence[str] = (),
    ) -> IngestReport:
        """Read what is new or changed under ``paths`` (none: all that was ingested before), drop what vanished.

        ``include`` and ``exclude`` are globs over paths: ``*.md``, ``docs/**``. Text only: see ``index_vectors``.
        """
        return ingestion.ingest(self._store, paths, progress=progress, include=include, exclude=exclude)

    def forget(self, paths: Sequence[Path]) -> int:
        """Remove the documents at or under ``paths``, whether those still exist or not; gives their number."""
        return ingestion.forget(self._store, paths)

    def roots(self) -> list[Path]:
        """The files and folders that it was made of."""
        return self._store.roots()

    def held(self, paths: Sequence[Path]) -> int:
        """How many documents were read at or under ``paths``, whether those still exist or not."""
        return len(ingestion.held(self._store, paths))

    def index_vectors(self, *, progress: Progress | None = None) -> int:
        """Embed the chunks that have no vector yet, drop vectors without a chunk; gives the number embedded.

        May be interrupted and run again at any time. Does nothing while another process is at it.
        """
        return self._meaning.fill(progress, self._stop)

    def start_indexing(self) -> None:
        """``index_vectors`` in a thread of its own, until done or closed. A failure shows as ``degraded``."""
        if self._meaning.ready and not self._stop.is_set() and (self._worker is None or not self._worker.is_alive()):
            fill = partial(self._meaning.fill_quietly, self._stop)
            self._worker = threading.Thread(target=fill, name=f"indexing-{self.name}", daemon=True)
            self._worker.start()

    def warm(self) -> None:
        """Load what the first search would wait for (Chroma, its index, the encoder): for a thread at the start."""
        self._meaning.nearest(self.name, 1, None)

    def search(self, query: SearchQuery) -> list[Evidence]:
        """The best passages for ``query``: BM25 and vectors, fused by reciprocal rank.

        ``relevance`` compares over queries and knowledge bases, as ranks do not. It is the share of the query's words
        that the passage has (title and heading too), each word weighing its IDF, so that a word the knowledge base
        never mentions counts most against it; where the passage has a vector, the mean of that and of the cosine to
        the query, stretched from 0.1..0.7 to 0..1.
        """
        if query.filters.collections and self.name not in query.filters.collections:
            return []
        scope, terms = self._words.scope(query), terms_of(query.text)
        pool = max(POOL, 3 * query.limit)
        near = self._nearest(query.text, scope, pool)
        close = [key for key, cosine in near.cosines.items() if cosine > COSINE_FLOOR]
        ranks = reciprocal_ranks([self._words.ranked(terms, scope, pool), close])
        found = self._words.evidence(list(ranks), scope, query.limit)
        relevance = self._relevance(terms, found, self._meaning.cosines(near, [item.id for item in found]))
        return [
            item.replace(relevance=score, rank=rank, query=query.text)
            for rank, (item, score) in enumerate(zip(found, relevance, strict=True), start=1)
        ]

    def reread(self, ids: Sequence[str]) -> list[Evidence]:
        """The passages with these ids that still stand; an id stands for its text, so they are unchanged."""
        return self._store.evidence(ids, self.name)

    def around(self, ids: Sequence[str]) -> dict[str, list[Evidence]]:
        """For those of ``ids`` that have some, the passages next to each in the same section."""
        return self._store.around(ids, self.name)

    def outdated(self, urls: Sequence[str]) -> dict[str, str]:
        """Those of the documents ``urls`` whose files say something else than when they were read, or are gone: what
        is to be told of each."""
        anew = f"`calibrant ingest -k {self.name}` brings its knowledge base up to date."
        since = {facts.url: ingestion.since_read(facts) for facts in self._store.facts(urls)}
        return {url: f"{became}: {anew}" for url, became in since.items() if became}

    def passages(self) -> int:
        """How many passages it holds."""
        return self._store.counts().chunks

    def changed(self) -> float:
        """When a document last came, changed or went, as POSIX time; 0 where nothing was ever ingested."""
        updated = self._store.updated()
        return updated.timestamp() if updated else 0.0

    def spelt(self, words: Sequence[str]) -> Mapping[str, str]:
        """For each of ``words`` that no passage has: the one that is meant, or "" where none is near."""
        return self._spelling.of(words)

    def shortfall(self) -> str:
        """Why a search may have missed what the documents say; empty where there is no reason."""
        if self._store.is_half_read():
            return f"{self.name!r} was not read to its end: `calibrant ingest -k {self.name}` goes on with it"
        degraded = self._meaning.degraded
        return f"{self.name!r} was searched by words only: {degraded.message}" if degraded else ""

    def stats(self) -> KnowledgeStats:
        """How much it holds, and how far the vectors are."""
        held = self._store.counts()
        return KnowledgeStats(
            name=self.name,
            documents=held.documents,
            chunks=held.chunks,
            vectors=self._meaning.count(),
            bytes=held.bytes,
            encoder=self._meaning.identity,
            updated=held.updated,
            half_read=self._store.is_half_read(),
            degraded=self._meaning.degraded,
        )

    def _nearest(self, text: str, scope: Scope, pool: int) -> Near:
        if not self._meaning.ready or not text.strip():
            return Near()
        among = self._words.ids_in(scope, FILTERED)
        return self._meaning.nearest(text, pool if scope.everything or among is not None else 4 * pool, among)

    def close(self) -> None:
        """Stop the background work and close every connection."""
        self._stop.set()
        if self._worker is not None:
            self._worker.join()
        self._meaning.close()
        self._store.database.close()

    def _relevance(self, terms: Sequence[Term], found: Sequence[Evidence], cosines: Mapping[str, float]) -> list[float]:
        """See ``search``. A query of stop words has nothing to cover: then the cosine speaks alone."""
        near = [min(max((cosines.get(item.id, -1) - COSINE_FLOOR) / COSINE_SPAN, 0.0), 1.0) for item in found]
        if not terms:
            return near
        pairs = zip(found, self._words.coverage(terms, found), near, strict=True)
        return [min((share + close) / 2 if item.id in cosines else share, 1.0) for item, share, close in pairs]
