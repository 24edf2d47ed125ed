"""What is made once for each data set, at its first item, however many items are judged side by side."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Generic, TypeVar

T = TypeVar("T")


class OncePerSet(Generic[T]):
    """What ``make`` gives for a data set. One is made at a time: that takes a machine's whole memory and processor."""

    def __init__(self, make: Callable[[str], Awaitable[T]]) -> None:
        self._make = make
        self._made: dict[str, T] = {}
        self._lock = asyncio.Lock()

    async def of(self, dataset: str) -> T:
        """That of ``dataset``, made now if it was not yet."""
        async with self._lock:
            if dataset not in self._made:
                self._made[dataset] = await self._make(dataset)
        return self._made[dataset]
