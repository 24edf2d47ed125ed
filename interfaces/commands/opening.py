"""What every command that works on threads needs: settings, an open app, a view, and a way to be stopped."""

import asyncio
import gc
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine, Iterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, TypeVar

import click

from calibrant.interfaces import terminal
from calibrant.interfaces.failures import Stopped, Unstored
from calibrant.interfaces.plain import PlainView, Watcher

if TYPE_CHECKING:
    from calibrant.graph.app import App
    from calibrant.graph.settings import Machine, Secrets, Settings
    from calibrant.interfaces.session import Outcome, Session

T = TypeVar("T")


@dataclass(frozen=True)
class Prepared:
    """What the settings say, read before the event loop starts."""

    settings: "Settings"
    machine: "Machine"
    secrets: "Secrets"

    @property
    def for_reading(self) -> "Prepared":
        """The same for commands that only look at threads: nothing is asked, embedded or learnt, so no model is loaded
        and the vectors of the memory stay those of the model that made them."""
        from calibrant.state.context import ModelSettings

        switches = self.settings.switches.model_copy(update={"memory": False})
        settings = self.settings.model_copy(update={"model": ModelSettings(), "switches": switches})
        return replace(self, settings=settings, machine=self.machine.model_copy(update={"embeddings": "none"}))


def prepared(explicit: dict[str, Any] | None = None) -> Prepared:
    """The settings of this machine; ``explicit`` ones win. Loads what is slow to import behind a sign of life."""
    with waiting("starting"):
        import calibrant.graph.app  # noqa: F401 - the slow part
        from calibrant.graph.settings import load_machine, load_settings, read_secrets

        return Prepared(load_settings(explicit), load_machine(), read_secrets())


@asynccontextmanager
async def opened(having: Prepared, knowledge: Sequence[str] = ()) -> AsyncIterator["App"]:
    """The app: graph, checkpoints and memory. ``knowledge``: the bases that are searched, else the settings'."""
    from calibrant.graph.app import open_app

    settings = having.settings.model_copy(update={"knowledge": tuple(knowledge)}) if knowledge else having.settings
    async with AsyncExitStack() as stack:
        with waiting("opening"):
            opening = open_app(settings=settings, machine=having.machine, secrets=having.secrets)
            app = await stack.enter_async_context(opening)
            gc.freeze()  # what is loaded stays: a full collection would walk all of it in the middle of a run
        yield app


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
    console.print(f"thread {thread_id}")
    return PlainView(console)


def session_of(
    app: "App", thread_id: str, question: str, *, asks: bool, trace_file: str = "", run_id: str = ""
) -> "Session":
    """A thread as it is followed here: with a view, a trace file where one is named, and a dialog where it ``asks``."""
    from calibrant.interfaces.dialog import Dialog
    from calibrant.interfaces.session import Session
    from calibrant.interfaces.tracefile import traced

    dialog = Dialog(terminal.err()) if asks else None
    return Session(app, thread_id, traced(view_of(question, thread_id), trace_file, thread_id, run_id), dialog)


def run_until_stopped(work: Coroutine[Any, Any, T], how_to_go_on: Callable[[], str]) -> T:
    """``work`` to its end. Ctrl-C stops it after everything is put away, and ``Stopped`` says how to go on."""
    try:
        return asyncio.run(work)
    except (KeyboardInterrupt, click.Abort):
        raise Stopped(how_to_go_on()) from None


async def told(work: Awaitable["Outcome"], *, as_json: bool) -> "Outcome":
    """``work`` to its end, which is shown while the app is still open: to close it may wait for passages that are being
    embedded. An answer that only could not be stored is shown before that is told."""
    from calibrant.interfaces.commands.ending import finish

    try:
        outcome = await work
    except Unstored as error:
        finish(error.outcome, as_json=as_json)
        raise
    finish(outcome, as_json=as_json)
    return outcome


def how_to_resume(thread_id: str) -> str:
    """What to say when a run was stopped."""
    return f"stopped, nothing is lost; `calibrant resume {thread_id}` goes on"
