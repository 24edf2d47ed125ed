"""Files into documents: which reader takes which file, and what is too large, binary or damaged to be read."""

import csv
import io
import itertools
import re
import stat
import tokenize
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from calibrant.retrievers.encoding import encoding_of, html_charset, marked_encoding, xml_encoding
from calibrant.retrievers.knowledge.code import code_document
from calibrant.retrievers.knowledge.documents import SOFT_HYPHEN, Document, Lines, LoadError, NotTextError, Section
from calibrant.retrievers.knowledge.html import html_document
from calibrant.retrievers.knowledge.keys import keyed_document
from calibrant.retrievers.knowledge.manual import is_manual, manual_document
from calibrant.retrievers.knowledge.pdf import pdf_document
from calibrant.retrievers.knowledge.prose import markdown_document, notebook_document, text_document
from calibrant.retrievers.knowledge.restructured import restructured_document
from calibrant.retrievers.knowledge.unread import looks_like_code, reason_to_pass_over
from calibrant.retrievers.knowledge.word import docx_document
from calibrant.state.errors import FailureKind
from calibrant.state.evidence import storable

MAX_BYTES = 20 * 1024 * 1024
RECIPE = 16
"""Raised when a change here, in the chunking or in ``identifier_parts`` makes other passages of the same file, finds
them by other words or in other lines: it is then read again."""

_TEXT_READERS: Mapping[str, Callable[[str, Path], Document]] = {
    **dict.fromkeys((".md", ".markdown", ".mdx", ".qmd"), markdown_document),
    **dict.fromkeys((".html", ".htm", ".xhtml"), html_document),
    **dict.fromkeys((".txt", ".text", ".adoc", ".org", ".tex", ".log", ".srt", ".vtt"), text_document),
    **dict.fromkeys((".rst", ".rest"), restructured_document),
    **dict.fromkeys((".yaml", ".yml"), keyed_document),
    ".ipynb": notebook_document,
}
_CODE_SUFFIXES = """
.py .pyi .pyw .pyx .js .mjs .cjs .jsx .ts .tsx .java .kt .kts .scala .go .rs .c .h .cc .cpp .cxx .hpp .hh .cs .m
.swift .rb .php .pl .pm .lua .r .jl .sh .bash .zsh .fish .ps1 .bat .sql .css .scss .less .vue .svelte .dart .ex
.exs .erl .hs .ml .clj .groovy .gradle .json .jsonl .toml .ini .cfg .conf .xml .proto .graphql .tf
.cmake .mk .dockerfile .nix
"""
_CODE = frozenset(_CODE_SUFFIXES.split())
_CODE_NAMES = {"makefile", "dockerfile", "cmakelists.txt", "gemfile", "rakefile", "jenkinsfile"}
_FILE_READERS: Mapping[str, Callable[[bytes, Path], Document]] = {".pdf": pdf_document, ".docx": docx_document}
_LANGCHAIN: Mapping[str, tuple[str, dict[str, Any]]] = {
    ".mht": ("MHTMLLoader", {"bs_kwargs": {"features": "html.parser"}, "get_text_separator": "\n"}),
    ".mhtml": ("MHTMLLoader", {"bs_kwargs": {"features": "html.parser"}, "get_text_separator": "\n"}),
    ".epub": ("UnstructuredEPubLoader", {}),
    ".odt": ("UnstructuredODTLoader", {}),
    ".rtf": ("UnstructuredRTFLoader", {}),
    ".eml": ("UnstructuredEmailLoader", {}),
    ".pptx": ("UnstructuredPowerPointLoader", {}),
    ".xlsx": ("UnstructuredExcelLoader", {}),
}
"""Formats for which a LangChain community loader is as good as it gets; most need a package of their own."""
_HTML = (".html", ".htm", ".xhtml")
_AROUND_SUFFIXES = ".txt .inc .in .j2 .jinja .jinja2 .erb .tmpl .tpl .template .example .sample .dist .default"
_AROUND = frozenset(_AROUND_SUFFIXES.split())
"""Endings behind the one that tells how to read a file: ``intro.rst.txt``, ``site.conf.example``."""
_PARSED = {".pdf": "PDF", ".docx": "Word", **dict.fromkeys(_HTML, "HTML")}

