"""A finished run, handed to the recorder: what ``respond`` and ``report`` do last."""

import asyncio
import logging
from collections.abc import Sequence
from contextlib import suppress

from langgraph.runtime import Runtime

from calibrant.nodes.deps import PATIENCE_S, Deps
from calibrant.nodes.reading.thread import thread_of
from calibrant.state.answer import QualityReport, Synthesis
from calibrant.state.budget import Spend, StopReason
from calibrant.state.channels import View
from calibrant.state.confidence import Confidence
from calibrant.state.context import Context
from calibrant.state.errors import raised
from calibrant.state.protocols import Counted
from calibrant.state.record import (
    QualityRecord,
    RunRecord,
    SynthesisRecord,
    clipped,
    retrieval_records,
    source_records,
)
from calibrant.state.retrieval import RetrievalRequest, RetrievalResult

_log = logging.getLogger(__name__)


async def keep(
    record: RunRecord | None, deps: Deps, runtime: Runtime[Context], collections: Sequence[str] = ()
) -> None:
    """Hand ``record`` to the recorder, with its thread, how its scores were made and how much there was to be found in
    ``collections``, if there is a recorder and the run may be recorded."""
    context = deps.settings(runtime)
    if record is None or deps.recorder is None or not context.switches.records:
        return
    conditions = deps.calibration.conditions_for(record.calibrator, context).summary
    held = await _held(deps, collections) if record.retrievals else 0
    retrievals = tuple(one.replace(held=held) for one in record.retrievals)
    kept = record.replace(thread_id=thread_of(runtime), conditions=conditions, retrievals=retrievals)
    try:
        async with asyncio.timeout(PATIENCE_S):
            await deps.recorder.record(kept)
    except Exception as error:  # noqa: BLE001 - a recorder is foreign code, and the answer is there already
        _log.warning("the run %s is not recorded: %s", record.id, raised(error))


async def _held(deps: Deps, collections: Sequence[str]) -> int:
    """How many passages all sources hold; 0 where one of them does not know."""
    sources = [source for source in deps.sources.values() if isinstance(source, Counted)]
    if len(sources) < len(deps.sources):
        return 0
    with suppress(Exception):  # a source is foreign code, and the numbers of the run are there without it
        async with asyncio.timeout(PATIENCE_S):
            return sum([await source.passages(collections) for source in sources])
    return 0


def run_record(
    state: View, confidence: Confidence | None, reason: StopReason, spend: Spend, now: float
) -> RunRecord | None:
    """The record of a run of the agent; None where an edited state has lost its run. ``spend`` includes the last
    node's."""
    if state.run is None:
        return None
    return RunRecord(
        id=state.run.id,
        question=clipped(state.run.question),
        query_type=state.perceived.query_type.value if state.perceived else "",
        started_at=state.run.started_at,
        ended_at=now,
        seconds=spend.seconds,
        confidence=confidence.score if confidence else None,
        raw=confidence.raw if confidence else None,
        calibrator=confidence.calibrator if confidence else "",
        stop_reason=reason.value,
        retrievals=retrieval_records(state.retrievals),
        sources=source_records(state.reports),
        synthesis=synthesis_record(state.synthesis) if state.synthesis else None,
        quality=quality_record(state.review.quality) if state.review else None,
        spend=spend.replace(active=()),
    )


def retrieval_record(result: RetrievalResult, request: RetrievalRequest, spend: Spend, now: float) -> RunRecord:
    """The record of a retrieval alone."""
    return RunRecord(
        id=result.id,
        graph="retrieve_information",
        question=clipped(result.query),
        query_type=request.query_type.value,
        started_at=min((start for start, _ in spend.active), default=now),
        ended_at=now,
        seconds=spend.seconds,
        confidence=result.new_confidence,
        stop_reason=result.stop_reason.value,
        retrievals=retrieval_records((result,)),
        sources=source_records(result.sources),
        spend=spend.replace(active=()),
    )


def synthesis_record(synthesis: Synthesis) -> SynthesisRecord:
    """The numbers of a synthesis."""
    return SynthesisRecord(
        confidence=synthesis.confidence.score,
        conflicts=len(synthesis.conflicts),
        filtered=len(synthesis.excluded),
    )


def quality_record(report: QualityReport) -> QualityRecord | None:
    """The numbers of a report; None where the question set no conditions."""
    return None if report.score is None else QualityRecord(fetched=report.fetched, verified=report.verified)
