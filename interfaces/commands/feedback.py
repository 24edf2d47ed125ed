"""``calibrant feedback``: the user's verdict on a thread's latest answer, kept with the experience and the record."""

import asyncio
from contextlib import aclosing
from typing import Literal

import click

from calibrant.graph.runs import RunLog
from calibrant.interfaces.commands.opening import Prepared, opened, prepared
from calibrant.interfaces.failures import Exit
from calibrant.state.errors import InputError


def run(thread: str, verdict: Literal["good", "bad"]) -> Exit:
    """Store the verdict."""
    asyncio.run(_stored(prepared().for_reading, thread, verdict))
    click.echo(f"kept: {thread} was {verdict}")
    return Exit.DONE


async def _stored(having: Prepared, thread: str, verdict: Literal["good", "bad"]) -> None:
    from calibrant.interfaces.session import existing, last_asked

    async with opened(having) as app:
        await existing(app, thread)
        run = await last_asked(app, thread)
        remembered = run is not None and await app.memory.feedback(run.id, verdict) is not None
    async with aclosing(RunLog(having.machine.data_dir)) as log:
        recorded = run is not None and await asyncio.to_thread(log.judge, run.id, verdict)
    if not (remembered or recorded):
        raise InputError(f"the latest run of thread {thread} left nothing to judge: no experience and no record")
