"""``reflect`` reviews the answer: claim by claim, criterion by criterion; on success it stores what was learnt."""

from collections.abc import Iterator, Sequence

from langgraph.runtime import Runtime

from calibrant.judges.free.answering.verbatim import stands_together
from calibrant.judges.free.evidence.quality import states_conditions
from calibrant.judges.free.planning.clarity import strategy_clarity
from calibrant.judges.free.request.pasted import apart
from calibrant.judges.free.synthesis.quoted import is_verbatim
from calibrant.judges.given import ToSupport
from calibrant.nodes.deps import Deps, Node, Remembering
from calibrant.nodes.judging.deciding import PhaseJudgement, open_phase
from calibrant.nodes.judging.refining import (
    affords_round,
    caveat,
    note_outcome,
    quality_of,
    refined_reports,
    refinements_left,
    to_answer_again,
)
from calibrant.nodes.judging.requests import request_for
from calibrant.nodes.judging.signals import of_review, of_sources
from calibrant.nodes.judging.worth import count_of_things, criteria_met, followed, is_disputed, supported_share
from calibrant.nodes.keeping.learning import lesson, rejection
from calibrant.nodes.keeping.lenient import memory_of
from calibrant.nodes.reading.answered import unmentioned
from calibrant.nodes.reading.steps import for_steps
from calibrant.nodes.reading.thread import thread_of
from calibrant.nodes.telling.composition import given_way
from calibrant.nodes.work import Work
from calibrant.state.answer import Claim, Review, Synthesis, Verdict
from calibrant.state.budget import Spend
from calibrant.state.channels import Update, View
from calibrant.state.confidence import Confidence
from calibrant.state.context import Context
from calibrant.state.decision import Action, Situation
from calibrant.state.events import Reviewed
from calibrant.state.evidence import Evidence
from calibrant.state.task import Phase, Task

RATED_BAD = "This says the same as an answer that was rated bad before: check the source."
"""What an answer that was found again is given with."""

ENDS = (Action.PROCEED, Action.RESPOND)


def reflect(deps: Deps) -> Node:
    """The node. After a retrieval it checks the claims again, against what was found."""

    async def node(state: View, runtime: Runtime[Context]) -> Update:
        work = await Work.begin(deps, runtime, state)
        task, branch = state.understood, state.chosen
        memory = memory_of(work, runtime)
        attempt = open_phase(work, state, Phase.REFLECT)
        synthesis, review = await _review(state, task, work, memory)
        state = state.model_copy(update={"synthesis": synthesis})
        work.emit(Reviewed.of(review))
        confidence = work.confidence_in(
            Phase.REFLECT,
            task,
            state.recalled,
            strategy_clarity(branch, task),
            supported_share=review.supported_share,
            disputed=is_disputed(state, review.claims),
        )
        signals = work.weighed(*of_review(review, attempt), *of_sources(state, Phase.REFLECT, attempt))
        judgement = PhaseJudgement(state, Phase.REFLECT, confidence, work, signals)
        seen = _seen(judgement, task, review)
        decision = judgement.decide(seen)
        quality, refines = review.quality, decision.action is Action.REFINE
        can_ask = for_steps(work.ledger, state.results).can_call()
        if refines:
            work.spend(Spend(refinements=1))
        elif seen.quality_below:
            work.warnings.extend(caveat(quality, affordable=affords_round(work.ledger)))
        await note_outcome(state, quality, memory)
        if decision.action in ENDS:
            work.warnings.extend(reservations(state, review))
        if decision.action is Action.PROCEED:
            told = work.answer_confidence(confidence, task, state, unmentioned(state, review.claims))
            if told.score >= work.context.abstain_below:  # else it is withheld
                await _learn(state, review, told, work, memory, runtime)
        missing = state.synthesis.missing if state.synthesis else ()
        refinement = quality.refinement if refines else None
        return work.done(
            judgement.update(
                decision,
                review=review,
                synthesis=synthesis,
                perceived=task.replace(criteria=review.criteria),
                results=to_answer_again(state, can_ask=can_ask) if refines else (),
                request=request_for(state, task, decision, work, questions=missing, refinement=refinement),
            )
        )

    return node


