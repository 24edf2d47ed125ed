"""HTML, PDF and Word: formats whose text has to be taken out of them.

The libraries are used directly where they keep what a citation needs and a generic loader loses: source lines and
headings (HTML), pages and bookmarks (PDF), heading styles and tables (Word). Imported when first needed.
"""

import io
import logging
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from calibrant.retrievers.knowledge.documents import Document, Lines, LoadError, Outline, Section, sections_from

if TYPE_CHECKING:
    from bs4.element import Tag

_SKIPPED = {"script", "style", "noscript", "template", "nav", "svg", "iframe", "footer", "head", "button", "select"}
_BLOCK_TAGS = """
address article aside blockquote body caption dd details div dl dt fieldset figcaption figure form header hr html
li main ol p pre section summary table tbody tfoot thead tr ul h1 h2 h3 h4 h5 h6
"""
_BLOCKS = frozenset(_BLOCK_TAGS.split())
_HEADINGS = {f"h{level}": level for level in range(1, 7)}
_CELLS = {"td", "th"}
_CELL = "\x1f"
"""Ends a cell in an open row: white space, should the row be closed as something else."""
_BAR = "\\|"
"""A bar inside a cell."""
_PERMALINK = re.compile(r"\s*[¶#🔗]\s*$")
_MACHINE_TITLE = re.compile(r"^(untitled|microsoft \w+ - .*|.*\.(docx?|pdf|tex|indd|dvi))$", re.IGNORECASE)


def html_document(text: str, path: Path) -> Document:
    """A web page as its visible text, block by block, with headings and the lines they have in the source."""
    from bs4 import BeautifulSoup

    soup = BeautifulSoup(text, "html.parser")
    page = _Page()
    page.read(soup)
    page.close_block()
    title = _squeezed(soup.title.get_text()) if soup.title else ""
    body = "".join(page.parts)
    sections = sections_from(page.marks, len(body))
    lines = Lines([offset for offset, _ in page.lines], [line for _, line in page.lines])
    return Document("html", title or page.outline.first or path.name, body, sections, lines)


class _Page:
    """The text of a page as it is read: parts, heading marks, and source lines by offset."""

    def __init__(self) -> None:
        self.parts: list[str] = []
        self.marks: list[tuple[int, str]] = []
        self.lines: list[tuple[int, int]] = []
        self.outline = Outline()
        self._length = 0
        self._block: list[str] = []
        self._cells: list[str] = []
        self._after_row = False
        self._line: int | None = None

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
                if child.name not in _SKIPPED:
                    self._enter(child)
                    stack.append(iter(child.children))
                    owners.append(child)
            elif type(child).__name__ == "NavigableString":
                self._say(str(child), owners[-1].sourceline)

    def close_block(self, level: int = 0, keep: bool = False) -> None:
        """Write the block that is open; as a heading of ``level``, or with its white space kept."""
        raw = "".join(self._block)
        text = raw.strip("\n") if keep else _squeezed(raw)
        if text.strip() and level:
            text = _PERMALINK.sub("", text)
            self.marks.append((self._length, self.outline.enter(level, text)))
        if text.strip():
            self._write(text + "\n\n")
        self._block, self._line = [], None

    def _close_row(self) -> None:
        """Write the row that is open, as Markdown has it: one whose cells are all headers names the columns."""
        cells = [_squeezed(cell) for cell in "".join(self._block).split(_CELL)[:-1]]
        if len(cells) < 2 or not any(cells):
            self.close_block()
            return
        self._write(_markdown_row(cells, heads=set(self._cells) == {"th"}), is_row=True)
        self._block, self._line = [], None

    def _write(self, text: str, *, is_row: bool = False) -> None:
        if self._after_row and not is_row:
            self.parts.append("\n")
            self._length += 1
        if self._line:
            self.lines.append((self._length, self._line))
        self.parts.append(text)
        self._length += len(text)
        self._after_row = is_row

    def _enter(self, tag: Any) -> None:
        if tag.name in _BLOCKS:
            self.close_block()
        if tag.name == "tr":
            self._cells = []
        elif tag.name == "li":
            self._block.append("- ")
        elif tag.name == "br":
            self._block.append("\n")

    def _leave(self, tag: Any) -> None:
        if tag.name in _CELLS:
            self._block.append(_CELL)
            self._cells.append(tag.name)
        elif tag.name == "tr":
            self._close_row()
        elif tag.name in _BLOCKS:
            self.close_block(_HEADINGS.get(tag.name, 0), keep=tag.name == "pre")

    def _say(self, text: str, line: int | None) -> None:
        if text.strip() and self._line is None:
            self._line = line
        self._block.append(text)


