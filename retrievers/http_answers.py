"""What a service answers: a body, or a status that says why there is none and when to ask again."""

import json as jsonlib
import time
from dataclasses import dataclass
from email.utils import parsedate_to_datetime
from typing import Any

import httpx

from calibrant.retrievers.encoding import text_of
from calibrant.retrievers.limits import LONGEST_PAUSE_S
from calibrant.state.errors import SourceError, SourceLimited

UNTOLD_S = 60.0
"""So long a service is left alone that limits requests and names no time. GitHub asks for a minute at least
(https://docs.github.com/rest/using-the-rest-api/best-practices-for-using-the-rest-api); arXiv's 429 says nothing."""
_MOMENT = 1e9
"""From here on a number is a time since 1970, as GitHub has it; others name the seconds that are left."""
_LIMITED, _PASSING = 429, frozenset({500, 502, 503, 504})


class BadStatus(SourceError):
    """The service answered without success."""

    def __init__(self, host: str, status: int, retry_after: float | None = None, body: bytes = b"") -> None:
        super().__init__(f"{host} answered {status}")
        self.status = status
        self.retry_after = retry_after
        self.body = body
        """What it said, for services that explain themselves there; empty where it is too long to be that."""

    @property
    def said(self) -> Any:
        """The body as JSON; None where it is none."""
        try:
            return jsonlib.loads(self.body)
        except (ValueError, RecursionError):
            return None


@dataclass(frozen=True)
class Answer:
    """A successful response."""

    url: str
    status: int
    headers: httpx.Headers
    body: bytes

    @property
    def text(self) -> str:
        """The body, decoded by what it and its headers say."""
        return text_of(self.body, httpx.Response(200, headers=self.headers).charset_encoding)

    @property
    def json(self) -> Any:
        """The parsed body. ``SourceError`` where it is no JSON."""
        try:
            return jsonlib.loads(self.body)
        except (ValueError, RecursionError) as error:
            raise SourceError(f"{host_of(self.url)} sent malformed JSON") from error


def passes(error: BaseException) -> bool:
    """Whether another try may fare better."""
    if isinstance(error, BadStatus):
        return error.status in _PASSING or _is_limit(error)
    return isinstance(error, httpx.NetworkError | httpx.RemoteProtocolError)


def _is_limit(error: BadStatus) -> bool:
    """429; or 403 with a time to come back, as GitHub says it."""
    return error.status == _LIMITED or (error.status == 403 and error.retry_after is not None)


def final(error: BadStatus) -> SourceError:
    """What is raised for ``error`` where no try is left: a limit is told as one."""
    if not _is_limit(error):
        return error
    return SourceLimited(f"{error} (too many requests)", error.retry_after)


def retry_after_of(response: httpx.Response) -> float | None:
    """Seconds until the service wants to be asked again: Retry-After as seconds or date, GitHub's reset time, or our
    own where it limits requests and says no time."""
    said = response.headers.get("retry-after", "").strip()
    seconds = _seconds_of(said)
    if seconds is None and response.headers.get("x-ratelimit-remaining") == "0":
        reset = _seconds_of(response.headers.get("x-ratelimit-reset", ""))
        seconds = reset - time.time() if reset and reset >= _MOMENT else reset
    if seconds is None and response.status_code == _LIMITED:
        seconds = UNTOLD_S
    return None if seconds is None else min(max(seconds, 0.0), LONGEST_PAUSE_S)


def _seconds_of(said: str) -> float | None:
    """A number, or the time until an HTTP date; None for anything else."""
    try:
        return float(said) if said.isdecimal() else parsedate_to_datetime(said).timestamp() - time.time()
    except (ValueError, OverflowError):
        return None


def host_of(url: str) -> str:
    """The host of ``url``. ``SourceError`` where it is no URL."""
    try:
        return httpx.URL(url).host
    except httpx.InvalidURL as error:
        raise SourceError("not a valid address") from error
