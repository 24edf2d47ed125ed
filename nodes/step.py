"""``step`` carries out one step of the plan: it answers from the evidence, or calls a tool. Failures become typed
results."""

from collections.abc import Sequence

from langgraph.runtime import Runtime

from calibrant.judges.fallbacks import unanswered
from calibrant.judges.free.answering.second_reading import with_more
from calibrant.judges.given import ToAnswer, ToScore
from calibrant.nodes.calling.approval import LOST, NOT_APPROVED, left_out
from calibrant.nodes.calling.calls import Call, Outcome
from calibrant.nodes.deps import Deps, Node
from calibrant.nodes.reading.pasted import pasted_passages
from calibrant.nodes.reading.steps import lacked
from calibrant.nodes.statement_check import StatementCheck
from calibrant.nodes.toolbox import is_read_only, toolbox
from calibrant.nodes.work import Work
from calibrant.state.base import Value, unique
from calibrant.state.budget import Allowance
from calibrant.state.channels import Update
from calibrant.state.context import Context
from calibrant.state.errors import Failure, FailureKind, failure_of
from calibrant.state.events import StepDone
from calibrant.state.evidence import Evidence
from calibrant.state.guidance import ApprovalAction, CallAnswer
from calibrant.state.task import Intent, Step, StepKind, StepStatus, SubResult, Task

UNKNOWN = "it cannot be called, for nothing found tells its {}"


class StepTask(Value):
    """What one ``step`` gets: the step, the passages that fit it, and its share of the budget."""

    step: Step
    task: Task
    evidence: tuple[Evidence, ...] = ()
    earlier: tuple[SubResult, ...] = ()
    previous: SubResult | None = None
    """What the attempt before this one gave."""
    guidance: str = ""
    verdict: CallAnswer | None = None
    intent: Intent | None = None
    """What ``act`` stored of the call that this step makes."""
    wave: int = 0
    """After which judgement of ``act`` it runs."""
    may_ask: bool = False
    """Whether a person is there: a tool may have a question of its own."""
    allowance: Allowance = Allowance()
    review: Allowance = Allowance()
    """What a single step that answers all may spend on the check of its answer: that is the review already."""
    unfound: bool = False
    """Whether nothing that was found is thought to answer anything, and not for its words alone."""
    pasted: tuple[Evidence, ...] = ()
    """What was pasted with the request, for a model."""
    newest: tuple[Evidence, ...] = ()
    """What tells of the newest versions, where the latest is asked for: a model can tell that it is, words cannot."""

    @property
    def readable(self) -> tuple[Evidence, ...]:
        """All that a model is shown."""
        return (*self.pasted, *self.evidence)


def step(deps: Deps) -> Node:
    """The node: runs once for each ``Send``. A finished step is not run again after a crash: its result is in the
    checkpoint."""

    async def node(state: StepTask, runtime: Runtime[Context]) -> Update:
        job = StepTask.model_validate(state)
        work = await Work.begin(deps, runtime)
        if job.step.kind is StepKind.TOOL:
            result, evidence = await _call(job, work, runtime)
        else:
            job = for_model(job) if work.has_model else job
            result = or_before(await _answer(job, work), job)
            evidence = told_from(job.pasted, result)
        result = with_attempts(result, job.previous).replace(wave=job.wave)
        work.emit(StepDone.of(result, job.step.parts))
        return work.done({"results": (result,), "evidence": evidence})

    return node


def for_model(job: StepTask) -> StepTask:
    """The step with what a model reads beside what looks like an answer: what was pasted with the request and fits its
    question, and the newest versions."""
    newest = tuple(item.replace(relevance=1.0) for item in job.newest)
    ids = {item.id for item in newest}
    evidence = (*newest, *(item for item in job.evidence if item.id not in ids))
    return job.replace(pasted=pasted_passages(job.task.original, job.step.question), evidence=evidence)


def told_from(pasted: Sequence[Evidence], result: SubResult) -> tuple[Evidence, ...]:
    """Those of the ``pasted`` passages that the result quotes: from there on they are evidence like any other."""
    quoted = {eid for statement in result.statements for eid in statement.evidence_ids}
    return tuple(item for item in pasted if item.id in quoted)


def lost_step(job: StepTask, error: Exception) -> Update:
    """What a step comes to that broke or hung: a failure, like any other. Whether a call that changes something was
    made before that, nobody knows."""
    failure, made = failure_of(error, job.step.tool or "step"), job.intent is not None and job.intent.changes
    if made:
        failure = failure.replace(kind=FailureKind.UNKNOWN, message=LOST)
    result = SubResult(
        id=job.step.id, question=job.step.question, status=StepStatus.FAILED, failure=failure, begun=made
    )
    return {"results": (with_attempts(result, job.previous).replace(wave=job.wave),)}


