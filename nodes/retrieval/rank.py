"""``rank`` fuses what the sources gave, judges whether it suffices, and decides: enough, deeper, refined, or stop."""

import asyncio
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from langgraph.runtime import Runtime

from calibrant.judges.calibration import kind_of
from calibrant.judges.free.evidence.age import day_of
from calibrant.judges.free.evidence.leading_names import leading, led
from calibrant.judges.free.request.hops import takes_steps
from calibrant.judges.free.words.text import language_of
from calibrant.nodes.deps import Deps, Node
from calibrant.nodes.retrieval.channels import Plan, RetrieveView, Standing
from calibrant.nodes.retrieval.rounds import (
    candidates,
    is_named,
    named_in,
    pages_unread,
    reading_time,
    reads_pages,
    seconds_left,
)
from calibrant.nodes.sources import around
from calibrant.nodes.work import Work
from calibrant.retrievers.asking import merge_reports
from calibrant.retrievers.ranking import capped, fuse, tokens_of
from calibrant.state.base import unique
from calibrant.state.budget import Spend
from calibrant.state.channels import Update
from calibrant.state.context import Context
from calibrant.state.depth import CHOSEN, CHUNKS, DEEPEST, DepthRuling, DepthSituation, next_round
from calibrant.state.events import RoundJudged
from calibrant.state.evidence import Evidence
from calibrant.state.retrieval import RetrievalRequest, Round, Sufficiency, failed_sources

MOST_LEADS = 12
"""Names that the passages of a round lead to, at most; fewer are searched for."""

FITS = 0.2
"""How relevant to the question a passage must be that was found by searching for a name alone: in such a list even a
chance match stands high."""


AS_GOOD = 0.5
"""Share of what the best passage scores from which another one answers about as well: the same as for what is heard
against an answer (``witnesses``)."""


@dataclass(frozen=True)
class _Ranked:
    """What a round has come to, before it is decided how to go on."""

    plan: Plan
    kept: list[Evidence]
    """The passages kept, best first."""
    beside: tuple[Evidence, ...]
    """What stands next to the best of them, for a model: words alone quote one place."""
    full: bool
    """Whether the request's limits leave no room for more."""
    before: float
    """The sufficiency of what was held when the request came."""
    sufficiency: Sufficiency
    waited: float
    """Seconds in which a model has read the passages of this retrieval so far."""
    leads: dict[str, float]
    """Names that lead on, where the question takes several steps."""


def rank(deps: Deps) -> Node:
    """The node: writes the round's line of the log, and where the retrieval stands after it."""

    async def node(state: RetrieveView, runtime: Runtime[Context]) -> Update:
        work = await Work.begin(deps, runtime, before=state.spend)
        ranked = await _ranked(state, work)
        seen = _situation(state, ranked, work)
        ruling, leads = next_round(seen), ranked.leads
        if not leads and not ruling.stop:
            leads = await asyncio.to_thread(leads_from, state.wanted, ranked.kept)
        entry = _entry(state, ranked, seen, ruling, work)
        work.emit(RoundJudged(phase=state.wanted.phase, round=entry))
        work.spend(Spend(rounds=1))
        standing = Standing(
            sufficiency=ranked.sufficiency,
            before=ranked.before,
            kept=tuple(item.id for item in ranked.kept),
            relevance=tuple(item.relevance for item in ranked.kept),
            beside=ranked.beside,
            waited=ranked.waited,
            leads=leads,
            named_before=named_in(state),
            stop=ruling.stop.value if ruling.stop else "",
        )
        return work.done({"rounds": (entry,), "standing": standing})

    return node


async def _ranked(state: RetrieveView, work: Work) -> _Ranked:
    """The passages of all rounds so far, ranked, and whether they suffice."""
    request, plan = state.wanted, state.plan or Plan(number=1, depth=1)
    kept, cut = await asyncio.to_thread(lambda: passages(best_first(state, work), request, plan.depth))
    near = await around(kept, work) if work.has_model else []
    beside = tuple(item for item in near if item.id not in request.known)
    ids = {item.id for item in (*kept, *beside)}
    held = (*kept, *beside, *(item for item in request.held if item.id not in ids))
    before, sufficiency, waited = await sufficiency_of(state, held, work)
    return _Ranked(
        plan=plan,
        kept=kept,
        beside=beside,
        full=cut and len(kept) <= len(_kept_before(state)),
        before=before,
        sufficiency=sufficiency,
        waited=waited,
        leads=await asyncio.to_thread(leads_from, request, kept) if needs_leads(request) else {},
    )


