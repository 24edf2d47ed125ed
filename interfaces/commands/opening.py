"""What every command that works on threads needs: settings, an open app, a view, and a way to be stopped."""

import asyncio
from collections.abc import AsyncIterator, Callable, Coroutine, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager
from typing import TYPE_CHECKING, Any, TypeVar

import click

from calibrant.interfaces import terminal
from calibrant.interfaces.failures import Stopped
from calibrant.interfaces.plain import PlainView, Watcher

if TYPE_CHECKING:
    from calibrant.graph.app import App

T = TypeVar("T")


@asynccontextmanager
async def opened(explicit: dict[str, Any] | None = None, knowledge: Sequence[str] = ()) -> AsyncIterator["App"]:
    """The app under the settings of this machine; ``explicit`` ones win."""
    with waiting("starting"):
        from calibrant.graph.app import open_app
        from calibrant.graph.settings import load_machine, load_settings, read_secrets

        settings, machine, secrets = load_settings(explicit), load_machine(), read_secrets()
        opening = open_app(settings=settings, machine=machine, secrets=secrets, knowledge=knowledge)
        app = await opening.__aenter__()
    try:
        yield app
    finally:
        await opening.__aexit__(None, None, None)


@contextmanager
def waiting(what: str) -> Iterator[None]:
    """A quiet sign of life on a terminal while something loads."""
    console = terminal.err()
    if not terminal.is_live(console):
        yield
        return
    with console.status(f"[dim]{what}[/dim]", spinner="dots", spinner_style="dim"):
        yield


def view_of(question: str, thread_id: str) -> Watcher:
    """The live view where stderr is a terminal, plain lines elsewhere."""
    console = terminal.err()
    if terminal.is_live(console):
        from calibrant.interfaces.live import LiveView

        return LiveView(console, question, thread_id)
    return PlainView(console)


def run_until_stopped(work: Coroutine[Any, Any, T], how_to_go_on: Callable[[], str]) -> T:
    """``work`` to its end. Ctrl-C stops it after everything is put away, and ``Stopped`` says how to go on."""
    try:
        return asyncio.run(work)
    except (KeyboardInterrupt, click.Abort):
        raise Stopped(how_to_go_on()) from None
