"""Wikipedia, by the MediaWiki action API, which any MediaWiki with the TextExtracts extension has.

    list of pages with their leads    action=query, generator=search, prop=extracts|info|revisions, exintro
    the whole text of the best ones   action=query, prop=extracts (one page a request: the API gives no more)

https://www.mediawiki.org/wiki/API:Search and https://www.mediawiki.org/wiki/Extension:TextExtracts. No key. Clients
that do not say whom to contact may be turned away: see ``user_agent``.
"""

import asyncio
from functools import partial
from typing import Any, ClassVar

from calibrant.retrievers.excerpt import dicts, pieces_of
from calibrant.retrievers.findings import Result, evidence_of, moment, tried, web_address, without, words
from calibrant.retrievers.http import Http, user_agent
from calibrant.retrievers.http_answers import UNTOLD_S
from calibrant.retrievers.keywords import with_fewer_words
from calibrant.state.errors import SourceError
from calibrant.state.evidence import Evidence, SearchQuery

WORDS = (4, 2)
"""A search matches articles that have all its words: first with so many of the query's, then with fewer, or with the
names that it has."""
NAMES = 3
READ_WHOLE = 2
"""So many of the pages found are read beyond their lead."""
_MOST = 20
"""Leads in one request, at most."""
_HEADINGS = ("==", "===", "====", "=====")
_QUERY = 300
"""Characters; longer searches are refused."""


class Wikipedia:
    """Encyclopedia articles: their leads, and the sections that fit of the best ones."""

    name = "wikipedia"
    remote = True
    hint: ClassVar[str] = ""

    def __init__(self, http: Http, language: str = "en", base_url: str = "", contact: str = "") -> None:
        """``base_url`` is where ``/w/api.php`` stands; empty: Wikipedia in ``language``. ``contact``: whom Wikimedia
        may write to, told with each request."""
        self._http = http
        self._headers = {"User-Agent": user_agent(contact)}
        self._url = f"{(base_url or f'https://{language}.wikipedia.org').rstrip('/')}/w/api.php"

    async def search(self, query: SearchQuery) -> list[Evidence]:
        """The passages of the articles found, in the order of Wikipedia's own search. Where a whole article cannot be
        had its lead stands for it, which is told."""
        pages = await self._pages(query)
        pages.sort(key=lambda page: page["index"] if isinstance(page.get("index"), int) else len(pages))
        wholes = await asyncio.gather(*(tried(partial(self._whole, page)) for page in pages[:READ_WHOLE]))
        for page, whole in zip(pages, wholes, strict=False):
            page["extract"] = words(whole) or page.get("extract")
        return without(self.name, "whole articles", await evidence_of(self.name, query, pages, _result), wholes)

    async def _pages(self, query: SearchQuery) -> list[dict[str, Any]]:
        barred = [f"-{word}" for word in query.negative if " " not in word]
        most = min(query.limit, _MOST)
        return await with_fewer_words(
            query.text, WORDS, lambda wanted: self._matching(" ".join([*wanted, *barred])[:_QUERY], most), NAMES
        )

    async def _matching(self, asked: str, most: int) -> list[dict[str, Any]]:
        return await self._ask(
            generator="search", gsrsearch=asked, gsrlimit=most, gsrnamespace=0,
            prop="extracts|info|revisions", exintro=1, explaintext=1, exlimit="max", inprop="url", rvprop="timestamp",
        )  # fmt: skip

    async def _whole(self, page: dict[str, Any]) -> str:
        """A page's text with its headings in wiki marks."""
        pages = await self._ask(prop="extracts", explaintext=1, exsectionformat="wiki", pageids=page.get("pageid", 0))
        return words(pages[0].get("extract")) if pages else ""

    async def _ask(self, **params: Any) -> list[dict[str, Any]]:
        """The pages of a query's answer; none where there is no ``query`` in it, which is how nothing found looks."""
        options = {"action": "query", "format": "json", "formatversion": 2, **params}
        answer = await self._http.json("wikipedia", self._url, params=options, headers=self._headers)
        if not isinstance(answer, dict):
            raise SourceError("Wikipedia's answer is not in the form that was expected")
        if isinstance(error := answer.get("error"), dict):
            if words(error.get("code")) in ("ratelimited", "maxlag"):
                raise await self._http.limited("wikipedia", "Wikipedia is limiting requests", UNTOLD_S)
            raise SourceError(f"Wikipedia refused the search ({words(error.get('code'))[:40]})")
        held = answer.get("query")
        return list(dicts(held.get("pages"))) if isinstance(held, dict) else []


def _result(page: dict[str, Any]) -> Result:
    url = web_address(page.get("canonicalurl") or page["fullurl"])
    edited = next((moment(revision.get("timestamp")) for revision in dicts(page.get("revisions"))), None)
    return Result(
        page["title"], url, pieces_of(_markdown(words(page.get("extract"))), "markdown"), "Wikipedia editors", edited
    )


def _markdown(text: str) -> str:
    """Wiki headings (``== History ==``) as Markdown's. A heading is the only line that starts so in an extract."""
    lines = text.split("\n")
    for place, line in enumerate(lines):
        mark = line.split(" ", 1)[0]
        if mark in _HEADINGS and line.rstrip().endswith(mark):
            lines[place] = f"{'#' * len(mark)} {line.strip().strip('=').strip()}"
    return "\n".join(lines)
