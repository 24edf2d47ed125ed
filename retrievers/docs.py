"""Documentation sites, by the search index that each of them publishes for its own search box.

    MkDocs    <site>/search/search_index.json   {"docs": [{"location", "title", "text"}]}: the text stands in it
    Sphinx    <site>/searchindex.js             Search.setIndex({"docnames", "titles", "terms", "titleterms"}): stems
                                                by page; the pages that fit are then read
    others    "site:<host> <query>" to a web source, where one is given

The formats are those of mkdocs/contrib/search and sphinx/search (JSON since Sphinx 5; older indexes are JavaScript and
count as none). No key, and no engine in between. An index is read once an hour; it is the site's table of contents.
"""

import asyncio
import json
import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, ClassVar
from urllib.parse import urljoin, urlsplit

from calibrant.retrievers.asking import Partial
from calibrant.retrievers.excerpt import Kind, dicts, main_content, one_line, pieces_of, plain
from calibrant.retrievers.findings import Result, evidence_of, in_turn, stems_of, tried, web_address, without, words
from calibrant.retrievers.flight import SingleFlight
from calibrant.retrievers.http import Http
from calibrant.retrievers.http_answers import BadStatus
from calibrant.retrievers.knowledge.terms import MAX_TERMS, terms_of
from calibrant.state.errors import CalibrantError, SourceError, SourceLimited, failure_of
from calibrant.state.evidence import Evidence, SearchQuery
from calibrant.state.protocols import Source

FRESH_S = 3600.0
INDEX_BYTES = 32 * 2**20
"""An index holds the text of a whole site: those of large ones have ten megabytes and more."""
PAGES = 3
"""So many pages of a Sphinx site are read for a search."""
_TITLE = 3
"""A word in a title counts as so many in the text (Sphinx's own search has it so)."""
_SPHINX = "Search.setIndex("
_ABSENT = frozenset({401, 403, 404, 410})


@dataclass(frozen=True)
class Entry:
    """A page, or a section of one, as an index lists it. ``text`` is empty where the page has to be read."""

    title: str
    url: str
    text: str = ""
    kind: Kind = "markdown"


@dataclass(frozen=True)
class Index:
    """What a site has, and which entries each stem stands in."""

    entries: Sequence[Entry]
    places: Mapping[str, Sequence[int]]
    title_places: Mapping[str, Sequence[int]]

    def best(self, query: str, most: int) -> list[Entry]:
        """The entries with most of the query's words that carry meaning, those in titles counting more."""
        scores: Counter[int] = Counter()
        wanted = [term.text for term in terms_of(query)] or query.split()[:MAX_TERMS]
        # The words as they are too: an index in a language that Sphinx does not stem has them so.
        for stem in sorted(stems_of([" ".join(wanted)])[0] | {word.lower() for word in wanted}):
            scores.update(dict.fromkeys(self.places.get(stem, ()), 1))
            scores.update(dict.fromkeys(self.title_places.get(stem, ()), _TITLE))
        ranked = sorted(scores, key=lambda place: (-scores[place], place))
        return [self.entries[place] for place in ranked[:most] if place < len(self.entries)]


@dataclass(frozen=True)
class _Held:
    """The index of a site, or that it publishes none, and when that was seen."""

    index: Index | None
    read_at: float


