"""Reading a page: cache, robots, politeness, fetch, extraction."""

import asyncio
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from functools import cache

from pydantic import ValidationError

from calibrant.retrievers.address import Allow, Resolver, Target, is_public, resolve, target_of
from calibrant.retrievers.cache import Cache
from calibrant.retrievers.deadline import seconds_left
from calibrant.retrievers.flight import SingleFlight
from calibrant.retrievers.http import USER_AGENT
from calibrant.retrievers.limits import Limits
from calibrant.retrievers.pages.extract import KINDS, page_of, warm
from calibrant.retrievers.pages.fetch import Caps, Fetched, SafeFetcher
from calibrant.retrievers.pages.page import Page
from calibrant.retrievers.pages.robots import Robots
from calibrant.state.errors import SourceTimeout


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
        user_agent: str = USER_AGENT,
    ) -> None:
        """``limits``: how often one site is asked (the provider is ``page:<host>``). ``allow``: which addresses may
        be connected to."""
        self._cache = cache
        self._limits = limits
        self._caps = caps or Caps()
        self._fetcher = SafeFetcher(user_agent, allow, resolver, caps=self._caps)
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
        _threads().submit(warm)
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

    async def _permit(self, target: Target) -> None:
        if self._robots is not None:
            await self._robots.permit(target)
        if self._limits is not None:
            async with self._limits.slot(f"page:{target.host}", seconds_left(self._caps.seconds)):
                pass

    async def _extracted(self, fetched: Fetched, until: float) -> Page:
        return await asyncio.get_running_loop().run_in_executor(_threads(), page_of, fetched, until)


@cache
def _threads() -> ThreadPoolExecutor:
    """Few: extraction is work for the processor."""
    return ThreadPoolExecutor(max_workers=2, thread_name_prefix="calibrant-pages")
