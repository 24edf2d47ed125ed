"""Settings (YAML, TOML, INI): each key is read with the sections that it stands in and with the comment about it.

A comment says why a value is what it is, and the key below it what it is about: the two are one statement.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

_COMMENT = re.compile(r"\s*[#;]+(?P<told>.*)$")
_KEY = re.compile(
    r"(?P<indent>\s*)(?:- )?(?P<key>[\w.\"'/-]+)\s*(?:[:=](?=\s(?!#)|$)|=)\s*+(?P<value>[^#\s]*+(?:\s++[^#\s]++)*+)\s*+"
    r"(?:(?<=\s)#(?P<told>.*))?$"
)
"""Its parts share no spaces: a run of them would be split in all ways."""
_SECTION = re.compile(r"\s*\[{1,2}(?P<key>[\w.\"' :/-]+)\]{1,2}\s*$")
_OTHER = re.compile(r"\s*(?:- \S.*|[\])}]+,?|---)\s*$")
_CODE = re.compile(r"[(){;]\s*$|^\s*(?:from |import |def |class |if |for |return )")
_LABEL = re.compile(r"\s*- (?![\"'{\[])[^\s:]+\s[^:]*:(?:\s|$)")
"""An entry of a list with a label of several words: "- Youth group treasurer: Kai"."""
_ASKS = re.compile(r"\s*(?:Q|Question|P|Pergunta): .*\?\s*$")
"""A question of a page that answers some."""
_HEADING = re.compile(r"#{2,6} ")
"""Of Markdown: no comment looks like it."""
_STOP = re.compile(r"(?<=\w{2})\. (?=[A-ZÀ-Þ])")
_LEAST = 3
"""Keys from which a text is taken for settings."""


@dataclass(frozen=True)
class Setting:
    """A name with its value and what is said of it, as read: ``limits > per_key: 500 (Requests per minute)``. It stands
    at ``start:end``."""

    text: str
    start: int
    end: int


def in_brackets(told: str) -> str:
    """A comment as it is told in brackets behind a value: what it says stays one sentence."""
    return _STOP.sub("; ", " ".join(told.split()).rstrip("."))


def settings(text: str) -> tuple[Setting, ...]:
    """The settings in ``text``; none where it is anything but keys, sections, lists and comments."""
    lines = [line for line in text.splitlines() if line.strip() and (not _COMMENT.match(line) or _HEADING.match(line))]
    keys = [line for line in lines if _KEY.match(line)]
    if len(keys) < _LEAST or any(_CODE.search(line) or _LABEL.match(line) or _ASKS.match(line) for line in lines):
        return ()
    if all(line.lstrip().startswith("- ") for line in keys):
        return ()  # a list of labels, as a text has them too
    return tuple(_read(text)) if all(any(one.match(line) for one in (_KEY, _SECTION, _OTHER)) for line in lines) else ()


def _read(text: str) -> Iterator[Setting]:
    """A comment stands above its key without a blank line between; by itself it is told as it is."""
    told: list[str] = []
    began = start = 0
    path: list[tuple[int, str]] = []
    for line in text.splitlines(keepends=True):
        end = start + len(line.rstrip())
        comment, section, key = _COMMENT.match(line.rstrip()), _SECTION.match(line), _KEY.match(line.rstrip())
        if comment:
            began = began if told else start
            told.append(comment["told"].strip())
        else:
            if told and not key:
                yield Setting(" ".join(told), began, end if end > start else start - 1)
            if section:
                path = [(-1, section["key"])]
            elif key:
                path = [*(one for one in path if one[0] < len(key["indent"])), (len(key["indent"]), key["key"])]
                said = [*told, (key["told"] or "").strip()]
                if key["value"] or any(said):
                    yield Setting(
                        shown(" > ".join(name for _, name in path), key["value"], said), began if told else start, end
                    )
            told = []
        start += len(line)
    if told:
        yield Setting(" ".join(told), began, len(text.rstrip()))


def shown(name: str, value: str, told: list[str]) -> str:
    """A value under its name, with the comments about it in brackets."""
    about = in_brackets(" ".join(told))
    return f"{name}: {value}".rstrip() + (f" ({about})" if about else "")