def _seen(judgement: PhaseJudgement, task: Task, review: Review) -> Situation:
    """What the rule needs to know; also whether the passages are good enough, and how often they may be refined."""
    left = refinements_left(judgement.state, review.quality, judgement.work)
    reached = judgement.confidence.score >= judgement.work.context.thresholds_of(Phase.REFLECT).proceed
    borne_out = reached and all(claim.verdict is Verdict.SUPPORTED for claim in review.claims)
    # A quoted phrase may be just what is asked about: what answers in other words is not searched for once more.
    below = not review.quality.meets_threshold and (states_conditions(task) or not borne_out)
    return judgement.situation().replace(quality_below=below, refinements_left=left)


async def _review(state: View, task: Task, work: Work, memory: Remembering | None) -> tuple[Synthesis | None, Review]:
    """The composition, without the sentences that are not borne out unless they are to be marked, and its review."""
    synthesis = state.synthesis
    claims = synthesis.claims if synthesis else ()
    doubted = synthesis is not None and _puts_together(synthesis, state.evidence)
    pasted = apart(task.original).pasted
    given = ToSupport(claims, state.evidence, asked=task.text, today=work.today, doubted=doubted, pasted=pasted)
    judged = await work.judge(work.panel.support, given, closing=True)
    claims = tuple(map(_as_found, given.claims, judged.value))
    if synthesis is not None and work.context.unsupported == "drop":
        fallen = {claim.id for claim in claims if not claim.verdict.stands}
        synthesis = given_way(synthesis.replace(claims=claims), fallen)
        claims = synthesis.claims
    quality = await quality_of(state, task, work, memory)
    review = Review(
        claims=claims,
        criteria=criteria_met(state, task, claims, quality),
        quality=quality,
        earlier=refined_reports(state),
        supported_share=supported_share(state, claims, work.today),
        tier=judged.tier,
    )
    return synthesis, review


def _as_found(before: Claim, after: Claim) -> Claim:
    """A claim as it is told after the review: surer by half of what its words left open, where a model found it, as a
    statement is that is compared when the step is answered."""
    is_found = after.checked and not before.checked
    return after.replace(addresses=(1.0 + after.addresses) / 2) if is_found else after


def _puts_together(synthesis: Synthesis, evidence: Sequence[Evidence]) -> bool:
    """Whether a sentence of a model has words that stand in its passages, but not together: words alone do not tell
    which of them belong to which."""
    passages = {item.id: item for item in evidence}
    worded = {key for line in synthesis.lines if line.behind for key in line.claim_ids}
    unchecked = (claim for claim in synthesis.claims if claim.id in worded and not claim.checked)
    return any(not (is_verbatim(claim, passages) or stands_together(claim, passages)) for claim in unchecked)


def reservations(state: View, review: Review) -> Iterator[str]:
    """That an answer tells fewer things than were asked for, or says what a person has called bad before."""
    count = count_of_things(followed(state, review.claims))
    for criterion in review.criteria:
        if 0 < count < criterion.target:
            yield f"Asked for at least {criterion.target} {criterion.what}; the answer has {count}."
    if rejection(state, review):
        yield RATED_BAD


async def _learn(
    state: View,
    review: Review,
    confidence: Confidence,
    work: Work,
    memory: Remembering | None,
    runtime: Runtime[Context],
) -> None:
    """Store the experience, and the approach if every claim it rests on is supported. Idempotent: keyed by the run."""
    learnt = lesson(state, review, confidence, work.ledger.spend)
    if memory is None or learnt is None:
        return
    experience, pattern = learnt
    await memory.remember(experience.replace(thread_id=thread_of(runtime)), pattern)
