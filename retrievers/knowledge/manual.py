"""Man pages (roff with the ``man`` or the ``mdoc`` macros) as text with headings: what ``man`` would show.

Only what pages are written with in practice; a request that is not known is passed over, its words with it. An entry
of a list is headed by its name in bold and set in below it, so that what is said of an option says which.
"""

import re
from collections.abc import Callable
from itertools import takewhile
from pathlib import Path

from calibrant.retrievers.knowledge.documents import Document
from calibrant.retrievers.knowledge.mdoc import is_inline, line_of
from calibrant.retrievers.knowledge.roff import Request, request_in, unescaped
from calibrant.retrievers.knowledge.roff_lines import shown_lines
from calibrant.retrievers.knowledge.tbl import Lines, table_rows
from calibrant.retrievers.knowledge.writing import Page

_TITLE = re.compile(r"^[.'](?:TH|Dd|Dt)[ \t]+\S", re.MULTILINE)
_SECTION = re.compile(r"^[.'](?:SH|Sh)[ \t]+\S", re.MULTILINE)
_NAMES = re.compile(
    r"^[.']S[Hh][ \t]+\"?(?:NAME|Name)\"?[ \t]*\n"
    r"(?P<told>(?P<name>[^.',\s][^,\n]{0,80}?)(?:,[^\n]{1,200}?)?[ \t]+\\?-[ \t](?:[^\n]|\n(?![.']S[Hh])){0,500})",
    re.MULTILINE,
)
"""Where a page says what it is about: "git-add, git-stage - add files"."""
_DESCRIBED = 3
"""So many words of a title are no name: "Flow filter in tc"."""
_MARKER = re.compile(r"\\h'-\d+'(?P<marker>.*)\\c")
"""The sign or the number of an entry, as DocBook sets it on a terminal: what it says begins in the next line."""
_SPACED = ("B", "I", "R", "SM", "SB")
_JOINED = ("BR", "RB", "BI", "IB", "RI", "IR")
"""Fonts that change from word to word: no space between them."""
_PARAGRAPHS = ("PP", "P", "LP")
_NUMBER = re.compile(r"\d{1,3}[.)]")
_MARKERS = frozenset({"•", "*", "-", "o", "·", "○"})
_MARGIN = "  "
"""Of what an entry says after its first line."""


def is_manual(text: str) -> bool:
    """Whether a text is written in the macros of man pages; a rotated log has such a suffix too."""
    opens = text.lstrip().startswith((".", "'", '\\"'))
    return opens and bool(_TITLE.search(text) and _SECTION.search(text))


def manual_document(text: str, path: Path) -> Document:
    """A man page with its headings, titled ``name(section)``."""
    reader = _Manual()
    lines = shown_lines(text)
    for number, line in lines:
        if marked := _MARKER.fullmatch(line):
            reader.request(Request("IP", [unescaped(marked["marker"])]), number)
        elif not line.startswith((".", "'")):
            reader.say(unescaped(line), number)
        elif request := request_in(line):
            if request.name == "TS":
                reader.table([*takewhile(lambda numbered: not numbered[1].startswith(".TE"), lines)])
            else:
                reader.request(request, number)
    reader.end()
    return reader.page.document("text", path.name, _as_named(reader.title, text))


def _as_named(title: str, text: str) -> str:
    """``title``; where that is a name which the page does not have when it says what it is about, with the name there:
    pages that a program writes may all bear the title of the first."""
    name, bracket, section = title.partition("(")
    told = _NAMES.search(text)
    if told is None or len(name.split()) >= _DESCRIBED or _hyphened(name) in _hyphened(unescaped(told["told"])):
        return title
    return f"{unescaped(told['name']).strip()}{bracket}{section}"


def _hyphened(name: str) -> str:
    """``name`` as it is compared: "git add" is git-add."""
    return "-".join(name.lower().split())


