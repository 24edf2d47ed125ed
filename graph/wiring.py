"""The graph, in the order of its diagram.

    intake -> perceive -> reason -> branch* -> select -> act <-> step* -> synthesize -> reflect -> respond
                 |                               |        |                               |
                 +-------------------------------+--------+----------- retrieve ----------+
                 +-------------------------------+--------+----------- ask_human ---------+

(* one for each candidate strategy or ready step, side by side.)
"""

import asyncio
from collections.abc import Callable
from typing import Any, Literal, TypeVar

from langgraph.errors import GraphBubbleUp
from langgraph.graph import END, START, StateGraph
from langgraph.runtime import Runtime, get_runtime
from langgraph.types import Send

from calibrant.graph.retrieval import Compiled, retrieval_subgraph
from calibrant.graph.routing import (
    after_human,
    after_intake,
    after_perceive,
    after_reflect,
    after_retrieve,
    after_select,
    in_place,
    instead_of_steps,
    to_branches,
    to_steps,
)
from calibrant.judges.model.port import UNSHOWN
from calibrant.nodes.act import act
from calibrant.nodes.ask_human import ask_human
from calibrant.nodes.branch import BranchTask, branch, lost_branch
from calibrant.nodes.deps import Deps, Node
from calibrant.nodes.intake import intake
from calibrant.nodes.perceive import perceive
from calibrant.nodes.reason import reason
from calibrant.nodes.reflect import reflect
from calibrant.nodes.respond import respond
from calibrant.nodes.retrieval.channels import RetrieveInput
from calibrant.nodes.salvage import salvage
from calibrant.nodes.select import select
from calibrant.nodes.step import StepTask, lost_step, step
from calibrant.nodes.synthesize import synthesize
from calibrant.state.base import Value
from calibrant.state.channels import Input, Output, State, Update, View
from calibrant.state.context import Context

GRACE_S = 30.0
"""A node that takes this much longer than the whole run may is taken to hang: it is ended, and ``salvage`` answers; of
branches and steps, which run side by side, only the one is lost."""

T = TypeVar("T", bound=Value)


def wire(deps: Deps, context_schema: type[Context] = Context, **options: Any) -> Compiled:
    """The compiled graph over ``deps``. ``options`` go to ``compile`` (checkpointer, store, ...)."""
    graph: StateGraph[Any, Any, Any, Any] = StateGraph(
        State, context_schema=context_schema, input_schema=Input, output_schema=Output
    )
    _add_nodes(graph, deps, context_schema)
    _add_edges(graph, deps)
    return graph.compile(name="calibrant", **options).with_config(UNSHOWN)


def _add_nodes(graph: StateGraph[Any, Any, Any, Any], deps: Deps, context_schema: type[Context]) -> None:
    saved: dict[str, Any] = {"error_handler": salvage(deps)}
    graph.add_node("intake", intake(deps), input_schema=View)
    graph.add_node("perceive", _in_time(perceive(deps), deps), input_schema=View, **saved)
    graph.add_node("reason", _in_time(reason(deps), deps), input_schema=View, **saved)
    graph.add_node("branch", _alone(_in_time(branch(deps), deps), BranchTask, lost_branch), input_schema=BranchTask)
    graph.add_node("select", _in_time(select(deps), deps), input_schema=View, **saved)
    graph.add_node("act", _in_time(act(deps), deps), input_schema=View, **saved)
    graph.add_node("step", _alone(_in_time(step(deps), deps), StepTask, lost_step), input_schema=StepTask)
    graph.add_node("synthesize", _in_time(synthesize(deps), deps), input_schema=View, **saved)
    graph.add_node("reflect", _in_time(reflect(deps), deps), input_schema=View, **saved)
    graph.add_node("retrieve", retrieval_subgraph(deps, context_schema), input_schema=RetrieveInput, **saved)
    graph.add_node("ask_human", ask_human(deps), input_schema=View)
    graph.add_node("respond", respond(deps), input_schema=View)


def _in_time(node: Node, deps: Deps) -> Any:
    """``node``, ended where it hangs. LangGraph's own timeout is one for all runs; a run may bring more seconds.

    Not by ``wraps``: LangGraph reads all that a wrapped function says for subgraphs, which takes as long as the rest.
    """

    async def timed(state: Any, runtime: Runtime[Context]) -> Update:
        async with asyncio.timeout(deps.settings(runtime).limits.seconds + GRACE_S):
            return await node(state, runtime)

    return timed


def _alone(node: Node, task: type[T], lost: Callable[[T, Exception], Update]) -> Any:
    """``node``, one of several that run side by side: where it fails, it gives what is ``lost``."""

    async def caught(state: Any, runtime: Runtime[Context]) -> Update:
        try:
            return await node(state, runtime)
        except GraphBubbleUp:  # an interrupt is no failure
            raise
        except Exception as error:  # noqa: BLE001 - whatever breaks in one must not cost the others
            return lost(task.model_validate(state), error)

    return caught


def _add_edges(graph: StateGraph[Any, Any, Any, Any], deps: Deps) -> None:
    """The arrows of the diagram. Those that depend on settings get them here; all others stand in ``routing``."""

    # These edges look the runtime up, since LangGraph passes none while somebody edits the state of a thread.
    async def after_act(state: View) -> list[Send] | Literal["retrieve", "ask_human", "synthesize", "respond"]:
        """The plan's ready steps, side by side; with none left, ``synthesize``."""
        if elsewhere := instead_of_steps(state):
            return elsewhere
        return await asyncio.to_thread(to_steps, state, deps.settings(get_runtime()), deps.clock()) or "synthesize"

    async def after_reason(state: View) -> list[Send]:
        """The proposed strategies, side by side."""
        return to_branches(state, deps.settings(get_runtime()), deps.clock())

    graph.add_edge(START, "intake")
    graph.add_conditional_edges("intake", in_place(after_intake))
    graph.add_conditional_edges("perceive", in_place(after_perceive))
    graph.add_conditional_edges("reason", after_reason, ["branch"])
    graph.add_edge("branch", "select")
    graph.add_conditional_edges("select", in_place(after_select))
    graph.add_conditional_edges("act", after_act, ["step", "synthesize", "retrieve", "ask_human", "respond"])
    graph.add_edge("step", "act")
    graph.add_edge("synthesize", "reflect")
    graph.add_conditional_edges("reflect", in_place(after_reflect))
    graph.add_conditional_edges("retrieve", in_place(after_retrieve))
    graph.add_conditional_edges("ask_human", in_place(after_human))
    graph.add_edge("respond", END)
