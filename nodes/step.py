"""``step`` carries out one step of the plan: it answers from the evidence, or calls a tool. Failures become typed
results."""

from collections.abc import Mapping, Sequence

from langgraph.runtime import Runtime

from calibrant.judges.free.answering.claims import claims_of
from calibrant.judges.free.answering.verbatim import borrowed, in_words_quoted
from calibrant.judges.free.words.arithmetic import workings
from calibrant.judges.given import ToAnswer, ToScore, ToSupport
from calibrant.nodes.calling.approval import LOST, NOT_APPROVED, left_out
from calibrant.nodes.calling.calls import Call, Outcome
from calibrant.nodes.deps import Deps, Node
from calibrant.nodes.fallback import NEUTRAL, UNCHECKED, judged_or, quoted_verbatim
from calibrant.nodes.reading.steps import lacked
from calibrant.nodes.toolbox import is_read_only, toolbox
from calibrant.nodes.work import Work
from calibrant.state.answer import Claim, Verdict
from calibrant.state.base import Value, unique
from calibrant.state.budget import Allowance
from calibrant.state.channels import Update
from calibrant.state.context import Context
from calibrant.state.errors import Failure, FailureKind
from calibrant.state.events import StepDone
from calibrant.state.evidence import Evidence
from calibrant.state.guidance import ApprovalAction, CallAnswer
from calibrant.state.task import Intent, Statement, Step, StepKind, StepStatus, SubResult, Task


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


def step(deps: Deps) -> Node:
    """The node: runs once for each ``Send``. A finished step is not run again after a crash: its result is in the
    checkpoint."""

    async def node(state: StepTask, runtime: Runtime[Context]) -> Update:
        job = StepTask.model_validate(state)
        work = await Work.begin(deps, runtime)
        if job.step.kind is StepKind.TOOL:
            result, evidence = await _call(job, work, runtime)
        else:
            result, evidence = await _answer(job, work), ()
        result = with_attempts(result, job.previous).replace(wave=job.wave)
        work.emit(StepDone.of(result))
        return work.done({"results": (result,), "evidence": evidence})

    return node


def with_attempts(result: SubResult, previous: SubResult | None) -> SubResult:
    """``result`` with its number of attempts, of identical failures in a row, and with how it contradicts the attempt
    before it (spec 5: a check that something is there fails, then succeeds)."""
    if previous is None:
        return result.replace(attempts=1, tries=1, alike=1 if result.failure else 0)
    result = result.replace(attempts=previous.attempts + 1, tries=previous.tries + 1)
    before = previous.failure
    if result.failure is None:
        turned = before is not None and before.kind is FailureKind.MISSING
        return result.replace(contrary=f"{before.where}: missing at first, then there" if before and turned else "")
    return result.replace(alike=1 + (previous.alike if _signature(previous) == _signature(result) else 0))


def _signature(result: SubResult) -> str:
    return result.failure.signature if result.failure else ""


async def _answer(job: StepTask, work: Work) -> SubResult:
    """The answer to the step's question, scored."""
    given = ToAnswer(
        step=job.step,
        task=job.task,
        evidence=job.evidence,
        earlier=job.earlier,
        guidance=job.guidance,
        today=work.today,
    )
    question = job.step.question
    none = SubResult(id=job.step.id, question=question, status=StepStatus.UNANSWERED, missing=question)
    warning = "A question could not be looked into"
    judged = await judged_or(work, work.panel.answer, given, none, warning, allowance=job.allowance)
    result = judged.value.replace(tier=judged.tier)
    if result.tier != "model" and (missing := lacked(job.previous)):
        # A model has read what was found, and has no call left for the rest: words would quote what is nearest.
        result = none.replace(missing=missing, tier="model")
    if result.status is not StepStatus.ANSWERED:
        return result
    if result.tier == "model":
        result = await _borne_out(result, job, work)
        if result.status is not StepStatus.ANSWERED:
            return result
        if result.missing:
            work.warnings.append(f"Not in the passages: {result.missing}")
    scored = await judged_or(
        work,
        work.panel.score,
        ToScore(result=result, task=job.task, evidence=job.evidence, today=work.today),
        NEUTRAL,
        "A result could not be scored and counts as 0.5",
        # A plain question has few calls: they go to the answer and to its check.
        allowance=Allowance() if job.task.is_plain else job.allowance,
    )
    return result.replace(confidence=scored.value)


