"""Where a run goes next: pure functions that read the state. Nodes judge, edges only read."""

from collections.abc import Awaitable, Callable, Sequence
from functools import wraps
from typing import Literal, ParamSpec, assert_never

from langgraph.types import Send

from calibrant.nodes.fan_out import branch_tasks, step_tasks
from calibrant.nodes.retrieval.channels import RetrieveView
from calibrant.state.channels import View
from calibrant.state.context import Context
from calibrant.state.decision import Action, Decision
from calibrant.state.task import Phase

WAVE = 5
"""Supersteps that a run needs from ``act`` to its end, if one more wave of steps runs. Where LangGraph's recursion
limit leaves fewer, the answer is made of what there is."""

P = ParamSpec("P")
Ends = str | Sequence[Send]

Next = Literal["perceive", "reason", "act", "synthesize", "reflect", "respond"]


def decision_of(state: View) -> Decision:
    """The decision that the last judged phase left."""
    if state.decision is None:
        raise RuntimeError("no phase has judged yet")
    return state.decision


def detour(state: View) -> Literal["retrieve", "ask_human", "respond"] | None:
    """Where the decision leads off the straight way; None where it goes on. A refinement is a retrieval too."""
    action = decision_of(state).action
    match action:
        case Action.PROCEED | Action.SKIP:
            return None
        case Action.RETRIEVE | Action.REFINE:
            return "retrieve"
        case Action.ASK:
            return "ask_human"
        case Action.RESPOND:
            return "respond"
    assert_never(action)


def after_intake(state: View) -> Literal["perceive", "respond"]:
    """From ``intake``: what asks nothing of the sources is replied to at once."""
    return "respond" if state.run is not None and state.run.reply else "perceive"


def after_perceive(state: View) -> Literal["reason", "retrieve", "ask_human", "respond"]:
    """From ``perceive``."""
    return detour(state) or "reason"


def after_select(state: View) -> Literal["act", "retrieve", "ask_human", "respond"]:
    """From ``select``, which judges for ``reason``."""
    return detour(state) or "act"


def instead_of_steps(state: View) -> Literal["retrieve", "ask_human", "synthesize", "respond"] | None:
    """From ``act``, where no further step is to run; None where the plan's ready ones come next."""
    elsewhere = detour(state)
    if elsewhere is None and (decision_of(state).action is Action.SKIP or state.steps_left <= WAVE):
        return "synthesize"
    return elsewhere


def after_reflect(state: View) -> Literal["respond", "retrieve", "ask_human"]:
    """From ``reflect``."""
    return detour(state) or "respond"


def after_retrieve(state: View) -> Literal["perceive", "reason", "act", "reflect"]:
    """Back to the phase that asked; after a refinement to ``reason``, which plans anew with what was found."""
    decision = decision_of(state)
    if decision.action is Action.REFINE:
        return "reason"
    return decision.phase.value


def after_human(state: View) -> Next:
    """guide, retry, a wording and an approval go back to the phase; skip goes on to the next; abort ends the run."""
    if not state.guidance:  # the state was edited in the name of ``ask_human``, without an answer
        return decision_of(state).phase.value
    answer = state.guidance[-1]
    if answer.action == "abort":
        return "respond"
    if answer.action == "skip":
        return NEXT_PHASE[answer.phase]
    return BACK_TO[answer.phase]


BACK_TO: dict[Phase, Next] = {
    Phase.PERCEIVE: "perceive",
    Phase.REASON: "reason",
    Phase.ACT: "act",
    Phase.REFLECT: "act",
}
"""Reflect itself could only look at the same answer once more."""

NEXT_PHASE: dict[Phase, Next] = {
    Phase.PERCEIVE: "reason",
    Phase.REASON: "act",
    Phase.ACT: "synthesize",
    Phase.REFLECT: "respond",
}


def to_branches(state: View, context: Context, now: float) -> list[Send]:
    """From ``reason``: one ``branch`` for each strategy that it proposed."""
    return [Send("branch", task) for task in branch_tasks(state, context, now)]


def to_steps(state: View, context: Context, now: float) -> list[Send]:
    """From ``act``: one ``step`` for each step of the plan that is ready. Blocking: see ``step_tasks``."""
    return [Send("step", task) for task in step_tasks(state, context, now)]


def to_searches(state: RetrieveView) -> list[Send] | Literal["rank"]:
    """One ``search`` for each source and query of the round, one ``read_page`` for each page; straight to ``rank``
    where there is nothing to ask."""
    if state.plan is None:
        return "rank"
    searches = [Send("search", job) for job in state.plan.searches]
    return [*searches, *(Send("read_page", job) for job in state.plan.pages)] or "rank"


def after_rank(state: RetrieveView) -> Literal["plan_search", "distil"]:
    """Another round, or the end of the retrieval."""
    return "distil" if state.standing and state.standing.stop else "plan_search"


def in_place(route: Callable[P, Ends]) -> Callable[P, Awaitable[Ends]]:
    """``route`` as an edge takes it: LangGraph runs a plain function in a thread, which takes longer than it does."""

    @wraps(route)
    async def routed(*args: P.args, **kwargs: P.kwargs) -> Ends:
        return route(*args, **kwargs)

    return routed
