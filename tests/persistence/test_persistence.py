"""Opening checkpointers and stores: in each place, in strict form, and what a user reads when it cannot be done."""

import asyncio
import builtins
import sqlite3
import sys
import threading
from collections.abc import AsyncIterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from pathlib import Path
from threading import Barrier
from types import SimpleNamespace
from typing import Any

import psycopg
import pytest
from filelock import FileLock
from langgraph.graph import END, START, StateGraph
from langgraph.types import interrupt
from pydantic import SecretStr

from calibrant.graph.persistence import CHECKPOINTS, MEMORY, ROOM, open_checkpointer, open_store
from calibrant.graph.serde import serde
from calibrant.graph.settings import Machine
from calibrant.graph.vectors import index_of
from calibrant.memory import Memory
from calibrant.memory.forgetting import Forgotten
from calibrant.state.channels import State
from calibrant.state.errors import CalibrantError, ConfigurationError
from calibrant.state.evidence import Evidence
from calibrant.state.task import Task
from tests.memory.stores import NOW, WordEncoder, experience, pattern, task

CONFIG: Any = {"configurable": {"thread_id": "t1"}}
SORT_KEYS = "How do I sort keys in json.dumps?"


def asking(checkpointer: Any) -> Any:
    async def work(state: State) -> Any:
        passage = Evidence(id="e1", text="x", title="t", source="knowledge", url="file:///t")
        return {"perceived": Task(text="What?"), "evidence": [passage]}

    async def ask(state: State) -> Any:
        return {"answer": interrupt("?")}

    builder = StateGraph(State)
    builder.add_node("work", work)
    builder.add_node("ask", ask)
    builder.add_edge(START, "work")
    builder.add_edge("work", "ask")
    builder.add_edge("ask", END)
    return builder.compile(checkpointer=checkpointer)


async def test_who_is_told_twice_to_end_leaves_no_thread_behind(tmp_path: Path) -> None:
    opened = asyncio.Event()

    async def work() -> None:
        async with open_checkpointer(Machine(data_dir=tmp_path)):
            opened.set()
            await asyncio.sleep(300)

    before, task = {*threading.enumerate()}, asyncio.create_task(work())
    await opened.wait()
    (worker,) = (one for one in {*threading.enumerate()} - before if "_connection_worker" in one.name)
    with FileLock(tmp_path / f"{CHECKPOINTS}.lock"):
        task.cancel()
        await asyncio.sleep(0.1)
        assert not task.done()  # it waits for its turn to close the file
        task.cancel()
        await asyncio.wait([task])
        await asyncio.to_thread(worker.join, 5)
    assert (task.cancelled(), worker.is_alive()) == (True, False)


async def test_a_thread_goes_on_after_everything_was_closed(machine: Machine | None) -> None:
    async with open_checkpointer(machine) as first:
        await asking(first).ainvoke({"task": "What?"}, CONFIG)
        if machine is None:
            await goes_on(first)
    if machine is not None:
        async with open_checkpointer(machine) as second:
            await goes_on(second)


async def goes_on(checkpointer: Any) -> None:
    from langgraph.types import Command

    graph = asking(checkpointer)
    held = (await graph.aget_state(CONFIG)).values
    assert isinstance(held["perceived"], Task)
    assert isinstance(held["evidence"][0], Evidence)
    assert (await graph.ainvoke(Command(resume="yes"), CONFIG))["answer"] == "yes"


async def test_the_checkpointer_is_strict(machine: Machine | None) -> None:
    async with open_checkpointer(machine) as checkpointer:
        assert checkpointer.serde is serde()


async def test_memory_outlives_the_process(machine: Machine | None) -> None:
    async with open_store(machine) as store:
        await Memory(store, lambda: NOW).remember(experience("e1", SORT_KEYS), pattern("p1", "json dumps sort keys"))
        assert (await Memory(store, lambda: NOW).recall(task(SORT_KEYS))).past_experience > 0.0
    if machine is not None:
        async with open_store(machine) as store:
            assert (await Memory(store, lambda: NOW).recall(task(SORT_KEYS))).pattern_availability > 0.0


