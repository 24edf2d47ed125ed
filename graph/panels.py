"""The panel of judgements for a run's settings: the LLM-free tier always, the LLM tier where a model is there."""

import asyncio
from collections.abc import Awaitable, Callable, Hashable
from dataclasses import replace
from functools import partial
from threading import Lock
from typing import TypeVar

from calibrant.judges import fallbacks
from calibrant.judges.cascade import Asker, Judgement
from calibrant.judges.free.answering.candidates import as_scored
from calibrant.judges.free.answering.distil import Distiller
from calibrant.judges.free.answering.extract import Extractor
from calibrant.judges.free.evidence.late_interaction import cached
from calibrant.judges.free.evidence.sufficiency import SufficiencyJudge
from calibrant.judges.free.planning.filling import fill
from calibrant.judges.free.planning.plan import plan
from calibrant.judges.free.request.understand import understand
from calibrant.judges.free.synthesis.compose import compose
from calibrant.judges.free.synthesis.conflicts import ConflictJudge
from calibrant.judges.free.synthesis.scorer import ResultScorer
from calibrant.judges.free.synthesis.support import SupportJudge
from calibrant.judges.model import ModelPort
from calibrant.judges.model.asked_once import AskedOnce, same_plan, same_sufficiency, same_support
from calibrant.judges.model.compose import Compose
from calibrant.judges.model.distil import Distil
from calibrant.judges.model.drafts import Drafts
from calibrant.judges.model.fill import Fill
from calibrant.judges.model.plan import Plan
from calibrant.judges.model.reconcile import Reconcile
from calibrant.judges.model.score import Score
from calibrant.judges.model.suffice import Suffice
from calibrant.judges.model.support import Support
from calibrant.judges.model.understand import Understand
from calibrant.judges.panel import Panel
from calibrant.state.context import Context
from calibrant.state.protocols import TokenEncoder

G = TypeVar("G")
T = TypeVar("T")

KEPT = 16
"""Panels that are kept, the oldest dropped first: each run may bring settings of its own."""


def panel_maker(
    encoder: TokenEncoder | None, port_for: Callable[[Context], ModelPort | None]
) -> Callable[[Context], Awaitable[Panel]]:
    """The panel for a run's settings. Made once for each kind of settings, in a thread: opening a model reads files."""
    shared = cached(encoder)
    made: dict[str, Panel] = {}
    making = Lock()

    def kept(key: str, context: Context) -> Panel:
        with making:
            if key not in made:
                made[key] = assemble(shared, port_for(context), context)
            panel = made[key]
            if len(made) > KEPT:
                del made[next(iter(made))]
            return panel

    async def panel(context: Context) -> Panel:
        key = context.model_dump_json(include={"model", "unsupported", "result_weights"})
        held = made.get(key)
        return held if held is not None else await asyncio.to_thread(kept, key, context)

    return panel


def assemble(
    encoder: TokenEncoder | None, port: ModelPort | None, context: Context, *, for_model: bool = False
) -> Panel:
    """The judgements without a model, and the second tier of each where there is a ``port`` to one. ``for_model``: the
    first tier is to doubt as it does before a model that is not there."""
    panel = without_model(encoder, context, for_model=for_model or port is not None)
    return panel if port is None else with_model(panel, port)


def without_model(encoder: TokenEncoder | None, context: Context, *, for_model: bool = False) -> Panel:
    """Every judgement in its LLM-free tier."""
    encoder = cached(encoder)  # the judgements read the same passages
    extractor = Extractor(encoder)
    return Panel(
        understand=Judgement("the request", understand, fallback=fallbacks.UNDERSTAND),
        plan=Judgement("the plan", plan, fallback=fallbacks.PLAN),
        fill=Judgement("the calls", fill, fallback=fallbacks.FILL),
        suffice=Judgement("sufficiency", SufficiencyJudge(encoder, as_scored).free, fallback=fallbacks.SUFFICE),
        answer=Judgement("the answer", extractor.free, fallback=fallbacks.ANSWER),
        distil=Judgement("the insights", Distiller(encoder).free, fallback=fallbacks.DISTIL),
        score=Judgement("the result", ResultScorer(encoder, context.result_weights).free, fallback=fallbacks.SCORE),
        support=Judgement("support", SupportJudge(encoder).free, fallback=fallbacks.SUPPORT),
        reconcile=Judgement(
            "conflicts", ConflictJudge(encoder, for_model=for_model).free, fallback=fallbacks.RECONCILE
        ),
        compose=Judgement("the wording", partial(compose, policy=context.unsupported), fallback=fallbacks.COMPOSE),
        rate_by_words=SufficiencyJudge(None).rate,
        answering=extractor.answers,
        by_meaning=extractor.likely,
    )


def with_model(panel: Panel, port: ModelPort) -> Panel:
    """``panel`` with the LLM tier of every judgement. Every phase judges sufficiency, and a plan, a step or a review
    may be asked for again: for the same, the model is asked once. Reads the prompts from disk: call it in a thread."""
    drafts = Drafts(port)
    return replace(
        panel,
        understand=replace(panel.understand, ask=Understand(port)),
        plan=_asked_once(panel.plan, Plan(port), same_plan),
        fill=replace(panel.fill, ask=Fill(port)),
        suffice=_asked_once(panel.suffice, Suffice(port, drafts), same_sufficiency),
        answer=replace(panel.answer, ask=drafts, holds=drafts.holds),
        distil=replace(panel.distil, ask=Distil(port)),
        score=replace(panel.score, ask=Score(port)),
        support=_asked_once(panel.support, Support(port), same_support),
        reconcile=replace(panel.reconcile, ask=Reconcile(port)),
        compose=replace(panel.compose, ask=Compose(port)),
    )


def _asked_once(judgement: Judgement[G, T], ask: Asker[G, T], same: Callable[[G], Hashable]) -> Judgement[G, T]:
    once = AskedOnce(ask, same)
    return replace(judgement, ask=once, holds=once.holds)
