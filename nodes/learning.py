"""What a finished run teaches: an experience, and after a verified success the approach as a pattern. Pure."""

from calibrant.state.answer import Review, Verdict
from calibrant.state.base import unique
from calibrant.state.budget import Spend
from calibrant.state.channels import View
from calibrant.state.decision import Decision
from calibrant.state.memory import Experience, Pattern

MIN_SUPPORTED = 0.5
"""Least supported share for a success: below it most parts have no supported answer."""


def lesson(
    state: View, review: Review, decision: Decision, spend: Spend, now: float
) -> tuple[Experience, Pattern | None] | None:
    """The experience and the pattern of a run; None where it did not succeed (nothing is learnt from failure)."""
    task, run = state.perceived, state.run
    supported = [claim for claim in review.claims if claim.verdict is Verdict.SUPPORTED]
    if task is None or run is None or not supported or review.supported_share < MIN_SUPPORTED:
        return None
    cited = unique(eid for claim in supported for eid in claim.evidence_ids)
    by_id = {item.id: item for item in state.evidence}
    used = [by_id[eid] for eid in cited if eid in by_id]
    depth = max((retrieval.depth_used for retrieval in state.retrievals), default=0)
    experience = Experience(
        id=run.id,
        task=task.text,
        query_type=task.query_type,
        outcome="answered",
        confidence=decision.confidence.score,
        dollars=spend.dollars,
        model_calls=spend.model_calls,
        retrievals=spend.retrievals,
        depth=depth,
        queries=unique(item.query for item in used if item.query),
        evidence_ids=cited,
        at=now,
    )
    if any(claim.verdict is Verdict.CONTRADICTED for claim in review.claims):
        return experience, None
    return experience, Pattern(
        id=run.id,
        name=f"{task.query_type.value}: {' '.join(task.topic[:4])}",
        applies_to=task.text,
        query_type=task.query_type,
        queries=experience.queries,
        sources=unique(item.source for item in used),
        steps=tuple(step.question for step in state.selected.steps) if state.selected else (),
        depth=max(1, depth),
        origin=run.id,
        at=now,
    )
