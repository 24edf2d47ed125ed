"""Asking a person: one union of requests, one union of answers, and what ``interrupt()`` carries.

An answer arrives as JSON from Studio, the HTTP API, the command line, MCP or another client; ``state/replies.py`` reads
it.
"""

import json
from collections.abc import Sequence
from enum import StrEnum
from typing import Annotated, Any, Literal

from pydantic import Field, TypeAdapter
from pydantic.json_schema import SkipJsonSchema

from calibrant.state.base import Value, unique
from calibrant.state.task import Phase


class GuidanceAction(StrEnum):
    """What a person may say when a phase is uncertain (spec 5)."""

    GUIDE = "guide"
    SKIP = "skip"
    RETRY = "retry"
    ABORT = "abort"


class WordingAction(StrEnum):
    """What a person may say of a proposed wording (spec 5, prompt optimizer)."""

    USE = "use"
    KEEP = "keep"
    WRITE = "write"


class ApprovalAction(StrEnum):
    """What a person may say of one pending call."""

    APPROVE = "approve"
    REJECT = "reject"
    EDIT = "edit"


class PendingCall(Value):
    """A tool call that waits for approval. ``id`` stands for one attempt at it."""

    id: str
    tool: str
    arguments: dict[str, Any] = Field(default_factory=dict)
    why: str = ""
    rests_on: tuple[str, ...] = ()
    """What the steps gave on which the call rests, a line each."""
    step_id: str = ""
    may_have_happened: bool = False
    """An earlier attempt left no result, or failed: approving this one may do it a second time."""
    parameters: dict[str, Any] = Field(default_factory=dict)
    """JSON schema of the arguments, which edited ones must fit; empty in what an earlier version stored."""


class _Request(Value):
    id: str
    phase: Phase
    task: str
    reasons: tuple[str, ...] = ()
    last_error: str = ""
    score: float = 0.0
    asked_at: float = 0.0

    @property
    def why(self) -> tuple[str, ...]:
        """The reasons, and the last error where none of them has it."""
        told = not self.last_error or any(self.last_error in reason for reason in self.reasons)
        return self.reasons if told else (*self.reasons, f"last error: {self.last_error}")


class GuidanceRequest(_Request):
    """A phase is uncertain, or its score is too low to go on."""

    kind: Literal["guidance"] = "guidance"
    options: tuple[GuidanceAction, ...] = tuple(GuidanceAction)
    abort_by_default: bool = False
    """True where the run ends unless a person says otherwise (row 10)."""


class WordingRequest(_Request):
    """The request is too vague: a sharper wording is proposed. One with gaps cannot be used, only filled in."""

    kind: Literal["wording"] = "wording"
    proposal: str = ""
    options: tuple[WordingAction, ...] = tuple(WordingAction)

    @property
    def usable(self) -> bool:
        """Whether the proposal may be asked as it stands."""
        return WordingAction.USE in self.options


class ApprovalRequest(_Request):
    """Tool calls that change something wait for approval: one question for all of them."""

    kind: Literal["approval"] = "approval"
    calls: tuple[PendingCall, ...] = ()
    options: tuple[ApprovalAction, ...] = tuple(ApprovalAction)


HumanRequest = Annotated[GuidanceRequest | WordingRequest | ApprovalRequest, Field(discriminator="kind")]
REQUEST: TypeAdapter[HumanRequest] = TypeAdapter(HumanRequest)


class GuidanceAnswer(Value):
    """``text`` is required for ``guide``."""

    kind: Literal["guidance"] = "guidance"
    action: GuidanceAction
    text: str | None = ""
    by_default: SkipJsonSchema[bool] = False
    """Nobody answered: this is what holds then. In no form that a person fills in."""


class WordingAnswer(Value):
    """``text`` is required for ``write``."""

    kind: Literal["wording"] = "wording"
    action: WordingAction
    text: str | None = ""


class CallAnswer(Value):
    """The verdict on one pending call; ``arguments`` for ``edit``."""

    id: str
    action: ApprovalAction
    arguments: dict[str, Any] | None = None
    message: str = ""

    @property
    def summary(self) -> str:
        """The verdict in a few words."""
        said = json.dumps(self.arguments, ensure_ascii=False) if self.action is ApprovalAction.EDIT else self.message
        return f"{self.action.value} {said}".strip()


class ApprovalAnswer(Value):
    """One verdict for each pending call."""

    kind: Literal["approval"] = "approval"
    calls: tuple[CallAnswer, ...] = ()


class Guidance(Value):
    """A question that was asked, and its answer: what the phase that goes on reads."""

    request_id: str
    phase: Phase
    kind: str
    action: str = ""
    text: str = ""
    calls: tuple[CallAnswer, ...] = ()
    at: float = 0.0
    """When it came; 0 in what an earlier version stored."""
    by_default: bool = False
    """Nobody answered: this is what holds then."""

    @property
    def summary(self) -> str:
        """The answer in one line; of calls the verdicts in their order, each once."""
        spoken = f"{self.action}: {self.text}" if self.text else self.action
        return ", ".join(unique(call.summary for call in self.calls)) or spoken


def expected(request: HumanRequest) -> str:
    """The form of a valid answer, in one line."""
    match request:
        case ApprovalRequest():
            return '{"action": "approve" | "reject"} for all calls, or {"calls": [{"id": ..., "action": ...}]}'
        case WordingRequest():
            actions = " | ".join(f'"{option.value}"' for option in request.options)
            return f'{{"action": {actions}, "text": "..."}} with text for "write"'
        case GuidanceRequest():
            return '{"action": "guide" | "skip" | "retry" | "abort", "text": "..."} with text for "guide"'


def answer_schema(request: HumanRequest) -> dict[str, Any]:
    """JSON schema of a valid answer, for clients that render a form."""
    forms: dict[str, type[Value]] = {"guidance": GuidanceAnswer, "wording": WordingAnswer, "approval": ApprovalAnswer}
    schema = forms[request.kind].model_json_schema()
    if isinstance(request, WordingRequest):
        schema["$defs"][WordingAction.__name__]["enum"] = [option.value for option in request.options]
    return schema


def interrupt_payload(request: HumanRequest, problem: str = "") -> dict[str, Any]:
    """What ``interrupt()`` carries: our request, and beside it the fields that Agent Inbox reads."""
    acceptable = not isinstance(request, WordingRequest) or request.usable
    return {
        **request.model_dump(mode="json"),
        "problem": problem,
        "expected": expected(request),
        "action_request": _action_request(request),
        "config": {"allow_ignore": True, "allow_respond": True, "allow_edit": True, "allow_accept": acceptable},
        "description": in_one_line(request.reasons) or request.kind,
    }


def in_one_line(reasons: Sequence[str]) -> str:
    """Why a person is asked; a reason may be a sentence."""
    return "; ".join(reason.removesuffix(".") for reason in reasons)


def _action_request(request: HumanRequest) -> dict[str, Any]:
    """What Agent Inbox shows and lets a person edit: the one pending call itself, else the task."""
    if isinstance(request, ApprovalRequest) and len(request.calls) == 1:
        return {"action": request.calls[0].tool, "args": request.calls[0].arguments}
    return {"action": f"{request.kind}: {request.phase.value}", "args": {"task": request.task}}
