"""An open app over the documents of the graph tests, a source that hangs or prints, and clients for both."""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from typing import Any

from langgraph.checkpoint.memory import InMemorySaver
from langgraph.store.memory import InMemoryStore
from mcp import ClientSession
from mcp.types import (
    CallToolResult,
    CancelledNotification,
    CancelledNotificationParams,
    ClientNotification,
    TextContent,
)

from calibrant.graph.app import App
from calibrant.graph.serde import serde
from calibrant.graph.settings import Settings
from calibrant.graph.wiring import wire
from calibrant.state.evidence import Evidence, SearchQuery
from tests.graph.house import deps_for, machine

PLAIN = "How often is a failed job retried by default?"
PATIENT = {"retrieval": {"seconds": 60.0}, "limits": {"seconds": 120.0}}
"""Limits under which only a cancellation can end a search that hangs."""


def app_over(data_dir: Path, sources: Sequence[Any] | None = None, **settings: Any) -> App:
    """An app in memory."""
    context = Settings(interactive=False, **settings)
    deps = deps_for(data_dir, context=context, sources=sources)
    saver, store = InMemorySaver(serde=serde()), InMemoryStore()
    graph = wire(deps, Settings, checkpointer=saver, store=store)
    return App(graph, context, machine(data_dir), deps, saver, store)


@dataclass
class Hanging:
    """A source that never answers, and knows when it is no longer asked. ``mark`` tells another process so."""

    name: str = "hanging"
    remote: bool = True
    mark: Path | None = None
    asked: asyncio.Event = field(default_factory=asyncio.Event)
    cancelled: asyncio.Event = field(default_factory=asyncio.Event)

    async def search(self, query: SearchQuery) -> list[Evidence]:
        self._tell("asked")
        self.asked.set()
        try:
            await asyncio.sleep(300)
        except asyncio.CancelledError:
            self._tell("cancelled")
            self.cancelled.set()
            raise
        return []

    def _tell(self, what: str) -> None:
        if self.mark is not None:
            self.mark.with_name(what).touch()


@dataclass
class Noisy:
    """A source that writes where it should not."""

    name: str = "noisy"
    remote: bool = False

    async def search(self, query: SearchQuery) -> list[Evidence]:
        print("noise on stdout")
        logging.getLogger("noisy").warning("noise in the log")
        return []


@dataclass
class Progress:
    """What a client heard while it waited."""

    told: list[tuple[float, str]] = field(default_factory=list)

    async def __call__(self, progress: float, total: float | None, message: str | None) -> None:
        self.told.append((progress, message or ""))

    @property
    def text(self) -> str:
        return "\n".join(message for _, message in self.told)

    @property
    def grows(self) -> bool:
        """Whether each notification is further than the one before, as the protocol demands."""
        numbers = [number for number, _ in self.told]
        return bool(numbers) and all(a < b for a, b in pairwise(numbers))


async def cancel_once(
    session: ClientSession, tool: str, given: dict[str, Any], begun: Callable[[], Awaitable[Any]]
) -> str:
    """Call ``tool``, cancel the request when ``begun`` returns, and give what the client is told."""
    await session.list_tools()
    number = session._request_id
    call = asyncio.create_task(session.call_tool(tool, given))
    await asyncio.wait_for(begun(), 30)
    params = CancelledNotificationParams(requestId=number, reason="no longer wanted")
    await session.send_notification(
        ClientNotification(CancelledNotification(method="notifications/cancelled", params=params))
    )
    (told,) = await asyncio.wait_for(asyncio.gather(call, return_exceptions=True), 10)
    return str(told)


def text_of(result: CallToolResult) -> str:
    """The text of a result."""
    return "\n".join(part.text for part in result.content if isinstance(part, TextContent))


def data_of(result: CallToolResult) -> dict[str, Any]:
    """The structured output of a call that went well."""
    assert not result.isError, text_of(result)
    assert result.structuredContent is not None
    return result.structuredContent
