"""What went wrong at an endpoint, recognised.

Providers agree on few things, so an error is recognised by its LangChain class, its HTTP status, or, for what no status
tells, words in the endpoint's message.
"""

import asyncio
import json
import re
from collections.abc import Collection
from typing import Any

from langchain_core import exceptions as langchain
from pydantic import ValidationError

from calibrant.judges.model.faults import Failed, Fault
from calibrant.judges.model.parameters import EFFORT, NAMES, SYSTEM
from calibrant.state.errors import place_of

_CLASSES: tuple[tuple[tuple[type[BaseException], ...], Fault], ...] = (
    ((TimeoutError, asyncio.TimeoutError, langchain.ModelTimeoutError), Fault.TIMEOUT),
    ((langchain.ContextOverflowError,), Fault.TOO_LONG),
    ((NotImplementedError,), Fault.UNSUPPORTED),
    ((ConnectionError, langchain.ModelConnectionError), Fault.CONNECTION),
    ((ValidationError,), Fault.UNREADABLE),
)
_STATUSES = {401: Fault.KEY, 402: Fault.QUOTA, 403: Fault.FORBIDDEN, 429: Fault.LIMITED}
_NAMES = {"ContentFilterFinishReasonError": Fault.REFUSED, "OpenAIRefusalError": Fault.REFUSED}
_QUOTA = re.compile(r"exceeded your current quota|billing|credit", re.IGNORECASE)
_LIMIT = re.compile(r"rate[_ -]?limit|too many requests|insufficient_quota", re.IGNORECASE)
_UNIT = r"(?:ms|milliseconds?|s|secs?|seconds?|m|mins?|minutes?|h|hours?|d|days?)(?![a-z])"
_WAIT = re.compile(
    rf"(?:(?:try again|retry) (?:in|after)|retryDelay\W+)\s*((?:\d+(?:\.\d+)?\s*{_UNIT}[\s,]*)+)", re.IGNORECASE
)
_LENGTH = re.compile(r"(\d+(?:\.\d+)?)\s*(ms|mil|[smhd])", re.IGNORECASE)
_SECONDS = {"ms": 0.001, "mil": 0.001, "s": 1.0, "m": 60.0, "h": 3600.0, "d": 86400.0}
_TOO_LONG = re.compile(
    r"context[_ ](?:length|size|window)|maximum context|too many tokens|(?:prompt|input|request) is too (?:long|large)"
    r"|input.{0,40}exceeds? the|max_new_tokens. must be",
    re.IGNORECASE,
)
_POLICY = re.compile(
    r"content[_ ](?:filter|policy|management)|safety system|responsible ?ai|usage polic|\bflagged\b|invalid_prompt"
    r"|content exists risk|data_inspection_failed|inappropriate content",
    re.IGNORECASE,
)
_KEY = re.compile(r"api[_ ]key[_ ](?:not valid|invalid)|(?:invalid|incorrect) api[_ ]key", re.IGNORECASE)
_NO_MONEY = re.compile(r"credit balance|insufficient (?:balance|credit|funds)", re.IGNORECASE)
_NO_MODEL = re.compile(
    r"model_not_found|(?:model|deployment).{0,80}(?:not found|does not exist|not exist|unknown)|no such model"
    r"|no endpoints (?:found|available)(?! that)",
    re.IGNORECASE,
)
_NO_REPLY = re.compile(r"failed_generation|json_validate_failed|tool_use_failed")
_CUT_OFF = re.compile(r"max(?:imum)? completion tokens (?:were )?reached", re.IGNORECASE)
_ASKED = re.compile(
    r"response_format|json_schema|structured output|tool_choice|\btools?\b|function.?call|grammar", re.IGNORECASE
)
"""What a rung asks for."""
_UNKNOWN = re.compile(
    r"not (?:be )?support|unsupported|not permitted|extra inputs|unrecognized|unexpected (?:field|keyword)"
    r"|no endpoints found that",
    re.IGNORECASE,
)
"""How an endpoint says that it does not know something."""
_PARAMETER = re.compile(rf"\b({'|'.join(map(re.escape, NAMES))})\b")
_THINKING = re.compile(r"(?<![\w/.-])(?:think|thinking|thinking_budget|reasoning)(?![\w/-])", re.IGNORECASE)
"""Thinking, but not in the name of a model nor in an address."""
_SYSTEM = re.compile(
    r"system role|got system|roles must alternate|only user and assistant|(?:system|developer) instruction",
    re.IGNORECASE,
)
_OTHER_PARAMETERS = frozenset({"model", "messages", "stream"})
_REJECTIONS = (
    # First what quotes the model: its words may be any.
    (_CUT_OFF, Fault.CUT_OFF),
    (_NO_REPLY, Fault.NO_REPLY),
    (_TOO_LONG, Fault.TOO_LONG),
    (_POLICY, Fault.REFUSED),
    (_KEY, Fault.KEY),
    (_NO_MONEY, Fault.QUOTA),
    (_NO_MODEL, Fault.NO_MODEL),
)


