"""What each ``branch`` and each ``step`` is given: the part of the state that it works on, and its share of the
budget."""

from calibrant.judges.free.evidence.changelogs import newest_entries
from calibrant.judges.free.evidence.quality import meeting, readable
from calibrant.nodes.branch import BranchTask, preferred_evidence
from calibrant.nodes.calling.approval import intent_of, verdict_on
from calibrant.nodes.judging.requests import most_relevant
from calibrant.nodes.reading.history import attempt_of, unfound
from calibrant.nodes.reading.steps import BRANCH_EVIDENCE, for_steps, ready, result_of
from calibrant.nodes.reading.thread import guidance_text
from calibrant.nodes.shown import evidence_for, quoted_before
from calibrant.nodes.step import StepTask
from calibrant.nodes.work import limits_of
from calibrant.state.budget import Ledger
from calibrant.state.channels import View
from calibrant.state.context import Context
from calibrant.state.memory import Recollection
from calibrant.state.task import Phase, Step, StepStatus


def branch_tasks(state: View, context: Context, now: float) -> list[BranchTask]:
    """One for each strategy that ``reason`` proposed, each with an equal share of what is left."""
    share = _ledger(state, context, now).left().split(len(state.branches))
    return [
        BranchTask(
            branch=branch,
            task=state.understood,
            recalled=(state.recalled or Recollection()).replace(evidence=()),
            evidence=most_relevant(preferred_evidence(branch, state.evidence), BRANCH_EVIDENCE),
            allowance=share,
        )
        for branch in state.branches
    ]


def step_tasks(state: View, context: Context, now: float) -> list[StepTask]:
    """One for each step of the selected branch that is ready, each with an equal share of what is left. Choosing the
    passages for each reads all that are held: a thread's work."""
    if state.selected is None:
        return []
    steps = ready(state.selected, state.results)
    ledger = _ledger(state, context, now)
    share = for_steps(ledger, state.results).split(len(steps))
    usable = readable(state.understood, state.evidence)
    best = {item.id for item in meeting(state.understood, usable)}
    stated = frozenset(held for result in state.retrievals for held in result.sufficiency.stated_in)
    alone = len(state.selected.steps) == 1
    return [
        StepTask(
            step=step,
            task=state.understood,
            evidence=evidence_for(
                step,
                usable,
                alone,
                result_of(step, state.results),
                stated | quoted_before(state, step),
                best,
                guided=_is_guided_again(state, step),
            ),
            earlier=tuple(result for result in state.results if result.id in step.depends_on),
            previous=result_of(step, state.results),
            guidance=guidance_text(state),
            verdict=verdict_on(state, step),
            intent=intent_of(state, step),
            wave=attempt_of(state, Phase.ACT) - 1,
            may_ask=state.run is not None and state.run.interactive,
            allowance=share,
            review=ledger.left(closing=True) if alone else share,
            unfound=unfound(state.retrievals),
            newest=newest_entries(step.question, usable),
        )
        for step in steps
    ]


def _is_guided_again(state: View, step: Step) -> bool:
    """Whether ``step`` is run again in a run that a person has guided."""
    before = result_of(step, state.results)
    return bool(guidance_text(state)) and before is not None and before.status is StepStatus.REOPENED


def _ledger(state: View, context: Context, now: float) -> Ledger:
    """The run's ledger at this moment."""
    return Ledger(limits=limits_of(context, state), spend=state.spend, now=now)
