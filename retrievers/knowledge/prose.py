"""Plain text, Markdown and notebooks: text with headings."""

import json
import re
from bisect import bisect_right
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from calibrant.retrievers.knowledge.directives import without_directives
from calibrant.retrievers.knowledge.documents import (
    Document,
    Lines,
    LoadError,
    Outline,
    Section,
    fenced,
    line_starts,
    sections_from,
)
from calibrant.retrievers.knowledge.raw_lists import with_lists_read
from calibrant.retrievers.knowledge.titles import told_title
from calibrant.state.fence import fence_behind, fence_of
from calibrant.state.markup import FRONT_MATTER, plain

# Each in time linear in the text, which may be a page of the web: no two repeats that can match the same characters.
_ATX = re.compile(r"^ {0,3}(#{1,6})[ \t]+(\S.*)$")
_TAGGED = re.compile(r" {0,3}<h(?P<level>[1-6])(?:\s[^<>]*)?>(?P<title>(?:.*\n){0,5}?.*?)</h(?P=level)>", re.IGNORECASE)
_SETEXT = re.compile(r"^ {0,3}(=+|-{2,})[ \t]*$")
_COMMENT = re.compile(r" {0,3}<!--")
_RULE = re.compile(r"([=\-~^*#+_\"'`])\1{2,}[ \t]*")

_SHOWN_MANUAL = re.compile(r"\s*(?P<title>[\w.+:-]+\(\d\w*\)) {2,}(?:\S.* {2,})?(?P=title)[ \t]*$", re.MULTILINE)
"""The first line of a man page as ``man`` shows it: its name on both sides."""
_MANUAL_SECTION = re.compile(r"^(?P<margin> {3})?(?P<heading>\S+(?: \S+)*)[ \t]*$", re.MULTILINE)
"""A line at the margin, or three columns in: what stands below it is set in further."""

_PARAGRAPH = re.compile(r"(?:^.*\S.*\n?)+", re.MULTILINE)
_NUMBERED = re.compile(r"(?P<number>\d{1,2}(?:\.\d{1,2})*\.?)[ \t]+[A-ZÀ-Þ][^.!?;:\n]{1,60}")
_CAPITALS = re.compile(r"(?=.*[A-ZÀ-Þ]{3})[^a-zß-ÿ.!?;:|=\n]{4,70}")

MOST_MISSED = 3
"""Characters by which the rule under a heading may miss its length."""
MOST_WORDS = 9
"""Of a heading in capitals."""

Heading = tuple[int, int, str]
"""Offset, level, title."""


def text_document(text: str, path: Path) -> Document:
    """A plain text with its headings: the underlined ones first, those in capitals and the numbered ones below; or
    those of a man page, as ``man`` shows it."""
    if shown := _SHOWN_MANUAL.match(text):
        return _document("text", text, list(_manual_headings(text)), path.name, shown["title"].lower())
    underlined = list(_underlined_headings(text))
    deepest = max((level for _, level, _ in underlined), default=0)
    others = [(start, deepest + level, heading) for start, level, heading in _plain_headings(text)]
    top = [heading for _, level, heading in [*underlined, *others] if level == 1]
    alone = not underlined or len(top) == 1 or underlined[0][0] == len(text) - len(text.lstrip())
    title = top[0] if top and alone else path.name
    return _document("text", text, sorted([*underlined, *others]), path.name, title)


def markdown_document(text: str, path: Path) -> Document:
    """A Markdown text with its headings; the title is that of its particulars, else the first heading."""
    text, lines = _shown(text)
    title = told_title(text, path)
    return _document("markdown", text, list(_markdown_headings(text)), path.name, title, lines)


def notebook_document(text: str, path: Path) -> Document:
    """A Jupyter notebook as Markdown: its cells in order, the code fenced."""
    try:
        cells: list[dict[str, Any]] = json.loads(text)["cells"]
        parts = [_cell(cell["cell_type"], "".join(cell["source"])) for cell in cells]
    except (ValueError, KeyError, TypeError) as error:
        raise LoadError("not a readable notebook") from error
    body = "\n\n".join(part for part in parts if part)
    made = _document("markdown", body, list(_markdown_headings(body)), path.name)
    return Document(made.kind, made.title, made.text, made.sections)


def _document(
    kind: str, text: str, headings: list[Heading], name: str, title: str = "", lines: Lines | None = None
) -> Document:
    outline = Outline()
    marks = [(start, outline.enter(level, heading)) for start, level, heading in headings]
    sections: list[Section] = sections_from(marks, len(text))
    return Document(kind, title or outline.title or name, text, sections, lines or Lines.of(text))


def _cell(kind: str, source: str) -> str:
    if not source.strip() or kind == "raw":
        return ""
    return fenced(source, "python") if kind == "code" else source


