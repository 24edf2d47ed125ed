"""``reflect`` reviews the answer: claim by claim, criterion by criterion; on success it stores what was learnt."""

from collections import Counter
from collections.abc import Iterator, Sequence, Set
from datetime import date

from langgraph.runtime import Runtime

from calibrant.judges.free.answering.verbatim import stands_together
from calibrant.judges.free.comparing.age import out_of_force
from calibrant.judges.free.planning.clarity import strategy_clarity
from calibrant.judges.free.request.criteria import told_in
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
from calibrant.nodes.judging.signals import of_sources
from calibrant.nodes.keeping.learning import lesson, rejection
from calibrant.nodes.keeping.lenient import memory_of
from calibrant.nodes.reading.answered import claims_by_step
from calibrant.nodes.reading.steps import asked_steps, done_calls, for_steps, found_share
from calibrant.nodes.reading.thread import thread_of
from calibrant.nodes.telling.composition import given_way
from calibrant.nodes.work import Work
from calibrant.state.answer import Claim, Conflict, QualityReport, Review, Synthesis, Verdict
from calibrant.state.budget import Spend
from calibrant.state.channels import Update, View
from calibrant.state.confidence import Confidence
from calibrant.state.context import Context
from calibrant.state.decision import Action, Situation
from calibrant.state.events import Reviewed
from calibrant.state.evidence import Evidence
from calibrant.state.task import Criterion, Phase, Task
from calibrant.state.uncertainty import Signal, SignalKind

SUPPORT_WEIGHT = {Verdict.SUPPORTED: 1.0, Verdict.QUALIFIED: 0.5, Verdict.UNVERIFIED: 0.0, Verdict.CONTRADICTED: 0.0}
"""What a claim counts for, by its verdict."""

DECLINED = 0.25
"""What is left of how well claims answer, where a model that was to word them found that they do not."""

RATED_BAD = "This says the same as an answer that was rated bad before: check the source."
"""What an answer that was found again is given with."""

ENDS = (Action.PROCEED, Action.RESPOND)


def reflect(deps: Deps) -> Node:
    """The node. After a retrieval it checks the claims again, against what was found."""

    async def node(state: View, runtime: Runtime[Context]) -> Update:
        work = await Work.begin(deps, runtime, state)
        task, branch = state.perceived, state.selected
        if task is None or branch is None:
            raise RuntimeError("reflect runs after act")
        memory = memory_of(work, runtime)
        attempt = open_phase(work, state, Phase.REFLECT)
        synthesis, review = await _review(state, task, work, memory)
        state = state.model_copy(update={"synthesis": synthesis})
        work.emit(Reviewed.of(review))
        clarity, share = strategy_clarity(branch, task), review.supported_share
        confidence = work.confidence_in(Phase.REFLECT, task, state.recalled, clarity, supported_share=share)
        signals = work.weighed(*signals_of(review, attempt), *of_sources(state, Phase.REFLECT, attempt))
        judgement = PhaseJudgement(state, Phase.REFLECT, confidence, work, signals)
        decision = judgement.decide(_seen(judgement, review))
        quality, refines = review.quality, decision.action is Action.REFINE
        can_ask = for_steps(work.ledger, state.results).can_call()
        if refines:
            work.spend(Spend(refinements=1))
        else:
            work.warnings.extend(caveat(quality, affordable=affords_round(work.ledger)))
        await note_outcome(state, quality, memory)
        if decision.action in ENDS:
            work.warnings.extend(reservations(state, review))
        if decision.action is Action.PROCEED:
            await _learn(state, review, work.answer_confidence(confidence, task), work, memory, runtime)
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


def _seen(judgement: PhaseJudgement, review: Review) -> Situation:
    """What the rule needs to know; also whether the passages are good enough, and how often they may be refined."""
    left = refinements_left(judgement.state, review.quality, judgement.work)
    return judgement.situation().replace(quality_below=not review.quality.meets_threshold, refinements_left=left)


async def _review(state: View, task: Task, work: Work, memory: Remembering | None) -> tuple[Synthesis | None, Review]:
    """The composition, without the sentences that are not borne out unless they are to be marked, and its review."""
    synthesis = state.synthesis
    claims = synthesis.claims if synthesis else ()
    doubted = synthesis is not None and _puts_together(synthesis, state.evidence)
    given = ToSupport(claims=claims, evidence=state.evidence, asked=task.text, today=work.today, doubted=doubted)
    judged = await work.judge(work.panel.support, given, closing=True)
    claims = judged.value
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


