"""What can go wrong at an endpoint, told apart by what it means for us.

A foreign error may hold the key (in its request), the prompt or a page. None of it reaches the user: every fault
becomes one of our errors, with one safe line. Providers agree on few things, so an error is recognised by its
LangChain class, its HTTP status, or, for what no status tells, words in the endpoint's message.
"""

import asyncio
import re
from dataclasses import dataclass
from enum import Enum, auto
from typing import Any

from langchain_core import exceptions as langchain

from calibrant.state.errors import ModelError, ModelLimited, ModelRefused, ModelTimeout, ModelUnusable


class Fault(Enum):
    """A kind of failure of one call."""

    TIMEOUT = auto()
    LIMITED = auto()
    QUOTA = auto()
    SERVER = auto()
    CONNECTION = auto()
    KEY = auto()
    FORBIDDEN = auto()
    NO_MODEL = auto()
    TOO_LONG = auto()
    REFUSED = auto()
    UNSUPPORTED = auto()
    """The endpoint says that it does not know what this rung of the ladder asks for."""
    REJECTED = auto()
    """The endpoint does not like the request, and does not say that the rung is to blame: it may be."""
    FOREIGN = auto()
    """What came back is no chat completion, or the client failed in its own way."""


TRANSIENT = frozenset({Fault.LIMITED, Fault.SERVER, Fault.CONNECTION})
"""Worth one more try."""

RUNG = frozenset({Fault.UNSUPPORTED, Fault.REJECTED})
"""Worth a try on the next rung."""


@dataclass(frozen=True)
class Failed:
    """One failed call: the kind, the status, how long the endpoint asks to wait, the class of the foreign error."""

    fault: Fault
    status: int | None = None
    retry_after: float | None = None
    kind: str = ""


_CLASSES: tuple[tuple[tuple[type[BaseException], ...], Fault], ...] = (
    ((TimeoutError, asyncio.TimeoutError, langchain.ModelTimeoutError), Fault.TIMEOUT),
    ((langchain.ContextOverflowError,), Fault.TOO_LONG),
    ((NotImplementedError,), Fault.UNSUPPORTED),
    ((ConnectionError, langchain.ModelConnectionError), Fault.CONNECTION),
)
_STATUSES = {401: Fault.KEY, 403: Fault.FORBIDDEN, 408: Fault.TIMEOUT, 429: Fault.LIMITED}
_NAMES = {"ContentFilterFinishReasonError": Fault.REFUSED, "OpenAIRefusalError": Fault.REFUSED}

_QUOTA = re.compile(r"insufficient_quota|exceeded your current quota|billing|credit", re.IGNORECASE)
_TOO_LONG = re.compile(r"context[_ ]length|context window|maximum context|too many tokens|prompt is too long", re.I)
_POLICY = re.compile(r"content[_ ](?:filter|policy|management)|safety system|responsible ?ai", re.IGNORECASE)
_NO_MODEL = re.compile(
    r"model_not_found|model.{0,80}(?:not found|does not exist|not exist|unknown)|no such model", re.I
)
_UNSUPPORTED = re.compile(
    r"response_format|json_schema|structured output|tool_choice|\btools?\b|function.?call"
    r"|not (?:be )?support|unsupported|not permitted|extra inputs|unrecognized|unexpected (?:field|keyword)",
    re.IGNORECASE,
)
_OTHER_PARAMETERS = frozenset({"model", "temperature", "max_tokens", "max_completion_tokens", "messages", "stream"})


def diagnose(error: BaseException) -> Failed:
    """``error`` as one of the kinds above."""
    status = getattr(error, "status_code", None)
    status = status if isinstance(status, int) else None
    return Failed(_fault(error, status), status, _retry_after(error), type(error).__name__)


def _fault(error: BaseException, status: int | None) -> Fault:
    words = _words(error)
    for classes, fault in _CLASSES:
        if isinstance(error, classes):
            return fault
    if type(error).__name__ in _NAMES:
        return _NAMES[type(error).__name__]
    if status == 429 and _QUOTA.search(words):
        return Fault.QUOTA
    if status in _STATUSES:
        return _STATUSES[status]
    if status in (400, 404, 405, 413, 415, 422, 501):
        return _rejected(words, status, str(getattr(error, "param", "") or ""))
    return Fault.SERVER if status is not None and status >= 500 else Fault.FOREIGN


def _rejected(words: str, status: int, parameter: str) -> Fault:
    """A refused request: its length, its content, its model, the rung, or something that no one names."""
    for pattern, fault in ((_TOO_LONG, Fault.TOO_LONG), (_POLICY, Fault.REFUSED), (_NO_MODEL, Fault.NO_MODEL)):
        if pattern.search(words):
            return fault
    if status != 413 and parameter not in _OTHER_PARAMETERS and (status == 501 or _UNSUPPORTED.search(words)):
        return Fault.UNSUPPORTED
    return Fault.TOO_LONG if status == 413 else Fault.REJECTED


def _words(error: BaseException) -> str:
    """The endpoint's own message and code. For recognition only: it is never shown."""
    parts = (getattr(error, name, "") for name in ("message", "code", "param", "body"))
    return " ".join(str(part) for part in parts if part)[:4000] or str(error)[:4000]


def _retry_after(error: BaseException) -> float | None:
    """Seconds to wait, if the endpoint said so in seconds. A date is not worth its clock trouble."""
    headers: Any = getattr(getattr(error, "response", None), "headers", None) or {}
    try:
        return max(0.0, float(headers.get("retry-after", "")))
    except (TypeError, ValueError):
        return None


def error_of(failed: Failed, model: str, host: str, seconds: float) -> ModelError:
    """The fault as one of our errors, with one line that says what to do."""
    who = model or "the model"
    match failed.fault:
        case Fault.TIMEOUT:
            return ModelTimeout(f"{who} did not answer within {seconds:.1f} s")
        case Fault.LIMITED:
            wait = f" (it asks to wait {failed.retry_after:g} s)" if failed.retry_after else ""
            return ModelLimited(f"{host} is rate-limiting requests{wait}")
        case Fault.QUOTA:
            return ModelUnusable(f"the quota at {host} is used up: check the plan and billing of the account")
        case Fault.REFUSED:
            return ModelRefused(f"{who} declined to answer")
        case Fault.KEY | Fault.FORBIDDEN | Fault.NO_MODEL:
            return ModelUnusable(_line(failed, who, host))
        case _:
            return ModelError(_line(failed, who, host))


def _line(failed: Failed, who: str, host: str) -> str:
    match failed.fault:
        case Fault.KEY:
            return "the endpoint refused the key: set CALIBRANT_MODEL_API_KEY"
        case Fault.FORBIDDEN:
            return f"{host} does not allow this key to use {who}"
        case Fault.NO_MODEL:
            return f"{host} has no model named {who}: check the model's name"
        case Fault.TOO_LONG:
            return f"the prompt is longer than {who} can take"
        case Fault.CONNECTION:
            return f"cannot reach {host}"
        case Fault.SERVER:
            return f"{host} failed with status {failed.status}"
        case Fault.UNSUPPORTED | Fault.REJECTED:
            return f"{host} rejected the request" + (f" with status {failed.status}" if failed.status else "")
        case _:
            return f"{host} did not return a chat completion ({failed.kind}): check the base URL"
