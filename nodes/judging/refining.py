"""Refinement over a run: what the report is about, whether another round can be paid, what helped before."""

from collections.abc import Sequence

from calibrant.judges.free.evidence.attributes import has_attribute
from calibrant.judges.free.evidence.quality import quality_report, threshold_of
from calibrant.nodes.deps import Remembering
from calibrant.nodes.judging.deciding import retrievals_left
from calibrant.nodes.work import Work
from calibrant.state.answer import QualityReport
from calibrant.state.budget import Ledger
from calibrant.state.channels import View
from calibrant.state.decision import USEFUL_BOOST, Action, of_phase
from calibrant.state.evidence import Evidence
from calibrant.state.retrieval import Refinement
from calibrant.state.task import Attribute, Phase, StepKind, StepStatus, SubResult, Task

REASONS = 3
"""Kinds of rejection that one refinement is remembered for: those that it aims at."""


async def quality_of(state: View, task: Task, work: Work, memory: Remembering | None) -> QualityReport:
    """The report on what this run's searches brought. A refinement that helped against the same kind of rejection in an
    earlier run goes first."""
    passages = fetched(state)
    threshold = threshold_of(task, work.context.quality_threshold, work.context.quality_thresholds)
    retry = work.ledger.spend.refinements
    report = quality_report(task, passages, threshold=threshold, retry=retry)
    if report.refinement is None or memory is None:
        return report
    helped = await _helped(report, memory)
    return quality_report(task, passages, threshold=threshold, retry=retry, worked_before=helped) if helped else report


async def _helped(report: QualityReport, memory: Remembering) -> tuple[Refinement, ...]:
    """What helped against the most frequent of the reasons that anything is remembered for."""
    for entry in report.breakdown[:REASONS]:
        if found := await memory.worked_refinements(entry.reason):
            return found
    return ()


def fetched(state: View) -> tuple[Evidence, ...]:
    """The passages of this run: what it recalled and found. After a refinement, earlier passages with the words that it
    avoids do not count: the new search would not have returned them."""
    found = {eid for retrieval in state.retrievals for eid in retrieval.evidence_ids}
    recalled = {item.id for item in state.recalled.evidence} if state.recalled else set()
    passages = tuple(item for item in state.evidence if item.id in found | recalled)
    avoided = _avoided(state)
    if not avoided:
        return passages
    since = {eid for retrieval in state.retrievals[_refined_at(state) :] for eid in retrieval.new_ids}
    return tuple(item for item in passages if item.id in since or not _has_any(item, avoided))


def _avoided(state: View) -> tuple[str, ...]:
    """The words that the run's refinements so far avoid."""
    refinements = [report.refinement for report in refined_reports(state) if report.refinement]
    return tuple(word for refinement in refinements for word in refinement.negative)


def _has_any(item: Evidence, words: Sequence[str]) -> bool:
    return any(has_attribute(item, Attribute(kind="keyword", value=word)) for word in words)


def _refined_at(state: View) -> int:
    """The place of the first refinement's retrieval among the run's retrievals."""
    searches = [one for one in state.decisions if one.action in (Action.RETRIEVE, Action.REFINE)]
    return next(place for place, one in enumerate(searches) if one.action is Action.REFINE)


def was_refined(state: View) -> bool:
    """Whether reflect comes back from a refinement."""
    own = of_phase(state.decisions, Phase.REFLECT)
    return bool(own) and own[-1].action is Action.REFINE


def refined_reports(state: View) -> tuple[QualityReport, ...]:
    """The reports whose refinement was carried out, oldest first."""
    if state.review is None:
        return ()
    return (*state.review.earlier, state.review.quality) if was_refined(state) else state.review.earlier


def refinements_left(state: View, quality: QualityReport, work: Work) -> int:
    """How many refinements may follow: none without one to make, a retrieval left, or the budget for another round."""
    if not work.context.switches.refinement or quality.refinement is None:
        return 0
    if not retrievals_left(state, work) or not affords_round(work.ledger):
        return 0
    return work.ledger.refinements_left


def affords_round(ledger: Ledger) -> bool:
    """Whether what is left pays for another round, at the average price of the rounds so far."""
    rounds, left, spend = ledger.spend.refinements + 1, ledger.left(), ledger.spend
    return (
        ledger.seconds_spent <= left.seconds * rounds
        and spend.dollars <= left.dollars * rounds
        and spend.tokens <= left.tokens * rounds
    )


def to_answer_again(state: View, *, can_ask: bool) -> tuple[SubResult, ...]:
    """The plan's answers, reopened to be given again from what the refined search brings: those of a model only where
    it can be asked again (``can_ask``). Tools are not run again."""
    answers = {step.id for step in state.steps if step.kind is StepKind.ANSWER}
    again = (result for result in state.results if result.id in answers and (can_ask or result.tier != "model"))
    return tuple(result.replace(status=StepStatus.REOPENED) for result in again)


async def note_outcome(state: View, quality: QualityReport, memory: Remembering | None) -> None:
    """Remember whether the last refinement helped against the kinds of rejection that it aimed at."""
    before = state.review.quality if state.review and was_refined(state) else None
    if memory is None or before is None or before.refinement is None:
        return
    run_id = state.run.id if state.run else ""
    gain = (quality.score or 0.0) - (before.score or 0.0)
    for entry in before.breakdown[:REASONS]:
        await memory.note_refinement(entry.reason, before.refinement, gain >= USEFUL_BOOST, run_id)


def caveat(quality: QualityReport, *, affordable: bool) -> tuple[str, ...]:
    """What the reader has to know where too little of what was found meets the conditions."""
    if quality.meets_threshold or quality.score is None:
        return ()
    said = f"Only {quality.verified} of {quality.fetched} passages meet the conditions ({quality.score:.0%})."
    return (said if affordable else f"{said} The budget has no room for another search.",)
