"""A whole run over what its services needed. LangGraph's own floor, the same number of empty nodes, stands beside it.

``PEERS`` are the latencies at which a peer was measured (gpt-researcher 0.15.1 took 2.0 times the time in which its
services were at work, three model calls in a row and 7,060 prompt tokens). ``HOSTED`` are nearer to what a hosted model
and a web search take: our own share does not grow with them.
"""

import asyncio
import statistics
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from langgraph.checkpoint.base import BaseCheckpointSaver
from langgraph.graph import END, START, StateGraph
from typing_extensions import TypedDict

from calibrant.evals.bench.agent import Agent, config_of, context_of, opened
from calibrant.evals.bench.manual import complex_question, plain_question
from calibrant.evals.bench.services import Services, Worked, busy_seconds
from calibrant.evals.bench.table import Row, awaited, ms, tell, times
from calibrant.state.context import Context, Switches

PEERS, HOSTED = (0.2, 0.1), (1.0, 0.5)
"""Seconds of a model call and of a search."""
RUNS = 5
FLOOR_RUNS = 3
KINDS: dict[str, Callable[[int], str]] = {"plain question": plain_question, "complex question": complex_question}
DOUBTS = {"": 0.35, ", model asked whenever possible": 0.0}
"""Their doubt: the default, and the setting under which every judgement that is not certain goes to the model."""


@dataclass(frozen=True)
class Ran:
    """One run: its seconds, what the services worked on, and the rest."""

    seconds: float
    processor: float
    """Seconds of processor time: what the run computed, however busy the machine is otherwise."""
    log: list[Worked]
    chain: int
    nodes: int
    floor: float
    """Seconds of as many empty nodes with the same checkpointer."""

    @property
    def busy(self) -> float:
        return busy_seconds(self.log)

    @property
    def own(self) -> float:
        return self.seconds - self.busy


def measure(folder: Path, full: bool) -> Iterator[Row]:
    """Rows for a plain and a complex question; the first run of the process apart, for it loads what all others use."""
    with Services(*PEERS) as services:
        yield _first(folder / "cold", services)
        for label, doubt in DOUBTS.items():
            yield from _kinds(folder, services, label, doubt)
    with Services(*HOSTED) as services:
        label = f", {HOSTED[0]:.1f} s a model call, {HOSTED[1]:.1f} s a search"
        yield from _kinds(folder / "hosted", services, label, DOUBTS[""])


def _first(folder: Path, services: Services) -> Row:
    tell("asking the first question of the process")
    context = context_of(services, doubt=0.0)
    cold = asyncio.run(_runs(folder, services, plain_question, context, 1, warm=False))[0]
    return Row(
        measured="plain question, first of its process",
        figure=ms(cold.seconds),
        against=f"services at work {ms(cold.busy)}",
        limited_by="services at work (their own log)",
        from_limit=times(cold.seconds, cold.busy),
    )


def _kinds(folder: Path, services: Services, label: str, doubt: float) -> Iterator[Row]:
    context = context_of(services, doubt=doubt)
    for kind, question in KINDS.items():
        tell(f"asking a {kind}{label}")
        yield from _rows(f"{kind}{label}", asyncio.run(_runs(folder, services, question, context, RUNS)))


def _rows(kind: str, runs: list[Ran]) -> Iterator[Row]:
    middle = sorted(runs, key=lambda run: run.seconds / run.busy)[len(runs) // 2]
    calls = [work for work in middle.log if work.service == "model"]
    searches = len(middle.log) - len(calls)
    yield Row(
        measured=kind,
        figure=f"{ms(middle.seconds)}; {middle.chain} model calls in a row, {len(calls)} in all, {searches} searches",
        against=f"services at work {ms(middle.busy)}; {sum(call.tokens for call in calls):,} tokens",
        limited_by="services at work (their own log)",
        from_limit=times(middle.seconds, middle.busy),
    )
    own, processor = statistics.median(run.own for run in runs), statistics.median(run.processor for run in runs)
    floor = statistics.median(run.floor for run in runs)
    yield Row(
        measured=f"{kind}: beyond the services",
        figure=ms(own),
        against=f"{ms(processor)} of processor time, {middle.nodes} nodes",
        limited_by=f"LangGraph, {middle.nodes} empty nodes, same checkpointer: {ms(floor)}",
        from_limit=times(own, floor),
    )


async def _runs(
    folder: Path, services: Services, question: Callable[[int], str], context: Context, count: int, *, warm: bool = True
) -> list[Ran]:
    """Runs that know nothing of each other: each over a new folder, so that memory shortens none of them."""
    runs = []
    for number in range(count):
        place = folder / f"{question.__name__}-{context.doubt}-{number}"
        async with opened(place, context, services) as agent:
            runs.append(await _run(agent, services, question, number, warm))
    return runs


async def _run(agent: Agent, services: Services, question: Callable[[int], str], number: int, warm: bool) -> Ran:
    forgetful = replace(agent, context=agent.context.model_copy(update={"switches": Switches(memory=False)}))
    if warm:
        await forgetful.ask(question(number + RUNS), "warming up")
    await asyncio.to_thread(services.log)
    worked = time.process_time()
    seconds = await agent.ask(question(number), "timed")
    processor = time.process_time() - worked
    log = await asyncio.to_thread(services.log)
    chain = (await agent.answered("timed")).spend.sequential_calls
    nodes = await forgetful.nodes_of(question(number), "counted")
    return Ran(seconds, processor, log, chain, nodes, await floor(nodes, agent.checkpointer))


class _Empty(TypedDict, total=False):
    task: str


async def floor(nodes: int, checkpointer: BaseCheckpointSaver[str]) -> float:
    """Seconds that LangGraph takes for as many empty nodes, one after the other: the least of a few runs, since a floor
    is what nothing else on the machine has made slower."""
    graph = StateGraph(_Empty)
    names = [f"node{number}" for number in range(nodes)]
    for name in names:
        graph.add_node(name, _nothing)
    for one, other in zip((START, *names), (*names, END), strict=True):
        graph.add_edge(one, other)
    compiled = graph.compile(checkpointer=checkpointer)
    given = _Empty(task="nothing")
    return min([await awaited(compiled.ainvoke(given, config_of(f"floor-{run}"))) for run in range(FLOOR_RUNS)])


async def _nothing(state: _Empty) -> _Empty:
    return {}
