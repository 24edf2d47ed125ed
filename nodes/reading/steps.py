"""Which steps of a plan are done, ready, or to be run again, and what they may spend. Pure functions over the state."""

from collections.abc import Sequence

from calibrant.judges.free.words.text import folded_stems
from calibrant.judges.free.words.tongues import tongue
from calibrant.state.budget import Allowance, Ledger
from calibrant.state.channels import View
from calibrant.state.decision import Action, of_phase
from calibrant.state.errors import FailureKind
from calibrant.state.evidence import Evidence
from calibrant.state.guidance import Guidance
from calibrant.state.task import Branch, Phase, Step, StepKind, StepStatus, SubResult, Task

MAX_ATTEMPTS = 3
"""A failed read-only step is tried so often (DESIGN: read-only calls up to three times)."""

BRANCH_EVIDENCE = 12
"""Passages that travel to a branch or a step: enough to judge, few enough to keep checkpoints small."""

PARTLY = 0.75
"""How much of one question an answer is thought to tell of which a model says that something is missing."""

UNSETTLED = (StepStatus.UNANSWERED, StepStatus.FAILED, StepStatus.REOPENED)
SETTLED = (StepStatus.ANSWERED, StepStatus.UNANSWERED, StepStatus.SKIPPED)


def asked_steps(branch: Branch | None, task: Task | None) -> tuple[Step, ...]:
    """The steps that answer what was asked. Where each part has a step of its own, what those wait for only prepares
    them, and nobody wants to read of it."""
    steps = branch.steps if branch else ()
    parts = {part.text for part in task.questions} if task else set()
    if not parts or not parts <= {step.question for step in steps}:
        return steps
    awaited = {step_id for step in steps for step_id in step.depends_on}
    return tuple(
        step for step in steps if step.kind is StepKind.TOOL or step.question in parts or step.id not in awaited
    )


def lacked(result: SubResult | None) -> str:
    """What a model found missing when it tried a step; empty where it did not."""
    return result.missing if result is not None and result.tier == "model" else ""


def found_share(step: Step, result: SubResult | None) -> float:
    """How much of what ``step`` asks its result answers, by what a model, or for each of several parts code, says is
    missing: such things are told apart by semicolons."""
    if result is None or not result.missing:
        return 1.0
    if not step.parts:
        return PARTLY if result.tier == "model" else 1.0
    count, missing = len(step.parts), result.missing.count(";") + 1
    return max(1, count - missing) / count


def for_steps(ledger: Ledger, results: Sequence[SubResult]) -> Allowance:
    """What steps may spend. Where a model has found nothing so far, there may be nothing to keep the closing slice for:
    it goes into the next try."""
    nothing = any(map(lacked, results)) and not any(result.status is StepStatus.ANSWERED for result in results)
    return ledger.left(closing=nothing)


def reopened(state: View) -> tuple[SubResult, ...]:
    """The results of the selected branch, as far as they still hold; the others are reopened, to be given again.

    Once a person has said to go on: all that gave no answer, and where reflect had asked them, the answers too. Each
    step may then be tried as often as at first; a call that may have changed something needs approval anew.
    Once a retrieval has found something new: the steps without an answer, or with one that is not whole.
    Once it has not: those that a model found no answer to, if passages are held that it was not shown and that may tell
    what it lacks.
    """
    if state.selected is None:
        return ()
    kinds = {step.id: step.kind for step in state.selected.steps}
    own = tuple(result for result in state.results if result.id in kinds)
    if said := said_to_go_on(state):
        answers = {key for key, kind in kinds.items() if kind is StepKind.ANSWER and said.phase is Phase.REFLECT}
        return tuple(
            _afresh(result) if result.id in answers or result.status in UNSETTLED else result for result in own
        )
    if not _searched(state):
        return own
    more = bool(state.retrieval and state.retrieval.new_ids)
    return tuple(
        _again(state.steps, result) if more or _may_tell_more(state.evidence, result) else result for result in own
    )


def _may_tell_more(evidence: Sequence[Evidence], result: SubResult) -> bool:
    """Whether a passage that a model was not shown has a word of what it lacks, or is in another language."""
    lacking, read = lacked(result), set(result.read)
    wanted, language = folded_stems(lacking), tongue(lacking)
    unread = (item.text for item in evidence if item.id not in read)
    return bool(lacking) and any(wanted & folded_stems(text) or tongue(text) not in ("", language) for text in unread)


