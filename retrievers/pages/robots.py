"""robots.txt, as RFC 9309 wants it: read once an hour, by the same safe way as pages."""

from protego import Protego

from calibrant.retrievers.address import PageRefused, Target
from calibrant.retrievers.cache import Cache
from calibrant.retrievers.encoding import text_of
from calibrant.retrievers.flight import SingleFlight
from calibrant.retrievers.http_answers import BadStatus
from calibrant.retrievers.pages.fetch import Caps, SafeFetcher
from calibrant.state.errors import SourceError, SourceTimeout

CAPS = Caps(wire=512_000, unpacked=512_000, seconds=3.0)
NAME = "calibrant"
"""The name that rules are looked up by."""


class Robots:
    """What the owners of sites allow."""

    def __init__(self, fetcher: SafeFetcher, cache: Cache | None = None) -> None:
        self._fetcher = fetcher
        self._cache = cache
        self._flights: SingleFlight[str] = SingleFlight()

    async def permit(self, target: Target) -> None:
        """``PageRefused`` where the site's robots.txt forbids the page, or cannot be read although it should be."""
        place = str(target.url.copy_with(raw_path=b"/robots.txt"))
        rules = await self._flights.run(place, lambda: self._rules(place))
        if not Protego.parse(rules).can_fetch(str(target.url), NAME):
            raise PageRefused(f"{target.host} does not want this page to be read (robots.txt)")

    async def _rules(self, place: str) -> str:
        key = f"robots:{place}"
        held = await self._cache.get(key) if self._cache else None
        if held is not None:
            return held
        rules = await self._fetched(place)
        if self._cache:
            await self._cache.put(key, rules)
        return rules

    async def _fetched(self, place: str) -> str:
        """The rules; none where there is no such file. A site that cannot say forbids (RFC 9309, 2.3.1.4)."""
        try:
            return text_of((await self._fetcher.fetch(place, caps=CAPS)).body, "utf-8")
        except (PageRefused, SourceTimeout):
            raise
        except SourceError as error:
            if isinstance(error, BadStatus) and 400 <= error.status < 500:
                return ""
            raise PageRefused(f"its robots.txt cannot be read: {error}") from error
