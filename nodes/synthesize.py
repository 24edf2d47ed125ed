"""``synthesize`` composes the answer: score -> filter -> claims -> verdicts -> conflicts -> composition
-> warnings."""

import asyncio
from collections.abc import Mapping, Sequence, Set

from langgraph.runtime import Runtime

from calibrant.judges.free.answering.claims import claims_of
from calibrant.judges.free.answering.verbatim import as_sources_say
from calibrant.judges.free.request.vague import VAGUE
from calibrant.judges.free.synthesis.compose import with_disputes
from calibrant.judges.free.synthesis.preferred import Force
from calibrant.judges.free.synthesis.scorer import warnings_of
from calibrant.judges.free.synthesis.witnesses import witnesses
from calibrant.judges.free.words.tongues import tongue
from calibrant.judges.given import ToCompose, ToReconcile, ToSupport
from calibrant.nodes.deps import Deps, Node
from calibrant.nodes.reading.answered import own_results
from calibrant.nodes.reading.thread import guidance_text
from calibrant.nodes.telling.composition import given_way, kept_as_they_are, restated, restated_by
from calibrant.nodes.work import Work
from calibrant.state.answer import Claim, Conflict, ConflictKind, Line, Synthesis
from calibrant.state.base import unique
from calibrant.state.budget import Allowance
from calibrant.state.channels import Update, View
from calibrant.state.confidence import Confidence, Factor, confidence_of
from calibrant.state.context import Context
from calibrant.state.events import Synthesized
from calibrant.state.retrieval import failed_sources
from calibrant.state.task import Question, SubResult


def synthesize(deps: Deps) -> Node:
    """The node. It never fails for want of a model: every part has a free tier."""

    async def node(state: View, runtime: Runtime[Context]) -> Update:
        work = await Work.begin(deps, runtime, state)
        answered = own_results(state)
        kept = tuple(result for result in answered if result.confidence.score >= work.context.min_confidence)
        excluded = tuple(result for result in answered if result not in kept)
        given, replaced = await _to_compose(state, kept, work)
        synthesis = await _composed(given, kept, state, work)
        synthesis = synthesis.replace(
            excluded=tuple(result.id for result in excluded),
            missing=missing_parts(state, kept),
            warnings=warnings_of(
                given.confidence.score if any(result.content for result in kept) else None,  # a call may give nothing
                given.conflicts,
                tuple(result.question for result in excluded),
                failed_sources(state.reports),
                replaced,
            ),
        )
        work.emit(Synthesized.of(synthesis))
        return work.done({"synthesis": synthesis, "warnings": synthesis.warnings})

    return node


async def _to_compose(state: View, kept: Sequence[SubResult], work: Work) -> tuple[ToCompose, tuple[str, ...]]:
    """What the answer is composed of: the claims of the results ``kept``, checked, and what disagrees with them. Beside
    it the statements that hold no more, since their document is replaced or over."""
    task, questions = state.understood, questions_of(state, kept)
    own = await _checked(claims_of(kept, state.evidence, limit=work.context.max_claims), state, work)
    settled = tuple(
        frozenset(claim.id for claim in own if claim.question_id == result.id)
        for result in kept
        if result.tier == "model"
    )
    force = Force(state.evidence, task.text, work.today)
    # Sentences that answer a vague request need not be about one thing: they are not compared as its answers.
    compared = () if task.vagueness >= VAGUE else questions
    heard = force.of_those_meant(await _heard(own, compared, settled, state, work), own)
    held = force.in_force((*own, *heard))
    told = {claim.text for claim in held}
    past = unique(claim.text for claim in (*own, *heard) if claim.text not in told and claim.verdict.stands)
    mine = tuple(claim for claim in held if claim not in heard) or held  # else what others say is the answer
    others = tuple(claim for claim in held if claim not in mine)
    claims, conflicts = await _disagreements(mine, others, compared, settled, read_for(kept), state, work)
    given = ToCompose(
        task=task,
        questions=questions,
        claims=claims,
        conflicts=conflicts,
        confidence=_overall(kept),
        evidence=state.evidence,
        missing=unique((*missing_parts(state, kept), *(result.missing for result in kept if result.missing))),
        guidance=guidance_text(state),
        today=work.today,
    )
    return given, past


async def _composed(given: ToCompose, kept: Sequence[SubResult], state: View, work: Work) -> Synthesis:
    """The answer as lines. A model's wording becomes claims of its own, of which those that are borne out stay. Where
    it finds no answer in words that do not say what they were quoted for, there is none."""
    composed = await work.judge(work.panel.compose, given, closing=True)
    if composed.value.declined and all(statement.reduced for result in kept for statement in result.statements):
        return Synthesis(confidence=given.confidence, tier=composed.tier, declined=True)
    told = with_disputes(composed.value, given, work.context.unsupported)
    is_reworded = composed.tier == "model" and not composed.value.declined
    lines, stated = (restated if is_reworded else kept_as_they_are)(given.claims, told)
    synthesis = Synthesis(
        lines=lines,
        claims=stated,
        behind=restated_by(lines, given.claims),
        conflicts=given.conflicts,
        confidence=given.confidence,
        tier=composed.tier,
        declined=composed.value.declined,
    )
    return await _borne_out(synthesis, state, work) if is_reworded else synthesis


def questions_of(state: View, kept: Sequence[SubResult]) -> tuple[Question, ...]:
    """The answered parts, in the order of the plan; ids are step ids."""
    answered = {result.id for result in kept}
    return tuple(Question(id=step.id, text=step.question) for step in state.steps if step.id in answered)