class _Manual:
    """Follows the requests of a page, and writes what is to be read."""

    def __init__(self) -> None:
        self.page = Page()
        self.title = ""
        self._name = ""
        self._head = ""
        """The name of an entry, to stand in front of its first line."""
        self._names_next = False
        """Whether the next line is the name of an entry."""
        self._heads_next = 0
        """The level of the heading that the next line is, where it stands by itself."""
        self._inside = False
        """Whether what is written belongs to the entry above it."""
        self._outer: list[tuple[bool, bool]] = []
        """For each list or indented part that is open: whether it is set in, and what ``_inside`` was before it."""
        self._is_part = False
        """Whether what the open entry says is an indented part."""
        self._laid_out = False
        self._begins = False
        """Whether the next line is the first of a paragraph."""
        self._opening: tuple[str, int] | None = None
        """The first line of a paragraph, with its number: it names an entry where what follows is set deeper."""

    def say(self, text: str, number: int) -> None:
        """A line of the text."""
        self._write_opening()
        if self._heads_next and text.strip():
            level, self._heads_next = self._heads_next, 0
            self.page.head(level, text.strip(), number)
        elif self._names_next and text.strip():
            self._names_next = False
            self._head = f"{self._head}, {text.strip()}" if self._head else text.strip()
        elif self._head and text.strip():
            self._inside = False
            self._write(f"{_mark_of(self._head)} {text.strip()}", number)
            self._enter()
        elif self._begins and text.strip() and not self._laid_out:
            self._opening, self._begins = (text.strip(), number), False
        else:
            self._write(text if self._laid_out else text.strip(), number)

    def end(self) -> None:
        """Close what is open."""
        self._fill(0)
        self._break(0)

    def request(self, request: Request, number: int) -> None:
        """A line that begins with a full stop. One that is not known is passed over."""
        if handle := _HANDLERS.get(request.name):
            handle(self, request.name, request.arguments, number)
        elif is_inline(request.name):
            self._say_macro(request.name, request.arguments, number)

    def table(self, lines: Lines) -> None:
        """The rows of a table."""
        self._break(0)
        for number, row in table_rows(lines):
            self._write(row, number)
        self._break(0)

    def _set_title(self, name: str, arguments: list[str], number: int) -> None:
        self.title = self.title or _titled(arguments)

    def _open_section(self, name: str, arguments: list[str], number: int) -> None:
        level, title = (1 if name in ("SH", "Sh") else 2), " ".join(arguments)
        self._fill(number)
        self._break(number)
        self._inside, self._outer = False, []
        if title:
            self.page.head(level, title, number)
        else:
            self._heads_next = level

    def _name_next(self, name: str, arguments: list[str], number: int) -> None:
        """An entry whose name is the next line; after ``TQ`` that is one more name of the same entry."""
        if name == "TP":
            self._break(number)
        self._names_next = True

    def _open_entry(self, name: str, arguments: list[str], number: int) -> None:
        """An entry whose name stands in the request."""
        self._break(number)
        if name == "IP":
            self._head = arguments[0].strip() if arguments else ""
        else:
            self._head = line_of(arguments, self._name) or "-"

    def _indent(self, name: str, arguments: list[str], number: int) -> None:
        """A part that is set in. The line above it, by itself, names it as an entry."""
        if not self._opening:
            self._break_off(name, arguments, number)
            return
        head, self._opening = self._opening[0], None
        self._break(number)
        self._head, self._is_part = head, True

    def _indent_by_docutils(self, name: str, arguments: list[str], number: int) -> None:
        """The same in a page that Docutils made, which sets each list and each example in: no line names it."""
        self._break_off("RS" if name == "INDENT" else "RE", arguments, number)

    def _break_off(self, name: str, arguments: list[str], number: int) -> None:
        self._break(number)
        self._begins = name in _PARAGRAPHS
        self._nest(name)

    def _say_words(self, name: str, arguments: list[str], number: int) -> None:
        self.say(("" if name in _JOINED else " ").join(arguments), number)

    def _say_description(self, name: str, arguments: list[str], number: int) -> None:
        self.say(f"– {' '.join(arguments)}", number)

    def _say_macro(self, name: str, arguments: list[str], number: int) -> None:
        self._name = self._name or (arguments[0] if name == "Nm" and arguments else "")
        self.say(line_of([name, *arguments], self._name), number)

    def _show_line(self, name: str, arguments: list[str], number: int) -> None:
        """One line as it is laid out."""
        self._break(number)
        self._write(f"    {line_of(arguments, self._name)}", number)
        self._break(number)

    def _lay_out(self, name: str, arguments: list[str], number: int) -> None:
        """What follows stands as it is laid out, until it is filled again."""
        is_filled = name == "Bd" and "-literal" not in arguments and "-unfilled" not in arguments
        if not self._laid_out and not is_filled:
            self._break(number)
            self._write("```", number)
            self._laid_out = True

    def _fill_again(self, name: str, arguments: list[str], number: int) -> None:
        self._fill(number)

    def _fill(self, number: int) -> None:
        if self._laid_out:
            self._write("```", number)
            self._laid_out = False
            self.page.write("", number)

    def _write_opening(self) -> None:
        if self._opening:
            text, number = self._opening
            self._opening = None
            self._write(text, number)

    def _write(self, line: str, number: int) -> None:
        """A line of the text, set in where it belongs to an entry."""
        margin = _MARGIN * (sum(is_set_in for is_set_in, _ in self._outer) + self._inside)
        self.page.write(f"{margin}{line}" if line.strip() else line, number)

    def _enter(self) -> None:
        """What follows belongs to the entry whose first line was written."""
        if self._is_part:
            self._outer.append((True, False))
        self._inside = not self._is_part
        self._head, self._is_part = "", False

    def _nest(self, name: str) -> None:
        """Follow what ends an entry, and what stands inside one."""
        if name in ("Bl", "RS"):
            self._outer.append((self._inside, self._inside))
            self._inside = False
        elif name in ("El", "RE") and self._outer:
            _, self._inside = self._outer.pop()
        elif name in _PARAGRAPHS:
            self._inside = False

    def _break(self, number: int) -> None:
        """End the paragraph. An entry that nothing was said of is a line by itself."""
        self._write_opening()
        self._begins = False
        if self._head and self._head not in _MARKERS:
            self.page.write(self._head, number)
        self._head, self._is_part, self._names_next = "", False, False
        self.page.write("", number)


