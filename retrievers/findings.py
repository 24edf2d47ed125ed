"""A service's results as evidence: made, filtered, scored and numbered in the same way for every remote source.

``relevance`` is the share of the query's words that the passage has (with title and heading), as the knowledge base
counts it, so that it compares over sources. A service's own order counts for a fifth at most: a passage with none of
the words gets 0 however high it was ranked.
"""

import asyncio
import hashlib
import re
from collections.abc import Awaitable, Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from itertools import chain, zip_longest
from typing import Any, TypeVar
from urllib.parse import urldefrag, urlsplit

from calibrant.retrievers.asking import Partial
from calibrant.retrievers.deadline import seconds_left, within
from calibrant.retrievers.excerpt import Piece
from calibrant.retrievers.knowledge.files import matches
from calibrant.retrievers.knowledge.search import Stems
from calibrant.retrievers.knowledge.terms import identifier_parts, terms_of
from calibrant.state.errors import SourceError, SourceTimeout, failure_of
from calibrant.state.evidence import (
    Evidence,
    Filters,
    SearchQuery,
    dated,
    host_of,
    is_ad_hoc,
    path_of,
    storable,
)

PER_RESULT = 2
"""So many passages of one result: its best ones."""
OWN_ORDER = 0.2
"""How much of a passage's relevance its place in the service's own order may take away."""
PATIENCE_S = 4.0
"""What an addition may take where no deadline holds."""

_STEMS = Stems()
_UNSPACED = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")
"""Scripts without spaces between words, or with long agglutinations: compared by pairs of characters."""
_MALFORMED = (AttributeError, IndexError, KeyError, OverflowError, TypeError, ValueError)
_HOST = re.compile(r"[a-z0-9-]+(\.[a-z0-9-]+)+", re.IGNORECASE)
T = TypeVar("T")


@dataclass(frozen=True)
class Result:
    """One result of a service, with its text in pieces."""

    title: str
    url: str
    pieces: Sequence[Piece]
    author: str = ""
    published: datetime | None = None


async def evidence_of(
    source: str, query: SearchQuery, items: Sequence[T], make: Callable[[T], Result | None]
) -> list[Evidence]:
    """``items``, best first, as evidence. ``make`` reads one; it gives None or raises for one that cannot be used.

    ``SourceError`` where there are items and none could be read: then the service speaks another language than we
    expect, and that is not the same as having nothing. Parsing and stemming happen in a thread.
    """
    return await asyncio.to_thread(_evidence, source, query, items, make)


async def tried(work: Callable[[], Awaitable[T]], share: float = 0.5) -> T | SourceError:
    """What ``work`` gives in its share of the time that is left, else why it gave nothing: what is held already stays.
    What it would have to wait longer for, such as a rate limit, is then said at once. ``work`` is a function, so that
    nothing is left unawaited where it is cancelled before it begins."""
    seconds = max(seconds_left(PATIENCE_S), 0.0) * share
    try:
        with within(seconds):
            async with asyncio.timeout(seconds):
                return await work()
    except SourceError as error:
        return error
    except TimeoutError:
        return SourceTimeout("it did not answer in time")


def without(source: str, what: str, found: list[Evidence], given: Iterable[object]) -> list[Evidence]:
    """``found``, with the reason where one of the additions ``given`` (``what`` in plain words) could not be had: an
    answer without them is not kept for the next one."""
    error = next((one for one in given if isinstance(one, SourceError)), None)
    if error is None:
        return found
    failure = failure_of(error, source)
    return Partial(found, failure.replace(message=f"{what} could not be read ({failure.message})"))


def in_turn(lists: Iterable[Iterable[T]]) -> list[T]:
    """The items of several lists: the first of each, then the second ones, and so on."""
    return [item for item in chain.from_iterable(zip_longest(*lists)) if item is not None]


def moment(value: Any) -> datetime | None:
    """A date as services write it (ISO 8601, a year, seconds since 1970, RFC 2822), with its zone; None if it is
    none."""
    value = dated(value)
    try:
        if isinstance(value, int | float) and not isinstance(value, bool):
            return datetime.fromtimestamp(value, UTC)
        text = str(value or "").strip()
        found = parsedate_to_datetime(text) if "," in text[:5] else datetime.fromisoformat(text)
    except (ValueError, OverflowError, OSError, TypeError):
        return None
    return found if found.tzinfo else found.replace(tzinfo=UTC)


def fits_filters(filters: Filters, url: str, published: datetime | None) -> bool:
    """Whether a result is one of those that were asked for. One without a date may be new enough."""
    if filters.since and published and published < filters.since:
        return False
    places = (url, path_of(url) or url)
    return not filters.paths or any(
        _is_on(url, path) or any(matches(at, path) for at in places) for path in filters.paths
    )


def is_allowed(filters: Filters, item: Evidence) -> bool:
    """Whether a passage that is held or remembered is one that ``filters`` would let a search find. Collection and
    kind are told of the passages of a knowledge base only, and restrict no others."""
    of_knowledge = not item.collection or (
        (item.collection in filters.collections if filters.collections else not is_ad_hoc(item.collection))
        and (not filters.kinds or item.kind in filters.kinds)
    )
    return of_knowledge and fits_filters(filters, item.url, item.published)


