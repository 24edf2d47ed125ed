"""Fetching from addresses that nobody vouches for.

The name is resolved here, every address is checked, and the connection goes to the checked address itself, while Host
and TLS keep the name: a DNS answer that changes between check and use changes nothing. Each redirect is a new address
to check. Nothing is kept between two requests: no connection, no cookie, no proxy from the environment.
"""

import asyncio
import ssl
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager, nullcontext
from dataclasses import dataclass, field

import httpx

from calibrant.retrievers.address import (
    Allow,
    PageRefused,
    Resolver,
    Target,
    checked_addresses,
    is_public,
    resolve,
    target_of,
)
from calibrant.retrievers.body import ACCEPT_ENCODING, BodyError, read_body
from calibrant.retrievers.http import trusted
from calibrant.retrievers.http_answers import BadStatus
from calibrant.state.errors import SourceError, SourceTimeout

MAX_REDIRECTS = 5
CONNECT_S = 3.0
HOPS = frozenset({301, 302, 303, 307, 308})

Permit = Callable[[Target], AbstractAsyncContextManager[None]]
"""Entered before each request and left when its answer is in; raises what forbids the request."""


@dataclass(frozen=True)
class Caps:
    """How much of each thing one fetch may take."""

    wire: int = 10 * 2**20
    unpacked: int = 10 * 2**20
    seconds: float = 8.0


@dataclass(frozen=True)
class Fetched:
    """What came back, from ``url`` after all redirects."""

    url: str
    kind: str
    """The media type, lowercase, without parameters; empty if none was sent."""
    charset: str | None
    body: bytes


def anyone(_: Target) -> AbstractAsyncContextManager[None]:
    """Permits everything."""
    return nullcontext()


@dataclass(frozen=True)
class SafeFetcher:
    """The fetcher. ``allow`` says which addresses may be connected to; tests let loopback pass."""

    user_agent: str
    allow: Allow = is_public
    resolve: Resolver = resolve
    verify: ssl.SSLContext | None = None
    """Certificates to trust instead of the usual ones."""
    caps: Caps = field(default_factory=Caps)

    async def fetch(
        self, url: str, kinds: frozenset[str] | None = None, permit: Permit = anyone, caps: Caps | None = None
    ) -> Fetched:
        """The body behind ``url``, if its type is one of ``kinds``. ``SourceError`` and its kinds."""
        limits = caps or self.caps
        try:
            async with asyncio.timeout(limits.seconds):
                return await self._follow(target_of(url), kinds, permit, limits)
        except (TimeoutError, httpx.TimeoutException) as error:
            raise SourceTimeout(f"{_shown(url)} did not answer in time") from error
        except httpx.InvalidURL as error:
            raise PageRefused(f"{_shown(url)} leads to something that is no valid address") from error
        except (httpx.HTTPError, UnicodeError) as error:
            raise SourceError(f"{_shown(url)} cannot be read ({type(error).__name__})") from error

    async def _follow(self, target: Target, kinds: frozenset[str] | None, permit: Permit, caps: Caps) -> Fetched:
        for _ in range(MAX_REDIRECTS + 1):
            async with permit(target), self._response(target) as response:
                if response.status_code not in HOPS:
                    return await _read(target, response, kinds, caps)
                target = target_of(str(target.url.join(response.headers.get("location", ""))))
        raise PageRefused(f"more than {MAX_REDIRECTS} redirects")

    @asynccontextmanager
    async def _response(self, target: Target) -> AsyncIterator[httpx.Response]:
        addresses = await checked_addresses(target, self.resolve, self.allow)
        verify = self.verify if self.verify is not None else await asyncio.to_thread(trusted)
        async with self._client(verify) as client:
            response = await _first_that_connects(client, target, addresses)
            try:
                yield response
            finally:
                await response.aclose()

    def _client(self, verify: ssl.SSLContext) -> httpx.AsyncClient:
        headers = {
            "User-Agent": self.user_agent,
            "Accept": "text/html,application/xhtml+xml,text/plain,application/pdf,*/*;q=0.5",
            "Accept-Encoding": ACCEPT_ENCODING,
            "Connection": "close",
        }
        timeout = httpx.Timeout(self.caps.seconds, connect=CONNECT_S)
        # A proxy would resolve the name again, behind our check: hence trust_env=False.
        return httpx.AsyncClient(
            headers=headers, verify=verify, trust_env=False, follow_redirects=False, timeout=timeout
        )


async def _first_that_connects(client: httpx.AsyncClient, target: Target, addresses: list[str]) -> httpx.Response:
    for address in addresses[:3]:
        request = client.build_request(
            "GET",
            target.url.copy_with(host=address),
            headers={"Host": target.url.netloc.decode("ascii")},
            extensions={"sni_hostname": target.host.rstrip(".")},
        )
        try:
            return await client.send(request, stream=True)
        except (httpx.ConnectError, httpx.ConnectTimeout) as error:
            last = error
    raise last


async def _read(target: Target, response: httpx.Response, kinds: frozenset[str] | None, caps: Caps) -> Fetched:
    if response.status_code != httpx.codes.OK:
        raise BadStatus(target.host, response.status_code)
    kind = response.headers.get("content-type", "").partition(";")[0].strip().lower()
    if kinds is not None and kind and kind not in kinds:
        raise PageRefused(f"{target.host} sent {kind[:60]}, which is not read")
    declared = response.headers.get("content-length", "")
    if declared.isdecimal() and int(declared) > caps.wire:
        raise PageRefused(f"{target.host} sent a body larger than {caps.wire} bytes")
    encodings = response.headers.get("content-encoding", "").split(",")
    try:
        body = await read_body(response.aiter_raw(), encodings, caps.wire, caps.unpacked)
    except BodyError as error:
        raise PageRefused(f"{target.host} sent a body that is refused: {error}") from error
    return Fetched(str(target.url), kind, response.charset_encoding, body)


def _shown(url: str) -> str:
    """The host alone: the rest of an address may hold what is not for a log."""
    try:
        return httpx.URL(url).host[:100] or "the page"
    except httpx.InvalidURL:
        return "the page"
