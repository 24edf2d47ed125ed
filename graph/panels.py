"""The panel of judgements for a run's settings: the LLM-free tier always, the LLM tier where a model is there."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import replace
from threading import Lock

from calibrant.judges.asked_once import AskedOnce, same_answer, same_plan, same_sufficiency
from calibrant.judges.cascade import Judgement
from calibrant.judges.free.answering.distil import Distiller
from calibrant.judges.free.answering.extract import Extractor
from calibrant.judges.free.evidence.late_interaction import cached
from calibrant.judges.free.evidence.sufficiency import SufficiencyJudge
from calibrant.judges.free.planning.plan import plan
from calibrant.judges.free.request.understand import understand
from calibrant.judges.free.synthesis.compose import compose
from calibrant.judges.free.synthesis.conflicts import ConflictJudge
from calibrant.judges.free.synthesis.scorer import ResultScorer
from calibrant.judges.free.synthesis.support import SupportJudge
from calibrant.judges.model import Askers
from calibrant.judges.panel import Panel
from calibrant.state.context import Context
from calibrant.state.protocols import TokenEncoder

KEPT = 16
"""Panels that are kept, the oldest dropped first: each run may bring settings of its own."""


def panel_maker(
    encoder: TokenEncoder | None, askers_for: Callable[[Context], Askers | None]
) -> Callable[[Context], Awaitable[Panel]]:
    """The panel for a run's settings. Made once for each kind of settings, in a thread: opening a model reads files."""
    shared = cached(encoder)
    made: dict[str, Panel] = {}
    making = Lock()

    def kept(key: str, context: Context) -> Panel:
        with making:
            if key not in made:
                made[key] = assemble(shared, askers_for(context), context)
            panel = made[key]
            if len(made) > KEPT:
                del made[next(iter(made))]
            return panel

    async def panel(context: Context) -> Panel:
        key = context.model_dump_json(include={"model", "unsupported", "result_weights"})
        held = made.get(key)
        return held if held is not None else await asyncio.to_thread(kept, key, context)

    return panel


def assemble(encoder: TokenEncoder | None, asks: Askers | None, context: Context, *, for_model: bool = False) -> Panel:
    """One judgement a field, its two tiers side by side. ``for_model``: the first tier is to doubt as it does before a
    model that is not there."""
    policy = context.unsupported
    encoder = cached(encoder)  # the judgements read the same passages
    extractor = Extractor(encoder)
    suffice = Judgement("sufficiency", SufficiencyJudge(encoder).free)
    answer = Judgement("the answer", extractor.free)
    planned = Judgement("the plan", plan)
    if asks is not None:  # every phase judges sufficiency, and a step may run again: a model is asked once for the same
        sufficed, answered = AskedOnce(asks.suffice, same_sufficiency), AskedOnce(asks.answer, same_answer)
        plans = AskedOnce(asks.plan, same_plan)
        planned = replace(planned, ask=plans, holds=plans.holds)
        suffice = replace(suffice, ask=sufficed, holds=sufficed.holds)
        answer = replace(answer, ask=answered, holds=answered.holds)
    conflicts = ConflictJudge(encoder, for_model=for_model or asks is not None)
    return Panel(
        understand=Judgement("the request", understand, asks.understand if asks else None),
        plan=planned,
        suffice=suffice,
        answer=answer,
        distil=Judgement("the insights", Distiller(encoder).free, asks.distil if asks else None),
        score=Judgement("the result", ResultScorer(encoder, context.result_weights).free, asks.score if asks else None),
        support=Judgement("support", SupportJudge(encoder).free, asks.support if asks else None),
        reconcile=Judgement("conflicts", conflicts.free, asks.reconcile if asks else None),
        compose=Judgement("the wording", lambda given: compose(given, policy=policy), asks.compose if asks else None),
        rate=SufficiencyJudge(None).rate,
        answers=extractor.answers,
        likely=extractor.likely,
    )
