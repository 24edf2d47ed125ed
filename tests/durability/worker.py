"""A program that embeds the graph: one thread over SQLite, from its start or from where a killed process left it.

    python -m tests.durability.worker DATA_DIR THREAD [QUESTION]

Without a question it goes on, as ``astream(None, config)`` does. With ``SOURCES`` in the environment the sources are
those of ``RecordingSource``. It prints one JSON object: the nodes that ran, and where the thread stands then.
"""

import asyncio
import json
import os
import sys
from collections.abc import AsyncGenerator
from contextlib import aclosing
from pathlib import Path
from typing import Any, cast

from calibrant.graph.build import make_deps
from calibrant.graph.persistence import open_checkpointer
from calibrant.graph.settings import Machine, Settings, load_settings
from calibrant.graph.wiring import wire
from calibrant.state.channels import View
from calibrant.state.evidence import Evidence, SearchQuery
from tests.graph.house import DOCUMENTS


class RecordingSource:
    """One document of the manual. Each search is a line in ``searches``; it waits while ``hold-NAME`` exists."""

    remote = False

    def __init__(self, name: str, text: str, folder: Path) -> None:
        self.name = name
        self._text = text
        self._folder = folder

    async def search(self, query: SearchQuery) -> list[Evidence]:
        """The document."""
        with (self._folder / "searches").open("a", encoding="utf-8") as log:
            log.write(f"{self.name}\n")
        while (self._folder / f"hold-{self.name}").exists():  # noqa: ASYNC110 - another process takes it away
            await asyncio.sleep(0.01)
        found = Evidence(
            id=f"e-{self.name}", text=self._text, title=self.name, source=self.name, url=f"test://{self.name}"
        )
        return [] if found.id in query.exclude else [found]


def sources() -> list[RecordingSource] | None:
    """One source a document, if the environment asks for them; else the knowledge bases."""
    folder = os.environ.get("SOURCES")
    if folder is None:
        return None
    return [RecordingSource(name.partition(".")[0], text, Path(folder)) for name, text in DOCUMENTS.items()]


async def work(data_dir: Path, thread: str, question: str | None) -> dict[str, Any]:
    """Run the thread to its next stop."""
    settings = load_settings({"interactive": False})
    machine = Machine(data_dir=data_dir, embeddings="none")
    config: Any = {"configurable": {"thread_id": thread}}
    nodes: list[str] = []
    async with open_checkpointer(machine) as checkpointer:
        deps = make_deps(machine=machine, context=settings, sources=sources())
        graph = wire(deps, Settings, checkpointer=checkpointer)
        given = {"task": question} if question else None
        stream = graph.astream(given, config, context=settings, stream_mode="updates", subgraphs=True)
        async with aclosing(cast("AsyncGenerator[Any, None]", stream)) as updates:
            async for _, update in updates:
                nodes.extend(name for name in update if not is_stored(update))
        state = View.model_validate((await graph.aget_state(config)).values)
    return {"nodes": nodes, **state.model_dump(mode="json", exclude={"messages"})}


def is_stored(update: dict[str, Any]) -> bool:
    """Whether LangGraph only reports again what a task had stored before the process was killed."""
    return bool((update.get("__metadata__") or {}).get("cached"))


if __name__ == "__main__":
    given = sys.argv[3] if len(sys.argv) > 3 else None
    print(json.dumps(asyncio.run(work(Path(sys.argv[1]), sys.argv[2], given))))
