"""Roff, which man pages are written in: the requests of its lines, and its escapes. https://man.openbsd.org/roff.7"""

import re
from typing import NamedTuple

_REQUEST = re.compile(r"[.'][ \t]*(?P<name>[A-Za-z][\w]?|\\\"|\.)[ \t]*(?P<rest>.*)")
_COMMENT = re.compile(r'(?:^|[ \t])\\".*')
_WORD = re.compile(r'"((?:[^"]|"")*)"?|((?:\\.|[^\s\\])+)')
_ESCAPE = re.compile(
    r"\\(?:\".*|f(?:\[[^\]]*\]|\(..|.)|s[+-]?(?:\[[^\]]*\]|\(..|\d{1,2})|[mM]\[[^\]]*\]|[hvwlL]'[^']*'"
    r"|(?:\*)?\((?P<two>..)|(?:\*)?\[(?P<long>[^\]]*)\]|\*.|n(?:\[[^\]]*\]|\(..|.)|(?P<one>.)|$)"
)
_NAMED = {
    "-": "-", "bu": "•", "em": "—", "en": "–", "hy": "-", "aq": "'", "dq": '"', "lq": "“", "rq": "”", "oq": "‘",
    "cq": "’", "co": "©", "rg": "®", "ga": "`", "ha": "^", "ti": "~", "rs": "\\", "bv": "|", "ba": "|", "lB": "[",
    "rB": "]", "lC": "{", "rC": "}", "la": "<", "ra": ">", "sc": "§", "de": "°", "mu": "×", "->": "→", "<-": "←",
    ">=": "≥", "<=": "≤", "!=": "≠", "+-": "±", "sq": "□", "at": "@", "sh": "#", "Do": "$", "tm": "™", "Tm": "™",
    "Aq": "'", 'L"': "“", 'R"': "”", "``": "“", "''": "”", "Fo": "«", "Fc": "»", "Gt": ">", "Lt": "<", "Am": "&",
    "or": "|", "sl": "/", "dg": "†", "C+": "C++", "--": "–",
}  # fmt: skip
"""Characters by the names of two letters or more that stand for them: ``\\(bu``, ``\\[bu]``."""
_PLAIN = {"-": "-", "e": "\\", "\\": "\\", "'": "´", "`": "`", " ": " ", "~": " ", "0": " ", "t": " ", ".": "."}
"""Characters by the one letter that stands for them: ``\\e``."""


class Request(NamedTuple):
    """A line that begins with a full stop: a request of roff's own, or a macro."""

    name: str
    arguments: list[str]


def request_in(line: str) -> Request | None:
    """The request on a line that begins with a full stop; None where it names none."""
    found = _REQUEST.match(line)
    return Request(found["name"], _arguments(found["rest"])) if found else None


def _arguments(rest: str) -> list[str]:
    """The words of a request, those in quotes whole, without escapes."""
    found = _WORD.findall(_COMMENT.sub("", rest))
    return [unescaped(quoted.replace('""', '"') or bare) for quoted, bare in found]


def unescaped(text: str) -> str:
    """``text`` with the characters that its escapes stand for. Those for fonts, sizes and the like stand for none."""
    return _ESCAPE.sub(_character, text) if "\\" in text else text


def _character(found: re.Match[str]) -> str:
    named = found["two"] or found["long"]
    return _NAMED.get(named, "") if named else _PLAIN.get(found["one"] or "", "")