_STATED_MARK = re.compile(r'"?sep=([^\n])"?(?:\n|\Z)', re.IGNORECASE)
"""Excel's own first line of a CSV file."""
_FIGURE = re.compile(r"[-+−(]?[ \u00a0]?[$€£¥]?[ \u00a0]?[-+−]?[.,]?\d[\d.,'’ \u00a0\u202f]*[%‰$€£¥]?\)?")
_YEAR = re.compile(r"(?:19|20)\d\d")

Row = tuple[int, list[str]]
"""The line in which a row of a table begins, and its cells."""


def read_file(path: Path) -> tuple[bytes, float]:
    """The file's content and the time of its last change. ``LoadError`` for what cannot or should not be read."""
    try:
        status = path.stat()
        if not stat.S_ISREG(status.st_mode):
            raise NotTextError("not a regular file")
        if status.st_size > MAX_BYTES:
            raise NotTextError(f"larger than {MAX_BYTES // 2**20} MB")
        return path.read_bytes(), status.st_mtime
    except PermissionError as error:
        raise LoadError("permission denied", FailureKind.UNAVAILABLE) from error
    except FileNotFoundError as error:
        raise LoadError("vanished while it was being read", FailureKind.MISSING) from error
    except OSError as error:
        raise LoadError(error.strerror or type(error).__name__, FailureKind.UNAVAILABLE) from error


def load(path: Path, content: bytes) -> Document:
    """``content`` as a document. Raises ``LoadError``; nothing that a parser trips over goes further than here."""
    suffix = _suffix(path)
    try:
        return _storable(_read(path, suffix, content))
    except LoadError:
        raise
    except Exception as error:  # parsers fail in their own ways, and one file must not stop the others
        what = _PARSED.get(suffix, suffix.lstrip(".") or "text")
        raise LoadError(f"not a readable {what} file ({type(error).__name__})") from error


def _suffix(path: Path) -> str:
    """The ending by which a file is read."""
    inner, last = ["", "", *(suffix.lower() for suffix in path.suffixes)][-2:]
    is_told = inner in _CODE or inner in _TEXT_READERS or inner in (".csv", ".tsv")
    return inner if last in _AROUND and is_told else last


def _read(path: Path, suffix: str, content: bytes) -> Document:
    if reason := reason_to_pass_over(path):
        raise NotTextError(reason)
    if suffix in _FILE_READERS:
        return _FILE_READERS[suffix](content, path)
    if suffix in _LANGCHAIN:
        return _langchain_document(path, *_LANGCHAIN[suffix])
    text = decoded(content, python=suffix in (".py", ".pyi", ".pyw"), html=suffix in _HTML)
    if suffix in (".csv", ".tsv"):
        return _csv_document(text, path)
    if suffix in _CODE or path.name.lower() in _CODE_NAMES:
        return code_document(text, path)
    if suffix in _TEXT_READERS:
        return _TEXT_READERS[suffix](text, path)
    if is_manual(text):
        return manual_document(text, path)
    return code_document(text, path) if looks_like_code(text) else text_document(text, path)


def decoded(content: bytes, *, python: bool = False, html: bool = False) -> str:
    """Bytes as text with plain newlines. Python's coding line, a page's charset and an XML declaration are heeded."""
    if b"\x00" in content[:8192] and not marked_encoding(content):
        raise NotTextError("a binary file")
    declared = _python_encoding(content) if python else None
    encoding = encoding_of(content, declared, html_charset(content) if html else xml_encoding(content))
    text = content.decode(encoding, "replace")
    # Nearly any bytes pass for Windows-1252; text in it has few control characters.
    if encoding == "cp1252" and len(re.findall(r"[\x00-\x08\x0e-\x1f\x7f-\x9f�]", text)) > len(text) // 50:
        raise NotTextError("a binary file")
    return _plain_newlines(text).replace(SOFT_HYPHEN, "")


def _storable(document: Document) -> Document:
    """Without what SQLite cannot hold: lone surrogates and NULs, as parsers give them. Every offset stays."""
    sections = [replace(section, heading=storable(section.heading)) for section in document.sections]
    return replace(document, title=storable(document.title), text=storable(document.text), sections=sections)


