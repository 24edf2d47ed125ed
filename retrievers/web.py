"""The web: Tavily where there is a key, else a SearXNG server, else DuckDuckGo.

    Tavily       POST /search through tavily-python        https://docs.tavily.com/documentation/api-reference/endpoint/search
    SearXNG      GET /search?format=json                   https://docs.searxng.org/dev/search_api.html
    DuckDuckGo   GET html.duckduckgo.com/html/, its page for browsers without JavaScript: there is no search API

The page of DuckDuckGo is read as it is, under our own name. Libraries that imitate browsers and change their identity
to get past its limits do more, and break as often; a page that refuses is a limit here, never "nothing found".
"""

import asyncio
from collections.abc import Mapping
from typing import Any, ClassVar
from urllib.parse import parse_qs, urlsplit

import httpx
from pydantic import SecretStr

from calibrant.retrievers.deadline import seconds_left
from calibrant.retrievers.excerpt import MAX_CHARS, Kind, dicts, one_line, pieces_of
from calibrant.retrievers.findings import Result, evidence_of, moment, number, web_address, words
from calibrant.retrievers.http import BadStatus, Http
from calibrant.state.errors import SourceError, SourceLimited, SourceTimeout
from calibrant.state.evidence import Evidence, SearchQuery
from calibrant.state.protocols import Source

TAVILY = "https://api.tavily.com"
DUCKDUCKGO = "https://html.duckduckgo.com"
TIMEOUT_S = 10.0
_TAVILY_QUERY, _DUCKDUCKGO_QUERY = 400, 499
"""Longer queries are refused."""
_TAVILY_RESULTS = 20


def web_source(
    http: Http,
    *,
    tavily_key: SecretStr | None = None,
    searxng_url: str = "",
    base_urls: Mapping[str, str] | None = None,
) -> Source:
    """The best web search that the configuration allows."""
    urls = base_urls or {}
    if tavily_key is not None and tavily_key.get_secret_value():
        return Tavily(http, tavily_key, urls.get("tavily", TAVILY))
    if searxng_url:
        return SearXNG(http, searxng_url)
    return DuckDuckGo(http, urls.get("duckduckgo", DUCKDUCKGO))


class Tavily:
    """Web search made for agents: the content of a page that fits the query, with a score."""

    name = "web"
    remote = True
    keyless: ClassVar[bool] = False
    hint: ClassVar[str] = "TAVILY_API_KEY: passages instead of snippets, and steadier than a keyless search."

    def __init__(self, http: Http, key: SecretStr, base_url: str = TAVILY) -> None:
        """``http`` for its rate limits: the requests are tavily-python's own."""
        self._http = http
        self._key = key
        self._base_url = base_url.rstrip("/")

    async def search(self, query: SearchQuery) -> list[Evidence]:
        """At most 20 results, the most that one request gives."""
        async with self._http.limits.slot("tavily", seconds_left(TIMEOUT_S)):
            answer = await self._asked(query)
        found = answer.get("results") if isinstance(answer, dict) else None
        if not isinstance(found, list):
            raise SourceError("Tavily's answer has no results in it")
        return await evidence_of(self.name, query, list(dicts(found)), _tavily_result)

    async def _asked(self, query: SearchQuery) -> Any:
        client = await asyncio.to_thread(_tavily_client, self._key.get_secret_value(), self._base_url)
        try:
            return await client.search(
                query.text[:_TAVILY_QUERY],
                max_results=min(query.limit, _TAVILY_RESULTS),
                timeout=max(seconds_left(TIMEOUT_S), 0.1),
            )
        except Exception as error:  # noqa: BLE001 - foreign: its messages may hold the request, so the cause is dropped
            raise _tavily_failure(error) from None
        finally:
            await client.close()


class SearXNG:
    """A SearXNG server, which asks many engines. Its ``search.formats`` must list ``json`` (else it answers 403)."""

    name = "web"
    remote = True
    keyless: ClassVar[bool] = True
    hint: ClassVar[str] = "searxng_url: your own metasearch server, without a key."

    def __init__(self, http: Http, base_url: str) -> None:
        self._http = http
        self._base_url = base_url.rstrip("/")

    async def search(self, query: SearchQuery) -> list[Evidence]:
        """The first page. ``SourceError`` when it is empty because none of the engines answered."""
        params = {"q": query.text, "format": "json", "pageno": 1}
        answer = await self._http.json("searxng", f"{self._base_url}/search", params=params)
        found = answer.get("results") if isinstance(answer, dict) else None
        if not isinstance(found, list):
            raise SourceError("SearXNG's answer has no results in it")
        if not found and answer.get("unresponsive_engines"):
            raise SourceError("none of SearXNG's engines answered")
        return await evidence_of(self.name, query, list(dicts(found)), _searxng_result)


