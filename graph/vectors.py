"""The semantic index of the store: which embedding model made it, and making it anew when that was another one.

A store that was filled without an embedding model, or with another, has no usable vectors for its records. Which model
made them stands in the store itself; when it is not the present one, the records are stored again, which embeds them.
"""

import asyncio
import logging
from collections.abc import Sequence

from langgraph.store.base import BaseStore, IndexConfig, SearchItem

from calibrant.memory import INDEXED
from calibrant.state.errors import CalibrantError
from calibrant.state.protocols import TextEncoder

log = logging.getLogger(__name__)

MARK = ("calibrant", "index")
PAGE = 500
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
    if identity:
        for namespace, field in INDEXED:
            await _store_again(store, namespace, field)
    # Without a model, records come in without vectors: the next one starts over.
    await store.aput(MARK, "encoder", {"identity": identity}, index=False)


async def _store_again(store: BaseStore, namespace: tuple[str, ...], field: str) -> None:
    items: list[SearchItem] = []
    while page := await store.asearch(namespace, limit=PAGE, offset=len(items)):
        items += page
    for start in range(0, len(items), BATCH):
        batch = items[start : start + BATCH]
        await asyncio.gather(*(store.aput(item.namespace, item.key, item.value, index=[field]) for item in batch))
