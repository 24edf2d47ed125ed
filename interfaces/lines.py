"""Lines on stderr, as a terminal can show them."""

import os
import re
import sys
import textwrap

import click

_COMMAND = re.compile(r"`[^`]*`")
_KEPT = "\0"
"""Stands for a blank at which no line ends."""


def say(line: str) -> None:
    """``line`` on stderr. A terminal would break a long one inside words."""
    click.echo(broken(line, _width()), err=True)


def broken(line: str, width: int) -> str:
    """``line`` in lines of ``width`` at most, broken between words; a command stays whole, to be copied."""
    if len(line) <= width:
        return line
    whole = _COMMAND.sub(lambda found: found[0].replace(" ", _KEPT), line)
    return textwrap.fill(whole, width, break_long_words=False, break_on_hyphens=False).replace(_KEPT, " ")


def _width() -> int:
    """The width of the terminal; where stderr is none, lines are left whole."""
    try:
        return os.get_terminal_size(sys.stderr.fileno()).columns or sys.maxsize
    except (AttributeError, OSError, ValueError):
        return sys.maxsize
