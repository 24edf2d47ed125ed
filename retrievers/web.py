"""The web: Tavily where there is a key, else a SearXNG server, else DuckDuckGo.

    Tavily       POST /search through tavily-python        https://docs.tavily.com/documentation/api-reference/endpoint/search
    SearXNG      GET /search?format=json                   https://docs.searxng.org/dev/search_api.html
    DuckDuckGo   GET html.duckduckgo.com/html/, its page for browsers without JavaScript: there is no search API

The page of DuckDuckGo is read as it is, under our own name. Libraries that imitate browsers and change their identity
to get past its limits do more, and break as often; a page that refuses is a limit here, never "nothing found".
"""

import asyncio
import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, ClassVar
from urllib.parse import parse_qs, urlsplit

import httpx
from pydantic import SecretStr

from calibrant.retrievers.excerpt import MAX_CHARS, Kind, Piece, dicts, one_line, pieces_of
from calibrant.retrievers.findings import Result, evidence_of, hosts_in, moment, web_address, words
from calibrant.retrievers.http import Http, account_of
from calibrant.retrievers.http_answers import UNTOLD_S, BadStatus
from calibrant.retrievers.limits import LONGEST_PAUSE_S
from calibrant.state.errors import SourceError
from calibrant.state.evidence import Evidence, SearchQuery
from calibrant.state.protocols import Source

TAVILY = "https://api.tavily.com"
DUCKDUCKGO = "https://html.duckduckgo.com"
_TAVILY_QUERY, _DUCKDUCKGO_QUERY = 400, 499
"""Longer queries are refused."""
_TAVILY_RESULTS = 20
_TAVILY_DOMAINS = 300
_SITES, _AVOIDED = 4, 5
"""More operators than these make engines give up; what they let through is sorted out afterwards."""
_UNAUTHORISED, _FORBIDDEN = 401, 403
_SEARXNG_WANTS = {"Accept": "application/json, text/html", "Accept-Language": "en"}
"""Without these its limiter takes a request for a bot's."""
_PASSED_ON = ("Authorization", "X-Client-Source")
_JOINT = re.compile(r"\s*\[\.\.\.\]\s*")
"""Between the excerpts of a page that Tavily gives as its content."""
_SAYS = re.compile(r"[.?!:;…](?:\s|$)|\b(?:19|20)\d\d\b")
_PATH = re.compile(r"\S (?:/|›|»|>) \S|^skip to\b", re.IGNORECASE)
_FEW = 4
"""Words up to which a line that ends no sentence is a label."""
_TAVILY_SPENT = frozenset({432, 433})
"""The limit of the key or of its plan, and that of paying as one goes."""


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
    hint: ClassVar[str] = "TAVILY_API_KEY: passages instead of snippets, and steadier than a keyless search."

    def __init__(self, http: Http, key: SecretStr, base_url: str = TAVILY) -> None:
        """The requests are tavily-python's; ``http`` sends them, with its limits, retries and bounds."""
        self._http = http
        self._key = key
        self._account = account_of("tavily", key)
        self._base_url = base_url.rstrip("/")
        self._client: Any = None

    async def search(self, query: SearchQuery) -> list[Evidence]:
        """At most 20 results, the most that one request gives."""
        answer = await self._asked(query)
        found = answer.get("results") if isinstance(answer, dict) else None
        if not isinstance(found, list):
            raise SourceError("Tavily's answer has no results in it")
        return await evidence_of(self.name, query, list(dicts(found)), _tavily_result)

    async def _asked(self, query: SearchQuery) -> Any:
        await self._http.check(self._account)
        if self._client is None:
            self._client = await asyncio.to_thread(_tavily_client, self._http, self._key, self._base_url)
        hosts = hosts_in(query.filters)[:_TAVILY_DOMAINS]
        try:
            return await self._client.search(
                query.text[:_TAVILY_QUERY],
                max_results=min(query.limit, _TAVILY_RESULTS),
                include_domains=list(hosts) or None,
            )
        except BadStatus as error:
            if error.status == _UNAUTHORISED:
                raise SourceError("Tavily refused the key: see TAVILY_API_KEY") from None
            if error.status in _TAVILY_SPENT:
                why = "Tavily refused: the limit of the key's plan is reached"
                raise await self._http.limited(self._account, why, LONGEST_PAUSE_S) from None
            raise
        except ValueError:
            raise SourceError("Tavily sent malformed JSON") from None
        except AttributeError:  # its client takes the answer for an object without looking
            raise SourceError("Tavily's answer has no results in it") from None


class _Sender(httpx.AsyncBaseTransport):
    """Sends the requests of Tavily's library through our client. What goes wrong is raised as ours."""

    def __init__(self, http: Http) -> None:
        self._http = http

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        body = json.loads(await request.aread())
        headers = {name: request.headers[name] for name in _PASSED_ON if name in request.headers}
        answer = await self._http.answer("tavily", str(request.url), method=request.method, headers=headers, json=body)
        return httpx.Response(answer.status, content=answer.body, request=request)


