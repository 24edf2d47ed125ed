"""Sources for tests: scripted ones, and one that asks a loopback server."""

import asyncio
from collections.abc import Sequence

from calibrant.retrievers.http import Http
from calibrant.state.evidence import Evidence, SearchQuery


def passage(key: str, text: str = "", **fields: object) -> Evidence:
    given = {"title": key, "source": "web", "url": f"https://example.org/{key}", "text": text or key, **fields}
    return Evidence.model_validate({"id": key, **given})


class Scripted:
    """Gives one answer after the other, the last for ever. An exception is raised; a number is waited for first."""

    remote = True

    def __init__(self, name: str, *script: Sequence[Evidence] | BaseException, wait: float = 0.0) -> None:
        self.name = name
        self.script = list(script)
        self.wait = wait
        self.asked: list[SearchQuery] = []
        self.cancelled = 0

    async def search(self, query: SearchQuery) -> Sequence[Evidence]:
        self.asked.append(query)
        step = self.script.pop(0) if len(self.script) > 1 else self.script[0]
        try:
            await asyncio.sleep(self.wait)
        except asyncio.CancelledError:
            self.cancelled += 1
            raise
        if isinstance(step, BaseException):
            raise step
        return step


class OverHttp:
    """Reads ``{"items": [text, ...]}`` from a URL."""

    remote = True

    def __init__(self, name: str, http: Http, url: str) -> None:
        self.name = name
        self._http = http
        self._url = url

    async def search(self, query: SearchQuery) -> list[Evidence]:
        found = await self._http.json(self.name, self._url, params={"q": query.text})
        return [passage(f"{self.name}-{text}", text, source=self.name) for text in found["items"]]


class Clock:
    """Stands still until it is moved."""

    def __init__(self, now: float = 1_000_000.0) -> None:
        self.now = now

    def __call__(self) -> float:
        return self.now
