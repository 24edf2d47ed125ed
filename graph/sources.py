"""The default sources, from the machine's settings."""

import time
from collections.abc import Callable

from calibrant.graph.recall import memory_source
from calibrant.graph.services import ALL, Gateway, check_names, remote_sources
from calibrant.graph.settings import Machine, Secrets
from calibrant.nodes.deps import ReadPage
from calibrant.retrievers.asking import Answered
from calibrant.retrievers.catalogue import known_sources
from calibrant.retrievers.knowledge.folder import KnowledgeFolder
from calibrant.retrievers.memory import MemorySource
from calibrant.retrievers.pages import PageReader, read_page
from calibrant.state.errors import ConfigurationError
from calibrant.state.evidence import Evidence
from calibrant.state.protocols import Source, TextEncoder

LOCAL = frozenset({"knowledge", "memory"})
"""Sources that send nothing beyond this machine."""


def default_sources(
    gateway: Gateway, encoder: TextEncoder | None, remembers: bool = True, clock: Callable[[], float] = time.time
) -> tuple[Source, ...]:
    """The knowledge bases of the data directory, and what else the settings name: memory, and remote sources, each
    guarded. ``remembers`` and ``clock`` are the memory's.

    Raises ``ConfigurationError`` for a source or a service that there is not.
    """
    machine = gateway.machine
    check_names(machine)
    folder = KnowledgeFolder(machine.data_dir, encoder, machine.chroma_url)
    names = wanted_sources(machine, gateway.secrets)
    chosen: dict[str, Source] = {folder.name: folder, MemorySource.name: memory_source(folder.reread, clock, remembers)}
    if set(names) - LOCAL:
        chosen |= remote_sources(gateway)
    unknown = [name for name in names if name not in chosen and name != ALL]
    if unknown:
        raise ConfigurationError(f"sources: {_why_not(unknown[0])}; use {', '.join(chosen)} or {ALL}")
    return tuple(source for name, source in chosen.items() if name in names or ALL in names)


def _why_not(name: str) -> str:
    """Why there is no source ``name``: nobody knows it, or a setting that it takes is missing."""
    needs = next((row.hint for row in known_sources() if row.name == name), "")
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


def page_reading(gateway: Gateway) -> ReadPage | None:
    """Reads full pages where a remote source is configured; else nothing is fetched from anywhere."""
    machine = gateway.machine
    if set(wanted_sources(machine, gateway.secrets)) <= LOCAL:
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
