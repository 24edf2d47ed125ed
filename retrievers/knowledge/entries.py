"""The entry of a list that a passage begins inside of: its name, from how the text is indented.

An entry that is longer than a passage is cut in two, and what its second half says is said of an option that only the
first half names. An entry is a line with deeper ones below it that names what they are about: "ClientAliveInterval" by
itself, or "- `timeout`: How long to wait". What begins as a sentence names nothing.
"""

import html
import re
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

from calibrant.state.fence import fence_behind, fence_of
from calibrant.state.markup import plain

BULLET = r"(?:[-*+•]|\d{1,3}[.)])[ \t]"
"""What begins an entry of a list."""
LONGEST = 60
"""Characters of a name."""
MOST_WORDS = 6
DEEPEST = 2
"""Names told of entries inside entries: the inner ones."""

_BULLET = re.compile(rf"{BULLET}+")
_NAMED = re.compile(
    r"\*\*(?P<bold>[^*\n]{1,60}?):?\*\*(?=:|\s|$)"
    r"|(?P<marks>``?)(?P<code>[^`\n]{1,60})(?P=marks)(?=:|\s|$)"
    r"|(?P<word>[^\s:]+(?: [^\s:]+){0,3}):[ \t]+\S"
    r"|(?P<column>\S+(?: \S+){0,3}) {2,}\S"
)
"""What an entry calls itself in front of what it says: marked, before a colon, or in a column of its own."""
_OF_SENTENCES = (".", "!", "?", ";", ",")
_HEADING = re.compile(r"#{1,6}\s")
_MARKS = re.compile(r"\\?[*`]")
_TAG = re.compile(r"</?[A-Za-z][^<>]*>$")


@dataclass(frozen=True)
class _Line:
    """A line that says something: where it starts to, the names over it, and its own if it begins an entry."""

    start: int
    over: tuple[str, ...]
    own: str


class Entries:
    """The entries of ``text[start:end]``, found in one pass over its lines."""

    def __init__(self, text: str, start: int, end: int) -> None:
        self._lines = list(_lines(text[start:end].split("\n"), start))

    def over(self, place: int) -> tuple[str, ...]:
        """The names of the entries that what stands at ``place`` goes on with, outermost first."""
        return self._names(place)[-DEEPEST:]

    def left(self, start: int, end: int) -> int:
        """Where between ``start`` and ``end`` the entry ends that ``start`` is inside of; ``end`` where it does not."""
        names = self._names(start)
        behind = self._lines[self._behind(start) : self._behind(end - 1)]
        return next((line.start for line in behind if line.over[: len(names)] != names), end)

    def _names(self, place: int) -> tuple[str, ...]:
        at = self._behind(place)
        if not at:
            return ()
        line = self._lines[at - 1]
        return (*line.over, line.own) if line.own and place > line.start else line.over

    def _behind(self, place: int) -> int:
        """How many lines start at ``place`` or before."""
        return bisect_right(self._lines, place, key=lambda line: line.start)


def _lines(lines: list[str], offset: int) -> Iterator[_Line]:
    """Those lines that say something. What stands in fenced code begins and ends nothing."""
    held, before, fence, own = list[tuple[int, str]](), -1, "", ""
    for line, after in pairwise([*lines, ""]):
        margin, below, own = _margin(line), bool(own), ""
        if fence:
            fence = fence_behind(line, fence)
        elif line.strip():
            fence = fence_of(line)
            held = [(outer, name) for outer, name in held if outer < margin]
            begins = below or before < 0 or before > margin or bool(_BULLET.match(line.strip()))
            own = _name(line.strip(), bool(after.strip()) and _margin(after) > margin) if begins else ""
        if line.strip():
            yield _Line(offset + len(line) - len(line.lstrip()), tuple(name for _, name in held), own)
        held += [(margin, own)] if own else []
        before = margin if line.strip() else -1
        offset += len(line) + 1


def _name(line: str, alone: bool) -> str:
    """What an entry that begins with ``line`` is called; ``alone``, whether the line may be nothing but the name."""
    if _HEADING.match(line):
        return ""
    bullet = _BULLET.match(line)
    line = line[bullet.end() :] if bullet else line
    if found := _NAMED.match(line):
        name = found["bold"] or found["code"] or found["word"] or found["column"]
    else:
        name = line.rstrip(":") if alone and not bullet and len(line.split()) <= MOST_WORDS else ""
    name = " ".join(_MARKS.sub("", html.unescape(plain(name))).strip(": ").split())
    return name if len(name) <= LONGEST and not name.endswith(_OF_SENTENCES) and not _TAG.match(name) else ""


def _margin(line: str) -> int:
    """Columns before the first character."""
    expanded = line.expandtabs(8)
    return len(expanded) - len(expanded.lstrip())
