"""Rate limits per provider that hold over branches, threads and processes: one small SQLite file.

A request takes a place in a queue (a row). Its window is kept free from the moment it may leave until the moment its
answer is in, plus the period: whenever in between the service received it, no window of the service's own log can
hold more than the limit, whatever the network does to the order. A caller learns at once how long it would wait: if
that is longer than it has, it is refused instead of waiting in vain.
"""

import asyncio
import logging
import re
import sqlite3
import time
from collections.abc import AsyncIterator, Callable, Iterable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import TypeVar

from calibrant.retrievers.store import Store
from calibrant.state.errors import SourceLimited

ABANDONED_S = 5.0
"""A queued request this late has lost its process."""

LATE_S = 0.1
"""So much later than its deadline a turn may still come."""

LONGEST_S = 60.0
"""A request that has not reported back after so long has ended one way or another."""

LONGEST_PAUSE_S = 3600.0
"""A service that asks for more is asked again after this all the same; so is one whose quota of a day or a month is
used up."""

_SCHEMA = """
CREATE TABLE IF NOT EXISTS requests (
    id INTEGER PRIMARY KEY AUTOINCREMENT,  -- never given twice
    provider TEXT NOT NULL, at REAL NOT NULL, state INTEGER NOT NULL);
CREATE INDEX IF NOT EXISTS requests_of ON requests (provider, id);
CREATE TABLE IF NOT EXISTS pauses (provider TEXT PRIMARY KEY, until REAL NOT NULL);
"""
_QUEUED, _UNDER_WAY, _DONE = 0, 1, 2


@dataclass(frozen=True)
class Rate:
    """At most ``count`` requests in any ``seconds``."""

    count: int
    seconds: float


DEFAULT = (Rate(10, 60.0), Rate(100, 3600.0))

T = TypeVar("T")

_log = logging.getLogger(__name__)

_UNITS = {"s": 1.0, "min": 60.0, "h": 3600.0, "d": 86_400.0}
_RATE = re.compile(r"(?P<count>[1-9]\d{0,8})\s*/\s*(?P<times>[1-9]\d{0,5})?\s*(?P<unit>s|min|h|d)")


def parse_rates(text: str) -> tuple[Rate, ...]:
    """``10/min, 100/h``, ``50/s``, ``1/3s`` as rates; ``none`` as no limit. ``ValueError`` says what is expected."""
    if text.strip() == "none":
        return ()
    found = [_RATE.fullmatch(part.strip()) for part in text.split(",")]
    rates = [Rate(int(hit["count"]), int(hit["times"] or 1) * _UNITS[hit["unit"]]) for hit in found if hit]
    if len(rates) < len(found):
        raise ValueError("requests in a time (s, min, h, d), such as 10/min, 100/h or 1/3s, or none")
    return tuple(rates)


def shown_rates(rates: Sequence[Rate]) -> str:
    """``10 in 60 s, 100 in 3600 s``."""
    return ", ".join(f"{rate.count} in {rate.seconds:g} s" for rate in rates) or "none"


