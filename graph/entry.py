"""What ``langgraph.json`` names: factories for LangGraph Studio and the LangGraph server.

The server brings checkpointer and store; settings come from environment and ``calibrant.yaml``. Factories, not
objects: importing this module does no work. What they open they open in a thread: the server calls them in its event
loop, and refuses to wait there, also for what a configured LangChain retriever reads when it is loaded.
"""

import asyncio
from collections.abc import Callable
from functools import cache
from threading import Lock

from calibrant.graph.build import build_graph, build_retrieval_graph
from calibrant.graph.retrieval import Compiled
from calibrant.graph.runs import RunLog
from calibrant.graph.settings import load_machine

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
def _graph() -> Compiled:
    return build_graph(recorder=RunLog(load_machine().data_dir))


@cache
def _retrieve_information() -> Compiled:
    return build_retrieval_graph(recorder=RunLog(load_machine().data_dir))