def pdf_document(content: bytes, path: Path) -> Document:
    """A PDF page by page; its bookmarks are its headings."""
    import pypdf

    logging.getLogger("pypdf").setLevel(logging.CRITICAL)  # it logs each oddity of a file; ours is one typed failure
    reader = pypdf.PdfReader(io.BytesIO(content))
    if reader.is_encrypted and not reader.decrypt(""):
        raise LoadError("the PDF is protected by a password")
    texts = [_joined_lines(page.extract_text()) for page in reader.pages]
    headings = _bookmarks(reader)
    title = str(reader.metadata.title or "").strip() if reader.metadata else ""
    if not any(text.strip() for text in texts):
        raise LoadError("the PDF has no text in it (scanned pages?)")
    sections = list(_page_sections(texts, headings))
    return Document("pdf", _human(title) or path.stem, "".join(texts), sections)


def _page_sections(texts: list[str], headings: dict[int, str]) -> Iterator[Section]:
    offset, heading = 0, ""
    for number, text in enumerate(texts, start=1):
        heading = headings.get(number, heading)
        yield Section(offset, offset + len(text), heading, page=number)
        offset += len(text)


def _bookmarks(reader: Any) -> dict[int, str]:
    """The heading open on the first line of each bookmarked page. A damaged outline is no reason to lose the text."""
    outline, found = Outline(), {}
    try:
        for level, item in _flat(reader.outline, 1):
            page = reader.get_destination_page_number(item)
            if page is not None:
                found[page + 1] = outline.enter(level, str(item.title).strip())
    except Exception:  # noqa: BLE001 - pypdf raises what it stumbles over: KeyError, TypeError, its own
        return found
    return found


def _flat(items: list[Any], level: int) -> Iterator[tuple[int, Any]]:
    for item in items:
        if isinstance(item, list):
            yield from _flat(item, level + 1)
        else:
            yield level, item


def _joined_lines(text: str) -> str:
    """Words that were hyphenated over a line end, whole again."""
    return re.sub(r"(?<=[^\W\d_])-\n(?=[a-zà-ÿ])", "", text).rstrip() + "\n\n"


def docx_document(content: bytes, path: Path) -> Document:
    """A Word file: paragraphs and tables in order; its heading styles are its headings."""
    import docx

    file = docx.Document(io.BytesIO(content))
    outline, marks, parts, length = Outline(), [], [], 0
    for level, text in _word_blocks(file):
        if level:
            marks.append((length, outline.enter(level, text)))
        parts.append(text + "\n\n")
        length += len(text) + 2
    title = _human((file.core_properties.title or "").strip())
    body = "".join(parts)
    return Document("docx", title or outline.first or path.stem, body, sections_from(marks, len(body)))


def _word_blocks(file: Any) -> Iterator[tuple[int, str]]:
    """Heading level (0 for none) and text of each paragraph and table."""
    for item in file.iter_inner_content():
        if hasattr(item, "rows"):
            if text := _word_table(item):
                yield 0, text
        elif text := item.text.strip():
            style = (item.style.name or "") if item.style is not None else ""
            match = re.match(r"(?i)heading (\d)$", style)
            yield (int(match.group(1)) if match else 1 if style.lower() == "title" else 0), text


def _word_table(table: Any) -> str:
    """A table as Markdown. Its first row names the columns, unless it has an empty cell or a figure."""
    rows = [list(dict.fromkeys(_squeezed(cell.text) for cell in row.cells)) for row in table.rows]
    rows = [row for row in rows if any(row)]
    heads = len(rows) > 1 and all(cell and not re.search(r"\d", cell) for cell in rows[0])
    return "".join(_markdown_row(row, heads=heads and not place) for place, row in enumerate(rows)).rstrip("\n")


def _markdown_row(cells: Sequence[str], *, heads: bool) -> str:
    """A row with its line end, and the rule below it where it ``heads`` the table."""
    rule = "|---" * len(cells) + "|\n" if heads else ""
    return f"| {' | '.join(cell.replace('|', _BAR) for cell in cells)} |\n{rule}"


def _squeezed(text: str) -> str:
    return " ".join(text.split())


def _human(title: str) -> str:
    """A document's own title, unless it is one that a program made up."""
    return "" if _MACHINE_TITLE.match(title) else title
