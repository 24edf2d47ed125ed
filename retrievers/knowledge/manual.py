"""Man pages (roff with the ``man`` or the ``mdoc`` macros) as text with headings: what ``man`` would show.

Only what pages are written with in practice; a request that is not known is passed over, its words with it. An entry
of a list is headed by its name in bold and set in below it, so that what is said of an option says which.
"""

import re
from collections.abc import Iterator
from itertools import takewhile
from pathlib import Path

from calibrant.retrievers.knowledge.documents import Document
from calibrant.retrievers.knowledge.tbl import Lines, table_rows
from calibrant.retrievers.knowledge.writing import Page

_TITLE = re.compile(r"^[.'](?:TH|Dd|Dt)[ \t]+\S", re.MULTILINE)
_SECTION = re.compile(r"^[.'](?:SH|Sh)[ \t]+\S", re.MULTILINE)
_REQUEST = re.compile(r"[.'][ \t]*(?P<name>[A-Za-z][\w]?|\\\"|\.)[ \t]*(?P<rest>.*)")
_NAMED = {
    "-": "-", "bu": "•", "em": "—", "en": "–", "hy": "-", "aq": "'", "dq": '"', "lq": "“", "rq": "”", "oq": "‘",
    "cq": "’", "co": "©", "rg": "®", "ga": "`", "ha": "^", "ti": "~", "rs": "\\", "bv": "|", "ba": "|", "lB": "[",
    "rB": "]", "lC": "{", "rC": "}", "la": "<", "ra": ">", "sc": "§", "de": "°", "mu": "×", "->": "→", "<-": "←",
    ">=": "≥", "<=": "≤", "!=": "≠", "+-": "±", "sq": "□", "at": "@", "sh": "#", "Do": "$", "tm": "™", "Tm": "™",
    "Aq": "'", 'L"': "“", 'R"': "”", "``": "“", "''": "”", "Fo": "«", "Fc": "»", "Gt": ">", "Lt": "<", "Am": "&",
    "or": "|", "sl": "/", "dg": "†", "C+": "C++", "--": "–",
}  # fmt: skip
_ESCAPE = re.compile(
    r"\\(?:\".*|f(?:\[[^\]]*\]|\(..|.)|s[+-]?(?:\[[^\]]*\]|\(..|\d{1,2})|[mM]\[[^\]]*\]|[hvwlL]'[^']*'"
    r"|(?:\*)?\((?P<two>..)|(?:\*)?\[(?P<long>[^\]]*)\]|\*.|n(?:\[[^\]]*\]|\(..|.)|(?P<one>.)|$)"
)
_PLAIN = {"-": "-", "e": "\\", "\\": "\\", "'": "´", "`": "`", " ": " ", "~": " ", "0": " ", "t": " ", ".": "."}
_FONTS = frozenset({"B", "I", "R", "BR", "RB", "BI", "IB", "RI", "IR", "SM", "SB"})
_JOINED = frozenset({"BR", "RB", "BI", "IB", "RI", "IR"})
"""Fonts that change from word to word: no space between them."""
_BREAKS = frozenset({"PP", "P", "LP", "Pp", "sp", "RS", "RE", "HP", "Bl", "El", "in", "ti"})
_LAID_OUT = frozenset({"nf", "EX", "Vb", "Bd", "Dl", "D1"})
_FILLED = frozenset({"fi", "EE", "Ve", "Ed"})
_MARKERS = frozenset({"•", "*", "-", "o", "·"})
_QUOTES = {
    "Dq": ("“", "”"), "Qq": ('"', '"'), "Sq": ("‘", "’"), "Pq": ("(", ")"), "Op": ("[", "]"), "Bq": ("[", "]"),
    "Aq": ("<", ">"), "Brq": ("{", "}"), "Ql": ("‘", "’"), "Oo": ("[", ""), "Oc": ("", "]"), "Do": ("“", ""),
    "Dc": ("", "”"), "Po": ("(", ""), "Pc": ("", ")"),
}  # fmt: skip
_INLINE_NAMES = """
Ar Pa Va Fa Cm Ic Li Dv Ev Em Sy Er Vt Ft Fn Fo Fc Lk Mt An Ad In Tn Ns Xr Fl Nm No Ux Bx At
"""
_INLINE = frozenset(_INLINE_NAMES.split())
_CLOSING = frozenset(".,:;)]?!")
_MARGIN = "  "
"""Of what an entry says after its first line."""


