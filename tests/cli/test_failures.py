"""Every kind of error: its exit code and its one line."""

import errno
import sqlite3

import click
import pytest

from calibrant.interfaces.failures import WIDEST, Exit, Stopped, one_line, report, verdict
from calibrant.state.errors import ConfigurationError, InputError, KnowledgeError, ModelLimited


@pytest.mark.parametrize(
    ("error", "code", "says"),
    [
        (InputError("the question is empty"), Exit.BAD_INPUT, "the question is empty"),
        (ConfigurationError("power: 9"), Exit.BAD_INPUT, "power: 9"),
        (KnowledgeError("docs: damaged"), Exit.BAD_INPUT, "docs: damaged"),
        (ModelLimited("too many requests"), Exit.FAILED, "too many requests"),
        (sqlite3.DatabaseError("file is not a database"), Exit.BAD_INPUT, "calibrant doctor"),
        (sqlite3.OperationalError("database is locked"), Exit.FAILED, "in use by another process"),
        (sqlite3.OperationalError("database or disk is full"), Exit.FAILED, "no space is left"),
        (sqlite3.OperationalError("disk I/O error"), Exit.FAILED, "the disk may be full, or failing"),
        (sqlite3.OperationalError("attempt to write a readonly database"), Exit.BAD_INPUT, "is read-only"),
        (sqlite3.OperationalError("unable to open database file"), Exit.BAD_INPUT, "can be read and written"),
        (OSError(errno.ENOSPC, "No space left on device", "/data/x"), Exit.FAILED, "no space is left"),
        (PermissionError(13, "Permission denied", "/root/x"), Exit.BAD_INPUT, "/root/x: permission denied"),
        (RuntimeError("boom"), Exit.FAILED, "RuntimeError: boom"),
        (Stopped("go on later"), Exit.STOPPED, "go on later"),
        (KeyboardInterrupt(), Exit.STOPPED, "stopped"),
        (click.Abort(), Exit.STOPPED, "stopped"),
    ],
)
def test_verdict(error: BaseException, code: Exit, says: str) -> None:
    given, message = verdict(error)
    assert given is code
    assert says in message


def test_a_report_is_one_line_without_a_traceback(capsys: pytest.CaptureFixture[str]) -> None:
    assert report(RuntimeError("first\nsecond")) is Exit.FAILED
    written = capsys.readouterr()
    assert written.out == ""
    assert written.err == "calibrant: failed: RuntimeError: first second (`calibrant --debug ...` shows where)\n"


def test_debug_shows_the_traceback(capsys: pytest.CaptureFixture[str]) -> None:
    report(RuntimeError("boom"), debug=True)
    assert "RuntimeError: boom" in capsys.readouterr().err.splitlines()
    report(Stopped("go on"), debug=True)
    assert "Traceback" not in capsys.readouterr().err


def test_a_long_message_is_cut() -> None:
    assert len(one_line("word " * 1000)) == WIDEST
