"""A program that embeds the graph with tools over SQLite, for one stretch of a thread.

    python -m tests.durability.calling DATA_DIR THREAD GIVEN

GIVEN is JSON: ``{"task": ...}`` asks, ``{"resume": ...}`` answers the open question, ``null`` goes on from where a
killed process left the thread. ``append_line`` changes something, ``read_line`` does not; each call is a line in
``calls``, with the idempotency key, and waits while ``hold`` exists. With ``DURABILITY`` and ``STORE`` in the
environment checkpoints are written so, and a store is there. It prints where the thread stands then.
"""

import asyncio
import json
import os
import sys
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any

from langchain_core.runnables import RunnableConfig
from langchain_core.tools import BaseTool, StructuredTool
from langgraph.types import Command

from calibrant.graph.build import make_deps
from calibrant.graph.persistence import open_checkpointer, open_store
from calibrant.graph.settings import Machine, Settings, load_settings
from calibrant.graph.wiring import wire
from calibrant.state.channels import View

EASY = {"proceed": 0.03, "retrieve": 0.02, "abort": 0.01}


def tools(folder: Path) -> list[BaseTool]:
    """One that changes something, and one that does not."""

    async def called(text: str, config: RunnableConfig) -> str:
        with (folder / "calls").open("a", encoding="utf-8") as log:
            log.write(f"{config['metadata']['idempotency_key']}\n")
        while (folder / "hold").exists():  # noqa: ASYNC110 - another process takes it away
            await asyncio.sleep(0.01)
        return f"The line {text} was handled."

    made = {"append_line": False, "read_line": True}
    return [
        StructuredTool.from_function(coroutine=called, name=name, description=name, metadata={"read_only": read_only})
        for name, read_only in made.items()
    ]


async def work(data_dir: Path, thread: str, given: Any) -> dict[str, Any]:
    """Run the thread to its next stop."""
    settings = load_settings(
        {"thresholds": dict.fromkeys(("perceive", "reason", "act", "reflect"), EASY), "switches": {"memory": False}}
    )
    machine = Machine(data_dir=data_dir, embeddings="none")
    config: Any = {"configurable": {"thread_id": thread}}
    resumed = isinstance(given, dict) and "resume" in given
    durability: Any = os.environ.get("DURABILITY", "async")
    async with AsyncExitStack() as stack:
        checkpointer = await stack.enter_async_context(open_checkpointer(machine))
        store = await stack.enter_async_context(open_store(machine, None)) if "STORE" in os.environ else None
        deps = make_deps(machine=machine, context=settings, tools=tools(data_dir.parent))
        graph = wire(deps, Settings, checkpointer=checkpointer, store=store)
        start = Command(resume=given["resume"]) if resumed else given
        await graph.ainvoke(start, config, context=settings, durability=durability)
        snapshot = await graph.aget_state(config)
    state = View.model_validate(snapshot.values)
    asked = snapshot.interrupts[0].value if snapshot.interrupts else None
    return {"asked": asked, **state.model_dump(mode="json", exclude={"messages"})}


if __name__ == "__main__":
    print(json.dumps(asyncio.run(work(Path(sys.argv[1]), sys.argv[2], json.loads(sys.argv[3])))))
