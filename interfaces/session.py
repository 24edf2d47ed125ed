"""One thread at work: stream it to a view, put its questions to the person, until it ends or waits."""

import secrets
import signal
from collections.abc import AsyncGenerator, Callable, Iterator, Mapping
from contextlib import aclosing, contextmanager
from dataclasses import dataclass
from datetime import date
from typing import TYPE_CHECKING, Any, cast

from langgraph.types import Command, StateSnapshot

from calibrant.interfaces.dialog import Dialog
from calibrant.interfaces.failures import Unstored
from calibrant.interfaces.plain import Watcher
from calibrant.interfaces.progress import read_event
from calibrant.state.budget import add_spend
from calibrant.state.channels import Run, View, merged_texts
from calibrant.state.errors import InputError
from calibrant.state.guidance import REQUEST, HumanRequest
from calibrant.state.retrieval import RetrievalResult

if TYPE_CHECKING:
    from langchain_core.runnables import RunnableConfig

    from calibrant.graph.app import App


@dataclass(frozen=True)
class Outcome:
    """Where a thread stands after a session. ``waiting`` is the question that nobody has answered yet."""

    thread_id: str
    view: View
    waiting: HumanRequest | None = None


class Session:
    """Runs one thread of an open app. ``started`` tells whether there is something to resume."""

    def __init__(self, app: "App", thread_id: str, watcher: Watcher, dialog: Dialog | None = None) -> None:
        self.app = app
        self.thread_id = thread_id
        self.watcher = watcher
        self.dialog = dialog
        self.started = False
        self._values: Mapping[str, Any] = {}
        self._ended: Outcome | None = None
        """The end of the run as it was streamed, whether or not it can be stored."""

    @property
    def config(self) -> "RunnableConfig":
        return config_of(self.thread_id)

    async def converse(self, given: Any) -> Outcome:
        """Run on ``given`` (an input, a ``Command``, or None to go on) and through every question that can be asked.
        Raises ``Unstored`` where the run has ended and only its checkpoint could not be written."""
        while True:
            snapshot = await self._stands_after(given)
            if not snapshot.interrupts or self.dialog is None:
                return outcome_of(self.thread_id, snapshot)
            given = Command(resume=self._answers(snapshot, self.dialog))

    async def resume(self, snapshot: StateSnapshot, answer: dict[str, Any] | None) -> Outcome:
        """Go on from ``snapshot``: with ``answer``, with one from the dialog, or from where the run was stopped."""
        self.started = True
        if not snapshot.interrupts:
            return await self.converse(None)
        if answer is not None:
            return await self.converse(Command(resume={asked.id: answer for asked in snapshot.interrupts}))
        if self.dialog is None:
            return outcome_of(self.thread_id, snapshot)
        return await self.converse(Command(resume=self._answers(snapshot, self.dialog)))

    async def _stands_after(self, given: Any) -> StateSnapshot:
        try:
            with self.watcher:
                await self._follow(given)
            return await self.app.graph.aget_state(self.config)
        except Exception as error:
            if self._ended is None:
                raise
            raise Unstored(self._ended) from error

    def _answers(self, snapshot: StateSnapshot, dialog: Dialog) -> dict[str, Any]:
        with interruptible():
            return {asked.id: dialog.ask(asked.value) for asked in snapshot.interrupts}

    async def _follow(self, given: Any) -> None:
        """Stream the run and hand what it tells to the view."""
        stream = self.app.graph.astream(
            given, self.config, context=self.app.context, stream_mode=["custom", "updates", "values"], subgraphs=True
        )
        async with aclosing(
            cast("AsyncGenerator[Any, None]", stream)
        ) as parts:  # or leaving early would not stop the run
            async for namespace, mode, chunk in parts:
                self.started = True
                self._tell(namespace, mode, chunk)

    def _tell(self, namespace: tuple[str, ...], mode: str, chunk: Any) -> None:
        if mode == "values":
            self._values = self._values if namespace else chunk
        elif mode == "updates":
            if not namespace:  # what a subgraph updates is told again by its parent
                self._look_for_insights(chunk)
                self._look_for_end(chunk)
        elif (event := read_event(chunk)) is not None:
            self.watcher.event(event)

    def _look_for_end(self, chunk: Any) -> None:
        """Nothing is streamed after ``respond`` where the checkpoint fails: its update is added here."""
        update = chunk.get("respond") if isinstance(chunk, Mapping) else None
        if isinstance(update, Mapping):
            held, new = View.model_validate(self._values), View.model_validate(update)
            added = {
                "spend": add_spend(held.spend, new.spend),
                "warnings": merged_texts(held.warnings, new.warnings),
            }
            self._ended = Outcome(self.thread_id, View.model_validate({**self._values, **update, **added}))

    def _look_for_insights(self, chunk: Any) -> None:
        updates = chunk.values() if isinstance(chunk, Mapping) else ()
        for update in updates:
            found = update.get("retrievals") if isinstance(update, Mapping) else None
            if isinstance(found, list | tuple) and found:  # intake clears the channel with an Overwrite
                self.watcher.learnt(RetrievalResult.model_validate(found[-1]).distillate)