def with_attempts(result: SubResult, previous: SubResult | None) -> SubResult:
    """``result`` with its number of attempts, of identical failures in a row, and with how it contradicts the attempt
    before it (spec 5: a check that something is there fails, then succeeds). What was read stays read."""
    if previous is None:
        return result.replace(attempts=1, tries=1, alike=1 if result.failure else 0)
    read = unique((*previous.read, *result.read))
    result = result.replace(attempts=previous.attempts + 1, tries=previous.tries + 1, read=read)
    before = previous.failure
    if result.failure is None:
        turned = before is not None and before.kind is FailureKind.MISSING
        return result.replace(contrary=f"{before.where}: missing at first, then there" if before and turned else "")
    return result.replace(alike=1 + (previous.alike if _signature(previous) == _signature(result) else 0))


def or_before(result: SubResult, job: StepTask) -> SubResult:
    """With what a model had found before a refined search, which nobody has doubted: where nothing is found now, that
    alone; where what was lacking is found, both."""
    before = _undoubted(job)
    if before is None:
        return result
    if result.status is not StepStatus.ANSWERED:
        missing = lacked(before) and (result.missing or before.missing)
        return before.replace(status=StepStatus.ANSWERED, missing=missing, read=unique((*before.read, *result.read)))
    if result.tier != "model" or not lacked(before):
        return result
    return result.replace(statements=with_more(before.statements, result.statements, job.readable, lacked(before)))


def _undoubted(job: StepTask) -> SubResult | None:
    """What a model had found when it tried the step before, if anything, and unless a person has spoken since."""
    before = job.previous
    is_held = before is not None and before.tier == "model" and bool(before.statements) and not job.guidance
    return before if is_held else None


def _signature(result: SubResult) -> str:
    return result.failure.signature if result.failure else ""


async def _answer(job: StepTask, work: Work) -> SubResult:
    """The answer to the step's question, scored."""
    before = _undoubted(job)
    given = ToAnswer(
        step=job.step,
        task=job.task,
        evidence=job.evidence,
        earlier=job.earlier,
        guidance=job.guidance,
        today=work.today,
        pasted=job.pasted,
        stated=before.content if before and lacked(before) else "",
    )
    judged = await work.judge(work.panel.answer, given, allowance=job.allowance)
    result = judged.value.replace(tier=judged.tier)
    if result.tier != "model" and (missing := lacked(job.previous)):
        # A model has read what was found, and has no call left for the rest: words would quote what is nearest.
        result = unanswered(given).replace(missing=missing, tier="model")
    if result.status is not StepStatus.ANSWERED:
        return result
    if result.tier == "model":
        # With something missing the step may run again: what is kept for the review is not spent yet, unless that is
        # all that is left, and what was found would be lost for want of a check.
        may_run_again = bool(result.missing) and job.allowance.after(work.so_far).can_call()
        allowance = job.allowance if may_run_again else job.review
        told = job.previous.statements if job.previous else ()
        check = StatementCheck(job.task, job.readable, result, work, told, job.unfound, job.step.parts, job.guidance)
        result = await check.checked(allowance)
        if result.status is not StepStatus.ANSWERED:
            return result
    # A plain question has few calls: they go to the answer and to its check. A model has said itself what it leaves
    # open, and was held against what it quotes: that is not worth another.
    is_rated = not job.task.is_plain and result.tier != "model"
    rated = ToScore(result=result, task=job.task, evidence=job.readable, today=work.today)
    scored = await work.judge(work.panel.score, rated, allowance=job.allowance if is_rated else Allowance())
    return result.replace(confidence=scored.value)


async def _call(job: StepTask, work: Work, runtime: Runtime[Context]) -> Outcome:
    """The tool's outcome. A call that changes something is made only on a person's word, and only if it is known that
    it was not begun before."""
    base = SubResult(id=job.step.id, question=job.step.question, status=StepStatus.SKIPPED)
    tool = (await toolbox(work)).get(job.step.tool)
    if tool is None:
        missing = Failure(kind=FailureKind.MISSING, where=job.step.tool, message="there is no tool of this name")
        return base.replace(status=StepStatus.FAILED, failure=missing), ()
    if job.step.awaits:
        unknown = Failure(kind=FailureKind.MISSING, where=tool.name, message=UNKNOWN.format(", ".join(job.step.awaits)))
        return base.replace(status=StepStatus.FAILED, failure=unknown, final=True), ()
    changes = not is_read_only(tool)
    if (changes and job.verdict is None) or (job.verdict and job.verdict.action is ApprovalAction.REJECT):
        said = job.verdict.message if job.verdict else ""
        return left_out(job.step, job.previous, said, NOT_APPROVED), ()
    if job.intent is None and changes:  # a task that an earlier version stored: what became of it is not known
        lost = Failure(kind=FailureKind.UNKNOWN, where=tool.name, message=LOST)
        return base.replace(status=StepStatus.FAILED, failure=lost, begun=True), ()
    intent = job.intent or Intent(
        id=job.step.id,
        key=work.deps.new_id(),
        step_id=job.step.id,
        tool=tool.name,
        arguments=job.step.arguments,
        changes=False,
    )
    call = Call(job.step, tool, intent, work, runtime.store)
    return await call.make(job.allowance.seconds, first=job.previous is None, may_ask=job.may_ask)
