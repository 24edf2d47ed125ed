"""Text out of what was fetched: trafilatura for HTML, pypdf for PDF, the knowledge base's readers for the rest.

Blocking: runs in threads of its own, so that a page which takes long keeps no other work waiting.
"""

import io
import json
import logging
import re
import time
import warnings
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from functools import cache
from pathlib import Path
from typing import Any

from calibrant.retrievers.address import PageRefused
from calibrant.retrievers.encoding import html_charset, marked_encoding, text_of
from calibrant.retrievers.excerpt import MAX_CHARS
from calibrant.retrievers.findings import moment
from calibrant.retrievers.knowledge.chunking import passages
from calibrant.retrievers.knowledge.documents import Document, Section
from calibrant.retrievers.knowledge.html import html_document
from calibrant.retrievers.knowledge.pdf import page_text
from calibrant.retrievers.knowledge.prose import markdown_document, text_document
from calibrant.retrievers.pages.fetch import Fetched
from calibrant.retrievers.pages.page import Page
from calibrant.state.evidence import Locator, storable

KINDS: Mapping[str, str] = {
    "text/html": "html",
    "application/xhtml+xml": "html",
    "text/plain": "text",
    "text/markdown": "markdown",
    "application/pdf": "pdf",
    "application/json": "json",
}
MAX_HTML = 2 * 2**20
MAX_TAGS = 60_000
"""Markup beyond this takes longer to read than anybody waits."""
MAX_PDF_PAGES = 80
MAX_PASSAGES = 600
_POWER = re.compile(r"(?<=\d)<sup>([-+−–]?\d[^<>]{0,20})</sup>")
"""As trafilatura leaves it: without the tag it would be one number with what stands before it."""


@dataclass(frozen=True)
class _Read:
    document: Document
    author: str = ""
    published: datetime | None = None


@cache
def warm() -> None:
    """Load the library ahead: it takes half a second, in which the page is still on its way."""
    # Its own downloader, which we never use, warns about a proxy kind that is not installed.
    warnings.filterwarnings("ignore", message="SOCKS support in urllib3")
    import trafilatura  # noqa: F401


def page_of(fetched: Fetched, until: float) -> Page:
    """``fetched`` as a page. ``PageRefused`` where there is no text. ``until``: when to stop (monotonic)."""
    kind = KINDS.get(fetched.kind) or _sniffed(fetched.body)
    try:
        read = _READERS[kind](fetched, until)
    except PageRefused:
        raise
    except Exception as error:  # parsers fail in their own ways: RecursionError, KeyError, lxml's own
        raise PageRefused(f"not a readable {kind} page ({type(error).__name__})") from error
    document = _storable(read.document)
    if not document.text.strip():
        raise PageRefused("no text in the page")
    return Page(
        url=fetched.url,
        title=document.title,
        text=document.text,
        kind=kind,
        author=read.author[:200],
        published=read.published,
        places=_places(document),
    )


def _places(document: Document) -> tuple[Locator, ...]:
    cut = passages(document, "")[:MAX_PASSAGES]
    return tuple(
        Locator(
            heading=item.heading, columns=item.columns, fence=item.fence, start=item.start, end=item.end, page=item.page
        )
        for item in cut
    )


def _sniffed(body: bytes) -> str:
    """The kind of a body whose type was not sent."""
    if body.startswith(b"%PDF-"):
        return "pdf"
    return "html" if body.lstrip()[:1] == b"<" else "text"


def _html(fetched: Fetched, _: float) -> _Read:
    warm()
    import trafilatura

    if len(fetched.body) > MAX_HTML:
        raise PageRefused(f"its markup is larger than {MAX_HTML // 2**20} MB")
    if fetched.body.count(b"<") > MAX_TAGS:  # each takes the extractor some 0.1 ms, and nothing ends it meanwhile
        raise PageRefused(f"its markup has more than {MAX_TAGS:,} tags")
    logging.getLogger("trafilatura").setLevel(logging.CRITICAL)  # it logs each page that it finds nothing in
    markup = _legible(fetched.body)
    text = text_of(markup, fetched.charset, html_charset(markup))
    given: Any = text if fetched.charset or marked_encoding(markup) else markup  # it knows more ways to guess
    found = trafilatura.bare_extraction(
        given, url=fetched.url, with_metadata=True, include_comments=False, include_formatting=True
    )
    if found is None or not isinstance(found, trafilatura.settings.Document) or not (found.text or "").strip():
        return _Read(html_document(text, Path(_name(fetched.url))))
    document = markdown_document(_POWER.sub(r"^\1", str(found.text))[:MAX_CHARS], Path(_name(fetched.url)))
    return _Read(replace(document, title=found.title or document.title), found.author or "", moment(found.date))


def _pdf(fetched: Fetched, until: float) -> _Read:
    import pypdf

    logging.getLogger("pypdf").setLevel(logging.CRITICAL)
    reader = pypdf.PdfReader(io.BytesIO(fetched.body))
    texts: list[str] = []
    for page in reader.pages[:MAX_PDF_PAGES]:
        if time.monotonic() > until or sum(map(len, texts)) > MAX_CHARS:
            break
        texts.append(page_text(page.extract_text()))
    title = str(reader.metadata.title or "").strip() if reader.metadata else ""
    author = str(reader.metadata.author or "").strip() if reader.metadata else ""
    return _Read(Document("pdf", title or _name(fetched.url), "".join(texts), _pdf_sections(texts)), author)


def _pdf_sections(texts: list[str]) -> list[Section]:
    sections, offset = [], 0
    for number, text in enumerate(texts, start=1):
        sections.append(Section(offset, offset + len(text), page=number))
        offset += len(text)
    return sections


def _json(fetched: Fetched, _: float) -> _Read:
    text = json.dumps(json.loads(fetched.body), indent=1, ensure_ascii=False)[:MAX_CHARS]
    return _Read(Document("code", _name(fetched.url), text, [Section(0, len(text), style="rows")]))


def _text(fetched: Fetched, _: float) -> _Read:
    text = text_of(_legible(fetched.body), fetched.charset)[:MAX_CHARS]
    read = markdown_document if fetched.kind == "text/markdown" or fetched.url.endswith(".md") else text_document
    return _Read(read(text.replace("\r\n", "\n"), Path(_name(fetched.url))))


_READERS = {"html": _html, "pdf": _pdf, "json": _json, "text": _text, "markdown": _text}


def _legible(body: bytes) -> bytes:
    """``PageRefused`` for bytes that are no text, whatever they were declared as."""
    if b"\x00" in body[:4096] and not marked_encoding(body):
        raise PageRefused("it is not text, whatever its type says")
    return body


def _storable(document: Document) -> Document:
    """Without lone surrogates and NULs: the text goes through JSON and UTF-8."""
    return replace(document, title=storable(document.title)[:300], text=storable(document.text))


def _name(url: str) -> str:
    return url.split("?", 1)[0].rstrip("/").rsplit("/", 1)[-1] or "page"
