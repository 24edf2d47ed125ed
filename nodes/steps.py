"""Which steps of a plan are done, ready, to be run again, or waiting for approval. Pure functions over the state."""

from collections.abc import Mapping, Sequence

from langchain_core.tools import BaseTool

from calibrant.nodes.reason import is_read_only
from calibrant.state.channels import View
from calibrant.state.decision import Action
from calibrant.state.guidance import CallAnswer, PendingCall
from calibrant.state.task import Branch, Phase, Step, StepKind, StepStatus, SubResult

MAX_ATTEMPTS = 3
"""A failed read-only step is tried so often (DESIGN: read-only calls up to three times)."""

SETTLED = (StepStatus.ANSWERED, StepStatus.UNANSWERED, StepStatus.SKIPPED)


def reopened(state: View) -> tuple[SubResult, ...]:
    """The results of the selected branch, as far as they still hold.

    Coming back from a retrieval or from a person, steps without an answer are to be run again: their results are
    reopened (``attempts`` is kept, the status becomes FAILED, which means "to be run").
    """
    if state.selected is None:
        return ()
    ids = {step.id for step in state.selected.steps}
    own = [result for result in state.results if result.id in ids]
    return tuple(
        _again(result) if _is_fresh(state) and result.status is StepStatus.UNANSWERED else result for result in own
    )


def _is_fresh(state: View) -> bool:
    """Whether something new has come since act last judged: passages, or an answer from a person."""
    judged = [decision for decision in state.decisions if decision.phase is Phase.ACT]
    if not judged:
        return False
    if judged[-1].action is Action.RETRIEVE:
        return bool(state.retrieval and state.retrieval.new_ids)
    return judged[-1].action is Action.ASK


def _again(result: SubResult) -> SubResult:
    return result.replace(status=StepStatus.FAILED)


def unfinished(branch: Branch | None, results: Sequence[SubResult]) -> tuple[Step, ...]:
    """The steps that have no settled result and may still be tried."""
    done = {result.id: result for result in results}
    return tuple(step for step in (branch.steps if branch else ()) if _is_open(done.get(step.id)))


def _is_open(result: SubResult | None) -> bool:
    if result is None:
        return True
    if result.status in SETTLED or result.final:
        return False
    return result.failure is None or result.attempts < MAX_ATTEMPTS


def ready(branch: Branch, results: Sequence[SubResult]) -> tuple[Step, ...]:
    """The unfinished steps whose dependencies are settled."""
    open_steps = unfinished(branch, results)
    waiting = {step.id for step in open_steps}
    return tuple(step for step in open_steps if not waiting.intersection(step.depends_on))


def verdict_on(state: View, step: Step) -> CallAnswer | None:
    """What a person said about the call of ``step``, if it was asked for."""
    return next(
        (call for answer in reversed(state.guidance) for call in answer.calls if call.id == call_id(state, step)), None
    )


def call_id(state: View, step: Step) -> str:
    """The idempotency key of a step's call: one for each run and step."""
    return f"{state.run.id if state.run else ''}:{step.id}"


def needs_approval(state: View, branch: Branch, tools: Mapping[str, BaseTool]) -> tuple[PendingCall, ...]:
    """The calls of ready steps that change something and have no verdict yet."""
    return tuple(
        PendingCall(
            id=call_id(state, step), tool=step.tool, arguments=step.arguments, why=step.question, step_id=step.id
        )
        for step in ready(branch, state.results)
        if step.kind is StepKind.TOOL
        and step.tool in tools
        and not is_read_only(tools[step.tool].metadata)
        and verdict_on(state, step) is None
    )
