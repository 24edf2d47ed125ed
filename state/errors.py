"""The error tree, and failures as values.

    CalibrantError                    what a user may see: one line that says what to do
    ├── InputError                    a bad question, path, option or thread (exit code 2)
    │   └── ConfigurationError        a bad setting: names the setting and where it came from
    ├── KnowledgeError                the knowledge base cannot be read or written
    ├── SourceError                   a source could not answer
    │   ├── SourceTimeout
    │   ├── SourceLimited             rate-limited; ``retry_after`` in seconds where the service said so
    │   └── SourceEmpty               it has nothing yet that could be searched: no failure
    └── ModelError                    a model could not answer
        ├── ModelTimeout
        ├── ModelLimited              rate-limited; ``retry_after`` in seconds where the endpoint said so
        ├── ModelRefused
        ├── ModelUnreachable          nobody is there, or the endpoint fails by itself
        ├── PromptTooLong
        ├── ModelUnusable             a wrong key, name or plan: asking again is futile
        └── MalformedOutput           it answered, but not in the schema

A failure inside the graph is not an exception but a ``Failure`` in state: it lowers coverage and is named in the
output, and never stands for "nothing found".
"""

import re
import sysconfig
from enum import StrEnum
from traceback import walk_tb

from calibrant.state.base import Value
from calibrant.state.budget import Spend


class CalibrantError(Exception):
    """The root of the tree. ``str(error)`` is one line meant for the user."""


class InputError(CalibrantError, ValueError):
    """The user gave something that cannot be worked with.

    Also a ``ValueError``: the LangGraph server withholds the message of errors whose type it does not know.
    """


class ConfigurationError(InputError):
    """A setting is missing or wrong."""


class KnowledgeError(CalibrantError):
    """A knowledge base cannot be opened, read or written."""


class SourceError(CalibrantError):
    """A source could not answer."""


class SourceTimeout(SourceError):
    """A source did not answer within its deadline."""


class SourceLimited(SourceError):
    """A source refused for now: its rate limit, or ours for it, is reached."""

    def __init__(self, message: str, retry_after: float | None = None) -> None:
        super().__init__(message)
        self.retry_after = retry_after


class SourceEmpty(SourceError):
    """A source has nothing yet that could be searched."""


class ModelError(CalibrantError):
    """A language model could not answer. ``spend`` is what the failed calls cost all the same."""

    spend: Spend = Spend()


class ModelTimeout(ModelError):
    """The model did not answer in time."""


class ModelLimited(ModelError):
    """The model's endpoint is rate-limiting us."""

    def __init__(self, message: str, retry_after: float | None = None) -> None:
        super().__init__(message)
        self.retry_after = retry_after


class ModelRefused(ModelError):
    """The model declined to answer."""


class ModelUnreachable(ModelError):
    """The endpoint is not there, or fails by itself."""


class PromptTooLong(ModelError):
    """The prompt does not fit into the model's context."""


class ModelUnusable(ModelError):
    """The endpoint will answer nothing as it is configured: a wrong key or name, no permission, a used-up quota."""


class MalformedOutput(ModelError):
    """The model's output does not fit the schema, after every rung of the ladder."""


class FailureKind(StrEnum):
    """What went wrong, as far as a decision needs to know it."""

    TIMEOUT = "timeout"
    LIMITED = "limited"
    REFUSED = "refused"
    MALFORMED = "malformed"
    MISSING = "missing"
    UNAVAILABLE = "unavailable"
    LEFT_ALONE = "left_alone"
    """Not asked: it has kept failing."""
    UNKNOWN = "unknown"
    """A call was begun and its outcome was lost: it may have happened."""
    ERROR = "error"


class Failure(Value):
    """Something that failed, as data. ``where`` names the source, tool or model; ``message`` is one safe line."""

    kind: FailureKind
    where: str
    message: str

    @property
    def signature(self) -> str:
        """Two failures with one signature are the same failure (kind, place and message)."""
        return f"{self.kind}:{self.where}:{self.message}"


_SLASH = r"[/\\]"
_LIBRARIES = ("site-packages", "<", sysconfig.get_path("stdlib"))
"""In files of these, as in ours, a reader would look in vain for what went wrong."""

_KINDS: tuple[tuple[type[BaseException], FailureKind], ...] = (
    (SourceTimeout, FailureKind.TIMEOUT),
    (ModelTimeout, FailureKind.TIMEOUT),
    (TimeoutError, FailureKind.TIMEOUT),
    (SourceLimited, FailureKind.LIMITED),
    (ModelLimited, FailureKind.LIMITED),
    (ModelRefused, FailureKind.REFUSED),
    (MalformedOutput, FailureKind.MALFORMED),
    (ModelUnreachable, FailureKind.UNAVAILABLE),
    (FileNotFoundError, FailureKind.MISSING),
    (SourceError, FailureKind.UNAVAILABLE),
    (KnowledgeError, FailureKind.UNAVAILABLE),
    (ConnectionError, FailureKind.UNAVAILABLE),
)


def failure_of(error: BaseException, where: str) -> Failure:
    """``error`` as a ``Failure``. Only our own messages are kept, and the name of a file that is not there: a foreign
    message may hold a secret or a page."""
    kind = next((kind for cls, kind in _KINDS if isinstance(error, cls)), FailureKind.ERROR)
    message = str(error) if isinstance(error, CalibrantError) else _foreign(error, kind)
    return Failure(kind=kind, where=where, message=message.splitlines()[0][:300] if message else kind.value)


def _foreign(error: BaseException, kind: FailureKind) -> str:
    """The class of a foreign error; for a missing file also its name, without the folders that lead to it, and for what
    is probably a bug the place."""
    if isinstance(error, FileNotFoundError) and isinstance(error.filename, str):
        name = re.split(_SLASH, error.filename.rstrip("/"))[-1]
        return f"there is no file {name}"
    return raised(error) if kind is FailureKind.ERROR else type(error).__name__


def raised(error: BaseException) -> str:
    """The kind of an error of somebody else's code, and where that raised it."""
    place = place_of(error)
    return f"{type(error).__name__} at {place}" if place else type(error).__name__


def place_of(error: BaseException) -> str:
    """File and line in somebody else's code that raised ``error``; empty where only libraries and we did. What an error
    says may hold a secret, the name of its file does not."""
    place = ""
    for frame, line in walk_tb(error.__traceback__):
        file = frame.f_code.co_filename
        is_ours = frame.f_globals.get("__name__", "").startswith("calibrant.")
        if not is_ours and not any(part in file for part in _LIBRARIES):
            place = f"{re.split(_SLASH, file)[-1]}:{line}"
    return place


def how_to_install(extra: str) -> str:
    """How to add an extra of ours. From the clone: what stands under our name on the package index is not ours."""
    return f'in the clone of Calibrant, python -m pip install -c constraints.txt ".[{extra}]"'