def missing_parts(state: View, kept: Sequence[SubResult]) -> tuple[str, ...]:
    """The parts that have no answer: those that were asked, or where a plan has put others in their place, its own."""
    answered = {result.id for result in kept}
    parts = {part.text for part in state.understood.questions}
    asked = [step for step in state.steps if step.question in parts] or state.steps
    return unique(step.question for step in asked if step.id not in answered)


async def _borne_out(synthesis: Synthesis, state: View, work: Work) -> Synthesis:
    """The composition without the sentences that the LLM-free tier does not find in what they cite: each gives way to
    the claims that it restates, where those stand. A sentence that restates several claims, or is in another language
    than they are, is left to the review if that can ask a model."""
    can_ask = work.has_model and work.ledger.left(closing=True).can_call()
    found = {claim.id for claim in await _checked(synthesis.claims, state, work) if claim.verdict.stands}
    stands = {claim.id for claim in synthesis.behind if claim.verdict.stands}
    lost = [line for line in synthesis.lines if not found.issuperset(line.claim_ids) and stands.issuperset(line.behind)]
    open_to_review = [line for line in lost if can_ask and (len(line.behind) > 1 or _is_translated(line, synthesis))]
    return given_way(synthesis, {key for line in lost if line not in open_to_review for key in line.claim_ids})


def _is_translated(line: Line, synthesis: Synthesis) -> bool:
    """Whether a line is in another language than all of what it restates."""
    sources = {tongue(claim.text) for claim in synthesis.behind if claim.id in line.behind}
    return tongue(line.text) not in ("", *sources)


async def _checked(claims: tuple[Claim, ...], state: View, work: Work) -> tuple[Claim, ...]:
    """The claims with a first verdict each, from the free tier: ``reflect`` asks the model about the doubtful ones."""
    given = ToSupport(claims=claims, evidence=state.evidence, asked=state.understood.text, today=work.today)
    judged = await work.judge(work.panel.support, given, allowance=Allowance())
    return judged.value


async def _heard(
    own: tuple[Claim, ...],
    questions: Sequence[Question],
    settled: tuple[frozenset[str], ...],
    state: View,
    work: Work,
) -> tuple[Claim, ...]:
    """What other documents say that may disagree with the answer's ``own`` claims, of which a model has ``settled``
    some, checked."""
    if not own or not work.context.switches.conflicts:
        return ()
    panel, room = work.panel, max(0, work.context.max_claims - len(own))
    sides = as_sources_say(own, state.evidence)
    by_model = frozenset[str]().union(*settled)
    heard = await asyncio.to_thread(
        witnesses, sides, questions, state.evidence, panel.rate_by_words, panel.answering, room, by_model
    )
    return await _checked(heard, state, work)


async def _disagreements(
    mine: tuple[Claim, ...],
    others: tuple[Claim, ...],
    questions: Sequence[Question],
    settled: tuple[frozenset[str], ...],
    read: Mapping[str, frozenset[str]],
    state: View,
    work: Work,
) -> tuple[tuple[Claim, ...], tuple[Conflict, ...]]:
    """The answer's claims (``mine``) with those of ``others`` that they are in conflict with, and these conflicts.
    ``settled``: ids of claims that a model has compared already; ``read``: the passages that it has read."""
    if len(mine) + len(others) < 2 or not work.context.switches.conflicts:
        return (*mine, *others), ()
    given = ToReconcile(
        claims=(*as_sources_say(mine, state.evidence), *others),
        evidence=state.evidence,
        threshold=work.context.conflict_threshold,
        questions=tuple(questions),
        settled=settled,
        today=work.today,
    )
    judged = await work.judge(work.panel.reconcile, given, closing=True)
    ids = {claim.id for claim in mine}
    by_words = judged.tier == "free"
    found = (conflict for conflict in judged.value if not (by_words and is_weighed(conflict, ids, read)))
    touching = tuple(conflict for conflict in found if ids & conflict.ids)
    told = {claim_id for conflict in touching for claim_id in conflict.ids}
    return (*mine, *(claim for claim in others if claim.id in told)), touching


def read_for(kept: Sequence[SubResult]) -> dict[str, frozenset[str]]:
    """The passages that a model was shown for each question that it answered, by the question's id."""
    return {result.id: frozenset(result.read) for result in kept if result.tier == "model"}


def is_weighed(conflict: Conflict, own: Set[str], read: Mapping[str, frozenset[str]]) -> bool:
    """Whether a model has weighed what words take for two cases: the claim that is its ``own`` it chose with the other
    side before it, and it says itself what it finds disputed. A contradiction is told whatever it has read."""
    seen = frozenset[str]().union(*(read.get(side.question_id, ()) for side in conflict.sides if side.id in own))
    others = [side for side in conflict.sides if side.id not in own]
    is_seen = bool(others) and all(seen.issuperset(side.evidence_ids) for side in others)
    return is_seen and conflict.kind is ConflictKind.AMBIGUITY


def _overall(kept: Sequence[SubResult]) -> Confidence:
    """The mean over the sub-results, weighted by their lengths (spec 3, ``computeOverallConfidence``)."""
    factors = [
        Factor(name=result.id, score=result.confidence.score, weight=float(len(result.content)), reason=result.question)
        for result in kept
    ]
    return confidence_of(factors)
