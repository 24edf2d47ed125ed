"""What stands at the end of a run: the answer or the question that waits, as text or JSON, and the exit code."""

import json
from typing import Any

import click

from calibrant.interfaces import terminal
from calibrant.interfaces.failures import Exit
from calibrant.interfaces.lines import say
from calibrant.interfaces.printable import printable, printable_json
from calibrant.interfaces.session import Outcome
from calibrant.state.budget import StopReason
from calibrant.state.channels import Output
from calibrant.state.guidance import ApprovalRequest, WordingRequest, in_one_line
from calibrant.state.task import call_text

ENDED_WITHOUT = (StopReason.ABSTAINED, StopReason.ABORTED)


def finish(outcome: Outcome, *, as_json: bool) -> None:
    """Show where the thread stands."""
    if as_json:
        echo_json(as_dict(outcome))
    elif outcome.waiting is None:
        _show(outcome)
    if outcome.waiting is not None:
        say(f"calibrant: a question waits: {printable(question_text(outcome))}")
        say(f"calibrant: answer it with {how_to_answer(outcome)}")


def _show(outcome: Outcome) -> None:
    from calibrant.interfaces.render import show_answer

    show_answer(terminal.out(), outcome.view, outcome.thread_id)


def exit_of(outcome: Outcome) -> Exit:
    """0 with an answer or where nothing was asked, 3 without an answer, 4 while a question waits."""
    if outcome.waiting is not None:
        return Exit.WAITING
    stopped = outcome.view.stop_reason
    if stopped is StopReason.FAILED:
        return Exit.FAILED
    if stopped is StopReason.COURTESY:
        return Exit.DONE
    answered = stopped is StopReason.ANSWERED or (stopped not in ENDED_WITHOUT and outcome.view.citations)
    return Exit.DONE if answered else Exit.ABSTAINED


def as_dict(outcome: Outcome) -> dict[str, Any]:
    """The output of a run as JSON-ready data, with its thread and, where one waits, the question."""
    view = outcome.view
    data = {"thread_id": outcome.thread_id, **view.model_dump(mode="json", include=set(Output.__annotations__))}
    data["level"] = view.confidence.level.value if view.confidence else None
    data["waiting"] = outcome.waiting.model_dump(mode="json") if outcome.waiting else None
    return data


def echo_json(data: Any) -> None:
    """``data`` on stdout: indented for a reader, on one line for a program."""
    indent = 2 if terminal.out().is_terminal else None
    echo_text(json.dumps(data, ensure_ascii=False, indent=indent))


def echo_text(text: str) -> None:
    """JSON on stdout. Where that may lack a character, it is spelled out: a ``?`` in its place would say something
    else."""
    click.echo(printable_json(text, ascii_only=terminal.out().options.ascii_only))


def question_text(outcome: Outcome) -> str:
    """The question that waits, in one line."""
    request = outcome.waiting
    if isinstance(request, WordingRequest) and request.proposal:
        return f"{'is this what is meant?' if request.usable else 'what fills the gaps?'} {request.proposal}"
    if isinstance(request, ApprovalRequest):
        return f"may these run? {', '.join(call_text(call.tool, call.arguments) for call in request.calls)}"
    return in_one_line(request.why) or request.task if request else ""


def how_to_answer(outcome: Outcome) -> str:
    """The command that answers the question."""
    first, others = _options(outcome)
    return f"`calibrant resume {outcome.thread_id} {first}` (or {others})"


def _options(outcome: Outcome) -> tuple[str, str]:
    """One answer, and the others."""
    match outcome.waiting:
        case WordingRequest(usable=True):
            return "--use", '--keep, --wording "..."'
        case WordingRequest():
            return '--wording "..."', "--keep"
        case ApprovalRequest():
            return "--approve", "--reject"
        case _:
            return '--guide "..."', "--skip, --retry, --abort"
