"""Identical work that is wanted several times at once is done once."""

import asyncio
from collections.abc import Callable, Coroutine, Hashable
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from calibrant.state.errors import SourceTimeout

T = TypeVar("T")


@dataclass
class _Flight(Generic[T]):
    task: asyncio.Task[T]
    waiting: int = 0


class SingleFlight(Generic[T]):
    """Work by key. Whoever waits may leave without harm to the others; the work ends when nobody waits any more."""

    def __init__(self) -> None:
        self._flights: dict[Hashable, _Flight[T]] = {}

    async def run(self, key: Hashable, work: Callable[[], Coroutine[Any, Any, T]]) -> T:
        """The result of ``work``, begun here or by somebody else with the same ``key`` in this event loop."""
        loop = asyncio.get_running_loop()
        place = (id(loop), key)
        held = self._flights.get(place)
        if held is None or held.task.get_loop() is not loop:  # an id may come back after its loop is gone
            return await self._await(place, self._begin(place, work))
        try:
            return await self._await(place, held)
        except (SourceTimeout, TimeoutError):
            # It was given as much time as the one who began it had; the others may have more.
            return await work()

    def _begin(self, place: Hashable, work: Callable[[], Coroutine[Any, Any, T]]) -> _Flight[T]:
        flight = _Flight(asyncio.create_task(work()))
        self._flights[place] = flight
        flight.task.add_done_callback(lambda task: self._end(place, flight))
        return flight

    def _end(self, place: Hashable, flight: _Flight[T]) -> None:
        if self._flights.get(place) is flight:
            del self._flights[place]
        if flight.task.done() and not flight.task.cancelled():
            flight.task.exception()  # fetched, so that nobody's error is not reported as lost

    async def _await(self, place: Hashable, flight: _Flight[T]) -> T:
        flight.waiting += 1
        try:
            return await asyncio.shield(flight.task)
        finally:
            flight.waiting -= 1
            if not flight.waiting:
                self._end(place, flight)  # whoever comes next begins anew
                flight.task.cancel()
