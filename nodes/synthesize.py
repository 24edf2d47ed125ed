"""``synthesize`` composes the answer: score -> filter -> claims -> verdicts -> conflicts -> composition
-> warnings."""

import asyncio
from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass, replace
from functools import cached_property

from langgraph.runtime import Runtime

from calibrant.judges.free.answering.claims import claims_of
from calibrant.judges.free.answering.verbatim import as_sources_say
from calibrant.judges.free.evidence.quality import readable
from calibrant.judges.free.request.vague import VAGUE
from calibrant.judges.free.synthesis.compose import with_disputes
from calibrant.judges.free.synthesis.preferred import Force
from calibrant.judges.free.synthesis.quoted import is_data
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
        composition = Composition(state, kept, work)
        given, replaced = await composition.given()
        synthesis = await composition.composed(given)
        synthesis = synthesis.replace(
            excluded=tuple(result.id for result in excluded),
            missing=composition.missing,
            warnings=warnings_of(
                given.confidence.score if composition.is_rated else None,
                given.conflicts,
                tuple(result.question for result in excluded),
                failed_sources(state.reports),
                replaced,
            ),
        )
        work.emit(Synthesized.of(synthesis))
        return work.done({"synthesis": synthesis, "warnings": synthesis.warnings})

    return node


@dataclass(frozen=True)
class Composition:
    """One answer made of the results that are ``kept``."""

    state: View
    kept: tuple[SubResult, ...]
    work: Work

    @cached_property
    def questions(self) -> tuple[Question, ...]:
        """The answered parts, in the order of the plan; ids are step ids."""
        answered = {result.id for result in self.kept}
        return tuple(Question(id=step.id, text=step.question) for step in self.state.steps if step.id in answered)

    @cached_property
    def compared(self) -> tuple[Question, ...]:
        """The parts whose answers are compared. Sentences that answer a vague request need not be about one thing."""
        return () if self.state.understood.vagueness >= VAGUE else self.questions

    @cached_property
    def claims(self) -> tuple[Claim, ...]:
        """What the results claim, not checked yet."""
        return claims_of(self.kept, self.state.evidence, limit=self.work.context.max_claims)

    @cached_property
    def by_model(self) -> tuple[SubResult, ...]:
        """The results of a model."""
        return tuple(result for result in self.kept if result.tier == "model")

    @cached_property
    def settled(self) -> tuple[frozenset[str], ...]:
        """The ids of the claims that a model has compared already, since it made them in one answer."""
        return tuple(
            frozenset(claim.id for claim in self.claims if claim.question_id == result.id) for result in self.by_model
        )

    @cached_property
    def is_worded(self) -> bool:
        """Whether all that is told is one answer of a model in its own sentences, which were checked as they are."""
        is_one = len(self.kept) == len(self.by_model) == 1 and not guidance_text(self.state)
        return is_one and not any(one.reduced for result in self.kept for one in result.statements)

    @cached_property
    def is_rated(self) -> bool:
        """Whether the score of what is told says something: not of what a call gave, if that is nothing, nor of short
        answers of a model that their passages bear out and that leave nothing open."""
        told = [result for result in self.kept if result.content]
        return any(
            result.tier != "model" or result.missing or any(one.reduced for one in result.statements) for result in told
        )

    @cached_property
    def missing(self) -> tuple[str, ...]:
        """The parts that have no answer: those that were asked, or where a plan has put others in their place, its
        own."""
        answered = {result.id for result in self.kept}
        parts = {part.text for part in self.state.understood.questions}
        asked = [step for step in self.state.steps if step.question in parts] or self.state.steps
        return unique(step.question for step in asked if step.id not in answered)

    async def given(self) -> tuple[ToCompose, tuple[str, ...]]:
        """What the answer is composed of: the claims, checked, and what disagrees with them. Beside it the statements
        that hold no more, since their document is replaced or over."""
        state, task = self.state, self.state.understood
        own = await self._checked(self.claims)
        force = Force(state.evidence, task.text, self.work.today)
        heard = force.of_those_meant(await self._heard(own), own)
        held = force.in_force((*own, *heard))
        told = {claim.text for claim in held}
        past = unique(claim.text for claim in (*own, *heard) if claim.text not in told and claim.verdict.stands)
        mine = tuple(claim for claim in held if claim not in heard) or held  # else what others say is the answer
        others = tuple(claim for claim in held if claim not in mine)
        claims, conflicts = await self._disagreements(mine, others)
        given = ToCompose(
            task=task,
            questions=self.questions,
            claims=claims,
            conflicts=conflicts,
            confidence=_overall(self.kept),
            evidence=state.evidence,
            missing=unique((*self.missing, *(result.missing for result in self.kept if result.missing))),
            guidance=guidance_text(state),
            today=self.work.today,
            worded=self.is_worded,
        )
        return given, past

    async def composed(self, given: ToCompose) -> Synthesis:
        """The answer as lines. A model's wording becomes claims of its own, of which those that are borne out stay.
        Where it finds no answer in words that do not say what they were quoted for, there is none."""
        composed = await self.work.judge(self.work.panel.compose, given, closing=True)
        if composed.value.declined and all(one.reduced for result in self.kept for one in result.statements):
            return Synthesis(confidence=given.confidence, tier=composed.tier, declined=True)
        told = with_disputes(composed.value, given, self.work.context.unsupported)
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
        return await self._borne_out(synthesis) if is_reworded else synthesis

    async def _borne_out(self, synthesis: Synthesis) -> Synthesis:
        """The composition without the sentences that the LLM-free tier does not find in what they cite: each gives way
        to the claims that it restates, where those stand. A sentence that restates several claims, is in another
        language than they are, or puts the row of a table in words, is left to the review if that can ask a model."""
        can_ask = self.work.has_model and self.work.ledger.left(closing=True).can_call()
        found = {claim.id for claim in await self._checked(synthesis.claims) if claim.verdict.stands}
        stands = {claim.id for claim in synthesis.behind if claim.verdict.stands}
        lost = [one for one in synthesis.lines if not found.issuperset(one.claim_ids) and stands.issuperset(one.behind)]
        open_to_review = [one for one in lost if can_ask and (len(one.behind) > 1 or _is_told_anew(one, synthesis))]
        return given_way(synthesis, {key for line in lost if line not in open_to_review for key in line.claim_ids})

    async def _checked(self, claims: tuple[Claim, ...]) -> tuple[Claim, ...]:
        """The claims with a first verdict each, from the free tier: ``reflect`` asks the model about the doubtful
        ones."""
        state = self.state
        given = ToSupport(claims=claims, evidence=state.evidence, asked=state.understood.text, today=self.work.today)
        judged = await self.work.judge(self.work.panel.support, given, allowance=Allowance())
        return judged.value

    async def _heard(self, own: tuple[Claim, ...]) -> tuple[Claim, ...]:
        """What other documents say that may disagree with the answer's ``own`` claims, checked. A passage that breaks a
        condition is not heard."""
        context, evidence = self.work.context, self.state.evidence
        if not own or not context.switches.conflicts:
            return ()
        panel, room = self.work.panel, max(0, context.max_claims - len(own))
        sides = as_sources_say(own, evidence)
        cited = {eid for claim in own for eid in claim.evidence_ids}
        met = {item.id for item in readable(self.state.understood, evidence)}
        held = tuple(item for item in evidence if item.id in cited | met)
        settled = frozenset[str]().union(*self.settled)
        heard = await asyncio.to_thread(
            witnesses, sides, self.compared, held, panel.rate_by_words, panel.answering, room, settled
        )
        return await self._checked(heard)

    async def _disagreements(
        self, mine: tuple[Claim, ...], others: tuple[Claim, ...]
    ) -> tuple[tuple[Claim, ...], tuple[Conflict, ...]]:
        """The answer's claims (``mine``) with those of ``others`` that they are in conflict with, and these
        conflicts."""
        context, evidence = self.work.context, self.state.evidence
        if len(mine) + len(others) < 2 or not context.switches.conflicts:
            return (*mine, *others), ()
        given = ToReconcile(
            claims=(*as_sources_say(mine, evidence), *others),
            evidence=evidence,
            threshold=context.conflict_threshold,
            questions=self.compared,
            settled=self.settled,
            today=self.work.today,
        )
        ids = {claim.id for claim in mine}
        touching = tuple(one for one in await self._conflicts(given, ids) if ids & one.ids)
        told = {claim_id for conflict in touching for claim_id in conflict.ids}
        return (*mine, *(claim for claim in others if claim.id in told)), touching

    async def _conflicts(self, given: ToReconcile, own: Set[str]) -> tuple[Conflict, ...]:
        """The conflicts among claims. Where words find that a passage contradicts a model's ``own`` claim, it is asked,
        if need be with one call more than a plain question has: it may have read that and said nothing of it, and of
        what it has not read words alone know little."""
        read = {result.id: frozenset(result.read) for result in self.by_model}
        judged = await self.work.judge(self.work.panel.reconcile, given, closing=True)
        if judged.tier == "model":
            return judged.value
        left = tuple(conflict for conflict in judged.value if not is_weighed(conflict, own, read))
        if not (self.by_model and any(is_heard_against(conflict, own) for conflict in left)):
            return left
        self.work.allow_one_more()
        asked = await self.work.judge(self.work.panel.reconcile, replace(given, doubted=True), closing=True)
        return asked.value if asked.tier == "model" else left