def _mark_of(head: str) -> str:
    """What opens an entry: a mark of a list, its number, or its name."""
    if head in _MARKERS:
        return "-"
    return head if _NUMBER.fullmatch(head) else f"**{head}:**"


def _titled(arguments: list[str]) -> str:
    if not arguments:
        return ""
    name = arguments[0].lower() if arguments[0].isupper() else arguments[0]
    return f"{name}({arguments[1]})" if len(arguments) > 1 else name


Handler = Callable[[_Manual, str, list[str], int], None]
"""Takes the request's name and arguments, and the number of its line."""

_HANDLERS: dict[str, Handler] = {
    **dict.fromkeys(("TH", "Dt"), _Manual._set_title),
    **dict.fromkeys(("SH", "Sh", "SS", "Ss"), _Manual._open_section),
    **dict.fromkeys(("TP", "TQ"), _Manual._name_next),
    **dict.fromkeys(("IP", "It"), _Manual._open_entry),
    **dict.fromkeys(("Dl", "D1"), _Manual._show_line),
    **dict.fromkeys(("nf", "EX", "Vb", "Bd"), _Manual._lay_out),
    **dict.fromkeys(("fi", "EE", "Ve", "Ed"), _Manual._fill_again),
    **dict.fromkeys((*_PARAGRAPHS, "Pp", "sp", "Sp", "RE", "HP", "Bl", "El", "in", "ti", "br"), _Manual._break_off),
    **dict.fromkeys((*_SPACED, *_JOINED, "UR", "MT", "URL"), _Manual._say_words),
    **dict.fromkeys(("INDENT", "UNINDENT"), _Manual._indent_by_docutils),
    "RS": _Manual._indent,
    "Nd": _Manual._say_description,
}
"""What is done with each request; other macros of ``mdoc`` are lines of the text."""
