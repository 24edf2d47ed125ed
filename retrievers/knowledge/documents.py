"""What a loader makes of a file: its text, the sections in it, and where each offset stands in the file."""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

from calibrant.state.errors import FailureKind

Style = Literal["prose", "code", "rows"]
_BAR = "\\|"
"""A bar inside a cell of a table."""
_FENCE = re.compile("`{3,}")
_RELEASE = re.compile(
    r"(?:(?:version|versão|release)\s+v?\d[\w.+-]*|\[?v?\d+(?:\.\d+)+[\w.+-]*\]?|\[?\d{4}-\d\d-\d\d\]?|\[?unreleased\]?)"
    r"(?:\s*[-–—(:,].*)?",
    re.IGNORECASE,
)
"""A heading of a changelog: "Version 3.2", "[1.0.1] - 2024-05-01"."""
_MACHINE_TITLE = re.compile(r"^(untitled|microsoft \w+ - .*|.*\.(docx?|pdf|tex|indd|dvi))$", re.IGNORECASE)
SOFT_HYPHEN = "\u00ad"
"""Where a word may be parted; nobody sees it elsewhere."""
POWER = re.compile(r"[-+−–]?\d")
"""How a text begins that, set above the line behind a number, is its power."""
STRUCK = frozenset({"del", "s", "strike"})
"""Tags of HTML whose text is struck out."""


class LoadError(Exception):
    """A file cannot be read. ``str(error)`` is one line for the user, without the path."""

    def __init__(self, message: str, kind: FailureKind = FailureKind.MALFORMED) -> None:
        super().__init__(message)
        self.kind = kind


class NotTextError(LoadError):
    """A file that holds no text for us: passed over in a folder, reported where it was named."""


@dataclass(frozen=True)
class Lines:
    """Line numbers by offset: from ``offsets[i]`` on, the text stands in line ``numbers[i]`` of the file."""

    offsets: Sequence[int] = ()
    numbers: Sequence[int] = ()

    @classmethod
    def of(cls, text: str) -> "Lines":
        """For a text that is the file itself."""
        offsets = line_starts(text)
        return cls(offsets, range(1, len(offsets) + 1))

    def at(self, offset: int) -> int | None:
        """The line in which ``offset`` stands, or None for formats without lines."""
        place = bisect_right(self.offsets, offset) - 1
        return self.numbers[max(place, 0)] if self.offsets else None

    def jumps(self, text: str, start: int, end: int) -> tuple[tuple[int, int], ...]:
        """Where ``text[start:end]`` does not go on line by line as the file does: offsets from ``start``, each with the
        line in which it stands."""
        line, before, out = self.at(start), start, []
        for place in range(bisect_right(self.offsets, start), bisect_left(self.offsets, end)):
            offset, number = self.offsets[place], self.numbers[place]
            if line is not None and number != line + text.count("\n", before, offset):
                out.append((offset - start, number))
            line, before = number, offset
        return tuple(out)


@dataclass(frozen=True)
class Section:
    """A stretch of the text under one heading. ``joint``: an offset at which a long section is cut first."""

    start: int
    end: int
    heading: str = ""
    page: int | None = None
    style: Style = "prose"
    joint: int | None = None


@dataclass(frozen=True)
class Document:
    """A file as text. ``kind`` is one of those that ``Filters.kinds`` lists."""

    kind: str
    title: str
    text: str
    sections: Sequence[Section]
    lines: Lines = Lines()


class Outline:
    """Headings as they are met, and the path of the one that is open: ``Install > From source``."""

    def __init__(self) -> None:
        self._open: list[tuple[int, str]] = []
        self._first = ""

    @property
    def title(self) -> str:
        """The first heading, which names the document; not that of a release, of which a changelog has many."""
        return "" if _RELEASE.fullmatch(self._first) else self._first

    def enter(self, level: int, title: str) -> str:
        """Open a heading; deeper and equal ones end."""
        self._first = self._first or title
        self._open = [item for item in self._open if item[0] < level] + [(level, title)]
        return self.path

    def leave(self, level: int) -> str:
        """End the headings from ``level`` down; what stays open."""
        self._open = [item for item in self._open if item[0] < level]
        return self.path

    @property
    def path(self) -> str:
        """The headings that are open, as one line."""
        return " > ".join(title for _, title in self._open)


def line_starts(text: str) -> list[int]:
    """The offset at which each line begins. Only a newline ends a line, as editors and Python count."""
    starts, place = [0], text.find("\n")
    while place >= 0:
        starts.append(place + 1)
        place = text.find("\n", place + 1)
    return starts


def sections_from(marks: Iterable[tuple[int, str]], end: int) -> list[Section]:
    """Sections from the offsets at which a heading begins; what precedes the first has no heading."""
    bounds = [(0, ""), *marks]
    stops = [start for start, _ in bounds[1:]] + [end]
    return [Section(start, stop, heading) for (start, heading), stop in zip(bounds, stops, strict=True) if stop > start]


def fenced(code: str, language: str) -> str:
    """A listing as Markdown has it, between marks that do not stand in it."""
    marks = "`" * max(3, 1 + max(map(len, _FENCE.findall(code)), default=0))
    return f"{marks}{language}\n{code}\n{marks}"


def markdown_row(cells: Sequence[str], *, heads: bool) -> str:
    """A table row with its line end, and the rule below it where it ``heads`` the table."""
    rule = "|---" * len(cells) + "|\n" if heads else ""
    return f"| {' | '.join(cell.replace('|', _BAR) for cell in cells)} |\n{rule}"


def human_title(title: str) -> str:
    """A document's own title, unless it is one that a program made up."""
    return "" if _MACHINE_TITLE.match(title) else title
