"""What ``langgraph.json`` names: factories for LangGraph Studio and the LangGraph server.

The server brings checkpointer and store; settings come from environment and ``calibrant.yaml``. Factories, not
objects: importing this module does no work.
"""

from functools import cache

from calibrant.graph.build import build_graph, build_retrieval_graph
from calibrant.graph.builder import Compiled
from calibrant.graph.runs import RunLog
from calibrant.graph.settings import load_machine


@cache
def graph() -> Compiled:
    """The agent."""
    return build_graph(recorder=RunLog(load_machine().data_dir))


@cache
def retrieve_information() -> Compiled:
    """The retrieval alone."""
    return build_retrieval_graph(recorder=RunLog(load_machine().data_dir))
