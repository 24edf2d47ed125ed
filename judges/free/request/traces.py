"""Python's traces among the lines of a pasted text: from their first line to the end of the error's message."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from calibrant.judges.free.request.parts import asks
from calibrant.judges.free.words.text import language_of, sentences

READ = 500
"""Characters of a line that are read to tell what it is."""

WRAPPED = 60
"""Characters of a line from which the message in it may go on in the next one."""

_TRACE = re.compile(r"Traceback \(most recent call last\):\s*$")
_FRAME = re.compile(r'File "[^"]+", line \d+')
_MARGIN = re.compile(r"[\s|+>]*")
"""What stands before the lines of a trace: those of its frames stand further in than its first and its last."""
_RAISED = re.compile(r"(?:\w+\.)*_*[A-Z]\w*:\s|(?:\w+\.)+\w+(?::\s|\s*$)|(?:\w+\.)*_*[A-Z]\w*[a-z][A-Z]\w*:?\s*$")
"""The last line of a trace. An error need not be called one: "_Refused: no owner", "gate.closed: no owner"."""


@dataclass(frozen=True)
class Trace:
    """The places of a Python trace's lines. ``raised``: of the line that names the error; ``end`` where it is cut off
    before that."""

    start: int
    raised: int
    end: int


def traces(lines: Sequence[str]) -> Iterator[Trace]:
    """The traces among ``lines``. What stands in one is the machine's, whatever a line of code in it looks like."""
    end = 0
    for place, line in enumerate(lines):
        if place >= end and _TRACE.search(line[:READ]):
            trace = _trace(lines, place)
            yield trace
            end = trace.end


def _trace(lines: Sequence[str], start: int) -> Trace:
    """The trace that begins at ``start``. Where its frames have lost their margins, all up to the error is its own."""
    margin, last, is_flat = _margin(lines[start]), start, False
    for place in range(start + 1, len(lines)):
        at = _margin(lines[place])
        line = lines[place][at : at + READ]
        is_frame, is_inside = _FRAME.match(line) is not None, at > margin
        is_flat = is_flat or (is_frame and not is_inside)
        if not line or _TRACE.search(line) or not (is_inside or is_flat or _RAISED.match(line)):
            break
        if not is_inside and not is_frame and _RAISED.match(line):
            return Trace(start, place, _end_of_message(lines, place, margin))
        if is_inside or is_frame or (_FRAME.search(lines[place - 1][:READ]) and not asks_at_all(line)):
            last = place
    return Trace(start, last + 1, last + 1)


def _end_of_message(lines: Sequence[str], raised: int, margin: int) -> int:
    """Where the message of an error ends: its further lines stand further in, or go on with a long one before them."""
    place = raised + 1
    while place < len(lines) and (line := lines[place].strip()):
        goes_on = len(lines[place - 1].strip()) >= WRAPPED and (line[0].islower() or line[0] in "'\"([{<")
        if not (goes_on or _margin(lines[place]) > margin) or _TRACE.search(line[:READ]) or asks_at_all(line):
            break
        place += 1
    return place


def _margin(line: str) -> int:
    found = _MARGIN.match(line)
    return found.end() if found else 0


def asks_at_all(text: str) -> bool:
    """Whether a sentence of ``text`` asks something, or tells what to do."""
    language = language_of(text)
    return any(asks(sentence.text, language) for sentence in sentences(text))
