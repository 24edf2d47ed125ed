"""One way to every remote service: limited, retried, bounded, and quiet about what was asked.

    Http.json / text / answer   one request, with everything below it done
    BadStatus                   the service answered, but not with success; ``status`` says with what

An error's message names host and status, never the URL's query, a header or a body: those may hold keys or pages.
"""

import asyncio
import logging
import ssl
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from functools import cache, partial
from hashlib import sha256
from http.cookiejar import CookieJar, DefaultCookiePolicy
from importlib.metadata import version
from typing import Any, Self, TypedDict, Unpack
from weakref import WeakKeyDictionary

import httpx
from pydantic import SecretStr
from tenacity import AsyncRetrying, RetryCallState, retry_if_exception, wait_random_exponential

from calibrant.retrievers.address import Allow, checked_addresses, is_public, resolve, target_of
from calibrant.retrievers.body import ACCEPT_ENCODING, BodyError, read_body
from calibrant.retrievers.deadline import time_given, within
from calibrant.retrievers.http_answers import Answer, BadStatus, final, host_of, passes, retry_after_of
from calibrant.retrievers.limits import Limits
from calibrant.state.errors import SourceError, SourceLimited, SourceTimeout

TIMEOUT_S = 10.0
"""For one call with all its retries, where the caller has no deadline."""
WAITING_SHARE = 0.9
"""So much of its time a call may wait for its turn: a service asked in the last moment would be asked in vain."""
CONNECT_S = 3.0
CONNECTIONS = 10
"""To one service."""
MAX_BYTES = 4 * 2**20
EXPLANATION_BYTES, EXPLANATION_S = 16 * 2**10, 0.5
"""What is read of an answer without success."""
ATTEMPTS = 3
_BACKOFF = wait_random_exponential(multiplier=0.2, max=5.0)
_PLAIN = frozenset({
    "accept", "accept-encoding", "accept-language", "connection", "content-length", "content-type", "host",
    "transfer-encoding", "user-agent",
})  # fmt: skip
"""The headers that another host may see. Any other may hold a key, and httpx keeps back ``Authorization`` alone."""
Params = Mapping[str, Any] | None
Headers = Mapping[str, str] | None


class Options(TypedDict, total=False):
    """What a request may have beside its URL: see ``Http.answer``."""

    params: Params
    headers: Headers
    method: str
    json: Any
    deadline: float | None
    max_bytes: int


def account_of(provider: str, key: SecretStr) -> str:
    """The name of what is asked with ``key``, which it does not tell: a quota that is used up is that key's alone."""
    digest = sha256(key.get_secret_value().encode()).hexdigest()[:8]
    return f"{provider} (key {digest})"


class Http:
    """The client that all remote sources share. Opens on first use, once for each event loop."""

    def __init__(
        self,
        limits: Limits | None = None,
        *,
        timeout: float = TIMEOUT_S,
        allow: Allow = is_public,
    ) -> None:
        """``limits`` None: the default rates, in this process alone. ``allow``: the addresses of other hosts that a
        service may redirect to."""
        self.limits = limits or Limits()
        self._own_limits = limits is None
        self._timeout = timeout
        self._allow = allow
        self._agent = user_agent()
        self._clients: WeakKeyDictionary[asyncio.AbstractEventLoop, dict[str, httpx.AsyncClient]] = WeakKeyDictionary()

    async def json(self, provider: str, url: str, **options: Unpack[Options]) -> Any:
        """The parsed JSON that ``url`` answers."""
        return (await self.answer(provider, url, **options)).json

    async def text(self, provider: str, url: str, **options: Unpack[Options]) -> str:
        """The text that ``url`` answers."""
        return (await self.answer(provider, url, **options)).text

    async def answer(
        self,
        provider: str,
        url: str,
        *,
        params: Params = None,
        headers: Headers = None,
        method: str = "GET",
        json: Any = None,
        deadline: float | None = None,
        max_bytes: int = MAX_BYTES,
    ) -> Answer:
        """The response with its headers, retried while the deadline permits. ``SourceError`` and its kinds.

        ``deadline``: seconds for all of it, waiting and retries included. ``max_bytes``: the longest body, unpacked.
        """
        host = host_of(url)
        client = await self._client(provider)
        request = partial(client.build_request, method, url, params=params, headers=headers, json=json)
        with within(time_given(self._timeout) if deadline is None else deadline):
            try:
                async with asyncio.timeout(time_given(self._timeout)):
                    async for attempt in self._tries():
                        with attempt:
                            return await self._once(provider, client, request(), max_bytes)
            except (TimeoutError, httpx.TimeoutException) as error:
                raise SourceTimeout(f"{host} did not answer in time") from error
            except BadStatus as error:
                raise final(error) from None
            except (httpx.HTTPError, httpx.InvalidURL) as error:
                raise SourceError(f"{host} cannot be reached ({type(error).__name__})") from error
        raise SourceError(f"{host} was not asked")  # unreachable: the retries end by returning or raising

    async def limited(self, provider: str, why: str, seconds: float) -> SourceLimited:
        """Nobody asks ``provider`` (or with that account) for so long. The error to raise, ``why`` as its message."""
        await self.limits.pause(provider, seconds)
        return SourceLimited(why, seconds)

    async def check(self, account: str) -> None:
        """Raises ``SourceLimited`` while nobody is to ask with ``account``: see ``account_of`` and ``limited``."""
        await self.limits.check(account)

    async def aclose(self) -> None:
        """Close this event loop's connections, and the limits if they were made here."""
        for client in self._clients.pop(asyncio.get_running_loop(), {}).values():
            await client.aclose()
        if self._own_limits:
            await asyncio.to_thread(self.limits.close)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.aclose()

    async def _once(self, provider: str, client: httpx.AsyncClient, request: httpx.Request, max_bytes: int) -> Answer:
        waiting = time_given(self._timeout) * WAITING_SHARE
        async with self.limits.slot(provider, waiting), _sent(client, request) as response:
            if response.is_success:
                body = await _read(response, max_bytes)
                return Answer(str(response.url), response.status_code, response.headers, body)
            said = await _explanation(response)
        bad = BadStatus(request.url.host, response.status_code, retry_after_of(response), said)
        if bad.retry_after:
            await self.limits.pause(provider, bad.retry_after)
        raise bad

    def _tries(self) -> AsyncRetrying:
        return AsyncRetrying(retry=retry_if_exception(passes), wait=_wait, stop=self._over, reraise=True)

    def _over(self, state: RetryCallState) -> bool:
        """No more tries: enough of them, or the next would come too late."""
        return state.attempt_number >= ATTEMPTS or state.upcoming_sleep >= time_given(self._timeout)

    async def _client(self, provider: str) -> httpx.AsyncClient:
        """A pool of connections for each service: what a request costs grows with the pool that it goes through, and
        a service that hangs takes no connection from another."""
        held = self._clients.setdefault(asyncio.get_running_loop(), {})
        if provider not in held:
            verify = await asyncio.to_thread(trusted)
            if provider not in held:  # another may have been quicker
                held[provider] = _opened(verify, self._allow, self._agent)
        return held[provider]


