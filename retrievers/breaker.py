"""Circuit breakers: a source that keeps failing is left alone for a while, then tried with one request.

closed --3 failures in a row--> open --30 s--> half open --success--> closed
                                 ^                  '----failure----> open

A person's word to try again is as good as the 30 s.
"""

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from enum import StrEnum
from functools import cache

from calibrant.state.errors import SourceError

FAILURES = 3
REST_S = 30.0


_URGED = ContextVar("urged", default=False)


@contextmanager
def urged(wanted: bool = True) -> Iterator[None]:
    """What runs in this block need not wait for a breaker's rest to be over: a person has said to try again."""
    token = _URGED.set(wanted)
    try:
        yield
    finally:
        _URGED.reset(token)


class SourceSkipped(SourceError):
    """A source was not asked, since it has kept failing."""


class BreakerState(StrEnum):
    """What a breaker lets through: everything, nothing, or one probe."""

    CLOSED = "closed"
    OPEN = "open"
    HALF_OPEN = "half_open"


class Breaker:
    """One source's breaker. Every ``admit`` is followed by one of ``succeed``, ``fail`` and ``release``."""

    def __init__(
        self,
        name: str,
        failures: int = FAILURES,
        rest: float = REST_S,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.name = name
        self._allowed = failures
        self._rest = rest
        self._clock = clock
        self._failures = 0
        self._opened: float | None = None
        self._probing = False
        self._lock = threading.Lock()

    @property
    def state(self) -> BreakerState:
        """As it is now."""
        opened = self._opened
        if opened is None:
            return BreakerState.CLOSED
        return BreakerState.OPEN if self._clock() < opened + self._rest else BreakerState.HALF_OPEN

    def admit(self) -> None:
        """Let one request through, or raise ``SourceSkipped``."""
        with self._lock:
            if self._opened is None:
                return
            if (self.state is BreakerState.HALF_OPEN or _URGED.get()) and not self._probing:
                self._probing = True
                return
            wait = max(0.0, self._opened + self._rest - self._clock())
            when = f"next try in {wait:.0f} s" if wait else "it is being tried again"
            raise SourceSkipped(f"not asked after {self._failures} failures in a row; {when}")

    def succeed(self) -> None:
        """The source answered."""
        with self._lock:
            self._failures, self._opened, self._probing = 0, None, False

    def fail(self) -> None:
        """The source failed; enough of these in a row, or a failed probe, and it is left alone."""
        with self._lock:
            self._failures += 1
            if self._probing or self._failures >= self._allowed:
                self._opened = self._clock()
            self._probing = False

    def release(self) -> None:
        """The request says nothing about the source (it was cancelled, or our own limit held it back)."""
        with self._lock:
            self._probing = False


class Breakers:
    """The breakers of all sources, made as they are asked for."""

    def __init__(self) -> None:
        self._held: dict[str, Breaker] = {}
        self._lock = threading.Lock()

    def of(self, name: str) -> Breaker:
        """The breaker of the source ``name``: the same one each time."""
        with self._lock:
            return self._held.setdefault(name, Breaker(name))


@cache
def shared_breakers() -> Breakers:
    """Those of this process: two graphs that ask the same service share what they learned about it."""
    return Breakers()
