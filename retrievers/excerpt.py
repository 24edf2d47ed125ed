"""Text out of what services send, cut into passages that know where they stand.

Pages, Markdown and plain text are read and cut as the knowledge base does it (``knowledge/pages.py``,
``knowledge/chunking.py``), so that a passage from the web is of the same size and makes as much sense.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from html import unescape
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal
from xml.etree import ElementTree

from calibrant.retrievers.knowledge.chunking import TARGET, passages
from calibrant.retrievers.knowledge.documents import Document
from calibrant.retrievers.knowledge.pages import html_document
from calibrant.retrievers.knowledge.prose import markdown_document, text_document
from calibrant.state.evidence import Locator

if TYPE_CHECKING:
    from bs4.element import Tag

MAX_CHARS = 400_000
"""What is read of one document; the rest of an endless one is left."""

Kind = Literal["text", "markdown", "html"]
_READERS: Mapping[str, Callable[[str, Path], Document]] = {
    "text": text_document,
    "markdown": markdown_document,
    "html": html_document,
}
_LANGUAGE = re.compile(r"\blang(?:uage)?-([\w+#.-]+)")
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
    return [
        Piece(item.text, Locator(heading=item.heading or heading, start=item.start, end=item.end))
        for item in passages(document, "")
    ]


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
    from bs4 import BeautifulSoup

    soup = BeautifulSoup(html[:MAX_CHARS], "html.parser")
    for block in soup.find_all("pre"):
        code = block.get_text().strip("\n")
        block.replace_with(f"\n\n```{_language(block)}\n{code}\n```\n\n")
    for tag in soup.find_all(["p", "div", "h1", "h2", "h3", "h4", "li", "br", "blockquote", "tr"]):
        tag.append("\n" if tag.name in ("li", "br", "tr") else "\n\n")
    return re.sub(r"\n[ \t]*\n\s*\n", "\n\n", soup.get_text()).strip()


def one_line(html: str) -> str:
    """A title or a snippet as one line, without tags and entities."""
    if "<" not in html:
        return " ".join(unescape(html).split())
    from bs4 import BeautifulSoup

    return " ".join(BeautifulSoup(html[:MAX_CHARS], "html.parser").get_text().split())


def main_content(html: str) -> str:
    """The part of a page that holds its text, where the markup says which; else the whole page."""
    from bs4 import BeautifulSoup

    soup = BeautifulSoup(html[: 2 * MAX_CHARS], "html.parser")
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


def _language(block: "Tag") -> str:
    """The language that the classes of a code block name: ``lang-py``, ``language-rust``."""
    tags = [block, *block.find_all("code")]
    match = _LANGUAGE.search(" ".join(str(tag.get("class") or "") for tag in tags))
    return match.group(1) if match else ""


def _storable(text: str) -> str:
    """Plain newlines, no lone surrogates and no NULs: what a store and a terminal can take."""
    return text.encode("utf-8", "replace").decode().replace("\r\n", "\n").replace("\r", "\n").replace("\x00", " ")
