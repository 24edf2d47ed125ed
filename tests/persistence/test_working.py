"""One worker a thread: in this process, in another, and after that one was killed."""

import asyncio
import sqlite3
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, suppress
from pathlib import Path

import pytest

from calibrant.graph.working import DOOR, FOLDER, at_work_on, is_worked_on, working_on
from calibrant.state.errors import InputError

HOLD = """
import sys, time
from pathlib import Path
from calibrant.graph.working import working_on
with working_on(Path(sys.argv[1]), "t1"):
    print("working", flush=True)
    time.sleep(60)
"""


def test_a_thread_has_one_worker_at_a_time(tmp_path: Path) -> None:
    assert not is_worked_on(tmp_path, "t1")
    with working_on(tmp_path, "t1"):
        assert is_worked_on(tmp_path, "t1")
        with pytest.raises(InputError, match="thread t1 is at work elsewhere"), working_on(tmp_path, "t1"):
            pytest.fail("two at a time")
        with working_on(tmp_path, "t2"):
            assert is_worked_on(tmp_path, "t2")
    assert not is_worked_on(tmp_path, "t1")
    with working_on(tmp_path, "t1"):
        pass


def files(data_dir: Path) -> set[str]:
    return {path.name for path in (data_dir / FOLDER).iterdir()}


def test_no_file_stays_of_a_thread_that_is_not_at_work(tmp_path: Path) -> None:
    for number in range(3):
        with working_on(tmp_path, f"t{number}"), pytest.raises(InputError), working_on(tmp_path, f"t{number}"):
            pytest.fail("two at a time")
    assert files(tmp_path) == {DOOR}


def test_of_many_who_come_and_go_only_one_works(tmp_path: Path) -> None:
    """Each removes the file while others open it."""
    at_work, most, done = 0, 0, 0

    def come_and_go(_: int) -> None:
        nonlocal at_work, most, done
        for _ in range(40):
            with suppress(InputError), working_on(tmp_path, "t1"):
                at_work += 1
                most = max(most, at_work)
                time.sleep(0.0005)
                at_work -= 1
                done += 1

    with ThreadPoolExecutor(6) as pool:
        list(pool.map(come_and_go, range(6)))
    assert (most, at_work) == (1, 0)
    assert done > 0
    assert files(tmp_path) == {DOOR}


def test_while_somebody_stays_in_the_door_nobody_begins(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("calibrant.graph.working.WAIT_SECONDS", 0.01)
    with working_on(tmp_path, "t1"), closing(sqlite3.connect(tmp_path / FOLDER / DOOR, isolation_level=None)) as door:
        door.execute("BEGIN EXCLUSIVE")
        assert is_worked_on(tmp_path, "t1")
        with pytest.raises(InputError), working_on(tmp_path, "t2"):
            pytest.fail("nobody looked whether it is free")
    with working_on(tmp_path, "t1"):
        pass


def test_a_killed_process_leaves_its_thread_free(tmp_path: Path) -> None:
    other = subprocess.Popen([sys.executable, "-c", HOLD, str(tmp_path)], stdout=subprocess.PIPE, text=True)
    with other:
        try:
            assert other.stdout is not None
            assert other.stdout.readline() == "working\n"
            assert is_worked_on(tmp_path, "t1")
            with pytest.raises(InputError), working_on(tmp_path, "t1"):
                pytest.fail("two at a time")
        finally:
            other.kill()
    assert not is_worked_on(tmp_path, "t1")
    assert files(tmp_path) == {DOOR}
    with working_on(tmp_path, "t1"):
        pass


async def test_an_event_loop_goes_on_while_it_waits(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("calibrant.graph.working.WAIT_SECONDS", 0.3)
    went_on = asyncio.Event()
    (tmp_path / FOLDER).mkdir()
    with closing(sqlite3.connect(tmp_path / FOLDER / DOOR, isolation_level=None)) as door:
        door.execute("BEGIN EXCLUSIVE")
        asyncio.get_running_loop().call_later(0.05, went_on.set)
        with pytest.raises(InputError, match="thread t1 is at work elsewhere"):
            async with at_work_on(tmp_path, "t1"):
                pytest.fail("somebody stands in the door")
    assert went_on.is_set()
    async with at_work_on(tmp_path, "t1"):
        assert is_worked_on(tmp_path, "t1")
    assert not is_worked_on(tmp_path, "t1")