def config_of(thread_id: str) -> "RunnableConfig":
    """How LangGraph is told which thread is meant."""
    return {"configurable": {"thread_id": thread_id}}


def outcome_of(thread_id: str, snapshot: StateSnapshot) -> Outcome:
    """Where the thread of ``snapshot`` stands."""
    waiting = REQUEST.validate_python(snapshot.interrupts[0].value) if snapshot.interrupts else None
    return Outcome(thread_id, View.model_validate(snapshot.values), waiting)


def unfinished(snapshot: StateSnapshot) -> bool:
    """Whether the thread's run has more to do."""
    return bool(snapshot.tasks)  # not ``next``: it leaves out a task that was stopped after it wrote


def takes_question(snapshot: StateSnapshot) -> bool:
    """Whether a new question may be put to the thread: nothing is left to do, or only what ``intake`` refused."""
    return all(task.name == "intake" and task.error is not None for task in snapshot.tasks)


async def existing(app: "App", thread_id: str) -> StateSnapshot:
    """The state of a thread that must exist."""
    snapshot = await app.graph.aget_state(config_of(thread_id))
    if not snapshot.values and not unfinished(snapshot):
        raise InputError(f"there is no thread {thread_id!r}: `calibrant threads` lists them")
    return snapshot


async def end_of_turn(app: "App", thread_id: str, turn: int) -> StateSnapshot | None:
    """The state in which a turn of a thread ended, counted from 1; None where the thread holds no such turn."""
    found = await _latest(app, thread_id, lambda run: run.turn == turn)
    return found[0] if found else None


async def last_asked(app: "App", thread_id: str) -> Run | None:
    """The latest run of a thread that asked something of the sources: a "thanks" after it is none."""
    found = await _latest(app, thread_id, lambda run: not run.reply)
    return found[1] if found else None


async def _latest(app: "App", thread_id: str, is_wanted: Callable[[Run], bool]) -> tuple[StateSnapshot, Run] | None:
    """The latest state of a thread that is of such a run, with that."""
    async for snapshot in app.graph.aget_state_history(config_of(thread_id)):  # the newest first
        run = View.model_validate(snapshot.values).run
        if run is not None and is_wanted(run):
            return snapshot, run
    return None


async def new_thread(app: "App") -> str:
    """A short id that no thread has yet: the day and six hex digits."""
    while True:
        thread_id = f"{date.today():%m%d}-{secrets.token_hex(3)}"
        snapshot = await app.graph.aget_state(config_of(thread_id))
        if not snapshot.values:
            return thread_id


@contextmanager
def interruptible() -> Iterator[None]:
    """Let Ctrl-C end the reading of a line: asyncio's own handler would only cancel the task that is reading."""
    held = signal.getsignal(signal.SIGINT)
    signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, held)
