"""Rate limits: no window of the service's own log is ever exceeded, by whom- and wherever it is asked."""

import asyncio
import json
import math
import sqlite3
import subprocess
import sys
import threading
import time
from contextlib import closing, nullcontext
from pathlib import Path

import pytest

from calibrant.retrievers import store
from calibrant.retrievers.http import Http
from calibrant.retrievers.limits import ABANDONED_S, DEFAULT, LONGEST_PAUSE_S, Limits, Rate
from calibrant.state.errors import SourceLimited
from tests.remote.server import Reply, Server
from tests.remote.sources import Clock

CHILD = """
import asyncio, json, sys
from pathlib import Path
from calibrant.retrievers import store
from calibrant.retrievers.http import Http
from calibrant.retrievers.limits import Limits, Rate

async def main(path, url):
    limits = Limits(Path(path), default=(Rate(20, 0.15),))
    async with Http(limits) as http:
        sys.stdin.readline()
        got = await asyncio.gather(*(http.json("x", url, deadline=20.0) for _ in range(40)), return_exceptions=True)
    limits.close()
    print(json.dumps([repr(item) for item in got if item != 1]))

asyncio.run(main(*sys.argv[1:]))
"""


async def take(limits: Limits, provider: str = "x", seconds: float = 0.0) -> None:
    async with limits.slot(provider, seconds):
        pass