class Limits:
    """The limits of all providers. ``rates`` names those that differ from ``default``; none at all: no limit."""

    def __init__(
        self,
        path: Path | None = None,
        rates: Mapping[str, Sequence[Rate]] | None = None,
        default: Sequence[Rate] = DEFAULT,
        clock: Callable[[], float] = time.time,
    ) -> None:
        """``clock`` is the wall clock: processes and restarts share it."""
        self._store = Store(path, _SCHEMA)
        self._rates = {provider: tuple(given) for provider, given in (rates or {}).items()}
        self._default = tuple(default)
        self._longest = _longest(chain(self._default, *self._rates.values()))
        self._clock = clock

    def rates_of(self, provider: str) -> tuple[Rate, ...]:
        """The limits that hold for ``provider``."""
        return self._rates.get(provider, self._default)

    @asynccontextmanager
    async def slot(self, provider: str, seconds: float) -> AsyncIterator[None]:
        """One request to ``provider``, made inside the block. Waits up to ``seconds`` for its turn; where that cannot
        be enough, raises ``SourceLimited`` at once."""
        ticket = _Ticket(provider, self._clock() + seconds)
        try:
            await self._wait_for(ticket)
        except BaseException:  # cancelled ones too: what never left takes no place
            self._store.start(lambda held: _drop(held, ticket))
            raise
        try:
            yield
        finally:
            self._store.start(lambda held: _mark(held, ticket, _DONE, self._clock()))

    async def _wait_for(self, ticket: "_Ticket") -> None:
        wait = await self._ask(ticket)
        try:
            async with asyncio.timeout(max(0.0, ticket.deadline - self._clock()) + LATE_S):
                while wait:
                    await asyncio.sleep(wait)
                    wait = await self._ask(ticket)
        except TimeoutError:  # this process is too busy: its turn came and went
            why = _reached(self.rates_of(ticket.provider))
            raise SourceLimited(f"{ticket.provider}: {why}; its turn did not come in time") from None

    async def _ask(self, ticket: "_Ticket") -> float:
        turn: float | SourceLimited = await self._kept(lambda held: self._turn(held, ticket), 0.0)
        if isinstance(turn, SourceLimited):
            raise turn
        return turn

    async def check(self, provider: str) -> None:
        """Raises ``SourceLimited`` while ``provider`` is paused."""
        now = self._clock()
        left = await self._kept(lambda held: _paused_until(held, provider, now), 0.0) - now
        if left > 0:
            raise _left_alone(provider, left)

    async def pause(self, provider: str, seconds: float) -> None:
        """Nobody asks ``provider`` for so long, ``LONGEST_PAUSE_S`` at most: it said so itself (Retry-After)."""
        until = self._clock() + min(LONGEST_PAUSE_S, seconds)
        await self._kept(lambda held: _pause(held, provider, until), None)

    def close(self) -> None:
        """Close the file."""
        self._store.close()

    async def _kept(self, work: Callable[[sqlite3.Connection], T], otherwise: T) -> T:
        """``work``'s result; ``otherwise`` while another process holds the file: a request too many does less harm than
        a search that fails."""
        try:
            return await self._store.run(work)
        except sqlite3.Error as error:
            _log.warning("the rate limits cannot be read: %s", type(error).__name__)
            return otherwise

    def _turn(self, held: sqlite3.Connection, ticket: "_Ticket") -> float | SourceLimited:
        """0.0: it is the ticket's turn, and it is under way. Else the seconds until it may be, or the refusal. That is
        returned and not raised: raising would take the row back, and its id would be another ticket's at once."""
        now, rates = self._clock(), self.rates_of(ticket.provider)
        if not _is_held(held, ticket):  # a new one, or one that came so late that it was taken for abandoned
            ticket.id = _append(held, ticket.provider, now)
        _forget(held, ticket, now, _longest(rates), self._longest)
        most = max((rate.count for rate in rates), default=0)
        free, paused = _free_at(_taken(held, ticket, now, most), rates, now), _paused_until(held, ticket.provider, now)
        at = max(free, paused)
        if at > now and at > ticket.deadline:
            _drop(held, ticket)
            return _left_alone(ticket.provider, at - now, "" if paused >= free else _reached(rates))
        _mark(held, ticket, _QUEUED if at > now else _UNDER_WAY, at)
        return max(0.0, at - now)


@dataclass
class _Ticket:
    """A place in the queue. ``id`` is written in the store's thread, in which everything happens in order."""

    provider: str
    deadline: float
    id: int = 0


def _free_at(taken: Sequence[float], rates: Sequence[Rate], now: float) -> float:
    """When every rate has room for one more, ``taken`` being the places before it, the latest first."""
    full = [taken[rate.count - 1] + rate.seconds for rate in rates if len(taken) >= rate.count]
    return max([now, *full])


