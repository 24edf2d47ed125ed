"""``step`` carries out one step of the plan: it answers from the evidence, or calls a tool. Failures become typed
results."""

import asyncio
import hashlib
from dataclasses import replace

from langchain_core.tools import BaseTool
from langgraph.runtime import Runtime

from calibrant.judges.given import ToAnswer, ToScore
from calibrant.nodes.deps import Deps, Node
from calibrant.nodes.reason import is_read_only
from calibrant.nodes.work import Work
from calibrant.state.base import Value
from calibrant.state.budget import Allowance
from calibrant.state.channels import Update
from calibrant.state.confidence import Confidence
from calibrant.state.context import Context
from calibrant.state.errors import Failure, FailureKind, failure_of
from calibrant.state.events import StepDone
from calibrant.state.evidence import Evidence
from calibrant.state.guidance import ApprovalAction, CallAnswer
from calibrant.state.task import Statement, Step, StepKind, StepStatus, SubResult, Task

TOOL_TEXT_LIMIT = 4_000
"""Characters of a tool's output that are kept as evidence."""


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
    allowance: Allowance = Allowance()


def step(deps: Deps) -> Node:
    """The node: runs once for each ``Send``. A finished step is not run again after a crash: its result is in the
    checkpoint."""

    async def node(state: StepTask, runtime: Runtime[Context]) -> Update:
        job = StepTask.model_validate(state)
        work = await Work.begin(deps, runtime)
        if job.step.kind is StepKind.TOOL:
            result, evidence = await _call(job, deps)
        else:
            result, evidence = await _answer(job, work), ()
        result = counted(result, job.previous)
        work.emit(
            StepDone(step_id=result.id, question=result.question, status=result.status, score=result.confidence.score)
        )
        return work.done({"results": (result,), "evidence": evidence})

    return node


def counted(result: SubResult, previous: SubResult | None) -> SubResult:
    """``result`` with its number of attempts, and of identical failures in a row."""
    attempts = (previous.attempts if previous else 0) + 1
    if result.failure is None:
        return result.replace(attempts=attempts)
    before = previous.alike if previous and _signature(previous) == _signature(result) else 0
    return result.replace(attempts=attempts, alike=before + 1)


def _signature(result: SubResult) -> str:
    return result.failure.signature if result.failure else ""


async def _answer(job: StepTask, work: Work) -> SubResult:
    """The answer to the step's question, scored."""
    given = ToAnswer(step=job.step, task=job.task, evidence=job.evidence, earlier=job.earlier, guidance=job.guidance)
    judged = await work.judge(work.panel.answer, given, allowance=job.allowance)
    if judged.value.status is not StepStatus.ANSWERED and job.guidance:
        # What a person said may be the better question: the free tier takes it as one.
        guided = replace(given, step=job.step.replace(question=job.guidance))
        judged = await work.judge(work.panel.answer, guided, allowance=Allowance())
    result = judged.value.replace(tier=judged.tier, question=job.step.question)
    if result.status is not StepStatus.ANSWERED:
        return result
    scored = await work.judge(
        work.panel.score,
        ToScore(result=result, task=job.task, evidence=job.evidence),
        # A plain question has few calls: they go to the answer and to its check.
        allowance=Allowance() if job.task.is_plain else job.allowance,
    )
    return result.replace(confidence=scored.value)


async def _call(job: StepTask, deps: Deps) -> tuple[SubResult, tuple[Evidence, ...]]:
    """The tool's output as evidence, quoted by the one statement that it makes."""
    base = SubResult(id=job.step.id, question=job.step.question, status=StepStatus.SKIPPED)
    tool = deps.tools.get(job.step.tool)
    if tool is None:
        missing = Failure(kind=FailureKind.MISSING, where=job.step.tool, message="there is no tool of this name")
        return base.replace(status=StepStatus.FAILED, failure=missing), ()
    if job.verdict is not None and job.verdict.action is ApprovalAction.REJECT:
        return base.replace(missing=job.verdict.message or f"{tool.name} was not approved"), ()
    edited = job.verdict.arguments if job.verdict and job.verdict.action is ApprovalAction.EDIT else None
    arguments = job.step.arguments if edited is None else edited
    try:
        async with asyncio.timeout(job.allowance.seconds or None):
            text = str(await tool.ainvoke(arguments))[:TOOL_TEXT_LIMIT]
    except Exception as error:  # noqa: BLE001 - a tool is foreign code: whatever it raises is a typed failure here
        once = not is_read_only(tool.metadata)
        return base.replace(status=StepStatus.FAILED, failure=failure_of(error, tool.name), final=once), ()
    found = _as_evidence(tool, text)
    said = Statement(text=text, evidence_ids=(found.id,), quote=text, score=1.0)
    answered = base.replace(status=StepStatus.ANSWERED, statements=(said,), confidence=Confidence(raw=1.0, score=1.0))
    return answered, (found,)


def _as_evidence(tool: BaseTool, text: str) -> Evidence:
    digest = hashlib.sha256(f"{tool.name}\0{text}".encode()).hexdigest()[:16]
    return Evidence(
        id=f"tool-{digest}",
        text=text,
        title=tool.name,
        source=f"tool:{tool.name}",
        url=f"tool://{tool.name}",
        relevance=1.0,
    )
