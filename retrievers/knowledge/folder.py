"""All knowledge bases of a data directory as one source, each opened when it is first needed."""

import asyncio
import threading
from collections.abc import Sequence
from pathlib import Path
from typing import Literal

from calibrant.retrievers.asking import Partial
from calibrant.retrievers.knowledge.base import KnowledgeBase
from calibrant.retrievers.knowledge.database import FILE_NAME
from calibrant.retrievers.knowledge.source import KnowledgeSource, knowledge_dir, list_knowledge
from calibrant.state.errors import CalibrantError, SourceEmpty, failure_of
from calibrant.state.evidence import Evidence, SearchQuery, is_ad_hoc
from calibrant.state.protocols import TextEncoder

Held = tuple[int, int]
"""A file by its device and number: what stands under a name may be another one later."""


class KnowledgeFolder:
    """All knowledge bases of a data directory as one source. Those that appear while it runs are found too."""

    name = "knowledge"
    remote = False

    def __init__(self, data_dir: Path, encoder: TextEncoder | None = None, chroma_url: str | None = None) -> None:
        self._data_dir = data_dir
        self._encoder = encoder
        self._chroma_url = chroma_url
        self._open: dict[str, tuple[Held, KnowledgeBase]] = {}
        self._lock = threading.Lock()

    async def search(self, query: SearchQuery) -> list[Evidence]:
        """The best passages over the collections that the query names, else over all that need not be named. One that
        cannot be opened is told with what the others found. ``SourceEmpty`` where none is there."""
        wanted = query.filters.collections
        bases, closed = await asyncio.to_thread(self._bases, wanted)
        if closed and not bases:
            raise closed[0]
        if not (bases or wanted):
            raise SourceEmpty("there is no knowledge base yet")
        found = await KnowledgeSource(bases).search(query)
        return Partial(found, failure_of(closed[0], self.name)) if closed else found

    async def reread(self, ids: Sequence[str]) -> list[Evidence]:
        """Those of ``ids`` that still stand."""
        every = await asyncio.to_thread(list_knowledge, self._data_dir)
        return await (await self._over(every)).reread(ids)

    async def around(self, ids: Sequence[str], collections: Sequence[str] = ()) -> dict[str, list[Evidence]]:
        """For those of ``ids`` that have some, the passages next to each in the same section."""
        return await (await self._over(collections)).around(ids)

    async def outdated(self, urls: Sequence[str], collections: Sequence[str] = ()) -> dict[str, str]:
        """Those of the documents ``urls`` that have changed since they were read, or are gone."""
        return await (await self._over(collections)).outdated(urls)

    async def passages(self, collections: Sequence[str] = ()) -> int:
        """How many passages all of them hold."""
        return await (await self._over(collections)).passages()

    async def changed(self, collections: Sequence[str] = ()) -> float:
        """When a document last came, changed or went, as POSIX time."""
        bases, _ = await asyncio.to_thread(self._bases, collections)
        return max([await asyncio.to_thread(base.changed) for base in bases], default=0.0)

    async def spelt(self, words: Sequence[str], collections: Sequence[str] = ()) -> dict[str, str]:
        """What each of ``words`` that none of the bases has is meant to be."""
        return await (await self._over(collections)).spelt(words)

    def warm(self, wanted: Sequence[str] = ()) -> None:
        """Open the bases and what their first search would wait for, vectors above all; make those that are missing in
        the background, until ``close``. Blocking."""
        for base in self._bases(wanted)[0]:
            base.warm()
            base.start_indexing()

    def close(self) -> None:
        """Let go of the bases, and stop what they do in the background. Blocking."""
        with self._lock:
            held, self._open = self._open, {}
        for _, base in held.values():
            base.close()

    def health(self, name: str) -> tuple[Literal["ok", "missing", "broken"], str]:
        """One line about a knowledge base; one without a passage has nothing to answer from. Blocking."""
        try:
            stats = self._base(name).stats()
        except CalibrantError as error:
            return "broken", str(error)
        if stats.half_read:
            goes_on = f"`calibrant ingest -k {name}` goes on ({_counted(stats.documents, 'document')})"
            return "broken", f"not read to its end: {goes_on}"
        if not stats.chunks:
            return "missing", f"nothing in it: `calibrant ingest PATH -k {name}`"
        held = [_counted(stats.documents, "document"), _counted(stats.chunks, "passage")]
        if stats.vectors:
            held.append(_counted(stats.vectors, "vector"))
        aside = ", searched only where it is named" if is_ad_hoc(name) else ""
        return "ok", f"{', '.join(held)}, {stats.bytes / 1e6:.1f} MB{aside}"

    async def _over(self, wanted: Sequence[str]) -> KnowledgeSource:
        """The wanted ones that can be opened, as one source."""
        return KnowledgeSource((await asyncio.to_thread(self._bases, wanted))[0])

    def _bases(self, wanted: Sequence[str]) -> tuple[list[KnowledgeBase], list[CalibrantError]]:
        """The wanted ones that can be opened, and why the others cannot."""
        found, closed = list[KnowledgeBase](), list[CalibrantError]()
        with self._lock:
            for name in list_knowledge(self._data_dir):
                if name in wanted if wanted else not is_ad_hoc(name):
                    try:
                        found.append(self._base(name))
                    except CalibrantError as error:
                        closed.append(error)
        return found, closed

    def _base(self, name: str) -> KnowledgeBase:
        """The knowledge base, opened once; and again where another file has come in its place (``--rebuild``)."""
        directory = knowledge_dir(self._data_dir, name)
        held = _held(directory / FILE_NAME)
        if name not in self._open or self._open[name][0] != held:
            # The one before is only let go of: a search may be at work in it.
            url = self._chroma_url or None
            self._open[name] = held, KnowledgeBase.open(directory, name, encoder=self._encoder, chroma_url=url)
        return self._open[name][1]


def _held(path: Path) -> Held:
    try:
        status = path.stat()
    except OSError:  # opening it says what is wrong
        return 0, 0
    return status.st_dev, status.st_ino


def _counted(number: int, noun: str) -> str:
    return f"{number:,} {noun}{'' if number == 1 else 's'}"