def _shown(text: str) -> tuple[str, Lines | None]:
    """``text`` as a reader sees it, without comments and tags, and the lines of that; None where it is all of it."""
    kept = [*with_lists_read(without_directives([*_without_comments(text)]))]
    left = "\n".join(line for _, line in kept)
    return (text, None) if left == text else (left, Lines(line_starts(left), [number for number, _ in kept]))


def _without_comments(text: str) -> Iterator[tuple[int, str]]:
    """The lines of ``text`` with their numbers, without comments of several lines, which nobody reads."""
    lines = text.split("\n")
    ends = [number for number, line in enumerate(lines, start=1) if "-->" in line]
    last = ends[-1] if ends else 0
    fence, after = "", 0
    for number, line in enumerate(lines, start=1):
        if number < after:
            continue
        if number == after:
            line = line.partition("-->")[2]
        elif not fence and _COMMENT.match(line) and "-->" not in line and number < last:
            after = ends[bisect_right(ends, number)]
            continue
        fence = fence_behind(line, fence)
        if line or number != after:
            yield number, line


def _markdown_headings(text: str) -> Iterator[Heading]:
    """ATX and setext headings and those of HTML, outside fenced code and front matter."""
    fence, before, offset = "", "", 0
    skip_to = front.end() if (front := FRONT_MATTER.match(text)) else 0
    for line in text.split("\n"):
        if offset < skip_to:
            before = ""
        elif fence:
            fence = fence_behind(line, fence)
        elif fence := fence_of(line):
            before = ""
        else:
            if (atx := _ATX.match(line)) and (title := _without_closing_marks(atx.group(2))):
                yield offset, len(atx.group(1)), _plain(title)
            elif before.strip() and (rule := _SETEXT.match(line)) and _heads(before):
                yield offset - len(before) - 1, 1 if rule.group(1)[0] == "=" else 2, _plain(before)
            elif (tagged := _TAGGED.match(text, offset)) and (title := _plain(" ".join(tagged["title"].split()))):
                yield offset, int(tagged["level"]), title
            before = line
        offset += len(line) + 1


def _without_closing_marks(heading: str) -> str:
    """What remains of "Care ##" is "Care". Marks that touch a word belong to it: "F#"."""
    heading = heading.rstrip()
    bare = heading.rstrip("#")
    return heading if bare and not bare[-1].isspace() else bare.rstrip()


def _heads(line: str) -> bool:
    """Whether an underlined line is a heading rather than a table row or a list item."""
    return "|" not in line and not re.match(r"\s*([-*+>#]|\d+[.)])\s", line)


def _plain(heading: str) -> str:
    """A heading without its markup: links, emphasis, code marks."""
    return re.sub(r"\\?[`*]|(?<!\w)_|_(?!\w)", "", plain(heading)).strip()


def _manual_headings(text: str) -> Iterator[Heading]:
    """The sections of a man page and the parts of them."""
    for match in _MANUAL_SECTION.finditer(text):
        yield match.start(), 2 if match["margin"] else 1, match["heading"]


def _plain_headings(text: str) -> Iterator[Heading]:
    """Numbered lines and lines in capitals that stand by themselves above something else: "3. Holidays", "ANNEX B".

    Beside another one of its kind a line is an entry of a list, and its words must not be lost as a heading's.
    """
    found = [(match.start(), match.group().strip()) for match in _PARAGRAPH.finditer(text)]
    levels = [_plain_level(paragraph) for _, paragraph in found]
    for (offset, line), before, level, below in zip(found, [None, *levels], levels, levels[1:], strict=False):
        if level and before != level and (below is None or below > level):
            yield offset, level, line


def _plain_level(line: str) -> int | None:
    """1 for a line in capitals, 2 for "3. Holidays", 3 for "3.1 Sickness"; None for what is no heading."""
    numbered = _NUMBERED.fullmatch(line)
    if numbered:
        return 2 + numbered["number"].strip(".").count(".")
    return 1 if _CAPITALS.fullmatch(line) and len(line.split()) <= MOST_WORDS else None


def _underlined_headings(text: str) -> Iterator[Heading]:
    """Lines that stand by themselves over a rule of their own length; levels are numbered in the order in which their
    styles appear. A rule of another length parts what stands above it from what stands below."""
    levels: dict[str, int] = {}
    above, before, offset = "", "", 0
    for line in text.split("\n"):
        rule = _RULE.fullmatch(line)
        if rule and _is_title(before) and (not above.strip() or _RULE.fullmatch(above)):
            over = bool(above.strip())
            if abs(len(line.rstrip()) - len(before.rstrip())) <= MOST_MISSED:
                level = levels.setdefault(f"{rule.group(1)}{over}", len(levels) + 1)
                yield offset - len(before) - 1 - over * (len(above) + 1), level, before.strip()
        above, before = before, line
        offset += len(line) + 1


def _is_title(line: str) -> bool:
    """Whether a line may be a heading: words, and not those of several columns."""
    return bool(line[:1].strip()) and any(map(str.isalpha, line)) and not re.search(r"[|\t]|\S {3}", line.rstrip())
