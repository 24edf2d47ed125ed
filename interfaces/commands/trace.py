"""``calibrant trace``: how a thread's last run decided."""

import asyncio
from typing import TYPE_CHECKING, Any

from calibrant.interfaces import terminal
from calibrant.interfaces.commands.ending import echo_json
from calibrant.interfaces.commands.opening import Prepared, opened, prepared
from calibrant.interfaces.failures import Exit

if TYPE_CHECKING:
    from calibrant.interfaces.session import Outcome

TRACED = {"run", "decisions", "guidance", "retrievals", "signals", "warnings", "confidence", "spend", "stop_reason"}


def run(thread: str, *, as_json: bool) -> Exit:
    """Show the trace."""
    outcome = asyncio.run(_stands(prepared().for_reading, thread))
    if as_json:
        echo_json(as_dict(outcome))
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