async def test_the_whole_of_memory_works_on_an_index(machine: Machine | None) -> None:
    async with open_store(machine, WordEncoder()) as store:
        memory = Memory(store, lambda: NOW)
        for number in range(30):
            await memory.remember(experience(f"e{number}", f"How do I bake bread number {number}?", thread_id="other"))
        await memory.remember(experience("mine", SORT_KEYS, thread_id="t"), pattern("p1", "json dumps sort keys"))
        found = await memory.recall(task("How can the keys be sorted with json.dumps?"))
        assert [item.experience.id for item in found.experiences if item.experience] == ["mine"]
        judged = await memory.feedback("mine", "bad")
        assert judged is not None
        assert judged.id == "mine"
        assert (await memory.recall(task(SORT_KEYS))).past_experience == 0.0


async def test_what_is_forgotten_is_gone_wherever_it_is_kept(machine: Machine | None) -> None:
    async with open_store(machine, WordEncoder()) as store:
        memory = Memory(store, lambda: NOW)
        for key, text in (("e1", SORT_KEYS), ("e2", "How do I rotate the log files?")):
            await memory.remember(experience(key, text), pattern(key, text, origin=key))
        assert await memory.forget(["e1"]) == Forgotten(1, 1, 0)
        for namespace in (("calibrant", "experience"), ("calibrant", "pattern")):
            assert [item.key for item in await store.asearch(namespace, query="sort keys")] == ["e2"]
        assert await memory.clear() == Forgotten(1, 1, 0)


async def test_records_from_before_the_embedding_model_are_embedded_when_it_comes(machine: Machine | None) -> None:
    if machine is None:
        pytest.skip("nothing outlives the process")
    async with open_store(machine) as store:
        await Memory(store, lambda: NOW).remember(experience("e1", SORT_KEYS), pattern("p1", "json dumps sort keys"))
    for encoder, embedded in ((WordEncoder("a"), True), (WordEncoder("a"), False), (WordEncoder("b"), True)):
        async with open_store(machine, encoder) as store:
            assert (SORT_KEYS in encoder.texts) is embedded
            assert [item.score for item in await store.asearch(("calibrant", "experience"), query=SORT_KEYS)] == [
                pytest.approx(1.0, abs=1e-4)
            ]


async def test_another_number_of_dimensions_does_not_break_recall(machine: Machine | None) -> None:
    if machine is None:
        pytest.skip("nothing outlives the process")
    for dimensions in (64, 32):
        async with open_store(machine, WordEncoder(f"d{dimensions}", dimensions)) as store:
            memory = Memory(store, lambda: NOW)
            await memory.remember(experience(f"e{dimensions}", SORT_KEYS))
            assert (await memory.recall(task(SORT_KEYS))).past_experience > 0.0


async def test_sqlite_files_are_made_for_several_processes(tmp_path: Path) -> None:
    machine = Machine(data_dir=tmp_path / "a" / "b")
    async with open_checkpointer(machine), open_store(machine):
        for name in (CHECKPOINTS, MEMORY):
            with sqlite3.connect(machine.data_dir / name) as other:
                assert other.execute("PRAGMA journal_mode").fetchone() == ("wal",)
    assert machine.data_dir.stat().st_mode & 0o077 == 0


async def test_two_writers_wait_for_each_other(tmp_path: Path) -> None:
    machine = Machine(data_dir=tmp_path)
    async with open_store(machine) as one, open_store(machine) as two:
        await asyncio.gather(*(store.aput(("n",), f"{i}", {"i": i}) for i in range(40) for store in (one, two)))
        assert len(await one.asearch(("n",), limit=100)) == 40


