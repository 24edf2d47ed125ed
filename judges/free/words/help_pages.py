"""Names with what is said of each, as help pages set them: in two columns, or each above what it is for."""

import re
from collections.abc import Iterator, Sequence
from itertools import groupby

from calibrant.judges.free.words.settings_text import Setting
from calibrant.judges.free.words.tables import indent_of, lines_of
from calibrant.state.markup import plain

_COLUMNS = re.compile(r"\s*\S(?:\S| (?! )){0,40}(?<![!?,;:])(?:(?<!\.)|(?<=\.\.\.))(?P<gap> {2,})(?P<value>\S.*)")
_SAID = re.compile(
    r"^[^\s:]+(?:,? [^\s:]+)?(?: (?:<[^<>]*>|\[[^\[\]]*\]|[A-Z_])[^\s:]*+)?: [^\W\d_]+ [^\W\d_]+ [^\W\d_]+"
)
"""A line in two columns that names a thing, in a word or two, what it is given with ("<depth>") apart, and says of it
three words and more."""
_OPTION = re.compile(r" *-{1,2}[A-Za-z][\w-]*+(?:[ ,=\[<]\S*+){0,5}\s*")
"""A line that has nothing but an option, as a help page has it: "  -o, --output-file <FILE>"."""
_LEAST_OPTIONS, _LONGEST = 2, 500
"""Options with what is said of each below, at least; and characters of one."""
_LEAST_LINES, _WIDE = 3, 3
"""Lines in two columns, at least; and spaces between them, in one of the lines."""


def in_columns(text: str, start: int, end: int) -> list[Setting]:
    """The lines of ``text[start:end]`` in which spaces keep names and values apart, all values in one column: "Port
    8443". A value goes on in the lines below that begin in its column, and a name that reaches up to it may have its
    value there alone."""
    lines = [(start + at, line) for at, line in lines_of(text[start:end]) if line.strip()]
    gaps = [one for _, line in lines if (one := _COLUMNS.fullmatch(line))]
    columns = {one.start("value") for one in gaps}
    if len(gaps) < _LEAST_LINES - 1 or len(columns) != 1 or not any(len(one["gap"]) >= _WIDE for one in gaps):
        return []
    column = columns.pop()
    entries: list[list[tuple[int, str]]] = []
    for at, line in lines:
        if entries and indent_of(line) == column:
            entries[-1].append((at, line))
        else:
            entries.append([(at, line)])
    alone = [held[0][1] for held in entries if len(held) == 1 and not _COLUMNS.fullmatch(held[0][1])]
    if len(entries) < _LEAST_LINES or len(alone) > 1 or any(_crosses(line, column) for line in alone):
        return []
    return [_in_two(held, column) for held in entries]


def _crosses(line: str, column: int) -> bool:
    """Whether words of a line run on where the values of others begin."""
    return line[column - 1 : column] > " "


def listed_in_code(text: str, begin: int, end: int) -> list[Setting]:
    """The lines of a block set as code that name things and say in words what each is, as a help page does: "GATE_PORT
    The port that it listens on". What stands behind commands, or what they print, stays code. So does the first line of
    a text that starts inside an entry."""
    start = begin or text.find("\n", 0, end) + 1
    parts = _paragraphs(text, start, end)
    for first in dict.fromkeys((begin, start)):
        if listed := _told_in_columns(text, first, end):
            return listed
    return [one for part in parts for one in _told_in_columns(text, *part)] or _told_below(text, begin, end)


def _paragraphs(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """Where the lines of ``text[start:end]`` stand that no blank line parts."""
    for is_blank, lines in groupby(lines_of(text[start:end]), key=lambda line: not line[1].strip()):
        (first, line), *more = lines
        last, rest = more[-1] if more else (first, line)
        if not is_blank:
            yield start + first, start + last + len(rest)


def _told_in_columns(text: str, start: int, end: int) -> list[Setting]:
    """The lines in two columns, if most of them say in words what is named."""
    found = in_columns(text, start, end)
    told = [one for one in found if _SAID.search(one.text)]
    return found if 2 * len(told) > len(found) else []


def _told_below(text: str, begin: int, end: int) -> list[Setting]:
    """The options of a block set as code, each with what is said of it in the deeper lines below, as far as that may be
    quoted."""
    lines = [(begin + at, line) for at, line in lines_of(text[begin:end])]
    entries: list[list[tuple[int, str]]] = []
    margin = -1
    for at, line in lines:
        if _OPTION.fullmatch(line):
            margin = indent_of(line)
            entries.append([(at, line)])
        elif margin >= 0 and line.strip():
            margin = margin if indent_of(line) > margin else -1
            if margin >= 0 and at + len(line) - entries[-1][0][0] <= _LONGEST:
                entries[-1].append((at, line))
    told = [held for held in entries if len(held) > 1]
    return [_in_two(held, len(held[0][1]) + 1) for held in told] if len(told) >= _LEAST_OPTIONS else []


def _in_two(held: Sequence[tuple[int, str]], column: int) -> Setting:
    """An entry, of one line or more: what stands from ``column`` on, under the name before it."""
    (start, line), (last, rest) = held[0], held[-1]
    name, *more = (line.strip(), "") if _crosses(line, column) else (line[:column].strip(), line[column:].strip())
    value = " ".join((*more, *(one.strip() for _, one in held[1:]))).strip()
    told = f"{name}: {value}" if name and value else name or value
    return Setting(plain(told), start + indent_of(line), last + len(rest.rstrip()))
