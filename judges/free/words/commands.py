"""Commands in a block of code, read with the comment that says what they do: ``make dev: starts the server``.

The comment stands behind the command, or on the lines above it. The two are one statement, as the name of an option and
what is said of it are; the block by itself says nothing in words.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from calibrant.judges.free.words.tables import indent_of, lines_of
from calibrant.state.markup import plain

_SESSIONS = frozenset(("console", "terminal", "shell-session"))
"""What a block calls its language that has the prompts too, and what commands print."""
_SHELLS = _SESSIONS | {"", "sh", "bash", "zsh", "fish", "shell", "text", "powershell"}
"""What a block of commands calls its language, if it names one."""
_COMMAND = re.compile(
    r"\s*(?:[$>%] )?(?P<command>(?:\./|~/|/)?[a-z][\w.+-]*(?:/[\w.+-]+)*(?:\s+(?!=|\+=)[^\s#].*?)?)\s*", re.DOTALL
)
"""A program and its arguments: no assignment, no call."""
_SAID = re.compile(r"(?<!\s)\s+#+\s+(?=\S)")
_COMMENT = re.compile(r"\s*#+\s+(?P<said>\S.*)")
_ABOVE = re.compile(r"[A-ZÀ-Þ]")
"""How a comment begins: what a root's prompt stands before does not ("# apt install jobs")."""
_WORD = re.compile(r"[^\W\d_]{3,}")
"""What a comment has that explains."""
_OPEN = re.compile(r"(?:\\|&&|\|\|?)\s*$")
"""The end of a line that the next one goes on with."""
_NO_COMMAND = re.compile(
    r"\s*(?:(?:import|from|def|class|return|raise|if|elif|else|while|with|async|await|let|const|var|function|local)\b"
    r"|[\w.]+\(|[\w.\[\]]+:(?:\s|$))|.*[{;]\s*$"
)
"""How a line of a program or of a file of settings looks."""


@dataclass(frozen=True)
class Command:
    """A command with what is said of it, and where the two stand."""

    command: str
    said: str
    start: int
    end: int


def commands(code: str, start: int, language: str) -> list[Command]:
    """The commands of a block of code, which begins at ``start``, of which something is said; none in a block that
    holds anything but commands. ``language``: as its fence has it, if it has one."""
    if "#" not in code or language not in _SHELLS:
        return []
    lines = [(start + place, line) for place, line in lines_of(code)]
    if code.lstrip().startswith("#!"):
        return []  # a script, to be copied as a whole
    if any(_NO_COMMAND.match(line) for _, line in lines if not _COMMENT.match(line)):
        return []
    return [one for one in _explained(lines, language in _SESSIONS) if _WORD.search(one.said)]


def _explained(lines: list[tuple[int, str]], is_session: bool) -> Iterator[Command]:
    """The commands that a comment stands behind, or right above."""
    above: list[tuple[int, str]] = []
    for start, line in _joined(lines):
        if comment := _COMMENT.fullmatch(line):
            above.append((start, comment["said"]))
            continue
        written, *said = _SAID.split(line, maxsplit=1)
        found, end = _COMMAND.fullmatch(written), start + len(line.rstrip())
        if found and said:
            yield Command(_plain(found["command"]), _plain(said[0]), start + indent_of(line), end)
        elif found and above and not is_session and _ABOVE.match(above[0][1]):
            told = " ".join(one for _, one in above)
            yield Command(_plain(found["command"]), _plain(told), above[0][0], end)
        above = []


def _joined(lines: list[tuple[int, str]]) -> Iterator[tuple[int, str]]:
    """The lines, each with those that it goes on with."""
    begun, held = 0, ""
    for start, line in lines:
        begun, held = (begun, f"{held}\n{line}") if held else (start, line)
        if not _OPEN.search(line):
            yield begun, held
            held = ""
    if held:
        yield begun, held


def _plain(text: str) -> str:
    """Words of a line, or of several of one command, for reading."""
    return plain(" ".join(text.replace("\\\n", " ").split()))