def _plain_newlines(text: str) -> str:
    return text.replace("\r\n", "\n").replace("\r", "\n")


def _python_encoding(content: bytes) -> str | None:
    """What a coding line says; None for UTF-8, which is tried anyway."""
    try:
        found = tokenize.detect_encoding(io.BytesIO(content).readline)[0]
    except SyntaxError:
        return None
    return None if found == "utf-8" else found


def _csv_document(text: str, path: Path) -> Document:
    """A table as one line per row, each cell under its column's name: ``city: Porto; people: 231800``."""
    table = list(_csv_rows(text, _suffix(path)))
    columns = _columns(table)
    rows, numbers = [], []
    for number, row in table if _is_data(table) else table[1:]:
        cells = zip(columns, row, strict=False)
        if line := "; ".join(f"{name}: {' '.join(cell.split())}" for name, cell in cells if cell.strip()):
            rows.append(line)
            numbers.append(number)
    body = "\n".join(rows)
    starts = [0, *(match.end() for match in re.finditer("\n", body))][: len(rows)]
    return Document("csv", path.name, body, [Section(0, len(body), style="rows")], Lines(starts, numbers))


def _csv_rows(text: str, suffix: str) -> Iterator[Row]:
    """The rows that are not empty."""
    csv.field_size_limit(MAX_BYTES)  # a cell may be as long as a file; the usual limit would lose all of it
    stated = _STATED_MARK.match(text)
    stream = io.StringIO(text[stated.end() :] if stated else text)
    reader = csv.reader(stream, _dialect(text, suffix, stated.group(1) if stated else ""))
    before = skipped = 1 if stated else 0
    for row in reader:
        if any(cell.strip() for cell in row):
            yield before + 1, row
        before = skipped + reader.line_num


def _dialect(text: str, suffix: str, mark: str) -> csv.Dialect | type[csv.Dialect]:
    if mark:
        stated = csv.excel()
        stated.delimiter = mark
        return stated
    if suffix == ".tsv":
        return csv.excel_tab
    try:
        found = csv.Sniffer().sniff(text[:8192], delimiters=",;\t|")
    except csv.Error:
        return csv.excel
    found.doublequote = True  # as RFC 4180 has it; where the sample holds no doubled quote, the sniffer says False
    return found


def _columns(table: Sequence[Row]) -> list[str]:
    """A name for each column: the first row's, unless that is data."""
    names = [] if not table or _is_data(table) else table[0][1]
    width = max((len(row) for _, row in table), default=0)
    given = itertools.zip_longest(range(1, width + 1), names, fillvalue="")
    return [" ".join(str(name).split()) or f"column {place}" for place, name in given]


def _is_data(table: Sequence[Row]) -> bool:
    """Whether the first row names no columns: it stands alone, or it has a figure.

    Years often name columns; one is a figure only above another year.
    """
    if len(table) < 2:
        return True
    below = itertools.chain(table[1][1], itertools.repeat(""))
    return any(
        _FIGURE.fullmatch(cell.strip()) and (not _YEAR.fullmatch(cell.strip()) or _YEAR.fullmatch(under.strip()))
        for cell, under in zip(table[0][1], below, strict=False)
    )


def _langchain_document(path: Path, name: str, options: dict[str, Any]) -> Document:
    """A document by a LangChain community loader; its documents become sections."""
    try:
        with warnings.catch_warnings():  # the package announces its own retirement at import
            warnings.simplefilter("ignore")
            from langchain_community import document_loaders

            parts = getattr(document_loaders, name)(str(path), **options).load()
    except ImportError as error:
        missing = error.name or "unstructured"
        raise NotTextError(f"reading {path.suffix} files needs another package: pip install {missing}") from error
    texts = [re.sub(r"\n{3,}", "\n\n", part.page_content).strip() + "\n\n" for part in parts]
    title = str(parts[0].metadata.get("title") or "") if parts else ""
    bounds = [sum(map(len, texts[:place])) for place in range(len(texts) + 1)]
    sections = [Section(start, end) for start, end in itertools.pairwise(bounds)]
    return Document("text", title.strip() or path.name, "".join(texts), sections)
