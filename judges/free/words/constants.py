"""Constants of source code, read with what is said of them: ``WAY_BACK: 11 (Supersteps that a run still needs)``.

The comment above a constant, behind it, or the docstring below it, says why its value is what it is, and the name what
it is about: the two are one statement, as of a setting.
"""

import re
from collections.abc import Iterator

from calibrant.judges.free.words.comments import comment_above
from calibrant.judges.free.words.settings_text import Setting, in_brackets
from calibrant.state.markup import plain

_CONSTANT = re.compile(
    r"^(?P<margin>[ \t]*)(?:(?:export|const|let|var|static|final|public|private|protected|val|pub|readonly)[ \t]+)*"
    r"(?!\[\s|(?:return|await|yield|if|for|while)\b)(?:[\w<>\[\]]+[ \t]+)?"
    r"(?P<name>[A-Za-z_]\w*)(?:[ \t]*:[^=\n]{1,60}?)?[ \t]*"
    r"=(?![=>])[ \t]*(?P<value>(?:\"[^\"\n]*\"|'[^'\n]*'|[^\s\"'#/;]|(?<!/)/(?!/)|[ \t]+(?![#/\s])){1,100}+);?[ \t]*"
    r"(?:(?:(?<=[ \t])#|(?<!:)//)[ \t]*(?P<told>\S+[ \t]+\S[^\n]*))?$",
    re.MULTILINE,
)
"""What stands in quotes is one piece of a value; what is said behind it has two words: ``total // 2`` is a division."""
_BELOW = re.compile(r"\n[ \t]*[rbuRBU]?(?P<mark>\"{3}|'{3})(?P<told>.{3,2000}?)(?P=mark)", re.DOTALL)
_MARKS = re.compile(r"^[ \t]*(?:/\*+|//[/!]?|\*+(?!/)|#+:?)[ \t]?|\*+/[ \t]*$", re.MULTILINE)
_PARAGRAPH = re.compile(r"\n[ \t]*\n\s*")
_OPEN = re.compile(r"[(\[{,\\]$|[a-z]\.$")
"""What a value ends with that goes on in the next line, or is prose."""
_CLASS = re.compile(r"(?:@.*\n)*(?:export |public |abstract |final )*class ")
"""A text that opens as a class does: what is indented there are its fields, and no variables of a function."""


def constants(text: str) -> Iterator[Setting]:
    """The constants in ``text`` of which something is said."""
    if "=" not in text or "```" in text or "~~~" in text:
        return
    for line in _CONSTANT.finditer(text):
        if is_lasting(text, line) and not _OPEN.search(line["value"]):
            start, end, told = _said_of(text, line)
            if told:
                yield Setting(f"{line['name']}: {line['value'].strip()} ({told})", start, end)


def is_lasting(text: str, line: re.Match[str]) -> bool:
    """Whether the line of ``text`` that gives a ``name`` its value, behind a ``margin``, is that of a constant or a
    field, and of no variable of a function."""
    return not line["margin"] or line["name"].isupper() or _CLASS.match(text) is not None


def _said_of(text: str, line: re.Match[str]) -> tuple[int, int, str]:
    """Where a constant and what is said of it begin and end, and the first paragraph of that."""
    start, end = line.end("margin"), line.end()
    if line["told"]:
        return start, end, _first_paragraph(line["told"])
    if below := _BELOW.match(text, line.end()):
        first = _PARAGRAPH.split(below["told"], maxsplit=1)[0]
        return start, below.start("told") + len(first.rstrip()), _first_paragraph(first)
    above = comment_above(text, line.start())
    told = text[above : line.start()]
    return (above, end, _first_paragraph(told)) if told else (start, end, "")


def _first_paragraph(told: str) -> str:
    bare = _MARKS.sub("", told).strip()
    return in_brackets(plain(_PARAGRAPH.split(bare, maxsplit=1)[0]))
