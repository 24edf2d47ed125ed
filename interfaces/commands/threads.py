"""``calibrant threads``: what was asked, how it stands, newest first; and removing what is no longer wanted."""

import asyncio
import sys
import time
from collections.abc import Mapping, Sequence
from contextlib import aclosing
from dataclasses import asdict, dataclass, replace
from datetime import datetime
from typing import TYPE_CHECKING, Any

import click
from rich.table import Table
from rich.text import Text

from calibrant.interfaces import terminal
from calibrant.interfaces.commands.ending import echo_json
from calibrant.interfaces.failures import Exit, one_line
from calibrant.interfaces.lines import say
from calibrant.interfaces.spans import span_of
from calibrant.interfaces.terminal import Symbols
from calibrant.interfaces.wording import counted
from calibrant.state.budget import StopReason
from calibrant.state.errors import InputError

if TYPE_CHECKING:
    from calibrant.graph.persistence import Checkpointer
    from calibrant.graph.settings import Machine
    from calibrant.graph.threads import ThreadSummary

STANDS = {
    "finished": "finished",
    "interrupted": "waits for an answer",
    "unfinished": "stopped",
    "working": "at work",
}


def run(limit: int, *, as_json: bool) -> Exit:
    """List the threads."""
    from calibrant.graph.settings import load_machine

    found = asyncio.run(_listed(load_machine(), limit))
    if as_json:
        echo_json([_as_dict(summary) for summary in found])
    elif not found:
        say('no threads yet: calibrant ask "What do you want to know?"')
    else:
        console = terminal.out()
        terminal.show(console, table(found, terminal.symbols_for(console)))
    return Exit.DONE


def remove(names: Sequence[str], older_than: str, *, as_json: bool) -> Exit:
    """Delete the threads that are named, or those that were last written to so long ago. Of these, one with which
    something would be lost that nobody else knows stays."""
    from calibrant.graph.settings import load_machine

    seconds = span_of("--older-than", older_than)
    gone = asyncio.run(removed(load_machine(), names, time.time() - seconds if seconds else 0.0))
    if as_json:
        echo_json(asdict(gone))
    else:
        click.echo(one_line(gone.told))
    return Exit.DONE


@dataclass(frozen=True)
class Removed:
    """What was deleted, what was lost with it, and what was kept: by the thread, in a few words."""

    removed: tuple[str, ...]
    lost: Mapping[str, str]
    kept: Mapping[str, str]

    @property
    def told(self) -> str:
        """The same in one line."""
        lost = f"; lost with them: {_each(self.lost)}" if self.lost else ""
        kept = f"; kept: {_each(self.kept)}" if self.kept else ""
        return f"{counted(len(self.removed), 'thread')} removed{lost}{kept}"


def _each(whats: Mapping[str, str]) -> str:
    return ", ".join(f"{what} ({thread})" for thread, what in whats.items())


async def removed(machine: "Machine", names: Sequence[str], before: float) -> Removed:
    """Delete the threads ``names``, else our own last written to ``before``, and the questions in their records."""
    from calibrant.graph.persistence import open_checkpointer
    from calibrant.graph.runs import RunLog
    from calibrant.graph.working import is_worked_on, working_on

    async with open_checkpointer(machine, forgets=True) as checkpointer, aclosing(RunLog(machine.data_dir)) as log:
        found = await (_named(checkpointer, names) if names else _old(checkpointer, before))
        at_work = {summary.id: STANDS["working"] for summary in found if is_worked_on(machine.data_dir, summary.id)}
        if names and at_work:
            raise InputError(f"nothing is removed: {_each(at_work)}")
        held = {summary.id: what for summary in found if (what := _would_be_lost(summary))}
        kept = {} if names else {**held, **at_work}
        going = tuple(summary.id for summary in found if summary.id not in kept)
        log.forget(going, before)  # first: where this is cut off, the same command goes on
        for thread in going:
            with working_on(machine.data_dir, thread):
                await checkpointer.adelete_thread(thread)
    return Removed(going, {thread: what for thread, what in held.items() if thread in going}, kept)


async def _named(checkpointer: "Checkpointer", names: Sequence[str]) -> "list[ThreadSummary]":
    from calibrant.graph.threads import thread_summary

    found = {name: await thread_summary(checkpointer, name) for name in names}
    if unknown := [name for name, summary in found.items() if summary is None]:
        missing = ", ".join(map(repr, unknown))
        raise InputError(f"nothing is removed: there is no thread {missing}; `calibrant threads` lists them")
    return [summary for summary in found.values() if summary is not None]


async def _old(checkpointer: "Checkpointer", before: float) -> "list[ThreadSummary]":
    from calibrant.graph.threads import list_threads

    found = await list_threads(checkpointer, sys.maxsize)
    return [one for one in found if one.ours and one.updated.timestamp() < before]


def _would_be_lost(summary: "ThreadSummary") -> str:
    """What only this thread knows, and somebody may still want to."""
    waits = ["a question that waits"] if summary.status == "interrupted" else []
    return "; ".join([*waits, *(f"that {call} may have been done" for call in summary.unsure)])


async def _listed(machine: "Machine", limit: int) -> "Sequence[ThreadSummary]":
    from calibrant.graph.persistence import open_checkpointer
    from calibrant.graph.threads import list_threads

    async with open_checkpointer(machine) as checkpointer:
        return [_as_it_stands(summary, machine) for summary in await list_threads(checkpointer, limit)]


def _as_it_stands(summary: "ThreadSummary", machine: "Machine") -> "ThreadSummary":
    """A run that has not ended was stopped, unless somebody is at it."""
    from calibrant.graph.threads import ThreadStatus
    from calibrant.graph.working import is_worked_on

    if summary.status is ThreadStatus.UNFINISHED and is_worked_on(machine.data_dir, summary.id):
        return replace(summary, status=ThreadStatus.WORKING)
    return summary


def _as_dict(summary: "ThreadSummary") -> dict[str, Any]:
    return {**asdict(summary), "updated": summary.updated.isoformat()}


def table(found: "Sequence[ThreadSummary]", symbols: Symbols) -> Table:
    """One line a thread; what can be resumed stands out."""
    grid = Table.grid(padding=(0, 2), expand=True)
    # The id is what is typed next: on a narrow terminal the rest is cut.
    grid.add_column(no_wrap=True, style="cite", min_width=max((len(summary.id) for summary in found), default=0))
    grid.add_column(no_wrap=True, style="label")
    grid.add_column(no_wrap=True)
    grid.add_column(no_wrap=True, overflow="ellipsis", ratio=1)
    for summary in found:
        grid.add_row(
            summary.id, when(summary.updated), _stands(summary, symbols), one_line(summary.question, terminal.WIDEST)
        )
    return grid


def _stands(summary: "ThreadSummary", symbols: Symbols) -> Text:
    """How a thread stands: what can be resumed stands out, and an answer is told from an end without one."""
    if summary.status == "working":
        return Text(f"{symbols.waiting} {STANDS[summary.status]}", style="label")
    if summary.status != "finished":
        return Text(f"{symbols.warning} {STANDS[summary.status]}", style="warn")
    if summary.stop_reason in ("", StopReason.ANSWERED, StopReason.COURTESY):
        return Text(f"{symbols.done} {summary.stop_reason or STANDS[summary.status]}", style="good")
    return Text(f"{symbols.empty} {summary.stop_reason}", style="label")


def when(moment: datetime) -> str:
    """The local time, with the day only where it is not today."""
    local = moment.astimezone()
    return f"{local:%H:%M}" if local.date() == datetime.now().date() else f"{local:%Y-%m-%d %H:%M}"
