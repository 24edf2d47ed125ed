"""``calibrant resume``: go on with a thread that was stopped, or answer the question that it waits on."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from calibrant.interfaces import terminal
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
from calibrant.interfaces.tracefile import check_trace_file
from calibrant.state.errors import InputError
from calibrant.state.replies import read_answer

if TYPE_CHECKING:
    from calibrant.graph.app import App
    from calibrant.interfaces.session import Outcome

FITTING: dict[str, dict[str, str]] = {
    "guidance": {"guide": "guide", "skip": "skip", "retry": "retry", "abort": "abort"},
    "wording": {"wording": "write", "use": "use", "keep": "keep", "approve": "use", "reject": "keep", "skip": "keep"},
    "approval": {"approve": "approve", "reject": "reject", "skip": "reject"},
}
"""What an option means as an answer to each kind of question."""


@dataclass(frozen=True)
class ResumeOptions:
    """The command line of ``resume``."""

    thread: str
    guide: str | None = None
    wording: str | None = None
    model: str | None = None
    actions: tuple[str, ...] = ()
    trace_file: str = ""
    as_json: bool = False

    def chosen(self) -> tuple[str, str] | None:
        """The one option that was given, and its text."""
        plain = [(action, "") for action in dict.fromkeys(self.actions)]
        given = [("guide", self.guide), ("wording", self.wording), *plain]
        chosen = [(name, text) for name, text in given if text is not None]
        if len(chosen) > 1:
            raise InputError(f"one answer at a time: --{chosen[0][0]} or --{chosen[1][0]}")
        return chosen[0] if chosen else None


def run(options: ResumeOptions) -> Exit:
    """Go on, show, and give the exit code."""
    options.chosen()
    check_trace_file(options.trace_file)
    work = _resumed(prepared({"model": options.model} if options.model else None), options)
    outcome = run_until_stopped(work, lambda: how_to_resume(options.thread))
    from calibrant.interfaces.commands.ending import exit_of

    return exit_of(outcome)


async def _resumed(having: Prepared, options: ResumeOptions) -> "Outcome":
    from calibrant.graph.working import working_on

    async with opened(having) as app:
        with working_on(having.machine.data_dir, options.thread):
            return await told(_gone_on(app, options), as_json=options.as_json)


async def _gone_on(app: "App", options: ResumeOptions) -> "Outcome":
    from calibrant.interfaces.session import existing, outcome_of, unfinished

    snapshot = await existing(app, options.thread)
    stands = outcome_of(options.thread, snapshot)
    answer = answer_to(stands, options, finished=not unfinished(snapshot))
    question, run_id = (stands.view.run.question, stands.view.run.id) if stands.view.run else ("", "")
    session = session_of(
        app,
        options.thread,
        question,
        asks=terminal.somebody_there(),
        trace_file=options.trace_file,
        run_id=run_id,
    )
    return await session.resume(snapshot, answer) if unfinished(snapshot) else stands


def answer_to(stands: "Outcome", options: ResumeOptions, *, finished: bool) -> dict[str, Any] | None:
    """The options as the answer to the question that waits. ``InputError`` where they do not fit it."""
    from calibrant.interfaces.commands.ending import how_to_answer

    chosen = options.chosen()
    if chosen is None:
        return None
    if stands.waiting is None:
        hint = "it has finished" if finished else f"go on with `calibrant resume {options.thread}`"
        raise InputError(f"thread {options.thread} asks nothing: {hint}")
    name, text = chosen
    action = FITTING[stands.waiting.kind].get(name)
    if action is None or action not in stands.waiting.options:
        raise InputError(f"--{name} does not answer that question: use {how_to_answer(stands)}")
    answer = {"action": action, "text": terminal.typed(text)} if text else {"action": action}
    read_answer(stands.waiting, answer)
    return answer
