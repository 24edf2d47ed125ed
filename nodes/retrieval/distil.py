"""``distil`` ends a retrieval: it draws what the new passages say and hands the result back as deltas."""

from langgraph.runtime import Runtime

from calibrant.judges.given import ToDistil
from calibrant.nodes.deps import Deps, Node
from calibrant.nodes.retrieval.channels import RetrieveView, Standing
from calibrant.nodes.work import Work
from calibrant.retrievers.asking import merge_reports
from calibrant.state.base import unique
from calibrant.state.budget import Spend, StopReason
from calibrant.state.channels import Update
from calibrant.state.context import Context
from calibrant.state.evidence import Evidence, SourceState
from calibrant.state.retrieval import (
    PAGES,
    Distillate,
    RetrievalRequest,
    RetrievalResult,
    SourceReport,
    did_not_answer,
)
from calibrant.state.task import Power


def distil(deps: Deps) -> Node:
    """The node: writes the retrieval's one result, and the passages that it adds to those held before."""

    async def node(state: RetrieveView, runtime: Runtime[Context]) -> Update:
        work = await Work.begin(deps, runtime, before=state.spend)
        request = state.wanted
        standing = state.standing or Standing()
        new = kept_passages(state, standing)
        distillate = await _distillate(request, new, work)
        reports = merge_reports([hits.report for hits in state.hits])
        added = (*new, *standing.beside)
        work.spend(Spend(retrievals=1, chunks=len(added)))
        work.warnings.extend(warnings_of(reports))
        result = RetrievalResult(
            id=request.id,
            query=request.query,
            phase=request.phase,
            evidence_ids=standing.kept,
            new_ids=tuple(item.id for item in added if item.id not in request.known),
            queries=unique(hits.query for hits in state.hits if not hits.page),
            depth_used=max((entry.depth for entry in state.rounds), default=0),
            power=request.power,
            rounds=state.rounds,
            sources=reports,
            sufficiency=standing.sufficiency,
            confidence_before=standing.before,
            distillate=distillate,
            spend=work.ledger.spend,
            stop_reason=StopReason(standing.stop) if standing.stop else StopReason.EXHAUSTED,
            suggestion=suggestion(state, standing),
        )
        return work.done({"retrievals": (result,), "evidence": added})

    return node


def kept_passages(state: RetrieveView, standing: Standing) -> list[Evidence]:
    """The passages kept, best first, once each."""
    found = state.found
    held = {item.id for item in (state.request.held if state.request else ())}
    rated = zip(standing.kept, standing.relevance, strict=True)
    return [found[eid].replace(relevance=fit) for eid, fit in rated if eid in found and eid not in held]


def warnings_of(reports: tuple[SourceReport, ...]) -> list[str]:
    """Sources that could not answer, named: an outage is not a finding. Pages only where none could be read."""
    told = [
        f"{'A part of ' if report.partial else ''}{report.source} could not be searched: {report.failure.message}."
        for report in reports
        if report.failure and (report.partial or did_not_answer(report))
    ]
    pages = next((report for report in reports if report.source == PAGES), None)
    if pages and pages.failure and pages.state is not SourceState.OK:
        told.append(f"The full pages could not be read: {pages.failure.message}.")
    return told


def suggestion(state: RetrieveView, standing: Standing) -> str:
    """Forced power that fell short: what would find more (spec 2, scenario 3)."""
    threshold, power = state.rounds[-1].threshold if state.rounds else 1.0, state.wanted.power
    if power is Power.AUTO or standing.sufficiency.score >= threshold:
        return ""
    higher = "" if power is Power.DEEP else f"power {int(power.value) + 1} or "
    return f"Use {higher}auto for a more complete answer." if higher else "Use auto, which also refines its queries."


async def _distillate(request: RetrievalRequest, new: list[Evidence], work: Work) -> Distillate:
    if not new or not work.context.switches.distil:
        return Distillate()
    given = ToDistil(query=request.query, evidence=tuple(new), questions=request.questions)
    return (await work.judge(work.panel.distil, given, allowance=request.allowance)).value
