"""What announces the text behind it: a heading, the first line of a block, a sentence that ends in a colon.

A passage that ended behind it would hold a label without its text, and the next one a text without its label. So no
passage ends there: what announces stands with the beginning of what it announces.
"""

import re
from collections.abc import Sequence

from calibrant.retrievers.knowledge.fences import Fences

LONGEST = 300
"""Characters that move to what they announce. More of them would be missed where they stood."""
MOST = 3
"""Announcements of one another: a heading, what it says of a note, the first line of that."""

# Each in time linear in the line.
_LABEL = re.compile(r"[ \t]*(?:#{1,6}[ \t]+\S.*|\*\*[^*]+\*\*|<summary>.*|:{3,}[ \t]*\{?[A-Za-z].*)$")
"""A line that heads what follows, set in bold type or marked, or that opens a block: ``:::{note}``."""
_OVER_DEEPER = re.compile(r"(?P<margin>[ \t]*)(?:!!!|\?\?\?\+?|===[!+]?|\.\.[ \t]+[\w:.+-]+::)(?:[ \t]|$)")
"""``!!! note``, ``=== "Linux"``, ``.. note::``: it opens a block if what follows is set in further."""
_OPTION = re.compile(r"[ \t]*:[\w-]+:(?:\s|$)")
"""What may stand between such a line and its block."""
_RULE = re.compile(r"[ \t]*([=~^-])\1{2,}$")
_LETTER = re.compile(r"[^\W_]")
_CLOSING = "\"')]»”*_`"
"""What may stand behind a colon that ends a sentence."""


def before_announcement(text: str, start: int, stop: int, breaks: Sequence[re.Pattern[str]], fences: Fences) -> int:
    """Where to cut instead of at ``stop``: in front of what announces that which stands there, at the first kind of
    break that is near enough, or at ``start``. ``stop`` itself if nothing announces it, or if that is too long."""
    first = max(start, stop - LONGEST, fences.closed(stop))
    for _ in range(MOST):
        if not _announced(text, first, stop, fences):
            break
        end = first + len(text[first:stop].rstrip())
        places = (match.end() for kind in breaks if (match := _last(kind, text, first, end)))
        if (begin := next(places, start)) < first:
            break
        stop = begin
    return stop


def _last(kind: re.Pattern[str], text: str, start: int, end: int) -> re.Match[str] | None:
    found = list(kind.finditer(text, start, end))
    return found[-1] if found else None


def _announced(text: str, first: int, stop: int, fences: Fences) -> bool:
    """Whether what stands in front of ``stop`` announces what stands there; in a block of code its first line."""
    said = text[first:stop].rstrip()
    if fences.opening(stop):
        return not fences.opening(first + said.rfind("\n") + 1)
    lines = ["", *said.split("\n")]
    while _OPTION.match(lines[-1]):
        lines.pop()
    above, line = ["", *lines][-2:]
    if opened := _OVER_DEEPER.match(line):
        below = text[stop : stop + LONGEST]
        return len(below) - len(below.lstrip(" \t")) > len(opened["margin"])
    if _RULE.match(line):
        return bool(_LETTER.search(above)) and "|" not in above
    return bool(_LABEL.match(line)) or _ends_in_colon(line)


def _ends_in_colon(line: str) -> bool:
    """Whether a sentence ends so; a field (``:orphan:``) or a mark (``:::``) does not."""
    word = line.split()[-1] if line.strip() else ""
    return word == "::" or (word.rstrip(_CLOSING).endswith(":") and not word.startswith(":"))
