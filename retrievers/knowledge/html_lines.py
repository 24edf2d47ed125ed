"""The text of a web page block by block, with the lines that its words have in the source."""

import re
from collections.abc import Sequence
from typing import Any

from calibrant.retrievers.knowledge.documents import Lines, line_starts

ITEM = "- "
"""Stands before an item of a list, in the line of its first word."""
_SIGN = re.compile(rf"{ITEM}|\d+\. ")
"""The same, or the number of one that is numbered."""
_WORD = re.compile(r"\S+")

Piece = tuple[str, int]
"""A text, and the line of the source in which it begins."""
Places = Sequence[tuple[int, int]]
"""Offsets in a text, each with the line of the source from there on, in order."""


class Source:
    """The page as it is written, where the parser tells only in which line a tag begins."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._starts = line_starts(text)

    def line_after(self, tag: Any) -> int:
        """The line in which the start tag ends."""
        start = self._starts[tag.sourceline - 1] + tag.sourcepos
        return int(tag.sourceline) + self._text.count("\n", start, max(self._text.find(">", start), start))


def as_one_line(block: Sequence[Piece]) -> tuple[str, Places]:
    """The words of a paragraph, and the lines in which they stand."""
    raw, lines = _joined(block)
    places: list[tuple[int, int]] = []
    sign = _SIGN.match(raw)
    offset = sign.end() if sign else 0
    for word in _WORD.finditer(raw, offset):
        line = lines.at(word.start())
        if line is not None and (not places or line != places[-1][1]):
            places.append((offset if places else 0, line))
        offset += len(word.group()) + 1
    return squeezed(raw), places


def as_laid_out(block: Sequence[Piece]) -> tuple[str, Places]:
    """A listing line by line, without the empty lines around it."""
    raw, lines = _joined(block)
    text, lead = raw.strip("\n"), len(raw) - len(raw.lstrip("\n"))
    places = ((at - lead, line) for at, line in zip(lines.offsets, lines.numbers, strict=True))
    return text, [(max(offset, 0), line) for offset, line in places if offset < len(text)]


def _joined(block: Sequence[Piece]) -> tuple[str, Lines]:
    """The texts of a block as one, and the lines of its offsets."""
    offsets: list[int] = []
    numbers: list[int] = []
    length = 0
    for text, first in block:
        starts = line_starts(text)
        offsets += [length + start for start in starts]
        numbers += range(first, first + len(starts))
        length += len(text)
    return "".join(text for text, _ in block), Lines(offsets, numbers)


def squeezed(text: str) -> str:
    """``text`` in one line, with single blanks."""
    return " ".join(text.split())
