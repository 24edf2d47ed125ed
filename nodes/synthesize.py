"""``synthesize`` composes the answer: score -> filter -> claims -> verdicts -> conflicts -> composition
-> warnings."""

import asyncio
from collections.abc import Iterator, Sequence, Set

from langgraph.runtime import Runtime

from calibrant.judges.free.answering.claims import claims_of
from calibrant.judges.free.answering.verbatim import as_sources_say
from calibrant.judges.free.synthesis.compose import with_disputes
from calibrant.judges.free.synthesis.preferred import in_force
from calibrant.judges.free.synthesis.scorer import overall_confidence, warnings_of
from calibrant.judges.free.synthesis.witnesses import witnesses
from calibrant.judges.free.words.tongues import tongue
from calibrant.judges.given import Composed, ToCompose, ToReconcile, ToSupport
from calibrant.nodes.deps import Deps, Node
from calibrant.nodes.fallback import UNCHECKED, attributed, judged_or, quoted_verbatim
from calibrant.nodes.steps import asked_steps
from calibrant.nodes.work import Work
from calibrant.state.answer import Claim, Conflict, Line, Synthesis, Verdict
from calibrant.state.base import unique
from calibrant.state.budget import Allowance
from calibrant.state.channels import Update, View
from calibrant.state.confidence import Confidence, Factor
from calibrant.state.context import Context
from calibrant.state.events import Synthesized
from calibrant.state.retrieval import did_not_answer
from calibrant.state.task import Question, StepStatus, SubResult


def synthesize(deps: Deps) -> Node:
    """The node. It never fails for want of a model: every part has a free tier."""

    async def node(state: View, runtime: Runtime[Context]) -> Update:
        work = await Work.begin(deps, runtime, state)
        if state.perceived is None:
            raise RuntimeError("synthesize runs after perceive")
        answered = own_results(state)
        kept = tuple(result for result in answered if result.confidence.score >= work.context.min_confidence)
        questions = questions_of(state, kept)
        own = await _checked(claims_of(kept, state.evidence, limit=work.context.max_claims), state, work)
        claims, conflicts = await _disagreements(own, questions, state, work)
        overall = _overall(kept)
        missing = missing_parts(state, kept)
        given = ToCompose(
            task=state.perceived,
            questions=questions,
            claims=claims,
            conflicts=conflicts,
            confidence=overall,
            evidence=state.evidence,
            missing=unique((*missing, *(result.missing for result in kept if result.missing))),
            today=work.today,
        )
        composed = await judged_or(
            work, work.panel.compose, given, attributed(given), "The answer could not be composed", closing=True
        )
        told = with_disputes(composed.value, given, work.context.unsupported)
        is_reworded = composed.tier == "model"
        lines, stated = restated(claims, told, conflicts) if is_reworded else kept_as_they_are(claims, told)
        excluded = tuple(result for result in answered if result not in kept)
        left_out = tuple(result.question for result in excluded)
        synthesis = Synthesis(
            lines=lines,
            claims=stated,
            behind=restated_by(lines, claims),
            conflicts=conflicts,
            confidence=overall,
            excluded=tuple(result.id for result in excluded),
            missing=missing,
            warnings=warnings_of(overall.score if kept else None, conflicts, left_out, failed_sources(state)),
            tier=composed.tier,
        )
        if is_reworded:
            synthesis = await _borne_out(synthesis, state, work)
        work.emit(Synthesized.of(synthesis))
        return work.done({"synthesis": synthesis, "warnings": synthesis.warnings})

    return node


def own_results(state: View) -> tuple[SubResult, ...]:
    """What the steps that were asked for answered."""
    ids = {step.id for step in asked_steps(state.selected, state.perceived)}
    return tuple(result for result in state.results if result.id in ids and result.status is StepStatus.ANSWERED)


def told_for(state: View, claims: Sequence[Claim]) -> dict[str, tuple[Claim, ...]]:
    """Which of the ``claims`` that are stated answer which step, as well as its own result does: its own; where it has
    none, those that say the same. One sentence may answer two parts and be stated once."""
    steps = state.selected.steps if state.selected else ()
    told = {step.id: tuple(claim for claim in claims if claim.question_id == step.id) for step in steps}
    for result in own_results(state):
        if not told[result.id]:
            told[result.id] = tuple(_also_said(claims_of([result], state.evidence), claims))
    return told


def _also_said(own: Sequence[Claim], claims: Sequence[Claim]) -> Iterator[Claim]:
    for claim in claims:
        same = [one.addresses for one in own if {one.text, *one.spans} & {claim.text, *claim.spans}]
        if same:
            yield claim.replace(addresses=max(same))


def questions_of(state: View, kept: Sequence[SubResult]) -> tuple[Question, ...]:
    """The answered parts, in the order of the plan; ids are step ids."""
    answered = {result.id for result in kept}
    steps = state.selected.steps if state.selected else ()
    return tuple(Question(id=step.id, text=step.question) for step in steps if step.id in answered)


def missing_parts(state: View, kept: Sequence[SubResult]) -> tuple[str, ...]:
    """The parts that have no answer: those that were asked, or where a plan has put others in their place, its own."""
    answered = {result.id for result in kept}
    steps = state.selected.steps if state.selected else ()
    parts = {part.text for part in state.perceived.questions} if state.perceived else set()
    asked = [step for step in steps if step.question in parts] or steps
    return unique(step.question for step in asked if step.id not in answered)


def failed_sources(state: View) -> tuple[str, ...]:
    """Sources that could not answer in this run: they are named, and never count as "nothing found"."""
    return unique(report.source for result in state.retrievals for report in result.sources if did_not_answer(report))


