"""robots.txt, as RFC 9309 wants it: read once an hour, by the same safe way as pages."""

import json
from dataclasses import replace

from protego import Protego

from calibrant.retrievers.body import text_of
from calibrant.retrievers.cache import Cache
from calibrant.retrievers.flight import SingleFlight
from calibrant.retrievers.http import BadStatus
from calibrant.retrievers.pages.address import PageRefused, Target
from calibrant.retrievers.pages.fetch import Caps, SafeFetcher
from calibrant.state.errors import SourceError

CAPS = Caps(wire=512_000, unpacked=512_000, seconds=3.0)
NAME = "calibrant"
"""The name that rules are looked up by."""
_EVERYTHING, _NOTHING = "", "User-agent: *\nDisallow: /"


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
        if rules == _NOTHING:
            raise PageRefused(f"{target.host} does not say whether pages may be read")
        if not Protego.parse(rules).can_fetch(str(target.url), NAME):
            raise PageRefused(f"{target.host} does not want this page to be read (robots.txt)")

    async def _rules(self, place: str) -> str:
        key = f"robots:{place}"
        held = await self._cache.get(key) if self._cache else None
        if held is not None:
            return str(json.loads(held))
        rules, lasting = await self._fetched(place)
        if self._cache and lasting:
            await self._cache.put(key, json.dumps(rules))
        return rules

    async def _fetched(self, place: str) -> tuple[str, bool]:
        """The rules, and whether they will still hold in a while. A site that is down forbids (RFC 9309, 2.3.1.4)."""
        try:
            found = await self._fetcher.fetch(place, caps=CAPS)
        except BadStatus as error:
            gone = 400 <= error.status < 500
            return (_EVERYTHING if gone else _NOTHING), gone
        except PageRefused:
            raise
        except SourceError:
            return _NOTHING, False
        return text_of(found.body, "utf-8"), True


def slower(caps: Caps, seconds: float) -> Caps:
    """``caps`` with another time."""
    return replace(caps, seconds=seconds)
