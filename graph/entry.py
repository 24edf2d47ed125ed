"""What ``langgraph.json`` names: factories for LangGraph Studio and the LangGraph server.

The server brings checkpointer and store; settings come from environment and ``calibrant.yaml``. Factories, not
objects: importing this module does no work. What they open they open in a thread: the server calls them in its event
loop, and refuses to wait there, also for what a configured LangChain retriever reads when it is loaded. Both graphs
work with the same embedding model, sources and limits, which are opened once.
"""

import asyncio
from collections.abc import Callable
from functools import cache
from threading import Lock

from calibrant.graph.build import make_deps
from calibrant.graph.retrieval import Compiled, information_graph
from calibrant.graph.runs import RunLog
from calibrant.graph.settings import Settings, load_machine
from calibrant.graph.wiring import wire
from calibrant.nodes.deps import Deps

_building = Lock()
"""Held while a graph is built: a server's first requests come side by side, and each would build one of its own."""


async def graph() -> Compiled:
    """The agent."""
    return await asyncio.to_thread(_built, _graph)


async def retrieve_information() -> Compiled:
    """The retrieval alone."""
    return await asyncio.to_thread(_built, _retrieve_information)


def _built(build: Callable[[], Compiled]) -> Compiled:
    with _building:
        return build()


@cache
def _deps() -> Deps:
    return make_deps(recorder=RunLog(load_machine().data_dir))


@cache
def _graph() -> Compiled:
    return wire(_deps(), Settings)


@cache
def _retrieve_information() -> Compiled:
    return information_graph(_deps(), Settings)
