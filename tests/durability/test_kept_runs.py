"""Threads that an earlier version stored go on in this one. The files: ``tests/persistence/checkpoints``."""

import shutil
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from calibrant.graph.persistence import CHECKPOINTS, open_checkpointer
from calibrant.graph.retrieval import Compiled
from calibrant.state.budget import StopReason
from tests.durability.house import ROOT, House
from tests.durability.store_runs import FINISHED, JOBS, RETRIED, SIGTERM, STOPPED, WAITING, context, store
from tests.graph.house import answer, asked, config, graph_for, machine, run, state_of

KEPT = sorted((ROOT / "tests" / "persistence" / "checkpoints").glob("v*.sqlite"))


@asynccontextmanager
async def opened(house: House, kept: Path) -> AsyncIterator[Compiled]:
    """Today's graph over a copy of the file."""
    shutil.copy(kept, house.data_dir / CHECKPOINTS)
    async with open_checkpointer(machine(house.data_dir)) as checkpointer:
        yield graph_for(house.data_dir, checkpointer=checkpointer, context=context(asks=False))


async def goes_on(house: House, kept: Path) -> None:
    """Each thread of the file: the answer that it gave, the question that waits, the steps that had not run."""
    async with opened(house, kept) as graph:
        state = await state_of(graph, FINISHED)
        assert "five times" in state.answer
        assert state.citations
        state = await run(graph, JOBS, FINISHED)
        assert "four" in state.answer
        assert [message.type for message in state.messages] == ["human", "ai"] * 2

        assert (await asked(graph, WAITING))["task"] == JOBS
        state = await answer(graph, {"action": "guide", "text": "Look at the workers"}, WAITING)
        assert "four" in state.answer
        assert state.stop_reason is StopReason.ANSWERED

        before = await state_of(graph, STOPPED)
        where: Any = config(STOPPED)
        await graph.ainvoke(None, where)
        state = await state_of(graph, STOPPED)
        assert {result.question for result in state.results} == {RETRIED, SIGTERM}
        assert "five times" in state.answer
        assert state.spend.searches == before.spend.searches


@pytest.mark.parametrize("kept", KEPT, ids=lambda path: path.stem)
async def test_kept_threads_go_on(house: House, kept: Path) -> None:
    await goes_on(house, kept)


async def test_what_this_version_stores_goes_on(house: House, tmp_path: Path) -> None:
    path = tmp_path / "now.sqlite"
    await store(path)
    await goes_on(house, path)


@pytest.mark.parametrize("kept", KEPT, ids=lambda path: path.stem)
def test_a_kept_file_tells_nothing_of_the_machine_that_wrote_it(kept: Path) -> None:
    stored = kept.read_bytes()
    for place in (b"/work/", b"/home/", b"/root/", b"site-packages"):
        assert place not in stored
