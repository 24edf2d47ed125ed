"""An asker that does not ask twice: the same passages and questions are judged in several phases of a run."""

import asyncio
from collections import OrderedDict
from collections.abc import Callable, Hashable
from dataclasses import replace
from typing import Generic, TypeVar

from calibrant.judges.cascade import Asker, Judged
from calibrant.judges.given import ToSuffice
from calibrant.state.budget import Allowance, Spend

G = TypeVar("G")
T = TypeVar("T")

KEPT = 512
"""Verdicts that are kept, the oldest dropped first."""


class Remembered(Generic[G, T]):
    """Wraps an asker. A remembered verdict costs nothing; errors are not remembered."""

    def __init__(self, ask: Asker[G, T], key: Callable[[G], Hashable]) -> None:
        self._ask = ask
        self._key = key
        self._held: OrderedDict[Hashable, Judged[T]] = OrderedDict()
        self._asking: dict[Hashable, asyncio.Lock] = {}

    async def __call__(self, given: G, free: T, allowance: Allowance) -> Judged[T]:
        key = self._key(given)
        place = (id(asyncio.get_running_loop()), key)  # a lock belongs to one event loop, a server may have several
        lock = self._asking.setdefault(place, asyncio.Lock())
        try:
            async with lock:  # branches ask the same at the same time: the first asks, the others get its answer
                if (held := self._held.get(key)) is not None:
                    return replace(held, spend=Spend(sequential_calls=allowance.chain))
                return self._keep(key, await self._ask(given, free, allowance))
        finally:
            self._asking.pop(place, None)

    def _keep(self, key: Hashable, judged: Judged[T]) -> Judged[T]:
        self._held[key] = judged
        if len(self._held) > KEPT:
            self._held.popitem(last=False)
        return judged


def same_sufficiency(given: ToSuffice) -> Hashable:
    """Two sufficiency questions are the same if they ask the same of the same passages, in whatever order, on a day."""
    return (
        given.questions,
        frozenset(item.id for item in given.evidence),
        given.query_type,
        given.time_sensitive,
        given.now and given.now.date(),
        given.failed_sources,
        given.weights.model_dump_json(),
    )
