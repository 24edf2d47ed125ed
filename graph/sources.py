"""The default sources and the encoder, from the machine's settings."""

import asyncio
import threading
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Literal

from langchain_core.embeddings import Embeddings
from pydantic import SecretStr

from calibrant.graph.recall import memory_source
from calibrant.graph.services import ALL, Gateway, remote_sources
from calibrant.graph.settings import Machine, Secrets
from calibrant.nodes.deps import ReadPage
from calibrant.retrievers.catalogue import describe as catalogued
from calibrant.retrievers.embedder import LangChainEncoder, MiniLM, download_model, find_model
from calibrant.retrievers.knowledge import KnowledgeBase, KnowledgeSource, knowledge_dir, list_knowledge
from calibrant.retrievers.knowledge.database import FILE_NAME
from calibrant.retrievers.memory import MemorySource
from calibrant.retrievers.pages import PageReader, read_page
from calibrant.retrievers.scheduler import Answered, Partial
from calibrant.state.errors import CalibrantError, ConfigurationError, failure_of
from calibrant.state.evidence import Evidence, SearchQuery, is_aside
from calibrant.state.protocols import Source, TextEncoder

LOCAL = frozenset({"knowledge", "memory"})
"""Sources that leave the machine for nothing."""

NO_DOWNLOAD = "embedding-model-not-downloaded"
"""A file of this name in the data directory says that the one try to download the embedding model failed."""

Held = tuple[int, int]
"""A file by its device and number: what stands under a name may be another one later."""

DOWNLOAD_S = 20.0
"""The one try to download the embedding model may take so long."""


def default_sources(
    machine: Machine,
    encoder: TextEncoder | None,
    secrets: Secrets,
    gateway: Gateway,
    remembers: bool = True,
    clock: Callable[[], float] = time.time,
) -> tuple[Source, ...]:
    """The knowledge bases of the data directory, and what else the settings name: memory, and remote sources, each
    guarded. ``remembers`` and ``clock`` are the memory's.

    Raises ``ConfigurationError`` for a source that there is not.
    """
    folder = KnowledgeFolder(machine.data_dir, encoder, machine.chroma_url)
    names = wanted_sources(machine, secrets)
    chosen: dict[str, Source] = {folder.name: folder, MemorySource.name: memory_source(folder.reread, clock, remembers)}
    if set(names) - LOCAL:
        chosen |= remote_sources(machine, secrets, gateway)
    unknown = [name for name in names if name not in chosen and name != ALL]
    if unknown:
        raise ConfigurationError(f"sources: {_why_not(unknown[0])}; use {', '.join(chosen)} or {ALL}")
    return tuple(source for name, source in chosen.items() if name in names or ALL in names)


def _why_not(name: str) -> str:
    """Why there is no source ``name``: nobody knows it, or a setting that it takes is missing."""
    needs = next((row.hint for row in catalogued() if row.name == name), "")
    return f"{name!r} is not set up ({needs.rstrip('.')})" if needs else f"there is no source {name!r}"


def wanted_sources(machine: Machine, secrets: Secrets) -> tuple[str, ...]:
    """The sources by name: nothing leaves the machine unless a source, a key or an address was configured for it.

    Memory is none of them unless it is named: a run recalls what is like its task before it searches anything.
    """
    if machine.sources:
        return machine.sources
    extra = (*machine.langchain_retrievers, *machine.mcp_sources, *(("docs",) if machine.docs_domains else ()))
    web = ("web",) if secrets.tavily_api_key or machine.searxng_url else ()
    return ("knowledge", *web, *extra)


def page_reading(machine: Machine, secrets: Secrets, gateway: Gateway) -> ReadPage | None:
    """Reads full pages where a remote source is configured; else nothing is fetched from anywhere."""
    if set(wanted_sources(machine, secrets)) <= LOCAL:
        return None
    reader = PageReader(
        cache=gateway.cache,
        limits=gateway.limits,
        respect_robots=machine.respect_robots,
        contact=machine.contact,
    )
    return reading(reader)


