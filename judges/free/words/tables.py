"""Tables of Markdown, and of plain texts whose rules cross as ``+``: where their rows are, and how a row reads under
the names of its columns."""

import re
from collections.abc import Collection, Sequence
from itertools import pairwise, zip_longest

TABLE = re.compile(r"\s*\|.*\|\s*$")
"""A line of a table."""
CELL = re.compile(r"(?:^|; )([^:;]{1,60}): ([^;]*)")
"""A cell of a row, as ``row`` reads it: the name of its column, and what it holds."""
_NAME = re.compile(r"([^:;]{1,60}); [^:;]{1,60}: ")
_RULE = re.compile(r"^(?=.*\|)[ \t]*+\|?[ \t]*+:?-++:?[ \t]*+(?:[|+][ \t]*+:?-++:?[ \t]*+)*+\|?[ \t]*+$", re.MULTILINE)
_BAR = re.compile(r"(?<!\\)\|")


def rows(text: str, columns: tuple[str, ...] = ()) -> dict[int, tuple[str, ...]]:
    """Where the rows of Markdown tables start, with the names of their columns; the header has none.

    ``columns``: of the table inside which the text starts.
    """
    found: dict[int, tuple[str, ...]] = {}
    names = columns
    lines = lines_of(text) if columns or _RULE.search(text) else []
    for (start, line), (_, below) in pairwise([*lines, (len(text), "")]):
        if "|" not in line:
            names = ()
        elif _RULE.match(below) and not _RULE.match(line):
            found[start], names = (), _split(line)
        elif names and not _RULE.match(line):
            found[start] = names
    return found


def lines_of(text: str) -> list[tuple[int, str]]:
    """The lines of ``text`` without their ends, each with the offset where it starts."""
    found, start = [], 0
    for line in text.splitlines(keepends=True):
        found.append((start, line.rstrip("\r\n")))
        start += len(line)
    return found


def indent_of(line: str) -> int:
    """How many characters of white space ``line`` begins with."""
    return len(line) - len(line.lstrip())


def row(columns: tuple[str, ...], line: str) -> str:
    """A row as a reader reads it, each cell under the name of its column."""
    named = zip_longest(columns, _split(line), fillvalue="")
    return "; ".join(f"{name}: {cell}" if name else cell for name, cell in named if cell)


def cells(text: str) -> list[tuple[str, str]]:
    """The cells of a row as ``row`` reads it, each with the name of its column before it; of any other text what looks
    like one."""
    return CELL.findall(text)


def is_row(text: str) -> bool:
    """Whether ``text`` is a row as ``row`` reads it: it has two cells at least."""
    return len(cells(text)) > 1


def name_of(text: str) -> str:
    """What a row is called, where the column of names has no name itself, as ``row`` reads it; empty for others."""
    named = _NAME.match(text)
    return named[1].strip() if named else ""


def narrowed(row: str, columns: Collection[str]) -> str:
    """A row that is called by a name ("Members; Free: 1; Team: 20") with its cells in ``columns`` alone. Any other text
    as it is, and so is a row without such a cell, or with a cell that a semicolon would cut."""
    name, held = name_of(row), cells(row)
    kept = [(column, value) for column, value in held if column in columns]
    return _called(name, kept) if name and kept and row == _called(name, held) else row


def _called(name: str, held: Sequence[tuple[str, str]]) -> str:
    return "; ".join((name, *(f"{column}: {value}" for column, value in held)))


def _split(line: str) -> tuple[str, ...]:
    """The cells of a line of a table, with the bars in them plain."""
    return tuple(
        cell.strip().replace("\\|", "|") for cell in _BAR.split(line.strip().removeprefix("|").removesuffix("|"))
    )