@pytest.mark.parametrize(
    "damage", [lambda whole: b"not a database at all " * 400, lambda whole: whole[: len(whole) // 2]]
)
@pytest.mark.parametrize(("name", "opening"), [(CHECKPOINTS, open_checkpointer), (MEMORY, open_store)])
async def test_a_damaged_file_is_named_and_left_alone(tmp_path: Path, name: str, opening: Any, damage: Any) -> None:
    machine = Machine(data_dir=tmp_path)
    async with opening(machine):
        pass
    path = tmp_path / name
    path.write_bytes(damage(path.read_bytes()))
    before = path.read_bytes()
    with pytest.raises(CalibrantError) as caught:
        async with opening(machine):
            pass
    assert str(path) in str(caught.value)
    assert "move it away" in str(caught.value)
    assert "\n" not in str(caught.value)
    assert path.read_bytes() == before


@pytest.mark.parametrize(
    ("why", "said"),
    [
        ("unable to open database file", "check that it and its folder can be read and written"),
        ("attempt to write a readonly database", "check that it and its folder can be read and written"),
        ("database or disk is full", "cannot be written: no space is left on the disk"),
        ("database is locked", "is in use by another process: try again"),
    ],
)
@pytest.mark.parametrize(("name", "opening"), [(CHECKPOINTS, open_checkpointer), (MEMORY, open_store)])
async def test_what_keeps_a_sound_file_shut_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, opening: Any, why: str, said: str
) -> None:
    def refuse(*_: Any, **__: Any) -> None:
        raise sqlite3.OperationalError(why)

    monkeypatch.setattr("aiosqlite.connect", refuse)
    with pytest.raises(CalibrantError) as caught:
        async with opening(Machine(data_dir=tmp_path)):
            pass
    assert str(caught.value).startswith(str(tmp_path / name))
    assert str(caught.value).endswith(said)


@pytest.mark.parametrize(
    ("free", "said"),
    [
        (ROOM - 1, "cannot be written: no space is left on the disk"),
        (ROOM, "cannot be opened (disk I/O error): check that it and its folder can be read and written"),
    ],
)
async def test_a_full_disk_may_be_told_as_one_that_fails(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, free: int, said: str
) -> None:
    def refuse(*_: Any, **__: Any) -> None:
        raise sqlite3.OperationalError("disk I/O error")

    monkeypatch.setattr("aiosqlite.connect", refuse)
    monkeypatch.setattr("shutil.disk_usage", lambda _: SimpleNamespace(free=free))
    with pytest.raises(CalibrantError) as caught:
        async with open_checkpointer(Machine(data_dir=tmp_path)):
            pass
    assert str(caught.value) == f"{tmp_path / CHECKPOINTS} {said}"


async def test_a_folder_that_cannot_be_made(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(ConfigurationError, match="CALIBRANT_DATA_DIR"):
        async with open_checkpointer(Machine(data_dir=tmp_path / "file" / "x")):
            pass


@pytest.mark.parametrize("opening", [open_checkpointer, open_store])
async def test_postgres_that_does_not_answer_is_one_line_without_the_password(tmp_path: Path, opening: Any) -> None:
    url = SecretStr("postgresql://me:hush-hush@127.0.0.1:1/db")
    with pytest.raises(CalibrantError, match=r"Postgres at 127.0.0.1:1/db cannot be used") as caught:
        async with opening(Machine(data_dir=tmp_path, postgres_url=url)):
            pass
    assert "hush" not in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_driver_that_quotes_the_password_is_not_repeated() -> None:
    postgres = pytest.importorskip("calibrant.graph.postgres", reason="calibrant[postgres] is not installed")
    refused = psycopg.OperationalError('FATAL: no entry for "me" with "hush-hush"\nconnection hush-hush closed')
    with pytest.raises(CalibrantError, match="FATAL") as caught, postgres._explained("postgresql://me:hush-hush@h/db"):
        raise refused
    assert "hush" not in str(caught.value)


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (psycopg.errors.FeatureNotSupported('extension "vector" is not available'), ""),
        (psycopg.errors.UndefinedFile("could not open extension control file"), ""),
        (psycopg.errors.UndefinedObject('type "vector" does not exist'), ""),
        (psycopg.errors.ProgramLimitExceeded("column cannot have more than 2000 dimensions for hnsw index"), ""),
        (psycopg.errors.InsufficientPrivilege('permission denied to create extension "vector"'), "permission denied"),
        (psycopg.errors.DiskFull("could not extend file: No space left on device"), "No space left"),
        (TimeoutError(), "its tables were not set up within 60 s"),
    ],
)
async def test_only_without_pgvector_memory_is_searched_by_words(
    monkeypatch: pytest.MonkeyPatch, error: Exception, said: str
) -> None:
    postgres = pytest.importorskip("calibrant.graph.postgres", reason="calibrant[postgres] is not installed")
    script: list[Exception | None] = [error, None]

    @asynccontextmanager
    async def pool(url: str) -> AsyncIterator[None]:
        yield

    async def alone(pool: None, setup: Any) -> None:
        if (step := script.pop(0)) is not None:
            raise step

    monkeypatch.setattr(postgres, "_pool", pool)
    monkeypatch.setattr(postgres, "_alone", alone)
    opening = postgres.open_store("postgresql://me@h/db", await index_of(WordEncoder()))
    if said:
        with pytest.raises(CalibrantError, match=f"^Postgres at h:5432/db cannot be used: .*{said}"):
            async with opening:
                pytest.fail("it cannot be used")
    else:
        async with opening as store:
            assert store.index_config is None