def reading(reader: PageReader) -> ReadPage:
    """``reader`` as the nodes use it."""

    async def read(result: Evidence, question: str, seconds: float) -> Answered:
        return await read_page(result, reader, question, seconds)

    return read


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
        cannot be opened is told with what the others found."""
        bases, closed = await asyncio.to_thread(self._bases, query.filters.collections)
        if closed and not bases:
            raise closed[0]
        found = await KnowledgeSource(bases).search(query)
        return Partial(found, failure_of(closed[0], self.name)) if closed else found

    async def reread(self, ids: Sequence[str]) -> list[Evidence]:
        """Those of ``ids`` that still stand."""
        bases, _ = await asyncio.to_thread(self._bases, await asyncio.to_thread(list_knowledge, self._data_dir))
        return await KnowledgeSource(bases).reread(ids) if bases else []

    async def changed(self, collections: Sequence[str] = ()) -> float:
        """When a document last came, changed or went, as POSIX time."""
        bases, _ = await asyncio.to_thread(self._bases, collections)
        return max([await asyncio.to_thread(base.changed) for base in bases], default=0.0)

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
        if not stats.chunks:
            return "missing", f"nothing in it: `calibrant ingest PATH -k {name}`"
        vectors = f", {stats.vectors} vectors" if stats.vectors else ""
        aside = ", searched only where it is named" if is_aside(name) else ""
        return "ok", f"{stats.documents} documents, {stats.chunks} passages{vectors}, {stats.bytes / 1e6:.1f} MB{aside}"

    def _bases(self, wanted: Sequence[str]) -> tuple[list[KnowledgeBase], list[CalibrantError]]:
        """The wanted ones that can be opened, and why the others cannot."""
        found, closed = list[KnowledgeBase](), list[CalibrantError]()
        with self._lock:
            for name in list_knowledge(self._data_dir):
                if name in wanted if wanted else not is_aside(name):
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


def encoder_of(
    embeddings: Embeddings | TextEncoder | None, machine: Machine, api_key: SecretStr | None = None
) -> TextEncoder | None:
    """What was passed in, else what the settings name: ``auto``, ``none``, a directory, or an endpoint's model."""
    if isinstance(embeddings, Embeddings):
        return LangChainEncoder(embeddings)
    if embeddings is not None:
        return embeddings
    if machine.embeddings == "none":
        return None
    if machine.embeddings == "auto":
        found = find_model(None) or _downloaded(machine)
        return MiniLM.open(found) if found else None
    if machine.embeddings_base_url:
        return LangChainEncoder(_endpoint(machine, api_key))
    return MiniLM.open(machine.embeddings_path or Path(machine.embeddings))


def _downloaded(machine: Machine) -> Path | None:
    """The model from its download, which is tried once: a file in the data directory remembers that it failed."""
    failed = failed_download(machine)
    if not machine.allow_download or failed.exists():
        return None
    found = download_model(DOWNLOAD_S)
    if found is None:
        machine.data_dir.mkdir(parents=True, exist_ok=True, mode=0o700)
        failed.write_text("The embedding model could not be downloaded. Remove this file to try again.\n")
    return found


def failed_download(machine: Machine) -> Path:
    """The file that is there if the model's download was tried and failed."""
    return machine.data_dir / NO_DOWNLOAD


def _endpoint(machine: Machine, api_key: SecretStr | None) -> Embeddings:
    """Embeddings of an OpenAI-compatible endpoint. Its context check is off: that would download an encoding."""
    from langchain_openai import OpenAIEmbeddings

    return OpenAIEmbeddings(
        model=machine.embeddings,
        openai_api_base=machine.embeddings_base_url,
        openai_api_key=api_key or SecretStr("none"),
        check_embedding_ctx_length=False,
    )
