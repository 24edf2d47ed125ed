"""PDF, page by page. The library is used directly: it keeps what a citation needs and a generic loader loses, the pages
and the bookmarks. Imported when first needed.
"""

import io
import logging
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from calibrant.retrievers.knowledge.documents import SOFT_HYPHEN, Document, LoadError, Outline, Section, human_title

_LIGATURES = str.maketrans({"ﬀ": "ff", "ﬁ": "fi", "ﬂ": "fl", "ﬃ": "ffi", "ﬄ": "ffl", "ﬅ": "st", "ﬆ": "st"})
"""Letters that are set as one sign: nobody asks for them so."""
_HYPHENATED = re.compile(rf"(?<=[^\W\d_])[-{SOFT_HYPHEN}]\n(?=[a-zà-ÿ])")
_COUNTED = r"(?:(?:chapter|section|part|appendix|annex)[ \t]+)?(?:(?:\d+|[A-Z]|[IVX]+)(?:\.\d+)*[.:)]?[ \t]+)?"
"""What a heading has before its words, where the bookmark has only these."""

Bookmark = tuple[int, str]
"""Level and title."""


def pdf_document(content: bytes, path: Path) -> Document:
    """A PDF page by page; its bookmarks are its headings."""
    import pypdf

    logging.getLogger("pypdf").setLevel(logging.CRITICAL)  # it logs each oddity of a file; ours is one typed failure
    reader = pypdf.PdfReader(io.BytesIO(content))
    if reader.is_encrypted and not reader.decrypt(""):
        raise LoadError("the PDF is protected by a password")
    texts = [page_text(page.extract_text()) for page in reader.pages]
    title = str(reader.metadata.title or "").strip() if reader.metadata else ""
    if not any(text.strip() for text in texts):
        raise LoadError("the PDF has no text in it (scanned pages?)")
    sections = list(_sections(texts, _bookmarks(reader)))
    return Document("pdf", human_title(title) or path.stem, "".join(texts), sections)


def page_text(text: str) -> str:
    """The words of a page as they are written: those hyphenated over a line end whole again, ligatures as letters."""
    return _HYPHENATED.sub("", text).replace(SOFT_HYPHEN, "").translate(_LIGATURES).rstrip() + "\n\n"


def _sections(texts: Sequence[str], bookmarks: Mapping[int, Sequence[Bookmark]]) -> Iterator[Section]:
    """The pages, cut where the headings stand that are bookmarked on them."""
    outline, offset, heading = Outline(), 0, ""
    for number, text in enumerate(texts, start=1):
        start = 0
        for place, opened in _headings(text, bookmarks.get(number, ()), outline):
            if place > start:
                yield Section(offset + start, offset + place, heading, page=number)
            start, heading = place, opened
        yield Section(offset + start, offset + len(text), heading, page=number)
        heading = outline.path
        offset += len(text)


def _headings(text: str, bookmarks: Sequence[Bookmark], outline: Outline) -> Iterator[tuple[int, str]]:
    """Where on a page which headings open: the first one with the line above it, which tells no more than where one is.
    One that does not stand in the text opens with the page; behind one that does, nobody can tell where."""
    behind = 0
    for level, title in bookmarks:
        if found := _line_of(title).search(text, behind):
            place = found.start() if behind or "\n" in text[: found.start()].strip() else 0
            behind = found.end()
            yield place, outline.enter(level, " ".join(found.group().split()))
        else:
            opened = outline.enter(level, title)
            if not behind:
                yield 0, opened


def _line_of(title: str) -> re.Pattern[str]:
    """A heading by itself, which may go on over line ends."""
    words = r"\s+".join(map(re.escape, title.split()))
    return re.compile(rf"^[ \t]*{_COUNTED}{words}[ \t]*$", re.MULTILINE | re.IGNORECASE)


def _bookmarks(reader: Any) -> dict[int, list[Bookmark]]:
    """The bookmarks by page. A damaged outline is no reason to lose the text."""
    found = dict[int, list[Bookmark]]()
    try:
        for level, item in _flat(reader.outline, 1):
            page, title = reader.get_destination_page_number(item), " ".join(str(item.title).split())
            if page is not None and title:
                found.setdefault(page + 1, []).append((level, title))
    except Exception:  # noqa: BLE001 - pypdf raises what it stumbles over: KeyError, TypeError, its own
        return found
    return found


def _flat(items: list[Any], level: int) -> Iterator[tuple[int, Any]]:
    for item in items:
        if isinstance(item, list):
            yield from _flat(item, level + 1)
        else:
            yield level, item
