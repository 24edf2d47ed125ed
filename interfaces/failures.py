"""How a command ends: exit codes, and every error as one line on stderr. The only place where that is decided.

0    answered, or nothing was asked ("thanks"), or done
1    something failed
2    bad input: the line says what to do
3    abstained: the evidence does not carry an answer
4    a question waits for an answer: ``calibrant resume`` gives it
130  stopped by Ctrl-C: ``calibrant resume`` goes on
"""

import sys
import traceback
from enum import IntEnum
from typing import TYPE_CHECKING

import click

from calibrant.interfaces.lines import say
from calibrant.interfaces.printable import printable

if TYPE_CHECKING:
    import logging

    from calibrant.interfaces.session import Outcome

WIDEST = 700
"""A line on stderr is cut here: a foreign message may hold a page."""


class Exit(IntEnum):
    """What a command returns to the shell."""

    DONE = 0
    FAILED = 1
    BAD_INPUT = 2
    ABSTAINED = 3
    WAITING = 4
    STOPPED = 130


class Stopped(Exception):
    """Ctrl-C, once everything is put away. ``str(error)`` says how to go on."""


class Unstored(Exception):
    """A run that came to its end, which could not be stored. Its ``__cause__`` says why; ``outcome`` is what it ended
    with."""

    def __init__(self, outcome: "Outcome") -> None:
        super().__init__("the end of the run could not be stored")
        self.outcome = outcome


def report(error: BaseException, *, debug: bool = False) -> Exit:
    """Tell the user about ``error`` in one line and give the exit code that goes with it."""
    if debug and not isinstance(error, (KeyboardInterrupt, click.Abort, Stopped)):
        traceback.print_exception(error, file=sys.stderr)
    code, message = verdict(error)
    say(f"calibrant: {one_line(message)}")
    return code


def verdict(error: BaseException) -> tuple[Exit, str]:
    """The exit code and the message of ``error``."""
    if isinstance(error, (Stopped, KeyboardInterrupt, click.Abort)):
        return Exit.STOPPED, str(error) or "stopped"
    if isinstance(error, click.ClickException):
        return Exit.BAD_INPUT, _usage(error)
    if isinstance(error, Unstored) and error.__cause__ is not None:
        return Exit.FAILED, f"the answer is not kept in its thread: {verdict(error.__cause__)[1]}"
    return _ours(error) or _systems(error) or (Exit.FAILED, _unexpected(error))


def _usage(error: click.ClickException) -> str:
    message = error.format_message()
    context = getattr(error, "ctx", None)
    help_line = f" (see `{context.command_path} --help`)" if context is not None else ""
    return message.rstrip(".") + help_line


def _ours(error: BaseException) -> tuple[Exit, str] | None:
    """Errors of our own tree: what the user can put right is bad input, a service that fails is not."""
    from calibrant.state.errors import CalibrantError, ModelError, SourceError

    if isinstance(error, (ModelError, SourceError)):
        return Exit.FAILED, str(error)
    return (Exit.BAD_INPUT, str(error)) if isinstance(error, CalibrantError) else None


def _systems(error: BaseException) -> tuple[Exit, str] | None:
    """What the file system or SQLite refuses: the user's to put right."""
    import errno
    import sqlite3

    said = str(error) if isinstance(error, sqlite3.OperationalError) else ""
    if "disk is full" in said or (isinstance(error, OSError) and error.errno == errno.ENOSPC):
        return Exit.FAILED, "no space is left on the disk: free some and run the same again"
    if "readonly" in said:
        return Exit.BAD_INPUT, "a database cannot be written: it, or its folder, is read-only"
    if "unable to open" in said:
        return Exit.BAD_INPUT, "a database cannot be opened: check that it and its folder can be read and written"
    if "disk I/O error" in said:
        return Exit.FAILED, "a database could not be read or written: the disk may be full, or failing"
    if "locked" in said:
        return Exit.FAILED, "the database is in use by another process; try again when it has ended"
    if isinstance(error, sqlite3.DatabaseError):
        return Exit.BAD_INPUT, f"a database cannot be read ({error}); `calibrant doctor` names it"
    if isinstance(error, OSError) and error.filename is not None:
        return Exit.BAD_INPUT, f"{error.filename}: {(error.strerror or type(error).__name__).lower()}"
    return None


def _unexpected(error: BaseException) -> str:
    return f"failed: {type(error).__name__}: {error} (`calibrant --debug ...` shows where)"


def one_line(message: str, widest: int = WIDEST) -> str:
    """``message`` without line breaks, nor anything else that a terminal obeys, and of a bearable length."""
    flat = " ".join(printable(message).split())
    return flat if len(flat) <= widest else flat[: widest - 1] + "…"


def _told() -> "logging.Handler":
    """Warnings as lines on stderr, whatever that is when they come."""
    import logging

    class Told(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            say(f"calibrant: {one_line(record.getMessage())}")

    return Told(logging.WARNING)


def hush(*, debug: bool = False) -> None:
    """Keep other people's logs and warnings off the terminal, unless they are asked for. Our own warnings stay."""
    import logging
    import warnings

    if debug:
        logging.basicConfig(level=logging.INFO, format="%(levelname)s %(name)s: %(message)s", stream=sys.stderr)
    else:
        warnings.simplefilter("ignore")
        logging.getLogger().addHandler(logging.NullHandler())
        ours = logging.getLogger("calibrant")
        if not ours.handlers:
            ours.addHandler(_told())
