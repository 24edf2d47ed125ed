"""Writes a file of real threads to keep: what this version stores, for later ones to load and to go on with.

    python -m tests.durability.store_runs tests/persistence/checkpoints/v1.sqlite

Run it once for each version that is published, never over a file that is there. The threads: one finished, one that
waits for a person, one that was stopped before its steps ran. The documents lie in a folder of a neutral name while it
runs, since their addresses are stored.
"""

import asyncio
import shutil
import sqlite3
import sys
import tempfile
from collections.abc import AsyncGenerator
from contextlib import aclosing, closing
from pathlib import Path
from typing import Any, cast

from calibrant.graph.persistence import CHECKPOINTS, open_checkpointer
from calibrant.graph.retrieval import Compiled
from calibrant.graph.settings import Settings
from tests.graph.house import DOCUMENTS, config, graph_for, ingest, machine, run, write_documents

FOLDER = Path("/tmp/halyard")
"""A name that says nothing about this machine."""

FINISHED, WAITING, STOPPED = "finished", "waiting", "stopped"
RETRIED = "How often is a failed job retried by default?"
JOBS = "How many jobs does a worker run at a time?"
SIGTERM = "What does a worker do on SIGTERM?"

EASY = {"proceed": 0.03, "retrieve": 0.02, "abort": 0.01}
DEMANDING = {"proceed": 1.0, "retrieve": 0.999, "abort": 0.998}


def context(*, asks: bool) -> Settings:
    """Settings of a run that goes straight through, or that asks before it plans, with passages in its hands."""
    first = DEMANDING if asks else EASY
    return Settings(
        interactive=asks,
        thresholds={"perceive": first, **dict.fromkeys(("reason", "act", "reflect"), EASY)},
        limits={"retrievals": 1},
        retrieval={"rounds": 1},
    )


async def store(path: Path) -> None:
    """Write the file."""
    with tempfile.TemporaryDirectory() as folder:
        data_dir = Path(folder)
        ingest(data_dir, write_documents(FOLDER, {name: DOCUMENTS[name] for name in ("retries.md", "workers.md")}))
        try:
            await _runs(data_dir)
        finally:
            shutil.rmtree(FOLDER)
        with closing(sqlite3.connect(data_dir / CHECKPOINTS, isolation_level=None)) as connection:
            connection.execute("PRAGMA journal_mode=DELETE")
            connection.execute("PRAGMA page_size=1024")
            connection.execute("VACUUM")
        path.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(data_dir / CHECKPOINTS, path)


async def _runs(data_dir: Path) -> None:
    async with open_checkpointer(machine(data_dir)) as checkpointer:
        straight = graph_for(data_dir, checkpointer=checkpointer, context=context(asks=False))
        await run(straight, RETRIED, FINISHED)
        asking = graph_for(data_dir, checkpointer=checkpointer, context=context(asks=True))
        await run(asking, JOBS, WAITING)
        await _until_act(straight, f"{RETRIED} {SIGTERM}")


async def _until_act(graph: Compiled, question: str) -> None:
    where: Any = config(STOPPED)
    stream = graph.astream({"task": question}, where, stream_mode="updates", durability="sync")
    async with aclosing(cast("AsyncGenerator[dict[str, Any], None]", stream)) as updates:
        async for update in updates:
            if "act" in update:
                return


if __name__ == "__main__":
    target = Path(sys.argv[1])
    if target.exists():
        sys.exit(f"{target} exists: a kept file is never written again")
    asyncio.run(store(target))
    print(f"{target}: {target.stat().st_size} bytes")
