"""The error tree, and failures as values: kinds, one safe line, nothing foreign."""

import json
import re

import pytest

from calibrant.state import errors
from calibrant.state.errors import (
    CalibrantError,
    ConfigurationError,
    FailureKind,
    InputError,
    KnowledgeError,
    MalformedOutput,
    ModelLimited,
    ModelRefused,
    ModelTimeout,
    SourceError,
    SourceLimited,
    SourceTimeout,
    failure_of,
)


@pytest.mark.parametrize(
    ("error", "kind"),
    [
        (SourceTimeout("late"), FailureKind.TIMEOUT),
        (ModelTimeout("late"), FailureKind.TIMEOUT),
        (TimeoutError(), FailureKind.TIMEOUT),
        (SourceLimited("too many", retry_after=3.0), FailureKind.LIMITED),
        (ModelLimited("too many"), FailureKind.LIMITED),
        (ModelRefused("no"), FailureKind.REFUSED),
        (MalformedOutput("no JSON"), FailureKind.MALFORMED),
        (FileNotFoundError("x"), FailureKind.MISSING),
        (SourceError("down"), FailureKind.UNAVAILABLE),
        (KnowledgeError("corrupt"), FailureKind.UNAVAILABLE),
        (ConnectionRefusedError(), FailureKind.UNAVAILABLE),
        (ValueError("x"), FailureKind.ERROR),
    ],
)
def test_kinds(error: Exception, kind: FailureKind) -> None:
    """The most particular kind."""
    failure = failure_of(error, "web")
    assert (failure.kind, failure.where) == (kind, "web")
    assert failure.message


def test_our_own_messages_are_kept_in_one_line() -> None:
    """The first, at a readable length."""
    assert failure_of(SourceError("down\nTraceback ..."), "web").message == "down"
    assert len(failure_of(SourceError("x" * 1000), "web").message) == 300


def test_foreign_messages_are_not() -> None:
    """They may hold a key or a page."""
    failure = failure_of(ValueError("Authorization: Bearer secret"), "web")
    assert failure.message == "ValueError"
    assert "secret" not in failure.model_dump_json()


def test_what_is_probably_a_bug_is_told_with_its_place() -> None:
    """Of the code that is neither ours nor a library's, the last that was called."""
    with pytest.raises(ValueError, match="Expecting") as caught:
        json.loads("{")
    assert re.fullmatch(r"JSONDecodeError at test_errors\.py:\d+", failure_of(caught.value, "mine").message)
    with pytest.raises(ConnectionResetError) as broken:
        raise ConnectionResetError
    assert failure_of(broken.value, "mine").message == "ConnectionResetError"


def test_a_missing_file_is_named_without_the_way_to_it() -> None:
    """A person who is asked needs the name; the folders may say more than they should."""
    assert (
        failure_of(FileNotFoundError(2, "no", "/home/ana/secret/helper.ts"), "x").message
        == "there is no file helper.ts"
    )
    assert failure_of(FileNotFoundError(2, "no", r"C:\ana\helper.ts"), "x").message == "there is no file helper.ts"
    assert failure_of(FileNotFoundError("helper.ts: see /home/ana"), "x").message == "FileNotFoundError"


def test_an_error_without_a_message_still_says_something() -> None:
    """Its kind."""
    assert failure_of(SourceError(), "web").message == "unavailable"


def test_the_same_failure_has_the_same_signature() -> None:
    """Kind, place and message."""
    one, other = failure_of(SourceTimeout("late"), "web"), failure_of(SourceTimeout("late"), "web")
    assert one.signature == other.signature
    assert one.signature != failure_of(SourceTimeout("late"), "arxiv").signature


def test_every_error_stands_in_the_drawn_tree() -> None:
    """The module's docstring shows them all, and all of them are ours."""
    ours = [cls for cls in vars(errors).values() if isinstance(cls, type) and issubclass(cls, BaseException)]
    assert all(issubclass(cls, CalibrantError) for cls in ours)
    assert [cls.__name__ for cls in ours if cls.__name__ not in (errors.__doc__ or "")] == []
    assert issubclass(ConfigurationError, InputError)
