"""Composing an answer without a model from 5, 20 and 100 results: score, filter, claims, conflicts, composition."""

import asyncio
import statistics
import time
from collections.abc import Iterator
from pathlib import Path

from langgraph.runtime import Runtime

from calibrant.evals.bench.results import ROOM, branch_of, evidence, results, task_of
from calibrant.evals.bench.table import Row, ms, tell, times
from calibrant.graph.build import make_deps
from calibrant.graph.settings import Machine, Secrets
from calibrant.judges.given import ToScore
from calibrant.nodes.deps import Deps
from calibrant.nodes.synthesize import synthesize
from calibrant.state.channels import View
from calibrant.state.context import Context

RESULTS = (5, 20, 100)
LIMIT_S = 0.5
"""What the composition of a typical answer may take (spec 3)."""
RUNS = 5


def measure(folder: Path, full: bool) -> Iterator[Row]:
    """One row for each number of results; the defaults cap the claims."""
    context = Context()
    machine = Machine(data_dir=folder, embeddings="none", allow_download=False)
    deps = make_deps(sources=[], context=context, machine=machine, secrets=Secrets())
    asyncio.run(_run(deps, context, 5, 0))  # what is loaded at the first use
    for count in RESULTS:
        tell(f"composing {count} results")
        runs = [asyncio.run(_run(deps, context, count, 1 + number)) for number in range(RUNS)]
        scoring, composing = (statistics.median(column) for column in zip(*runs, strict=True))
        seconds = scoring + composing
        claimed = min(count * ROOM, context.max_claims)
        yield Row(
            measured=f"synthesis of {count} results, {count * ROOM} statements",
            figure=f"{ms(seconds)}: scores {ms(scoring)}, the rest {ms(composing)}",
            against=f"{ms(seconds / count)} a result; {claimed} claims",
            limited_by=f"{ms(LIMIT_S)}, the most it may take",
            from_limit=f"{times(LIMIT_S, seconds)} below" if seconds < LIMIT_S else f"{times(seconds, LIMIT_S)} above",
        )


async def _run(deps: Deps, context: Context, count: int, number: int) -> tuple[float, float]:
    """Seconds to score the results, and of the node that does all else; on texts that no other run has seen."""
    start = 1_000_000 * number + 1_000 * count
    held, items = results(count, start), evidence(count, start)
    task = task_of(held)
    score = (await deps.panel(context)).score.free
    started = time.perf_counter()
    scored = tuple(
        result.replace(confidence=score(ToScore(result, task, (item,))).value)
        for result, item in zip(held, items, strict=True)
    )
    scoring = time.perf_counter() - started
    state = View(perceived=task, selected=branch_of(held), results=scored, evidence=items)
    started = time.perf_counter()
    update = await synthesize(deps)(state, Runtime(context=context))
    composing = time.perf_counter() - started
    if not update["synthesis"].lines:
        raise RuntimeError("the synthesis was to have lines, and has none")
    return scoring, composing
