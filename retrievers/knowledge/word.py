"""Word, whose text has to be taken out of it. The library is used directly: it keeps what a citation needs and a
generic loader loses, heading styles and tables. Imported when first needed.
"""

import io
import re
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from calibrant.retrievers.knowledge.documents import (
    Document,
    NotTextError,
    Outline,
    human_title,
    markdown_row,
    sections_from,
)

MAX_UNPACKED = 100 * 2**20
"""Of a Word file: a small one can hold more than any memory does."""
_W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
_AROUND = tuple(
    f"{_W}{name}" for name in ("ins", "moveTo", "sdt", "sdtContent", "customXml", "smartTag", "fldSimple", "dir", "bdo")
)
"""What stands around text that a reader sees, but python-docx passes over: suggested changes, controls of a form,
fields."""

_BOX = f"{_W}txbxContent"
_SAID_TWICE = "{http://schemas.openxmlformats.org/markup-compatibility/2006}Fallback"
"""What older programs show in place of what stands before it."""
_PROMPTS = f"{_W}sdtPr/{_W}showingPlcHdr"
"""Of a control that nobody has filled in: it says to click there."""
_ID = f"{_W}id"
_NOTES = {"footnotes": f"{_W}footnoteReference", "endnotes": f"{_W}endnoteReference"}
"""The parts of a file that hold notes, and what refers to them."""
_REFERENCES = tuple(_NOTES.values())
_OF_CONTENTS = re.compile(r"(?i)toc (?:\d|heading)$")
"""Of a table of contents: it tells nothing that the headings do not."""
_LIST_STYLE = re.compile(r"(?i)list (?:bullet|number)")


def docx_document(content: bytes, path: Path) -> Document:
    """A Word file: paragraphs and tables in order; its heading styles are its headings."""
    import docx

    with zipfile.ZipFile(io.BytesIO(content)) as packed:
        if sum(part.file_size for part in packed.infolist()) > MAX_UNPACKED:
            raise NotTextError(f"unpacks to more than {MAX_UNPACKED // 2**20} MB")
    file = docx.Document(io.BytesIO(content))
    _unwrap(file.element.body)
    _write_notes(file)
    outline, marks, parts, length = Outline(), [], [], 0
    for level, text in _blocks(file):
        if level:
            marks.append((length, outline.enter(level, text)))
        parts.append(text + "\n\n")
        length += len(text) + 2
    title = human_title((file.core_properties.title or "").strip())
    body = "".join(parts)
    return Document("docx", title or outline.title or path.stem, body, sections_from(marks, len(body)))


def _unwrap(body: Any) -> None:
    """The text with its suggested changes made, its boxes below the paragraphs that they hang on, and without what only
    stands around it."""
    for box in [one for one in body.iter(_BOX) if not any(around.tag == _SAID_TWICE for around in one.iterancestors())]:
        paragraph = next(box.iterancestors(f"{_W}p"))
        for child in reversed(box):
            paragraph.addnext(child)
    empty = [one for one in body.iter(f"{_W}sdt") if one.find(_PROMPTS) is not None]
    prompts = [run for control in empty for run in control.iter(f"{_W}r")]
    for left_out in dict.fromkeys([*body.iter(f"{_W}moveFrom"), *prompts]):
        left_out.getparent().remove(left_out)
    for wrapper in list(body.iter(*_AROUND)):
        for child in list(wrapper):
            wrapper.addprevious(child)
        wrapper.getparent().remove(wrapper)


def _write_notes(file: Any) -> None:
    """Footnotes and endnotes by number: where they are named, and behind that paragraph or table."""
    from docx.oxml.parser import OxmlElement

    body, notes = file.element.body, _notes(file.part)
    references = [one for one in body.iter(*_REFERENCES) if (one.tag, one.get(_ID)) in notes]
    for number, reference in reversed(list(enumerate(references, start=1))):
        mark, note = OxmlElement("w:t"), OxmlElement("w:p")
        mark.text = f" [{number}]"
        reference.addprevious(mark)
        note.add_r().text = f"[{number}] {notes[reference.tag, reference.get(_ID)]}"
        block = next(one for one in reference.iterancestors() if one.getparent() is body)
        block.addnext(note)


def _notes(part: Any) -> dict[tuple[str, str], str]:
    """The notes of a file by the kind of their references and their ids."""
    from docx.oxml.parser import parse_xml

    found = {}
    for relation in part.rels.values():
        kind = relation.reltype.rpartition("/")[2]
        if kind in _NOTES and not relation.is_external:
            for note in parse_xml(relation.target_part.blob):
                if words := [word for paragraph in note.iter(f"{_W}p") for word in paragraph.text.split()]:
                    found[_NOTES[kind], note.get(_ID)] = " ".join(words)
    return found


def _blocks(file: Any) -> Iterator[tuple[int, str]]:
    """Heading level (0 for none) and text of each paragraph and table."""
    for item in file.iter_inner_content():
        if hasattr(item, "rows"):
            if text := _table(item):
                yield 0, text
        elif text := item.text.strip():
            style = (item.style.name or "") if item.style is not None else ""
            if _OF_CONTENTS.match(style):
                continue
            match = re.match(r"(?i)heading (\d)$", style)
            level = int(match.group(1)) if match else 1 if style.lower() == "title" else 0
            yield level, f"- {text}" if not level and _is_listed(item, style) else text


def _is_listed(paragraph: Any, style: str) -> bool:
    """Whether a sign or a number stands before a paragraph."""
    numbering = paragraph._p.xpath("./w:pPr/w:numPr/w:numId/@w:val")
    return numbering[0] != "0" if numbering else _LIST_STYLE.match(style) is not None


def _table(table: Any) -> str:
    """A table as Markdown. Its first row names the columns, unless it has an empty cell or a figure."""
    rows = [_row(row) for row in table.rows]
    rows = [row for row in rows if any(row)]
    heads = len(rows) > 1 and all(cell and not re.search(r"\d", cell) for cell in rows[0])
    return "".join(markdown_row(row, heads=heads and not place) for place, row in enumerate(rows)).rstrip("\n")


def _row(row: Any) -> list[str]:
    """The cells of a row. One merged over several columns is given once for each; blanks keep the columns in place."""
    seen: set[Any] = set()
    texts = []
    for cell in row.cells:
        texts.append("" if cell._tc in seen else " ".join(_words(cell)))
        seen.add(cell._tc)
    return texts


def _words(cell: Any) -> Iterator[str]:
    """Those of a cell, also of the tables in it."""
    for item in cell.iter_inner_content():
        if hasattr(item, "rows"):
            yield from (word for row in item.rows for text in _row(row) for word in text.split())
        else:
            yield from item.text.split()