def _is_told_anew(line: Line, synthesis: Synthesis) -> bool:
    """Whether a line is in another language than all of what it restates, or restates names and values alone."""
    restated = [claim.text for claim in synthesis.behind if claim.id in line.behind]
    is_translated = tongue(line.text) not in ("", *map(tongue, restated))
    return is_translated or all(map(is_data, restated))


def is_weighed(conflict: Conflict, own: Set[str], read: Mapping[str, frozenset[str]]) -> bool:
    """Whether a model has weighed what words take for two cases: it says itself what it finds disputed. A
    contradiction is told whatever it has read, unless it denies that when it is asked."""
    return conflict.kind is ConflictKind.AMBIGUITY and is_seen(conflict, own, read)


def is_heard_against(conflict: Conflict, own: Set[str]) -> bool:
    """Whether one side alone is an ``own`` claim."""
    return len(own & conflict.ids) == 1


def is_seen(conflict: Conflict, own: Set[str], read: Mapping[str, frozenset[str]]) -> bool:
    """Whether a model chose the claim that is its ``own`` with the other side before it. ``read``: the passages that
    it was shown, by the question's id."""
    seen = frozenset[str]().union(*(read.get(side.question_id, ()) for side in conflict.sides if side.id in own))
    others = [side for side in conflict.sides if side.id not in own]
    return bool(others) and all(seen.issuperset(side.evidence_ids) for side in others)


def _overall(kept: Sequence[SubResult]) -> Confidence:
    """The mean over the sub-results, weighted by their lengths (spec 3, ``computeOverallConfidence``)."""
    factors = [
        Factor(name=result.id, score=result.confidence.score, weight=float(len(result.content)), reason=result.question)
        for result in kept
    ]
    return confidence_of(factors)
