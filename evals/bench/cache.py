"""A search that another run has made within the hour comes from the cache on disk: against asking the service again."""

import asyncio
import statistics
from collections.abc import Iterator
from pathlib import Path

from calibrant.evals.bench.manual import plain_question
from calibrant.evals.bench.services import Services
from calibrant.evals.bench.table import Row, awaited, ms, tell, times
from calibrant.retrievers.cache import Cache
from calibrant.retrievers.guard import Guarded
from calibrant.retrievers.http import Http
from calibrant.retrievers.limits import Limits
from calibrant.retrievers.store import Store
from calibrant.retrievers.web import SearXNG
from calibrant.state.evidence import SearchQuery

LATENCY_S = 0.1
SEARCHES = 20


def measure(folder: Path, full: bool) -> Iterator[Row]:
    """The same searches twice, in new processes' terms: the second time from the file that the first time wrote."""
    tell("searching twice")
    with Services(LATENCY_S, LATENCY_S) as services:
        first, again = (asyncio.run(_searches(services.url, folder / "cache.sqlite3")) for _ in range(2))
    bare = asyncio.run(_transactions(folder / "bare.sqlite3"))
    yield Row(
        measured="search, not in the cache",
        figure=ms(first),
        against=f"service of {ms(LATENCY_S)} over loopback HTTP",
        limited_by="the service",
        from_limit=times(first, LATENCY_S),
    )
    yield Row(
        measured="search, in the cache",
        figure=ms(again),
        against=f"not in the cache: {ms(first)}, {first / again:,.0f} x as long",
        limited_by=f"an empty transaction in its thread: {ms(bare)}",
        from_limit=times(again, bare),
    )


async def _searches(url: str, file: Path) -> float:
    """The median seconds of some searches through the guard that every remote source has."""
    cache = Cache(file)
    web = Guarded(SearXNG(Http(Limits(default=())), url), cache=cache)
    queries = [SearchQuery(text=plain_question(number)) for number in range(SEARCHES)]
    taken = [await awaited(web.search(query)) for query in queries]
    cache.close()
    return statistics.median(taken)


async def _transactions(file: Path) -> float:
    store = Store(file, "CREATE TABLE IF NOT EXISTS bare (at INTEGER);")
    taken = [await awaited(store.run(lambda held: held.execute("SELECT 1").fetchone())) for _ in range(SEARCHES)]
    store.close()
    return statistics.median(taken)
