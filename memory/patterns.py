"""Patterns: how a new one merges into one that is held, and how its uses and successes are counted.

Each run of an experience counts once for a pattern, however often it is remembered: a node may run again after a crash.
Which ones were counted, and how, stands beside the pattern in the store.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any

from calibrant.memory.recall import topic_of
from calibrant.memory.records import Record
from calibrant.memory.similarity import applicability
from calibrant.memory.words import STOP_WORDS, tokens
from calibrant.state.base import unique
from calibrant.state.memory import Experience, Pattern

SAME_KIND = 0.8
"""Two patterns whose topics are at least this alike, in both directions, are one."""

QUERIES_KEPT = 8
COUNTED_KEPT = 200

COUNTED = "counted"
"""The field beside a pattern: run of an experience -> whether it was a success."""


def counted_of(record: Record[Pattern]) -> dict[str, bool]:
    """The runs that were counted for a pattern, and how."""
    counted = record.raw.get(COUNTED)
    return {str(key): bool(value) for key, value in counted.items()} if isinstance(counted, dict) else {}


def same_kind(pattern: Pattern, held: Iterable[Record[Pattern]]) -> Record[Pattern] | None:
    """The pattern held that ``pattern`` would merge with: the same id, else the most alike of its query type."""
    records = list(held)
    by_id = next((record for record in records if record.value.id == pattern.id), None)
    alike = [(_alike(pattern, record.value), record) for record in records]
    best = max(alike, key=lambda pair: pair[0], default=None)
    return by_id or (best[1] if best is not None and best[0] >= SAME_KIND else None)


def _alike(a: Pattern, b: Pattern) -> float:
    if a.query_type is not b.query_type:
        return 0.0
    return min(applicability(topic_of(a), topic_of(b)), applicability(topic_of(b), topic_of(a)))


def merged(new: Pattern, held: Record[Pattern] | None, experience: Experience) -> dict[str, Any]:
    """``new`` merged into the pattern held: the newer approach first, uses counted. As it goes into the store."""
    counted, run = {} if held is None else counted_of(held), experience.runs[-1]
    if held is not None and run in counted:
        return stored(held.value, counted)
    return stored(new if held is None else _joined(new, held.value), {**counted, run: True})


def _joined(new: Pattern, held: Pattern) -> Pattern:
    return held.replace(
        queries=unique((*new.queries, *held.queries))[:QUERIES_KEPT],
        sources=unique((*new.sources, *held.sources)),
        steps=new.steps or held.steps,
        depth=new.depth,
        refinement=new.refinement or held.refinement,
        uses=held.uses + 1,
        successes=held.successes + 1,
        at=max(held.at, new.at),
    )


def counting_failure(held: Record[Pattern], experience: Experience) -> dict[str, Any] | None:
    """The pattern with one more use that did not succeed; None if that experience was counted already."""
    counted = counted_of(held)
    if experience.id in counted:
        return None
    return stored(held.value.replace(uses=held.value.uses + 1), {**counted, experience.id: False})


def judged(held: Record[Pattern], experience: Experience, run: str, good: bool) -> dict[str, Any] | None:
    """The pattern after the user's verdict on a run that counted for it; None where nothing changes."""
    counted = counted_of(held)
    if run not in counted or counted[run] is good or experience.outcome != "answered":
        return None
    successes = held.value.successes + (1 if good else -1)
    pattern = held.value.replace(successes=min(held.value.uses, max(0, successes)))
    return stored(pattern, {**counted, run: good})


def without(held: Record[Pattern], gone: Collection[str], left: Mapping[str, Experience]) -> dict[str, Any] | None:
    """The pattern without the runs ``gone``, in the words of the experiences whose runs are ``left`` and taught it too;
    None where none of them did."""
    counted = counted_of(held)
    taught = sorted((left[key] for key, good in counted.items() if good and key in left), key=lambda one: -one.at)
    if not taught:
        return None
    newest, removed = taught[0], [good for key, good in counted.items() if key in gone]
    topic = [word for word in tokens(newest.task) if word not in STOP_WORDS]
    pattern = held.value.replace(
        name=f"{newest.query_type.value}: {' '.join(topic[:4])}",
        applies_to=newest.task,
        queries=unique(query for one in taught for query in one.queries)[:QUERIES_KEPT],
        steps=(),
        refinement="",
        origin=newest.id,
        uses=held.value.uses - len(removed),
        successes=max(0, held.value.successes - sum(removed)),
        at=newest.at,
    )
    return stored(pattern, {key: good for key, good in counted.items() if key not in gone})


def stored(pattern: Pattern, counted: dict[str, bool]) -> dict[str, Any]:
    """A pattern as JSON, with the latest experiences that were counted for it."""
    kept: Sequence[str] = list(counted)[-COUNTED_KEPT:]
    return {**pattern.model_dump(mode="json"), COUNTED: {key: counted[key] for key in kept}}
