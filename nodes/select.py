"""``select`` takes the best-scored branch and judges whether it is good enough to act on."""

from langgraph.runtime import Runtime

from calibrant.judges.free.planning.gaps import missing_queries
from calibrant.judges.free.planning.tool_steps import wanted_tools
from calibrant.nodes.deps import Deps, Node
from calibrant.nodes.judging.deciding import PhaseJudgement
from calibrant.nodes.judging.requests import request_for
from calibrant.nodes.judging.signals import of_branches, of_sources
from calibrant.nodes.reading.history import attempt_of, named_missing
from calibrant.nodes.toolbox import toolbox
from calibrant.nodes.work import Work
from calibrant.state.base import unique
from calibrant.state.channels import Update, View
from calibrant.state.context import Context
from calibrant.state.events import Planned
from calibrant.state.task import Branch, Phase, StepKind, Task


def select(deps: Deps) -> Node:
    """The node. The score of the phase is the best branch's."""

    async def node(state: View, runtime: Runtime[Context]) -> Update:
        work = await Work.begin(deps, runtime, state)
        if not state.branches:
            raise RuntimeError("select runs after at least one branch")
        best = best_of(state.branches)
        work.emit(Planned.of(best))
        task = without_given(state.understood, best)
        attempt = attempt_of(state, Phase.REASON)
        signals = work.weighed(*of_branches(state.branches, best, attempt), *of_sources(state, Phase.REASON, attempt))
        calls = bool(given_to(best) or best.left_out or wanted_tools(task.text, tuple(await toolbox(work))))
        judgement = PhaseJudgement(state, Phase.REASON, best.confidence, work, signals)
        seen = judgement.situation(calls=calls)
        if all(step.kind is StepKind.TOOL for step in best.steps):
            seen = seen.replace(retrievals_left=0)  # no passage helps a plan that only calls
        decision = judgement.decide(seen)
        planned = (query for step in best.steps for query in step.queries)
        queries = unique((*missing_queries(task, named_missing(state)), *planned))
        request = request_for(state, task, decision, work, queries=queries, sources=best.sources)
        return work.done(judgement.update(decision, perceived=task, selected=best, request=request))

    return node


def given_to(branch: Branch) -> tuple[str, ...]:
    """What the calls of ``branch`` are given, each as text; nothing where it makes none."""
    return tuple(" ".join(map(str, step.arguments.values())) for step in branch.calls)


def without_given(task: Task, branch: Branch) -> Task:
    """``task`` without the quoted phrases that a call is given: no passage has to say those."""
    given = given_to(branch)
    kept = (item for item in task.must_have if item.kind != "phrase" or not any(item.value in one for one in given))
    return task.replace(must_have=tuple(kept))


def best_of(branches: tuple[Branch, ...]) -> Branch:
    """The highest score; the first proposed wins a tie, so that a run can be repeated."""
    return max(branches, key=lambda branch: branch.confidence.score)