def is_manual(text: str) -> bool:
    """Whether a text is written in the macros of man pages; a rotated log has such a suffix too."""
    opens = text.lstrip().startswith((".", "'", '\\"'))
    return opens and bool(_TITLE.search(text) and _SECTION.search(text))


def manual_document(text: str, path: Path) -> Document:
    """A man page with its headings, titled ``name(section)``."""
    reader = _Manual()
    lines = iter(enumerate(text.split("\n"), start=1))
    for number, line in lines:
        request = _REQUEST.match(line)
        if not line.startswith((".", "'")):
            reader.say(_unescaped(line), number)
        elif request is None:
            continue
        elif request["name"] in ("de", "de1", "ig", "am"):
            _skip_definition(lines)
        elif request["name"] == "TS":
            reader.table([*takewhile(lambda numbered: not numbered[1].startswith(".TE"), lines)])
        else:
            reader.request(request["name"], request["rest"], number)
    reader.end()
    return reader.page.document("text", path.name, reader.title)


def _skip_definition(lines: Iterator[tuple[int, str]]) -> None:
    """A macro that the page defines ends with two full stops."""
    for _, line in lines:
        if line.startswith(".."):
            return


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
            self._name_entry(text.strip(), number)
        elif self._head and text.strip():
            marked = self._head in _MARKERS
            self._inside = False
            self._write(f"- {text}" if marked else f"**{self._head}:** {text.strip()}", number)
            self._enter()
        elif self._begins and text.strip() and not self._laid_out:
            self._opening, self._begins = (text.strip(), number), False
        else:
            self._write(text if self._laid_out else text.strip(), number)

    def end(self) -> None:
        """Close what is open."""
        self._fill(0)
        self._break(0)

    def request(self, name: str, rest: str, number: int) -> None:
        """A line that begins with a full stop: a request, or a macro with words of the text."""
        arguments = _arguments(rest)
        if name in ("TH", "Dt"):
            self.title = self.title or _titled(arguments)
        elif name in ("SH", "Sh", "SS", "Ss"):
            self._open_section(1 if name in ("SH", "Sh") else 2, " ".join(arguments), number)
        elif name in ("TP", "TQ", "IP", "It"):
            self._open_entry(name, arguments, number)
        elif name in _LAID_OUT or name in _FILLED:
            self._lay_out(name, arguments, number)
        elif name == "RS" and self._opening:
            head, self._opening = self._opening[0], None
            self._break(number)
            self._head, self._is_part = head, True
        elif name in _BREAKS or name == "br":
            self._break(number)
            self._begins = name in ("PP", "P", "LP")
            self._nest(name)
        elif name in _FONTS:
            self.say(("" if name in _JOINED else " ").join(arguments), number)
        elif name == "Nd":
            self.say(f"– {' '.join(arguments)}", number)
        elif name in _QUOTES or name in _INLINE:
            self._name = self._name or (arguments[0] if name == "Nm" and arguments else "")
            self.say(_spoken([name, *arguments], self._name), number)
        elif name in ("UR", "MT", "URL"):
            self.say(" ".join(arguments), number)

    def table(self, lines: Lines) -> None:
        """The rows of a table."""
        self._break(0)
        for number, row in table_rows(lines, _unescaped):
            self._write(row, number)
        self._break(0)

    def _open_section(self, level: int, title: str, number: int) -> None:
        self._fill(number)
        self._break(number)
        self._inside, self._outer = False, []
        if title:
            self.page.head(level, title, number)
        else:
            self._heads_next = level

    def _open_entry(self, name: str, arguments: list[str], number: int) -> None:
        if name == "TQ":
            self._names_next = True
            return
        self._break(number)
        if name == "TP":
            self._names_next = True
        elif name == "IP":
            self._head = arguments[0].strip() if arguments else ""
        else:
            self._head = _spoken(arguments, self._name) or "-"

    def _name_entry(self, text: str, number: int) -> None:
        self._head = f"{self._head}, {text}" if self._head else text

    def _lay_out(self, name: str, arguments: list[str], number: int) -> None:
        if name in ("Dl", "D1"):
            self._break(number)
            self._write(f"    {_spoken(arguments, self._name)}", number)
            self._break(number)
        elif name in _FILLED:
            self._fill(number)
        elif not self._laid_out and not (name == "Bd" and "-literal" not in arguments and "-unfilled" not in arguments):
            self._break(number)
            self._write("```", number)
            self._laid_out = True

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
        elif name in ("PP", "P", "LP"):
            self._inside = False

    def _break(self, number: int) -> None:
        """End the paragraph. An entry that nothing was said of is a line by itself."""
        self._write_opening()
        self._begins = False
        if self._head and self._head not in _MARKERS:
            self.page.write(self._head, number)
        self._head, self._is_part, self._names_next = "", False, False
        self.page.write("", number)


