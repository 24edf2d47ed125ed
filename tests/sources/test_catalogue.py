"""The sources by name, and what doctor says of them."""

import sys
from typing import Any

import pytest
from pydantic import SecretStr

from calibrant.retrievers.catalogue import catalogue, known_sources
from calibrant.retrievers.http import Http
from calibrant.retrievers.mcp import MCPSource
from calibrant.retrievers.web import DuckDuckGo, SearXNG, Tavily
from calibrant.state.evidence import SearchQuery
from calibrant.state.protocols import Source
from tests.remote.server import Reply, Server
from tests.sources import payloads

KEYS: dict[str, Any] = {
    name: SecretStr(f"{name}-secret") for name in ("tavily_key", "github_token", "youtube_key", "stackexchange_key")
}


def test_without_anything_every_keyless_source_is_there() -> None:
    sources = catalogue(Http())
    assert list(sources) == ["web", "github", "stackoverflow", "arxiv", "youtube", "wikipedia"]
    assert isinstance(sources["web"], DuckDuckGo)
    assert all(isinstance(source, Source) and source.remote for source in sources.values())


def test_what_is_configured_is_added() -> None:
    sources = catalogue(
        Http(),
        **KEYS,
        docs_domains=("docs.python.org/3",),
        langchain={"shelf": "tests.sources.retrievers_for_tests:retriever"},
        mcp={"library": {"transport": "stdio", "command": sys.executable, "args": [], "tool": "search_books"}},
    )
    assert isinstance(sources["web"], Tavily)
    assert isinstance(sources["library"], MCPSource)
    assert {"docs", "shelf"} < set(sources)
    assert isinstance(catalogue(Http(), searxng_url="http://localhost:1")["web"], SearXNG)
    assert "secret" not in repr([vars(source) for source in sources.values()])


def test_doctor_learns_what_a_key_adds() -> None:
    every = known_sources()
    assert [row.name for row in every].count("web") == 3
    rows = {row.name: row for row in every}
    assert "TAVILY_API_KEY" in rows["web"].hint
    assert "GITHUB_TOKEN" in rows["github"].hint
    assert rows["arxiv"].hint == ""
    assert rows["wikipedia"].summary.startswith("Encyclopedia articles")
    assert not [row for row in every if "`" in row.summary]


@pytest.mark.parametrize(
    ("name", "path", "reply"),
    [
        ("web", "/html/", Reply.of_html(payloads.DUCKDUCKGO_NONE)),
        ("github", "/search/repositories", Reply.of_json({"items": []})),
        ("stackoverflow", "/search/advanced", Reply.of_json({"items": []})),
        ("arxiv", "/api/query", Reply(body=b'<feed xmlns="http://www.w3.org/2005/Atom"/>')),
        ("youtube", "/youtubei/v1/search", Reply.of_json({"contents": {}})),
        ("wikipedia", "/w/api.php", Reply.of_json({"batchcomplete": True})),
    ],
)
async def test_every_service_can_be_replaced_and_is_empty_in_its_own_words(
    server: Server, http: Http, name: str, path: str, reply: Reply
) -> None:
    server.on(path, reply)
    names = ("duckduckgo", "github", "stackoverflow", "arxiv", "youtube", "youtube_data", "wikipedia")
    sources = catalogue(http, base_urls={service: server.url() for service in names})
    assert list(await sources[name].search(SearchQuery(text="semaphore"))) == []
    assert [hit.path for hit in server.hits()] == [path]


@pytest.mark.parametrize("name", ["web", "github", "stackoverflow", "arxiv", "youtube", "wikipedia"])
async def test_a_query_without_words_breaks_nothing(server: Server, http: Http, name: str) -> None:
    for path, reply in {
        "/html/": Reply.of_html(payloads.DUCKDUCKGO),
        "/search/repositories": Reply.of_json(payloads.GITHUB_REPOSITORIES),
        "/search/advanced": Reply.of_json(payloads.QUESTIONS), "/questions/11;12/answers": Reply.of_json({"items": []}),
        "/api/query": Reply(body=payloads.ARXIV.encode()), "/youtubei/v1/search": Reply.of_json(payloads.YOUTUBE_PAGE),
        "/w/api.php": Reply.of_json(payloads.WIKIPEDIA),
    }.items():  # fmt: skip
        server.on(path, reply)
    names = ("duckduckgo", "github", "stackoverflow", "arxiv", "youtube", "youtube_data", "wikipedia")
    source = catalogue(http, base_urls={service: server.url() for service in names})[name]
    for text in ("what is it", "?!", "日本語", "a" * 3000):
        assert len(await source.search(SearchQuery(text=text, limit=1))) <= 1
