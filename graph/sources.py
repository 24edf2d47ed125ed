"""The default sources and the encoder, from the machine's settings."""

import asyncio
import threading
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Literal

from langchain_core.embeddings import Embeddings
from pydantic import SecretStr

from calibrant.graph.settings import Machine, Secrets
from calibrant.nodes.deps import ReadPage
from calibrant.retrievers.breaker import shared_breakers
from calibrant.retrievers.cache import TTL_S, Cache
from calibrant.retrievers.catalogue import BY_HOST, SERVICES, catalogue, describe
from calibrant.retrievers.embedder import LangChainEncoder, MiniLM, download_model, find_model
from calibrant.retrievers.guard import DEADLINE_S, Guarded
from calibrant.retrievers.http import Http
from calibrant.retrievers.knowledge import KnowledgeBase, KnowledgeSource, knowledge_dir, list_knowledge
from calibrant.retrievers.limits import DEFAULT, Limits, Rate, parse_rates
from calibrant.retrievers.pages import PageReader, read_page
from calibrant.retrievers.scheduler import Answered
from calibrant.state.errors import CalibrantError, ConfigurationError
from calibrant.state.evidence import Evidence, SearchQuery
from calibrant.state.protocols import Source, TextEncoder

ALL = "all"
"""In the settings: every source there is."""

NO_DOWNLOAD = "embedding-model-not-downloaded"
"""A file of this name in the data directory says that the one try to download the embedding model failed."""

DOWNLOAD_S = 20.0
"""The one try to download the embedding model may take so long."""


RATES = {
    "arxiv": (Rate(1, 3.0), *DEFAULT),
    "github-content": (Rate(60, 3600.0),),
    "youtube-transcripts": (Rate(60, 60.0),),
}
"""Services whose terms ask for less than the default of 10 a minute and 100 an hour, or of which one search makes
several calls. https://info.arxiv.org/help/api/tou.html: one request every three seconds."""

OTHERWISE = "default"
"""In settings by service or source: those that are not named."""


def default_sources(machine: Machine, encoder: TextEncoder | None, secrets: Secrets) -> tuple[Source, ...]:
    """The knowledge bases of the data directory, and the remote sources that the settings name, each guarded.

    Raises ``ConfigurationError`` for a source that there is not.
    """
    local = KnowledgeFolder(machine.data_dir, encoder, machine.chroma_url)
    names = wanted_sources(machine, secrets)
    remote = _remote(machine, secrets) if set(names) - {local.name} else {}
    unknown = [name for name in names if name not in remote and name not in (local.name, ALL)]
    if unknown:
        known = ", ".join((local.name, *remote))
        raise ConfigurationError(f"sources: there is no source {unknown[0]!r}; use {known} or {ALL}")
    chosen = {local.name: local, **remote}
    return tuple(source for name, source in chosen.items() if name in names or ALL in names)


def wanted_sources(machine: Machine, secrets: Secrets) -> tuple[str, ...]:
    """The sources by name: nothing leaves the machine unless a source, a key or an address was configured for it."""
    if machine.sources:
        return machine.sources
    extra = (*machine.langchain_retrievers, *machine.mcp_servers, *(("docs",) if machine.docs_domains else ()))
    web = ("web",) if secrets.tavily_api_key or machine.searxng_url else ()
    return ("knowledge", *web, *extra)


def _remote(machine: Machine, secrets: Secrets) -> dict[str, Source]:
    """Every remote source behind cache, breaker and deadline. Limits and cache are files that processes share."""
    http = Http(limits_of(machine))
    cache = Cache(machine.data_dir / "cache.sqlite3", ttl=machine.cache_ttl_s.get(OTHERWISE, TTL_S))
    found = catalogue(
        http,
        tavily_key=secrets.tavily_api_key,
        searxng_url=machine.searxng_url,
        github_token=secrets.github_token,
        youtube_key=secrets.youtube_api_key,
        stackexchange_key=secrets.stackexchange_key,
        docs_domains=machine.docs_domains,
        wikipedia_language=machine.wikipedia_language,
        langchain=machine.langchain_retrievers,
        mcp=machine.mcp_servers,
        base_urls=machine.base_urls,
    )
    _check_names(machine, found)
    foreign = {*machine.langchain_retrievers, *machine.mcp_servers}
    return {
        name: Guarded(
            source,
            cache=cache,
            breaker=shared_breakers().of(name),
            seconds=machine.deadline_s.get(name, machine.deadline_s.get(OTHERWISE, DEADLINE_S)),
            ttl=machine.cache_ttl_s.get(name),
            limits=http.limits if name in foreign else None,
            options=type(source).__name__,
        )
        for name, source in found.items()
    }


