"""Knowledge bases as a source of evidence: found by name, searched together, without blocking the event loop."""

import asyncio
import re
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TypeVar

from calibrant.retrievers.asking import Partial
from calibrant.retrievers.knowledge.base import KnowledgeBase
from calibrant.retrievers.knowledge.database import FILE_NAME
from calibrant.retrievers.knowledge.spelling import spelt_by_all
from calibrant.state.errors import CalibrantError, InputError, KnowledgeError, SourceError, failure_of
from calibrant.state.evidence import Evidence, SearchQuery, is_ad_hoc

T = TypeVar("T")

_NAME = re.compile(r"[a-z0-9][a-z0-9_-]*(\.[0-9a-f]{6})?")


def knowledge_dir(data_dir: Path, name: str) -> Path:
    """Where the knowledge base ``name`` lives. ``InputError`` for a name that is not one."""
    if not _NAME.fullmatch(name):
        raise InputError(f"not a name for a knowledge base: {name!r} (lowercase letters, digits, - and _)")
    return data_dir / "knowledge" / name


def list_knowledge(data_dir: Path) -> list[str]:
    """The names of the knowledge bases there are."""
    folder = data_dir / "knowledge"
    if not folder.is_dir():
        return []
    return sorted(item.name for item in folder.iterdir() if _NAME.fullmatch(item.name) and (item / FILE_NAME).is_file())


def searched_knowledge(data_dir: Path) -> list[str]:
    """Those that are searched where none is named."""
    return [name for name in list_knowledge(data_dir) if not is_ad_hoc(name)]


class KnowledgeSource:
    """One or several knowledge bases as a ``Source`` that is ``Rereadable``, ``Continuous`` and ``Spelled``.

    A knowledge base that fails does not silence the others: what they found comes with its failure. When all of them
    fail, so does the search.
    """

    name = "knowledge"
    remote = False

    def __init__(self, bases: Sequence[KnowledgeBase]) -> None:
        self._bases = tuple(bases)

    async def search(self, query: SearchQuery) -> list[Evidence]:
        """The best passages over all knowledge bases, at most ``query.limit``. A name that none of them has is told
        with what the others found, and so is why one may have missed something."""
        wanted = query.filters.collections
        answered, failed = await self._all(lambda base: (base.search(query), base.shortfall()), self._named(wanted))
        failed += [*self._absent(wanted), *(KnowledgeError(short) for _, short in answered if short)]
        found = _merged([items for items, _ in answered], query.limit)
        return Partial(found, failure_of(failed[0], self.name)) if failed else found

    async def reread(self, ids: Sequence[str]) -> list[Evidence]:
        """Those of ``ids`` that still stand, in order."""
        answered, _ = await self._all(lambda base: base.reread(ids), self._bases)
        found = {item.id: item for items in answered for item in items}
        return [found[key] for key in dict.fromkeys(ids) if key in found]

    async def around(self, ids: Sequence[str], collections: Sequence[str] = ()) -> dict[str, list[Evidence]]:
        """For those of ``ids`` that have some, the passages next to each in the same section."""
        answered, _ = await self._all(lambda base: base.around(ids), self._named(collections))
        return {eid: near for found in answered for eid, near in found.items()}

    async def outdated(self, urls: Sequence[str], collections: Sequence[str] = ()) -> dict[str, str]:
        """Those of the documents ``urls`` that have changed since one of them read them, or are gone."""
        answered, _ = await self._all(lambda base: base.outdated(urls), self._named(collections))
        return {url: told for found in answered for url, told in found.items()}

    async def passages(self, collections: Sequence[str] = ()) -> int:
        """How many passages all of them hold."""
        answered, _ = await self._all(lambda base: base.passages(), self._named(collections))
        return sum(answered)

    async def spelt(self, words: Sequence[str], collections: Sequence[str] = ()) -> dict[str, str]:
        """For each of ``words`` that none of them has: what is meant, by the first that has a word near it. Nothing
        where one of them cannot tell."""
        answered, failed = await self._all(lambda base: base.spelt(words), self._named(collections))
        return {} if failed else spelt_by_all(words, answered)

    def _named(self, wanted: Sequence[str]) -> list[KnowledgeBase]:
        """The knowledge bases of these names; all of them where none is named."""
        return [base for base in self._bases if not wanted or base.name in wanted]

    def _absent(self, wanted: Sequence[str]) -> list[CalibrantError]:
        held = {base.name for base in self._bases}
        return [InputError(f"there is no knowledge base named {name!r}") for name in wanted if name not in held]

    async def _all(
        self, work: Callable[[KnowledgeBase], T], bases: Sequence[KnowledgeBase]
    ) -> tuple[list[T], list[CalibrantError]]:
        """``work`` over ``bases``, each in a thread: what they gave, and what went wrong."""
        results = await asyncio.gather(*(asyncio.to_thread(_tried, base, work) for base in bases))
        answered = [result for result in results if not isinstance(result, CalibrantError)]
        failed = [result for result in results if isinstance(result, CalibrantError)]
        if failed and not answered:
            raise SourceError(str(failed[0])) from failed[0]
        return answered, failed


def _tried(base: KnowledgeBase, work: Callable[[KnowledgeBase], T]) -> T | CalibrantError:
    try:
        return work(base)
    except (KnowledgeError, SourceError) as error:
        return error


def _merged(rankings: Sequence[Sequence[Evidence]], limit: int) -> list[Evidence]:
    """Several rankings as one. Each keeps its order; the most relevant of their first ones comes next.

    Reciprocal ranks would give the best passage of a knowledge base that knows nothing the same place as the best of
    one that answers; relevance is comparable over knowledge bases.
    """
    queues = [list(ranking) for ranking in rankings if ranking]
    out: dict[str, Evidence] = {}
    while queues and len(out) < limit:
        queue = max(queues, key=lambda items: items[0].relevance)
        item = queue.pop(0)
        out.setdefault(item.id, item)
        queues = [items for items in queues if items]
    return [item.replace(rank=rank) for rank, item in enumerate(out.values(), start=1)]
