"""Search by meaning: the encoder and the vector index together, and what happens when either does not answer.

Word search answers without them. So nothing here fails a search: it goes on without vectors, and ``degraded`` says why.
"""

import logging
import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar

import numpy as np

from calibrant.retrievers.knowledge.reports import IngestProgress, Progress
from calibrant.retrievers.knowledge.store import Store
from calibrant.retrievers.knowledge.vectors import VectorIndex
from calibrant.state.errors import Failure, failure_of
from calibrant.state.protocols import TextEncoder

BATCH = 64
"""Chunks embedded and stored at a time: what an interruption loses at most."""

FILLED = 0.5
"""The least share of chunks with a vector: among few of them the nearest is near to nothing, and would outrank what the
words find."""

T = TypeVar("T")
_log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Near:
    """The nearest chunks to a query: its vector (None without one) and their cosines, best first."""

    asked: Any = None
    cosines: Mapping[str, float] = field(default_factory=dict)


class MeaningSearch:
    """The vectors of one knowledge base. Without an encoder it finds nothing."""

    def __init__(self, name: str, store: Store, encoder: TextEncoder | None, index: VectorIndex | None) -> None:
        self.degraded: Failure | None = None
        self.identity = encoder.identity if encoder else ""
        self._name = name
        self._store = store
        self._encoder = encoder
        self._index = index
        self._enough = 0
        """So many vectors were seen to be enough."""

    @classmethod
    def over(
        cls, directory: Path, name: str, store: Store, encoder: TextEncoder | None, url: str | None
    ) -> "MeaningSearch":
        """The index in ``directory``, or on the Chroma server at ``url``, for what ``encoder`` makes."""
        index = VectorIndex(directory, key=store.key, encoder=encoder.identity, url=url) if encoder else None
        return cls(name, store, encoder, index)

    @property
    def ready(self) -> bool:
        """Whether there is an encoder at all."""
        return self._index is not None

    def count(self) -> int:
        """How many chunks have a vector. Vectors whose chunk is gone do not count."""
        index = self._index
        if index is None:
            return 0
        return self._tried(lambda: len(index.held().intersection(self._store.chunk_ids())), 0, settles=False)

    def nearest(self, text: str, limit: int, among: Sequence[str] | None) -> Near:
        """The chunks nearest to ``text``; ``among`` restricts to some of them."""
        return self._tried(lambda: self._look(text, limit, among), Near())

    def cosines(self, near: Near, ids: Sequence[str]) -> Mapping[str, float]:
        """The cosines of ``ids`` to the query, also of those that were not among its nearest."""
        missing = [key for key in ids if key not in near.cosines]
        index = self._index
        if index is None or near.asked is None or not missing:
            return near.cosines
        none: Mapping[str, Any] = {}
        vectors = self._tried(lambda: index.vectors(missing), none, settles=False)
        return {**near.cosines, **{key: _cosine(near.asked, row) for key, row in vectors.items()}}

    def fill(self, progress: Progress | None, stop: threading.Event) -> int:
        """Embed what has no vector, drop vectors of chunks that are gone; 0 while another process is at it.

        That one embeds what others read meanwhile too: it looks for that once the lock is free again, so nobody has
        found the lock taken whose passages it has not seen."""
        index = self._index
        if index is None:
            return 0
        added, goes_on = 0, True
        while goes_on:
            with index.exclusive() as ours:
                added += self._fill(index, progress, stop) if ours else 0
            goes_on = ours and not stop.is_set() and self._store.filled(index.name) != self._store.updated()
        self.degraded = None
        return added

    def fill_quietly(self, stop: threading.Event) -> None:
        """``fill``, where there are fewer vectors than chunks, for a thread in which nobody waits for an exception."""
        self._tried(lambda: self.fill(None, stop) if self._is_behind() else 0, 0)

    def close(self) -> None:
        """Let go of the index."""
        if self._index is not None:
            self._index.close()

    def _is_filled(self, vectors: int) -> bool:
        """Whether so many vectors are enough to rank by. Once they were, they are: to count the chunks takes time."""
        if not 0 < self._enough <= vectors:
            is_enough = vectors > 0 and vectors >= FILLED * self._store.counts().chunks
            self._enough = vectors if is_enough else 0
        return self._enough > 0

    def _is_behind(self) -> bool:
        """By numbers and dates alone: to compare the ids takes seconds where there are many."""
        if self._index is None:
            return False
        held = self._store.counts()
        stale = self._store.filled(self._index.name) not in (None, held.updated)
        return stale or self._index.count() < held.chunks

    def _look(self, text: str, limit: int, among: Sequence[str] | None) -> Near:
        if self._index is None or self._encoder is None:
            return Near()
        self._index.follow(self._store.vectors_mark())
        if not self._is_filled(self._index.count()):
            return Near()
        asked = np.asarray(self._encoder.encode([text])[0], dtype=np.float32)
        return Near(asked, self._index.nearest(asked, limit, among))

    def _fill(self, index: VectorIndex, progress: Progress | None, stop: threading.Event) -> int:
        as_of = self._store.updated()
        held, wanted = index.repaired(), self._store.chunk_ids()
        stale, missing = held.difference(wanted), [key for key in wanted if key not in held]
        index.remove(sorted(stale))
        done = 0
        for start in range(0, len(missing), BATCH):
            if stop.is_set():
                break
            done += self._add(index, self._store.vector_texts(missing[start : start + BATCH]))
            if progress:
                progress(IngestProgress(stage="embedding", done=done, total=len(missing), chunks=done))
        if done or stale:
            index.state = self._store.mark_vectors()
        if as_of and not stop.is_set():
            self._store.mark_filled(index.name, as_of)
        return done

    def _add(self, index: VectorIndex, texts: Mapping[str, str]) -> int:
        if texts and self._encoder is not None:
            index.add(list(texts), self._encoder.encode(list(texts.values())))
        return len(texts)

    def _tried(self, work: Callable[[], T], otherwise: T, settles: bool = True) -> T:
        """``work``, or ``otherwise`` when it fails: said once in the log, and in ``degraded`` until it is settled."""
        try:
            result = work()
        except Exception as error:  # noqa: BLE001 - an encoder may be of any make, and words answer without it
            failure = failure_of(error, f"knowledge:{self._name}")
            if self.degraded is None:
                _log.warning("knowledge base %s is searched by words only: %s", self._name, failure.message)
            self.degraded = failure
            return otherwise
        if settles:
            self.degraded = None
        return result


def _cosine(left: Any, right: Any) -> float:
    return float(left @ right / max(float(np.linalg.norm(left) * np.linalg.norm(right)), 1e-12))
