"""Roff, which man pages are written in: the requests of its lines, and its escapes. https://man.openbsd.org/roff.7"""

import re
import unicodedata
from typing import NamedTuple

_REQUEST = re.compile(r"[.'][ \t]*(?P<name>(?:UN)?INDENT\b|URL\b|[A-Za-z][\w]?|\\\"|\.)[ \t]*(?P<rest>.*)")
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
    "or": "|", "sl": "/", "dg": "†", "C+": "C++", "--": "–", "C`": "", "C'": "", "ss": "ß", "ae": "æ", "AE": "Æ",
    "oe": "œ", "OE": "Œ", "oa": "å", "oA": "Å", "/o": "ø", "/O": "Ø", "/l": "ł", "/L": "Ł", "vs": "š", "vS": "Š",
    "vz": "ž", "vZ": "Ž", "-D": "Ð", "Sd": "ð", "TP": "Þ", "Tp": "þ", "Of": "ª", "Om": "º", "r!": "¡", "r?": "¿",
    "Bq": "„", "bq": "‚", "fo": "‹", "fc": "›", "Eu": "€", "Po": "£", "Ye": "¥", "ct": "¢", "12": "½", "14": "¼",
    "34": "¾", "S1": "¹", "S2": "²", "S3": "³", "mi": "−", "pl": "+", "eq": "=", "di": "÷", "no": "¬", "**": "*",
    "*m": "µ", "*p": "π", "dd": "‡", "ps": "¶", "fm": "′", "sd": "″", "ci": "○",
}  # fmt: skip
"""Characters by the names of two letters or more that stand for them: ``\\(bu``, ``\\[bu]``."""
_PLAIN = {"-": "-", "e": "\\", "\\": "\\", "'": "´", "`": "`", " ": " ", "~": " ", "0": " ", "t": " ", ".": "."}
"""Characters by the one letter that stands for them: ``\\e``."""


_ACCENTS = {"'": "\u0301", "`": "\u0300", "^": "\u0302", ":": "\u0308", "~": "\u0303", ",": "\u0327"}
"""What stands before a letter in the name of one with an accent: ``\\('e``."""
_UNICODE = re.compile(r"u([0-9A-F]{4,5})")


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
    return _sign(named) if named else _PLAIN.get(found["one"] or "", "")


def _sign(named: str) -> str:
    """The character of that name; empty where none has it."""
    if named in _NAMED:
        return _NAMED[named]
    if code := _UNICODE.fullmatch(named):
        return chr(int(code[1], 16))
    accent = _ACCENTS.get(named[0], "")
    return unicodedata.normalize("NFC", named[1] + accent) if accent and named[1:].isalpha() else ""


def is_named(name: str) -> bool:
    """Whether a character is called so, whatever a page makes of that name."""
    return name in _NAMED
