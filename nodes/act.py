"""``act`` judges the plan before it runs, and again after each wave of steps, until no step is left to run.

The steps themselves run in ``step``, side by side. ``act`` looks at what they gave: a step without an answer lowers
the score, so that the rule may search; failures become signals, so that the rule may ask. Before steps make calls,
it stores what those will be.
"""

from collections.abc import Sequence
from statistics import fmean

from langgraph.runtime import Runtime

from calibrant.judges.free.planning.clarity import strategy_clarity
from calibrant.nodes.calling.approval import ask_approval, intents, needs_approval, skipped
from calibrant.nodes.calling.revising import revised
from calibrant.nodes.deps import Deps, Node
from calibrant.nodes.judging.deciding import PhaseJudgement, open_phase
from calibrant.nodes.judging.requests import request_for
from calibrant.nodes.judging.signals import of_execution
from calibrant.nodes.reading.history import named_missing
from calibrant.nodes.reading.steps import found_share, is_open, is_partial, reopened, unfinished
from calibrant.nodes.toolbox import Tools, toolbox
from calibrant.nodes.work import Work
from calibrant.state.base import merged, unique
from calibrant.state.channels import Update, View
from calibrant.state.confidence import after_verdict
from calibrant.state.context import Context
from calibrant.state.decision import Action
from calibrant.state.task import Branch, Intent, Phase, Step, StepKind, StepStatus, SubResult, Task

IN_PART = 0.5
"""How much of a question is answered of which a model says that something is missing: low enough to search for that."""


def act(deps: Deps) -> Node:
    """The node: writes the decision with what follows from it (a request, a question, skipped steps or the calls to be
    made), and which results are to be given again."""

    async def node(state: View, runtime: Runtime[Context]) -> Update:
        work = await Work.begin(deps, runtime, state)
        tools = await toolbox(work)
        open_phase(work, state, Phase.ACT)
        task, branch = state.understood, state.chosen
        state = state.model_copy(update={"results": reopened(state)})
        branch, dropped = await revised(state, task, branch, tools, work)
        changed = {"selected": branch} if branch != state.selected else {}
        results = merged(SubResult)(state.results, dropped)
        state = state.model_copy(update={"results": results, **changed})
        per_step = await _per_step(state, branch, task, work)
        clarity = strategy_clarity(branch, task)
        recalled = None if _lacks_a_part(state, branch) else state.recalled
        confidence = work.confidence_in(Phase.ACT, task, recalled, clarity, per_step=per_step)
        signals = work.weighed(*await of_execution(state, task, branch, tools, work))
        update = _conclude(PhaseJudgement(state, Phase.ACT, confidence, work, signals), tools, per_step)
        return work.done({**changed, **update, "results": (*results, *update.get("results", ()))})

    return node


def _conclude(judgement: PhaseJudgement, tools: Tools, per_step: Sequence[float]) -> Update:
    """The decision, with what goes on from it: a request, a question, skipped steps, or the calls that come next."""
    state, work = judgement.state, judgement.work
    task, branch = state.understood, state.chosen
    tries = any(step.kind is StepKind.TOOL for step in unfinished(branch, state.results))
    decision = judgement.decide(judgement.situation(calls=tries))
    weak = [step for step, score in zip(branch.steps, per_step, strict=True) if score < task.required_sufficiency]
    request = request_for(
        state,
        task,
        decision,
        work,
        questions=tuple(part for step in weak if step.kind is StepKind.ANSWER for part in step.asks),
        queries=unique(query for step in weak for query in step.queries),
        recalled=None if state.evidence else state.recalled,  # its passages cannot be read again
        # Only a model's words for what is missing can be searched for; the free tier writes its own for a person.
        missing=named_missing(state),
    )
    update = judgement.update(decision, request=request)
    if decision.action is Action.SKIP:
        return {**update, "results": tuple(skipped(step, state.results) for step in unfinished(branch, state.results))}
    if decision.action is not Action.PROCEED:
        return update
    coming = intents(state, branch, tools, work)
    if calls := needs_approval(state, branch, tools):
        return _with_approval(update, ask_approval(judgement, task, branch, calls), coming)
    return {**update, "intents": coming}


def _with_approval(update: Update, approval: Update, coming: Sequence[Intent]) -> Update:
    """What the rule said, and then what came of the calls that take a person's word. With nobody there the others are
    made at once."""
    both = {key: (*update[key], *approval[key]) for key in ("decisions", "warnings")}
    if approval["decisions"][-1].action is not Action.PROCEED:
        return {**update, **approval, **both}
    refused = {result.id for result in approval["results"]}
    return {**update, **approval, **both, "intents": tuple(one for one in coming if one.step_id not in refused)}


def _lacks_a_part(state: View, branch: Branch) -> bool:
    """Whether a model says that a part of an answer is missing. Then no similar task vouches for what is held: what was
    answered then may have lacked the same."""
    results = {result.id: result for result in state.results if result.status is StepStatus.ANSWERED}
    return any(found_share(step, results.get(step.id)) < 1.0 for step in branch.steps)


async def _per_step(state: View, branch: Branch, task: Task, work: Work) -> list[float]:
    """How well each step is covered: before it has run by the evidence, afterwards by its outcome. What a call may
    still tell, no passage need. An answer that a
    model has found counts as its verdict that the evidence covers the step, as far as it says so; where another one
    could not be asked for and checked, as if that were all."""
    calls = {step.id for step in unfinished(branch, state.results) if step.kind is StepKind.TOOL}
    waiting = {step.id for step in branch.steps if not calls.isdisjoint(step.depends_on)}
    asked = [step for step in branch.steps if step.kind is StepKind.ANSWER and step.id not in waiting]
    covered = await _covered(state, asked, task, work)
    done = {result.id: result for result in state.results}
    may_go_on = work.ledger.left(closing=True).sequential_calls > 1
    scores = []
    for step in branch.steps:
        result = done.get(step.id)
        if result is not None and result.status is not StepStatus.ANSWERED and not is_open(result):
            scores.append(0.0)
        elif step.kind is StepKind.TOOL or step.id in waiting:
            scores.append(1.0 if result and result.status is StepStatus.ANSWERED else task.understanding)
        elif result is not None and result.status is StepStatus.ANSWERED and result.tier == "model":
            if step.parts:
                share = found_share(step, result)
            else:
                share = IN_PART if may_go_on and is_partial(branch.steps, result) else 1.0
            scores.append(after_verdict(covered[step.id], up=True) * share)
        else:
            scores.append(covered[step.id])
    return scores


async def _covered(state: View, steps: Sequence[Step], task: Task, work: Work) -> dict[str, float]:
    """The coverage of what each step asks, from one judgement over all of them."""
    if not steps or not state.evidence:
        return dict.fromkeys((step.id for step in steps), 0.0)
    asked = [part for step in steps for part in step.asks]
    given = work.to_suffice(task, asked, state.evidence)
    found = (await work.judge(work.panel.suffice, given, ahead=True)).value
    parts = iter(found.parts if len(found.parts) == len(asked) > 1 else (found.score,) * len(asked))
    return {step.id: fmean(next(parts) for _ in step.asks) for step in steps}
