"""``calibrant ask``: one question through the graph, from the command line to the answer."""

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from calibrant.interfaces import terminal
from calibrant.interfaces.commands.named_knowledge import NOTHING_TO_SEARCH, has_nothing_to_search, knowledge_named
from calibrant.interfaces.commands.opening import (
    Prepared,
    how_to_resume,
    opened,
    prepared,
    run_until_stopped,
    session_of,
    told,
)
from calibrant.interfaces.failures import Exit
from calibrant.interfaces.lines import say
from calibrant.interfaces.tracefile import check_trace_file
from calibrant.state.budget import StopReason
from calibrant.state.errors import InputError
from calibrant.state.validation import bounded

if TYPE_CHECKING:
    from langgraph.types import StateSnapshot

    from calibrant.interfaces.session import Outcome, Session

THREAD_ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}")


@dataclass(frozen=True)
class AskOptions:
    """The command line of ``ask``."""

    question: str
    piped: bool = False
    """Whether the rest of the question comes from stdin: its last word is a dash."""
    knowledge: tuple[str, ...] = ()
    power: str | None = None
    model: str | None = None
    thread: str | None = None
    """None: a new one."""
    no_input: bool = False
    ask_later: bool = False
    include: tuple[str, ...] = ()
    kinds: tuple[str, ...] = ()
    trace_file: str = ""
    as_json: bool = False

    @property
    def asks_here(self) -> bool:
        """Whether the run's questions are put to a person in this terminal."""
        return terminal.somebody_there() and not self.no_input and not self.ask_later

    @property
    def interactive(self) -> bool:
        """Whether the run may ask at all."""
        return self.asks_here or self.ask_later

    @property
    def explicit(self) -> dict[str, Any]:
        """The settings that the command line fixes."""
        given = {"power": self.power, "model": self.model}
        return {"interactive": self.interactive, **{name: value for name, value in given.items() if value}}


def run(options: AskOptions) -> Exit:
    """Ask, show, and give the exit code."""
    if options.no_input and options.ask_later:
        raise InputError("--no-input asks nobody, --ask-later leaves a question open: leave one of them out")
    question = checked_question(options.question, piped=options.piped)
    check_thread(options.thread)
    check_trace_file(options.trace_file)
    having = prepared(options.explicit)
    names = knowledge_named(having, options.knowledge)
    asking = Asking(options, question, having, names)
    outcome = run_until_stopped(asking.go(), asking.how_to_go_on)
    from calibrant.interfaces.commands.ending import exit_of

    ended = exit_of(outcome)
    unanswered = ended is Exit.ABSTAINED or outcome.view.stop_reason is StopReason.COURTESY
    if unanswered and has_nothing_to_search(having, searched_in(outcome)):
        say(f"calibrant: {NOTHING_TO_SEARCH}")
    return ended


class Asking:
    """One question on its way."""

    def __init__(self, options: AskOptions, question: str, having: Prepared, knowledge: tuple[str, ...]) -> None:
        self.options = options
        self.question = question
        self.having = having
        self.knowledge = knowledge
        self.session: Session | None = None

    async def go(self) -> "Outcome":
        """Open, run, show, and come back with where the thread stands."""
        from calibrant.graph.working import working_on
        from calibrant.interfaces.session import config_of, new_thread

        async with opened(self.having, self.knowledge) as app:
            await app.check_model()  # before there is a thread that would be left behind
            thread_id = self.options.thread or await new_thread(app)
            with working_on(self.having.machine.data_dir, thread_id):
                snapshot = await app.graph.aget_state(config_of(thread_id))
                refuse_unfinished(thread_id, snapshot)
                knowledge = self.knowledge or searched_before(thread_id, snapshot)
                asks, trace_file = self.options.asks_here, self.options.trace_file
                self.session = session_of(app, thread_id, self.question, asks=asks, trace_file=trace_file)
                return await told(self.session.converse(self._input(knowledge)), as_json=self.options.as_json)

    def how_to_go_on(self) -> str:
        """What to say after Ctrl-C."""
        if self.session is None or not self.session.started:
            return "stopped before the run began"
        return how_to_resume(self.session.thread_id)

    def _input(self, knowledge: tuple[str, ...]) -> dict[str, Any]:
        """What the graph is given; filters only where there are any."""
        filters = {
            "collections": list(knowledge),
            "paths": [terminal.typed(pattern) for pattern in self.options.include],
            "kinds": list(self.options.kinds),
        }
        given: dict[str, Any] = {"task": self.question, "interactive": self.options.interactive}
        if self.options.power:
            given["power"] = self.options.power
        return {**given, "filters": filters} if any(filters.values()) else given


def refuse_unfinished(thread_id: str, snapshot: "StateSnapshot") -> None:
    """Refuse a thread that is in the middle of a run."""
    from calibrant.interfaces.session import takes_question

    if not takes_question(snapshot):
        raise InputError(
            f"thread {thread_id} is not finished: `calibrant resume {thread_id}` first, or ask without --thread"
        )


def searched_before(thread_id: str, snapshot: "StateSnapshot") -> tuple[str, ...]:
    """The knowledge bases that a thread was last asked over: it goes on in them, unless others are named."""
    from calibrant.interfaces.session import outcome_of

    return searched_in(outcome_of(thread_id, snapshot)) if snapshot.values else ()


def searched_in(outcome: "Outcome") -> tuple[str, ...]:
    """The knowledge bases that were named for a run."""
    run = outcome.view.run
    return run.filters.collections if run else ()


def checked_question(given: str, *, piped: bool = False) -> str:
    """The question from the command line, and what comes from stdin below it if it is ``piped``."""
    words = terminal.typed(given).strip()
    if piped:
        words = f"{words}\n\n{terminal.piped()}".strip()
    if not words:
        raise InputError('the question is empty: calibrant ask "What do you want to know?"')
    return bounded(words, "the question")


def check_thread(named: str | None) -> None:
    """Refuse a thread id that would be hard to type again, and one that is empty: a variable that is not set."""
    if named == "":
        raise InputError("the thread is empty: name one, or leave --thread out for a new one")
    if named and not THREAD_ID.fullmatch(named):
        raise InputError(f"{named!r} is no thread id: letters, digits, dots and dashes, at most 64")
