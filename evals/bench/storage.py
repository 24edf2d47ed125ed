"""What a thread leaves on disk, turn by turn, and going on after an interruption from there."""

import asyncio
import sqlite3
import statistics
import time
from collections.abc import Iterator
from contextlib import closing
from itertools import pairwise
from pathlib import Path

from langgraph.graph import END, START, StateGraph
from langgraph.types import Command, interrupt
from typing_extensions import TypedDict

from calibrant.evals.bench.agent import config_of, context_of, opened
from calibrant.evals.bench.manual import plain_question
from calibrant.evals.bench.services import Services
from calibrant.evals.bench.table import Row, awaited, ms, size, tell, times
from calibrant.graph.persistence import CHECKPOINTS, open_checkpointer
from calibrant.graph.settings import Machine

TURNS = 8
RUNS = 5
UNKNOWN = "Who painted the ceiling of the Sistine Chapel?"
"""Nothing found says anything about it: the run asks a person."""


def measure(folder: Path, full: bool) -> Iterator[Row]:
    """Without a model, so that only the graph's own values are stored."""
    with Services(0.0, 0.0) as services:
        tell(f"asking {TURNS} questions in one thread")
        yield from _growth(*asyncio.run(_turns(folder / "turns", services)))
        tell("going on after an interruption")
        resumed = [asyncio.run(_resumption(folder / f"resumed{number}", services)) for number in range(RUNS)]
    reopened, ended = (statistics.median(column) for column in zip(*resumed, strict=True))
    floors = [asyncio.run(_bare_resumption(folder / f"bare{number}")) for number in range(RUNS)]
    floor = statistics.median(floors)
    yield Row(
        measured="resuming an interrupted run to its end",
        figure=f"{ms(reopened + ended)}, {ms(ended)} of it after opening",
        against="checkpoints, memory and graph opened anew from SQLite",
        limited_by=f"LangGraph, two empty nodes, the same way: {ms(floor)}",
        from_limit=times(reopened + ended, floor),
    )


def _growth(sizes: list[int], held: int) -> Iterator[Row]:
    grown = [after - before for before, after in pairwise(sizes)]
    yield Row(
        measured="checkpoints of one run",
        figure=size(grown[0]),
        against=f"the last of {TURNS} turns: {size(grown[-1])}",
        limited_by="the same in every turn",
        from_limit=times(grown[-1], grown[0]),
    )
    yield Row(
        measured=f"checkpoints of {TURNS} turns on one thread",
        figure=size(sizes[-1]),
        against=f"{TURNS} times the first turn: {size(TURNS * grown[0])}",
        limited_by=f"the thread's last state, stored once: {size(held)}",
        from_limit=times(sizes[-1], held),
    )


async def _turns(folder: Path, services: Services) -> tuple[list[int], int]:
    """The bytes stored after each turn, from none on, and those of the last state."""
    sizes = [0]
    async with opened(folder, context_of(None), services) as agent:
        for turn in range(TURNS):
            await agent.ask(plain_question(turn * 7), "thread")
            sizes.append(await asyncio.to_thread(stored_bytes, folder / CHECKPOINTS))
        return sizes, await agent.state_bytes("thread")


def stored_bytes(file: Path) -> int:
    """The payloads of all checkpoints and writes, without what SQLite adds around them."""
    totals = (
        "SELECT total(length(checkpoint) + length(metadata)) FROM checkpoints",
        "SELECT total(length(value)) FROM writes",
    )
    with closing(sqlite3.connect(file)) as connection:
        return sum(int(connection.execute(total).fetchone()[0]) for total in totals)


async def _resumption(folder: Path, services: Services) -> tuple[float, float]:
    """Seconds to open everything again and read the interrupted thread, and from there to the end of the run."""
    context = context_of(None, interactive=True)
    async with opened(folder, context, services) as agent:
        await agent.ask(UNKNOWN, "thread")
        if (await agent.state("thread")).pending is None:
            raise RuntimeError("the run was to be interrupted, and was not")
    started = time.perf_counter()
    async with opened(folder, context, services) as agent:
        await agent.state("thread")
        reopened = time.perf_counter() - started
        return reopened, await agent.ask(Command(resume={"action": "abort"}), "thread")


class _Empty(TypedDict, total=False):
    said: str


async def _bare_resumption(folder: Path) -> float:
    """The same of a graph that does nothing but ask."""

    async def ask(state: _Empty) -> _Empty:
        return {"said": interrupt("?")}

    async def end(state: _Empty) -> _Empty:
        return {}

    graph = StateGraph(_Empty)
    graph.add_node("ask", ask)
    graph.add_node("end", end)
    graph.add_edge(START, "ask")
    graph.add_edge("ask", "end")
    graph.add_edge("end", END)
    machine = Machine(data_dir=folder)

    async def run(given: object) -> None:
        async with open_checkpointer(machine) as checkpointer:
            await graph.compile(checkpointer=checkpointer).ainvoke(given, config_of("thread"))  # type: ignore[call-overload]

    await run({"said": ""})
    return await awaited(run(Command(resume="x")))
