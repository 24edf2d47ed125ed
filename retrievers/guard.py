"""What stands between a remote source and its callers: cache, single flight, breaker, deadline."""

import asyncio
from collections.abc import Sequence
from contextlib import AbstractAsyncContextManager, nullcontext
from typing import cast

from calibrant.retrievers.asking import Partial, searched
from calibrant.retrievers.breaker import Breaker
from calibrant.retrievers.cache import Cache, Recalled, search_key
from calibrant.retrievers.deadline import seconds_left, told_to_end, within
from calibrant.retrievers.flight import SingleFlight
from calibrant.retrievers.http_answers import BadStatus
from calibrant.retrievers.limits import Limits
from calibrant.state.errors import SourceError, SourceLimited, SourceTimeout
from calibrant.state.evidence import Evidence, SearchQuery
from calibrant.state.protocols import Rereadable, Source

DEADLINE_S = 4.0
"""For one search of a remote source; a whole retrieval has 5 s by default."""

MARGIN_S = 0.02
"""Seconds taken off the caller's deadline, so that the breaker records the time-out before the caller is gone."""

_ALIVE = frozenset({400, 404, 406, 410, 414, 422})
"""Statuses that say something about the question, nothing about the service."""


class Guarded:
    """A remote source, guarded. It is a source itself, of the same name.

    Every caller gets what the inner source gives for the query without ``exclude``, so that all share one answer.
    """

    remote = True

    def __init__(
        self,
        source: Source,
        *,
        cache: Cache | None = None,
        breaker: Breaker | None = None,
        seconds: float = DEADLINE_S,
        ttl: float | None = None,
        limits: Limits | None = None,
        options: str = "",
    ) -> None:
        """``seconds``: for one search. ``ttl``: how long its answers are kept, where that is not the cache's own.
        ``limits``: for a source that does not count its own requests; they then hold under its name. ``options``: what
        else the answer depends on (endpoint, account), as part of the cache's key."""
        self.name = source.name
        self.inner = source
        self._cache = cache
        self._breaker = breaker or Breaker(source.name)
        self.seconds = seconds
        self.ttl = ttl
        self._limits = limits
        self._options = options
        self._flights: SingleFlight[Sequence[Evidence]] = SingleFlight()

    @property
    def kept_s(self) -> float:
        """Seconds for which an answer is kept; 0 without a cache."""
        return 0.0 if self._cache is None else self._cache.ttl if self.ttl is None else self.ttl

    async def search(self, query: SearchQuery) -> Sequence[Evidence]:
        """From the cache where it is held, else from the source. ``SourceError`` and its kinds, ``SourceSkipped``."""
        wanted = query.replace(exclude=())
        key = search_key(self.name, wanted, self._options)
        found = await self._flights.run(key, lambda: self._found(key, wanted))
        new = [item for item in found if item.id not in query.exclude]
        if isinstance(found, Partial):
            return Partial(new, found.failure)
        return Recalled(new) if isinstance(found, Recalled) else tuple(new)

    async def _found(self, key: str, query: SearchQuery) -> Sequence[Evidence]:
        held = await self._cache.recall(key) if self._cache else None
        if held is not None:
            return held
        found = await self._asked(query)
        if self._cache and not isinstance(found, Partial):  # the part that is away may be back for the next one
            await self._cache.remember(key, found, self.ttl)
        return found

    async def _asked(self, query: SearchQuery) -> Sequence[Evidence]:
        """The source's answer, and what the breaker learns from it."""
        self._breaker.admit()
        seconds = min(self.seconds, seconds_left(self.seconds) - MARGIN_S)
        try:
            found = await self._within(seconds, query)
        except Exception as error:
            self._learn(error, seconds)
            raise
        except BaseException:
            self._breaker.release()
            raise
        self._breaker.succeed()
        return found

    async def _within(self, seconds: float, query: SearchQuery) -> Sequence[Evidence]:
        timer = asyncio.timeout(seconds)
        with within(seconds):
            try:
                async with timer, self._slot(seconds):
                    return await searched(self.inner, query)
            except TimeoutError as error:
                if not timer.expired():
                    raise
                raise SourceTimeout(f"no answer within {max(seconds, 0.0):.1f} s") from error
            except asyncio.CancelledError as error:
                if told_to_end():
                    raise
                raise SourceError("it broke off its own work") from error

    def _slot(self, seconds: float) -> AbstractAsyncContextManager[None]:
        return self._limits.slot(self.name, seconds) if self._limits else nullcontext()

    def _learn(self, error: Exception, seconds: float) -> None:
        """A limit, ours or the service's, is no failure; nor is a deadline that was too short to be fair."""
        hurried = isinstance(error, SourceTimeout | TimeoutError) and seconds < self.seconds / 2
        if isinstance(error, SourceLimited) or hurried:
            self._breaker.release()
        elif isinstance(error, BadStatus) and error.status in _ALIVE:
            self._breaker.succeed()
        else:
            self._breaker.fail()


class GuardedRereadable(Guarded):
    """A guarded source that can give a passage again by its id."""

    async def reread(self, ids: Sequence[str]) -> Sequence[Evidence]:
        """As the inner source does, within the time of a search; ``SourceTimeout`` where it takes longer."""
        timer = asyncio.timeout(self.seconds)
        try:
            async with timer:
                return await cast(Rereadable, self.inner).reread(ids)
        except TimeoutError as error:
            if not timer.expired():
                raise
            raise SourceTimeout(f"no answer within {self.seconds:.1f} s") from error


def guarded(source: Source) -> Source:
    """``source`` as it is if it is local or guarded already, else guarded."""
    if not source.remote or isinstance(source, Guarded):
        return source
    return GuardedRereadable(source) if isinstance(source, Rereadable) else Guarded(source)
