"""PDF and Word, whose text has to be taken out of them.

The libraries are used directly where they keep what a citation needs and a generic loader loses: pages and bookmarks
(PDF), heading styles and tables (Word). Imported when first needed.
"""

import io
import logging
import re
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from calibrant.retrievers.knowledge.documents import (
    Document,
    LoadError,
    NotTextError,
    Outline,
    Section,
    markdown_row,
    sections_from,
)

_MACHINE_TITLE = re.compile(r"^(untitled|microsoft \w+ - .*|.*\.(docx?|pdf|tex|indd|dvi))$", re.IGNORECASE)

MAX_UNPACKED = 100 * 2**20
"""Of a Word file: a small one can hold more than any memory does."""


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

    with zipfile.ZipFile(io.BytesIO(content)) as packed:
        if sum(part.file_size for part in packed.infolist()) > MAX_UNPACKED:
            raise NotTextError(f"unpacks to more than {MAX_UNPACKED // 2**20} MB")
    file = docx.Document(io.BytesIO(content))
    outline, marks, parts, length = Outline(), [], [], 0
    for level, text in _word_blocks(file):
        if level:
            marks.append((length, outline.enter(level, text)))
        parts.append(text + "\n\n")
        length += len(text) + 2
    title = _human((file.core_properties.title or "").strip())
    body = "".join(parts)
    return Document("docx", title or outline.title or path.stem, body, sections_from(marks, len(body)))


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
    rows = [_word_row(row) for row in table.rows]
    rows = [row for row in rows if any(row)]
    heads = len(rows) > 1 and all(cell and not re.search(r"\d", cell) for cell in rows[0])
    return "".join(markdown_row(row, heads=heads and not place) for place, row in enumerate(rows)).rstrip("\n")


def _word_row(row: Any) -> list[str]:
    """The cells of a row. One merged over several columns is given once for each; blanks keep the columns in place."""
    seen: set[Any] = set()
    texts = []
    for cell in row.cells:
        texts.append("" if cell._tc in seen else " ".join(cell.text.split()))
        seen.add(cell._tc)
    return texts


def _human(title: str) -> str:
    """A document's own title, unless it is one that a program made up."""
    return "" if _MACHINE_TITLE.match(title) else title
