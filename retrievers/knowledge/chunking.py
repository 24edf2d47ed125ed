"""Sections into passages of about a thousand characters, cut where a reader would cut.

A passage is always a stretch of the document's text (``text[start:end]``), so its offsets are exact; one that starts
inside a table knows its columns, one that starts inside a block of code that block's first line, and one that starts
inside an entry stands under its name. A section is cut at its joint, then at the strongest breaks that make the pieces
fit: paragraphs, list items, rows, sentences (lines in a block of code), words; but not behind what announces the text
that follows. A sentence is cut only when it is longer than ``HARD_LIMIT``.
"""

import hashlib
import itertools
import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from calibrant.retrievers.knowledge.announcing import before_announcement
from calibrant.retrievers.knowledge.documents import Document, Section, Style
from calibrant.retrievers.knowledge.entries import BULLET, Entries
from calibrant.retrievers.knowledge.fences import Fences

TARGET = 1000
HARD_LIMIT = 1500
SMALL = 200
"""A last piece below this joins the one before it."""

_PARAGRAPH = re.compile(r"\n[ \t]*\n+")
_ITEM = re.compile(rf"\n(?=[ \t]*{BULLET})")
_ROW = re.compile(r"\n(?=[ \t]*\|)")
_SENTENCE = re.compile(r"(?<=[.!?…:])[\"')\]»”]*\s+(?=[^a-z\s])")
_LINE = re.compile(r"\n")
_WORD = re.compile(r"\s+")
_BREAKS: dict[Style, tuple[re.Pattern[str], ...]] = {
    "prose": (_PARAGRAPH, _ITEM, _ROW, _SENTENCE),
    "code": (_PARAGRAPH, _LINE),
    "rows": (_LINE,),
}
_TABLE = re.compile(r"^(?P<names>[^\n|]*\|[^\n]*)\n(?=[^\n]*\|)[ \t|:]*-[ \t|:+-]*(?:\n[^\n|]*\|[^\n]*)*", re.MULTILINE)
"""A Markdown table: the line with the names of its columns, the rule below, the rows. In time linear in the text, which
may be a page of the web: each part can match in one way only."""
_BAR = re.compile(r"(?<!\\)\|")
_COLUMNS = re.compile(r"(?:(?P<heading>.*) > )?\| (?P<names>.*) \|")
_FENCE = re.compile(r"(?:(?P<heading>.*) > )?(?P<fence>`{3,}[^`]*|~{3,}.*)")
_LETTER = re.compile(r"[^\W_]")
_MARKS = "#=-~^*` \t\n"
"""What may stand around a heading."""

Span = tuple[int, int]


@dataclass(frozen=True)
class Passage:
    """One chunk of a document, as it is stored."""

    id: str
    text: str
    heading: str
    columns: tuple[str, ...]
    """Of the table inside which it starts."""
    fence: str
    """The first line of the block of code inside which it starts."""
    start: int
    end: int
    line: int | None
    end_line: int | None
    jumps: tuple[tuple[int, int], ...]
    """As ``Locator`` has them."""
    page: int | None


def passages(document: Document, url: str) -> list[Passage]:
    """The passages of ``document``. Ids depend on its URL, a passage's heading and text, never on its place."""
    seen: Counter[tuple[str, str]] = Counter()
    out = []
    for section in document.sections:
        tables = list(_TABLE.finditer(document.text, section.start, section.end)) if section.style == "prose" else []
        starts = [table.start() for table in tables]
        last = section.end if section.style == "prose" else section.start
        entries = Entries(document.text, section.start, last)
        fences = Fences(document.text, section.start, last)
        for start, end in _pieces(document.text, section, entries, fences):
            text = document.text[start:end]
            heading = _under(section.heading, entries.over(start))
            at = bisect_left(starts, start)
            columns = _names(tables[at - 1]) if at and start < tables[at - 1].end() else ()
            fence = "" if columns else fences.opening(start)
            above = headed(heading, columns, fence)
            seen[above, text] += 1
            key = passage_id(url, above, text, seen[above, text] - 1)
            line, end_line = document.lines.at(start), document.lines.at(end - 1)
            jumps = document.lines.jumps(document.text, start, end)
            out.append(Passage(key, text, heading, columns, fence, start, end, line, end_line, jumps, section.page))
    return out


def _under(heading: str, names: tuple[str, ...]) -> str:
    """The heading with the names of the entries below it; the last part of a heading is not told twice."""
    last = heading.rsplit(" > ", 1)[-1]
    return " > ".join(filter(None, (heading, *(name for name in names if name != last))))


def headed(heading: str, columns: tuple[str, ...], fence: str) -> str:
    """One line for what stands above a passage: the heading, and the columns as a row of their own, or the first line
    of the block of code that goes on in it."""
    names = f"| {' | '.join(columns)} |" if columns else ""
    return " > ".join(filter(None, (heading, names or fence)))


def split_heading(line: str) -> tuple[str, tuple[str, ...], str]:
    """The heading, the columns and the fence of which ``headed`` made the line."""
    if line.endswith(" |") and (row := _COLUMNS.fullmatch(line)):  # else it would try each bar of a long line
        return row["heading"] or "", tuple(row["names"].split(" | ")), ""
    if code := _FENCE.fullmatch(line):
        return code["heading"] or "", (), code["fence"]
    return line, (), ""


