"""Typed records over a ``BaseStore``: where they stand, how they are read, and how candidates for a task are found.

Values are plain JSON. One that no longer fits its class is left out, never an error: memory may be missing, but it must
not be in the way. What the store itself raises becomes one ``CalibrantError``: stores are of any make.
"""

import asyncio
import logging
import sqlite3
from collections.abc import AsyncIterator, Iterable, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass
from typing import Any, Generic, TypeVar
from weakref import WeakKeyDictionary

from langgraph.store.base import BaseStore, SearchItem
from pydantic import ValidationError

from calibrant.state.base import Value
from calibrant.state.errors import CalibrantError

EXPERIENCES = ("calibrant", "experience")
PATTERNS = ("calibrant", "pattern")
REFINEMENTS = ("calibrant", "refinement")

INDEXED = ((EXPERIENCES, "task"), (PATTERNS, "applies_to"))
"""The fields that a semantic search compares."""

SCAN = 2_000
"""Records that one scan reads at most."""

RECENT = 200
"""Records read beside a semantic search: those that were stored while no embedding model answered."""

NEAREST = 20
"""Records that a semantic search is asked for."""

V = TypeVar("V", bound=Value)

_log = logging.getLogger(__name__)

_LOCKS: WeakKeyDictionary[BaseStore, WeakKeyDictionary[asyncio.AbstractEventLoop, asyncio.Lock]] = WeakKeyDictionary()
"""One for each store and event loop."""


@dataclass(frozen=True)
class Record(Generic[V]):
    """A stored value, the JSON it was read from, and the cosine that a semantic search gave it."""

    value: V
    raw: dict[str, Any]
    cosine: float | None = None


@contextmanager
def typed_errors(doing: str) -> Iterator[None]:
    """What a store raises, as one line. SQLite alone, which knows no password, is quoted: a driver may tell one."""
    try:
        yield
    except CalibrantError:
        raise
    except Exception as error:
        why = str(error) if isinstance(error, sqlite3.Error) else type(error).__name__
        raise CalibrantError(f"memory could not be {doing} ({why})") from error


def record_of(model: type[V], raw: dict[str, Any], cosine: float | None = None) -> Record[V] | None:
    """``raw`` as a record of ``model``; None where a required field is missing or wrong."""
    try:
        return Record(model.model_validate(raw), raw, cosine)
    except ValidationError:
        return None


async def scan(store: BaseStore, namespace: tuple[str, ...], model: type[V], **where: Any) -> list[Record[V]]:
    """Records of a namespace whose fields equal ``where``, at most ``SCAN``."""
    found = await store.asearch(namespace, filter=where or None, limit=SCAN)
    return records_of(model, found)


async def every(store: BaseStore, namespace: tuple[str, ...]) -> list[SearchItem]:
    """All that stands in a namespace, however much it is."""
    items: list[SearchItem] = []
    while page := await store.asearch(namespace, limit=SCAN, offset=len(items)):
        items += page
    return items


async def candidates(store: BaseStore, namespace: tuple[str, ...], model: type[V], query: str) -> list[Record[V]]:
    """Records that may fit ``query``: the nearest by meaning where the store has an index, otherwise all of them."""
    near = await _nearest(store, namespace, query)
    if not near:
        return await scan(store, namespace, model)
    recent = await store.asearch(namespace, limit=RECENT)
    known = {item.key for item in near}
    return records_of(model, [*near, *(item for item in recent if item.key not in known)])


async def _nearest(store: BaseStore, namespace: tuple[str, ...], query: str) -> list[SearchItem]:
    """What a semantic search scores; empty without an index, or while its embedding model does not answer."""
    try:
        found = await store.asearch(namespace, query=query, limit=NEAREST)
    except Exception as error:  # noqa: BLE001 - an embedding model of any make: without it, words decide
        _log.warning("memory is searched by words only: %s", type(error).__name__)
        return []
    return [item for item in found if item.score is not None]


@asynccontextmanager
async def writing(store: BaseStore) -> AsyncIterator[None]:
    """While a record is read, changed and written: of two runs of this process that learn the same, neither loses its
    count. Stores have no such operation, so two processes may still. What the store raises is one line."""
    with typed_errors("written"):
        locks = _LOCKS.setdefault(store, WeakKeyDictionary())
        async with locks.setdefault(asyncio.get_running_loop(), asyncio.Lock()):
            yield


async def put(store: BaseStore, namespace: tuple[str, ...], key: str, raw: dict[str, Any], index: str = "") -> None:
    """Store ``raw`` under ``key``; the field ``index`` is what a semantic search compares."""
    try:
        await store.aput(namespace, key, raw, index=[index] if index else False)
    except Exception:
        if not index:
            raise
        # The embedding model may be what failed: the record itself must not be lost with it.
        await store.aput(namespace, key, raw, index=False)


def records_of(model: type[V], items: Iterable[SearchItem]) -> list[Record[V]]:
    """Those of the items that are records of ``model``."""
    read_all: Sequence[Record[V] | None] = [record_of(model, item.value, item.score) for item in items]
    return [record for record in read_all if record is not None]
