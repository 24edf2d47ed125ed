"""Reading what comes back when a person was asked, in whichever form the client at hand sends it.

    {"action": "guide", "text": "..."}                  our own
    {"calls": [{"id": "c1", "action": "approve"}]}      our own, for an approval
    "skip", "look in the manual", '{"action": "skip"}'  text: an action's name, what a person says, or our form as JSON
    [{"type": "response", "args": "..."}]               Agent Inbox and Agent Chat UI
    {"decisions": [{"type": "approve"}]}                LangChain's human-in-the-loop middleware

``read_answer`` turns each into our own form, and that into a ``Guidance``; or says in one line what is wrong, so that
the question can be asked again. Who says that they do not know leaves it as it is.
"""

import json
import re
from collections.abc import Sequence
from enum import StrEnum
from typing import Any

from pydantic import ValidationError

from calibrant.state.errors import InputError
from calibrant.state.guidance import (
    ApprovalAction,
    ApprovalAnswer,
    ApprovalRequest,
    CallAnswer,
    Guidance,
    GuidanceAction,
    GuidanceAnswer,
    GuidanceRequest,
    HumanRequest,
    PendingCall,
    WordingAction,
    WordingAnswer,
    WordingRequest,
    expected,
)
from calibrant.state.validation import bounded, excerpt, legible, misfit

_KNOWS_NOT = re.compile(
    r"\W*(?:sorry\W+|desculpe?\W+)?(?:i (?:really )?(?:do not|don['’]?t) know|i have no idea|no idea|dunno|idk|not sure"
    r"|i am not sure|i['’]m not sure|(?:eu )?não sei|não faço ideia|nem ideia)(?:\W+(?:either|sorry|yet|também))?\W*",
    re.IGNORECASE,
)
Item = dict[str, Any]
"""One decision in a client's own form."""


def read_answer(request: HumanRequest, raw: Any) -> Guidance:
    """``raw`` as the answer to ``request``. Raises ``InputError`` with one line that says what was expected."""
    given = _in_our_form(request, raw)
    try:
        match request:
            case ApprovalRequest():
                return _approval(request, given)
            case WordingRequest():
                return _wording(request, given)
            case GuidanceRequest():
                return _guidance(request, given)
    except ValidationError:
        raise InputError(f"expected {expected(request)}") from None


def _guidance(request: GuidanceRequest, given: Any) -> Guidance:
    answer = GuidanceAnswer.model_validate(given)
    if answer.action is GuidanceAction.GUIDE and _knows_not(answer.text) and GuidanceAction.SKIP in request.options:
        answer = answer.replace(action=GuidanceAction.SKIP, text="")
    read = _with_text(request, answer.action, answer.text, needs_text=GuidanceAction.GUIDE)
    return read.replace(by_default=answer.by_default)


def _wording(request: WordingRequest, given: Any) -> Guidance:
    answer = WordingAnswer.model_validate(given)
    if answer.action is WordingAction.WRITE and _knows_not(answer.text) and WordingAction.KEEP in request.options:
        answer = answer.replace(action=WordingAction.KEEP, text="")
    if answer.action not in request.options:
        raise InputError(f"the proposal has gaps to fill in; expected {expected(request)}")
    return _with_text(request, answer.action, answer.text, needs_text=WordingAction.WRITE)


def _knows_not(text: str | None) -> bool:
    return _KNOWS_NOT.fullmatch(text or "") is not None


def _with_text(request: HumanRequest, action: StrEnum, text: str | None, *, needs_text: StrEnum) -> Guidance:
    # Half a character is stored as another one: this runs again on each resume, and must read the same.
    text = bounded(legible((text or "").encode(errors="replace").decode()).strip(), "the text")
    if action is needs_text and not text:
        raise InputError(f'"{action}" needs a text')
    return Guidance(request_id=request.id, phase=request.phase, kind=request.kind, action=action.value, text=text)


def _approval(request: ApprovalRequest, given: Any) -> Guidance:
    answer = ApprovalAnswer.model_validate(_for_all_calls(request, given))
    calls = _one_for_each(request, answer.calls)
    for call, pending in zip(calls, request.calls, strict=True):
        if call.action is ApprovalAction.EDIT:
            _check_edited(call, pending)
    rejected = any(call.action is ApprovalAction.REJECT for call in calls)
    action = ApprovalAction.REJECT if rejected else ApprovalAction.APPROVE
    return Guidance(request_id=request.id, phase=request.phase, kind="approval", action=action.value, calls=calls)


def _for_all_calls(request: ApprovalRequest, given: Any) -> Any:
    """``given`` with its one verdict on each of the calls, where it has one verdict for all of them."""
    if not isinstance(given, dict) or "action" not in given or "calls" in given:
        return given
    verdict = given["action"]
    if verdict not in (ApprovalAction.APPROVE, ApprovalAction.REJECT):
        raise InputError(f"expected {expected(request)}")
    said = given.get("message") or given.get("text") or ""
    return {"calls": [{"id": call.id, "action": verdict, "message": said} for call in request.calls]}


