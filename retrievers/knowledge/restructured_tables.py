"""The tables of reStructuredText as rows of cells: drawn as a grid or with rules above and below, or told by a
directive as a list of lists or as CSV.

Docutils' own table parser is for documents that have to be right: a word that stands in a margin costs it the table.
"""

import csv
import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

_BORDER = re.compile(r"\s*=+(?: +=+)+")
_GRID = re.compile(r"\s*\+(?:[-=]+\+)+")
_RULED = re.compile(r"\+[-=]+\+")
_FIRST = re.compile(r"[*+-] +(?=[*+-](?:\s|$))")
_BLOCK = re.compile(r"[\s*+-]*\.\. |.*::$")
"""What no cell on one line can say: a directive, code."""
_DELIMITERS = {"tab": "\t", "space": " "}
_NOTHING = ("\\", "..")
"""How an empty cell is written where it would mean something else."""
_MOST_BORDERS = 3


class Line(NamedTuple):
    """A line of a file, with its number."""

    number: int
    text: str

    @property
    def indent(self) -> int:
        return len(self.text) - len(self.text.lstrip())


Row = tuple[int, list[str]]
"""The line in which a row begins, and its cells."""


class Table(NamedTuple):
    """Rows, of which the first ``heads`` name the columns."""

    rows: list[Row]
    heads: int

    def written(self) -> Iterator[Row]:
        """The names of the columns, empty where there are none, then the rows; as many cells in each."""
        width = max(len(cells) for _, cells in self.rows)
        names = [""] * width
        for _, cells in self.rows[: self.heads]:
            names = _joined(names, cells)
        yield self.rows[0][0], ["" if name in _NOTHING else name for name in names]
        for number, cells in self.rows[self.heads :]:
            yield number, ["" if cell in _NOTHING else cell for cell in cells] + [""] * (width - len(cells))


def drawn_table(lines: Sequence[Line], place: int) -> tuple[Table, int] | None:
    """The table whose drawing begins at ``place``, and where that ends; None where none does."""
    if _BORDER.fullmatch(lines[place].text):
        return _ruled(lines, place)
    begins = _GRID.fullmatch(lines[place].text) and (not place or not _is_drawn(lines[place - 1], lines[place].indent))
    return _grid(lines, place) if begins else None


def listed_table(content: Sequence[Line], heads: int) -> Table | None:
    """The table of a list with a list of cells in each item; None for cells that hold more than a text."""
    rows, margin = list[Row](), 0
    for line in content:
        if _BLOCK.match(line.text):
            return None
        if first := _FIRST.match(line.text):
            margin = first.end()
            rows.append((line.number, [line.text[margin + 1 :].strip()]))
        elif rows and line.indent == margin and line.text[margin : margin + 2].strip() in ("-", "*", "+"):
            rows[-1][1].append(line.text[margin + 1 :].strip())
        elif rows:
            rows[-1][1][-1] = f"{rows[-1][1][-1]} {line.text.strip()}".strip()
        elif line.text:
            return None
    return Table(rows, min(heads, len(rows))) if rows else None


def csv_table(content: Sequence[Line], header: Line | None, delimiter: str, heads: int) -> Table | None:
    """The table of lines of CSV. ``header``: the names of the columns, where they stand apart."""
    lines = [*([header] if header else []), *content]
    mark = _DELIMITERS.get(delimiter, delimiter) or ","
    reader = csv.reader((f"{line.text}\n" for line in lines), delimiter=mark[0], skipinitialspace=True)
    rows, begun = list[Row](), 0
    for cells in reader:
        if any(cells):
            rows.append((lines[begun].number, [" ".join(cell.split()) for cell in cells]))
        begun = reader.line_num
    return Table(rows, min(heads + bool(header), len(rows))) if rows else None


def _ruled(lines: Sequence[Line], place: int) -> tuple[Table, int] | None:
    """A rule above, one below the names if there are any, and one at the end, before a blank line."""
    borders = [place]
    for at in range(place + 1, len(lines)):
        if len(borders) == _MOST_BORDERS or (lines[at].text and lines[at].indent < lines[place].indent):
            return None
        if _BORDER.fullmatch(lines[at].text):
            borders.append(at)
            if at + 1 == len(lines) or not lines[at + 1].text:
                break
    else:
        return None
    starts = [column.start() for column in re.finditer("=+", lines[place].text)]
    head, body = list[Row](), _ruled_rows(lines[borders[-2] + 1 : borders[-1]], starts)
    if len(borders) == _MOST_BORDERS:
        head = _ruled_rows(lines[place + 1 : borders[1]], starts)
    return (Table([*head, *body], len(head)), borders[-1] + 1) if body else None


def _ruled_rows(lines: Sequence[Line], starts: Sequence[int]) -> list[Row]:
    """The rows between two rules. One that begins with an empty cell goes on with the one above. A line of dashes only
    tells which columns the row above it spans."""
    rows = list[Row]()
    for line in lines:
        cells = [line.text[start:end].strip() for start, end in zip(starts, [*starts[1:], None], strict=True)]
        if not line.text.strip(" -"):
            continue
        if rows and not cells[0]:
            rows[-1] = rows[-1][0], _joined(rows[-1][1], cells)
        else:
            rows.append((line.number, cells))
    return rows


def _grid(lines: Sequence[Line], place: int) -> tuple[Table, int] | None:
    """Lines between rows and columns. A cell over several columns stands in the first of them, one over several rows in
    the first of those."""
    margin, stop = lines[place].indent, place
    while stop < len(lines) and _is_drawn(lines[stop], margin):
        stop += 1
    block = lines[place:stop]
    if not _GRID.fullmatch(block[-1].text):
        return None
    edges = sorted(
        {at for line in block if _GRID.fullmatch(line.text) for at, sign in enumerate(line.text) if sign == "+"}
    )
    rows, heads, begins = list[Row](), 0, True
    for line in block[1:]:
        cells, is_rule = _between(line.text, edges), _RULED.search(line.text) is not None
        if begins and not is_rule:
            rows.append((line.number, cells))
        elif rows:
            rows[-1] = rows[-1][0], _joined(rows[-1][1], cells)
        heads = len(rows) if is_rule and "+=" in line.text else heads
        begins = is_rule
    return (Table(rows, heads), stop) if len(rows) > heads else None


def _is_drawn(line: Line, margin: int) -> bool:
    return line.text[margin : margin + 1] in ("+", "|")


def _between(text: str, edges: Sequence[int]) -> list[str]:
    """What stands between the edges that are drawn in a line; nothing for the rules themselves."""
    cells, begun = [""] * (len(edges) - 1), 0
    for place in range(1, len(edges)):
        if text[edges[place] : edges[place] + 1] in ("|", "+"):
            cell = text[edges[begun] + 1 : edges[place]].strip()
            cells[begun] = "" if not cell.strip("-=+") else cell
            begun = place
    return cells


def _joined(above: Sequence[str], below: Sequence[str]) -> list[str]:
    return [f"{one} {other}".strip() for one, other in zip(above, below, strict=False)]