def _puts_together(synthesis: Synthesis, evidence: Sequence[Evidence]) -> bool:
    """Whether a sentence of a model has words that stand in its passages, but not together: words alone do not tell
    which of them belong to which."""
    passages = {item.id: item for item in evidence}
    worded = {key for line in synthesis.lines if line.behind for key in line.claim_ids}
    unchecked = (claim for claim in synthesis.claims if claim.id in worded and not claim.checked)
    return any(not (is_verbatim(claim, passages) or stands_together(claim, passages)) for claim in unchecked)


def supported_share(state: View, claims: Sequence[Claim], today: date | None) -> float:
    """Over the steps asked for: the best claim's support times how well it answers, averaged. 0.0 without steps.

    A step whose call was made is answered by that; one of which something stays missing counts for the rest. A claim
    that another source disputes counts for less: where two sources contradict each other outright, the followed one is
    right half the time as far as anybody can tell. So is what only a document tells that says it holds no more.
    """
    steps = asked_steps(state.selected, state.perceived)
    if not steps:
        return 0.0
    conflicts = state.synthesis.conflicts if state.synthesis else ()
    past = out_of_force(state.evidence, today)
    stated, done = claims_by_step(state, claims), {result.id for result, _ in done_calls(state)}
    given = {result.id: result for result in state.results}
    best = [
        1.0
        if step.id in done
        else found_share(step, given.get(step.id))
        * max((_worth(claim, conflicts, past) for claim in stated.get(step.id, ())), default=0.0)
        for step in steps
    ]
    declined = state.synthesis is not None and state.synthesis.declined
    return sum(best) / len(best) * (DECLINED if declined else 1.0)


def _worth(claim: Claim, conflicts: Sequence[Conflict], past: Set[str]) -> float:
    disputed = max((conflict.severity for conflict in conflicts if conflict.concerns(claim)), default=0.0)
    doubt = 1.0 if claim.evidence_ids and past >= set(claim.evidence_ids) else disputed
    return SUPPORT_WEIGHT[claim.verdict] * claim.addresses * (1.0 - 0.5 * doubt)


def criteria_met(state: View, task: Task, claims: Sequence[Claim], quality: QualityReport) -> tuple[Criterion, ...]:
    """The success criteria with their counts: supported claims of the part they name, without the beaten side of a
    conflict; verified passages where the task sets conditions on what counts."""
    question_of = {step.id: step.question for step in state.steps}
    supported = followed(state, claims)
    answers = Counter(question_of[key] for key, found in claims_by_step(state, supported).items() for _ in found)
    others = count_of_things(supported) if quality.score is None else quality.verified
    return tuple(
        criterion.replace(met=answers[criterion.what] if criterion.what in question_of.values() else others)
        for criterion in task.criteria
    )


def followed(state: View, claims: Sequence[Claim]) -> list[Claim]:
    """The claims that stand, without the beaten sides of conflicts."""
    beaten = {conflict.sides[1].id for conflict in (state.synthesis.conflicts if state.synthesis else ())}
    return [claim for claim in claims if claim.verdict.stands and claim.id not in beaten]


def count_of_things(claims: Sequence[Claim]) -> int:
    """How many things these claims may tell of, at most."""
    return sum(told_in(claim.text) for claim in claims)


def reservations(state: View, review: Review) -> Iterator[str]:
    """That an answer tells fewer things than were asked for, or says what a person has called bad before."""
    count = count_of_things(followed(state, review.claims))
    for criterion in review.criteria:
        if 0 < count < criterion.target:
            yield f"Asked for at least {criterion.target} {criterion.what}; the answer has {count}."
    if rejection(state, review):
        yield RATED_BAD


def signals_of(review: Review, attempt: int) -> tuple[Signal, ...]:
    """A review in which most claims could be neither supported nor refuted is inconclusive."""
    unverified = sum(1 for claim in review.claims if claim.verdict is Verdict.UNVERIFIED)
    if not review.claims or unverified * 2 <= len(review.claims):
        return ()
    detail = f"{unverified} of {len(review.claims)} claims could not be verified"
    return (Signal(kind=SignalKind.INCONCLUSIVE, phase=Phase.REFLECT, attempt=attempt, detail=detail),)


async def _learn(
    state: View,
    review: Review,
    confidence: Confidence,
    work: Work,
    memory: Remembering | None,
    runtime: Runtime[Context],
) -> None:
    """Store the experience, and the approach if every claim it rests on is supported. Idempotent: keyed by the run."""
    learnt = lesson(state, review, confidence, work.ledger.spend, work.deps.clock())
    if memory is None or learnt is None:
        return
    experience, pattern = learnt
    await memory.remember(experience.replace(thread_id=thread_of(runtime)), pattern)
