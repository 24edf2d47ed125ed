"""``reason`` proposes candidate strategies. They are explored side by side, one ``branch`` each; ``select`` judges."""

from langgraph.runtime import Runtime
from langgraph.types import Overwrite

from calibrant.judges.free.planning.together import is_one_answer, together
from calibrant.judges.free.planning.tool_steps import names_deed
from calibrant.judges.given import ToPlan
from calibrant.nodes.deps import Deps, Node
from calibrant.nodes.judging.deciding import open_phase
from calibrant.nodes.judging.signals import of_planner
from calibrant.nodes.reading.history import taken_as_it_stands
from calibrant.nodes.reading.steps import with_ids_of_before
from calibrant.nodes.reading.thread import guidance_text
from calibrant.nodes.toolbox import tool_cards, toolbox
from calibrant.nodes.work import Work
from calibrant.state.budget import Allowance
from calibrant.state.channels import Update, View
from calibrant.state.context import Context
from calibrant.state.decision import Action
from calibrant.state.memory import Pattern, Recollection
from calibrant.state.retrieval import Distillate
from calibrant.state.task import Branch, Phase, QueryType, Task

_LOOKED_UP = (QueryType.FACTUAL, QueryType.OPERATIONAL)
"""Kinds of requests whose parts only have to be looked up."""


def reason(deps: Deps) -> Node:
    """The node. After a retrieval it proposes anew, from the evidence held then."""

    async def node(state: View, runtime: Runtime[Context]) -> Update:
        work = await Work.begin(deps, runtime, state)
        attempt = open_phase(work, state, Phase.REASON)
        tools = tool_cards(await toolbox(work))
        task, suffices = state.understood, passages_suffice(state)
        ordered = names_deed(task.text, tools)  # what a passage says of a deed does not do it
        # What a planner makes of a request that says too little is answered in its place, at a call for each step.
        is_guess = work.has_model and not tools and taken_as_it_stands(state)
        given = ToPlan(
            task=task,
            evidence=state.evidence,
            distillate=state.retrieval.distillate if state.retrieval else Distillate(),
            patterns=patterns_of(state.recalled),
            sources=tuple(deps.sources),
            tools=tools,
            branches=1 if task.is_plain or is_guess else work.context.branches,
            guidance=guidance_text(state),
            suffices=suffices and not ordered,
            today=work.today,
        )
        at_once = work.has_model and is_one_answer(task)
        idle = is_guess or is_idle(state, task, given) or (at_once and not tools)
        judged = await work.judge(work.panel.plan, given, allowance=Allowance() if idle else None)
        branches = judged.value if judged.tier == "model" else planned_calls(state) or judged.value
        if at_once and judged.tier != "model":
            branches = tuple(together(branch, task) for branch in branches)
        branches = tuple(with_ids_of_before(branch, state, attempt) for branch in branches)
        signals = work.weighed(*of_planner(judged, attempt))
        return work.done({"branches": Overwrite(branches), "signals": signals})

    return node


def planned_calls(state: View) -> tuple[Branch, ...]:
    """The branches from before the retrieval that has just ended, if they make calls: what a model has planned must not
    be lost because no call is left for it to plan again."""
    searched = state.decision is not None and state.decision.action is Action.RETRIEVE
    calls = any(branch.calls for branch in state.branches)
    return state.branches if searched and calls else ()


def passages_suffice(state: View) -> bool:
    """Whether the last retrieval found enough for the task."""
    return state.retrieval is not None and state.retrieval.new_confidence >= state.understood.required_sufficiency


def is_idle(state: View, task: Task, given: ToPlan) -> bool:
    """Whether no planner is needed: for one branch, unless a tool may give what no passage says; and for parts that
    only have to be looked up, where a model has shown the words that answer each."""
    if given.tools:
        return task.is_plain and given.suffices
    shown = state.retrieval is not None and state.retrieval.sufficiency.shown
    return task.is_plain or (shown and task.query_type in _LOOKED_UP)


def patterns_of(recalled: Recollection | None) -> tuple[Pattern, ...]:
    """The remembered patterns, best first."""
    items = sorted(recalled.patterns if recalled else (), key=lambda item: -item.weight)
    return tuple(item.pattern for item in items if item.pattern)
