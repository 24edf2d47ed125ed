"""Text out of what services send, cut into passages that know where they stand.

Pages, Markdown and plain text are read and cut as the knowledge base does it (``knowledge/html.py``,
``knowledge/chunking.py``), so that a passage from the web is of the same size and makes as much sense.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from html import unescape
from pathlib import Path
from typing import Any, Literal
from xml.etree import ElementTree

from calibrant.retrievers.knowledge.chunking import TARGET, Passage, passages
from calibrant.retrievers.knowledge.documents import POWER, STRUCK, Document, fenced, markdown_row
from calibrant.retrievers.knowledge.html import html_document
from calibrant.retrievers.knowledge.prose import markdown_document, text_document
from calibrant.state.evidence import Locator, storable

MAX_CHARS = 400_000
"""What is read of one document; the rest of an endless one is left."""

MAX_FRAGMENT = 100_000
"""The same for an answer or a snippet."""

Kind = Literal["text", "markdown", "html"]
_READERS: Mapping[str, Callable[[str, Path], Document]] = {
    "text": text_document,
    "markdown": markdown_document,
    "html": html_document,
}
_LANGUAGE = re.compile(r"\blang(?:uage)?-([\w+#.-]+)")
_BREAKS = {
    **dict.fromkeys(("p", "div", "h1", "h2", "h3", "h4", "h5", "h6", "blockquote", "ul", "ol", "table"), "\n\n"),
    "br": "\n",
    "li": "\n",
}
_ITEM = re.compile(r"\n- \s+")
_MAIN = ("[role=main]", "[itemprop=articleBody]", "main", "article")


@dataclass(frozen=True)
class Piece:
    """A passage of a document and where it stands there."""

    text: str
    place: Locator = Locator()


@dataclass(frozen=True)
class Caption:
    """A line of a transcript and the second at which it is said."""

    second: float
    text: str


def pieces_of(text: str, kind: Kind = "text", heading: str = "") -> list[Piece]:
    """The passages of a document. ``heading`` stands for those that have none of their own."""
    document = _READERS[kind](_storable(text[:MAX_CHARS]), Path("document"))
    return [Piece(item.text, _place(item, item.heading or heading)) for item in passages(document, "")]


def _place(item: Passage, heading: str) -> Locator:
    return Locator(heading=heading, columns=item.columns, fence=item.fence, start=item.start, end=item.end)


def timed_pieces(captions: Sequence[Caption]) -> list[Piece]:
    """A transcript as passages of several captions; each knows the second at which it starts."""
    pieces, held, start = [], list[Caption](), 0
    for caption in captions:
        if held and len(_said(held)) + len(caption.text) > TARGET:
            pieces.append(_timed(held, start))
            start, held = start + len(_said(held)) + 1, []
        held.append(caption)
    return [*pieces, _timed(held, start)] if held else pieces


def plain(html: str) -> str:
    """An HTML fragment as text: blocks apart, code in fences with its language where the markup names one."""
    if "<" not in html:
        return unescape(html).strip()
    reader = _Fragment()
    _feed(html[:MAX_FRAGMENT], reader)
    return re.sub(r"\n[ \t]*\n\s*\n", "\n\n", _ITEM.sub("\n- ", "".join(reader.parts))).strip()


def one_line(html: str) -> str:
    """A title or a snippet as one line, without tags and entities."""
    return " ".join(plain(html).split())


def main_content(html: str) -> str:
    """The part of a page that holds its text, where the markup says which; else the whole page."""
    from bs4 import BeautifulSoup

    soup = BeautifulSoup(html[:MAX_CHARS], "lxml")
    found = next((tag for wanted in _MAIN if (tag := soup.select_one(wanted)) is not None), None)
    return str(found or soup)


def xml_root(text: str) -> ElementTree.Element:
    """Parsed XML. ``ValueError`` where it is broken or declares a document type: without one there are no entities
    to expand and none to load."""
    if "<!DOCTYPE" in text or "<!ENTITY" in text:
        raise ValueError("XML with a document type")
    try:
        return ElementTree.fromstring(text)  # noqa: S314 - what makes this unsafe was refused above
    except ElementTree.ParseError as error:
        raise ValueError("broken XML") from error


def dicts(items: Any) -> Iterator[dict[str, Any]]:
    """The objects in a list that came as JSON; nothing for anything else."""
    yield from (item for item in items if isinstance(item, dict)) if isinstance(items, list) else ()


def _timed(captions: Sequence[Caption], start: int) -> Piece:
    text = _said(captions)
    return Piece(text, Locator(start=start, end=start + len(text), second=captions[0].second))


def _said(captions: Sequence[Caption]) -> str:
    return " ".join(caption.text for caption in captions)


class _Fragment:
    """Writes the text of a fragment as it is read (the events of an lxml parser), without making a tree."""

    def __init__(self) -> None:
        self.parts: list[str] = []
        self._language: str | None = None
        """Of the code block that is open, empty where it names none; None outside of one."""
        self._code: list[str] = []
        self._row: list[list[str]] | None = None
        """The cells of the row that is open."""
        self._heads = True
        """Whether all of them are headers."""
        self._is_between = False
        """Whether it stands between rows, or in front of a cell: white space there would part the table."""
        self._is_raised = False
        """Whether the next text is set above the line."""
        self._struck = 0
        """How many tags are open whose text is struck out."""

    def start(self, tag: str, attributes: Mapping[str, str]) -> None:
        self._struck += tag in STRUCK
        match = _LANGUAGE.search(attributes.get("class", "")) if tag in ("pre", "code") else None
        if self._language is not None:
            self._language = self._language or (match.group(1) if match else "")
        elif tag == "pre":
            self._language = match.group(1) if match else ""
        elif tag == "tr":
            self._row, self._heads, self._is_between = [], True, True
        elif tag in ("td", "th") and self._row is not None:
            self._row.append([])
            self._is_between = False
            self._heads = self._heads and tag == "th"
        else:
            self._is_raised = tag == "sup"
            self._open().append(f"{_BREAKS.get(tag, '')}{'- ' if tag == 'li' else ''}")

    def end(self, tag: str) -> None:
        self._struck -= tag in STRUCK
        if tag == "pre":
            self._close_code()
        elif tag == "tr":
            self._close_row()
        elif self._language is None:
            self._open().append(_BREAKS.get(tag, ""))

    def data(self, text: str) -> None:
        if self._struck or (self._is_between and not text.strip()):
            return
        self._is_between = False
        if self._is_raised and POWER.match(text) and "".join(self._open()[-2:])[-1:].isdigit():
            text = f"^{text}"
        self._is_raised = False
        (self._open() if self._language is None else self._code).append(text)

    def close(self) -> None:
        self._close_code()
        self._close_row()

    def _open(self) -> list[str]:
        """What is written to: the cell that is open, if there is one."""
        return self._row[-1] if self._row else self.parts

    def _close_row(self) -> None:
        """A row as Markdown has it; a single cell arranges a page."""
        cells = ["".join(cell) for cell in self._row or ()]
        self._row, self._is_between = None, True
        if len(cells) > 1:
            self.parts.append(markdown_row([" ".join(cell.split()) for cell in cells], heads=self._heads))
        else:
            self.parts += [f"\n{cell}" for cell in cells]

    def _close_code(self) -> None:
        code = "".join(self._code).strip("\n")
        if self._language is not None and code:
            self._open().append(f"\n\n{fenced(code, self._language)}\n\n")
        self._language, self._code = None, []


def _feed(html: str, reader: _Fragment) -> None:
    """lxml and not Python's own parser: unclosed tags and comments take that one minutes, and anybody writes them."""
    from lxml import etree  # type: ignore[import-untyped]

    with suppress(etree.LxmlError):  # markup without anything in it
        etree.fromstring(_storable(html), etree.HTMLParser(target=reader))


def _storable(text: str) -> str:
    """Plain newlines, no lone surrogates and no NULs: what a store and a terminal can take."""
    return storable(text).replace("\r\n", "\n").replace("\r", "\n")
