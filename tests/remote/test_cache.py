"""The cache of answers: what is the same question, how long it is kept, and that it never breaks a search."""

import json
import sqlite3
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from calibrant.retrievers import store
from calibrant.retrievers.cache import EMPTY_TTL_S, TTL_S, Cache, Recalled, fresh, normalised, search_key
from calibrant.state.evidence import Filters, Locator, SearchQuery
from tests.remote.sources import Clock, passage


async def test_passages_come_back_as_they_were(tmp_path: Path) -> None:
    held = passage(
        "a", "text é \u2028 \U0001f600", published=datetime(2024, 5, 1, tzinfo=UTC), locator=Locator(second=3.5)
    )
    cache = Cache(tmp_path / "new" / "cache.sqlite3")
    assert await cache.recall("k") is None
    await cache.remember("k", [held])
    found = await cache.recall("k")
    assert isinstance(found, Recalled)
    assert found == (held,)
    cache.close()
    again = Cache(tmp_path / "new" / "cache.sqlite3")
    assert await again.recall("k") == (held,)
    again.close()


async def test_a_file_that_another_process_holds_is_a_miss(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(store, "BUSY_MS", 20)
    cache = Cache(tmp_path / "cache.sqlite3")
    with closing(sqlite3.connect(tmp_path / "cache.sqlite3", isolation_level=None)) as other:
        other.execute("BEGIN EXCLUSIVE")
        await cache.remember("k", [passage("a")])
        assert await cache.recall("k") is None
        other.execute("ROLLBACK")
    await cache.remember("k", [passage("a")])
    assert await cache.recall("k") == (passage("a"),)
    cache.close()
    again = Cache(tmp_path / "cache.sqlite3")
    assert await again.recall("k") == (passage("a"),), "it went on in the file, not in memory"
    again.close()


async def test_an_hour_and_less_for_nothing_found() -> None:
    clock = Clock()
    cache = Cache(clock=clock)
    await cache.remember("found", [passage("a")])
    await cache.remember("empty", [])
    clock.now += EMPTY_TTL_S - 1
    assert await cache.recall("empty") == ()
    clock.now += 1
    assert await cache.recall("empty") is None
    clock.now += TTL_S - EMPTY_TTL_S - 1
    assert await cache.recall("found") is not None
    clock.now += 1
    assert await cache.recall("found") is None
    cache.close()


async def test_what_was_kept_before_the_clock_was_set_back_is_asked_for_again() -> None:
    clock = Clock()
    cache = Cache(clock=clock)
    await cache.remember("found", [passage("a")])
    clock.now -= 100_000.0
    assert await cache.recall("found") is None
    await cache.remember("found", [passage("b")])
    assert await cache.recall("found") == (passage("b"),)
    cache.close()


@pytest.mark.parametrize(
    "changes",
    [{"text": "  HOW  to\tX"}, {"text": "ｈow to x"}, {"exclude": ("e1",)}, {"negative": ("B", "a", "a")}],
)
def test_questions_that_must_get_one_answer(changes: dict[str, object]) -> None:
    query = SearchQuery(text="how to x", negative=("a", "b"))
    assert search_key("web", query) == search_key("web", query.replace(**changes))


def test_questions_that_must_not() -> None:
    query = SearchQuery(text="how to x")
    others = [
        search_key("github", query),
        search_key("web", query, "account 2"),
        search_key("web", query.replace(text="to how x")),
        search_key("web", query.replace(limit=15)),
        search_key("web", query.replace(filters=Filters(since=datetime(2024, 1, 1, tzinfo=UTC)))),
        search_key("web", query.replace(negative=("y",))),
    ]
    assert len({search_key("web", query), *others}) == 7


@given(st.text())
def test_white_space_does_not_matter(text: str) -> None:
    assert normalised(text) == " ".join(normalised(text).split())
    assert normalised(f"  {text}\n") == normalised(text)


async def test_the_least_used_makes_room() -> None:
    clock = Clock()
    cache = Cache(max_bytes=4_000, clock=clock)
    noise = [json.dumps([(place * 7919 + step) % 9973 for step in range(300)]) for place in range(8)]
    for place, text in enumerate(noise):
        clock.now += 1
        await cache.put(f"k{place}", text)
        clock.now += 1
        assert await cache.get("k0") is not None, "what is in use stays"
    assert await cache.get("k1") is None
    assert await cache.get("k7") is not None
    cache.close()


async def test_what_is_too_large_is_not_kept() -> None:
    cache = Cache()
    await cache.put("k", "x" * (9 * 2**20))
    assert await cache.get("k") is None
    cache.close()


@pytest.mark.parametrize("content", [b"no database at all" * 50, b"SQLite format 3\x00" + b"\x00" * 100, b""])
async def test_a_corrupt_file_is_a_miss_and_made_anew(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "cache.sqlite3"
    path.write_bytes(content)
    cache = Cache(path)
    assert await cache.recall("k") is None
    await cache.remember("k", [passage("a")])
    assert await cache.recall("k") is not None
    cache.close()


@pytest.mark.parametrize("body", [b"", b"\xff" * 20, b'[{"id": 1}]', b"x\x9c\x03\x00\x00\x00\x00\x01"])
async def test_a_corrupt_entry_is_a_miss(tmp_path: Path, body: bytes) -> None:
    path = tmp_path / "cache.sqlite3"
    cache = Cache(path)
    await cache.remember("k", [passage("a")])
    with sqlite3.connect(path) as other:
        other.execute("UPDATE entries SET body = ?", (body,))
    other.close()
    assert await cache.recall("k") is None
    await cache.remember("k", [passage("b")])
    assert [item.id for item in await cache.recall("k") or ()] == ["b"]
    cache.close()


async def test_foreign_json_is_a_miss() -> None:
    cache = Cache()
    for text in ("{}", "[1]", '[{"id": "a"}]', "null", "not json"):
        await cache.put("k", text)
        assert await cache.recall("k") is None
    cache.close()


async def test_a_folder_that_cannot_be_written(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    cache = Cache(tmp_path / "file" / "cache.sqlite3")
    await cache.remember("k", [passage("a")])
    assert await cache.recall("k") is not None, "memory does"
    cache.close()


async def test_a_file_removed_while_in_use(tmp_path: Path) -> None:
    path = tmp_path / "cache.sqlite3"
    cache = Cache(path)
    await cache.remember("k", [passage("a")])
    path.unlink()
    await cache.remember("k", [passage("b")])
    assert await cache.recall("k") is not None
    cache.close()


async def test_fresh_neither_reads_nor_writes() -> None:
    cache = Cache()
    await cache.remember("k", [passage("a")])
    with fresh():
        assert await cache.recall("k") is None
        await cache.remember("k", [passage("b")])
    assert [item.id for item in await cache.recall("k") or ()] == ["a"]
    cache.close()
