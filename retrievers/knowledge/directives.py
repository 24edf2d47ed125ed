"""Directives in Markdown, as MyST has them: fences with a name in braces. What they frame is read as the text that it
is, and what only steers the typesetting is left out."""

import re
from collections.abc import Iterator, Sequence

from calibrant.retrievers.knowledge.restructured import CAPTIONED, FRAMES, SILENT
from calibrant.state.fence import ends_fence, fence_of
from calibrant.state.markup import CHANGES

Line = tuple[int, str]
"""The number of a line in its file, and the line."""

# Each in time linear in a line.
_OPENS = re.compile(r"\s*(?:`{3,}|~{3,})\s*\{(?P<name>[A-Za-z][\w:.+-]*)\}[ \t]*(?P<argument>.*)$")
_TARGET = re.compile(r"\([\w.:/ -]+\)=\s*$")
_OPTION = re.compile(r"\s*:[\w-]+:(?:\s|$)")
_STEERS = re.compile(r"\s*\.\.[ \t]+(?P<name>[A-Za-z][\w:.+-]*)::(?:\s|$)")
_RESTRUCTURED = "eval-rst"
"""The directive in which reStructuredText stands."""
_DEEPEST = 8
"""Directives in each other that are read."""


def without_directives(lines: Sequence[Line], depth: int = 0) -> Iterator[Line]:
    """``lines`` with what directives frame in the place of the directives, and without what says nothing."""
    place = 0
    while place < len(lines):
        number, line = lines[place]
        fence = fence_of(line)
        end = _end(lines, place, fence) if fence else place
        if opened := _OPENS.match(line) if end < len(lines) and depth < _DEEPEST else None:
            yield from _told(opened["name"].lower(), opened["argument"].strip(), lines[place : end + 1], depth)
        elif fence:
            yield from lines[place : end + 1]
        elif not _TARGET.match(line):
            yield number, line
        place = end + 1


def _end(lines: Sequence[Line], start: int, fence: str) -> int:
    """The place where the fence is closed that is opened at ``start``; behind the last line where it is not."""
    closed = (place for place in range(start + 1, len(lines)) if ends_fence(lines[place][1], fence))
    return next(closed, len(lines))


def _told(name: str, argument: str, lines: Sequence[Line], depth: int) -> Iterator[Line]:
    """What a directive, with its ``lines``, says; all of it as it stands where it shows code, or is not known."""
    number, body = lines[0][0], lines[1:-1]
    if name in SILENT or (name == _RESTRUCTURED and _only_steers(body)):
        return
    if name not in FRAMES and name != "admonition" and name not in CHANGES:
        yield from lines
        return
    said = list(without_directives(_without_options(body), depth + 1))
    if name in CHANGES:
        argument = f"{CHANGES[name]} {argument}{':' if said else '.'}"
    yield number, ""
    if argument and name not in CAPTIONED:
        yield number, argument
    yield from said
    yield lines[-1][0], ""


def _only_steers(body: Sequence[Line]) -> bool:
    """Whether reStructuredText is nothing but directives that say nothing, and their options."""
    said = (line for _, line in body if line.strip() and not _OPTION.match(line))
    return all((found := _STEERS.match(line)) is not None and found["name"].lower() in SILENT for line in said)


def _without_options(body: Sequence[Line]) -> Sequence[Line]:
    place = 0
    while place < len(body) and _OPTION.match(body[place][1]):
        place += 1
    return body[place:]