async def _borne_out(result: SubResult, job: StepTask, work: Work) -> SubResult:
    """A model's statements. Those that the LLM-free tier cannot find in what they quote, or that hold words of the
    question which their passages do not have, a model compares with what they quote. What it does not find there
    either, or cannot be asked about, is told in the words that are quoted: no right answer is lost for its words. What
    it finds contradicted is told in the words that contradict it, which are mostly the answer.
    """
    passages = {item.id: item for item in job.evidence}
    unsure = [one for one in result.statements if not await _is_found(one, result, job, work)]
    compared = iter(await _compared_by_model(unsure, result, job, work) if unsure else ())
    statements: list[Statement] = []
    for statement in result.statements:
        statements += _as_compared(statement, next(compared), passages) if statement in unsure else [statement]
    told = tuple({statement.text: statement for statement in statements}.values())
    if not told:
        return result.replace(statements=(), status=StepStatus.UNANSWERED, missing=result.missing or result.question)
    return result.replace(statements=told)


def _as_compared(
    statement: Statement, claims: Sequence[Claim], passages: Mapping[str, Evidence]
) -> tuple[Statement, ...]:
    """A statement as it is told after a model has compared its claims: as it is, if all were found; in the words that
    contradict it, if any was contradicted; else in those that it quotes."""
    if claims and all(claim.verdict is Verdict.SUPPORTED for claim in claims):
        return (statement.replace(checked=True),)
    against = [span for claim in claims if claim.verdict is Verdict.CONTRADICTED for span in claim.spans]
    if not against:
        return in_words_quoted(statement, passages) or (statement,)
    quote, *further = unique(span.quote for span in against)
    held = unique(span.evidence_id for span in against)
    return in_words_quoted(statement.replace(evidence_ids=held, quote=quote, also_quoted=tuple(further)), passages)


async def _is_found(statement: Statement, result: SubResult, job: StepTask, work: Work) -> bool:
    """Whether the LLM-free tier finds a statement in what it quotes, with no word that is the question's alone."""
    claims = claims_of([result.replace(statements=(statement,))], job.evidence)
    given = _to_support(claims, job, work)
    judged = await judged_or(work, work.panel.support, given, quoted_verbatim(claims), UNCHECKED, allowance=Allowance())
    if not claims or not all(claim.verdict.stands for claim in judged.value):
        return False
    passages = {item.id: item for item in job.evidence}
    return any(workings(statement.text)) or not borrowed(statement, job.step.question, passages)


async def _compared_by_model(
    statements: Sequence[Statement], result: SubResult, job: StepTask, work: Work
) -> tuple[tuple[Claim, ...], ...]:
    """The claims of each statement as a model finds them in what they quote, or not: all of them in one call. No claims
    where it could not be asked."""
    claims = [
        tuple(
            claim.replace(id=f"{number}{claim.id}")
            for claim in claims_of([result.replace(statements=(statement,))], job.evidence)
        )
        for number, statement in enumerate(statements)
    ]
    given = _to_support([claim for held in claims for claim in held], job, work, doubted=True)
    allowance = job.allowance if result.missing else job.review
    judged = await judged_or(work, work.panel.support, given, (), UNCHECKED, allowance=allowance)
    found = {claim.id: claim for claim in judged.value} if judged.tier == "model" else {}
    return tuple(tuple(found[claim.id] for claim in held if claim.id in found) for held in claims)


def _to_support(claims: Sequence[Claim], job: StepTask, work: Work, *, doubted: bool = False) -> ToSupport:
    """The question of support for claims of this step; what was asked is the request and the part the step is about."""
    asked = " ".join(unique([job.task.text, job.step.question]))
    return ToSupport(tuple(claims), job.evidence, asked, work.today, doubted)


async def _call(job: StepTask, work: Work, runtime: Runtime[Context]) -> Outcome:
    """The tool's outcome. A call that changes something is made only on a person's word, and only if it is known that
    it was not begun before."""
    base = SubResult(id=job.step.id, question=job.step.question, status=StepStatus.SKIPPED)
    tool = (await toolbox(work)).get(job.step.tool)
    if tool is None:
        missing = Failure(kind=FailureKind.MISSING, where=job.step.tool, message="there is no tool of this name")
        return base.replace(status=StepStatus.FAILED, failure=missing), ()
    changes = not is_read_only(tool)
    if (changes and job.verdict is None) or (job.verdict and job.verdict.action is ApprovalAction.REJECT):
        said = job.verdict.message if job.verdict else ""
        return left_out(job.step, job.previous, said, NOT_APPROVED), ()
    if job.intent is None and changes:  # a task that an earlier version stored: what became of it is not known
        lost = Failure(kind=FailureKind.UNKNOWN, where=tool.name, message=LOST)
        return base.replace(status=StepStatus.FAILED, failure=lost, begun=True), ()
    intent = job.intent or Intent(
        id=job.step.id,
        key=job.step.id,
        step_id=job.step.id,
        tool=tool.name,
        arguments=job.step.arguments,
        changes=False,
    )
    call = Call(job.step, tool, intent, work, runtime.store)
    return await call.make(job.allowance.seconds, first=job.previous is None, may_ask=job.may_ask)
