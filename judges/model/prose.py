"""What a model wrote freely, as a reader sees it: without references, and links and code that no source has."""

import re
from collections.abc import Sequence
from itertools import pairwise

from calibrant.judges.free.answering.telling import in_fence

COMPOSED = 0.75
"""So many of the names in code that was asked for must stand in the passages."""

LONG = 4
"""Names of a command in one line, from which it may be put together."""

_NAME = re.compile(r"[^\W\d]\w{2,}")
_OPTION = re.compile(r"(?<![\w-])--?[A-Za-z][\w-]*")
_DEFINED = re.compile(r"\b(?:class|def|fn|func|function|const|let|var) +(\w+)")
"""A name that code gives itself."""
_URL = re.compile(r"(?:https?://|www\.)[^\s)\]>`]*[^\s)\]>`.,;:!?]", re.IGNORECASE)
_FENCED = re.compile(r"\s*^[ \t]*```[^\n`]*\n(?P<code>.*?)\n?[ \t]*```[ \t]*$\s*", re.DOTALL | re.MULTILINE)
"""Code on lines of its own, between lines of three backticks."""
_ROWS = re.compile(
    r"(?:^[ \t]*\|[^\n]*\|[ \t]*(?:\n|\Z)){3,}|(?:^[ \t]*(?:[-*•]|\d{1,2}[.)])[ \t][^\n]*(?:\n|\Z)){2,}", re.MULTILINE
)
"""The rows of a table, under its columns and the line below them; or the items of a list."""
_LEAD = re.compile(r"(?:^|(?<=[.!?])[ \t])[^.!?]*:$")
"""What announces them, and states nothing."""
_COLON = re.compile(r"\s*:$")
_LINK = re.compile(r"\[([^\]]*)\]\([^)]*\)")
_BOLD = re.compile(r"(?<![\w*])\*\*(?=[^\s*])([^*\n]+)(?<=\S)\*\*(?![\w*])")
_IDS = r"[SC]\d{1,2}(?:\s*(?:,|;|and|e)\s*[SC]\d{1,2})*"
_NAMED = r"(?i:(?:sources?|passages?|claims?|see|fontes?|trechos?|passage[mn]s?|ver)\b[:\s]*)*"
_REFERENCE = re.compile(rf"\s*[\[(]{_NAMED}{_IDS}[\])]")
_CREDIT = re.compile(
    rf"\A(?i:according to|as (?:stated|described|mentioned) in|based on|per|de acordo com|segundo|conforme)\s+"
    rf"(?i:the |[oa]s? )?{_NAMED}{_IDS}\s*,\s*(\w)"
)
"""Ids are the prompt's: nobody knows what S2 is who reads "according to S2"."""


def prose(text: str, *sources: str, limit: int = 600) -> str:
    """A model's free text for a reader: one line, without links, references, bold type and URLs that no source has.
    The rows of a table and the items of a list stay on lines of their own, and so does code between lines of backticks
    where a source has it; it goes where none has."""
    held, told, end = " ".join(sources), list[str](), 0
    for block in _FENCED.finditer(text):
        announced = _outside_code(text[end : block.start()], held, limit)
        if _is_code_of(block["code"], held):
            told += [announced, in_fence(block["code"])]
        else:
            told.append(_COLON.sub(".", announced))
        end = block.end()
    return "\n".join(filter(None, (*told, _outside_code(text[end:], held, limit))))


def without_code(text: str) -> str:
    """``text`` without its blocks of code, unless it is nothing else."""
    return _FENCED.sub(" ", text).strip() or text


def _outside_code(text: str, held: str, limit: int) -> str:
    """``text`` in one line, but for the rows of tables and the items of lists: each stays on its own, to be read and
    checked as one, without what announces them."""
    told, end = list[str](), 0
    for rows in _ROWS.finditer(text):
        told.append(_LEAD.sub("", _line(text[end : rows.start()], held, limit)))
        told += [_line(row, held, limit) for row in rows.group().splitlines()]
        end = rows.end()
    return "\n".join(filter(None, (*told, _line(text[end:], held, limit))))


def _is_code_of(code: str, held: str) -> bool:
    """Whether code stands in ``held``, or is put together from what stands there: a command, and further down an option
    of it. Of such a one each word has to stand there, and two of them together."""
    words, told = code.split(), " ".join(held.split())
    if " ".join(words) in told:
        return True
    together = any(" ".join(pair) in told for pair in pairwise(words))
    is_held = _pieces(code) <= _pieces(held) or _is_command_of(code, held)
    return (len(words) > 1 and together and is_held) or _is_composed(code, held)


def _pieces(code: str) -> set[str]:
    """The words of code, those that signs or quotation marks keep apart each by itself."""
    return {word for said in re.findall(r"[^\s`,;='\"]+", code) if (word := said.strip(".:!?()"))}


def _is_command_of(code: str, held: str) -> bool:
    """Whether a long command has no option but those of ``held``, and mostly its names: the others are values of
    whoever asks for it."""
    options = set(_OPTION.findall(code))
    return options <= set(_OPTION.findall(held)) and len(_names(code)) >= LONG and _has_names_of(code, held)


def _is_composed(code: str, held: str) -> bool:
    """Whether code of several lines is written with the names of ``held``. Whether it does what is asked, a second look
    has to say."""
    return "\n" in code.strip() and bool(_names(code)) and _has_names_of(code, held)


def _names(code: str) -> set[str]:
    return set(_NAME.findall(code)).difference(_DEFINED.findall(code))


def _has_names_of(code: str, held: str) -> bool:
    names = _names(code)
    return len(names & set(_NAME.findall(held))) >= COMPOSED * len(names)


def _line(text: str, held: str, limit: int) -> str:
    text = _BOLD.sub(lambda match: match.group() if match.group() in held else match.group(1), text)
    unlinked = _unreferenced(_LINK.sub(r"\1", text.replace("‹", "<")), held)
    kept = _URL.sub(lambda match: match.group() if match.group() in held else "", unlinked)
    line = " ".join(kept.split())
    return line if len(line) <= limit else line[:limit].rsplit(" ", 1)[0] + " …"


def _unreferenced(text: str, held: str) -> str:
    """``text`` without the ids that it cites. What a source has so too is no id: the Galaxy (S9)."""
    kept = _REFERENCE.sub(lambda match: match.group() if match.group().strip() in held else "", text)
    return _CREDIT.sub(lambda match: match.group(1).upper(), kept)


def notes(items: Sequence[str], most: int) -> tuple[str, ...]:
    """The first ``most`` remarks of a reply, each as a short line of prose; those that hold none are left out."""
    return tuple(note for item in items[:most] if (note := prose(item, limit=200)))
