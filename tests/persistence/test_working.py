"""One worker a thread: in this process, in another, and after that one was killed."""

import asyncio
import subprocess
import sys
from pathlib import Path

import pytest

from calibrant.graph.working import WAIT_SECONDS, at_work_on, is_worked_on, working_on
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
    with working_on(tmp_path, "t1"):
        pass


async def test_an_event_loop_goes_on_while_it_waits_for_a_thread(tmp_path: Path) -> None:
    went_on = asyncio.Event()
    with working_on(tmp_path, "t1"):
        asyncio.get_running_loop().call_later(WAIT_SECONDS / 10, went_on.set)
        with pytest.raises(InputError, match="thread t1 is at work elsewhere"):
            async with at_work_on(tmp_path, "t1"):
                pytest.fail("two at a time")
        assert went_on.is_set()
    async with at_work_on(tmp_path, "t1"):
        assert is_worked_on(tmp_path, "t1")
    assert not is_worked_on(tmp_path, "t1")
