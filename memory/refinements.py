"""Refinements: which one helped against which kind of rejection, counted over runs."""

import hashlib
import json
from typing import Any

from langgraph.store.base import BaseStore
from pydantic import Field

from calibrant.memory.records import REFINEMENTS, Record, put, record_of, scan
from calibrant.memory.words import STOP_WORDS, stem, tokens
from calibrant.state.base import Value, unique
from calibrant.state.retrieval import Refinement

RUNS_KEPT = 200


class Tried(Value):
    """A refinement and how often it was tried and helped."""

    reason: str
    refinement: Refinement
    tried: int = Field(default=0, ge=0)
    worked: int = Field(default=0, ge=0)
    runs: tuple[str, ...] = ()
    """The latest runs that tried it; empty where an earlier version counted."""
    at: float = 0.0
    """When it was last tried."""


def normal(reason: str) -> str:
    """A reason as it is compared: its stems in order, so that wording and accents do not matter."""
    return " ".join(sorted({stem(word) for word in tokens(reason) if word not in STOP_WORDS})) or reason.strip().lower()


async def note(store: BaseStore, reason: str, refinement: Refinement, worked: bool, run_id: str, at: float) -> None:
    """Count one more trial, by a run."""
    key = _key(normal(reason), refinement)
    item = await store.aget(REFINEMENTS, key)
    held = record_of(Tried, item.value) if item is not None else None
    before = held.value if held is not None else Tried(reason=normal(reason), refinement=refinement)
    runs = unique((run_id, *before.runs))[:RUNS_KEPT]
    after = before.replace(tried=before.tried + 1, worked=before.worked + int(worked), runs=runs, at=at)
    await put(store, REFINEMENTS, key, after.model_dump(mode="json"))


async def successful(store: BaseStore, reason: str) -> tuple[Refinement, ...]:
    """Those that helped at least once, the most successful first."""
    records = await scan(store, REFINEMENTS, Tried, reason=normal(reason))
    helped = [record for record in records if record.value.worked > 0]
    return tuple(record.value.refinement for record in sorted(helped, key=_success, reverse=True))


def _success(record: Record[Tried]) -> tuple[float, int]:
    return record.value.worked / max(1, record.value.tried), record.value.tried


def _key(reason: str, refinement: Refinement) -> str:
    content: dict[str, Any] = {**refinement.model_dump(mode="json"), "reason": reason}
    return hashlib.sha256(json.dumps(content, sort_keys=True).encode()).hexdigest()[:32]