def kept_as_they_are(claims: Sequence[Claim], composed: Composed) -> tuple[tuple[Line, ...], tuple[Claim, ...]]:
    """The lines, and the claims in the order of composition."""
    by_id = {claim.id: claim for claim in claims}
    ids = unique(claim_id for _, ids in composed.sentences for claim_id in ids)
    lines = tuple(Line(text=text, claim_ids=ids) for text, ids in composed.sentences)
    return lines, tuple(by_id[claim_id] for claim_id in ids if claim_id in by_id)


def restated(
    claims: Sequence[Claim], composed: Composed, conflicts: Sequence[Conflict]
) -> tuple[tuple[Line, ...], tuple[Claim, ...]]:
    """The same for a model's wording: each of its sentences is a claim of its own, to be checked against the spans of
    the claims that it restates. A sentence with both sides of a conflict is ours: its claims stay as they are."""
    by_id = {claim.id: claim for claim in claims}
    lines: list[Line] = []
    stated: dict[str, Claim] = {}
    for number, (text, ids) in enumerate(composed.sentences, start=1):
        sources = [by_id[claim_id] for claim_id in ids if claim_id in by_id]
        if not sources or any(conflict.ids <= set(ids) for conflict in conflicts):
            lines.append(Line(text=text, claim_ids=tuple(claim.id for claim in sources)))
            stated |= {claim.id: claim for claim in sources}
            continue
        spans = unique(span for claim in sources for span in claim.spans)
        changes = {"id": f"s{number}", "text": text, "spans": spans, "verdict": Verdict.UNVERIFIED, "reason": ""}
        stated[f"s{number}"] = min(sources, key=lambda claim: claim.confidence).replace(**changes)
        lines.append(Line(text=text, claim_ids=(f"s{number}",), behind=tuple(claim.id for claim in sources)))
    return tuple(lines), tuple(stated.values())


def restated_by(lines: Sequence[Line], claims: Sequence[Claim]) -> tuple[Claim, ...]:
    """The claims that lines restate."""
    behind = {claim_id for line in lines for claim_id in line.behind}
    return tuple(claim for claim in claims if claim.id in behind)


def given_way(synthesis: Synthesis, fallen: Set[str]) -> Synthesis:
    """The composition without the model's sentences that are not borne out, by the ids of their claims. They give way
    to the claims that they restate, where those stand and no other line tells them: how an answer is worded is no
    reason to lose it."""
    lost = [line for line in synthesis.lines if line.behind and not fallen.isdisjoint(line.claim_ids)]
    held = {claim.id: claim for claim in (*synthesis.behind, *synthesis.claims)}
    told = {key for line in synthesis.lines if line not in lost for key in (*line.claim_ids, *line.behind)}
    lines: list[Line] = []
    for line in synthesis.lines:
        if line not in lost:
            lines.append(line)
            continue
        instead = [key for key in line.behind if key not in told and held[key].verdict.stands]
        lines += [Line(text=held[key].text, claim_ids=(key,)) for key in instead]
        told.update(instead)
    stated = unique(key for line in lines for key in line.claim_ids)
    return synthesis.replace(lines=tuple(lines), claims=tuple(held[key] for key in stated if key in held))


async def _borne_out(synthesis: Synthesis, state: View, work: Work) -> Synthesis:
    """The composition with the sentences that the LLM-free tier finds in what they cite. What follows from several
    claims together, or is told in another language, is left to the review, if that can ask a model."""
    can_ask = work.panel.support.ask is not None and work.ledger.left(closing=True).can_call()
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
    asked = state.perceived.text if state.perceived else ""
    given = ToSupport(claims=claims, evidence=state.evidence, asked=asked, today=work.today)
    judged = await judged_or(work, work.panel.support, given, quoted_verbatim(claims), UNCHECKED, allowance=Allowance())
    return judged.value


async def _disagreements(
    own: tuple[Claim, ...], questions: Sequence[Question], state: View, work: Work
) -> tuple[tuple[Claim, ...], tuple[Conflict, ...]]:
    """The conflicts that touch the answer, and its claims with those of other documents that they set against them,
    without what a document says that was replaced."""
    if not own or not work.context.switches.conflicts:
        return own, ()
    room = max(0, work.context.max_claims - len(own))
    panel = work.panel
    sides = as_sources_say(own, state.evidence)
    heard = await asyncio.to_thread(witnesses, sides, questions, state.evidence, panel.rate, panel.answers, room)
    claims = (*own, *await _checked(heard, state, work))
    if len(claims) < 2:
        return own, ()
    given = ToReconcile(
        claims=(*sides, *claims[len(own) :]),
        evidence=state.evidence,
        threshold=work.context.conflict_threshold,
        questions=tuple(questions),
    )
    judged = await judged_or(
        work, work.panel.reconcile, given, (), "Disagreement between sources could not be looked for", closing=True
    )
    ids = {claim.id for claim in own}
    touching = tuple(conflict for conflict in judged.value if ids & conflict.ids)
    told = {claim_id for conflict in touching for claim_id in conflict.ids}
    heard_of = [claim for claim in claims if claim.id in ids | told]
    return in_force(heard_of, told, state.evidence), touching


def _overall(kept: Sequence[SubResult]) -> Confidence:
    """The length-weighted mean over the sub-results (spec 3), with each of them as a factor."""
    if not kept:
        return Confidence()
    score = overall_confidence(kept)
    factors = tuple(
        Factor(name=result.id, score=result.confidence.score, weight=float(len(result.content)), reason=result.question)
        for result in kept
    )
    return Confidence(raw=score, score=score, factors=factors)
