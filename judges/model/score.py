"""Scoring by a model: five anchored ratings of a response against its passages, averaged with what code measured."""

from asyncio import to_thread

from calibrant.judges.cascade import Judged
from calibrant.judges.given import ToScore
from calibrant.judges.model.asking import Asking, judged
from calibrant.judges.model.passages import best_first, passages
from calibrant.judges.model.port import ModelPort
from calibrant.judges.model.prompting import fenced
from calibrant.judges.model.prose import prose
from calibrant.judges.model.schemas import ScoreReply
from calibrant.state.budget import Allowance
from calibrant.state.confidence import Confidence, Factor, ResultWeights, confidence_of

TOP = 4.0
"""The highest rating."""


class Score(Asking):
    """``ToScore`` -> ``Confidence``."""

    def __init__(self, port: ModelPort) -> None:
        super().__init__(port, "score")

    async def __call__(self, given: ToScore, free: Confidence, allowance: Allowance) -> Judged[Confidence]:
        cited = set(given.result.evidence_ids)
        quoted = best_first([item for item in given.evidence if item.id in cited])
        shown = await to_thread(passages, quoted, given.result.content)
        reply, spend = await self._ask(
            ScoreReply,
            allowance,
            question=fenced("question", given.result.question),
            response=fenced("response", given.result.content or "(no response)"),
            passages=shown.text,
        )
        return judged(confidence_of([_factor(factor, reply) for factor in _factors(free)]), spend)


def _factors(free: Confidence) -> tuple[Factor, ...]:
    """The free factors; the default ones, unscored, if there are none."""
    weights = ResultWeights().model_dump()
    return free.factors or tuple(Factor(name=name, weight=weight) for name, weight in weights.items())


def _factor(factor: Factor, reply: ScoreReply) -> Factor:
    """The mean of both tiers: a model is good at meaning and generous, code is literal and strict."""
    rating = getattr(reply, factor.name, None) if factor.name in ScoreReply.model_fields else None
    if not isinstance(rating, int):
        return factor
    theirs = rating / TOP
    score = theirs if factor.score is None else (factor.score + theirs) / 2
    lowest = min(reply.ratings)
    why = f" ({prose(reply.reason, limit=150)})" if reply.reason and rating == lowest < TOP else ""
    return factor.replace(
        score=score, reason=f"{factor.reason}; the model rates it {rating} of 4{why}".removeprefix("; ")
    )
