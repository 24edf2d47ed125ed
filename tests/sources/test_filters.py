"""What a refinement asks of a search is honoured by every source: words to avoid, places to look in, dates.

Words to look for are part of the query's text, and kinds of source are chosen before any of them is asked.
"""

from collections.abc import AsyncIterator
from datetime import UTC, datetime
from typing import Any
from urllib.parse import urlsplit

import pytest
import pytest_asyncio
from pydantic import SecretStr

from calibrant.retrievers.catalogue import catalogue
from calibrant.retrievers.findings import fits_filters, is_allowed
from calibrant.retrievers.http import Http
from calibrant.retrievers.memory import MemorySource
from calibrant.retrievers.web import SearXNG, Tavily
from calibrant.state.evidence import Evidence, Filters, SearchQuery
from calibrant.state.memory import Recollection
from calibrant.state.protocols import Source
from calibrant.state.task import Task
from tests.remote.server import Reply, Server
from tests.sources import payloads

ASKED = {
    "duckduckgo": "asyncio semaphore", "tavily": "asyncio semaphore", "searxng": "asyncio semaphore",
    "github": "in-memory cache for Go", "stackoverflow": "limit concurrency semaphore",
    "docs": "dependency injection", "arxiv": "retrieval", "youtube": "calibration",
    "wikipedia": "semaphore", "shelf": "semaphore", "memory": "semaphore",
}  # fmt: skip
"""A query to which each source has an answer. (An MCP server's results go the same way as a retriever's.)"""


class Held:
    """A memory of one passage."""

    async def recall(self, task: Task, reread: object = None) -> Recollection:
        published = datetime(2020, 1, 1, tzinfo=UTC)
        item = Evidence(id="k", text="A semaphore limits concurrency.", title="Sync", source="web",
                        url="https://www.example.org/sync", published=published)  # fmt: skip
        return Recollection(evidence=(item,))


@pytest_asyncio.fixture
async def sources(server: Server, http: Http) -> AsyncIterator[dict[str, Source]]:
    """Every source there is, over services that answer the same whatever they are asked."""
    for path, reply in {
        "/html/": Reply.of_html(payloads.DUCKDUCKGO), "/tavily/search": Reply.of_json(payloads.TAVILY),
        "/searxng/search": Reply.of_json(payloads.SEARXNG),
        "/search/repositories": Reply.of_json(payloads.GITHUB_REPOSITORIES),
        "/search/advanced": Reply.of_json(payloads.QUESTIONS),
        "/questions/11;12/answers": Reply.of_json({**payloads.ANSWERS, "backoff": None}),
        "/search/search_index.json": Reply.of_json(payloads.MKDOCS), "/api/query": Reply(body=payloads.ARXIV.encode()),
        "/youtubei/v1/search": Reply.of_json(payloads.YOUTUBE_PAGE), "/w/api.php": Reply.of_json(payloads.WIKIPEDIA),
    }.items():  # fmt: skip
        server.on(path, reply)
    services = ("duckduckgo", "github", "stackoverflow", "arxiv", "youtube", "youtube_data", "wikipedia")
    found = catalogue(
        http,
        docs_domains=(server.url(),),
        langchain={"shelf": "tests.sources.retrievers_for_tests:retriever"},
        base_urls=dict.fromkeys(services, server.url()),
    )
    tavily, searxng = Tavily(http, SecretStr("k"), server.url("/tavily")), SearXNG(http, server.url("/searxng"))
    yield {**found, "duckduckgo": found["web"], "tavily": tavily, "searxng": searxng, "memory": MemorySource(Held())}


async def searched(source: Source, name: str, **changes: Any) -> list[Evidence]:
    return list(await source.search(SearchQuery(text=ASKED[name], limit=10).replace(**changes)))


@pytest.mark.parametrize("name", ASKED)
async def test_words_to_avoid(sources: dict[str, Source], name: str) -> None:
    first, *_ = await searched(sources[name], name)
    word = ASKED[name].split()[0].split("-")[-1]
    assert word in f"{first.title} {first.text}".lower()
    assert first.id not in [item.id for item in await searched(sources[name], name, negative=(word,))]
    assert await searched(sources[name], name, negative=("unheard-of",))


@pytest.mark.parametrize("name", ASKED)
async def test_places_to_look_in(sources: dict[str, Source], name: str) -> None:
    first, *_ = await searched(sources[name], name)
    host = (urlsplit(first.url).hostname or "").removeprefix("www.")
    found = await searched(sources[name], name, filters=Filters(paths=("elsewhere.example", host)))
    assert first.id in [item.id for item in found]
    assert {(urlsplit(item.url).hostname or "").removeprefix("www.") for item in found} == {host}
    assert await searched(sources[name], name, filters=Filters(paths=("elsewhere.example",))) == []


DATED = ("tavily", "searxng", "github", "stackoverflow", "arxiv", "wikipedia", "shelf", "memory")


@pytest.mark.parametrize("name", DATED)
async def test_dates_where_the_service_has_them(sources: dict[str, Source], name: str) -> None:
    dated = [item for item in await searched(sources[name], name) if item.published]
    assert dated
    late = Filters(since=datetime(2100, 1, 1, tzinfo=UTC))
    assert [item for item in await searched(sources[name], name, filters=late) if item.published] == []


async def test_engines_are_told_where_to_look_and_what_to_avoid(sources: dict[str, Source], server: Server) -> None:
    """So that the few results that they give are the right ones."""
    filters = Filters(paths=("example.org", "docs.example.com"))
    for name in ("tavily", "searxng", "duckduckgo"):
        await searched(sources[name], name, filters=filters, negative=("garden", "two words"))
    (tavily,), (searxng,), (duckduckgo,) = (server.hits(at) for at in ("/tavily/search", "/searxng/search", "/html/"))
    assert tavily.json["include_domains"] == ["example.org", "docs.example.com"]
    asked = "asyncio semaphore site:example.org OR site:docs.example.com -garden"
    assert searxng.query["q"] == duckduckgo.query["q"] == [asked]


def test_an_address_that_is_none_is_on_no_host() -> None:
    assert not fits_filters(Filters(paths=("example.org",)), "http://[x", None)


async def test_patterns_that_are_no_hosts_are_sorted_out_afterwards(sources: dict[str, Source], server: Server) -> None:
    found = await searched(sources["tavily"], "tavily", filters=Filters(paths=("example.org", "**/library/*")))
    assert {urlsplit(item.url).hostname for item in found} == {"docs.python.org", "example.org"}
    assert "include_domains" not in server.hits("/tavily/search")[0].json


@pytest.mark.parametrize(
    ("collection", "named", "allowed"),
    [
        ("docs", (), True),
        ("docs", ("docs",), True),
        ("docs", ("other",), False),
        ("docs.3fa2c1", (), False),
        ("docs.3fa2c1", ("docs.3fa2c1",), True),
        ("docs-3fa2c1", (), True),
        ("", ("docs",), True),
    ],
)
def test_a_base_made_of_a_path_is_remembered_only_where_it_is_named(
    collection: str, named: tuple[str, ...], allowed: bool
) -> None:
    item = Evidence(id="1", text="x", title="x", url="x.md", source="knowledge", collection=collection)
    assert is_allowed(Filters(collections=named), item) is allowed