async def sufficiency_of(
    state: RetrieveView, held: tuple[Evidence, ...], work: Work
) -> tuple[float, Sufficiency, float]:
    """The score of what was held when the request came, the sufficiency of what is ``held`` now, and how many seconds a
    model has read in this retrieval so far."""
    began, calls = work.deps.clock(), work.spent.model_calls
    before, sufficiency = await _before(state, work), await _suffices(state, held, work)
    read = work.deps.clock() - began if work.spent.model_calls > calls else 0.0
    return before, sufficiency, reading_time(state) + read


def _entry(state: RetrieveView, ranked: _Ranked, seen: DepthSituation, ruling: DepthRuling, work: Work) -> Round:
    """The round as a line of the log."""
    plan, known = ranked.plan, _kept_before(state)
    return Round(
        number=plan.number,
        depth=plan.depth,
        queries=plan.queries,
        chunks=len(ranked.kept),
        new=sum(1 for item in ranked.kept if item.id not in known),
        confidence=seen.score,
        threshold=seen.threshold,
        decision=ruling.decision,
        reason=ruling.reason,
        searches=len(plan.searches),
        pages=len(plan.pages),
        tokens=seen.tokens,
        dollars=work.spent.dollars,
        seconds=work.ledger.seconds_spent - state.wanted.began,
    )


def _kept_before(state: RetrieveView) -> set[str]:
    """Ids of the passages that the last round kept."""
    return set(state.standing.kept) if state.standing else set()


def best_first(state: RetrieveView, work: Work) -> list[Evidence]:
    """The passages of all rounds, once each, with a relevance that is about the question and not about the query that
    found a passage: a one-word query finds passages that fit it perfectly and answer nothing. Before them the best for
    each part of a question: of two things that are compared the one that more is said of must not crowd out the
    other. Where time matters, also the newest that answers about as well: an old report has as many words of it."""
    parts = fits(state, work)
    leads = state.plan.leads if state.plan else {}
    fit = {eid: max(part[eid] for part in parts) for eid in state.found}
    lists = [
        [
            item.replace(relevance=fit[item.id])
            for item in hits.evidence
            if hits.query not in leads or fit[item.id] >= FITS
        ]
        for hits in state.hits
    ]
    ranked = {item.id: item for item in fuse(lists)}
    timely = state.wanted.time_sensitive
    heads = [max(ranked, key=part.__getitem__) for part in parts] if ranked and (timely or len(parts) > 1) else []
    news = [eid for part in parts for eid in newest(list(ranked.values()), part)] if timely else []
    return [ranked[eid] for eid in unique((*heads, *news, *ranked))]


def newest(ranked: Sequence[Evidence], fit: Mapping[str, float]) -> list[str]:
    """The id of the newest of those passages that ``fit`` a question about as well as the best one, as far as their
    documents say when they are from."""
    least = AS_GOOD * max((fit[item.id] for item in ranked), default=0.0)
    days = {item.id: day_of(item, ranked) for item in ranked if fit[item.id] >= least}
    dated = [eid for eid, day in days.items() if day]
    return [max(dated, key=lambda eid: (days[eid], fit[eid]))] if dated else []