def _is_on(url: str, host: str) -> bool:
    """``www.example.org`` and ``docs.example.org`` are on ``example.org``."""
    return f".{host_of(url)}".endswith(f".{host.lower()}")


def hosts_in(filters: Filters) -> tuple[str, ...]:
    """The hosts that a search may be narrowed to. None where other patterns are among them: one match is enough."""
    hosts = tuple(path for path in filters.paths if _HOST.fullmatch(path))
    return hosts if len(hosts) == len(filters.paths) else ()


def words(value: Any) -> str:
    """A field that should be a string; empty where it is missing or something else."""
    return value if isinstance(value, str) else ""


def number(value: Any) -> float | None:
    """A field that should be a number."""
    return float(value) if isinstance(value, int | float) and not isinstance(value, bool) else None


def web_address(value: Any) -> str:
    """An http(s) address without its fragment. ``ValueError`` for anything else, so that the item is passed over."""
    address = urldefrag(words(value).strip()).url
    parts = urlsplit(address)
    if parts.scheme not in ("http", "https") or not parts.netloc:
        raise ValueError("no web address")
    return address


def evidence_id(url: str, text: str) -> str:
    """The same passage of the same page has this id in every run, whichever source found it."""
    return "r" + hashlib.sha256(f"{url}\x00{text}".encode("utf-8", "surrogatepass")).hexdigest()[:24]


def _evidence(
    source: str, query: SearchQuery, items: Sequence[T], make: Callable[[T], Result | None]
) -> list[Evidence]:
    results, broken = [], 0
    for item in items:
        try:
            results.append(make(item))
        except _MALFORMED:
            broken += 1
    if broken and broken == len(items):
        raise SourceError(f"{source}: the answer is not in the form that was expected")
    return _ranked(source, query, [result for result in results if result is not None])


def _ranked(source: str, query: SearchQuery, results: Sequence[Result]) -> list[Evidence]:
    """The best passage of each result in the service's order, then the second ones."""
    fit, held = Fit(query), set(query.exclude)
    columns = [
        list(_passages(source, query, fit, held, place, result)) for place, result in enumerate(results, start=1)
    ]
    rows = [column[row] for row in range(PER_RESULT) for column in columns if row < len(column)]
    once: dict[str, Evidence] = {}
    for item in rows:
        once.setdefault(item.id, item)
    best = list(once.values())[: query.limit]
    return [item.replace(rank=rank) for rank, item in enumerate(best, start=1)]


def _passages(
    source: str, query: SearchQuery, fit: "Fit", held: set[str], place: int, result: Result
) -> Iterator[Evidence]:
    """The best pieces of one result, in order of how much of the query they say themselves."""
    if not fits_filters(query.filters, result.url, result.published):
        return
    for relevance, piece in fit.best(result, PER_RESULT, held):
        yield Evidence(
            id=evidence_id(result.url, piece.text), text=piece.text, title=result.title, source=source, url=result.url,
            locator=piece.place, author=result.author, published=result.published,
            relevance=relevance * (1 - OWN_ORDER + OWN_ORDER / place), query=query.text,
        )  # fmt: skip


class Fit:
    """How well passages fit a query, in words: stems as the knowledge base's index makes them."""

    def __init__(self, query: SearchQuery) -> None:
        self._asked = stems_of([" ".join(" ".join(term.plain) for term in terms_of(query.text))])[0]
        self._barred = [stems for stems in stems_of(list(query.negative)) if stems]

    def shares(self, texts: Sequence[str]) -> list[float]:
        """The share of the query's words in each text. One of stop words asks for nothing: a half for every text."""
        return [self._share(said) for said in stems_of(texts)]

    def best(self, result: Result, most: int, held: set[str]) -> list[tuple[float, Piece]]:
        """The pieces to keep of a result, each with the share for title, heading and text together."""
        pieces = [piece for piece in result.pieces if piece.text.strip() and self._allowed(result, piece, held)]
        above, *said = stems_of([result.title, *(f"{piece.place.heading} {piece.text}" for piece in pieces)])
        own = [self._share(stems) for stems in said]
        ranked = sorted(range(len(pieces)), key=lambda place: -own[place])[:most]
        # A second passage has to say something itself; the first stands for the result, which the service chose.
        chosen = [place for count, place in enumerate(ranked) if not count or own[place]]
        return [(self._share(above | said[place]), pieces[place]) for place in chosen]

    def _share(self, said: set[str]) -> float:
        return len(self._asked & said) / len(self._asked) if self._asked else 0.5

    def _allowed(self, result: Result, piece: Piece, held: set[str]) -> bool:
        if evidence_id(result.url, piece.text) in held:
            return False
        if not self._barred:
            return True
        said = stems_of([f"{result.title} {piece.text}"])[0]
        return not any(barred <= said for barred in self._barred)


def stems_of(texts: Sequence[str]) -> list[set[str]]:
    """The stems of each text, the parts of identifiers among them."""
    found = _STEMS.of([f"{text} {identifier_parts((text,))}" for text in map(storable, texts)])
    return [{part for stem in stems for part in _pairs(stem)} for stems in found]


def _pairs(stem: str) -> Iterator[str]:
    if not _UNSPACED.search(stem) or len(stem) < 2:
        yield stem
    else:
        yield from (stem[place : place + 2] for place in range(len(stem) - 1))
