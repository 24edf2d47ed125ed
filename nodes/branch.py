"""``branch`` scores one candidate strategy on the evidence that its steps would use."""

from langgraph.runtime import Runtime

from calibrant.judges.free.clarity import strategy_clarity
from calibrant.judges.free.phase import phase_confidence
from calibrant.judges.given import ToSuffice
from calibrant.nodes.deps import Deps, Node
from calibrant.nodes.fallback import judged_or
from calibrant.nodes.work import Work, kind_of_task
from calibrant.state.base import Value
from calibrant.state.budget import Allowance
from calibrant.state.channels import Update
from calibrant.state.context import Context
from calibrant.state.events import BranchScored
from calibrant.state.evidence import Evidence
from calibrant.state.memory import Recollection
from calibrant.state.retrieval import Sufficiency
from calibrant.state.task import Branch, Phase, StepKind, Task


class BranchTask(Value):
    """What one ``branch`` gets: its strategy, a share of the budget, and the passages that its sources gave."""

    branch: Branch
    task: Task
    recalled: Recollection = Recollection()
    evidence: tuple[Evidence, ...] = ()
    allowance: Allowance = Allowance()


def branch(deps: Deps) -> Node:
    """The node: runs once for each ``Send``."""

    async def node(state: BranchTask, runtime: Runtime[Context]) -> Update:
        job = BranchTask.model_validate(state)
        work = await Work.begin(deps, runtime)
        clarity = strategy_clarity(job.branch, job.task).score or 0.0
        confidence = phase_confidence(
            Phase.REASON,
            task=job.task,
            recollection=job.recalled,
            sufficiency=await _sufficiency(job, work),
            clarity=clarity,
            risk=job.task.risk,
            weights=work.context.phase_weights,
        )
        confidence = work.calibrated(confidence, "reason", kind_of_task(job.task))
        work.emit(BranchScored(branch_id=job.branch.id, name=job.branch.name, score=confidence.score))
        return work.done({"branches": (job.branch.replace(confidence=confidence),)})

    return node


async def _sufficiency(job: BranchTask, work: Work) -> Sufficiency | None:
    """How well the evidence covers this branch's steps: the branch with the better-covered steps wins."""
    questions = tuple(step.question for step in job.branch.steps if step.kind is StepKind.ANSWER)
    if not questions or not job.evidence:
        return None
    given = ToSuffice(
        questions=questions,
        evidence=job.evidence,
        query_type=job.task.query_type,
        time_sensitive=job.task.time_sensitive,
        now=work.now,
        weights=work.context.sufficiency_weights,
    )
    lost = "How far the passages carry a plan could not be judged"
    judged = await judged_or(work, work.panel.suffice, given, Sufficiency(), lost, allowance=job.allowance.ahead())
    return judged.value


def evidence_of(branch: Branch, evidence: tuple[Evidence, ...]) -> tuple[Evidence, ...]:
    """The passages from the sources that the branch relies on (all, where it names none or nothing came from them)."""
    preferred = tuple(item for item in evidence if item.source in branch.sources)
    return preferred if branch.sources and preferred else evidence
