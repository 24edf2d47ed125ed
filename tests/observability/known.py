"""Known runs: records with figures that can be reckoned in the head."""

from pathlib import Path
from typing import Any

from langgraph.checkpoint.memory import InMemorySaver

from calibrant.graph.retrieval import Compiled
from calibrant.graph.serde import serde
from calibrant.graph.settings import Settings
from calibrant.graph.wiring import wire
from calibrant.nodes.deps import Recorder
from calibrant.state.budget import Spend
from calibrant.state.record import QualityRecord, RetrievalRecord, RunRecord, SourceRecord, SynthesisRecord
from tests.graph.house import deps_for

NOW = 1_700_000_000.0
DAY = 86_400.0


def recording_graph(data_dir: Path, log: Recorder) -> Compiled:
    """The graph over the knowledge bases of ``data_dir``, with ``log`` as its recorder."""
    return wire(deps_for(data_dir, recorder=log), Settings, checkpointer=InMemorySaver(serde=serde()))


def retrieval(depth: int, rounds: int, chunks: int) -> RetrievalRecord:
    """A retrieval that found enough."""
    return RetrievalRecord(depth=depth, rounds=rounds, chunks=chunks, confidence=0.9, stop_reason="sufficient")


def record(number: int, confidence: float | None, *retrievals: RetrievalRecord, **more: Any) -> RunRecord:
    """A run that ended ``number`` days before ``NOW``."""
    ended = NOW - number * DAY
    given: dict[str, Any] = {"question": f"Question {number}?", "stop_reason": "answered", "seconds": 2.0, **more}
    return RunRecord(
        id=f"r{number}", started_at=ended - 5, ended_at=ended, confidence=confidence, retrievals=retrievals, **given
    )


KNOWN = (
    # From memory, without a search.
    record(4, 0.95, synthesis=SynthesisRecord(confidence=0.85)),
    record(
        3, 0.8, retrieval(1, 1, 4),
        sources=(SourceRecord(source="knowledge", state="ok"),),
        synthesis=SynthesisRecord(confidence=0.9, conflicts=2, filtered=1),
        spend=Spend(searches=1, model_calls=2, tokens_in=900, tokens_out=100, dollars=0.03, questions=1),
    ),
    record(
        2, 0.85, retrieval(1, 1, 4), retrieval(2, 2, 12),
        sources=(SourceRecord(source="knowledge", state="ok"), SourceRecord(source="web", state="failed")),
        synthesis=SynthesisRecord(confidence=0.3),
        quality=QualityRecord(fetched=12, verified=5),
        spend=Spend(searches=4, refinements=1),
    ),
    # To depth 3, and nothing there.
    record(
        1, 0.2, retrieval(3, 3, 20), retrieval(1, 1, 0),
        sources=(SourceRecord(source="knowledge", state="empty"),),
        quality=QualityRecord(fetched=8, verified=0),
        stop_reason="abstained", seconds=6.0, spend=Spend(searches=7, refinements=2),
    ),
)  # fmt: skip
"""Oldest first. Kept: 4 + 4 + 12 + 20 = 40 passages. Always at depth 3: 40 + 40 + 40 + 20 = 140."""
