"""Files that a knowledge base is not made of: what programs write for programs, and what holds no prose."""

import re
from collections.abc import Mapping
from pathlib import Path

_MADE = "written by a program for a program"
_DRAWING = "a drawing"
_GRAMMAR = "a grammar or a stylesheet of XML"
_SUFFIXES: Mapping[str, str] = {
    ".svg": _DRAWING, ".eps": _DRAWING, ".ps": _DRAWING, ".drawio": _DRAWING, ".dia": _DRAWING, ".fig": _DRAWING,
    ".excalidraw": _DRAWING, ".cast": "the recording of a terminal",
    ".lock": _MADE, ".map": _MADE, ".sum": _MADE, ".lockb": _MADE, ".tsbuildinfo": _MADE, ".snap": _MADE,
    ".dtd": _GRAMMAR, ".xsd": _GRAMMAR, ".xsl": _GRAMMAR, ".xslt": _GRAMMAR, ".ent": _GRAMMAR, ".rng": _GRAMMAR,
    ".pem": "a key or a certificate", ".crt": "a key or a certificate", ".asc": "a key or a signature",
    ".sig": "a key or a signature", ".gpg": "a key or a signature",
}  # fmt: skip
_NAMES: Mapping[str, str] = {
    **dict.fromkeys(("package-lock.json", "npm-shrinkwrap.json", "pnpm-lock.yaml", "gopkg.lock"), _MADE),
    **dict.fromkeys(("doxyfile", "doxyfile.in"), "the settings of a documentation tool, not of what it documents"),
}
_MINIFIED = re.compile(r"\.min\.(?:js|css|mjs)$", re.IGNORECASE)
_CODE_LINE = re.compile(
    r"\s*(?:[\w.$()-]+\s*[:+?]?=(?!=)\s*\S|[\w.-]+\s*:(?:=|$)|@?(?:if|ifdef|ifndef|else|endif|include|define|import|export"
    r"|function|def|class|return|set|let|var|const)\b.*[\w\"'>)};:]$|.*[{};\\]$|[<\[({].*[>\])}]$|\t\S)"
)
_COMMENT = re.compile(r"\s*(?:#|//|/\*|\*|;|--|dnl\b|<!--)")
MOSTLY = 0.6
"""Share of the lines that say whether a file is code."""


def reason_to_pass_over(path: Path) -> str:
    """Why a file is not read, by its name; empty where it is."""
    name = path.name.lower()
    return _NAMES.get(name) or _SUFFIXES.get(path.suffix.lower()) or (_MADE if _MINIFIED.search(name) else "")


def looks_like_code(text: str) -> bool:
    """Whether a file whose name does not tell is code or settings: most of its lines that are no comments are."""
    lines = [line for line in text[:50_000].split("\n") if line.strip() and not _COMMENT.match(line)]
    return bool(lines) and sum(bool(_CODE_LINE.match(line)) for line in lines) > MOSTLY * len(lines)
