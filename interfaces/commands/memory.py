"""``calibrant memory``: what was learnt from past questions, and forgetting it."""

import asyncio
import time
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import asdict
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

import click
from rich.table import Table
from rich.text import Text

from calibrant.interfaces import terminal
from calibrant.interfaces.commands.ending import echo_json
from calibrant.interfaces.commands.threads import when
from calibrant.interfaces.failures import Exit, one_line
from calibrant.interfaces.lines import say
from calibrant.interfaces.spans import span_of
from calibrant.interfaces.wording import counted
from calibrant.state.confidence import score_text
from calibrant.state.errors import InputError

if TYPE_CHECKING:
    from calibrant.memory import Memory
    from calibrant.memory.forgetting import Forgotten, Learnt


def show(limit: int, *, as_json: bool) -> Exit:
    """List what was learnt, newest first."""
    found = asyncio.run(_learnt())[:limit]
    if as_json:
        echo_json([_as_dict(one) for one in found])
    elif not found:
        say("calibrant: nothing was learnt yet: an answer that its sources bear out is remembered")
    else:
        terminal.show(terminal.out(), table(found))
    return Exit.DONE


def remove(named: Sequence[str], older_than: str, *, as_json: bool) -> Exit:
    """Forget what is named, by its id or as it was asked, or what is so old."""
    seconds = span_of("--older-than", older_than)
    return _tell(asyncio.run(_forgotten(named, time.time() - seconds if seconds else 0.0)), as_json=as_json)


def clear(*, sure: bool, as_json: bool) -> Exit:
    """Forget everything, once a person has said so."""
    if not sure and not terminal.somebody_there():
        raise InputError("nobody is there to confirm it: `calibrant memory clear --yes`")
    if not sure and not click.confirm("Forget everything that was learnt? Threads and documents stay.", err=True):
        say("calibrant: the memory is kept")
        return Exit.DONE
    return _tell(asyncio.run(_cleared()), as_json=as_json)


@asynccontextmanager
async def _opened(*, forgets: bool) -> "AsyncIterator[Memory]":
    """The memory alone: nothing is embedded, so that no model is loaded."""
    from calibrant.graph.persistence import open_store
    from calibrant.graph.settings import load_machine
    from calibrant.memory import Memory

    async with open_store(load_machine(), learns=False, forgets=forgets) as store:
        yield Memory(store, time.time)


async def _learnt() -> "list[Learnt]":
    async with _opened(forgets=False) as memory:
        return await memory.learnt()


async def _forgotten(named: Sequence[str], before: float) -> "Forgotten":
    from calibrant.memory.words import plain

    async with _opened(forgets=True) as memory:
        held = [one.experience for one in await memory.learnt()]
        old = [one.id for one in held if one.at < before]
        meant = {name: [one.id for one in held if one.id == name or plain(one.task) == plain(name)] for name in named}
        if unknown := [name for name, ids in meant.items() if not ids]:
            missing = ", ".join(map(repr, unknown))
            raise InputError(
                f"nothing is removed: nothing was learnt of {missing}; `calibrant memory list` shows what was"
            )
        return await memory.forget([*old, *(key for ids in meant.values() for key in ids)], before)


async def _cleared() -> "Forgotten":
    async with _opened(forgets=True) as memory:
        return await memory.clear()


def _tell(gone: "Forgotten", *, as_json: bool) -> Exit:
    if as_json:
        echo_json(asdict(gone))
    else:
        also = [(gone.patterns, "pattern"), (gone.refinements, "refinement")]
        told = [counted(gone.experiences, "experience"), *(counted(number, noun) for number, noun in also if number)]
        click.echo(f"{', '.join(told)} removed")
    return Exit.DONE


def _as_dict(one: "Learnt") -> dict[str, Any]:
    past = one.experience
    return {
        "id": past.id,
        "task": past.task,
        "kind": past.query_type.value,
        "at": _moment(past.at).isoformat(),
        "confidence": past.confidence,
        "uses": one.uses,
        "verdict": past.verdict,
    }


def _moment(at: float) -> datetime:
    return datetime.fromtimestamp(at, UTC)


def table(found: "Sequence[Learnt]") -> Table:
    """One line an experience."""
    grid = Table.grid(padding=(0, 2), expand=True)
    # The id is what is typed next: on a narrow terminal the task is cut.
    grid.add_column(no_wrap=True, style="cite", min_width=max(len(one.experience.id) for one in found))
    for style in ("label", "", "", "", ""):
        grid.add_column(no_wrap=True, style=style)
    grid.add_column(no_wrap=True, overflow="ellipsis", ratio=1)
    for one in found:
        past = one.experience
        grid.add_row(
            past.id,
            when(_moment(past.at)),
            past.query_type.value,
            Text(score_text(past.confidence), style=terminal.level_style(past.confidence)),
            counted(one.uses, "use"),
            past.verdict,
            one_line(past.task, terminal.WIDEST),
        )
    return grid
