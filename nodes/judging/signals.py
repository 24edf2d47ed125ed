"""Uncertainty signals as the phases observe them: in a model's words, in what tools gave, in sources that are gone, in
a review.

A result is a sign only once: at the judgement that follows the wave in which it was made. What a passage says is never
a sign.
"""

from collections.abc import Iterator, Sequence
from itertools import combinations

from calibrant.judges.cascade import Judged
from calibrant.judges.free.answering.claims import claims_of
from calibrant.judges.free.planning.tool_outputs import contradiction, parsed
from calibrant.judges.free.planning.tool_steps import wanted_tools
from calibrant.judges.given import ToReconcile
from calibrant.nodes.reading.history import attempt_of
from calibrant.nodes.toolbox import Tools
from calibrant.nodes.work import Work
from calibrant.state.answer import Review, Verdict
from calibrant.state.base import unique
from calibrant.state.channels import View
from calibrant.state.decision import Action
from calibrant.state.errors import FailureKind
from calibrant.state.retrieval import PAGES, is_silent
from calibrant.state.task import Branch, Phase, Step, StepStatus, SubResult, Task
from calibrant.state.uncertainty import Signal, SignalKind

IDENTICAL_FAILURES = 3
"""So many identical failures of a step are one signal (spec 5)."""

TIE = 0.02
"""Branches whose scores differ by less are equally good."""

_BY_FAILURE = {
    FailureKind.MISSING: SignalKind.MISSING_RESOURCE,
    FailureKind.TIMEOUT: SignalKind.UNEXPLAINED_TIMEOUT,
    FailureKind.LEFT_ALONE: SignalKind.BREAKER_OPENED,
}


def of_reading(hesitation: str, attempt: int) -> tuple[Signal, ...]:
    """A model that reads the request says, in these words, that it hesitates."""
    if not hesitation:
        return ()
    detail = f'the model hesitates: "{hesitation}"'
    return (Signal(kind=SignalKind.HESITATION, phase=Phase.PERCEIVE, attempt=attempt, detail=detail),)


def of_planner(judged: Judged[tuple[Branch, ...]], attempt: int) -> tuple[Signal, ...]:
    """What a planner's own words say: that it hesitates, that it names alternatives without choosing."""
    found = []
    if judged.hesitation:
        found.append((SignalKind.HESITATION, f'the planner hesitates: "{judged.hesitation}"'))
    if judged.alternatives:
        found.append((SignalKind.SEVERAL_CANDIDATES, f"several candidates: {', '.join(judged.alternatives)}"))
    return tuple(Signal(kind=kind, phase=Phase.REASON, attempt=attempt, detail=detail) for kind, detail in found)


def of_branches(branches: Sequence[Branch], best: Branch, attempt: int) -> tuple[Signal, ...]:
    """Another branch is as good as the best, and would call something else."""
    rivals = [one for one in branches if one.id != best.id and best.confidence.score - one.confidence.score < TIE]
    rival = next((one for one in rivals if _calls(one) and _calls(best) and _calls(one) != _calls(best)), None)
    if rival is None:
        return ()
    detail = f"two plans are equally good: {_calls_in_words(best)}, or {_calls_in_words(rival)}"
    return (Signal(kind=SignalKind.SEVERAL_CANDIDATES, phase=Phase.REASON, attempt=attempt, detail=detail),)


def _calls(branch: Branch) -> tuple[tuple[str, str], ...]:
    return tuple(sorted((step.tool, repr(sorted(step.arguments.items()))) for step in branch.calls))


def _calls_in_words(branch: Branch) -> str:
    """The calls of a branch in a few words."""
    return " and ".join(f"{step.tool}({', '.join(map(str, step.arguments.values()))})" for step in branch.calls)


def of_sources(state: View, phase: Phase, attempt: int) -> tuple[Signal, ...]:
    """After a retrieval in which no source could answer: a breaker is open, or they timed out for no known reason."""
    last = state.decision
    if last is None or last.action not in (Action.RETRIEVE, Action.REFINE) or state.retrieval is None:
        return ()
    reports = [report for report in state.retrieval.sources if report.source != PAGES]
    if not is_silent(reports):
        return ()
    left = [report.source for report in reports if report.left_alone]
    late = [report.source for report in reports if report.failure and report.failure.kind is FailureKind.TIMEOUT]
    if left:
        detail = f"no source is left to ask; {', '.join(left)} kept failing"
        return (Signal(kind=SignalKind.BREAKER_OPENED, phase=phase, attempt=attempt, detail=detail),)
    if late:
        detail = f"no source is left to ask; {', '.join(late)} gave no answer in time"
        return (Signal(kind=SignalKind.UNEXPLAINED_TIMEOUT, phase=phase, attempt=attempt, detail=detail),)
    return ()


