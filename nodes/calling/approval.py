"""Tool calls before they are made: what each will be, which need a person's word, and what is stored of them."""

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from langchain_core.tools import BaseTool

from calibrant.nodes.judging.deciding import PhaseJudgement, traced
from calibrant.nodes.reading.called import TOLD_LIMIT
from calibrant.nodes.reading.steps import ready, result_of, unfinished
from calibrant.nodes.telling.phrases import Phrases, phrases_for
from calibrant.nodes.toolbox import Tools, is_read_only, parameters_of
from calibrant.nodes.work import Work
from calibrant.state.channels import Update, View
from calibrant.state.decision import Action, Asking, Rule, Ruling
from calibrant.state.errors import FailureKind
from calibrant.state.guidance import ApprovalAction, ApprovalRequest, CallAnswer, PendingCall
from calibrant.state.record import clipped
from calibrant.state.task import Branch, Intent, Language, Step, StepKind, StepStatus, SubResult, Task, call_text

LOST = "it was begun before the run was cut off, and its result was lost: it may already have happened"
NOT_APPROVED = "not approved"
NOBODY_THERE = "nobody is there to approve it"
FAILED_BEFORE = "it failed before: it may have happened all the same"


def idempotency_key(state: View, step: Step) -> str:
    """One for each run, step and arguments: a service that knows the key does the same thing only once. What was tried
    with these arguments before keeps the key that it had then."""
    digest = _digest(step.arguments)
    tried = (one.key for one in state.intents if one.step_id == step.id and _digest(one.arguments) == digest)
    return next(tried, f"{_in_run(state, step)}:{digest}")


def _digest(arguments: Mapping[str, Any]) -> str:
    return hashlib.sha256(json.dumps(arguments, sort_keys=True, default=str).encode()).hexdigest()[:12]


def _in_run(state: View, step: Step) -> str:
    return f"{state.run.id if state.run else ''}:{step.id}"


def call_id(state: View, step: Step) -> str:
    """What a person approves: one attempt at the call of ``step``, also with arguments of their own."""
    before, first = result_of(step, state.results), _in_run(state, step)
    return first if before is None else f"{first}#{before.attempts + 1}"


def verdict_on(state: View, step: Step) -> CallAnswer | None:
    """What a person said about this attempt at the call of ``step``, if it was asked for."""
    wanted = call_id(state, step)
    return next((call for answer in reversed(state.guidance) for call in answer.calls if call.id == wanted), None)


def needs_approval(state: View, branch: Branch, tools: Tools) -> tuple[PendingCall, ...]:
    """The calls of ready steps that change something and have no verdict yet."""
    return tuple(
        _pending(state, step, tools[step.tool])
        for step in _calls(state, branch, tools)
        if not is_read_only(tools[step.tool]) and verdict_on(state, step) is None
    )


def _calls(state: View, branch: Branch, tools: Tools) -> Iterator[Step]:
    """The ready steps whose calls can be made: one that awaits something cannot."""
    for step in ready(branch, state.results):
        if step.kind is StepKind.TOOL and step.tool in tools and not step.awaits:
            yield step


def _pending(state: View, step: Step, tool: BaseTool) -> PendingCall:
    before = result_of(step, state.results)
    why = "" if step.question == call_text(step.tool, step.arguments) else step.question
    if before is not None and before.failure is not None:
        why = f"{why} ({LOST if before.failure.kind is FailureKind.UNKNOWN else FAILED_BEFORE})".strip()
    return PendingCall(
        id=call_id(state, step),
        tool=step.tool,
        arguments=step.arguments,
        why=why,
        rests_on=tuple(_told(result) for result in state.results if result.id in step.depends_on),
        step_id=step.id,
        may_have_happened=before is not None,
        parameters=parameters_of(tool),
    )


def _told(result: SubResult) -> str:
    """What a step gave, in a few words: on this the call rests."""
    failure = result.failure.message if result.failure else ""
    gave = result.content or failure or result.missing
    return f"{clipped(result.question, TOLD_LIMIT)}: {clipped(gave, TOLD_LIMIT)}"


def intents(state: View, branch: Branch, tools: Tools, work: Work) -> tuple[Intent, ...]:
    """The calls that the coming fan-out makes, to be stored before any of them is."""
    calls = _calls(state, branch, tools)
    return tuple(_intent(state, step, tools, work) for step in calls if not _is_rejected(state, step))


def _intent(state: View, step: Step, tools: Tools, work: Work) -> Intent:
    return Intent(
        id=call_id(state, step),
        key=idempotency_key(state, step),
        step_id=step.id,
        tool=step.tool,
        arguments=step.arguments,
        changes=not is_read_only(tools[step.tool]),
        holder=work.deps.holder,
        at=work.deps.clock(),
    )


def _is_rejected(state: View, step: Step) -> bool:
    verdict = verdict_on(state, step)
    return verdict is not None and verdict.action is ApprovalAction.REJECT


def intent_of(state: View, step: Step) -> Intent | None:
    """What is stored of the coming call of ``step``."""
    return next((intent for intent in state.intents if intent.id == call_id(state, step)), None)


def ask_approval(judgement: PhaseJudgement, task: Task, branch: Branch, calls: Sequence[PendingCall]) -> Update:
    """One question for all calls that change something; with nobody there, none of them is made."""
    state = judgement.state
    asked = [call.tool for call in calls]
    names = ", ".join(asked)
    why, *_ = Phrases(Language.ENGLISH).approval_sought(asked, ())
    lost = [call.tool for call in calls if call.may_have_happened]
    reasons = phrases_for(state).approval_sought(asked, lost)
    if state.run is None or not state.run.interactive:
        warning = f"Not run, because {NOBODY_THERE}: {names}."
        ruling = Ruling(
            rule=Rule.UNAPPROVED, action=Action.PROCEED, asking=Asking.APPROVAL, reason=why, warning=warning
        )
        waiting = {call.step_id for call in calls}
        left = [step for step in unfinished(branch, state.results) if step.id in waiting]
        refused = tuple(skipped(step, state.results, NOBODY_THERE) for step in left)
        return traced(judgement.record(ruling), results=refused)
    ruling = Ruling(rule=Rule.APPROVAL, action=Action.ASK, asking=Asking.APPROVAL, reason=why)
    decision = judgement.record(ruling)
    request = ApprovalRequest(
        id=decision.id,
        phase=judgement.phase,
        task=task.text,
        reasons=reasons,
        score=judgement.confidence.score,
        asked_at=decision.at,
        calls=tuple(calls),
    )
    return traced(decision, pending=request)


def skipped(step: Step, results: Sequence[SubResult] = (), why: str = "") -> SubResult:
    """The result of a step that is not run. ``results`` may hold an earlier attempt at it, which is not repeated."""
    return left_out(step, result_of(step, results), "", why or step.question)


def left_out(step: Step, before: SubResult | None, said: str, otherwise: str) -> SubResult:
    """A skipped result with the person's reason, else ``otherwise``. If the attempt ``before`` may have taken effect,
    it still says so."""
    result = SubResult(id=step.id, question=step.question, status=StepStatus.SKIPPED, missing=said or otherwise)
    if before is None or before.failure is None or not before.begun:
        return result
    known = (before.failure.message, "it was not run again", said)
    return result.replace(missing="; ".join(filter(None, known)), begun=True)
