"""HTML, whose text has to be taken out of it. Beautiful Soup is used directly: it keeps what a citation needs and a
generic loader loses, the lines of the source and the headings. Imported when first needed.
"""

import re
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from calibrant.retrievers.knowledge.documents import (
    POWER,
    SOFT_HYPHEN,
    STRUCK,
    Document,
    Lines,
    Outline,
    markdown_row,
    sections_from,
)
from calibrant.retrievers.knowledge.html_lines import ITEM, Piece, Places, Source, as_laid_out, as_one_line, squeezed

if TYPE_CHECKING:
    from bs4.element import Tag

_SKIPPED = STRUCK | {
    "script", "style", "noscript", "template", "nav", "svg", "iframe", "footer", "title", "button", "select",
}  # fmt: skip
"""What is no text of a page, or is struck out of it."""
_ROLES_SKIPPED = {"navigation", "search"}
"""Of tags that mean nothing by themselves: Sphinx has its links and its search box in such ones."""
_BLOCK_TAGS = """
address article aside blockquote body caption dd details div dl dt fieldset figcaption figure form header hr html
li main ol p pre section summary table tbody tfoot thead tr ul h1 h2 h3 h4 h5 h6
"""
_BLOCKS = frozenset(_BLOCK_TAGS.split())
_HEADINGS = {f"h{level}": level for level in range(1, 7)}
_CELLS = {"td", "th"}
_ROW_GROUPS = {"table", "thead", "tbody", "tfoot"}
_ROWS = _ROW_GROUPS | {"tr"}
LONGEST_TERM = 60
"""Characters of a term that is told in one line with its definition; none of a longer one, or of a signature."""
_IN_TERM = {"dd", "p", "div"}
"""What may open a definition behind its term."""
_IN_ITEM = {"p", "div", "section"}
"""What may hold the words of an item of a list."""
MAX_SPAN = 50
"""Columns or rows that one cell may stretch over; more is a mistake or malice."""
MAX_REPEATED = 1_000_000
"""Characters that a page may gain by cells that stretch over several rows."""
LONG_CELL = 1000
"""Several paragraphs in a cell longer than this are a page laid out with a table."""
_PERMALINK_MARKS = {"¶", "#", "🔗", "§"}
_PERMALINK = re.compile(r"(?:\s*[¶🔗]|\s#)\s*$")
_NOTE = re.compile(r"\s*([\w*†‡§]{1,4})\s*")
"""What refers to a note: its number or its sign."""
_TAG = re.compile(r"</?[a-zA-Z]")
"""How a tag begins."""


def html_document(text: str, path: Path) -> Document:
    """A web page as its visible text, block by block, with headings and the lines they have in the source."""
    from bs4 import BeautifulSoup

    soup = BeautifulSoup(_finished(text), "html.parser")
    page = _Page(Source(text))
    page.read(soup)
    page.close_block()
    title = squeezed(soup.title.get_text()) if soup.title else ""
    body = "".join(page.parts)
    sections = sections_from(page.marks, len(body))
    lines = Lines([offset for offset, _ in page.lines], [line for _, line in page.lines])
    return Document("html", title or page.outline.title or path.name, body, sections, lines)


def _finished(text: str) -> str:
    """``text`` without the tag that does not end in it, which no browser shows, and without marks of comments that do
    not: the parser would look for each end in all that follows, which takes hours."""
    last = text.rfind("-->") + 1
    text = text[:last] + text[last:].replace("<!--", " " * len("<!--"))
    unfinished = _TAG.search(text, text.rfind(">") + 1)
    return text[: unfinished.start()] if unfinished else text


Raised = Literal["", "power", "note"]


class _Block(NamedTuple):
    """A paragraph, or a heading of ``level``, and the lines of the source in which it stands."""

    text: str
    level: int
    places: Places


class _Row:
    """A table row as it is read: what stands in each column, and the blocks of its own cells."""

    def __init__(self, above: dict[int, str]) -> None:
        self.cells: list[str] = []
        self._above = above
        """By column: the texts of cells in the rows above that stretch down to this one."""
        self.blocks: list[_Block] = []
        self.tags: set[str] = set()
        self.is_layout = False
        """It arranges parts of a page rather than values."""

    def add(self, tag: str, blocks: list[_Block], columns: int) -> tuple[int, str]:
        """A cell that stretches over so many columns. Returns the first of them and its text."""
        while len(self.cells) in self._above:
            self.cells.append(self._above[len(self.cells)])
        place, text = len(self.cells), squeezed(" ".join(block.text for block in blocks))
        self.is_layout |= len(blocks) > 1 and (len(text) > LONG_CELL or any(block.level for block in blocks))
        self.cells += [text, *[""] * (columns - 1)]
        self.blocks += blocks
        self.tags.add(tag)
        return place, text

    def complete(self) -> list[str]:
        """The text of each column, up to the last that a cell from above stretches down to."""
        rest = range(len(self.cells), max(self._above, default=-1) + 1)
        return self.cells + [self._above.get(place, "") for place in rest]


