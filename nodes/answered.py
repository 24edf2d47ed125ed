"""What a run has answered so far, and which sources could not answer at all."""

from collections.abc import Iterator, Sequence

from calibrant.judges.free.answering.claims import claims_of
from calibrant.nodes.steps import asked_steps
from calibrant.state.answer import Claim
from calibrant.state.base import unique
from calibrant.state.channels import View
from calibrant.state.retrieval import did_not_answer
from calibrant.state.task import StepStatus, SubResult


def own_results(state: View) -> tuple[SubResult, ...]:
    """What the steps that were asked for answered."""
    ids = {step.id for step in asked_steps(state.selected, state.perceived)}
    return tuple(result for result in state.results if result.id in ids and result.status is StepStatus.ANSWERED)


def told_for(state: View, claims: Sequence[Claim]) -> dict[str, tuple[Claim, ...]]:
    """Which of the ``claims`` that are stated answer which step, as well as its own result does: its own; where it has
    none, those that say the same. One sentence may answer two parts and be stated once."""
    told = {step.id: tuple(claim for claim in claims if claim.question_id == step.id) for step in state.steps}
    for result in own_results(state):
        if not told[result.id]:
            told[result.id] = tuple(_also_said(claims_of([result], state.evidence), claims))
    return told


def _also_said(own: Sequence[Claim], claims: Sequence[Claim]) -> Iterator[Claim]:
    for claim in claims:
        same = [one.addresses for one in own if {one.text, *one.spans} & {claim.text, *claim.spans}]
        if same:
            yield claim.replace(addresses=max(same))


def failed_sources(state: View) -> tuple[str, ...]:
    """Sources that could not answer in this run: they are named, and never count as "nothing found"."""
    return unique(report.source for report in state.reports if did_not_answer(report))