class Docs:
    """Documentation of the configured sites (``docs.python.org/3``, ``https://fastapi.tiangolo.com``)."""

    name = "docs"
    remote = True
    hint: ClassVar[str] = "CALIBRANT_DOCS_DOMAINS: the documentation sites to search."

    def __init__(
        self, http: Http, sites: Sequence[str], web: Source | None = None, clock: Callable[[], float] = time.monotonic
    ) -> None:
        """``web`` searches the sites that publish no index; without it they cannot be searched."""
        self._http = http
        self._sites = [f"{site if '://' in site else f'https://{site}'}".rstrip("/") + "/" for site in sites]
        self._web = web
        self._clock = clock
        self._indexes: dict[str, _Held] = {}
        self._flights: SingleFlight[_Held] = SingleFlight()

    async def search(self, query: SearchQuery) -> list[Evidence]:
        """The sites in turn, each in its order. ``SourceError`` where none of them could be asked; a site or a page
        that could not be read is told with what the others have."""
        results = await asyncio.gather(*(self._site(site, query) for site in self._sites), return_exceptions=True)
        failed = [error for error in results if isinstance(error, BaseException)]
        other = next((error for error in failed if not isinstance(error, CalibrantError)), None)
        if failed and (other or len(failed) == len(results)):
            raise other or failed[0]
        answered = [items for items in results if not isinstance(items, BaseException)]
        found = [item.replace(rank=rank) for rank, item in enumerate(in_turn(answered)[: query.limit], start=1)]
        lacking = [failure_of(error, self.name) for error in failed]
        lacking += [items.failure for items in answered if isinstance(items, Partial)]
        return Partial(found, lacking[0]) if lacking else found

    async def _site(self, site: str, query: SearchQuery) -> list[Evidence]:
        try:
            index = await self._index(site)
        except SourceError:
            if self._web is None:
                raise
            index = None
        if index is None:
            return await self._by_web(site, query)
        pages: Sequence[object] = ()
        entries = await asyncio.to_thread(index.best, query.text, query.limit)
        if any(not entry.text for entry in entries):
            # An index may not send us to another host: unlike pages of the web, these are fetched wherever they stand.
            wanted = [entry for entry in entries if _host(entry.url) == _host(site)][:PAGES]
            entries, pages = await self._read(wanted)
        return without(self.name, "pages", await evidence_of(self.name, query, entries, _result), pages)

    async def _by_web(self, site: str, query: SearchQuery) -> list[Evidence]:
        """What the web source knows of a site, less what it found elsewhere. ``SourceError`` without one: a site that
        cannot be searched has not been found empty."""
        host = _host(site)
        if self._web is None:
            raise SourceError(f"{host} publishes no index to search, and web search is not configured")
        found = await self._web.search(query.replace(text=f"site:{host} {query.text}"))
        return [item.replace(source=self.name, query=query.text) for item in found if _host(item.url) == host]

    async def _read(self, entries: Sequence[Entry]) -> tuple[list[Entry], Sequence[object]]:
        """The entries with the text of their pages, as far as they could be read; and the pages, some of which may be
        the reason why they could not. ``SourceLimited`` where none could for that reason."""
        pages = await asyncio.gather(*(tried(partial(self._page, entry.url), 0.8) for entry in entries))
        pairs = zip(entries, pages, strict=True)
        read = [Entry(entry.title, *page, "html") for entry, page in pairs if isinstance(page, tuple)]
        if entries and not read:
            limited = next((page for page in pages if isinstance(page, SourceLimited)), None)
            raise limited or SourceError(f"{urlsplit(entries[0].url).hostname} lists pages that cannot be read")
        return read, pages

    async def _page(self, url: str) -> tuple[str, str]:
        """A page's address and source. Sphinx builds ``name.html`` or, by its other builder, ``name/``."""
        provider = f"docs:{_host(url)}"
        try:
            return url, await self._http.text(provider, url)
        except BadStatus as error:
            if error.status not in _ABSENT:
                raise
        other = url.removesuffix("index.html").removesuffix(".html").rstrip("/") + "/"
        return other, await self._http.text(provider, other)

    async def _index(self, site: str) -> Index | None:
        """The index of a site; None where it publishes none that we can read."""
        held = self._indexes.get(site)
        if held is None or self._clock() - held.read_at >= FRESH_S:
            held = self._indexes[site] = await self._flights.run(site, lambda: self._fetched(site))
        return held.index

    async def _fetched(self, site: str) -> _Held:
        for path, read in (("search/search_index.json", _mkdocs), ("searchindex.js", _sphinx)):
            try:
                provider, address = f"docs:{_host(site)}", urljoin(site, path)
                text = await self._http.text(provider, address, max_bytes=INDEX_BYTES)
                index = await asyncio.to_thread(read, text, site)
                if index.entries:  # else it is one of another kind
                    return _Held(index, self._clock())
            except BadStatus as error:
                if error.status not in _ABSENT:
                    raise
            except (AttributeError, KeyError, RecursionError, TypeError, ValueError):
                continue  # a page that says "not found" with status 200, or an index of another kind
        return _Held(None, self._clock())


def _host(url: str) -> str:
    return urlsplit(url).netloc


def _mkdocs(text: str, site: str) -> Index:
    """Every section is an entry; ``text`` is plain, or HTML with the Material theme."""
    entries = [
        Entry(one_line(words(item.get("title"))), urljoin(site, item["location"]), plain(item["text"]))
        for item in dicts(json.loads(text)["docs"])
        if words(item.get("text")).strip() and isinstance(item.get("location"), str)
    ]
    return Index(entries, _inverted([entry.text for entry in entries]), _inverted([entry.title for entry in entries]))


def _sphinx(text: str, site: str) -> Index:
    """One entry a page. Terms are stems already; a term of one page has its number instead of a list."""
    body = text.strip().removeprefix(_SPHINX).rstrip(";").removesuffix(")")
    held = json.loads(body)
    entries = [
        Entry(one_line(title or name), urljoin(site, f"{name}.html"))
        for name, title in zip(held["docnames"], held["titles"], strict=True)
    ]
    return Index(entries, _numbers(held["terms"]), _numbers(held["titleterms"]))


def _inverted(texts: Sequence[str]) -> dict[str, Sequence[int]]:
    """The places of each stem."""
    places: dict[str, list[int]] = {}
    for place, stems in enumerate(stems_of(texts)):
        for stem in stems:
            places.setdefault(stem, []).append(place)
    return {**places}


def _numbers(terms: Mapping[str, Any]) -> dict[str, Sequence[int]]:
    return {term: [found] if isinstance(found, int) else found for term, found in terms.items()}


def _result(entry: Entry) -> Result:
    """A section from an index is text; what was read is a page."""
    text = main_content(entry.text) if entry.kind == "html" else entry.text
    return Result(entry.title, web_address(entry.url), pieces_of(text, entry.kind, entry.title))
