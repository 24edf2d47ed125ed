"""Forgetting, over each store: what goes with an experience, and what stays because others taught it too."""

from collections.abc import AsyncIterator
from functools import partial
from pathlib import Path

import pytest
from langgraph.store.base import BaseStore

from calibrant.memory import Memory, records
from calibrant.memory.forgetting import Forgotten
from calibrant.memory.records import EXPERIENCES, PATTERNS, REFINEMENTS
from calibrant.state.retrieval import Refinement

from .stores import DAY, NOW, experience, opened, pattern, task

SORT_KEYS = "How do I sort keys in json.dumps?"
THE_SAME = "How can keys be sorted in json.dumps?"
ROTATE = "How do I rotate the log files?"


@pytest.fixture(params=["memory", "memory indexed", "sqlite", "sqlite indexed"])
async def store(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[BaseStore]:
    async with opened(request.param, tmp_path, forgets=True) as store:
        yield store


@pytest.fixture
def memory(store: BaseStore) -> Memory:
    return Memory(store, lambda: NOW)


async def keys(store: BaseStore, namespace: tuple[str, ...]) -> list[str]:
    return sorted(item.key for item in await store.asearch(namespace))


async def test_what_was_learnt_is_listed_newest_first(memory: Memory) -> None:
    assert await memory.learnt() == []
    await memory.remember(experience("e1", SORT_KEYS), pattern("e1", SORT_KEYS, origin="e1"))
    await memory.remember(experience("e2", THE_SAME, at=NOW + 1), pattern("e2", THE_SAME, origin="e2"))
    await memory.remember(experience("e3", ROTATE, at=NOW - DAY))
    assert [(one.experience.id, one.uses) for one in await memory.learnt()] == [("e2", 2), ("e1", 2), ("e3", 0)]


async def test_a_list_is_as_long_as_the_memory(memory: Memory, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(records, "SCAN", 2)
    for number in range(5):
        await memory.remember(experience(f"e{number}", f"How do I calibrate sensor {number}?"))
    assert len(await memory.learnt()) == 5
    assert await memory.clear() == Forgotten(5, 0, 0)


async def test_an_experience_goes_with_what_comes_from_it_alone(memory: Memory, store: BaseStore) -> None:
    for key, text in (("e1", SORT_KEYS), ("e2", ROTATE)):
        await memory.remember(experience(key, text), pattern(key, text, origin=key))
    shared, own = (Refinement(reason="outdated", domains=(name,)) for name in ("shared.test", "own.test"))
    for refinement, run in ((own, "e1"), (shared, "e1"), (shared, "e2")):
        await memory.note_refinement("outdated", refinement, True, run)
    assert await memory.forget(["e1", "no such"]) == Forgotten(1, 1, 1)
    assert [await keys(store, space) for space in (EXPERIENCES, PATTERNS)] == [["e2"], ["e2"]]
    assert await memory.worked_refinements("outdated") == (shared,)
    assert (await memory.recall(task(THE_SAME))).past_experience == 0.0
    assert (await memory.recall(task(THE_SAME))).pattern_availability == 0.0
    assert (await memory.recall(task(ROTATE))).pattern_availability > 0.7
    assert await memory.forget(["e2"]) == Forgotten(1, 1, 1), "the last of those that shared it"


async def test_an_experience_goes_with_all_its_runs(memory: Memory, store: BaseStore) -> None:
    first = experience("r1", SORT_KEYS)
    await memory.remember(first, pattern("r1", SORT_KEYS, origin="r1"))
    await memory.remember(first.replace(again=("r2",)), pattern("r2", SORT_KEYS, origin="r1"))
    await memory.note_refinement("outdated", Refinement(reason="outdated", domains=("own.test",)), True, "r2")
    await memory.remember(experience("e2", THE_SAME), pattern("e2", THE_SAME))
    assert await memory.forget(["r1"]) == Forgotten(1, 0, 1)
    (one,) = await memory.learnt()
    assert (one.experience.id, one.uses) == ("e2", 1)


async def test_a_pattern_that_others_taught_too_stays_in_their_words(memory: Memory, store: BaseStore) -> None:
    await memory.remember(
        experience("e1", SORT_KEYS, queries=("mine",)),
        pattern("e1", SORT_KEYS, origin="e1", name="operational: mine", steps=("mine",), queries=("mine",)),
    )
    await memory.remember(experience("e2", THE_SAME, queries=("theirs",)), pattern("e2", THE_SAME, queries=("theirs",)))
    assert await keys(store, PATTERNS) == ["e1"]
    assert await memory.forget(["e1"]) == Forgotten(1, 0, 0)
    (found,) = (await memory.recall(task(SORT_KEYS))).patterns
    assert found.pattern
    assert (found.pattern.applies_to, found.pattern.name) == (THE_SAME, "operational: keys sorted json dumps")
    assert (found.pattern.uses, found.pattern.successes, found.pattern.origin) == (1, 1, "e2")
    assert (found.pattern.queries, found.pattern.steps) == (("theirs",), ())
    assert await memory.forget(["e2"]) == Forgotten(1, 1, 0)


async def test_a_pattern_is_not_kept_for_an_answer_that_was_called_bad(memory: Memory, store: BaseStore) -> None:
    for key, text in (("e1", SORT_KEYS), ("e2", THE_SAME)):
        await memory.remember(experience(key, text), pattern(key, text, origin=key))
    await memory.feedback("e2", "bad")
    assert await memory.forget(["e1"]) == Forgotten(1, 1, 0)
    assert await keys(store, EXPERIENCES) == ["e2"]


async def test_refinements_go_by_their_age(store: BaseStore) -> None:
    for at, name in ((NOW - 9 * DAY, "old.test"), (NOW, "new.test")):
        refinement = Refinement(reason="outdated", domains=(name,))
        await Memory(store, partial(float, at)).note_refinement("outdated", refinement, True, "r1")
    assert await Memory(store, lambda: NOW).forget([], NOW - DAY) == Forgotten(0, 0, 1)
    assert len(await keys(store, REFINEMENTS)) == 1


async def test_everything_goes_also_what_cannot_be_read(memory: Memory, store: BaseStore) -> None:
    await memory.remember(experience("e1", SORT_KEYS), pattern("e1", SORT_KEYS))
    await store.aput(EXPERIENCES, "of another version", {"told": "something"})
    assert await memory.clear() == Forgotten(2, 1, 0)
    assert [await keys(store, space) for space in (EXPERIENCES, PATTERNS, REFINEMENTS)] == [[], [], []]


@pytest.mark.parametrize("reopened_as", ["sqlite", "sqlite indexed"])
async def test_vectors_go_with_their_records(tmp_path: Path, reopened_as: str) -> None:
    """Also where they were made by a model that is not loaded to forget them."""
    async with opened("sqlite indexed", tmp_path) as store:
        for key, text in (("e1", SORT_KEYS), ("e2", THE_SAME), ("e3", ROTATE)):
            await Memory(store, lambda: NOW).remember(experience(key, text), pattern(key, text, origin=key))
    async with opened(reopened_as, tmp_path, learns=False, forgets=True) as store:
        await Memory(store, lambda: NOW).forget(["e1", "e3"])
        vectors = await store.conn.execute_fetchall("SELECT prefix, key FROM store_vectors")  # type: ignore[attr-defined]
    kept = [("calibrant.experience", "e2"), *([("calibrant.pattern", "e1")] if "indexed" in reopened_as else [])]
    assert sorted(map(tuple, vectors)) == kept
    async with opened("sqlite indexed", tmp_path) as store:
        found = await Memory(store, lambda: NOW).recall(task(SORT_KEYS))
    assert [item.experience.id for item in found.experiences if item.experience] == ["e2"]
    assert [item.pattern.id for item in found.patterns if item.pattern] == ["e1"]
