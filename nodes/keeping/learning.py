"""What a finished run teaches: an experience, and after a verified success the approach as a pattern. Pure.

Asked again, a question with the same answer teaches no other experience: the one that is remembered is made anew.
"""

from collections.abc import Sequence

from calibrant.judges.free.evidence.above import line_above
from calibrant.judges.free.evidence.matching import keys
from calibrant.judges.free.evidence.query import coverage, prepare
from calibrant.memory.words import plain
from calibrant.nodes.reading.thread import guidance_text
from calibrant.state.answer import Claim, Review, Verdict
from calibrant.state.base import unique
from calibrant.state.budget import Spend
from calibrant.state.channels import Run, View
from calibrant.state.confidence import Confidence, Level
from calibrant.state.evidence import MESSAGE
from calibrant.state.memory import Experience, Pattern
from calibrant.state.task import Task

MIN_SUPPORTED = 0.5
"""Least supported share for a success: below it most parts have no supported answer."""
OWN = 1 / 3
"""Share of the question's words, by weight, that an answer to it has, which a person has led to."""


def rejection(state: View, review: Review) -> Experience | None:
    """The remembered answer that a person has called bad and that this answer merely repeats."""
    if state.perceived is None or state.run is None or state.recalled is None:
        return None
    return state.recalled.rejection(_experience(state.run, state.perceived, review.claims))


def _refreshed(state: View, told: Experience) -> Experience:
    """``told``; where its question was asked before, in the same words, and answered so: as the latest run of that."""
    recalled = state.recalled.experiences if state.recalled else ()
    for held in (item.experience for item in recalled if item.experience):
        if told.query_type is held.query_type and plain(told.task) == plain(held.task) and told.refreshes(held):
            return told.replace(id=held.id, again=(told.id,))
    return told


def _experience(run: Run, task: Task, claims: Sequence[Claim]) -> Experience:
    """What the supported ones of these claims say, and from where, as an experience."""
    supported = [claim for claim in claims if claim.verdict is Verdict.SUPPORTED]
    return Experience(
        id=run.id,
        task=task.text,
        query_type=task.query_type,
        evidence_ids=unique(eid for claim in supported for eid in claim.evidence_ids),
        quotes=unique(" ".join(span.quote.split()) for claim in supported for span in claim.spans),
    )


def _was_turned(state: View, task: Task, supported: Sequence[Claim]) -> bool:
    """Whether a person has asked for something else on the way: what is told has little of what was asked."""
    if not guidance_text(state):
        return False
    query = prepare(task.text)
    cited = {eid for claim in supported for eid in claim.evidence_ids}
    above = (line_above(item) for item in state.evidence if item.id in cited)
    quotes = (span.quote for claim in supported for span in claim.spans)
    told = " ".join((*above, *quotes, *(claim.text for claim in supported)))
    return coverage(query, keys(told, query.language)) < OWN


def lesson(
    state: View, review: Review, confidence: Confidence, spend: Spend
) -> tuple[Experience, Pattern | None] | None:
    """The experience and the pattern of a run; None where it did not succeed: nothing is learnt from failure.

    An answer that repeats what a person has called bad inherits that verdict. ``confidence``: the one that the answer
    is given with. At its lowest level nothing is kept: a memory would make the answer seem surer the next time. Nor is
    what a person had told instead of what was asked, or what rests on what was pasted with the request. Both are as old
    as the run: what came while a person was thinking it may not have seen.
    """
    task, run = state.perceived, state.run
    supported = [claim for claim in review.claims if claim.verdict is Verdict.SUPPORTED]
    if task is None or run is None or not supported or review.supported_share < MIN_SUPPORTED:
        return None
    if confidence.level is Level.VERY_LOW or _was_turned(state, task, supported):
        return None
    told = _experience(run, task, review.claims)
    by_id = {item.id: item for item in state.evidence}
    used = [by_id[eid] for eid in told.evidence_ids if eid in by_id]
    if any(item.source == MESSAGE for item in used):
        return None
    experience = _refreshed(state, told).replace(
        outcome="answered",
        confidence=confidence.score,
        dollars=spend.dollars,
        model_calls=spend.model_calls,
        retrievals=spend.retrievals,
        depth=state.deepest,
        queries=unique(item.query for item in used if item.query),
        at=run.started_at,
    )
    if bad := rejection(state, review):
        return experience.replace(verdict=bad.verdict, judged_at=bad.judged_at), None
    if any(claim.verdict is Verdict.CONTRADICTED for claim in review.claims):
        return experience, None
    return experience, Pattern(
        id=run.id,
        name=f"{task.query_type.value}: {' '.join(task.topic[:4])}",
        applies_to=task.text,
        query_type=task.query_type,
        queries=experience.queries,
        sources=unique(item.source for item in used),
        steps=tuple(step.question for step in state.steps),
        depth=max(1, state.deepest),
        origin=experience.id,
        at=run.started_at,
    )