class DuckDuckGo:
    """DuckDuckGo's page for browsers without JavaScript. Meant for people: it stops answering after few requests."""

    name = "web"
    remote = True
    keyless: ClassVar[bool] = True
    hint: ClassVar[str] = "TAVILY_API_KEY or searxng_url: without them web search is DuckDuckGo's page, soon limited."

    def __init__(self, http: Http, base_url: str = DUCKDUCKGO) -> None:
        self._http = http
        self._base_url = base_url.rstrip("/")

    async def search(self, query: SearchQuery) -> list[Evidence]:
        """The first page of results. ``SourceLimited`` for its puzzle page, which comes with status 202."""
        params = {"q": query.text[:_DUCKDUCKGO_QUERY], "kl": "wt-wt"}
        answer = await self._http.answer("duckduckgo", f"{self._base_url}/html/", params=params)
        if answer.status == 202 or "anomaly-modal" in answer.text or 'id="challenge-form"' in answer.text:
            raise SourceLimited("DuckDuckGo wants to see a person: too many requests from here")
        found = await asyncio.to_thread(_duckduckgo_rows, answer.text)
        return await evidence_of(self.name, query, found, _duckduckgo_result)


def _tavily_client(key: str, base_url: str) -> Any:
    """Blocking: the import takes a moment, and so do the certificates."""
    from tavily import AsyncTavilyClient  # type: ignore[import-untyped]

    return AsyncTavilyClient(api_key=key, api_base_url=base_url)


def _tavily_failure(error: Exception) -> SourceError:
    """tavily-python's errors as ours. 403, 432 and 433 are one to it: what the key's plan does not permit."""
    from tavily import errors

    if isinstance(error, errors.UsageLimitExceededError):
        return SourceLimited("Tavily is limiting requests")
    if isinstance(error, errors.InvalidAPIKeyError):
        return SourceError("Tavily refused the key: see TAVILY_API_KEY")
    if isinstance(error, errors.ForbiddenError):
        return SourceError("Tavily refused: the limit of the key's plan is reached")
    if isinstance(error, errors.TimeoutError | httpx.TimeoutException):
        return SourceTimeout("Tavily did not answer in time")
    if isinstance(error, httpx.HTTPStatusError):
        return BadStatus(error.request.url.host, error.response.status_code)
    return SourceError(f"Tavily cannot be used now ({type(error).__name__})")


def _tavily_result(item: dict[str, Any]) -> Result:
    """``raw_content`` (the whole page) comes only when asked for; ``published_date`` only for news."""
    return _result(item, words(item.get("content")), "markdown", item.get("published_date"), item.get("score"))


def _searxng_result(item: dict[str, Any]) -> Result:
    return _result(item, one_line(words(item.get("content"))), "text", item.get("publishedDate"), item.get("score"))


def _result(item: dict[str, Any], text: str, kind: Kind, published: Any, score: Any) -> Result:
    """A result without text still has a title; one without an address is none."""
    title, url = one_line(words(item.get("title"))), web_address(item["url"])
    pieces = pieces_of(text or title or url, kind)
    return Result(title or url, url, pieces, one_line(words(item.get("author"))), moment(published), number(score))


def _duckduckgo_rows(page: str) -> list[tuple[str, str, str]]:
    """Address, title and snippet of each result that is no advertisement."""
    from bs4 import BeautifulSoup

    soup = BeautifulSoup(page[:MAX_CHARS], "lxml")
    rows = []
    for block in soup.select("div.result.web-result:not(.result--ad)"):
        link, snippet = block.select_one("h2 a[href]"), block.select_one(".result__snippet")
        if link is not None:
            text = " ".join(snippet.get_text().split()) if snippet is not None else ""
            rows.append((str(link["href"]), " ".join(link.get_text().split()), text))
    if not rows and soup.select_one(".no-results, .result--no-result") is None:
        raise SourceError("DuckDuckGo sent a page without results that does not say that there are none")
    return rows


def _duckduckgo_result(row: tuple[str, str, str]) -> Result:
    address, title, snippet = row
    return Result(title, web_address(_unwrapped(address)), pieces_of(snippet or title))


def _unwrapped(address: str) -> str:
    """Where a link of the page leads: ``//duckduckgo.com/l/?uddg=https%3A%2F%2F...`` counts the click on its way."""
    parts = urlsplit(address)
    if parts.path == "/l/" and (target := parse_qs(parts.query).get("uddg")):
        return target[0]
    return f"https:{address}" if address.startswith("//") else address
