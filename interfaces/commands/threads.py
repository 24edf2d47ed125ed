"""``calibrant threads``: what was asked, how it stands, newest first."""

import asyncio
from collections.abc import Sequence
from dataclasses import asdict, replace
from datetime import datetime
from typing import TYPE_CHECKING, Any

import click
from rich.table import Table
from rich.text import Text

from calibrant.interfaces import terminal
from calibrant.interfaces.commands.ending import echo_json
from calibrant.interfaces.failures import Exit, one_line
from calibrant.interfaces.terminal import Symbols
from calibrant.state.budget import StopReason

if TYPE_CHECKING:
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
        click.echo('no threads yet: calibrant ask "What do you want to know?"', err=True)
    else:
        console = terminal.out()
        terminal.show(console, table(found, terminal.symbols_for(console)))
    return Exit.DONE


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


def when(moment: datetime, now: datetime | None = None) -> str:
    """The local time, with the day only where it is not today."""
    local = moment.astimezone()
    today = (now or datetime.now().astimezone()).date()
    return f"{local:%H:%M}" if local.date() == today else f"{local:%Y-%m-%d %H:%M}"