async def test_what_is_no_postgres_url_is_not_quoted(tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match="CALIBRANT_POSTGRES_URL is no Postgres URL") as caught:
        async with open_checkpointer(Machine(data_dir=tmp_path, postgres_url=SecretStr("me:hush@db"))):
            pass
    assert "hush" not in str(caught.value)


async def test_postgres_without_its_package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    original = builtins.__import__

    def without(name: str, *args: Any, **kwargs: Any) -> Any:
        if name.startswith("psycopg"):
            raise ModuleNotFoundError(name)
        return original(name, *args, **kwargs)

    monkeypatch.delitem(sys.modules, "calibrant.graph.postgres", raising=False)
    import calibrant.graph

    monkeypatch.delattr(calibrant.graph, "postgres", raising=False)
    monkeypatch.setattr(builtins, "__import__", without)
    with pytest.raises(ConfigurationError, match=r'constraints.txt "\.\[postgres\]"'):
        async with open_checkpointer(Machine(data_dir=tmp_path, postgres_url=SecretStr("postgresql://db"))):
            pass


async def test_several_machines_may_start_at_once_on_an_empty_database(fresh_postgres: str, tmp_path: Path) -> None:
    machine = Machine(data_dir=tmp_path, postgres_url=SecretStr(fresh_postgres))

    async def start(number: int) -> None:
        async with open_checkpointer(machine), open_store(machine, WordEncoder()) as store:
            await store.aput(("n",), str(number), {"n": number})

    await asyncio.gather(*(start(number) for number in range(4)))


async def test_an_embedding_model_that_does_not_answer_leaves_words() -> None:
    class Down(WordEncoder):
        def encode(self, texts: Any) -> Any:
            raise CalibrantError("the embedding model is down")

    async with open_store(None, Down(dimensions=0)) as store:
        await Memory(store, lambda: NOW).remember(experience("e1", SORT_KEYS))
        assert (await Memory(store, lambda: NOW).recall(task(SORT_KEYS))).past_experience > 0.0


@pytest.mark.parametrize("opening", [open_checkpointer, open_store])
def test_several_may_make_the_file_at_once(tmp_path: Path, opening: Any) -> None:
    """SQLite does not wait where a new file is made, or a last connection closes, nor does LangGraph set up for two."""
    at_once = 8

    def opened(data_dir: Path, start: Barrier) -> None:
        async def open_it() -> None:
            async with opening(Machine(data_dir=data_dir)):
                pass

        start.wait()
        asyncio.run(open_it())

    with ThreadPoolExecutor(at_once) as pool:
        for number in range(5):
            start = Barrier(at_once)
            for one in [pool.submit(opened, tmp_path / str(number), start) for _ in range(at_once)]:
                one.result(120)


@pytest.mark.parametrize(("name", "opening"), [(CHECKPOINTS, open_checkpointer), (MEMORY, open_store)])
async def test_one_that_is_at_it_for_long_keeps_nobody_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, opening: Any
) -> None:
    """SQLite itself says what cannot be done meanwhile."""
    monkeypatch.setattr("calibrant.graph.persistence.TURN_SECONDS", 0.1)
    with FileLock(tmp_path / f"{name}.lock"):
        async with opening(Machine(data_dir=tmp_path)):
            pass
    assert (tmp_path / name).exists()
