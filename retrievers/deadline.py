"""How long the work at hand may still take, known to everything below it without passing it along."""

import asyncio
import time
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

_UNTIL: ContextVar[float | None] = ContextVar("calibrant_deadline", default=None)


@contextmanager
def within(seconds: float) -> Iterator[None]:
    """What runs in this block knows that it has ``seconds``; a nearer deadline that already holds goes on holding."""
    held, until = _UNTIL.get(), time.monotonic() + seconds
    token = _UNTIL.set(until if held is None else min(held, until))
    try:
        yield
    finally:
        _UNTIL.reset(token)


def seconds_left(otherwise: float) -> float:
    """Until the deadline; ``otherwise`` where that is less or none holds."""
    return min(otherwise, time_given(otherwise))


def time_given(otherwise: float) -> float:
    """Seconds until the deadline; ``otherwise`` only where none holds."""
    until = _UNTIL.get()
    return otherwise if until is None else until - time.monotonic()


def told_to_end() -> bool:
    """Whether somebody cancelled the task at hand. A ``CancelledError`` that nobody asked for is foreign code's own."""
    task = asyncio.current_task()
    return task is not None and task.cancelling() > 0