async def test_the_default_is_ten_a_minute_and_a_hundred_an_hour() -> None:
    clock = Clock()
    limits = Limits(clock=clock)
    made = 0
    for _ in range(59 * 60):
        clock.now += 1.0
        try:
            await take(limits)
            made += 1
        except SourceLimited:
            pass
        assert made <= 10 + 10 * int((clock.now - 1_000_000.0) // 60)
        if made == 100:
            break
    assert made == 100
    with pytest.raises(SourceLimited, match="10 in 60 s, 100 in 3600 s") as caught:
        await take(limits)
    assert caught.value.retry_after is not None
    assert caught.value.retry_after > 60
    assert limits.rates_of("anything") == DEFAULT
    limits.close()


async def test_providers_are_apart_and_configurable() -> None:
    limits = Limits(rates={"quick": (Rate(50, 60.0),), "free": ()}, default=(Rate(1, 60.0),))
    for _ in range(50):
        await take(limits, "quick")
        await take(limits, "free")
    await take(limits, "slow")
    for provider in ("quick", "slow"):
        with pytest.raises(SourceLimited):
            await take(limits, provider)
    limits.close()


async def test_a_refusal_is_immediate_and_takes_no_place() -> None:
    clock = Clock()
    limits = Limits(default=(Rate(1, 10.0),), clock=clock)
    await take(limits)
    for _ in range(5):
        with pytest.raises(SourceLimited) as caught:
            await take(limits, seconds=9.0)
        assert caught.value.retry_after == pytest.approx(10.0)
    clock.now += 10.0
    await take(limits)
    limits.close()


async def test_the_queue_tells_each_one_its_own_wait() -> None:
    """Three can be served within the deadline, in turn; the rest learn at once that they cannot."""
    limits = Limits(default=(Rate(1, 0.1),))
    started = time.perf_counter()
    results = await asyncio.gather(*(take(limits, seconds=0.25) for _ in range(8)), return_exceptions=True)
    served = [result for result in results if result is None]
    assert 2 <= len(served) <= 3
    assert all(result is None or isinstance(result, SourceLimited) for result in results)
    assert time.perf_counter() - started < 1.0
    limits.close()


async def test_a_request_under_way_holds_its_place() -> None:
    """The window is free only a period after the answer: nobody knows when in between the service saw it."""
    limits = Limits(default=(Rate(1, 0.05),))
    async with limits.slot("x", 1.0):
        await asyncio.sleep(0.1)
        with pytest.raises(SourceLimited):
            await take(limits, seconds=0.0)
    await take(limits, seconds=1.0)
    limits.close()


async def test_who_is_cancelled_while_waiting_gives_the_place_back() -> None:
    clock = Clock()
    limits = Limits(default=(Rate(1, 100.0),), clock=clock)
    await take(limits)
    waiting = [asyncio.create_task(take(limits, seconds=500.0)) for _ in range(3)]
    await asyncio.sleep(0.05)
    for task in waiting:
        task.cancel()
    await asyncio.gather(*waiting, return_exceptions=True)
    clock.now += 100.0
    await take(limits)
    limits.close()


async def test_the_queue_of_a_process_that_died_lapses(tmp_path: Path) -> None:
    clock = Clock()
    path = tmp_path / "limits.sqlite3"
    limits = Limits(path, default=(Rate(1, 1.0),), clock=clock)
    await take(limits)
    with sqlite3.connect(path) as other:
        other.executemany(
            "INSERT INTO requests (provider, at, state) VALUES ('x', ?, 0)", [(clock.now + 1.0,), (clock.now + 2.0,)]
        )
    other.close()
    with pytest.raises(SourceLimited):
        await take(limits, seconds=0.5)
    clock.now += 2.0 + ABANDONED_S + 0.1
    await take(limits)
    limits.close()


async def test_what_is_never_asked_again_is_forgotten(tmp_path: Path) -> None:
    """Such as the sites of pages: each is a provider of its own."""
    clock = Clock()
    path = tmp_path / "limits.sqlite3"
    limits = Limits(path, rates={"slow": (Rate(1, 60.0),)}, default=(Rate(1, 1.0),), clock=clock)
    for site in ("page:a", "page:b", "slow"):
        await take(limits, site)
    await limits.pause("page:a", 30.0)
    clock.now += 59.0
    await take(limits)
    assert rows_of(path) == (["page:a", "page:b", "slow", "x"], [])
    with pytest.raises(SourceLimited):
        await take(limits, "slow")
    clock.now += 2.0
    await take(limits)
    assert rows_of(path) == (["x"], [])
    limits.close()


def rows_of(path: Path) -> tuple[list[str], list[str]]:
    """The providers of the requests and of the pauses that are held."""
    with closing(sqlite3.connect(path)) as held:
        requests = held.execute("SELECT provider FROM requests ORDER BY provider").fetchall()
        pauses = held.execute("SELECT provider FROM pauses").fetchall()
    return [provider for (provider,) in requests], [provider for (provider,) in pauses]


async def test_one_who_is_refused_takes_nothing_from_the_next() -> None:
    """Whatever a refusal leaves behind is its own: the next one goes on counting."""
    limits = Limits(default=(Rate(1, 0.2),))
    await take(limits)
    refused, waited = await asyncio.gather(take(limits), take(limits, seconds=5.0), return_exceptions=True)
    assert isinstance(refused, SourceLimited)
    assert waited is None
    with pytest.raises(SourceLimited):
        await take(limits)
    limits.close()


async def test_one_that_was_taken_for_abandoned_still_counts(tmp_path: Path) -> None:
    """A process so busy that its turn passes unnoticed: others clear its row away, and then it goes on."""
    path = tmp_path / "limits.sqlite3"
    limits = Limits(path, default=(Rate(1, 0.2),))
    await take(limits)
    waiting = asyncio.create_task(take(limits, seconds=5.0))
    await asyncio.sleep(0.1)
    with sqlite3.connect(path) as other:
        assert other.execute("DELETE FROM requests WHERE state = 0").rowcount == 1
    other.close()
    await waiting
    with pytest.raises(SourceLimited):
        await take(limits)
    limits.close()


async def test_limits_last_over_a_restart(tmp_path: Path) -> None:
    for place in range(2):
        limits = Limits(tmp_path / "a" / "limits.sqlite3", default=(Rate(1, 60.0),))
        if place:
            with pytest.raises(SourceLimited):
                await take(limits)
        else:
            await take(limits)
        limits.close()


@pytest.mark.parametrize("content", [b"this is no database" * 100, b"SQLite format 3\x00" + b"\xff" * 5000, b""])
async def test_a_corrupt_file_is_made_anew(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "limits.sqlite3"
    path.write_bytes(content)
    limits = Limits(path, default=(Rate(1, 60.0),))
    await take(limits)
    with pytest.raises(SourceLimited):
        await take(limits)
    limits.close()


async def test_a_file_that_cannot_be_written_is_replaced_by_memory(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    limits = Limits(tmp_path / "file" / "limits.sqlite3", default=(Rate(1, 60.0),))
    await take(limits)
    with pytest.raises(SourceLimited):
        await take(limits)
    limits.close()


async def test_a_file_that_another_process_holds_keeps_nobody_waiting(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(store, "BUSY_MS", 20)
    path = tmp_path / "limits.sqlite3"
    limits = Limits(path, default=(Rate(1, 60.0),))
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("BEGIN EXCLUSIVE")
        for _ in range(2):
            await take(limits)
        await limits.pause("x", 60.0)
        await limits.check("x")
        other.execute("ROLLBACK")
    await take(limits)
    with pytest.raises(SourceLimited):
        await take(limits)
    limits.close()


async def test_the_clock_set_back_blocks_nobody_for_long() -> None:
    clock = Clock()
    limits = Limits(default=(Rate(1, 1.0),), clock=clock)
    await take(limits)
    clock.now -= 100_000.0
    with pytest.raises(SourceLimited) as caught:
        await take(limits)
    assert caught.value.retry_after is not None
    assert caught.value.retry_after <= 1.0
    clock.now += 1.0
    await take(limits)
    limits.close()


async def test_the_queue_of_a_process_that_died_lapses_where_the_clock_was_set_back(tmp_path: Path) -> None:
    clock = Clock()
    path = tmp_path / "limits"
    limits = Limits(path, default=(Rate(1, 1.0),), clock=clock)
    await take(limits, provider="other")
    with closing(sqlite3.connect(path)) as held, held:
        held.execute("INSERT INTO requests (provider, at, state) VALUES ('x', ?, 0)", (clock.now + 1.0,))
    clock.now -= 100_000.0
    await take(limits)
    limits.close()


@pytest.mark.parametrize("told", [LONGEST_PAUSE_S - 1, LONGEST_PAUSE_S, 10 * LONGEST_PAUSE_S, math.inf, math.nan])
async def test_no_pause_is_longer_than_the_longest(told: float) -> None:
    clock = Clock()
    limits = Limits(clock=clock)
    await limits.pause("x", told)
    clock.now += LONGEST_PAUSE_S - 2
    for asked in (limits.check("x"), take(limits)):
        with pytest.raises(SourceLimited):
            await asked
    clock.now += 2
    await limits.check("x")
    await take(limits)
    limits.close()


@pytest.mark.parametrize(("back", "holds"), [(0.0, True), (30.0, True), (100_000.0, False)])
async def test_a_pause_holds_no_longer_where_the_clock_was_set_back(back: float, holds: bool) -> None:
    clock = Clock()
    limits = Limits(clock=clock)
    await limits.pause("x", 60.0)
    clock.now -= back
    for asked in (limits.check("x"), take(limits)):
        with pytest.raises(SourceLimited) if holds else nullcontext():
            await asked
    await limits.pause("x", 60.0)
    clock.now += 90.0
    await take(limits)
    limits.close()


async def test_two_hundred_at_once_exceed_no_window_of_the_service(server: Server, tmp_path: Path) -> None:
    server.on("/x", Reply.of_json(1, wait=0.005))
    limits = Limits(tmp_path / "limits.sqlite3", default=(Rate(50, 0.25),))
    async with Http(limits) as http:
        got = await asyncio.gather(*(http.json("x", server.url("/x"), deadline=30.0) for _ in range(200)))
    limits.close()
    assert got == [1] * 200
    assert len(server.hits()) == 200
    assert server.most_within(0.25) <= 50


def test_threads_share_a_limit(server: Server, tmp_path: Path) -> None:
    server.on("/x", Reply.of_json(1))
    limits = Limits(tmp_path / "limits.sqlite3", default=(Rate(10, 0.15),))
    http = Http(limits)

    async def ask() -> None:
        await asyncio.gather(*(http.json("x", server.url("/x"), deadline=20.0) for _ in range(10)))
        await http.aclose()

    threads = [threading.Thread(target=lambda: asyncio.run(ask())) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    limits.close()
    assert len(server.hits()) == 40
    assert server.most_within(0.15) <= 10


def test_processes_share_a_limit(server: Server, tmp_path: Path) -> None:
    server.on("/x", Reply.of_json(1))
    path = str(tmp_path / "limits.sqlite3")
    command = [sys.executable, "-c", CHILD, path, server.url("/x")]
    children = [subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) for _ in range(2)]
    for child in children:
        assert child.stdin is not None
        child.stdin.write("go\n")
        child.stdin.flush()
    outputs = [json.loads(child.communicate(timeout=60)[0]) for child in children]
    assert outputs == [[], []]
    assert len(server.hits()) == 80
    assert server.most_within(0.15) <= 20