class _Page:
    """The text of a page as it is read: parts, heading marks, and source lines by offset."""

    def __init__(self, source: Source) -> None:
        self._source = source
        self._now = 1
        """The line of the source that was read last."""
        self.parts: list[str] = []
        self.marks: list[tuple[int, str]] = []
        self.lines: list[tuple[int, int]] = []
        self.outline = Outline()
        self._length = 0
        self._block: list[Piece] = []
        """Of the block that is open."""
        self._is_term = False
        """It is a term whose definition is still to come."""
        self._is_item = False
        """It is an item of a list whose words are still to come."""
        self._raised: Raised = ""
        """What the next text is, where it is set above the line."""
        self._listings = 0
        """How many listings are open: one in another."""
        self._row: _Row | None = None
        self._cell: Any = None
        self._cell_blocks: list[_Block] = []
        self._after_row = False
        self._hanging: dict[int, tuple[int, str]] = {}
        """By column: the rows still to come that a cell stretches down to, and its text."""
        self._repeated = 0
        self._items: dict[int, int] = {}
        """By list: the number of its last item."""

    def read(self, tag: "Tag") -> None:
        """Everything visible under ``tag``. Depth first with a stack of its own: pages nest deeper than Python may."""
        stack: list[Any] = [iter(tag.children)]
        owners: list[Any] = [tag]
        while stack:
            child = next(stack[-1], None)
            if child is None:
                stack.pop()
                self._leave(owners.pop())
            elif getattr(child, "children", None) is not None:
                self._now = self._source.line_after(child)
                if child.name in _SKIPPED or child.get("role") in _ROLES_SKIPPED or _is_permalink(child):
                    self._now += child.get_text(types=None).count("\n")
                else:
                    self._enter(child)
                    stack.append(iter(child.children))
                    owners.append(child)
            else:
                if type(child).__name__ == "NavigableString":
                    self._say(str(child))
                self._now += child.count("\n")

    def close_block(self, level: int = 0) -> None:
        """End the block that is open; as a heading of ``level``. In a listing its white space is kept."""
        keep = self._listings and not level
        text, places = as_laid_out(self._block) if keep else as_one_line(self._block)
        block = _Block(_PERMALINK.sub("", text) if level else text, level, places)
        is_bare = self._is_item or not block.text.strip()
        self._block, self._is_term, self._is_item = [], False, False
        if is_bare:
            return
        if self._cell is None:
            self._write_block(block)
        else:
            self._cell_blocks.append(block)

    def _write_block(self, block: _Block) -> None:
        if block.level:
            self.marks.append((self._length, self.outline.enter(block.level, block.text)))
        self._write(block.text + "\n\n", block.places)

    def _open_row(self) -> _Row:
        row = _Row({place: text for place, (_, text) in self._hanging.items()})
        self._hanging = {place: (rows - 1, text) for place, (rows, text) in self._hanging.items() if rows > 1}
        return row

    def _open_cell(self, tag: Any) -> None:
        self._close_cell()  # its end tag may be left out
        self._row = self._row or self._open_row()
        self._cell = tag

    def _close_cell(self) -> None:
        self.close_block()
        if self._cell is None or self._row is None:
            return
        columns, rows = _span(self._cell, "colspan"), _span(self._cell, "rowspan")
        place, text = self._row.add(self._cell.name, self._cell_blocks, columns)
        self._hang(place, columns, rows - 1, text)
        self._cell, self._cell_blocks = None, []

    def _hang(self, place: int, columns: int, rows: int, text: str) -> None:
        """Keep a cell for the rows below that it stretches down to."""
        gained = rows * (len(text) + columns)
        if rows and self._repeated + gained <= MAX_REPEATED:
            self._repeated += gained
            self._hanging |= {place + shift: (rows, "" if shift else text) for shift in range(columns)}

    def _close_row(self, *, is_layout: bool = False) -> None:
        """Write the row that is open, as Markdown has it: one whose cells are all headers names the columns."""
        self._close_cell()
        row, self._row = self._row, None
        if row is None or not row.blocks:
            return
        cells = row.complete()
        if is_layout or row.is_layout or len(cells) < 2:
            for block in row.blocks:
                self._write_block(block)
        else:
            self._write(markdown_row(cells, heads=row.tags == {"th"}), row.blocks[0].places[:1], is_row=True)

    def _write(self, text: str, places: Places, *, is_row: bool = False) -> None:
        if self._after_row and not is_row:
            self.parts.append("\n")
            self._length += 1
        self.lines += [(self._length + offset, line) for offset, line in places]
        self.parts.append(text)
        self._length += len(text)
        self._after_row = is_row

    def _enter(self, tag: Any) -> None:
        if tag.name in _CELLS:
            self._open_cell(tag)
        elif tag.name in _ROWS:
            self._close_row(is_layout=tag.name == "table")  # a row is no data where a table stands in one of its cells
        elif tag.name == "div" and self._listings:
            self._begin_line()
        elif tag.name in _BLOCKS and not self._goes_on(tag.name):
            self.close_block()
        if tag.name in _ROW_GROUPS:
            self._hanging = {}
        elif tag.name == "tr":
            self._row = self._open_row()
        elif tag.name == "li":
            self._say(self._sign_of(tag))
            self._is_item = True
        elif tag.name == "br":
            self._say("\n")
        elif tag.name == "pre":
            self._listings += 1
        elif tag.name == "sup":
            self._raised = "note" if _is_reference(tag) else "power"

    def _sign_of(self, item: Any) -> str:
        """What stands before an item of a list: the number of one that is numbered, since others refer to it."""
        if item.parent is None or item.parent.name != "ol":
            return ITEM
        before = self._items.get(id(item.parent))
        start = item.parent.get("start") if before is None else None
        said = str(item.get("value") or start or "")[:4]
        number = self._items[id(item.parent)] = int(said) if said.isdecimal() else (before or 0) + 1
        return f"{number}. "

    def _leave(self, tag: Any) -> None:
        if tag.name in _CELLS:
            self._close_cell()
        elif tag.name in _ROWS:
            self._close_row()
        elif tag.name == "dt" and self._is_short_term():
            self._block.insert(0, (ITEM, self._block[0][1]))
            self._say(": ")
            self._is_term = True
        elif tag.name == "div" and self._listings:
            self._begin_line()
        elif tag.name == "sup":
            self._raised = ""
        elif tag.name in _BLOCKS and not (self._is_item and self._goes_on(tag.name)):
            self.close_block(_HEADINGS.get(tag.name, 0))
            self._listings -= tag.name == "pre"

    def _goes_on(self, name: str) -> bool:
        """Whether a block stands in the line of the term or the sign before it."""
        return (self._is_term and name in _IN_TERM) or (self._is_item and name in _IN_ITEM)

    def _is_short_term(self) -> bool:
        """Whether the block that is open can stand before its definition, as a glossary has it."""
        term = squeezed("".join(text for text, _ in self._block))
        return 0 < len(term) <= LONGEST_TERM and "(" not in term and term[-1] not in ".:?!"

    def _say(self, text: str) -> None:
        text = text.replace(SOFT_HYPHEN, "")
        if self._raised and text.strip():
            text, self._raised = self._apart(text), ""
        if text:
            self._block.append((text, self._now))
        self._is_term = self._is_term and not text.strip()
        self._is_item = self._is_item and not text.strip()

    def _apart(self, text: str) -> str:
        """A text that is set above the line, apart from a number or a word in front of it, of which it is no part."""
        before = self._block[-1][0][-1] if self._block else " "
        if self._raised == "note" and (note := _NOTE.fullmatch(text)):
            return f"[{note[1]}]" if before.isspace() else f" [{note[1]}]"
        return f"^{text}" if self._raised == "power" and before.isdigit() and POWER.match(text) else text

    def _begin_line(self) -> None:
        """A new line of a listing, unless one has just begun."""
        if self._block and not self._block[-1][0].endswith("\n"):
            self._say("\n")


def _is_permalink(tag: Any) -> bool:
    """Whether it is the sign beside a heading that leads to it."""
    if tag.name != "a" or len(tag.contents) != 1:
        return False
    inside = tag.contents[0]
    return type(inside).__name__ == "NavigableString" and inside.strip() in _PERMALINK_MARKS


def _is_reference(tag: Any) -> bool:
    """Whether what is set above the line leads to a note: the link stands in it, or around it."""
    near = (*tag.find_all("a", limit=1, recursive=False), tag.parent)
    return any(link.name == "a" and "#" in str(link.get("href", "")) for link in near)


def _span(tag: Any, name: str) -> int:
    """Over how many columns or rows a cell stretches."""
    said = str(tag.get(name, "")).strip()[:4]
    return min(max(int(said), 1), MAX_SPAN) if said.isdecimal() else 1
