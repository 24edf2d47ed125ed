"""``intake`` opens a run: it takes the new question and clears what belonged to the last one."""

from langchain_core.messages import HumanMessage
from langgraph.runtime import Runtime
from langgraph.types import Overwrite

from calibrant.nodes.deps import Deps, Node
from calibrant.nodes.work import Work
from calibrant.state.budget import Spend
from calibrant.state.channels import Run, Update, View
from calibrant.state.context import Context
from calibrant.state.errors import InputError
from calibrant.state.events import RunStarted
from calibrant.state.evidence import Filters
from calibrant.state.task import Power

CLEARED: Update = {
    "task": None, "power": None, "interactive": None, "filters": None,
    "perceived": None, "recalled": None, "selected": None, "synthesis": None, "review": None,
    "request": None, "pending": None,
    "branches": Overwrite(()), "results": Overwrite(()), "intents": Overwrite(()),
    "retrievals": Overwrite(()), "decisions": Overwrite(()),
    "signals": Overwrite(()), "guidance": Overwrite(()), "warnings": Overwrite(()),
    "citations": Overwrite(()), "claims": Overwrite(()), "conflicts": Overwrite(()),
    "answer": "", "confidence": None, "unanswered": (), "stop_reason": None, "depth_used": 0,
}  # fmt: skip
"""What a new run starts without. Messages and evidence stay."""


def intake(deps: Deps) -> Node:
    """The node. Raises ``InputError`` where there is no question."""

    async def node(state: View, runtime: Runtime[Context]) -> Update:
        work = await Work.begin(deps, runtime)
        question = question_of(state)
        run = Run(
            id=deps.new_id(),
            turn=(state.run.turn if state.run else 0) + 1,
            started_at=work.started,
            question=question,
            power=_power(state.power, work.context.power),
            interactive=work.context.interactive if state.interactive is None else state.interactive,
            filters=_filters(state, work.context),
        )
        work.emit(RunStarted(run_id=run.id, turn=run.turn, question=question))
        said = {"messages": [HumanMessage(question)]} if state.task else {}
        return {**CLEARED, **said, "run": run, "spend": Overwrite(Spend(active=((work.started, deps.clock()),)))}

    return node


def question_of(state: View) -> str:
    """The task, or the last human message."""
    text = (state.task or "").strip()
    if not text:
        said = [message for message in state.messages if message.type == "human"]
        text = str(said[-1].text).strip() if said else ""
    if not text:
        raise InputError("the question is empty: give `task`, or `messages` with a human message")
    return text


def _power(given: str | None, default: Power) -> Power:
    if given is None:
        return default
    if given not in set(Power):
        raise InputError(f"power is {given!r}: use auto, 1, 2 or 3")
    return Power(given)


def _filters(state: View, context: Context) -> Filters:
    filters = Filters.model_validate(state.filters or {})
    return filters if filters.collections else filters.replace(collections=context.knowledge)