def _titled(arguments: list[str]) -> str:
    if not arguments:
        return ""
    name = arguments[0].lower() if arguments[0].isupper() else arguments[0]
    return f"{name}({arguments[1]})" if len(arguments) > 1 else name


def _arguments(rest: str) -> list[str]:
    """The words of a request, those in quotes whole, without escapes."""
    rest = re.sub(r'(?:^|[ \t])\\".*', "", rest)
    found = re.findall(r'"((?:[^"]|"")*)"?|((?:\\.|[^\s\\])+)', rest)
    return [_unescaped(quoted.replace('""', '"') or bare) for quoted, bare in found]


def _spoken(words: list[str], name: str) -> str:
    """The words of a line in ``mdoc``, whose macros stand among them: ``Op Fl k Ar file`` is "[-k file]"."""
    out, closing, glued = list[str](), list[str](), False
    place = 0
    while place < len(words):
        word = words[place]
        place += 1
        if word == "Ns":
            glued = True
            continue
        if word in _QUOTES:
            opening, ends = _QUOTES[word]
            closing += [ends] if opening and ends else []
            said = opening or ends
            glued_after = bool(opening)
        elif word in _INLINE:
            said, place = _of_macro(word, words, place, name)
            glued_after = False
        else:
            said, glued_after = word, False
        if said:
            joins = glued or not out or (set(said) <= _CLOSING) or (not glued_after and said == "]")
            out.append(said if joins else f" {said}")
            glued = glued_after
    return "".join(out) + "".join(reversed(closing))


def _of_macro(macro: str, words: list[str], place: int, name: str) -> tuple[str, int]:
    """What a macro in a line says, and where the words go on."""
    following = words[place] if place < len(words) else ""
    takes = bool(following) and following not in _INLINE and following not in _QUOTES and following not in _CLOSING
    if macro == "Fl":
        return (f"-{following}", place + 1) if takes else ("-", place)
    if macro == "Nm" and not takes:
        return name, place
    if macro == "Ar" and not takes:
        return "file ...", place
    if macro == "Xr" and takes and place + 1 < len(words):
        return f"{following}({words[place + 1]})", place + 2
    return "", place


def _unescaped(text: str) -> str:
    return _ESCAPE.sub(_character, text) if "\\" in text else text


def _character(found: re.Match[str]) -> str:
    named = found["two"] or found["long"]
    return _NAMED.get(named, "") if named else _PLAIN.get(found["one"] or "", "")
