"""The semantic index of the store: which embedding model made it, and making it anew when that was another one.

A store that was filled without an embedding model, or with another, has no usable vectors for its records. Which model
made them stands in the store itself; when it is not the present one, the records are stored again, which embeds them.
"""

import asyncio
import logging
from collections.abc import Sequence

from langgraph.store.base import BaseStore, IndexConfig
from langgraph.store.sqlite.aio import AsyncSqliteStore

from calibrant.memory import INDEXED
from calibrant.memory.records import every
from calibrant.state.errors import CalibrantError
from calibrant.state.protocols import TextEncoder

log = logging.getLogger(__name__)

MARK = ("calibrant", "index")
BATCH = 64


async def index_of(encoder: TextEncoder | None) -> IndexConfig | None:
    """The index that ``encoder`` makes; None without one, or where it does not answer."""
    if encoder is None:
        return None

    async def embed(texts: Sequence[str]) -> list[list[float]]:
        vectors = await asyncio.to_thread(encoder.encode, list(texts))
        return [[float(number) for number in row] for row in vectors]

    try:
        dimensions = encoder.dimensions or len((await embed(["dimensions"]))[0])
    except CalibrantError as error:
        log.warning("memory is searched by words only: %s", error)
        return None
    return IndexConfig(dims=dimensions, embed=embed, fields=[field for _, field in INDEXED])


async def keep_indexed(store: BaseStore, identity: str) -> None:
    """Embed all records again if the index was not made by the embedding model ``identity`` (empty: none now)."""
    mark = await store.aget(MARK, "encoder")
    made_by = str(mark.value.get("identity", "")) if mark is not None else ""
    if made_by == identity:
        return
    try:
        for namespace, field in INDEXED if identity else ():
            await _store_again(store, namespace, field)
    except Exception as error:  # noqa: BLE001 - stores are of any make; words still find what the index does not
        log.warning("memory is searched by words only: its index was made by another model (%s)", type(error).__name__)
        return
    # Without a model, records come in without vectors: the next one starts over.
    await store.aput(MARK, "encoder", {"identity": identity}, index=False)


class SqliteStore(AsyncSqliteStore):
    """The SQLite store, its vectors compared here: many builds of Python cannot load the extension that would do it."""

    async def setup(self) -> None:
        """Make the tables. The parent would load the extension if it saw the index."""
        index, self.index_config = self.index_config, None
        try:
            await super().setup()
        finally:
            self.index_config = index
        if index is not None:
            await self.conn.create_function("vec_distance_cosine", 2, cosine_distance, deterministic=True)
            for sql in self.VECTOR_MIGRATIONS:
                await self.conn.executescript(sql)


def cosine_distance(one: bytes, other: bytes) -> float:
    """The distance of two stored vectors; 1 (unrelated) where they come from models of different size."""
    import numpy as np

    a, b = np.frombuffer(one, dtype=np.float32), np.frombuffer(other, dtype=np.float32)
    lengths = float(np.linalg.norm(a) * np.linalg.norm(b)) if len(a) == len(b) else 0.0
    return 1.0 - float(a @ b) / lengths if lengths else 1.0


async def _store_again(store: BaseStore, namespace: tuple[str, ...], field: str) -> None:
    items = await every(store, namespace)
    for start in range(0, len(items), BATCH):
        batch = items[start : start + BATCH]
        await asyncio.gather(*(store.aput(item.namespace, item.key, item.value, index=[field]) for item in batch))
