"""``branch`` scores one candidate strategy on the evidence that its steps would use."""

from langgraph.runtime import Runtime

from calibrant.judges.free.planning.clarity import strategy_clarity
from calibrant.nodes.deps import Deps, Node
from calibrant.nodes.work import Work
from calibrant.state.base import Value
from calibrant.state.budget import Allowance
from calibrant.state.channels import Update
from calibrant.state.confidence import Confidence
from calibrant.state.context import Context
from calibrant.state.errors import failure_of
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
        sufficiency, clarity = await _sufficiency(job, work), strategy_clarity(job.branch, job.task)
        confidence = work.confidence_in(Phase.REASON, job.task, job.recalled, clarity, sufficiency=sufficiency)
        work.emit(BranchScored(branch_id=job.branch.id, name=job.branch.name, score=confidence.score))
        return work.done({"branches": (job.branch.replace(confidence=confidence),)})

    return node


def lost_branch(job: BranchTask, error: Exception) -> Update:
    """What a strategy comes to whose scoring broke or hung: the one that is taken last."""
    warning = f"The plan {job.branch.name} could not be scored ({failure_of(error, job.branch.name).message})."
    return {"branches": (job.branch.replace(confidence=Confidence()),), "warnings": (warning,)}


async def _sufficiency(job: BranchTask, work: Work) -> Sufficiency | None:
    """How well the evidence covers this branch's steps: the branch with the better-covered steps wins. What waits for
    a call no passage need answer."""
    calls = {step.id for step in job.branch.calls}
    asked = (step for step in job.branch.steps if step.kind is StepKind.ANSWER and calls.isdisjoint(step.depends_on))
    questions = [part for step in asked for part in step.asks]
    if calls and not questions:  # what calls will tell is as sure as the request is understood
        return Sufficiency(confidence=Confidence(raw=job.task.understanding, score=job.task.understanding))
    if not questions or not job.evidence:
        return None
    given = work.to_suffice(job.task, questions, job.evidence)
    return (await work.judge(work.panel.suffice, given, ahead=True, allowance=job.allowance)).value


def preferred_evidence(branch: Branch, evidence: tuple[Evidence, ...]) -> tuple[Evidence, ...]:
    """The passages from the sources that the branch relies on (all, where it names none or nothing came from them)."""
    preferred = tuple(item for item in evidence if item.source in branch.sources)
    return preferred if branch.sources and preferred else evidence
