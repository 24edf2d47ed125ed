"""``salvage`` is the error handler: a node that failed or ran out of time does not take the run with it."""

from collections.abc import Awaitable, Callable
from typing import Any, Literal

from langgraph.errors import NodeError
from langgraph.runtime import Runtime
from langgraph.types import Command

from calibrant.nodes.deps import Deps
from calibrant.nodes.judging.deciding import PhaseJudgement, traced
from calibrant.nodes.work import Work
from calibrant.state.channels import Update, View
from calibrant.state.confidence import Confidence
from calibrant.state.context import Context
from calibrant.state.decision import Action, Rule, Ruling
from calibrant.state.errors import failure_of
from calibrant.state.task import Phase

Handler = Callable[[Any, NodeError, Runtime[Context]], Awaitable[Command[Literal["respond"]]]]


def salvage(deps: Deps) -> Handler:
    """The handler: it names the failure and goes to ``respond``, which renders whatever there is."""

    async def handler(state: Any, error: NodeError, runtime: Runtime[Context]) -> Command[Literal["respond"]]:
        state = View.model_validate(state)  # a subgraph's handler gets the subgraph's input, as a dict
        return Command(update=_failed(state, error, await Work.begin(deps, runtime, state)), goto="respond")

    return handler


def _failed(state: View, error: NodeError, work: Work) -> Update:
    """What is told of the failure, and why the run goes on with what there is."""
    failure = failure_of(error.error, error.node)
    why = f"{failure.where} failed: {failure.message}"
    asked = state.request.phase if state.request else Phase.PERCEIVE  # all that a retrieval's handler knows
    phase = state.decision.phase if state.decision else asked
    warning = f"{why}. Answered with what there was."
    ruling = Ruling(rule=Rule.SALVAGE, action=Action.RESPOND, reason=why, warning=warning)
    return work.done(traced(PhaseJudgement(state, phase, Confidence(), work).record(ruling)))
