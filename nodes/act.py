"""``act`` judges the plan before it runs, and again after each wave of steps, until no step is left to run.

The steps themselves run in ``step``, side by side. ``act`` looks at what they gave: a step without an answer lowers
the score, so that the rule may search; failures become signals, so that the rule may ask.
"""

from collections.abc import Sequence

from langgraph.runtime import Runtime

from calibrant.judges.free.clarity import strategy_clarity
from calibrant.judges.free.phase import phase_confidence
from calibrant.judges.given import ToSuffice
from calibrant.nodes.deps import Deps, Node
from calibrant.nodes.judging import attempt_of, decided, open_phase, question_for, record, rule, situation
from calibrant.nodes.requests import request_for
from calibrant.nodes.steps import needs_approval, reopened, unfinished
from calibrant.nodes.work import Work
from calibrant.state.base import unique
from calibrant.state.channels import Update, View
from calibrant.state.confidence import Confidence
from calibrant.state.context import Context
from calibrant.state.decision import Action, Asking, Ruling
from calibrant.state.errors import FailureKind
from calibrant.state.guidance import ApprovalRequest, PendingCall
from calibrant.state.memory import Recollection
from calibrant.state.task import Branch, Phase, Step, StepKind, StepStatus, SubResult, Task
from calibrant.state.uncertainty import Signal, SignalKind

IDENTICAL_FAILURES = 3
"""So many identical failures of a step are one signal (spec 5)."""


def act(deps: Deps) -> Node:
    """The node."""

    async def node(state: View, runtime: Runtime[Context]) -> Update:
        work = await Work.begin(deps, runtime, state)
        task, branch = _plan(state)
        open_phase(work, state, Phase.ACT)
        results = reopened(state)
        state = state.model_copy(update={"results": results})
        per_step = await _per_step(state, branch, task, work)
        confidence = _confidence(state, branch, task, per_step, work)
        signals = signals_of(results, attempt_of(state, Phase.ACT))
        update = _conclude(state, deps, work, confidence, per_step, signals)
        return work.done({"results": results, **update})

    return node


def _plan(state: View) -> tuple[Task, Branch]:
    if state.perceived is None or state.selected is None:
        raise RuntimeError("act runs after a branch was selected")
    return state.perceived, state.selected


def _conclude(
    state: View, deps: Deps, work: Work, confidence: Confidence, per_step: Sequence[float], signals: Sequence[Signal]
) -> Update:
    """The decision, with what goes on from it: a request, a question, a question for approval, or skipped steps."""
    task, branch = _plan(state)
    seen = situation(state, Phase.ACT, confidence, work, signals)
    decision = rule(state, Phase.ACT, confidence, work, seen)
    weak = [step for step, score in zip(branch.steps, per_step, strict=True) if score < task.required_sufficiency]
    request = request_for(
        state,
        task,
        decision,
        work,
        questions=tuple(step.question for step in weak if step.kind is StepKind.ANSWER),
        queries=unique(query for step in weak for query in step.queries),
        missing=unique(result.missing for result in state.results if result.missing),
    )
    update = decided(decision, request=request, signals=tuple(signals), **question_for(state, decision, work, signals))
    if decision.action is Action.SKIP:
        update["results"] = tuple(_skipped(step) for step in unfinished(branch, state.results))
    elif decision.action is Action.PROCEED and (calls := needs_approval(state, branch, deps.tools)):
        update |= _ask_approval(state, work, confidence, calls)
    return update


def _confidence(state: View, branch: Branch, task: Task, per_step: Sequence[float], work: Work) -> Confidence:
    return phase_confidence(
        Phase.ACT,
        task=task,
        recollection=state.recalled or Recollection(),
        sufficiency=None,
        per_step=per_step,
        clarity=strategy_clarity(branch, task).score or 0.0,
        risk=task.risk,
        weights=work.context.phase_weights,
    )


async def _per_step(state: View, branch: Branch, task: Task, work: Work) -> list[float]:
    """How well each step is covered: by the evidence before it ran, by its outcome after."""
    covered = await _covered(state, [step for step in branch.steps if step.kind is StepKind.ANSWER], task, work)
    done = {result.id: result for result in state.results}
    scores = []
    for step in branch.steps:
        result = done.get(step.id)
        if result is not None and result.status is not StepStatus.ANSWERED:
            scores.append(0.0)
        elif step.kind is StepKind.TOOL:
            scores.append(1.0 if result else task.understanding)
        else:
            scores.append(covered[step.id])
    return scores


async def _covered(state: View, steps: Sequence[Step], task: Task, work: Work) -> dict[str, float]:
    """The coverage of each step's question, from one judgement over all of them."""
    if not steps or not state.evidence:
        return dict.fromkeys((step.id for step in steps), 0.0)
    given = ToSuffice(
        questions=tuple(step.question for step in steps),
        evidence=state.evidence,
        query_type=task.query_type,
        time_sensitive=task.time_sensitive,
        weights=work.context.sufficiency_weights,
    )
    found = (await work.judge(work.panel.suffice, given)).value
    parts = found.parts if len(found.parts) == len(steps) > 1 else (found.score,) * len(steps)
    return {step.id: score for step, score in zip(steps, parts, strict=True)}


def signals_of(results: Sequence[SubResult], attempt: int) -> tuple[Signal, ...]:
    """The signals in what the steps gave: repeated identical failures, missing resources, unexplained timeouts."""
    signals = []
    for result in results:
        if result.failure is None:
            continue
        detail = f"{result.failure.where}: {result.failure.message}"
        if result.alike >= IDENTICAL_FAILURES:
            detail = f"failed {result.alike} times alike: {detail}"
            signals.append(Signal(kind=SignalKind.REPEATED_FAILURE, phase=Phase.ACT, attempt=attempt, detail=detail))
        elif result.failure.kind is FailureKind.MISSING:
            signals.append(Signal(kind=SignalKind.MISSING_RESOURCE, phase=Phase.ACT, attempt=attempt, detail=detail))
        elif result.failure.kind is FailureKind.TIMEOUT:
            signals.append(Signal(kind=SignalKind.UNEXPLAINED_TIMEOUT, phase=Phase.ACT, attempt=attempt, detail=detail))
    return tuple(signals)


def _skipped(step: Step) -> SubResult:
    return SubResult(id=step.id, question=step.question, status=StepStatus.SKIPPED, missing=step.question)


def _ask_approval(state: View, work: Work, confidence: Confidence, calls: Sequence[PendingCall]) -> Update:
    """One question for all calls that change something."""
    run, (task, branch) = state.run, _plan(state)
    names = ", ".join(call.tool for call in calls)
    asked = run is not None and run.interactive
    action = Action.ASK if asked else Action.PROCEED
    warning = "" if asked else f"Not run, because nobody is there to approve it: {names}."
    ruling = Ruling(
        row=0,
        action=action,
        asking=Asking.APPROVAL,
        reason=f"{names} changes something: it needs approval",
        warning=warning,
    )
    decision = record(state, Phase.ACT, confidence, work, ruling)
    if not asked:
        refused = tuple(_skipped(step) for step in unfinished(branch, state.results) if step.kind is StepKind.TOOL)
        return decided(decision, results=refused)
    request = ApprovalRequest(
        id=decision.id,
        phase=Phase.ACT,
        task=task.text,
        reasons=(ruling.reason,),
        score=confidence.score,
        asked_at=decision.at,
        calls=tuple(calls),
    )
    return decided(decision, pending=request)
