"""Memory: what earlier runs learnt, recalled for a task and stored after one.

    recall    similar experiences and patterns, each with a weight = similarity x reliability
    remember  an experience, and the pattern that a verified success gave
    feedback  the user's verdict on what a run told
    note_refinement, worked_refinements    which refinement helped against which kind of rejection
    learnt, forget, clear    what there is, for people to see and to remove

Works over any ``BaseStore``. The clock is injected; nothing is cached between calls.
"""

import asyncio
from collections.abc import Callable, Collection, Sequence
from typing import Literal

from langgraph.store.base import BaseStore

from calibrant.memory import patterns as counting
from calibrant.memory.forgetting import Forgotten, Learnt, clear, forget, learnt
from calibrant.memory.recall import cited, similar_experiences, similar_patterns
from calibrant.memory.records import (
    EXPERIENCES,
    PATTERNS,
    Record,
    candidates,
    every,
    put,
    record_of,
    records_of,
    scan,
    typed_errors,
    writing,
)
from calibrant.memory.refinements import note, successful
from calibrant.state.base import unique
from calibrant.state.errors import CalibrantError, InputError
from calibrant.state.evidence import Evidence
from calibrant.state.memory import Experience, Pattern, Recollection
from calibrant.state.protocols import Reread
from calibrant.state.retrieval import Refinement
from calibrant.state.task import Task

RUNS_KEPT = counting.COUNTED_KEPT
"""Later runs of an experience that a verdict may still be given on."""


class Memory:
    """Experiences, patterns and refinements in one store."""

    def __init__(self, store: BaseStore, clock: Callable[[], float]) -> None:
        self._store = store
        self._clock = clock

    async def recall(self, task: Task, reread: Reread | None = None) -> Recollection:
        """What was done that resembles ``task``. Empty where nothing does."""
        now = self._clock()
        with typed_errors("read"):
            past = await candidates(self._store, EXPERIENCES, Experience, task.text)
            known = await candidates(self._store, PATTERNS, Pattern, task.text)
        # In a thread: comparing thousands of tasks takes tens of milliseconds, and the event loop must stay free.
        experiences = await asyncio.to_thread(similar_experiences, task, past, now)
        return Recollection(
            experiences=experiences,
            patterns=await asyncio.to_thread(similar_patterns, task, known, now),
            evidence=await _read_again(cited(experiences), reread),
        )

    async def remember(self, experience: Experience, pattern: Pattern | None = None) -> None:
        """Store a finished task and what it taught. Doing it twice changes nothing.

        Raises ``InputError`` for a pattern without a success behind it.
        """
        if pattern is not None and not _succeeded(experience, pattern):
            raise InputError(f"the pattern {pattern.name!r} is not stored: the run it comes from did not succeed")
        async with writing(self._store):
            await self._remember(experience, pattern)

    async def _remember(self, experience: Experience, pattern: Pattern | None) -> None:
        held = await self._experience(experience.id)
        if held is not None:
            experience = _after(held, experience)
        await put(self._store, EXPERIENCES, experience.id, experience.model_dump(mode="json"), index="task")
        if pattern is not None:
            await self._learn(experience, pattern)
        elif experience.outcome != "answered":
            await self._unlearn(experience)

    async def feedback(self, run_id: str, verdict: Literal["good", "bad"]) -> Experience | None:
        """Store the user's verdict on a run. None if it left no experience: it told nothing that was verified."""
        async with writing(self._store):
            return await self._judge(run_id, verdict)

    async def _judge(self, run_id: str, verdict: Literal["good", "bad"]) -> Experience | None:
        held = await self._experience(run_id) or await self._told_again(run_id)
        if held is None:
            return None
        judged = held.replace(verdict=verdict, judged_at=self._clock())
        await put(self._store, EXPERIENCES, judged.id, judged.model_dump(mode="json"), index="task")
        for record in await scan(self._store, PATTERNS, Pattern):
            await self._put_pattern(record, counting.judged(record, judged, run_id, verdict == "good"))
        return judged

    async def worked_refinements(self, reason: str) -> tuple[Refinement, ...]:
        """The refinements that helped against a kind of rejection, the most successful first."""
        with typed_errors("read"):
            return await successful(self._store, reason)

    async def note_refinement(self, reason: str, refinement: Refinement, worked: bool, run_id: str) -> None:
        """Count a refinement that a run tried against a kind of rejection."""
        async with writing(self._store):
            await note(self._store, reason, refinement, worked, run_id, self._clock())

    async def learnt(self) -> list[Learnt]:
        """All experiences, the newest first."""
        with typed_errors("read"):
            return await learnt(self._store)

    async def forget(self, ids: Collection[str], before: float = 0.0) -> Forgotten:
        """Forget these experiences, with what comes from them alone, and the refinements last tried ``before``."""
        async with writing(self._store):
            return await forget(self._store, ids, before)

    async def clear(self) -> Forgotten:
        """Forget everything."""
        async with writing(self._store):
            return await clear(self._store)

    async def _experience(self, key: str) -> Experience | None:
        item = await self._store.aget(EXPERIENCES, key)
        record = record_of(Experience, item.value) if item is not None else None
        return record.value if record is not None else None

    async def _told_again(self, run_id: str) -> Experience | None:
        """The experience of which ``run_id`` was a later run."""
        held = records_of(Experience, await every(self._store, EXPERIENCES))
        return next((record.value for record in held if run_id in record.value.again), None)

    async def _learn(self, experience: Experience, pattern: Pattern) -> None:
        held = counting.same_kind(pattern, await scan(self._store, PATTERNS, Pattern))
        raw = counting.merged(pattern, held, experience)
        await put(self._store, PATTERNS, str(raw["id"]), raw, index="applies_to")

    async def _unlearn(self, experience: Experience) -> None:
        """A run without an answer counts against the pattern that fits it best: it did not help."""
        task = Task(text=experience.task, query_type=experience.query_type)
        records = await scan(self._store, PATTERNS, Pattern)
        fitting = similar_patterns(task, records, self._clock())
        best = fitting[0].pattern if fitting else None
        for record in records:
            if best is not None and record.value.id == best.id:
                await self._put_pattern(record, counting.counting_failure(record, experience))

    async def _put_pattern(self, record: Record[Pattern], raw: dict[str, object] | None) -> None:
        if raw is not None:
            await put(self._store, PATTERNS, record.value.id, raw, index="applies_to")


def _after(held: Experience, new: Experience) -> Experience:
    """``new`` in the place of what is held of it, with the verdict, the runs and the queries of before."""
    verdict = {"verdict": held.verdict, "judged_at": held.judged_at} if held.verdict else {}
    again = unique((*held.again, *new.again))[-RUNS_KEPT:]
    queries = unique((*new.queries, *held.queries))[: counting.QUERIES_KEPT]
    return new.replace(again=again, queries=queries, **verdict)


def _succeeded(experience: Experience, pattern: Pattern) -> bool:
    return experience.outcome == "answered" and experience.verdict != "bad" and pattern.successes > 0


async def _read_again(ids: Sequence[str], reread: Reread | None) -> tuple[Evidence, ...]:
    """The passages of ``ids`` that still stand. A source that cannot answer now costs them, not the recall."""
    if reread is None or not ids:
        return ()
    try:
        return tuple(await reread(ids))
    except CalibrantError:
        return ()