def _names(table: re.Match[str]) -> tuple[str, ...]:
    return tuple(name.strip().replace("\\|", "/") for name in _BAR.split(table["names"].strip().strip("|")))


def passage_id(url: str, heading: str, text: str, repeat: int = 0) -> str:
    """The content address of a passage; ``repeat`` tells apart equal ones under one heading."""
    parts = "\x00".join((url, heading, text, str(repeat) if repeat else ""))
    return "k" + hashlib.sha256(parts.encode("utf-8", "surrogatepass")).hexdigest()[:24]


def _pieces(text: str, section: Section, entries: Entries, fences: Fences) -> Iterator[Span]:
    """The pieces of a section, trimmed, without those that say nothing but the heading."""
    for start, end in _apart(_cut_section(text, section, fences), entries):
        start, end = _trimmed(text, start, end, section.style)
        if _LETTER.search(text, start, end) and not _only_heading(text[start:end], section.heading):
            yield start, end


def _cut_section(text: str, section: Section, fences: Fences) -> list[Span]:
    start, end, joint = section.start, section.end, section.joint
    if end - start <= TARGET:
        return [(start, end)]
    if joint is None or joint - start < SMALL:
        return _cut(text, start, end, _BREAKS[section.style], fences)
    return _cut(text, start, joint, _BREAKS["prose"], fences) + _cut(text, joint, end, _BREAKS["code"], fences)


def _cut(text: str, start: int, end: int, breaks: Sequence[re.Pattern[str]], fences: Fences) -> list[Span]:
    """Cut at the first kind of break, or before what announces the text there; what is still too long, at the next
    kind. Then pack neighbours together."""
    if end - start <= TARGET:
        return [(start, end)]
    if not breaks:
        return _forced(text, start, end)
    stops = [match.end() for match in breaks[0].finditer(text, start, end)]
    if breaks[0] is _SENTENCE:
        stops = _in_lines(text, start, end, stops, fences)
    moved = {before_announcement(text, start, stop, breaks, fences) for stop in stops if start < stop < end}
    bounds = [start, *sorted(moved - {start}), end]
    spans = [span for pair in itertools.pairwise(bounds) for span in _cut(text, *pair, breaks[1:], fences)]
    return _packed(spans)


def _in_lines(text: str, start: int, end: int, stops: Sequence[int], fences: Fences) -> list[int]:
    """The ends of sentences, and in a block of code those of its lines instead."""
    lines = (match.end() for match in _LINE.finditer(text, start, end))
    outside = (stop for stop in stops if not fences.opening(stop))
    return sorted({*outside, *(stop for stop in lines if fences.opening(stop))})


def _forced(text: str, start: int, end: int) -> list[Span]:
    """A stretch without breaks: whole up to the hard limit, else cut between words, else anywhere."""
    if end - start <= HARD_LIMIT:
        return [(start, end)]
    spans = []
    while end - start > HARD_LIMIT:
        words = [match.end() for match in _WORD.finditer(text, start + SMALL, start + TARGET)]
        stop = words[-1] if words else start + TARGET
        spans.append((start, stop))
        start = stop
    return [*spans, (start, end)]


def _packed(spans: Sequence[Span]) -> list[Span]:
    """Adjacent spans joined as long as they fit; a small last one joins its neighbour."""
    out: list[Span] = []
    for start, end in spans:
        if out and end - out[-1][0] <= TARGET:
            out[-1] = (out[-1][0], end)
        else:
            out.append((start, end))
    if len(out) > 1 and out[-1][1] - out[-1][0] < SMALL and out[-1][1] - out[-2][0] <= HARD_LIMIT:
        out[-2:] = [(out[-2][0], out[-1][1])]
    return out


def _apart(spans: Sequence[Span], entries: Entries) -> list[Span]:
    """Pieces that begin inside an entry end where it does: its name is not said of the next one. What is small goes to
    the piece that it belongs to: the end of an entry to the one before, the beginning of the next to the one after."""
    out: list[Span] = []
    rest = spans[0][0]
    for (_, end), (_, after) in itertools.pairwise([*spans, spans[-1]]):
        stop = entries.left(rest, end)
        if stop < end and out and stop - rest < SMALL and stop - out[-1][0] <= HARD_LIMIT:
            out[-1] = (out[-1][0], stop)
            rest = stop
        elif stop < end and stop - rest >= SMALL:
            out.append((rest, stop))
            rest = stop
        if rest != stop or end - rest >= SMALL or end == after or after - rest > HARD_LIMIT:
            out.append((rest, end))
            rest = end
    return out


def _trimmed(text: str, start: int, end: int, style: Style) -> Span:
    """Without white space around it; code keeps the indentation of its first line."""
    stretch = text[start:end]
    end = start + len(stretch.rstrip())
    lead = len(stretch) - len(stretch.lstrip())
    if style == "code":
        lead = stretch.rfind("\n", 0, lead) + 1
    return min(start + lead, end), end


def _only_heading(text: str, heading: str) -> bool:
    return bool(heading) and text.strip(_MARKS) == heading.rsplit(" > ", 1)[-1].strip(_MARKS)
