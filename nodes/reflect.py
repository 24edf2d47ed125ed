"""``reflect`` reviews the answer: claim by claim, criterion by criterion; on success it stores what was learnt."""

from collections.abc import Sequence

from langgraph.runtime import Runtime

from calibrant.judges.free.clarity import strategy_clarity
from calibrant.judges.free.phase import phase_confidence
from calibrant.judges.free.quality import quality_report
from calibrant.judges.given import ToSupport
from calibrant.nodes.deps import Deps, Node
from calibrant.nodes.judging import attempt_of, decided, open_phase, question_for, rule, situation
from calibrant.nodes.learning import lesson
from calibrant.nodes.requests import request_for
from calibrant.nodes.work import Work
from calibrant.state.answer import Claim, QualityReport, Review, Synthesis, Verdict
from calibrant.state.budget import Spend
from calibrant.state.channels import Update, View
from calibrant.state.confidence import Confidence
from calibrant.state.context import Context
from calibrant.state.decision import Action, Decision
from calibrant.state.memory import Recollection
from calibrant.state.task import Criterion, Phase, Task
from calibrant.state.uncertainty import Signal, SignalKind

SUPPORT_WEIGHT = {Verdict.SUPPORTED: 1.0, Verdict.QUALIFIED: 0.5, Verdict.UNVERIFIED: 0.0, Verdict.CONTRADICTED: 0.0}
"""What a claim counts for, by its verdict."""


def reflect(deps: Deps) -> Node:
    """The node. After a retrieval it checks the claims again, against what was found."""

    async def node(state: View, runtime: Runtime[Context]) -> Update:
        work = await Work.begin(deps, runtime, state)
        if state.perceived is None or state.selected is None:
            raise RuntimeError("reflect runs after act")
        open_phase(work, state, Phase.REFLECT)
        review = await _review(state, state.perceived, work)
        confidence = _confidence(state, review, work)
        signals = signals_of(review, attempt_of(state, Phase.REFLECT))
        seen = situation(state, Phase.REFLECT, confidence, work, signals)
        seen = seen.replace(quality_below=not review.quality.meets_threshold)
        decision = rule(state, Phase.REFLECT, confidence, work, seen)
        if decision.action is Action.REFINE:
            work.spend(Spend(refinements=1))
        if decision.action is Action.PROCEED:
            await _learn(state, review, decision, work, runtime)
        missing = state.synthesis.missing if state.synthesis else ()
        refinement = review.quality.refinement if decision.action is Action.REFINE else None
        return work.done(
            decided(
                decision,
                review=review,
                perceived=state.perceived.replace(
                    criteria=counted(state, state.perceived, review.claims, review.quality)
                ),
                signals=signals,
                request=request_for(state, state.perceived, decision, work, questions=missing, refinement=refinement),
                **question_for(state, decision, work, signals),
            )
        )

    return node


async def _review(state: View, task: Task, work: Work) -> Review:
    claims = (state.synthesis or Synthesis()).claims
    judged = await work.judge(work.panel.support, ToSupport(claims=claims, evidence=state.evidence), closing=True)
    quality = quality_report(
        task, state.evidence, threshold=work.context.quality_threshold, retry=work.ledger.spend.refinements
    )
    criteria = counted(state, task, judged.value, quality)
    return Review(
        claims=judged.value,
        criteria_met=tuple(item.what for item in criteria if (item.met or 0) >= item.target),
        criteria_missed=tuple(item.what for item in criteria if (item.met or 0) < item.target),
        quality=quality,
        supported_share=supported_share(state, judged.value),
        tier=judged.tier,
    )


def supported_share(state: View, claims: Sequence[Claim]) -> float:
    """Over the steps of the plan: the best claim's support times how well it answers, averaged. 0.0 without steps."""
    steps = state.selected.steps if state.selected else ()
    if not steps:
        return 0.0
    best = [
        max(
            (SUPPORT_WEIGHT[claim.verdict] * claim.addresses for claim in claims if claim.question_id == step.id),
            default=0.0,
        )
        for step in steps
    ]
    return sum(best) / len(best)


def counted(state: View, task: Task, claims: Sequence[Claim], quality: QualityReport) -> tuple[Criterion, ...]:
    """The success criteria with their counts: supported claims of the part they name; verified passages where the task
    sets conditions on what counts."""
    question_of = {step.id: step.question for step in (state.selected.steps if state.selected else ())}
    supported = [claim for claim in claims if claim.verdict in (Verdict.SUPPORTED, Verdict.QUALIFIED)]
    found = []
    for criterion in task.criteria:
        own = sum(1 for claim in supported if question_of.get(claim.question_id) == criterion.what)
        if quality.score is not None:
            own = max(own, quality.verified)
        found.append(criterion.replace(met=own if criterion.what in question_of.values() or own else len(supported)))
    return tuple(found)


def signals_of(review: Review, attempt: int) -> tuple[Signal, ...]:
    """A review in which most claims could be neither supported nor refuted is inconclusive."""
    unverified = sum(1 for claim in review.claims if claim.verdict is Verdict.UNVERIFIED)
    if not review.claims or unverified * 2 <= len(review.claims):
        return ()
    detail = f"{unverified} of {len(review.claims)} claims could not be verified"
    return (Signal(kind=SignalKind.INCONCLUSIVE, phase=Phase.REFLECT, attempt=attempt, detail=detail),)


def _confidence(state: View, review: Review, work: Work) -> Confidence:
    task, branch = state.perceived, state.selected
    if task is None or branch is None:
        raise RuntimeError("reflect runs after act")
    return phase_confidence(
        Phase.REFLECT,
        task=task,
        recollection=state.recalled or Recollection(),
        sufficiency=None,
        supported_share=review.supported_share,
        clarity=strategy_clarity(branch, task).score or 0.0,
        risk=task.risk,
        weights=work.context.phase_weights,
    )


async def _learn(state: View, review: Review, decision: Decision, work: Work, runtime: Runtime[Context]) -> None:
    """Store the experience, and the approach if every claim it rests on is supported. Idempotent: keyed by the run."""
    memory = work.deps.memory(runtime) if work.context.switches.memory else None
    learnt = lesson(state, review, decision, work.ledger.spend, work.deps.clock())
    if memory is None or learnt is None:
        return
    experience, pattern = learnt
    info = runtime.execution_info
    thread = (info.thread_id if info else None) or ""
    await memory.remember(experience.replace(thread_id=thread), pattern)