def diagnose(error: BaseException, sent: Collection[str] = ()) -> Failed:
    """``error`` as one of the kinds above. ``sent`` names the optional parameters that went with the call."""
    status, words = _status(error), _words(error)
    blamed, retry_after = _blamed(error, words, sent), _retry_after(error, words)
    fault = _fault(error, status, words, blamed)
    if fault is Fault.LIMITED and _is_used_up(words, retry_after):
        fault = Fault.QUOTA
    return Failed(fault, status, retry_after, type(error).__name__, blamed, place_of(error))


def _status(error: BaseException) -> int | None:
    """The status of the response, or the one that a gateway reports in the body of a response of status 200."""
    status = getattr(error, "status_code", None) or _told_inside(error).get("code")
    return status if isinstance(status, int) else None


def _told_inside(error: BaseException) -> dict[str, Any]:
    """The error that the body of a response of status 200 holds in place of a completion."""
    if error.args and isinstance(error.args[0], dict):
        return error.args[0]
    try:
        body = json.loads(getattr(getattr(error, "response", None), "text", ""))
    except (TypeError, ValueError):
        return {}
    inner = body.get("error") if isinstance(body, dict) else None
    if isinstance(inner, str):
        return {"message": inner}
    return inner if isinstance(inner, dict) else {}


def _param(error: BaseException) -> str:
    """The parameter that the endpoint's error has a field for."""
    return str(getattr(error, "param", "") or "")


def _blamed(error: BaseException, words: str, sent: Collection[str]) -> str:
    """The optional parameter that the endpoint names first: the ones after it are what it advises.

    Servers pass the effort on under names of their own, and speak of thinking where nobody asked for it too: it is to
    blame only where it was sent.
    """
    if _SYSTEM.search(words):
        return SYSTEM
    named = [NAMES[name] for name in _PARAMETER.findall(f"{_param(error)} {words}")]
    if _THINKING.search(words) and not _ASKED.search(words):
        named.append(EFFORT)
    return next((name for name in named if name != EFFORT or name in sent), "")


def _is_used_up(words: str, retry_after: float | None) -> bool:
    """Whether a limit is a quota that is used up. One that passes speaks of plans and billing too, but names a time."""
    return "insufficient_quota" in words or bool(retry_after is None and _QUOTA.search(words))


def _fault(error: BaseException, status: int | None, words: str, blamed: str) -> Fault:
    for classes, fault in _CLASSES:
        if isinstance(error, classes):
            return fault
    if type(error).__name__ in _NAMES:
        return _NAMES[type(error).__name__]
    if status == 403 and _POLICY.search(words):
        return Fault.REFUSED
    if status in _STATUSES:
        return _STATUSES[status]
    if status in (400, 404, 405, 413, 415, 422, 501):
        return _rejected(words, status, _param(error), blamed)
    if status is None or status < 300:
        return _told(error, words)
    return _broken(words, blamed) if status >= 500 else Fault.SERVER


def _told(error: BaseException, words: str) -> Fault:
    """What stands in the place of a completion, by its words: it came with no status that tells."""
    if not _told_inside(error):
        return Fault.FOREIGN
    if _LIMIT.search(words) or _QUOTA.search(words):
        return Fault.LIMITED  # as long as nothing says that it is used up
    return _known(words) or Fault.FOREIGN


def _known(words: str) -> Fault | None:
    """What an endpoint's words tell, however it rejects a request."""
    return next((fault for pattern, fault in _REJECTIONS if pattern.search(words)), None)


def _broken(words: str, blamed: str) -> Fault:
    """A server that failed: by itself, or over what it cannot do, if it says so."""
    if blamed == SYSTEM or (blamed and _UNKNOWN.search(words)):
        return Fault.PARAMETER
    return Fault.UNSUPPORTED if _unsupported(words) else Fault.SERVER


def _unsupported(words: str) -> bool:
    return bool(_ASKED.search(words) or _UNKNOWN.search(words))


def _rejected(words: str, status: int, parameter: str, blamed: str) -> Fault:
    """A refused request: its length, its content, its key, its model, a parameter, the rung, or something that no one
    names."""
    if known := _known(words):
        return known
    if blamed:
        return Fault.PARAMETER
    if status != 413 and parameter not in _OTHER_PARAMETERS and (status == 501 or _unsupported(words)):
        return Fault.UNSUPPORTED
    if status in (404, 405):
        return Fault.NO_ADDRESS
    return Fault.TOO_LONG if status == 413 else Fault.REJECTED


def _words(error: BaseException) -> str:
    """The endpoint's own message and code. For recognition only: it is never shown."""
    parts = (*(getattr(error, name, "") for name in ("message", "code", "param", "body")), _told_inside(error))
    return " ".join(str(part) for part in parts if part)[:4000] or str(error)[:4000]


def _retry_after(error: BaseException, words: str) -> float | None:
    """Seconds to wait, if the endpoint said so in its header or its words. A date is not worth its clock trouble."""
    headers: Any = getattr(getattr(error, "response", None), "headers", None) or {}
    try:
        return max(0.0, float(headers.get("retry-after", "")))
    except (TypeError, ValueError):
        told = _WAIT.search(words)
    return sum(float(n) * _SECONDS[unit.lower()] for n, unit in _LENGTH.findall(told.group(1))) if told else None