def limits_of(machine: Machine) -> Limits:
    """The rate limits of the settings, in the file that all processes of this data directory share."""
    named = {name: parse_rates(text) for name, text in machine.rates.items()}
    default = named.pop(OTHERWISE, DEFAULT)
    return Limits(machine.data_dir / "limits.sqlite3", {**RATES, **named}, default)


def _check_names(machine: Machine, found: Mapping[str, Source]) -> None:
    """``ConfigurationError`` for a setting about a service or a source that there is not."""
    services = (OTHERWISE, *SERVICES, *machine.langchain_retrievers, *machine.mcp_servers)
    sources = (OTHERWISE, *(row.name for row in describe()), *found)
    for setting, names, known in (
        ("rates", machine.rates, services),
        ("cache_ttl_s", machine.cache_ttl_s, sources),
        ("deadline_s", machine.deadline_s, sources),
    ):
        for name in names:
            if name not in known and not (setting == "rates" and name.startswith(BY_HOST)):
                raise ConfigurationError(f"{setting}: there is no {name!r}; use {', '.join(dict.fromkeys(known))}")


def page_reading(machine: Machine, secrets: Secrets) -> ReadPage | None:
    """Reads full pages where a remote source is configured; else nothing is fetched from anywhere."""
    if wanted_sources(machine, secrets) == (KnowledgeFolder.name,):
        return None
    reader = PageReader(
        cache=Cache(machine.data_dir / "cache.sqlite3"),
        limits=Limits(machine.data_dir / "limits.sqlite3", RATES),
        respect_robots=machine.respect_robots,
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
        self._open: dict[str, KnowledgeBase] = {}
        self._lock = threading.Lock()

    async def search(self, query: SearchQuery) -> list[Evidence]:
        """The best passages over the collections that the query names, else over all."""
        bases = await asyncio.to_thread(self._bases, query.filters.collections)
        return await KnowledgeSource(bases).search(query) if bases else []

    async def reread(self, ids: Sequence[str]) -> list[Evidence]:
        """Those of ``ids`` that still stand."""
        bases = await asyncio.to_thread(self._bases, ())
        return await KnowledgeSource(bases).reread(ids) if bases else []

    def warm(self, wanted: Sequence[str] = ()) -> None:
        """Open the bases and what their first search would wait for, vectors above all. Blocking."""
        for base in self._bases(wanted):
            base.warm()

    def health(self, name: str) -> tuple[Literal["ok", "broken"], str]:
        """One line about a knowledge base. Blocking."""
        try:
            stats = self._base(name).stats()
        except CalibrantError as error:
            return "broken", str(error)
        vectors = f", {stats.vectors} vectors" if stats.vectors else ""
        return "ok", f"{stats.documents} documents, {stats.chunks} passages{vectors}, {stats.bytes / 1e6:.1f} MB"

    def _bases(self, wanted: Sequence[str]) -> list[KnowledgeBase]:
        with self._lock:
            names = [name for name in list_knowledge(self._data_dir) if not wanted or name in wanted]
            return [self._base(name) for name in names]

    def _base(self, name: str) -> KnowledgeBase:
        if name not in self._open:
            directory = knowledge_dir(self._data_dir, name)
            self._open[name] = KnowledgeBase.open(
                directory, name, encoder=self._encoder, chroma_url=self._chroma_url or None
            )
        return self._open[name]


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
    failed = machine.data_dir / NO_DOWNLOAD
    if not machine.allow_download or failed.exists():
        return None
    found = download_model(DOWNLOAD_S)
    if found is None:
        machine.data_dir.mkdir(parents=True, exist_ok=True, mode=0o700)
        failed.write_text("The embedding model could not be downloaded. Remove this file to try again.\n")
    return found


def _endpoint(machine: Machine, api_key: SecretStr | None) -> Embeddings:
    """Embeddings of an OpenAI-compatible endpoint. Its context check is off: that would download an encoding."""
    from langchain_openai import OpenAIEmbeddings

    return OpenAIEmbeddings(
        model=machine.embeddings,
        openai_api_base=machine.embeddings_base_url,
        openai_api_key=api_key or SecretStr("none"),
        check_embedding_ctx_length=False,
    )
