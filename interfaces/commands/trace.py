"""``calibrant trace``: how a thread's last run decided."""

import asyncio
from typing import TYPE_CHECKING, Any

import click

from calibrant.interfaces import terminal
from calibrant.interfaces.commands.ending import echo_json
from calibrant.interfaces.commands.opening import Prepared, opened, prepared
from calibrant.interfaces.failures import Exit
from calibrant.interfaces.printable import printable_json
from calibrant.state.errors import InputError

if TYPE_CHECKING:
    from calibrant.interfaces.session import Outcome

TRACED = {
    "run", "perceived", "branches", "selected", "results", "intents",
    "decisions", "guidance", "retrievals", "review", "signals", "warnings", "confidence", "spend", "stop_reason",
}  # fmt: skip


def run(thread: str, *, as_json: bool, as_lines: bool = False) -> Exit:
    """Show the trace."""
    if as_json and as_lines:
        raise InputError("--json or --jsonl, not both")
    outcome = asyncio.run(_stands(prepared().for_reading, thread))
    if as_json:
        echo_json(as_dict(outcome))
    elif as_lines:
        from calibrant.interfaces.tracefile import lines_of_thread

        for line in lines_of_thread(outcome.view, thread):
            click.echo(printable_json(line))
    else:
        from calibrant.interfaces.trace import show_trace

        show_trace(terminal.out(), outcome.view, thread)
    return Exit.DONE


async def _stands(having: Prepared, thread: str) -> "Outcome":
    from calibrant.interfaces.session import existing, outcome_of

    async with opened(having) as app:
        return outcome_of(thread, await existing(app, thread))


def as_dict(outcome: "Outcome") -> dict[str, Any]:
    """The trace as JSON-ready data."""
    waiting = outcome.waiting.model_dump(mode="json") if outcome.waiting else None
    return {
        "thread_id": outcome.thread_id,
        **outcome.view.model_dump(mode="json", include=TRACED),
        "waiting": waiting,
    }
