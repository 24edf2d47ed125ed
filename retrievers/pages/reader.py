"""Reading a page: cache, robots, politeness, fetch, extraction."""

import asyncio
import time
from collections.abc import AsyncIterator, Callable
from concurrent.futures import Future
from contextlib import asynccontextmanager, nullcontext
from dataclasses import replace
from functools import cache, partial
from queue import SimpleQueue
from threading import Thread
from typing import Any, TypeVar

from pydantic import ValidationError

from calibrant.retrievers.address import Allow, Resolver, Target, is_public, resolve, target_of
from calibrant.retrievers.cache import Cache
from calibrant.retrievers.deadline import seconds_left
from calibrant.retrievers.flight import SingleFlight
from calibrant.retrievers.http import user_agent
from calibrant.retrievers.limits import Limits
from calibrant.retrievers.pages.extract import KINDS, page_of, warm
from calibrant.retrievers.pages.fetch import Caps, Fetched, SafeFetcher
from calibrant.retrievers.pages.page import Page
from calibrant.retrievers.pages.robots import Robots
from calibrant.state.errors import SourceTimeout

WORKERS = 2

T = TypeVar("T")


class PageReader:
    """Reads pages. Safe to share by everything in a process."""

    def __init__(
        self,
        *,
        cache: Cache | None = None,
        limits: Limits | None = None,
        caps: Caps | None = None,
        allow: Allow = is_public,
        resolver: Resolver = resolve,
        respect_robots: bool = True,
        contact: str = "",
    ) -> None:
        """``limits``: how often one site is asked (the provider is ``page:<host>``). ``allow``: which addresses may
        be connected to. ``contact``: whom sites may write to, told with each request."""
        self._cache = cache
        self._limits = limits
        self._caps = caps or Caps()
        self._fetcher = SafeFetcher(user_agent(contact), allow, resolver, caps=self._caps)
        self._robots = Robots(self._fetcher, cache) if respect_robots else None
        self._flights: SingleFlight[Page] = SingleFlight()

    async def read(self, url: str) -> Page:
        """The page at ``url``. ``PageRefused`` with the reason, ``SourceTimeout``, ``SourceError``."""
        target = target_of(url)
        return await self._flights.run(str(target.url), lambda: self._page(target))

    async def _page(self, target: Target) -> Page:
        key = f"page:{target.url}"
        held = await self._recalled(key)
        if held is not None:
            return held
        seconds = seconds_left(self._caps.seconds)
        _workers().submit(warm)
        try:
            async with asyncio.timeout(seconds):
                page = await self._extracted(await self._fetched(target, seconds), time.monotonic() + seconds)
        except TimeoutError as error:
            raise SourceTimeout(f"{target.host}: the page could not be read in time") from error
        if self._cache:
            await self._cache.put(key, page.model_dump_json())
        return page

    async def _recalled(self, key: str) -> Page | None:
        text = await self._cache.get(key) if self._cache else None
        try:
            return Page.model_validate_json(text) if text is not None else None
        except ValidationError:
            return None

    async def _fetched(self, target: Target, seconds: float) -> Fetched:
        caps = replace(self._caps, seconds=seconds)
        return await self._fetcher.fetch(str(target.url), frozenset(KINDS), self._permit, caps)

    @asynccontextmanager
    async def _permit(self, target: Target) -> AsyncIterator[None]:
        """What the site's owner and our own limits say. The place among the limits is kept until the answer is in."""
        if self._robots is not None:
            await self._robots.permit(target)
        waiting = seconds_left(self._caps.seconds)
        async with self._limits.slot(f"page:{target.host}", waiting) if self._limits else nullcontext():
            yield

    async def _extracted(self, fetched: Fetched, until: float) -> Page:
        return await asyncio.wrap_future(_workers().submit(partial(page_of, fetched, until)))


class _Workers:
    """A few threads, since extraction is work for the processor. They end with the process: a page that takes longer
    than anybody waited for it must not keep a program from ending, as the threads of an executor do."""

    def __init__(self) -> None:
        self._waiting: SimpleQueue[tuple[Future[Any], Callable[[], Any]]] = SimpleQueue()
        for number in range(WORKERS):
            Thread(target=self._work, name=f"calibrant-pages-{number}", daemon=True).start()

    def submit(self, work: Callable[[], T]) -> "Future[T]":
        """What ``work`` gives, once a thread has come to it; never, where it is cancelled before."""
        future: Future[T] = Future()
        self._waiting.put((future, work))
        return future

    def _work(self) -> None:
        while True:
            future, work = self._waiting.get()
            if future.set_running_or_notify_cancel():
                try:
                    future.set_result(work())
                except BaseException as error:  # noqa: BLE001 - whoever waits for it is to have it
                    future.set_exception(error)


@cache
def _workers() -> _Workers:
    return _Workers()
