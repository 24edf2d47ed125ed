"""The lines of a man page that are shown on a terminal: without comments, definitions and what is for paper, and with
the strings that the page defines in their places.
"""

import re
from collections.abc import Iterator

from calibrant.retrievers.knowledge.roff import is_named

_CONTROL = re.compile(r"[.'][ \t]*(?P<name>[A-Za-z]\w*)[ \t]*(?P<rest>.*)")
_DEFINES = frozenset({"de", "de1", "ig", "am"})
"""What opens the definition of a macro, or what is to be ignored."""
_CONDITION = re.compile(
    r"(?P<negated>!?)(?:(?P<device>[nt])(?=[ \t\\.'])|(?P<mark>['\"])(?P<one>.*?)(?P=mark)(?P<other>.*?)(?P=mark))"
    r"[ \t]*(?P<rest>.*)"
)
_STRING = re.compile(r"\\\*(?:\((?P<two>..)|\[(?P<long>[^\]]*)\]|(?P<one>[^(\[]))")
_DEFINED = re.compile(r"(?P<name>\S+)(?:[ \t]+\"?(?P<said>.*))?")
_LONGEST = 200
"""Characters of a string: one that repeats others can be of any length."""


def shown_lines(text: str) -> Iterator[tuple[int, str]]:
    """Each with its number."""
    page = _Page(iter(enumerate(text.split("\n"), start=1)))
    for number, line in page.lines:
        if (shown := page.shown(line)) is not None:
            yield number, shown


class _Page:
    """Follows the conditions and definitions of a page."""

    def __init__(self, lines: Iterator[tuple[int, str]]) -> None:
        self.lines = lines
        self._strings: dict[str, str] = {}
        self._otherwise: bool | None = None
        """Whether what is said for the other case is shown; None where nobody can tell."""

    def shown(self, line: str) -> str | None:
        """What is shown of a line; None for nothing."""
        if line.startswith("\\#"):
            return None
        control = _CONTROL.match(line)
        name, rest = (control["name"], control["rest"]) if control else ("", "")
        if name in _DEFINES:
            self._skip_definition()
        elif name == "ds":
            self._define(rest)
        elif name in ("if", "ie", "el"):
            return self._conditional(name, rest)
        else:
            return self._interpolated(line)
        return None

    def _conditional(self, name: str, rest: str) -> str | None:
        """Of a condition that nobody can tell a block is shown, and no single line."""
        holds = self._otherwise
        if name != "el":
            condition = _CONDITION.match(rest)
            holds, rest = (_holds(condition), condition["rest"]) if condition else (None, rest)
        if name == "ie":
            self._otherwise = None if holds is None else not holds
        if holds is False and "\\{" in rest:
            self._skip_block(rest)
        if not holds:
            return None
        rest = rest.removeprefix("\\{").removesuffix("\\")
        return self.shown(rest) if rest.strip() else None

    def _skip_block(self, line: str) -> None:
        depth = _depth(line)
        while depth > 0 and (numbered := next(self.lines, None)):
            depth += _depth(numbered[1])

    def _skip_definition(self) -> None:
        """It ends with two full stops."""
        for _, line in self.lines:
            if line.startswith(".."):
                return

    def _define(self, rest: str) -> None:
        defined = _DEFINED.match(rest)
        said = self._interpolated((defined["said"] if defined else None) or "")
        if defined and len(said) <= _LONGEST:
            self._strings[defined["name"]] = said

    def _interpolated(self, line: str) -> str:
        return _STRING.sub(self._string, line) if self._strings and "\\*" in line else line

    def _string(self, found: re.Match[str]) -> str:
        name = found["two"] or found["long"] or found["one"] or ""
        return found.group() if is_named(name) else self._strings.get(name, found.group())


def _holds(condition: re.Match[str]) -> bool:
    """Whether it holds on a terminal (``n``), or two texts are the same."""
    told = condition["device"] == "n" if condition["device"] else condition["one"] == condition["other"]
    return told != bool(condition["negated"])


def _depth(line: str) -> int:
    return line.count("\\{") - line.count("\\}")
