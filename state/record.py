"""The record of a finished run: what ``calibrant stats`` and the metrics count.

Numbers and one question, no evidence."""

from collections.abc import Iterable

from calibrant.state.base import Value
from calibrant.state.budget import Spend
from calibrant.state.depth import CHUNKS, DEEPEST
from calibrant.state.retrieval import RetrievalResult, SourceReport
from calibrant.state.task import Power

LONGEST_TEXT = 500
"""Longer texts are cut in records and logs: a question may hold a page."""


class RetrievalRecord(Value):
    """One retrieval of the run."""

    depth: int
    rounds: int
    chunks: int
    """Passages kept."""
    confidence: float
    """The sufficiency reached, 0..1."""
    stop_reason: str = ""
    power: str = Power.AUTO.value
    """``auto``, or the depth that was forced."""
    held: int = 0
    """The passages that all sources hold; 0 where one of them does not know, and in records of older versions."""

    @property
    def chunks_if_deep(self) -> int:
        """The passages that depth 3 would have kept. A retrieval that went there, found nothing or was told how deep to
        go saved nothing; for any other the level's 40 are taken, or all that the sources hold: an estimate from above,
        since not all may fit."""
        if not self.chunks or self.depth == DEEPEST or self.power != Power.AUTO.value:
            return self.chunks
        return max(self.chunks, min(CHUNKS[DEEPEST], self.held or CHUNKS[DEEPEST]))


class SourceRecord(Value):
    """How one source fared in one retrieval."""

    source: str
    state: str


class SynthesisRecord(Value):
    """What spec 3's metrics count: the confidence of the composition, its conflicts, the results it left out."""

    confidence: float
    conflicts: int = 0
    filtered: int = 0


class QualityRecord(Value):
    """The last quality report of a run whose question sets conditions (spec 4): how many passages met them."""

    fetched: int
    verified: int


class RunRecord(Value):
    """One finished run. Enumerations are stored as text, so that an older version can read a newer one's records."""

    id: str
    thread_id: str = ""
    graph: str = "calibrant"
    """Or ``retrieve_information``: a retrieval alone."""
    question: str
    query_type: str = ""
    started_at: float
    ended_at: float
    """Both in seconds since the epoch. Between them a person may have taken time to answer."""
    seconds: float
    """In which nodes worked."""
    confidence: float | None
    """The answer's; of a retrieval alone, its sufficiency; None where nothing was asked of the sources."""
    raw: float | None = None
    """The answer's confidence before calibration; None where there is none and in records of older versions."""
    calibrator: str = ""
    """What made ``confidence`` of ``raw``; empty where nothing did."""
    conditions: str = ""
    """Embeddings, weights and model by which ``raw`` was made, in one word each; empty in records of older versions."""
    stop_reason: str
    retrievals: tuple[RetrievalRecord, ...] = ()
    sources: tuple[SourceRecord, ...] = ()
    synthesis: SynthesisRecord | None = None
    verdict: str = ""
    """The user's own: ``good``, ``bad`` or empty."""
    quality: QualityRecord | None = None
    spend: Spend = Spend()
    """Without its intervals: ``seconds`` is their length."""

    @property
    def rounds(self) -> int:
        """Rounds over all retrievals."""
        return sum(retrieval.rounds for retrieval in self.retrievals)

    @property
    def depth(self) -> int:
        """The deepest level searched, 0 if nothing was searched."""
        return max((retrieval.depth for retrieval in self.retrievals), default=0)


def retrieval_records(results: Iterable[RetrievalResult]) -> tuple[RetrievalRecord, ...]:
    """The numbers of each retrieval."""
    return tuple(
        RetrievalRecord(
            depth=result.depth_used,
            rounds=len(result.rounds),
            chunks=len(result.evidence_ids),
            confidence=result.new_confidence,
            stop_reason=result.stop_reason.value,
            power=result.power.value,
        )
        for result in results
    )


def source_records(reports: Iterable[SourceReport]) -> tuple[SourceRecord, ...]:
    """The state of each report."""
    return tuple(SourceRecord(source=report.source, state=report.state.value) for report in reports)


def clipped(text: str, longest: int = LONGEST_TEXT) -> str:
    """``text`` on one line, of at most ``longest`` characters."""
    flat = " ".join(text.split())
    return flat if len(flat) <= longest else flat[: longest - 1] + "…"