def said_to_go_on(state: View) -> Guidance | None:
    """The answer of a person who was asked by act, or by reflect after it, since act last judged, and said to go on,
    with or without guidance."""
    last = state.guidance[-1] if state.guidance else None
    if last is None or last.phase not in (Phase.ACT, Phase.REFLECT) or last.action not in ("guide", "retry"):
        return None
    ids = [decision.id for decision in state.decisions]
    since = state.decisions[ids.index(last.request_id) + 1 :] if last.request_id in ids else ()
    return None if of_phase(since, Phase.ACT) else last


def _searched(state: View) -> bool:
    """Whether act's last judgement led to a retrieval."""
    judged = of_phase(state.decisions, Phase.ACT)
    return bool(judged) and judged[-1].action is Action.RETRIEVE


def _again(steps: Sequence[Step], result: SubResult) -> SubResult:
    """The result reopened where there is no answer, or none that is whole."""
    again = result.status is StepStatus.UNANSWERED or is_partial(steps, result)
    return result.replace(status=StepStatus.REOPENED) if again else result


def is_partial(steps: Sequence[Step], result: SubResult) -> bool:
    """Whether a model has answered one of ``steps`` but for what it named as missing: of several parts, or of a single
    question once, for what it misses there may be nothing but more to say."""
    several = any(step.parts for step in steps if step.id == result.id)
    return result.status is StepStatus.ANSWERED and bool(lacked(result)) and (several or result.attempts == 1)


def _afresh(result: SubResult) -> SubResult:
    return result.replace(status=StepStatus.REOPENED, final=False, tries=0, alike=0)


def result_of(step: Step, results: Sequence[SubResult]) -> SubResult | None:
    """What the last attempt at ``step`` gave; None before the first."""
    return next((result for result in results if result.id == step.id), None)


def unfinished(branch: Branch | None, results: Sequence[SubResult]) -> tuple[Step, ...]:
    """The steps that have no settled result and may still be tried."""
    steps = branch.steps if branch else ()
    return tuple(step for step in steps if is_open(result_of(step, results)))


def is_open(result: SubResult | None) -> bool:
    """Whether the step of ``result`` may still be run. A call whose outcome is unknown stays open until a person has
    spoken."""
    if result is None or result.status is StepStatus.REOPENED:
        return True
    if result.status in SETTLED or result.final:
        return False
    failure = result.failure  # None where an earlier version stored what is to be run again
    return failure is None or failure.kind is FailureKind.UNKNOWN or result.tries < MAX_ATTEMPTS


def ready(branch: Branch, results: Sequence[SubResult]) -> tuple[Step, ...]:
    """The unfinished steps whose dependencies are settled."""
    open_steps = unfinished(branch, results)
    waiting = {step.id for step in open_steps}
    return tuple(step for step in open_steps if not waiting.intersection(step.depends_on))


def with_ids_of_before(branch: Branch, state: View, attempt: int) -> Branch:
    """A plan that was made anew: its steps that were run before have the ids that they had then, and no other step has
    one of those. Results go by ids, and a model gives its steps other places."""
    ids: dict[str, str] = {}
    for in_other_words in (False, True):
        for step in branch.steps:
            taken = {*ids.values()}
            free = (result for result in state.results if result.id not in taken and step.id not in ids)
            same = next((one for one in free if _was_run(step, one, state, in_other_words)), None)
            ids |= {step.id: same.id} if same else {}
    run = {result.id for result in state.results}
    ids = {step.id: f"{step.id}@{attempt}" for step in branch.steps if step.id in run} | ids
    steps = (
        step.replace(id=ids.get(step.id, step.id), depends_on=tuple(ids.get(one, one) for one in step.depends_on))
        for step in branch.steps
    )
    return branch.replace(steps=tuple(steps))


def _was_run(step: Step, result: SubResult, state: View, in_other_words: bool) -> bool:
    """Whether ``result`` is that of ``step``. One call that may have changed something, or that nobody approved, is not
    made again ``in_other_words``; one that only read is another one with other arguments."""
    planned = {one.id: one.tool for one in state.steps}
    made = {one.step_id: one for one in state.intents}.get(result.id)
    if (made.tool if made else planned.get(result.id, "")) != step.tool:
        return False
    if made is not None and not made.changes and not step.arguments.items() <= made.arguments.items():
        return False
    is_call_that_changes = bool(step.tool) and (made is None or made.changes)
    return result.question == step.question or (in_other_words and is_call_that_changes)
