"""The remote sources by name, from keys and addresses; and what each of them is, for ``calibrant doctor``.

``base_urls`` puts another endpoint in a service's place (self-hosted, a proxy, a test's).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pydantic import SecretStr

from calibrant.retrievers.arxiv import ARXIV, Arxiv
from calibrant.retrievers.docs import Docs
from calibrant.retrievers.github import GITHUB, GitHub
from calibrant.retrievers.http import Http
from calibrant.retrievers.langchain import LangChainSource
from calibrant.retrievers.mcp import MCPSource
from calibrant.retrievers.mcp_entry import connection_of
from calibrant.retrievers.stackoverflow import STACK_EXCHANGE, StackOverflow
from calibrant.retrievers.web import DuckDuckGo, SearXNG, Tavily, web_source
from calibrant.retrievers.wikipedia import Wikipedia
from calibrant.retrievers.youtube import DATA_API, YOUTUBE, YouTube
from calibrant.state.protocols import Source

SERVICES = (
    "tavily", "searxng", "duckduckgo", "github", "github-code", "github-content", "stackexchange",
    "stackexchange-answers", "arxiv", "youtube", "youtube-transcripts", "wikipedia",
)  # fmt: skip
"""What requests are counted by: a source may ask several services, each with limits of its own."""

REPLACEABLE = ("tavily", "duckduckgo", "github", "stackoverflow", "arxiv", "youtube", "youtube_data", "wikipedia")
"""What ``base_urls`` may name."""

BY_HOST = ("docs:", "page:")
"""How the services begin that are named after a host: documentation sites, and pages read whole."""


@dataclass(frozen=True)
class Described:
    """One source as ``doctor`` shows it. ``hint``: what a key or an address adds; empty when nothing would."""

    name: str
    summary: str
    hint: str


def catalogue(
    http: Http,
    *,
    tavily_key: SecretStr | None = None,
    searxng_url: str = "",
    github_token: SecretStr | None = None,
    youtube_key: SecretStr | None = None,
    stackexchange_key: SecretStr | None = None,
    docs_domains: Sequence[str] = (),
    wikipedia_language: str = "en",
    contact: str = "",
    langchain: Mapping[str, str] | None = None,
    mcp: Mapping[str, Mapping[str, Any]] | None = None,
    base_urls: Mapping[str, str] | None = None,
    may_ask_web: bool = True,
) -> dict[str, Source]:
    """Every remote source that the arguments allow. None is asked anything yet.

    ``may_ask_web``: whether the documentation sites that publish no index are searched through the web search.

    ``contact``: whom Wikimedia and arXiv may write to. ``langchain``: import paths by name. ``mcp``: connections by
    name, each with ``tool`` and ``arguments`` if needed.
    """
    urls = base_urls or {}
    web = web_source(http, tavily_key=tavily_key, searxng_url=searxng_url, base_urls=urls)
    youtube = YouTube(
        http, youtube_key, base_url=urls.get("youtube", YOUTUBE), data_url=urls.get("youtube_data", DATA_API)
    )
    sources: list[Source] = [
        web,
        GitHub(http, github_token, urls.get("github", GITHUB)),
        StackOverflow(http, stackexchange_key, base_url=urls.get("stackoverflow", STACK_EXCHANGE)),
        *([Docs(http, docs_domains, web if may_ask_web else None)] if docs_domains else []),
        Arxiv(http, urls.get("arxiv", ARXIV), contact),
        youtube,
        Wikipedia(http, wikipedia_language, urls.get("wikipedia", ""), contact),
        *(LangChainSource.load(path, name) for name, path in (langchain or {}).items()),
        *(_mcp(name, given) for name, given in (mcp or {}).items()),
    ]
    return {source.name: source for source in sources}


def known_sources() -> tuple[Described, ...]:
    """A row for every kind of source there is."""
    kinds = (Tavily, SearXNG, DuckDuckGo, GitHub, StackOverflow, Docs, Arxiv, YouTube, Wikipedia)
    return tuple(Described(kind.name, _summary(kind), kind.hint) for kind in kinds)


def _summary(kind: type) -> str:
    """The first sentence of what the class says about itself, as plain text."""
    text = " ".join((kind.__doc__ or "").replace("``", "").split())
    return text.split(". ")[0].rstrip(".")


def _mcp(name: str, given: Mapping[str, Any]) -> MCPSource:
    return MCPSource(connection_of(given), name, given.get("tool", ""), given.get("arguments"))