def fits(state: RetrieveView, work: Work) -> list[dict[str, float]]:
    """For each part of the question, how well each passage found answers it: where a search for it, or for what was
    pasted with it, has found the passage, by half as that has it. What a passage led to counts as much as that passage,
    and what a model that has read the others named as missing as much as it fits that."""
    request, found = state.wanted, list(state.found.values())
    named: dict[str, float] = {}
    for item in found_by_name(state):
        named[item.id] = max(item.relevance, named.get(item.id, 0.0))
    scored = []
    for part in request.questions or (request.query,):
        asked = {part, request.query, *filter(None, (request.pasted,))}
        native = {item.id: item.relevance for hits in state.hits if hits.query in asked for item in hits.evidence}
        scores = dict(zip(state.found, work.panel.rate_by_words((part,), found), strict=True))
        fit = {eid: (one + native[eid]) / 2.0 if eid in native else one for eid, one in scores.items()}
        fit |= led(state.plan.leads if state.plan else {}, found, fit)
        scored.append(fit | {eid: max(fit[eid], relevance) for eid, relevance in named.items()})
    return scored


def found_by_name(state: RetrieveView) -> list[Evidence]:
    """What was found by searching for what a model named as missing."""
    return [item for hits in state.hits if is_named(hits.query, state) for item in hits.evidence]


def passages(ranked: Sequence[Evidence], request: RetrievalRequest, depth: int) -> tuple[list[Evidence], bool]:
    """The passages kept after this round, of those ``ranked``, within the level's and the request's limits. And whether
    the request's limits left out what the level would have kept."""
    limits = request.limits
    most = (CHUNKS if request.power.depth else CHOSEN)[depth]
    kept = capped(ranked, min(most, limits.chunks), limits.documents, limits.per_source, limits.tokens)
    return kept, len(kept) < len(capped(ranked, most, len(ranked), limits.per_source, sys.maxsize))


def _situation(state: RetrieveView, ranked: _Ranked, work: Work) -> DepthSituation:
    """What the rule of the rounds needs to know."""
    request, plan, score = state.wanted, ranked.plan, ranked.sufficiency.score
    return DepthSituation(
        score=score,
        gain=score - (state.rounds[-1].confidence if state.rounds else ranked.before),
        threshold=request.required_sufficiency,
        depth=plan.depth,
        round=plan.number,
        chunks=len(ranked.kept),
        tokens=sum(tokens_of(item.text) for item in ranked.kept),
        forced=request.power.depth is not None,
        fresh=bool(candidates(state)),
        unread=has_unread(state, ranked.kept, work),
        leads=bool(ranked.leads),
        shown=ranked.sufficiency.shown,
        full=ranked.full,
        seconds_left=seconds_left(request, work, ranked.waited),
        limits=request.limits,
    )


def needs_leads(request: RetrievalRequest) -> bool:
    """Whether the question takes several steps: what the passages name is looked for next, whatever they suffice for.
    Once a run is enough."""
    several = len(request.questions) > 1 or takes_steps(request.query, language_of(request.query))
    return several and not request.tried


def leads_from(request: RetrievalRequest, kept: list[Evidence]) -> dict[str, float]:
    """Names that lead on from the passages kept, most promising first, each with its strength. It takes up to a fifth
    of a second for forty passages that nobody has read yet: a thread's work."""
    return {lead.name: lead.strength for lead in leading(request.query, request.questions, kept, MOST_LEADS)}


def has_unread(state: RetrieveView, kept: list[Evidence], work: Work) -> bool:
    """Whether the deepest level, where it may be used, would read full pages."""
    request = state.wanted
    if not reads_pages(work) or (request.power.depth or request.limits.depth) < DEEPEST:
        return False
    return bool(pages_unread(state, kept))


async def _before(state: RetrieveView, work: Work) -> float:
    """Sufficiency of what was held when the request came."""
    if state.standing is not None:
        return state.standing.before
    if not state.wanted.held:
        return 0.0
    return (await _suffices(state, state.wanted.held, work)).score


async def _suffices(state: RetrieveView, held: tuple[Evidence, ...], work: Work) -> Sufficiency:
    request = state.wanted
    reports = merge_reports([hits.report for hits in state.hits])
    questions = request.questions or (request.query,)
    given = work.to_suffice(request, questions, held, failed_sources(reports), answered_next=request.answered_next)
    judged = await work.judge(work.panel.suffice, given, allowance=request.allowance)
    kind = kind_of(request.query, language_of(request.query), request.query_type)
    confidence = work.calibrated(judged.value.confidence, "sufficiency", kind)
    return judged.value.replace(confidence=confidence)
