"""What can go wrong at an endpoint, told apart by what it means for us.

A foreign error may hold the key (in its request), the prompt or a page. None of it reaches the user: every fault
becomes one of our errors, with one safe line. ``diagnosis`` tells which fault it is.
"""

from dataclasses import dataclass
from enum import Enum, auto

from calibrant.state.errors import (
    MalformedOutput,
    ModelError,
    ModelLimited,
    ModelRefused,
    ModelTimeout,
    ModelUnreachable,
    ModelUnusable,
    PromptTooLong,
)


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
    NO_ADDRESS = auto()
    """Somebody is there, but takes no chat completions at this address."""
    TOO_LONG = auto()
    REFUSED = auto()
    PARAMETER = auto()
    """The endpoint refuses an optional parameter."""
    UNSUPPORTED = auto()
    """The endpoint says that it does not know what this rung of the ladder asks for."""
    REJECTED = auto()
    """The endpoint does not like the request, and does not say that the rung is to blame: it may be."""
    NO_REPLY = auto()
    """A model was at work and nothing came of it: an empty reply, or one that its server could not fit to the schema.
    The next one may be better, so it proves little about the rung."""
    CUT_OFF = auto()
    """The reply reached its cap, and its server keeps what there is of it."""
    UNREADABLE = auto()
    """A completion came, in a form of which the client can make no message: a tool call of an odd shape."""
    FOREIGN = auto()
    """What came back is no chat completion, or the client failed in its own way."""


UNHEARD = frozenset({Fault.PARAMETER, Fault.UNSUPPORTED, Fault.REJECTED})
"""How the call was made is refused, at once: no model was at work."""
TRANSIENT = frozenset({Fault.LIMITED, Fault.SERVER, Fault.CONNECTION})
"""Worth one more try."""
RUNG = frozenset({Fault.UNSUPPORTED, Fault.REJECTED, Fault.NO_REPLY, Fault.UNREADABLE})
"""Worth a try on the next rung."""
BILLED = frozenset({Fault.TIMEOUT, Fault.NO_REPLY, Fault.UNREADABLE})
"""The prompt was received, and will be billed; a refused one is not."""


@dataclass(frozen=True)
class Failed:
    """One failed call: the kind, the status, how long the endpoint asks to wait, the class of the foreign error, the
    parameter that is to blame, and the file and line where a model of the embedder's own raised it."""

    fault: Fault
    status: int | None = None
    retry_after: float | None = None
    kind: str = ""
    parameter: str = ""
    place: str = ""


def error_of(failed: Failed, model: str, host: str, patience: str) -> ModelError:
    """The fault as one of our errors, with one line that says what to do."""
    who = model or "the model"
    match failed.fault:
        case Fault.TIMEOUT:
            return ModelTimeout(f"{who} did not answer within {patience}")
        case Fault.LIMITED:
            wait = f" (it asks to wait {failed.retry_after:g} s)" if failed.retry_after else ""
            return ModelLimited(f"{host} is rate-limiting requests{wait}", failed.retry_after)
        case Fault.QUOTA:
            return ModelUnusable(f"the quota at {host} is used up: check the plan and billing of the account")
        case Fault.REFUSED:
            return ModelRefused(f"{who} declined to answer")
        case Fault.NO_REPLY | Fault.CUT_OFF:
            return MalformedOutput(f"{who} gave no reply that can be used")
        case Fault.TOO_LONG:
            return PromptTooLong(f"the prompt is longer than {who} can take")
        case Fault.SERVER | Fault.CONNECTION | Fault.FOREIGN:
            return ModelUnreachable(_line(failed, who, host))
        case _:
            return ModelUnusable(_line(failed, who, host))


def _line(failed: Failed, who: str, host: str) -> str:
    status = f" with status {failed.status}" if failed.status else ""
    match failed.fault:
        case Fault.KEY:
            return "the endpoint refused the key: set CALIBRANT_MODEL_API_KEY"
        case Fault.FORBIDDEN:
            return f"{host} does not allow this key to use {who}"
        case Fault.NO_MODEL:
            return f"{host} has no model named {who}: check the model's name"
        case Fault.NO_ADDRESS:
            return f"{host} takes no chat completions at the base URL (status {failed.status}): it often ends in /v1"
        case Fault.CONNECTION:
            return f"cannot reach {host}"
        case Fault.SERVER:
            return f"{host} failed{status}"
        case Fault.FOREIGN if failed.place:
            return f"the model raised {failed.kind} at {failed.place}"
        case Fault.FOREIGN:
            return f"{host} did not return a chat completion ({failed.kind}): check the base URL"
        case _:
            return f"{host} rejected the request{status}"