async def of_execution(state: View, task: Task, branch: Branch, tools: Tools, work: Work) -> tuple[Signal, ...]:
    """What the steps say that have run since act last judged."""
    attempt = attempt_of(state, Phase.ACT)
    fresh = tuple(result for result in state.results if result.wave and result.wave == attempt - 1)
    found = [*in_results(fresh, attempt)]
    if detail := without_calls(task, branch, tuple(tools), fresh):
        found.append(Signal(kind=SignalKind.NO_TOOL_CALLS, phase=Phase.ACT, attempt=attempt, detail=detail))
    if detail := await _conflict(state, branch, fresh, work):
        found.append(Signal(kind=SignalKind.CONFLICTING_RESULTS, phase=Phase.ACT, attempt=attempt, detail=detail))
    return (*found, *of_sources(state, Phase.ACT, attempt))


def in_results(results: Sequence[SubResult], attempt: int) -> tuple[Signal, ...]:
    """The signals in what single steps gave."""
    return tuple(
        Signal(kind=kind, phase=Phase.ACT, attempt=attempt, detail=detail)
        for result in results
        for kind, detail in _in(result)
    )


def _in(result: SubResult) -> Iterator[tuple[SignalKind, str]]:
    if result.candidates:
        yield SignalKind.SEVERAL_CANDIDATES, f"several candidates: {', '.join(result.candidates)}"
    if result.contrary:
        yield SignalKind.CONFLICTING_RESULTS, result.contrary
    if result.failure is None:
        return
    detail = f"{result.failure.where}: {result.failure.message}"
    if result.alike >= IDENTICAL_FAILURES:
        yield SignalKind.REPEATED_FAILURE, f"failed {result.alike} times alike: {detail}"
    elif result.failure.kind in _BY_FAILURE:
        yield _BY_FAILURE[result.failure.kind], detail


def without_calls(task: Task, branch: Branch, tools: Sequence[str], fresh: Sequence[SubResult]) -> str:
    """Why a plan that needs a tool gets nowhere: it has no steps at all, or its steps ran and none made a call."""
    if not branch.steps:
        return "the plan has no steps"
    wanted = unique((*wanted_tools(task.text, tools), *branch.left_out))
    if not wanted or not fresh or branch.calls:
        return ""
    return f"nothing calls {', '.join(wanted)}, which the task needs"


async def _conflict(state: View, branch: Branch, fresh: Sequence[SubResult], work: Work) -> str:
    """How two tool results contradict each other, at least one of them new; empty where none do."""
    if not work.context.switches.conflicts:
        return ""
    steps = {step.id: step for step in branch.calls}
    results = [result for result in state.results if result.id in steps and result.status is StepStatus.ANSWERED]
    new = {result.id for result in fresh}
    for one, other in combinations(results, 2):
        if new & {one.id, other.id} and (detail := _differ(steps[one.id], one, steps[other.id], other)):
            return detail
    return await _in_words([result for result in results if parsed(result.content) is None], new, state, work)


def _differ(step: Step, one: SubResult, also: Step, other: SubResult) -> str:
    """The field in which two outputs about the same thing differ."""
    found = contradiction((step.arguments, parsed(one.content)), (also.arguments, parsed(other.content)))
    return f"{step.tool} and {also.tool} disagree on {found[0]}: {found[1]} against {found[2]}" if found else ""


async def _in_words(results: Sequence[SubResult], new: set[str], state: View, work: Work) -> str:
    """The same for outputs in prose, by the judgement that finds conflicts between claims."""
    if len(results) < 2 or not any(result.id in new for result in results):
        return ""
    claims = claims_of(results, state.evidence, limit=work.context.max_claims)
    given = ToReconcile(
        claims=claims, evidence=state.evidence, threshold=work.context.conflict_threshold, today=work.today
    )
    found = (await work.judge(work.panel.reconcile, given)).value
    touching = [one for one in found if new & {one.first.question_id, one.second.question_id}]
    return f'tool results disagree: "{touching[0].first.text}" against "{touching[0].second.text}"' if touching else ""


def of_review(review: Review, attempt: int) -> tuple[Signal, ...]:
    """A review in which most claims could be neither supported nor refuted is inconclusive."""
    unverified = sum(1 for claim in review.claims if claim.verdict is Verdict.UNVERIFIED)
    if not review.claims or unverified * 2 <= len(review.claims):
        return ()
    detail = f"{unverified} of {len(review.claims)} claims could not be verified"
    return (Signal(kind=SignalKind.INCONCLUSIVE, phase=Phase.REFLECT, attempt=attempt, detail=detail),)