def _tavily_client(http: Http, key: SecretStr, base_url: str) -> Any:
    """Blocking: the import takes a moment."""
    from tavily import AsyncTavilyClient  # type: ignore[import-untyped]

    client = httpx.AsyncClient(transport=_Sender(http), base_url=base_url, trust_env=False)
    return AsyncTavilyClient(api_key=key.get_secret_value(), api_base_url=base_url, client=client)


class SearXNG:
    """A SearXNG server, which asks many engines. Its ``search.formats`` must list ``json`` (else it answers 403).

    Its limiter refuses what asks for JSON alone or in no language (429), and gives an address JSON four times an hour:
    https://docs.searxng.org/admin/searx.limiter.html.
    """

    name = "web"
    remote = True
    hint: ClassVar[str] = (
        "searxng_url: your own metasearch server, without a key. Its settings must list json under search.formats; "
        "its limiter must be off, or let this machine's address pass (pass_ip in limiter.toml)."
    )

    def __init__(self, http: Http, base_url: str) -> None:
        self._http = http
        self._base_url = base_url.rstrip("/")

    async def search(self, query: SearchQuery) -> list[Evidence]:
        """The first page. ``SourceError`` when it is empty because none of the engines answered."""
        params = {"q": narrowed(query), "format": "json", "pageno": 1}
        try:
            answer = await self._http.json("searxng", f"{self._base_url}/search", params=params, headers=_SEARXNG_WANTS)
        except BadStatus as error:
            if error.status == _FORBIDDEN:
                raise SourceError("SearXNG refused (403): its settings must list json under search.formats") from None
            raise
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
    hint: ClassVar[str] = "TAVILY_API_KEY or searxng_url: without them web search is DuckDuckGo's page, soon limited."

    def __init__(self, http: Http, base_url: str = DUCKDUCKGO) -> None:
        self._http = http
        self._base_url = base_url.rstrip("/")

    async def search(self, query: SearchQuery) -> list[Evidence]:
        """The first page of results. ``SourceLimited`` for its puzzle page, which comes with status 202."""
        params = {"q": narrowed(query)[:_DUCKDUCKGO_QUERY], "kl": "wt-wt"}
        answer = await self._http.answer("duckduckgo", f"{self._base_url}/html/", params=params)
        if answer.status == 202 or "anomaly-modal" in answer.text or 'id="challenge-form"' in answer.text:
            why = "DuckDuckGo wants to see a person: too many requests from here"
            raise await self._http.limited("duckduckgo", why, UNTOLD_S)
        found = await asyncio.to_thread(_duckduckgo_rows, answer.text)
        return await evidence_of(self.name, query, found, _duckduckgo_result)


def narrowed(query: SearchQuery) -> str:
    """The query as engines for people take it: sites to search and words to avoid stand in it."""
    sites = " OR ".join(f"site:{host}" for host in hosts_in(query.filters)[:_SITES])
    avoided = [f"-{word}" for word in query.negative[:_AVOIDED] if word.isalnum()]
    return " ".join([query.text, *([sites] if sites else []), *avoided])


def _tavily_result(item: dict[str, Any]) -> Result:
    """``raw_content`` (the whole page) comes only when asked for; ``published_date`` only for news."""
    excerpts = _JOINT.split(words(item.get("content")))
    text = "\n\n".join(_closed(excerpt) for excerpt in excerpts if excerpt.strip())
    found = _result(item, text, "markdown", item.get("published_date"))
    return replace(found, pieces=_without_navigation(found.pieces))


def _closed(excerpt: str) -> str:
    """An excerpt of a page, its code closed where it is cut off in it: else all that follows would be code."""
    fences = sum(line.lstrip().startswith("```") for line in excerpt.splitlines())
    return f"{excerpt}\n```" if fences % 2 else excerpt


def _without_navigation(pieces: Sequence[Piece]) -> Sequence[Piece]:
    """``pieces`` without a first one that only has what stands on every page of a site: "Home / Guides"."""
    first, *others = pieces
    is_empty = not first.place.heading and all(map(_is_navigation, first.text.splitlines()))
    return others if others and is_empty else pieces


def _is_navigation(line: str) -> bool:
    """Whether a line says nothing: it ends no sentence, is no date, and is a path through a site or very short."""
    if _SAYS.search(line):
        return False
    return _PATH.search(line) is not None or len(line.split()) <= _FEW


def _searxng_result(item: dict[str, Any]) -> Result:
    return _result(item, one_line(words(item.get("content"))), "text", item.get("publishedDate"))


def _result(item: dict[str, Any], text: str, kind: Kind, published: Any) -> Result:
    """A result without text still has a title; one without an address is none."""
    title, url = one_line(words(item.get("title"))), web_address(item["url"])
    pieces = pieces_of(text if text.strip() else title or url, kind)
    return Result(title or url, url, pieces, one_line(words(item.get("author"))), moment(published))


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
