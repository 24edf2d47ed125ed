"""Memory over each store: what is recalled, what is learnt, and what a verdict changes."""

import asyncio
import itertools
import sqlite3
from collections.abc import AsyncIterator, Sequence
from pathlib import Path
from typing import Any

import pytest
from langgraph.store.base import BaseStore
from langgraph.store.memory import InMemoryStore

from calibrant.memory import Memory
from calibrant.memory.records import EXPERIENCES, PATTERNS, SCAN
from calibrant.state.errors import CalibrantError, InputError, SourceError
from calibrant.state.evidence import Evidence
from calibrant.state.memory import Experience
from calibrant.state.retrieval import Refinement
from calibrant.state.task import QueryType

from .stores import DAY, NOW, experience, opened, pattern, task

SORT_KEYS = "How do I sort keys in json.dumps?"


@pytest.fixture(params=["memory", "memory indexed", "sqlite", "sqlite indexed"])
async def store(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[BaseStore]:
    async with opened(request.param, tmp_path) as store:
        yield store


@pytest.fixture
def memory(store: BaseStore) -> Memory:
    return Memory(store, lambda: NOW)


async def test_nothing_is_recalled_from_nothing(memory: Memory) -> None:
    assert (await memory.recall(task(SORT_KEYS), None)).past_experience == 0.0


async def test_the_same_task_is_recalled_and_dissimilar_ones_are_left_alone(memory: Memory) -> None:
    await memory.remember(experience("e1", SORT_KEYS), pattern("p1", "operational: json dumps sort keys"))
    again = await memory.recall(task("How can the keys be sorted with json.dumps?"), None)
    assert [item.experience.id for item in again.experiences if item.experience] == ["e1"]
    assert [item.pattern.id for item in again.patterns if item.pattern] == ["p1"]
    assert again.past_experience > 0.7
    assert again.pattern_availability > 0.7
    for near_miss in ("How do I sort rows with csv.writer?", "How do I parse json.loads dates?", "Who won the cup?"):
        other = await memory.recall(task(near_miss), None)
        assert (other.experiences, other.patterns) == ((), ())


async def test_the_best_of_many_is_found(memory: Memory) -> None:
    for number in range(60):
        await memory.remember(experience(f"e{number}", f"How do I calibrate sensor type {number}?"))
    found = await memory.recall(task("How do I calibrate sensor type 17?"), None)
    assert [item.experience.id for item in found.experiences if item.experience][:1] == ["e17"]
    assert len(found.experiences) <= 5


@pytest.mark.parametrize(("fields", "weight"), [
    ({"confidence": 1.0}, 1.0),
    ({"confidence": 0.0}, 0.5),
    ({"confidence": 1.0, "at": NOW - 90 * DAY}, 0.5),
    ({"confidence": 1.0, "at": NOW - 180 * DAY}, 0.25),
    ({"confidence": 1.0, "at": NOW + DAY}, 1.0),
    ({"confidence": 1.0, "at": 0.0}, 0.5),
    ({"confidence": 0.2, "verdict": "good"}, 1.0),
    ({"confidence": 1.0, "verdict": "bad"}, 0.0),
    ({"confidence": 1.0, "outcome": "abstained"}, 0.0),
    ({"confidence": 1.0, "query_type": QueryType.STRATEGIC}, 0.8),
])  # fmt: skip
async def test_reliability(fields: dict[str, Any], weight: float) -> None:
    memory = Memory(InMemoryStore(), lambda: NOW)
    await memory.remember(experience("e1", SORT_KEYS, **fields))
    assert (await memory.recall(task(SORT_KEYS), None)).past_experience == pytest.approx(weight)


async def test_passages_of_reliable_experiences_are_read_again(memory: Memory) -> None:
    asked: list[str] = []

    async def reread(ids: Sequence[str]) -> list[Evidence]:
        asked.extend(ids)
        return [
            Evidence(id=eid, text="t", title="t", source="knowledge", url="file:///t") for eid in ids if eid != "gone"
        ]

    await memory.remember(experience("e1", SORT_KEYS, evidence_ids=("a", "gone")))
    await memory.remember(experience("e2", SORT_KEYS, evidence_ids=("b",), outcome="abstained"))
    found = await memory.recall(task(SORT_KEYS), reread)
    assert (asked, [item.id for item in found.evidence]) == (["a", "gone"], ["a"])


async def test_what_was_called_bad_is_not_recalled_from_another_experience_either(store: BaseStore) -> None:
    """The same quotation, learnt before and after: the latest verdict on it counts; another quotation is another."""
    clock = itertools.count(int(NOW))
    memory = Memory(store, lambda: next(clock))

    async def reread(ids: Sequence[str]) -> list[Evidence]:
        return [Evidence(id=eid, text="t", title="t", source="knowledge", url="file:///t") for eid in ids]

    async def recalled() -> tuple[bool, list[str]]:
        found = await memory.recall(task(SORT_KEYS), reread)
        return found.past_experience > 0.0, [item.id for item in found.evidence]

    said = {"evidence_ids": ("a",), "quotes": ("Sort them.",)}
    await memory.remember(experience("e1", SORT_KEYS, at=NOW - 3, thread_id="t1", **said))
    await memory.remember(experience("e2", SORT_KEYS, at=NOW - 2, thread_id="t2", **said))
    await memory.feedback("e1", "bad")
    assert await recalled() == (False, [])
    await memory.remember(experience("e3", SORT_KEYS, at=NOW - 1, evidence_ids=("b",), quotes=("Use sort_keys.",)))
    assert await recalled() == (True, ["b"])
    await memory.feedback("e2", "good")
    assert await recalled() == (True, ["a", "b"])


async def test_a_source_that_cannot_read_again_costs_only_the_passages(memory: Memory) -> None:
    async def reread(ids: Sequence[str]) -> list[Evidence]:
        raise SourceError("down")

    await memory.remember(experience("e1", SORT_KEYS, evidence_ids=("a",)))
    found = await memory.recall(task(SORT_KEYS), reread)
    assert found.evidence == ()
    assert found.past_experience > 0.0


async def test_remembering_twice_is_remembering_once(memory: Memory, store: BaseStore) -> None:
    for _ in range(3):
        await memory.remember(experience("e1", SORT_KEYS), pattern("p1", "json dumps sort keys"))
    held = (await memory.recall(task(SORT_KEYS), None)).patterns[0].pattern
    assert held is not None
    assert (held.uses, held.successes) == (1, 1)
    assert len(await store.asearch(EXPERIENCES)) == 1


async def test_a_later_run_of_an_experience_takes_its_place_and_counts(memory: Memory, store: BaseStore) -> None:
    first = experience("r1", SORT_KEYS, queries=("q1",), retrievals=2, at=NOW - DAY)
    await memory.remember(first, pattern("r1", "json dumps sort keys"))
    later = first.replace(again=("r2",), queries=("q2",), retrievals=0, at=NOW)
    for _ in range(2):
        await memory.remember(later, pattern("r2", "json dumps sort keys"))
    await memory.remember(later.replace(again=("r3",)), pattern("r3", "json dumps sort keys"))
    (one,) = await memory.learnt()
    assert one.experience == later.replace(again=("r2", "r3"), queries=("q2", "q1"))
    assert one.uses == 3


async def test_a_verdict_on_any_run_of_an_experience_is_its_verdict(memory: Memory) -> None:
    first = experience("r1", SORT_KEYS)
    await memory.remember(first, pattern("r1", "json dumps sort keys"))
    await memory.remember(first.replace(again=("r2",)), pattern("r2", "json dumps sort keys"))

    async def held() -> tuple[str, int, int]:
        found = await memory.recall(task(SORT_KEYS), None)
        past, known = found.experiences[0].experience, found.patterns[0].pattern
        assert past is not None
        assert known is not None
        return past.verdict, known.uses, known.successes

    assert await held() == ("", 2, 2)
    judged = await memory.feedback("r2", "bad")
    assert (judged.id if judged else "") == "r1"
    assert await held() == ("bad", 2, 1)
    await memory.feedback("r1", "bad")
    assert await held() == ("bad", 2, 0)
    await memory.remember(first.replace(again=("r3",)), None)
    assert await held() == ("bad", 2, 0), "a person's verdict outlasts what is found again"
    await memory.feedback("r3", "good")
    assert (await held())[0] == "good"


async def test_a_pattern_merges_with_one_for_the_same_kind_of_task(memory: Memory, store: BaseStore) -> None:
    first = pattern("p1", "operational: json dumps sort keys", queries=("q1",), sources=("web",), at=NOW - DAY)
    second = pattern("p2", "operational: sorting keys json dumps", queries=("q2", "q1"), sources=("docs",), depth=2)
    await memory.remember(experience("e1", SORT_KEYS), first)
    await memory.remember(experience("e2", SORT_KEYS), second)
    await memory.remember(experience("e2", SORT_KEYS), second)
    held = (await memory.recall(task(SORT_KEYS), None)).patterns
    assert len(held) == 1
    merged = held[0].pattern
    assert merged is not None
    assert (merged.id, merged.uses, merged.successes, merged.depth, merged.at) == ("p1", 2, 2, 2, NOW)
    assert (merged.queries, merged.sources) == (("q2", "q1"), ("docs", "web"))


async def test_of_runs_that_learn_the_same_at_once_none_loses_its_count(store: BaseStore) -> None:
    runs = [Memory(store, lambda: NOW) for _ in range(8)]
    await asyncio.gather(
        *(
            memory.remember(experience(f"e{place}", SORT_KEYS), pattern(f"p{place}", "json dumps sort keys"))
            for place, memory in enumerate(runs)
        )
    )
    (held,) = (await runs[0].recall(task(SORT_KEYS), None)).patterns
    assert held.pattern is not None
    assert (held.pattern.uses, held.pattern.successes) == (8, 8)


async def test_another_kind_of_task_keeps_its_own_pattern(memory: Memory, store: BaseStore) -> None:
    await memory.remember(experience("e1", SORT_KEYS), pattern("p1", "json dumps sort keys"))
    await memory.remember(experience("e2", "csv"), pattern("p2", "csv writer sort rows"))
    await memory.remember(experience("e3", "x"), pattern("p3", "json dumps sort keys", query_type=QueryType.FACTUAL))
    assert len(await store.asearch(PATTERNS)) == 3


@pytest.mark.parametrize("fields", [{"outcome": "abstained"}, {"verdict": "bad"}])
async def test_a_pattern_without_success_is_refused(memory: Memory, store: BaseStore, fields: dict[str, Any]) -> None:
    with pytest.raises(InputError, match="did not succeed"):
        await memory.remember(experience("e1", SORT_KEYS, **fields), pattern("p1", "json dumps sort keys"))
    assert await store.asearch(EXPERIENCES) + await store.asearch(PATTERNS) == []


async def test_a_run_without_answer_counts_against_the_pattern_once(memory: Memory) -> None:
    await memory.remember(experience("e1", SORT_KEYS), pattern("p1", "json dumps sort keys"))
    for _ in range(2):
        await memory.remember(experience("e2", SORT_KEYS, outcome="abstained"))
    found = await memory.recall(task(SORT_KEYS), None)
    assert found.patterns[0].pattern is not None
    assert found.patterns[0].pattern.success_rate == 0.5
    assert found.pattern_availability == pytest.approx(0.5 * found.patterns[0].similarity)


async def test_a_bad_verdict_takes_weight_and_pattern_and_a_good_one_gives_them_back(memory: Memory) -> None:
    await memory.remember(experience("old", SORT_KEYS, thread_id="t", at=NOW - DAY), None)
    last = experience("new", SORT_KEYS, thread_id="t")
    await memory.remember(last, pattern("p1", "json dumps sort keys"))

    async def state() -> tuple[str, float]:
        found = await memory.recall(task(SORT_KEYS), None)
        verdicts = {item.experience.id: item.experience.verdict for item in found.experiences if item.experience}
        assert verdicts["old"] == ""
        return verdicts["new"], found.patterns[0].pattern.success_rate if found.patterns[0].pattern else -1.0

    assert await state() == ("", 1.0)
    for _ in range(2):
        judged = await memory.feedback("new", "bad")
        assert judged is not None
        assert judged.id == "new"
        assert await state() == ("bad", 0.0)
    await memory.remember(last, pattern("p1", "json dumps sort keys"))
    assert await state() == ("bad", 0.0)
    await memory.feedback("new", "good")
    assert await state() == ("good", 1.0)


async def test_feedback_on_a_run_that_left_nothing_marks_no_other_of_its_thread(memory: Memory) -> None:
    await memory.remember(experience("e1", SORT_KEYS, thread_id="t"))
    assert await memory.feedback("e2", "bad") is None
    assert (await memory.recall(task(SORT_KEYS), None)).past_experience > 0.0


async def test_old_and_broken_records(memory: Memory, store: BaseStore) -> None:
    await store.aput(EXPERIENCES, "old", {"id": "old", "task": SORT_KEYS, "outcome": "answered", "colour": "red"})
    await store.aput(EXPERIENCES, "broken", {"task": 7})
    await store.aput(PATTERNS, "old", {"id": "old", "name": "n", "applies_to": "json dumps sort keys", "counted": "?"})
    found = await memory.recall(task(SORT_KEYS), None)
    assert [item.experience for item in found.experiences] == [Experience(id="old", task=SORT_KEYS, outcome="answered")]
    await memory.remember(experience("e1", SORT_KEYS), pattern("old", "json dumps sort keys"))


async def test_refinements_that_worked_come_best_first(memory: Memory) -> None:
    one, two, three = (Refinement(reason="r", positive=(word,)) for word in ("one", "two", "three"))
    for refinement, worked in ((one, True), (one, False), (two, True), (three, False)):
        await memory.note_refinement("missing keyword: asyncio", refinement, worked, "r1")
    await memory.note_refinement("wrong domain", three, True, "r1")
    assert await memory.worked_refinements("Missing keywords: asyncio") == (two, one)
    assert await memory.worked_refinements("unheard of") == ()


class Failing(InMemoryStore):
    """A store whose server is gone, unless something else is wrong."""

    def __init__(self, error: Exception | None = None) -> None:
        super().__init__()
        self.error = error or ConnectionError("postgresql://me:hush@db refused")

    async def abatch(self, ops: Any) -> Any:
        raise self.error


async def test_a_store_that_is_gone_is_one_typed_line_without_its_password() -> None:
    memory = Memory(Failing(), lambda: NOW)
    with pytest.raises(CalibrantError, match="memory could not be read") as caught:
        await memory.recall(task(SORT_KEYS), None)
    assert "hush" not in str(caught.value)
    with pytest.raises(CalibrantError, match="memory could not be written"):
        await memory.remember(experience("e1", SORT_KEYS), None)


async def test_what_keeps_sqlite_from_its_file_is_told() -> None:
    memory = Memory(Failing(sqlite3.OperationalError("database is locked")), lambda: NOW)
    with pytest.raises(CalibrantError, match=r"memory could not be written \(database is locked\)"):
        await memory.feedback("e1", "good")


class Silent:
    """An embedding model that answers until it is told not to."""

    def __init__(self) -> None:
        self.down = False

    async def __call__(self, texts: Sequence[str]) -> list[list[float]]:
        if self.down:
            raise ConnectionError("no embeddings")
        return [[1.0, float(len(text))] for text in texts]


async def test_an_embedding_model_that_is_down_costs_the_meaning_only(caplog: pytest.LogCaptureFixture) -> None:
    model = Silent()
    memory = Memory(InMemoryStore(index={"dims": 2, "embed": model}), lambda: NOW)
    await memory.remember(experience("e1", SORT_KEYS), None)
    model.down = True
    await memory.remember(experience("e2", SORT_KEYS), None)
    assert len((await memory.recall(task(SORT_KEYS), None)).experiences) == 2
    assert "memory is searched by words only: ConnectionError" in caplog.text
    model.down = False
    assert len((await memory.recall(task(SORT_KEYS), None)).experiences) == 2


def test_scans_are_bounded() -> None:
    assert SCAN <= 2_000