@asynccontextmanager
async def _sent(client: httpx.AsyncClient, request: httpx.Request) -> AsyncIterator[httpx.Response]:
    response = await client.send(request, stream=True)
    try:
        yield response
    finally:
        await response.aclose()


async def _read(response: httpx.Response, most: int) -> bytes:
    encodings = response.headers.get("content-encoding", "").split(",")
    try:
        return await read_body(response.aiter_raw(), encodings, most, most)
    except BodyError as error:
        raise SourceError(f"{response.url.host} sent a body that is refused: {error}") from error


async def _explanation(response: httpx.Response) -> bytes:
    """What stands in an answer without success; nothing where it cannot be had: the status says enough."""
    try:
        async with asyncio.timeout(EXPLANATION_S):
            return await _read(response, EXPLANATION_BYTES)
    except (SourceError, httpx.HTTPError, TimeoutError):
        return b""


@cache
def trusted() -> ssl.SSLContext:
    """The certificates, read once: it takes some 20 ms and touches the disk, so it is done in a thread."""
    logging.getLogger("httpx").addFilter(_without_query)
    return httpx.create_ssl_context()


@cache
def user_agent(contact: str = "") -> str:
    """Who asks, in the form that Wikimedia's policy wants: client, whom to contact where that is told, library.
    https://foundation.wikimedia.org/wiki/Policy:Wikimedia_Foundation_User-Agent_Policy"""
    whom = f" ({contact})" if contact else ""
    return f"calibrant/{version('calibrant')}{whom} httpx/{httpx.__version__}"


def _opened(verify: ssl.SSLContext, allow: Allow, agent: str) -> httpx.AsyncClient:
    async def led_elsewhere(response: httpx.Response) -> None:
        """A service is trusted because it was configured; another host that it redirects to has to be a public one, and
        is given no keys: httpx makes the next request of this one's headers."""
        if response.has_redirect_location:
            onward = response.url.join(response.headers["location"])
            if onward.host != response.url.host:
                for name in response.request.headers.keys() - _PLAIN:
                    del response.request.headers[name]
                await checked_addresses(target_of(str(onward)), resolve, allow)

    return httpx.AsyncClient(
        headers={"User-Agent": agent, "Accept-Encoding": ACCEPT_ENCODING},
        verify=verify,
        follow_redirects=True,
        max_redirects=3,
        event_hooks={"response": [led_elsewhere]},
        timeout=httpx.Timeout(None, connect=CONNECT_S),  # the rest is bounded by the deadline of the call
        limits=httpx.Limits(max_connections=CONNECTIONS, max_keepalive_connections=CONNECTIONS, keepalive_expiry=30.0),
        cookies=CookieJar(DefaultCookiePolicy(allowed_domains=[])),
    )


def _without_query(record: logging.LogRecord) -> bool:
    """httpx logs each URL whole; a key may stand in its query."""
    if isinstance(record.args, tuple):
        record.args = tuple(
            arg.copy_with(query=None, userinfo=b"") if isinstance(arg, httpx.URL) else arg for arg in record.args
        )
    return True


def _wait(state: RetryCallState) -> float:
    error = state.outcome.exception() if state.outcome else None
    asked = error.retry_after if isinstance(error, BadStatus) else None
    return _BACKOFF(state) if asked is None else asked
