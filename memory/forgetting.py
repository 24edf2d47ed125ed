"""Forgetting: experiences, with the patterns and refinements that come from them alone, and their vectors."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass

from langgraph.store.base import BaseStore

from calibrant.memory.patterns import counted_of, without
from calibrant.memory.records import EXPERIENCES, PATTERNS, REFINEMENTS, Record, every, put, records_of
from calibrant.memory.refinements import Tried
from calibrant.state.memory import Experience, Pattern


@dataclass(frozen=True)
class Learnt:
    """An experience, and how many runs its pattern counts; none where it left no pattern."""

    experience: Experience
    uses: int


@dataclass(frozen=True)
class Forgotten:
    """How much was removed."""

    experiences: int
    patterns: int
    refinements: int


async def learnt(store: BaseStore) -> list[Learnt]:
    """All experiences, the newest first."""
    patterns = records_of(Pattern, await every(store, PATTERNS))
    uses = {run: record.value.uses for record in patterns for run in counted_of(record)}
    held = [record.value for record in records_of(Experience, await every(store, EXPERIENCES))]
    return [Learnt(one, max(uses.get(run, 0) for run in one.runs)) for one in sorted(held, key=lambda one: -one.at)]


async def forget(store: BaseStore, ids: Collection[str], before: float) -> Forgotten:
    """Remove the experiences ``ids`` and what comes from them alone, and the refinements last tried ``before``."""
    held = {record.value.id: record.value for record in records_of(Experience, await every(store, EXPERIENCES))}
    gone = held.keys() & set(ids)
    runs = {run for key in gone for run in held[key].runs}
    left = {run: value for key, value in held.items() if key not in gone for run in value.runs}
    patterns = records_of(Pattern, await every(store, PATTERNS))
    removed = [await _forget_pattern(store, record, runs, left) for record in patterns]
    refinements = [await _forget_refinement(store, item.key, tried.value, runs, before)
                   for item in await every(store, REFINEMENTS) for tried in records_of(Tried, [item])]  # fmt: skip
    for key in gone:  # last: where this is cut off, the same command goes on
        await store.adelete(EXPERIENCES, key)
    return Forgotten(len(gone), sum(removed), sum(refinements))


async def _forget_pattern(
    store: BaseStore, record: Record[Pattern], gone: Collection[str], left: Mapping[str, Experience]
) -> bool:
    if not {record.value.origin, *counted_of(record)}.intersection(gone):
        return False
    await store.adelete(PATTERNS, record.value.id)  # its vector too: what stays of it has other words
    kept = without(record, gone, left)
    if kept is not None:
        await put(store, PATTERNS, record.value.id, kept, index="applies_to")
    return kept is None


async def _forget_refinement(store: BaseStore, key: str, tried: Tried, gone: Collection[str], before: float) -> bool:
    runs = tuple(run for run in tried.runs if run not in gone)
    is_gone = tried.at < before or (bool(tried.runs) and not runs)
    if is_gone:
        await store.adelete(REFINEMENTS, key)
    elif runs != tried.runs:
        await put(store, REFINEMENTS, key, tried.replace(runs=runs).model_dump(mode="json"))
    return is_gone


async def clear(store: BaseStore) -> Forgotten:
    """Remove everything, also what can no longer be read."""
    counts = []
    for namespace in (EXPERIENCES, PATTERNS, REFINEMENTS):
        items = await every(store, namespace)
        for item in items:
            await store.adelete(item.namespace, item.key)
        counts.append(len(items))
    return Forgotten(*counts)
