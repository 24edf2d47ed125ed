"""Asking the person at the terminal for guidance, a wording or an approval, until the answer is a valid one."""

import json
import sys
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import click
from rich import box
from rich.console import Console, Group, RenderableType
from rich.panel import Panel
from rich.text import Text

from calibrant.interfaces.terminal import labelled, level_text, symbols_for
from calibrant.state.confidence import score_text
from calibrant.state.errors import InputError
from calibrant.state.guidance import (
    REQUEST,
    ApprovalAction,
    ApprovalRequest,
    GuidanceAction,
    GuidanceRequest,
    HumanRequest,
    PendingCall,
    WordingAction,
    WordingRequest,
)
from calibrant.state.replies import read_answer

Answer = dict[str, Any]
Option = GuidanceAction | WordingAction | ApprovalAction

MEANING: Mapping[str, str] = {
    "guide": "say what to do",
    "skip": "leave this out and go on",
    "retry": "try again as it was",
    "abort": "end with what there is",
    "use": "ask it in these words",
    "keep": "keep my words",
    "write": "write other words",
    "approve": "run it",
    "reject": "do not run it",
    "edit": "run it with other arguments",
}
LABEL = 11
NEEDS_TEXT: Mapping[str, str] = {"guide": "What should be done?", "write": "How should it be asked?"}


def read_line(console: Console) -> str:
    """One line from the person. Ends with ``click.Abort`` when they leave (Ctrl-C, Ctrl-D)."""
    try:
        if sys.stdout.isatty():
            return input("> ")
        console.print("> ", end="")
        return input()
    except (EOFError, KeyboardInterrupt):
        console.print()
        raise click.Abort from None


class Dialog:
    """Puts a request to the person and gives their answer, ready to resume with."""

    def __init__(self, console: Console, read: Callable[[Console], str] = read_line) -> None:
        self.console = console
        self._read = read

    def ask(self, payload: Any) -> Answer:
        """Ask until the answer is a valid one."""
        request = REQUEST.validate_python(payload)
        self.console.print(panel(request, self.console, payload.get("problem", "")))
        while True:
            answer = self._answer(request)
            try:
                read_answer(request, answer)
            except InputError as problem:
                self._complain(str(problem))
            else:
                return answer

    def _answer(self, request: HumanRequest) -> Answer:
        if isinstance(request, ApprovalRequest):
            return {"calls": [self._verdict(call, request) for call in request.calls]}
        action = self._choose(request.options)
        return (
            {"action": action, "text": self._text(NEEDS_TEXT[action])} if action in NEEDS_TEXT else {"action": action}
        )

    def _verdict(self, call: PendingCall, request: ApprovalRequest) -> Answer:
        """One verdict on one call; ``edit`` asks for the arguments too."""
        if len(request.calls) > 1:
            self.console.print(Text(f"\n{call.tool} {_arguments(call)}", style="bold"))
        action = self._choose(request.options)
        verdict: Answer = {"id": call.id, "action": action}
        return {**verdict, "arguments": self._edited(call)} if action == ApprovalAction.EDIT else verdict

    def _choose(self, options: tuple[Option, ...]) -> str:
        """A number, a name, or the beginning of one."""
        for number, option in enumerate(options, start=1):
            name = Text.assemble((f"  {number}  ", "cite"), f"{option.value:<8}", (MEANING[option.value], "label"))
            self.console.print(name)
        while True:
            chosen = matching(self._read(self.console), options)
            if chosen:
                return chosen
            self._complain(f"1 to {len(options)}, or a name: {', '.join(option.value for option in options)}")

    def _text(self, prompt: str) -> str:
        self.console.print(Text(prompt))
        while not (text := self._read(self.console).strip()):
            self._complain("a few words are needed (Ctrl-C leaves the question open)")
        return text

    def _edited(self, call: PendingCall) -> dict[str, Any]:
        """The arguments for ``edit``, as a JSON object."""
        self.console.print(Text(f"The new arguments, as JSON; now {_arguments(call)}"))
        while True:
            try:
                arguments = json.loads(self._read(self.console))
            except ValueError:
                arguments = None
            if isinstance(arguments, dict):
                return arguments
            self._complain('a JSON object, such as {"name": "value"}')

    def _complain(self, problem: str) -> None:
        self.console.print(Text(problem, style="warn"))


def matching(said: str, options: tuple[Option, ...]) -> str:
    """The option that ``said`` means: its number, its name or an unambiguous beginning. Empty if none."""
    word = said.strip().lower()
    if word.isdecimal():
        return options[int(word) - 1].value if 1 <= int(word) <= len(options) else ""
    fitting = [option.value for option in options if word and option.value.startswith(word)]
    return fitting[0] if len(fitting) == 1 else ""


TITLES = {
    "guidance": "needs your guidance",
    "wording": "proposes another wording",
    "approval": "needs your approval",
}


def panel(request: HumanRequest, console: Console, problem: str = "") -> Panel:
    """Why a person is asked, about what, and what went wrong last."""
    parts: list[RenderableType] = [labelled(_rows(request, console), LABEL)]
    if problem:
        parts += [Text(), Text(f"That was no answer: {problem}", style="warn")]
    title = Text(f"{request.phase.value} {TITLES[request.kind]}", style="bold yellow")
    return Panel(Group(*parts), box=box.ROUNDED, border_style="yellow", title=title, title_align="left", padding=(1, 2))


def _rows(request: HumanRequest, console: Console) -> Iterator[tuple[str, RenderableType]]:
    bullet = symbols_for(console).dot
    several = len(request.reasons) > 1
    for number, reason in enumerate(request.reasons):
        yield "" if number else "Why", f"{bullet} {reason}" if several else reason
    yield "Task", Text(request.task, style="bold")
    if isinstance(request, WordingRequest) and request.proposal:
        yield "Proposal" if request.usable else "Fill in", Text(request.proposal, style="bold cyan")
    for number, call in enumerate(request.calls if isinstance(request, ApprovalRequest) else ()):
        yield "" if number else "Calls", Text.assemble(f"{bullet} ", (call.tool, "bold"), f" {_arguments(call)}")
        if call.why:
            yield "", Text(f"  {call.why}", style="label")
        for line in call.rests_on:
            yield "", Text(f"  rests on: {line}", style="label")
    if request.last_error:
        yield "Last error", Text(request.last_error, style="bad")
    if isinstance(request, GuidanceRequest):
        yield "Confidence", Text.assemble(f"{score_text(request.score)} ", level_text(request.score))
        if request.abort_by_default:
            yield "", Text("Without an answer the run ends with what it has.", style="label")


def _arguments(call: PendingCall) -> str:
    return json.dumps(call.arguments, ensure_ascii=False)
