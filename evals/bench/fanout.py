"""A retrieval over 1, 4 and 8 sources that take equally long: side by side, it takes as long as the slowest of them."""

import asyncio
import statistics
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from calibrant.evals.bench.agent import context_of
from calibrant.evals.bench.manual import found, plain_question
from calibrant.evals.bench.table import Row, awaited, ms, tell, times
from calibrant.graph.build import make_deps
from calibrant.graph.retrieval import information_graph
from calibrant.graph.settings import Machine, Secrets
from calibrant.state.context import Context
from calibrant.state.evidence import Evidence, SearchQuery

SOURCES = (1, 4, 8)
LATENCY_S = 0.2
RUNS = 5


@dataclass
class Slow:
    """A source of known latency. ``taken`` has the seconds of each of its searches."""

    name: str
    remote: bool = True
    taken: list[float] = field(default_factory=list)

    async def search(self, query: SearchQuery) -> Sequence[Evidence]:
        started = time.perf_counter()
        await asyncio.sleep(LATENCY_S)
        hits = [
            Evidence(
                id=f"{self.name}-{title}", text=text, title=title, source=self.name, url=f"https://{title}.example"
            )
            for title, text in found(query.text, query.limit)
        ]
        self.taken.append(time.perf_counter() - started)
        return hits


def measure(folder: Path, full: bool) -> Iterator[Row]:
    """One row for each number of sources."""
    for count in SOURCES:
        tell(f"retrieving from {count}")
        seconds, slowest = asyncio.run(_retrieval(folder, count))
        yield Row(
            measured=f"retrieval over {count} source{'s' if count > 1 else ''}",
            figure=ms(seconds),
            against=f"one after the other: {ms(count * slowest)}",
            limited_by=f"the slowest source: {ms(slowest)}",
            from_limit=times(seconds, slowest),
        )


async def _retrieval(folder: Path, count: int) -> tuple[float, float]:
    """The median seconds of one retrieval at depth 1, and of the slowest search in it."""
    sources = [Slow(f"source{number}") for number in range(count)]
    machine = Machine(data_dir=folder, embeddings="none", allow_download=False)
    context = context_of(None)
    deps = make_deps(sources=sources, context=context, machine=machine, secrets=Secrets())
    graph = information_graph(deps, Context)
    seconds, slowest = [], []
    for number in range(RUNS + 1):
        given = {"query": plain_question(number), "power": "1"}
        seconds.append(await awaited(graph.ainvoke(given, context=context)))
        slowest.append(max(source.taken[-1] for source in sources))
    return statistics.median(seconds[1:]), statistics.median(slowest[1:])  # the first one warms up
