"""Writes a file of checkpoints to keep.

    python -m tests.persistence.store_checkpoints tests/persistence/checkpoints/v1.sqlite

Run it once for each version that is published, never over a file that is there. It stores three threads with every
channel filled: one finished, one waiting for a person, one that died in the middle.
"""

import asyncio
import sys
from contextlib import suppress
from pathlib import Path
from typing import Any, get_type_hints

from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.sqlite.aio import AsyncSqliteSaver
from langgraph.graph import END, START, StateGraph
from langgraph.types import interrupt

from calibrant.graph.serde import serde
from calibrant.state.channels import State, View

from .samples import sample

THREADS = ("finished", "waiting", "died")


def everything() -> dict[str, Any]:
    """A value for every channel, as a node would return it."""
    channels = get_type_hints(State)
    return {name: sample(field.annotation) for name, field in View.model_fields.items() if name in channels}


def compiled(checkpointer: Any) -> Any:
    """A graph over the real state that fills it and then does what its thread is named for."""

    async def fill(state: State) -> Any:
        return everything()

    async def end(state: State, config: RunnableConfig) -> Any:
        thread = config["configurable"]["thread_id"]
        if thread == "died":
            raise RuntimeError("died")
        return {"answer": str(interrupt("?"))} if thread == "waiting" else {}

    builder = StateGraph(State)
    builder.add_node("fill", fill)
    builder.add_node("end", end)
    builder.add_edge(START, "fill")
    builder.add_edge("fill", "end")
    builder.add_edge("end", END)
    return builder.compile(checkpointer=checkpointer)


async def store(path: Path) -> None:
    """Write the file."""
    path.parent.mkdir(parents=True, exist_ok=True)
    async with AsyncSqliteSaver.from_conn_string(str(path)) as saver:
        saver.serde = serde()
        graph = compiled(saver)
        for thread in THREADS:
            with suppress(RuntimeError):
                await graph.ainvoke({"task": "kept"}, {"configurable": {"thread_id": thread}})
        # One file, without the write-ahead log beside it.
        await saver.conn.execute("PRAGMA journal_mode=DELETE")


if __name__ == "__main__":
    target = Path(sys.argv[1])
    if target.exists():
        sys.exit(f"{target} exists: a kept file is never written again")
    asyncio.run(store(target))
    print(f"{target}: {target.stat().st_size} bytes")
