"""``calibrant trace``: how a thread's last run decided, or that of an earlier turn."""

import asyncio
from typing import TYPE_CHECKING, Any

from calibrant.interfaces import terminal
from calibrant.interfaces.commands.ending import echo_json, echo_text
from calibrant.interfaces.commands.opening import Prepared, opened, prepared
from calibrant.interfaces.failures import Exit
from calibrant.interfaces.wording import counted
from calibrant.state.errors import InputError

if TYPE_CHECKING:
    from calibrant.interfaces.session import Outcome

TRACED = {
    "run", "perceived", "branches", "selected", "results", "intents",
    "decisions", "guidance", "retrievals", "review", "signals", "warnings", "confidence", "spend", "stop_reason",
}  # fmt: skip


def run(thread: str, *, turn: int | None = None, as_json: bool, as_lines: bool = False) -> Exit:
    """Show the trace of ``turn``, by default of the last one."""
    if as_json and as_lines:
        raise InputError("--json or --jsonl, not both")
    outcome, turns = asyncio.run(_stands(prepared().for_reading, thread, turn))
    if as_json:
        echo_json(as_dict(outcome))
    elif as_lines:
        from calibrant.interfaces.tracefile import lines_of_thread

        for line in lines_of_thread(outcome.view, thread):
            echo_text(line)
    else:
        from calibrant.interfaces.trace import show_trace

        show_trace(terminal.out(), outcome.view, thread, turns)
    return Exit.DONE


async def _stands(having: Prepared, thread: str, turn: int | None) -> "tuple[Outcome, int]":
    """Where the thread stood at the end of ``turn``, and how many turns it has."""
    from calibrant.interfaces.session import end_of_turn, existing, outcome_of

    async with opened(having) as app:
        latest = outcome_of(thread, await existing(app, thread))
        turns = latest.view.run.turn if latest.view.run else 0
        if turn in (None, turns):
            return latest, turns
        held = await end_of_turn(app, thread, turn)
    if held is None:
        raise InputError(f"there is no turn {turn} of thread {thread!r} to show: it has {counted(turns, 'turn')}")
    return outcome_of(thread, held), turns


def as_dict(outcome: "Outcome") -> dict[str, Any]:
    """The trace as JSON-ready data."""
    waiting = outcome.waiting.model_dump(mode="json") if outcome.waiting else None
    return {
        "thread_id": outcome.thread_id,
        **outcome.view.model_dump(mode="json", include=TRACED),
        "waiting": waiting,
    }
