"""``kill -9`` in the middle of a tool call: what may have changed something is asked about, and never done again by
itself."""

import asyncio
import json
import time
from typing import Any

import pytest

from calibrant.graph.settings import Machine
from calibrant.interfaces.commands import threads
from calibrant.nodes.calling.approval import LOST
from tests.durability.house import House, Process, until
from tests.wire.openai_replies import Json

APPEND, READ = 'Use append_line with text="one"', 'Use read_line with text="one"'
APPROVE, REJECT = {"resume": {"action": "approve"}}, {"resume": {"action": "reject"}}


def start(house: House, given: Any) -> Process:
    return house.start(str(house.data_dir), "t1", json.dumps(given), module="tests.durability.calling")


def stretch(house: House, given: Any) -> Json:
    """One process, to the thread's next stop."""
    done = start(house, given).end()
    assert done.code == 0, done.err[-2000:]
    return done.json


def calls(house: House) -> list[str]:
    """The calls that were made, by their idempotency keys."""
    log = house.folder / "calls"
    return log.read_text("utf-8").splitlines() if log.exists() else []


def killed_while_calling(house: House, given: Any) -> None:
    """Run until the tool has done its work and not yet said so; then ``kill -9``."""
    before = len(calls(house))
    (house.folder / "hold").touch()
    process = start(house, given)
    until(lambda: len(calls(house)) > before, process)
    process.kill()
    (house.folder / "hold").unlink()


@pytest.fixture(params=[("async", True), ("sync", False)], ids=["store", "no store"])
def kept(house: House, request: pytest.FixtureRequest) -> House:
    """A machine with a store, or one where only the checkpoints know, written before each step."""
    durability, store = request.param
    house.settings |= {"DURABILITY": durability, **({"STORE": "1"} if store else {})}
    return house


def cut_off(house: House) -> Json:
    """A call that was approved, made, and cut off; and what another process asks then."""
    assert stretch(house, {"task": APPEND})["asked"]["kind"] == "approval"
    assert calls(house) == []
    killed_while_calling(house, APPROVE)
    after = stretch(house, None)
    assert len(calls(house)) == 1
    asked: Json = after["asked"]
    assert asked["kind"] == "approval"
    assert "append_line may already have been done" in asked["reasons"]
    (call,) = asked["calls"]
    assert call["may_have_happened"]
    assert "may already have happened" in call["why"]
    (intent,) = after["intents"]
    assert (intent["tool"], intent["arguments"], intent["changes"]) == ("append_line", {"text": "one"}, True)
    return asked


def test_approved_again_it_is_done_once_more_under_the_same_key(kept: House) -> None:
    cut_off(kept)
    ended = stretch(kept, APPROVE)
    first, second = calls(kept)
    assert first == second
    assert ended["asked"] is None
    assert "one was handled" in ended["answer"]


def test_a_thread_that_may_have_done_something_is_removed_only_where_it_is_named(kept: House) -> None:
    """Neither while nobody has looked at it since, nor while the question waits."""
    kept.settings["DURABILITY"] = "sync"  # else the last checkpoint may die with the process
    assert stretch(kept, {"task": APPEND})["asked"]["kind"] == "approval"
    killed_while_calling(kept, APPROVE)
    machine, call = Machine(data_dir=kept.data_dir), "that append_line(text='one') may have been done"
    old = asyncio.run(threads.removed(machine, [], time.time() + 60))
    assert (old.removed, old.kept) == ((), {"t1": call})
    stretch(kept, None)
    old = asyncio.run(threads.removed(machine, [], time.time() + 60))
    assert (old.removed, old.kept) == ((), {"t1": f"a question that waits; {call}"})
    assert kept.run("threads", "remove", "t1").out == (
        f"1 thread removed; lost with them: a question that waits; {call} (t1)\n"
    )


def test_cut_off_twice_it_is_asked_about_twice_and_rejected_the_run_goes_on_without_it(house: House) -> None:
    house.settings["STORE"] = "1"
    cut_off(house)
    killed_while_calling(house, APPROVE)
    again = stretch(house, None)
    assert again["asked"]["calls"][0]["may_have_happened"]
    ended = stretch(house, REJECT)
    assert len(calls(house)) == 2
    assert ended["asked"] is None
    assert ended["stop_reason"] == "abstained"
    assert f"May have been done: append_line: {LOST}; it was not run again." in ended["answer"]
    assert "Not done" not in ended["answer"]


def test_the_store_remembers_what_no_checkpoint_held(house: House) -> None:
    """With checkpoints written only at the end, the approval itself is lost: it is asked for again, and then it is
    known that the call may have happened."""
    house.settings |= {"DURABILITY": "exit", "STORE": "1"}
    assert stretch(house, {"task": APPEND})["asked"]["kind"] == "approval"
    killed_while_calling(house, APPROVE)
    asked = stretch(house, APPROVE)["asked"]
    assert len(calls(house)) == 1
    assert asked["calls"][0]["may_have_happened"]
    assert stretch(house, REJECT)["asked"] is None
    assert len(calls(house)) == 1


def test_a_call_that_only_reads_is_made_again(house: House) -> None:
    killed_while_calling(house, {"task": READ})
    ended = stretch(house, None)
    assert len(calls(house)) == 2
    assert ended["asked"] is None
    assert "one was handled" in ended["answer"]
