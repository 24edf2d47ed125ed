"""The ``retrieve`` subgraph, and the same as a graph of its own: ``retrieve_information``."""

from typing import Any

from langgraph.graph import END, START, StateGraph
from langgraph.graph.state import CompiledStateGraph

from calibrant.graph.routing import after_rank, in_place, to_searches
from calibrant.judges.model.port import UNSHOWN
from calibrant.nodes.deps import Deps
from calibrant.nodes.retrieval.channels import InformationState, RetrieveInput, RetrieveOutput, RetrieveState
from calibrant.nodes.retrieval.distil import distil
from calibrant.nodes.retrieval.open_request import Given, ToolInput, open_request
from calibrant.nodes.retrieval.plan_search import plan_search
from calibrant.nodes.retrieval.rank import rank
from calibrant.nodes.retrieval.read_page import read_page
from calibrant.nodes.retrieval.report import report
from calibrant.nodes.retrieval.search import search
from calibrant.state.context import Context
from calibrant.state.tool_output import ToolOutput

Compiled = CompiledStateGraph[Any, Any, Any, Any]
"""A graph that is ready to run."""


def retrieval_subgraph(deps: Deps, context_schema: type[Context]) -> Compiled:
    """plan_search -> search (one a source and query) and read_page -> rank -> another round, or distil."""
    graph = StateGraph(
        RetrieveState, context_schema=context_schema, input_schema=RetrieveInput, output_schema=RetrieveOutput
    )
    _add_loop(graph, deps)
    graph.add_edge(START, "plan_search")
    graph.add_edge("distil", END)
    return graph.compile(name="retrieve")


def information_graph(deps: Deps, context_schema: type[Context], **options: Any) -> Compiled:
    """The same loop behind spec 1's flat input and output, so that a server can offer it as a tool."""
    graph = StateGraph(
        InformationState, context_schema=context_schema, input_schema=ToolInput, output_schema=ToolOutput
    )
    graph.add_node("open_request", open_request(deps), input_schema=Given)
    _add_loop(graph, deps)
    graph.add_node("report", report(deps))
    graph.add_edge(START, "open_request")
    graph.add_edge("open_request", "plan_search")
    graph.add_edge("distil", "report")
    graph.add_edge("report", END)
    return graph.compile(name="retrieve_information", **options).with_config(UNSHOWN)


def _add_loop(graph: StateGraph[Any, Any, Any, Any], deps: Deps) -> None:
    graph.add_node("plan_search", plan_search(deps))
    graph.add_node("search", search(deps))
    graph.add_node("read_page", read_page(deps))
    graph.add_node("rank", rank(deps))
    graph.add_node("distil", distil(deps))
    graph.add_conditional_edges("plan_search", in_place(to_searches), ["search", "read_page", "rank"])
    graph.add_edge("search", "rank")
    graph.add_edge("read_page", "rank")
    graph.add_conditional_edges("rank", in_place(after_rank), ["plan_search", "distil"])
