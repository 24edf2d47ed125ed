"""YAML as sections: each holds whole blocks of keys as far as they fit in a passage, and is headed by the keys over it.

A value says what it is of only with the keys that it stands in, and those may stand hundreds of lines above it.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

from calibrant.retrievers.knowledge.chunking import SMALL, TARGET
from calibrant.retrievers.knowledge.documents import Document, Lines, Section

_KEY = re.compile(
    r" *(?:- +)*(?P<key>\"[^\"\n]+\"|'[^'\n]+'|[^\s#:\"'\[\]{}&*!|>@,-][^:#\n]*|-[^\s:#-][^:#\n]*)"
    r":(?:[ \t]+(?P<value>\S.*))?$"
)
_ENTRY = re.compile(r" *- ")
_BLOCK = re.compile(r"[|>][-+\d]*(?:\s+#.*)?$")
_QUOTES = "\"'"
DEEPEST = 6
"""Keys told of those that a passage stands in: the inner ones."""
_FARTHEST = 120
"""Level from which nothing is cut at its keys, so that no file nests without end."""


@dataclass(frozen=True)
class _Head:
    """A line that begins a key or an entry of a list: where what belongs to it starts, twice its column (a dash stands
    half a column further in), and what it is called."""

    start: int
    level: int
    name: str


def keyed_document(text: str, path: Path) -> Document:
    """A YAML file. Its sections are headed by the keys in which they stand."""
    sections = _sections([_Head(0, -1, ""), *_heads(text)], len(text), (), 0, "")
    return Document("code", path.name, text, sections, Lines.of(text))


def _heads(text: str) -> Iterator[_Head]:
    """A comment belongs to what stands below it, and no line of a text in a block begins anything."""
    above, deepest, offset = -1, -1, 0
    for line in text.split("\n"):
        start, margin = offset, len(line) - len(line.lstrip(" "))
        offset += len(line) + 1
        if not line.strip() or 0 <= deepest < margin:
            continue
        deepest = -1
        if line.lstrip().startswith("#"):
            above = start if above < 0 else above
            continue
        key, entry = _KEY.match(line), _ENTRY.match(line)
        start, above = (start if above < 0 else above), -1
        if line.startswith("---"):
            yield _Head(start, -1, "")  # the next document
        if entry:
            named = key is not None and key["key"] == "name" and key["value"]
            yield _Head(start, 2 * margin + 1, key["value"].strip(_QUOTES) if key and named else "")
        if key:
            yield _Head(start, 2 * key.start("key"), key["key"].strip(_QUOTES))
            deepest = key.start("key") if _BLOCK.match(key["value"] or "") else -1


def _sections(heads: Sequence[_Head], end: int, over: tuple[str, ...], held: int, under: str) -> list[Section]:
    """The blocks of ``heads``, which stand in the keys ``over``: as many in one section as fit; one that does not fit
    is cut at the blocks in it. The first section begins at ``held``, with what stands ``under`` other keys; as far as
    they fit, small ones go with what follows."""
    top = min(head.level for head in heads)
    places = [0, *(place for place, head in enumerate(heads) if place and head.level == top), len(heads)]
    out, heading = list[Section](), " > ".join(over[-DEEPEST:])
    for first, after in pairwise(places):
        start, stop = heads[first].start, heads[after].start if after < len(heads) else end
        if stop - held <= TARGET:
            continue
        is_large = stop - start > TARGET and after - first > 1 and heads[first].level < _FARTHEST
        if start - held >= SMALL or (held < start and not is_large):
            out.append(Section(held, start, under, style="code"))
            held, under = start, heading
        if is_large:
            name = heads[first].name
            out += _sections(heads[first + 1 : after], stop, (*over, name) if name else over, held, under)
            follows = after < len(heads) and stop - out[-1].start < SMALL
            held, under = out.pop().start if follows else stop, heading
    return [*out, Section(held, end, under, style="code")] if held < end else out