def _one_for_each(request: ApprovalRequest, answers: Sequence[CallAnswer]) -> tuple[CallAnswer, ...]:
    """The verdicts in the order of the calls. Raises ``InputError`` for one too many or too few."""
    verdicts = {answer.id: answer for answer in answers}
    unknown = verdicts.keys() - {call.id for call in request.calls}
    if unknown:
        raise InputError(f"no call waits under the id {excerpt(min(unknown))}; {expected(request)}")
    if len(verdicts) < len(answers):
        raise InputError(f"more than one verdict on a call; {expected(request)}, each call once")
    missing = [call.id for call in request.calls if call.id not in verdicts]
    if missing:
        raise InputError(f"no verdict for {', '.join(missing)}; {expected(request)}")
    return tuple(verdicts[call.id] for call in request.calls)


def _check_edited(call: CallAnswer, pending: PendingCall) -> None:
    """Raises ``InputError`` for arguments that the tool does not take: it would be called without some of them."""
    if call.arguments is None:
        raise InputError('"edit" needs arguments')
    if problem := misfit(call.arguments, pending.parameters):
        raise InputError(f"{pending.tool}: {problem}")


def _in_our_form(request: HumanRequest, raw: Any) -> Any:
    """``raw`` as our own form has it; as it is where it is in no form that we know."""
    if isinstance(raw, str):
        return _from_text(request, raw)
    items = _items(raw)
    if not items:
        return raw
    if isinstance(request, ApprovalRequest):
        return {"calls": _calls_from(request, items)}
    return {"action": _INBOX_ACTIONS[request.kind].get(str(items[0]["type"])), "text": _text_in(items[0])}


def _from_text(request: HumanRequest, text: str) -> Any:
    """An action by its name, an answer that was written as JSON (into a field for text), or what a person says."""
    word = text.strip().strip("\"'").casefold()
    # Of a wording all actions count: that the proposal cannot be used is said later.
    if word in (tuple(WordingAction) if isinstance(request, WordingRequest) else request.options):
        return {"action": word}
    try:
        held = json.loads(text)
    except (ValueError, RecursionError):
        held = None
    item = held[0] if isinstance(held, list) and held else held
    if isinstance(item, dict) and item.keys() & {"action", "calls", "decisions", "type"}:
        return _in_our_form(request, held)
    if isinstance(request, ApprovalRequest):
        raise InputError(f"expected {expected(request)}")
    return {"action": "write" if isinstance(request, WordingRequest) else "guide", "text": text}


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
"""What the types of other clients' decisions mean, by the kind of request."""


def _items(raw: Any) -> list[Item]:
    """The decisions in another client's form; none where ``raw`` is in no such form."""
    items = raw["decisions"] if isinstance(raw, dict) and "decisions" in raw else raw
    if isinstance(items, dict):
        items = [items]
    known = isinstance(items, list) and all(isinstance(item, dict) and "type" in item for item in items)
    return items if known else []


def _calls_from(request: ApprovalRequest, items: list[Item]) -> list[dict[str, Any]]:
    """A verdict on each call. One alone is for all of them, except edited arguments: those belong to one call."""
    if len(items) == 1 and items[0]["type"] != "edit":
        items = items * len(request.calls)
    if len(items) != len(request.calls):
        counts = f"the number of decisions ({len(items)}) is not that of the calls ({len(request.calls)})"
        raise InputError(f"{counts}: give one for each call, in their order")
    return [
        {
            "id": call.id,
            "action": _INBOX_ACTIONS["approval"].get(str(item["type"])),
            "arguments": _arguments_in(item, call.tool) if item["type"] == "edit" else None,
            "message": _text_in(item) if item["type"] in ("reject", "response") else "",
        }
        for call, item in zip(request.calls, items, strict=True)
    ]


def _text_in(item: Item) -> str:
    """What a decision says: its text, or the first text among its arguments."""
    said = _unwrapped(item.get("args", item.get("message", "")))
    if isinstance(said, dict):
        said = next((value for value in said.values() if isinstance(value, str)), "")
    return said if isinstance(said, str) else ""


def _arguments_in(item: Item, tool: str) -> dict[str, Any] | None:
    """The arguments as a person has edited them. Raises ``InputError`` where they are those of another tool."""
    held = item.get("edited_action", item.get("args"))
    named = held if isinstance(held, dict) and "args" in held else {}
    if (other := named.get("name", named.get("action", tool))) != tool:
        raise InputError(f"{tool}: the tool cannot be changed (to {excerpt(other)}): edit its arguments, or reject it")
    edited = _unwrapped(held)
    return edited if isinstance(edited, dict) else None


def _unwrapped(args: Any) -> Any:
    """Agent Inbox gives edited arguments with the action's name around them: ``{"action": ..., "args": {...}}``."""
    return args.get("args", args) if isinstance(args, dict) else args
