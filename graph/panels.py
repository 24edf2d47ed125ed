"""The panel of judgements for a run's settings: the LLM-free tier always, the LLM tier where a model is there."""

from collections.abc import Callable
from functools import lru_cache

from calibrant.judges.cascade import Judgement
from calibrant.judges.free.compose import compose
from calibrant.judges.free.conflicts import ConflictJudge
from calibrant.judges.free.distil import Distiller
from calibrant.judges.free.extract import Extractor
from calibrant.judges.free.plan import plan
from calibrant.judges.free.scorer import ResultScorer
from calibrant.judges.free.sufficiency import SufficiencyJudge
from calibrant.judges.free.support import SupportJudge
from calibrant.judges.free.understand import understand
from calibrant.judges.model import Askers
from calibrant.judges.panel import Panel
from calibrant.state.context import Context
from calibrant.state.protocols import TokenEncoder

NO_ASKERS = Askers()


def panel_maker(encoder: TokenEncoder | None, askers_for: Callable[[Context], Askers | None]) -> Callable[[Context], Panel]:
    """A panel for each run's settings; those of one kind are made once."""

    @lru_cache(maxsize=32)
    def _panel(key: str) -> Panel:
        context = Context.model_validate_json(key)
        return assemble(encoder, askers_for(context) or NO_ASKERS, context)

    def panel(context: Context) -> Panel:
        return _panel(context.model_dump_json(include=set(Context.model_fields)))

    return panel


def assemble(encoder: TokenEncoder | None, asks: Askers, context: Context) -> Panel:
    """One judgement a field, its two tiers side by side."""
    policy = context.unsupported
    return Panel(
        understand=Judgement("the request", understand, asks.understand),
        plan=Judgement("the plan", plan, asks.plan),
        suffice=Judgement("sufficiency", SufficiencyJudge(encoder).free, asks.suffice),
        answer=Judgement("the answer", Extractor(encoder).free, asks.answer),
        distil=Judgement("the insights", Distiller(encoder).free, asks.distil),
        score=Judgement("the result", ResultScorer(encoder, context.result_weights).free, asks.score),
        support=Judgement("support", SupportJudge(encoder).free, asks.support),
        reconcile=Judgement("conflicts", ConflictJudge(encoder).free, asks.reconcile),
        compose=Judgement("the wording", lambda given: compose(given, policy=policy), asks.compose),
    )
