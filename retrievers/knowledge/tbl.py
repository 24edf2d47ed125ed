"""The tables of man pages, written for ``tbl``, as rows of a Markdown table.

Options, the format of the columns, then a line for each row, whose cells a tab parts or what ``tab(:)`` names. A cell
of several lines stands between ``T{`` and ``T}``.
"""

import re
from collections.abc import Iterator, Sequence

from calibrant.retrievers.knowledge.roff import unescaped

Lines = Sequence[tuple[int, str]]
"""Each with its number in the file."""

_TAB = re.compile(r"\btab ?\((.)\)")
_RULES = frozenset({"_", "="})
"""What draws a line, in a row or in a cell of its own."""
_NEW_FORMAT = ".T&"


def table_rows(lines: Lines) -> Iterator[tuple[int, str]]:
    """The rows of a table with the names of its columns and the rule below them; each with its line in the file.

    The names are empty where the first row is set like the others, with no line drawn below it.
    """
    options = lines[0][1] if lines and lines[0][1].rstrip().endswith(";") else ""
    tab = found[1] if (found := _TAB.search(options)) else "\t"
    formats, rest = _formats(lines[1:] if options else lines)
    rows = [(number, [unescaped(cell) for cell in cells]) for number, cells in _rows(rest, tab)]
    if not rows:
        return
    width = max(len(cells) for _, cells in rows)
    second = rows[1][0] if len(rows) > 1 else rows[0][0]
    apart = (line for at, line in rest if rows[0][0] < at < second)
    named = any(line.startswith(_NEW_FORMAT) or line.strip() in _RULES for line in apart)
    if not named and len(set(formats)) < 2:
        rows.insert(0, (rows[0][0], []))
    (number, names), *others = rows
    yield number, _row(names, width)
    yield number, f"|{' --- |' * width}"
    yield from ((at, _row(cells, width)) for at, cells in others)


def _formats(lines: Lines) -> tuple[list[str], Lines]:
    """The formats of the rows, and what stands behind them. The last one ends with a full stop."""
    formats = list[str]()
    for place, (_, line) in enumerate(lines):
        formats += [part.strip() for part in line.strip().rstrip(".").split(",")]
        if line.rstrip().endswith("."):
            return formats, lines[place + 1 :]
    return [], ()


def _rows(lines: Lines, tab: str) -> Iterator[tuple[int, list[str]]]:
    """Each row's cells. Between formats that begin anew there are none."""
    place = 0
    while place < len(lines):
        number, line = lines[place]
        place += 1
        if line.startswith(_NEW_FORMAT):
            _, behind = _formats(lines[place:])
            place = len(lines) - len(behind)
        elif line.strip() and line.strip() not in _RULES and not line.startswith("."):
            cells = line.split(tab)
            while cells[-1].strip() == "T{":
                held, place = _block(lines, place)
                closing, place = (lines[place][1], place + 1) if place < len(lines) else ("T}", place)
                cells[-1:] = [held, *closing.removeprefix("T}").split(tab)[1:]]
            yield number, [" ".join(cell.split()) for cell in cells]


def _block(lines: Lines, place: int) -> tuple[str, int]:
    """The text of a cell of several lines, and the place of the line that closes it."""
    end = next((at for at in range(place, len(lines)) if lines[at][1].startswith("T}")), len(lines))
    return " ".join(line for _, line in lines[place:end] if not line.startswith(".")), end


def _row(cells: Sequence[str], width: int) -> str:
    said = ["" if cell in _RULES else cell.replace("|", "\\|") for cell in cells]
    return f"| {' | '.join([*said, *[''] * (width - len(said))])} |"
