"""1, 10 and 100 threads at once in one process: what they get done, how long the slow ones take, what each one holds.

While a thread waits for its services the others work, until the processor is what they wait for. One process computes
in one place at a time: the processor time of a question is the limit.
"""

import asyncio
import resource
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from calibrant.evals.bench.agent import Agent, context_of, opened
from calibrant.evals.bench.manual import plain_question
from calibrant.evals.bench.services import Services
from calibrant.evals.bench.table import Row, ms, percentile, size, tell, times
from calibrant.state.context import Switches

THREADS = (1, 10, 100)
MODEL_S, SEARCH_S = 0.2, 0.1


@dataclass(frozen=True)
class Batch:
    """Threads that ran at the same time: the seconds of each, of all, of the processor; memory before and after."""

    each: list[float]
    seconds: float
    processor: float
    before: int
    after: int


def measure(folder: Path, full: bool) -> Iterator[Row]:
    """One row of time and one of memory for each number of threads; every thread asks a plain question of its own."""
    with Services(MODEL_S, SEARCH_S) as services:
        batches, held = asyncio.run(_batches(folder, services))
    alone = batches[THREADS[0]]
    for count, batch in batches.items():
        most = min(count / alone.seconds, count / batch.processor)
        rate = count / batch.seconds
        yield Row(
            measured=f"{count} thread{'s' if count > 1 else ''} at once",
            figure=f"{rate:.1f} questions/s, p95 {ms(percentile(batch.each, 0.95))}",
            against=f"one alone: {1 / alone.seconds:.1f} questions/s",
            limited_by=f"{most:.1f}/s: services' latency, or {ms(batch.processor / count)} of processor a question",
            from_limit=times(most, rate),
        )
    many = batches[THREADS[-1]]
    grown = (many.after - many.before) / THREADS[-1]
    yield Row(
        measured=f"memory of {THREADS[-1]} threads at once",
        figure=f"{size(grown)} a thread",
        against=f"the process with one: {size(alone.after)}",
        limited_by=f"the last state of a thread, stored once: {size(held)}",
        from_limit=times(grown, held),
    )


async def _batches(folder: Path, services: Services) -> tuple[dict[int, Batch], int]:
    context = context_of(services, switches=Switches(memory=False))  # nobody learns from a neighbour
    async with opened(folder, context, services) as agent:
        await agent.ask(plain_question(0), "warming up")
        found: dict[int, Batch] = {}
        for count in THREADS:
            tell(f"asking in {count} threads")
            found[count] = await _batch(agent, [plain_question(1 + sum(found) + number) for number in range(count)])
        return found, await agent.state_bytes(plain_question(1))


async def _batch(agent: Agent, questions: list[str]) -> Batch:
    """Each question in a thread of its own, all at once. No question comes twice: verdicts on one are remembered."""
    before, started, worked = resident(), time.perf_counter(), time.process_time()
    each = await asyncio.gather(*(agent.ask(question, question) for question in questions))
    seconds, processor = time.perf_counter() - started, time.process_time() - worked
    after = resident()
    for question in questions:
        await agent.answered(question)
    return Batch(list(each), seconds, processor, before, after)


def resident() -> int:
    """The most memory that this process has held so far, in bytes."""
    unit = 1 if sys.platform == "darwin" else 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit
