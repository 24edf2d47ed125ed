"""reStructuredText as text with headings: what directives say is kept, what only steers the typesetting is not.

A thin reader of our own: Docutils knows no directive of Sphinx or of a project's extensions, and documentation is full
of both. Headings and code are written as Markdown has them; what documents a name is a section headed by that name.
"""

import itertools
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from calibrant.retrievers.knowledge.documents import Document, markdown_row
from calibrant.retrievers.knowledge.restructured_tables import Line, Table, csv_table, drawn_table, listed_table
from calibrant.retrievers.knowledge.titles import told_title
from calibrant.retrievers.knowledge.writing import Page
from calibrant.state.markup import CHANGES, plain

# Each in time linear in a line.
_RULE = re.compile(r"^([=\-~^\"'`#*+.:_<>!$%&,/;?@\\|])\1{2,}[ \t]*$")
_EXPLICIT = re.compile(r"(?P<margin>\s*)\.\.(?:\s+(?P<said>.*))?$")
_ANONYMOUS = re.compile(r"\s*__\s+\S")
_DIRECTIVE = re.compile(r"(?P<name>[A-Za-z][\w:.+-]*)\s?::(?:\s+(?P<argument>.*))?$")
_TARGET = re.compile(r"_(?:`(?P<quoted>[^`]+)`|(?P<name>[^:`]+)):")
_FOOTNOTE = re.compile(r"\[[#*\w.-]+\]\s")
_REPLACED = re.compile(r"\|(?P<name>[^|]+)\|\s+replace::(?:\s+(?P<said>.*))?$")
_SUBSTITUTED = re.compile(r"\|(?P<name>[^|\s](?:[^|]*[^|\s])?)\|(?:__?(?!\w))?")
_REMOVED = re.compile(r"(?P<version>\d+(?:\.\d+)+)(?:\s+(?P<more>.*))?$")
"""What follows a version: that in which what is deprecated is removed."""
_OPTION = re.compile(r"\s*:(?P<name>[\w-]+):(?:\s+(?P<value>.*))?$")
_BULLET = re.compile(r"\s*(?:[-*+•]|\(?(?:\d{1,3}|#|[a-z])[.)])\s+(?=\S)")
_SWITCH = r"(?:-\w|--\w[\w-]*)(?:[ =][\w<>./:|\[\]-]+)?"
_SWITCHES = re.compile(rf"\s*(?P<names>{_SWITCH}(?:, {_SWITCH})*)\s{{2,}}(?P<said>\S.*)$")
"""An item of a list of options: ``-o FILE, --output FILE  where to write``."""
_CLASS = re.compile(r"[A-Za-z_][\w.]*\s*(?:[(\[:]|$)")
"""The name of a class that is documented, and not of a style."""
_STYLED = re.compile(r"\.\. (?:rst-)?class::\s+\S+\s*")
_FIELD = re.compile(r"\s*(?::[^:`]+:(?:\s|$)|>>> |\||[+=-]{3})")
_ARGUMENTS = re.compile(r"(?P<before>[^(]*)\(")
_SIGNATURE = re.compile(r"\s*(?:-{1,2}\w|[\w.*& ]+\()")
_REFERENCE = re.compile(r"(?<![\w`:./-])(?P<name>[A-Za-z][\w.+-]*?)_(?![\w`])")

_LONGEST_TERM = 70
"""Characters of a line that may be the term of a definition."""
_SILENT_NAMES = """
toctree image raw include literalinclude contents highlight index meta role default-role currentmodule
py:currentmodule module py:module automodule autosummary tabularcolumns sectionauthor codeauthor moduleauthor
testsetup testcleanup graphviz digraph graph inheritance-diagram uml mermaid plot bibliography program
section-numbering sectnum header footer target-notes unicode replace date
"""
SILENT = frozenset(_SILENT_NAMES.split())
"""Directives that say nothing to a reader of the text."""
_LISTINGS_NAMES = """
code-block sourcecode code code-tab parsed-literal prompt doctest testcode testoutput ipython console math
productionlist
"""
_LISTINGS = frozenset(_LISTINGS_NAMES.split())
_SAYING = frozenset({"math", "prompt", "productionlist"})
"""Of them those whose argument is a line of the listing."""
_FRAMES_NAMES = """
note warning tip hint important caution danger attention error seealso todo only ifconfig container rst-class
epigraph pull-quote highlights compound glossary hlist centered figure table list-table csv-table tabs tab-set grid
line-block rubric impl-detail availability
"""
FRAMES = frozenset(_FRAMES_NAMES.split())
"""Directives around a text that is the section's own."""
CAPTIONED = frozenset({"figure", "container", "rst-class", "only", "ifconfig"})
"""Frames whose argument is no part of their text."""
_OBJECTS_NAMES = """
function data method class attribute exception decorator decoratormethod staticmethod classmethod property type var
member macro struct union enum enumerator concept alias describe object option cmdoption envvar confval setting
autoclass autofunction automethod autodata autoattribute autoexception autodecorator autoproperty
"""
_OBJECTS = frozenset(_OBJECTS_NAMES.split())
_TOLD = frozenset({"type", "value", "default", "required"})
"""Options of an entry that Sphinx shows."""


def restructured_document(text: str, path: Path) -> Document:
    """A reStructuredText file with its headings and the entries of its reference."""
    lines = [Line(number, line.expandtabs(8).rstrip()) for number, line in enumerate(text.split("\n"), start=1)]
    reader = _Reader({name for line in lines if (name := _named_target(line.text))}, dict(_replacements(lines)))
    reader.read(lines)
    return reader.page.document("text", path.name, told_title(text, path))


def _named_target(line: str) -> str:
    explicit = _EXPLICIT.match(line)
    target = _TARGET.match(explicit["said"] or "") if explicit else None
    return (target["quoted"] or target["name"]).lower() if target else ""


def _replacements(lines: Sequence[Line]) -> Iterator[tuple[str, str]]:
    """What stands for a name between bars: ``.. |gate| replace:: The North Gate``."""
    for place, line in enumerate(lines):
        explicit = _EXPLICIT.match(line.text)
        if explicit and (found := _REPLACED.match(explicit["said"] or "")):
            body = (one.text for one in lines[place + 1 : _body_end(lines, place)])
            yield found["name"].lower(), " ".join(" ".join([found["said"] or "", *body]).split())


class _Reader:
    """Reads blocks of lines, and writes what they say on a page."""

    def __init__(self, targets: set[str], replacements: Mapping[str, str]) -> None:
        self.page = Page()
        self._targets = targets
        self._replacements = replacements
        self._styles: dict[tuple[str, bool], int] = {}
        self._level = 0
        """Of the section that is open."""

    def read(self, lines: Sequence[Line], depth: int = 0) -> None:
        """``lines`` as they stand in a text, or in a directive ``depth`` entries deep."""
        place = 0
        while place < len(lines):
            line = lines[place]
            if explicit := _EXPLICIT.match(line.text):
                stop = _body_end(lines, place)
                self._explicit(line, explicit["said"] or "", lines[place + 1 : stop], depth)
            elif drawn := drawn_table(lines, place):
                table, stop = drawn
                self._table(table)
            elif _ANONYMOUS.match(line.text):
                stop = place + 1
            elif stop := self._heading(lines, place):
                pass
            elif line.text.endswith("::"):
                stop = self._literal(lines, place)
            elif _is_term(lines, place):
                stop = self._term(lines, place)
            elif option := _SWITCHES.match(line.text):
                stop = self._switches(option["names"], option["said"], lines, place)
            else:
                stop = place + 1
                self.page.write(self._inline(line.text), line.number)
            place = stop

    def _inline(self, text: str) -> str:
        """Without the mark of a reference to a target of this file: ``Waitress_``. With what stands for ``|gate|``."""

        def shown(found: re.Match[str]) -> str:
            return found["name"] if found["name"].lower() in self._targets else found.group()

        if self._replacements and "|" in text:
            text = _SUBSTITUTED.sub(lambda found: self._replacements.get(found["name"].lower(), found.group()), text)
        return _REFERENCE.sub(shown, text) if "_" in text else text

    def _heading(self, lines: Sequence[Line], place: int) -> int:
        """Write the heading that begins at ``place``; where it ends, 0 where none begins there. Levels are numbered in
        the order in which their styles appear: the mark, and whether a line of it stands above too."""
        texts = [line.text for line in lines[place : place + 3]] + ["", "", ""]
        over = _RULE.match(texts[0])
        title, under = (texts[1], texts[2]) if over else (texts[0], texts[1])
        rule = _RULE.match(under)
        if not rule or not title.strip() or _RULE.match(title) or not _is_long_enough(under, title):
            return 0
        if (over and over.group(1) != rule.group(1)) or (not over and title[0].isspace()):
            return 0
        style = rule.group(1), over is not None
        self._level = self._styles.setdefault(style, len(self._styles) + 1)
        self.page.head(self._level, self._inline(title.strip()), lines[place].number)
        return place + (3 if over else 2)

    def _term(self, lines: Sequence[Line], place: int) -> int:
        """A term with the first line of what defines it, unless that is a list; where that ends."""
        line, below = lines[place], lines[place + 1].text
        is_list = bool(_BULLET.match(below) or _SWITCHES.match(below))
        head, said = self._inline(line.text.strip()).rstrip(":"), "" if is_list else f" {self._inline(below.strip())}"
        self.page.write(f"{' ' * line.indent}**{head}:**{said}", line.number)
        return place + (1 if is_list else 2)

    def _switches(self, names: str, said: str, lines: Sequence[Line], place: int) -> int:
        """An option of a command with all that is said of it, as an entry of a list; where that ends."""
        line, margin = lines[place], " " * lines[place].indent
        self.page.write(f"{margin}- ``{names}``: {self._inline(said)}", line.number)
        more = list(itertools.takewhile(lambda one: one.text and one.indent > line.indent, lines[place + 1 :]))
        for one in more:
            self.page.write(f"{margin}  {self._inline(one.text.strip())}", one.number)
        return place + 1 + len(more)

    def _literal(self, lines: Sequence[Line], place: int) -> int:
        """A line that announces code, with the code that follows; where that ends."""
        line = lines[place]
        text = line.text[:-2].rstrip()
        if text.strip():
            self.page.write(self._inline(text if line.text[:-2].endswith(" ") else f"{text}:"), line.number)
            self.page.write("", line.number)
        stop = _body_end(lines, place)
        self._listing(lines[place + 1 : stop], " " * line.indent)
        return stop

    def _listing(self, body: Sequence[Line], margin: str = "") -> None:
        body = _dedented(body)
        if body:
            fence = "````" if any("```" in line.text for line in body) else "```"
            self.page.write(margin + fence, body[0].number)
            for line in body:
                self.page.write(margin + line.text if line.text else "", line.number)
            self.page.write(margin + fence, body[-1].number)
            self.page.write("", body[-1].number)

    def _explicit(self, line: Line, said: str, body: Sequence[Line], depth: int) -> None:
        """What begins with two full stops: a directive, a footnote; or a target, a substitution or a comment."""
        if directive := _DIRECTIVE.match(said):
            self._directive(line, directive["name"].lower(), (directive["argument"] or "").strip(), body, depth)
        elif _FOOTNOTE.match(said):
            self.page.write(self._inline(said), line.number)
            self.read(_dedented(body), depth)

    def _directive(self, line: Line, name: str, argument: str, body: Sequence[Line], depth: int) -> None:
        options, content = _options(body)
        bare = name.rpartition(":")[2]
        if name in SILENT:
            return
        if name == "class" and not _CLASS.match(argument):
            name = "rst-class"  # it only styles what it holds, or what follows
        if name in _LISTINGS:
            said = [Line(line.number, argument)] if argument and name in _SAYING else []
            self._listing([*said, *content], " " * line.indent)
        elif name in CHANGES:
            self._change(line, CHANGES[name], argument, content, depth)
        elif table := _told_table(name, options, content):
            self._frame(line, argument, (), depth)
            self._table(table)
        elif name in FRAMES:
            self._frame(line, "" if name in CAPTIONED else argument, content, depth)
        elif argument and (bare in _OBJECTS or ":" in name or content):
            self._entry(line, bare, argument, body, depth)
        else:
            self._frame(line, "", content, depth)

    def _frame(self, line: Line, argument: str, content: Sequence[Line], depth: int) -> None:
        """A note and the like: its text, which may begin beside the directive's name."""
        self.page.write("", line.number)
        if argument:
            self.page.write(self._inline(argument), line.number)
        if content and not content[0].text:
            self.page.write("", line.number)
        self.read(_dedented(content), depth)
        self.page.write("", line.number)

    def _table(self, table: Table) -> None:
        """A table, as Markdown has it."""
        self.page.write("", table.rows[0][0])
        for place, (number, cells) in enumerate(table.written()):
            row = markdown_row([self._inline(_STYLED.sub("", cell)) for cell in cells], heads=not place)
            for text in row.splitlines():
                self.page.write(text, number)
        self.page.write("", table.rows[-1][0])

    def _change(self, line: Line, told: str, argument: str, content: Sequence[Line], depth: int) -> None:
        version, _, more = argument.partition(" ")
        if removed := _REMOVED.match(more):
            version, more = f"{version}, removed in version {removed['version']}", removed["more"]
        body = _dedented(content)
        first = " ".join(filter(None, (more, body[0].text if body else "")))
        self.page.write("", line.number)
        self.page.write(self._inline(f"{told} {version}: {first}" if first else f"{told} {version}."), line.number)
        self.read(body[1:], depth)
        self.page.write("", line.number)

    def _entry(self, line: Line, kind: str, argument: str, body: Sequence[Line], depth: int) -> None:
        """What documents a name: a section of its own, under the one that is open."""
        more = list(itertools.takewhile(_is_signature, body)) if kind in _OBJECTS else []
        options, content = _options(body[len(more) :])
        signatures = [argument, *(one.text.strip() for one in more)]
        level = self._level + depth + 1
        self.page.head(level, ", ".join(dict.fromkeys(_name_of(kind, one) for one in signatures)), line.number)
        for signature in signatures:
            if "(" in signature and kind in _OBJECTS:
                self.page.write(signature, line.number)
        self.page.write("", line.number)
        for one in options:
            option = _OPTION.match(one.text)
            if option and option["name"] in _TOLD and option["value"]:
                self.page.write(f"{option['name'].capitalize()}: {option['value']}", one.number)
                self.page.write("", one.number)
        self.read(_dedented(content), depth + 1)
        self.page.leave(level, line.number)


def _told_table(name: str, options: Sequence[Line], content: Sequence[Line]) -> Table | None:
    """The table that a directive tells; None for one that tells none."""
    said = {
        found["name"]: (line.number, found["value"] or "") for line in options if (found := _OPTION.match(line.text))
    }
    rows = said.get("header-rows", (0, "0"))[1]
    heads = int(rows) if rows.isdecimal() else 0
    if name == "list-table":
        return listed_table(_dedented(content), heads)
    if name == "csv-table":
        header = Line(*said["header"]) if "header" in said else None
        return csv_table(_dedented(content), header, said.get("delim", (0, ","))[1], heads)
    return None


def _is_signature(line: Line) -> bool:
    """Whether a line right below an entry's name gives another one."""
    return bool(_SIGNATURE.match(line.text))


def _name_of(kind: str, signature: str) -> str:
    """The name that a signature is of: "loads" of "loads(s, *, cls=None)", "close" of "int close(int fd)"."""
    arguments = _ARGUMENTS.match(signature) if kind in _OBJECTS else None
    words = arguments["before"].split() if arguments else []
    return words[-1].lstrip("*&") if words else " ".join(plain(signature).split())


def _is_long_enough(rule: str, title: str) -> bool:
    """As in Docutils a line of four marks is enough, however long the title."""
    return len(rule.rstrip()) >= min(4, len(title.rstrip()))


def _is_term(lines: Sequence[Line], place: int) -> bool:
    """Whether a line is the term of a definition: by itself, right above something deeper."""
    line, above = lines[place], lines[place - 1].text if place else ""
    below = lines[place + 1] if place + 1 < len(lines) else None
    if below is None or not below.text or not line.text or (above and lines[place - 1].indent <= line.indent):
        return False
    if (
        "  " in line.text.strip()
        or below.indent <= line.indent
        or line.text.endswith((".", ",", ";"))
        or len(line.text) > _LONGEST_TERM
    ):
        return False
    return not any(mark.match(line.text) for mark in (_BULLET, _FIELD)) and not _EXPLICIT.match(below.text)


def _body_end(lines: Sequence[Line], place: int) -> int:
    """Where what belongs to the line at ``place`` ends: the blank and the deeper lines below it."""
    indent = lines[place].indent
    if bullet := _BULLET.match(lines[place].text):
        indent = bullet.end()
    if lines[place].text.strip() == ".." and place + 1 < len(lines) and not lines[place + 1].text:
        return place + 1  # an empty comment ends what stands above it
    stop = place + 1
    while stop < len(lines) and (not lines[stop].text or lines[stop].indent > indent):
        stop += 1
    while stop > place + 1 and not lines[stop - 1].text:
        stop -= 1
    return stop


def _dedented(lines: Sequence[Line]) -> list[Line]:
    """Without blank lines around, and without the margin that all have."""
    kept = list(lines)
    while kept and not kept[0].text:
        kept.pop(0)
    while kept and not kept[-1].text:
        kept.pop()
    margin = min((line.indent for line in kept if line.text), default=0)
    return [Line(line.number, line.text[margin:]) for line in kept]


def _options(body: Sequence[Line]) -> tuple[list[Line], list[Line]]:
    """The lines right below a directive up to its last option, and its content."""
    stop = next((place for place, line in enumerate(body) if not line.text), len(body))
    last = max((place + 1 for place, line in enumerate(body[:stop]) if _OPTION.match(line.text)), default=0)
    return list(body[:last]), list(body[last:])
