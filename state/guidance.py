"""Asking a person: one union of requests, one union of answers, and the reading of whatever a client sends back.

A request is what ``interrupt()`` carries. An answer arrives as JSON from Studio, the HTTP API, the command line or
MCP, or in the human-in-the-loop format of Agent Inbox and Agent Chat UI; ``read_answer`` turns any of them into a
typed one or says in one line what is wrong, so that the question can be asked again.
"""

import json
from enum import StrEnum
from typing import Annotated, Any, Literal

from pydantic import Field, TypeAdapter, ValidationError
from pydantic.json_schema import SkipJsonSchema

from calibrant.state.base import Value, unique
from calibrant.state.errors import InputError
from calibrant.state.given import bounded, misfit, shown
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
    def told(self) -> str:
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
    def told(self) -> str:
        """The answer in one line; of calls the verdicts in their order, each once."""
        spoken = f"{self.action}: {self.text}" if self.text else self.action
        return ", ".join(unique(call.told for call in self.calls)) or spoken


def read_answer(request: HumanRequest, raw: Any) -> Guidance:
    """``raw`` as the answer to ``request``. Raises ``InputError`` with one line that says what was expected."""
    plain = _from_inbox(request, raw)
    try:
        if isinstance(request, ApprovalRequest):
            return _approval(request, plain)
        if isinstance(request, WordingRequest):
            wording = WordingAnswer.model_validate(plain)
            if wording.action not in request.options:
                raise InputError(f"the proposal has gaps to fill in; expected {expected(request)}")
            return _spoken(request, wording.action.value, wording.text, needs_text="write")
        guidance = GuidanceAnswer.model_validate(plain)
        said = _spoken(request, guidance.action.value, guidance.text, needs_text="guide")
        return said.replace(by_default=guidance.by_default)
    except ValidationError:
        raise InputError(f"expected {expected(request)}") from None


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
        "description": "; ".join(request.reasons) or request.kind,
    }


def _action_request(request: HumanRequest) -> dict[str, Any]:
    """What Agent Inbox shows and lets a person edit: the one pending call itself, else the task."""
    if isinstance(request, ApprovalRequest) and len(request.calls) == 1:
        return {"action": request.calls[0].tool, "args": request.calls[0].arguments}
    return {"action": f"{request.kind}: {request.phase.value}", "args": {"task": request.task}}


def _spoken(request: HumanRequest, action: str, text: str | None, needs_text: str) -> Guidance:
    # Half a character is stored as another one: this runs again on each resume, and must read the same.
    text = bounded((text or "").encode(errors="replace").decode().strip(), "the text")
    if action == needs_text and not text:
        raise InputError(f'"{action}" needs a text')
    return Guidance(request_id=request.id, phase=request.phase, kind=request.kind, action=action, text=text)


def _approval(request: ApprovalRequest, plain: Any) -> Guidance:
    if isinstance(plain, dict) and "action" in plain and "calls" not in plain:
        verdict = next((action for action in ApprovalAction if action.value == plain["action"]), None)
        if verdict is None or verdict is ApprovalAction.EDIT:
            raise InputError(f"expected {expected(request)}")
        plain = {"calls": [{"id": call.id, "action": verdict} for call in request.calls]}
    answer = ApprovalAnswer.model_validate(plain)
    verdicts = {call.id: call for call in answer.calls}
    unknown = verdicts.keys() - {call.id for call in request.calls}
    if unknown:
        raise InputError(f"no call waits under the id {shown(min(unknown))}; {expected(request)}")
    if len(verdicts) < len(answer.calls):
        raise InputError(f"more than one verdict on a call; {expected(request)}, each call once")
    missing = [call.id for call in request.calls if call.id not in verdicts]
    if missing:
        raise InputError(f"no verdict for {', '.join(missing)}; {expected(request)}")
    calls = tuple(verdicts[call.id] for call in request.calls)
    for call, pending in zip(calls, request.calls, strict=True):
        if call.action is ApprovalAction.EDIT:
            _check_edited(call, pending)
    action = "approve" if all(call.action is not ApprovalAction.REJECT for call in calls) else "reject"
    return Guidance(request_id=request.id, phase=request.phase, kind="approval", action=action, calls=calls)


