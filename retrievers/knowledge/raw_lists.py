"""Lists and tables that Markdown has as HTML, as Markdown would have them: settings are often told in such ones, and
their tags are no words of theirs."""

import re
from collections.abc import Iterable, Iterator
from itertools import islice
from pathlib import Path

from calibrant.retrievers.knowledge.directives import Line
from calibrant.retrievers.knowledge.html import html_document
from calibrant.state.fence import fence_behind, fence_of

_OPENS = re.compile(r" {0,3}<(?P<name>dl|ol|table|ul)\b", re.IGNORECASE)


def with_lists_read(lines: Iterable[Line]) -> Iterator[Line]:
    """The ``lines``, with each list and table of HTML as the text that it shows. One that does not end, or that has
    code as Markdown writes it, stays as it is."""
    held, fence, at = list(lines), "", 0
    tried: dict[str, int] = {}
    while at < len(held):
        _, text = held[at]
        opened = None if fence else _OPENS.match(text)
        name = opened["name"].lower() if opened else ""
        place, is_whole = _reach(held, at, name) if name and at >= tried.get(name, 0) else (at, False)
        if is_whole:
            yield from _read(held[at:place])
            at = place
            continue
        # Where one does not end, no other one of its kind is looked for: each of a thousand would be read to the end.
        tried[name] = max(place, tried.get(name, 0))
        fence = fence_behind(text, fence)
        yield held[at]
        at += 1


def _reach(lines: list[Line], start: int, name: str) -> tuple[int, bool]:
    """Behind which line the element ``name`` ends that begins in the line at ``start``, and that it does; else up to
    where it was looked for."""
    depth = 0
    for place, (_, text) in enumerate(islice(lines, start, None), start=start + 1):
        if fence_of(text):
            return place, False
        low = text.lower()
        depth += len(re.findall(rf"<{name}\b", low)) - low.count(f"</{name}>")
        if depth <= 0:
            return place, True
    return len(lines), False


def _read(lines: list[Line]) -> Iterator[Line]:
    """What the HTML shows, line by line, with the lines of the file that it is from."""
    page = html_document("\n".join(text for _, text in lines), Path())
    offset = 0
    for line in page.text.rstrip("\n").split("\n"):
        place = (page.lines.at(offset) or 1) - 1
        yield lines[place][0], line
        offset += len(line) + 1