_TAKEN = """
SELECT CASE state WHEN :done THEN at WHEN :queued THEN max(at, :now) ELSE min(:now, at + :call) END AS until
FROM requests WHERE provider = :provider AND (state != :queued OR id < :id) ORDER BY until DESC LIMIT :most"""
_FORGOTTEN = """
DELETE FROM requests WHERE id != :id AND (at > :now + :pause OR at < :now - CASE state WHEN :queued THEN :abandoned ELSE
    CASE provider WHEN :provider THEN :own ELSE :longest END + CASE state WHEN :done THEN 0 ELSE :call END END)"""
_SET_BACK = "UPDATE requests SET at = :now WHERE state != :queued AND at > :now"
_LIFTED = "DELETE FROM pauses WHERE until NOT BETWEEN ? AND ?"
_STATES = {"queued": _QUEUED, "done": _DONE, "call": LONGEST_S, "abandoned": ABANDONED_S, "pause": LONGEST_PAUSE_S}


def _taken(held: sqlite3.Connection, ticket: _Ticket, now: float, most: int) -> list[float]:
    """Until when the places before ``ticket`` count, the ``most`` latest ones, the latest first.

    What is done counts since then. What is under way may still arrive: it counts as of now. So does a queued one whose
    turn has come.
    """
    given = {**_STATES, "now": now, "provider": ticket.provider, "id": ticket.id, "most": most}
    return [row[0] for row in held.execute(_TAKEN, given)]


def _longest(rates: Iterable[Rate]) -> float:
    """The seconds of the longest window; 0 without a limit."""
    return max((rate.seconds for rate in rates), default=0.0)


def _forget(held: sqlite3.Connection, ticket: _Ticket, now: float, own: float, longest: float) -> None:
    """Away with what no window can hold any more, ``own`` being the ticket's longest and ``longest`` that of all: most
    sites are asked once and never again. And with the queue of a process that is gone. A request in the future was made
    before the clock was set back: it ages from now on."""
    given = {**_STATES, "now": now, "provider": ticket.provider, "id": ticket.id, "own": own, "longest": longest}
    held.execute(_SET_BACK, given)
    held.execute(_FORGOTTEN, given)


def _is_held(held: sqlite3.Connection, ticket: _Ticket) -> bool:
    return held.execute("SELECT 1 FROM requests WHERE id = ?", (ticket.id,)).fetchone() is not None


def _append(held: sqlite3.Connection, provider: str, now: float) -> int:
    row = held.execute("INSERT INTO requests (provider, at, state) VALUES (?, ?, ?)", (provider, now, _QUEUED))
    return int(row.lastrowid or 0)


def _mark(held: sqlite3.Connection, ticket: _Ticket, state: int, at: float) -> None:
    held.execute("UPDATE requests SET state = ?, at = ? WHERE id = ?", (state, at, ticket.id))


def _drop(held: sqlite3.Connection, ticket: _Ticket) -> None:
    held.execute("DELETE FROM requests WHERE id = ?", (ticket.id,))
    ticket.id = 0


def _pause(held: sqlite3.Connection, provider: str, until: float) -> None:
    held.execute(
        "INSERT INTO pauses VALUES (?, ?) ON CONFLICT (provider) DO UPDATE SET until = max(until, excluded.until)",
        (provider, until),
    )


def _paused_until(held: sqlite3.Connection, provider: str, now: float) -> float:
    """When a pause ends; 0 where there is none. One that is longer than any was told before the clock was set back."""
    held.execute(_LIFTED, (now, now + LONGEST_PAUSE_S))
    row = held.execute("SELECT until FROM pauses WHERE provider = ?", (provider,)).fetchone()
    return float(row[0]) if row else 0.0


def _left_alone(provider: str, seconds: float, why: str = "") -> SourceLimited:
    why = why or "it asked to be left alone"
    return SourceLimited(f"{provider}: {why}; free again in {seconds:.1f} s", retry_after=seconds)


def _reached(rates: Sequence[Rate]) -> str:
    return f"rate limit reached ({shown_rates(rates)})"