def _check_edited(call: CallAnswer, pending: PendingCall) -> None:
    """Raises ``InputError`` for arguments that the tool does not take: it would be called without some of them."""
    if call.arguments is None:
        raise InputError('"edit" needs arguments')
    if problem := misfit(call.arguments, pending.parameters):
        raise InputError(f"{pending.tool}: {problem}")


_INBOX_ACTIONS: dict[str, dict[str, str]] = {
    "guidance": {
        "accept": "retry", "approve": "retry", "edit": "guide", "response": "guide", "ignore": "skip",
        "reject": "abort",
    },
    "wording": {
        "accept": "use", "approve": "use", "edit": "write", "response": "write", "ignore": "keep", "reject": "keep",
    },
    "approval": {
        "accept": "approve", "approve": "approve", "edit": "edit", "response": "reject", "ignore": "reject",
        "reject": "reject",
    },
}  # fmt: skip


def _from_inbox(request: HumanRequest, raw: Any) -> Any:
    """Agent Inbox sends ``[{"type": ..., "args": ...}]``, LangChain's middleware UI ``{"decisions": [{"type":
    ...}]}``."""
    items = raw.get("decisions") if isinstance(raw, dict) and "decisions" in raw else raw
    if isinstance(raw, str):
        return _from_text(request, raw)
    if isinstance(items, dict) and "type" in items:
        items = [items]
    if not (isinstance(items, list) and items and all(isinstance(item, dict) and "type" in item for item in items)):
        return raw
    actions = _INBOX_ACTIONS[request.kind]
    if isinstance(request, ApprovalRequest):
        if len(items) == 1 and items[0]["type"] != "edit":  # one verdict for all; edited arguments belong to one call
            items = items * len(request.calls)
        if len(items) != len(request.calls):
            told = f"the number of decisions ({len(items)}) is not that of the calls ({len(request.calls)})"
            raise InputError(f"{told}: give one for each call, in their order")
        calls = [
            {
                "id": call.id,
                "action": actions.get(str(item["type"])),
                "arguments": _inbox_arguments(item) if item["type"] == "edit" else None,
                "message": _inbox_text(item) if item["type"] in ("reject", "response") else "",
            }
            for call, item in zip(request.calls, items, strict=False)
        ]
        return {"calls": calls}
    return {"action": actions.get(str(items[0]["type"])), "text": _inbox_text(items[0])}


def _from_text(request: HumanRequest, said: str) -> Any:
    """An action by its name, an answer that was written as JSON (into a field for text), or what a person says."""
    word = said.strip().strip("\"'").casefold()
    if word in _plain_actions(request):
        return {"action": word}
    try:
        held = json.loads(said)
    except (ValueError, RecursionError):
        held = None
    item = held[0] if isinstance(held, list) and held else held
    if isinstance(item, dict) and item.keys() & {"action", "calls", "decisions", "type"}:
        return _from_inbox(request, held)
    return {"action": _text_action(request), "text": said}


def _plain_actions(request: HumanRequest) -> set[str]:
    return {action.value for action in (WordingAction if isinstance(request, WordingRequest) else request.options)}


def _text_action(request: HumanRequest) -> str:
    return {"guidance": "guide", "wording": "write", "approval": "?"}[request.kind]


def _inbox_text(item: dict[str, Any]) -> str:
    args = item.get("args", item.get("message", ""))
    if isinstance(args, dict):
        inner = args.get("args", args)
        args = (
            next((value for value in inner.values() if isinstance(value, str)), "")
            if isinstance(inner, dict)
            else inner
        )
    return args if isinstance(args, str) else ""


def _inbox_arguments(item: dict[str, Any]) -> dict[str, Any] | None:
    edited = item.get("edited_action", item.get("args"))
    if not isinstance(edited, dict):
        return None
    inner = edited.get("args", edited)
    return inner if isinstance(inner, dict) else None
