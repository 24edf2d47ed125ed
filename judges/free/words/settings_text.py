"""Settings (YAML, TOML, INI): each key is read with the sections that it stands in and with the comment about it.

A comment says why a value is what it is, and the key below it what it is about: the two are one statement.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import accumulate, pairwise

from calibrant.judges.free.words.full_stops import cuts
from calibrant.judges.free.words.tables import indent_of, lines_of

_COMMENT = re.compile(r"\s*[#;]+(?P<told>.*)$")
_KEY = re.compile(
    r"(?P<indent>\s*)(?:- )?(?P<key>[\w.\"'/-]+)\s*(?:[:=](?=\s(?!#)|$)|=)\s*+"
    r"(?P<value>(?:[^#\s]\S*+(?:\s++[^#\s]\S*+)*+)?)\s*+"
    r"(?:(?<=\s)#(?P<told>.*))?$"
)
"""Its parts share no spaces: a run of them would be split in all ways."""
_WRITTEN = re.compile(r"(?:- )?[\w./-]+(?::\s| ?=)\s?(?=\S)")
"""How a setting begins."""
_EXPLAINS = re.compile(r"\s*[`\w]+(?: [a-zà-ÿ][\w'’-]*){2}")
_OF_SETTINGS = frozenset(("", "yaml", "yml", "toml", "ini", "conf", "cfg", "properties", "env", "dotenv", "text"))
"""What a block of settings calls its language, if it names one."""
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
_LONGEST = 100
"""Lines of one value."""
_BLOCK = re.compile(r"[|>][-+\d]*")
"""In the place of a value: it stands below."""
_OPENS = re.compile(r":\s+[|>][-+\d]*\s*$")
"""No text but a file of settings has that."""
_QUOTES = "\"'"
_SENTENCE = re.compile(r"\s*[A-ZÀ-Þ]\w*(?: [a-zà-ÿ][\w'’-]*){2}")
_ENDS = re.compile(r"[.!?][\"')\]`]*\s*$")

Path = list[tuple[int, str]]
"""Keys, each with twice its column: the dash of an entry of a list stands half a column further in."""


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
    keys = [line for line in text.splitlines() if _KEY.match(line)]
    if len(keys) < _LEAST and not any(map(_OPENS.search, keys)):
        return ()
    if all(line.lstrip().startswith("- ") for line in keys):
        return ()  # a list of labels, as a text has them too
    parts = _parts(text)
    return tuple(_read(text, parts)) if all(map(_is_setting, parts)) else ()


def documented(code: str, start: int, language: str) -> list[Setting]:
    """The settings of a block of code, which begins at ``start``, that have a comment right above them, as an example
    of a file has it: ``[ interval: <duration> | default = 1m ]`` below "# How often it runs."."""
    if "#" not in code or language not in _OF_SETTINGS:
        return []
    if any(_CODE.search(line) and not _COMMENT.match(line) for _, line in lines_of(code)):
        return []
    found, said, begun = list[Setting](), "", 0
    for at, line in lines_of(code):
        if comment := _COMMENT.match(line):
            begun, said = (begun, f"{said} {comment['told']}") if said else (at, comment["told"])
            continue
        written = _unbracketed(line.strip())
        if _WRITTEN.match(written) and _EXPLAINS.match(said):
            found.append(
                Setting(
                    f"{written} ({in_brackets(said)})",
                    start + begun + indent_of(code[begun:]),
                    start + at + len(line.rstrip()),
                )
            )
        said = ""
    return found


def _unbracketed(line: str) -> str:
    """A setting without the brackets in which an example has what may be left out."""
    return line[1:-1].strip() if line.startswith("[") and line.endswith("]") else line


def particulars(text: str) -> tuple[Setting, ...]:
    """What keys tell in ``text``, which is known to have some, as the front matter of a page does."""
    return tuple(_read(text, _parts(text)))


def _is_setting(part: list[str]) -> bool:
    """Whether a line, with what goes on below it, may stand among settings: it is no code, which what is wrapped may
    end like, and no entry of a text."""
    line = part[0]
    if not line.strip() or (_COMMENT.match(line) and not _HEADING.match(line)):
        return True
    if (len(part) == 1 and _CODE.search(line)) or _LABEL.match(line) or _ASKS.match(line):
        return False
    return any(one.match(line) for one in (_KEY, _SECTION, _OTHER))


def _parts(text: str) -> list[list[str]]:
    """The lines, each with those below it over which its value goes on."""
    lines = text.splitlines(keepends=True)
    parts, at = list[list[str]](), 0
    while at < len(lines):
        stop = _value_end(lines, at)
        parts.append(lines[at:stop])
        at = stop
    return parts


def _value_end(lines: list[str], at: int) -> int:
    """Where the value ends that begins in the line ``at``. It goes on in deeper lines; in quotes or behind ``|`` or
    ``>``, whatever they look like. Settings behind ``|`` are read as if they stood for themselves."""
    key = _KEY.match(lines[at].rstrip())
    if not key or not key["value"] or key["told"]:
        return at + 1
    value, stop = key["value"], at + 1
    is_block = _BLOCK.fullmatch(value) is not None
    for place in range(at + 1, min(at + _LONGEST, len(lines))):
        line = lines[place].rstrip()
        is_held = is_block or (value[0] in _QUOTES and (len(value) == 1 or value[-1] != value[0]))
        if (line and indent_of(line) <= key.start("key")) or not (is_held or _goes_on(line)):
            break
        value, stop = (f"{value[0]}{line}", place + 1) if line else (value, stop)
    return at + 1 if is_block and value[0] == "|" and not any(map(_goes_on, lines[at + 1 : stop])) else stop


def _goes_on(line: str) -> bool:
    """Whether a line begins nothing of its own."""
    return bool(line.strip()) and not any(one.match(line) for one in (_KEY, _SECTION, _OTHER, _COMMENT))


def _is_prose(lines: list[str]) -> bool:
    """Whether ``lines`` are words: they begin as a sentence does, or end so."""
    return _SENTENCE.match(lines[0]) is not None or _ENDS.search(lines[-1]) is not None


def _read(text: str, parts: list[list[str]]) -> Iterator[Setting]:
    """A comment stands above its key without a blank line between; by itself it is told as it is."""
    told: list[str] = []
    began = start = 0
    path: Path = []
    for part in parts:
        line, whole = part[0], "".join(part)
        end = start + len(whole.rstrip())
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
                path = _below(path, key)
                name = " > ".join(name for _, name in path if name)
                said = [*told, (key["told"] or "").strip()]
                for place, one in enumerate(_values(text, part, start, key, name, said)):
                    yield one if place else replace(one, start=began if told else start)
                path = _called(path, key)
            told = []
        start += len(whole)
    if told:
        yield Setting(" ".join(told), began, len(text.rstrip()))


def _values(
    text: str, part: list[str], start: int, key: re.Match[str], name: str, said: list[str]
) -> Iterator[Setting]:
    """What ``key`` is set to in the lines ``part``, which begin at ``start``: sentence by sentence where there are
    several, or line by line in a script."""
    end = start + len("".join(part).rstrip())
    value = "" if _BLOCK.fullmatch(key["value"]) else key["value"]
    if len(part) > 1:
        begin = start + key.end("value") - len(value)
        is_script = key["value"][0] == "|" and not _is_prose(part[1:])
        stops = accumulate(map(len, part), initial=start) if is_script else cuts(text, begin, end)
        yield from _folded(text, name, said, [begin, *(stop for stop in stops if begin < stop < end), end])
    elif value or any(said):
        yield Setting(shown(name, value, said), start, end)


def _below(path: Path, key: re.Match[str]) -> Path:
    """The keys in which ``key`` stands, and itself. The dash of an entry may stand right below the key of its list."""
    dash, column = 2 * len(key["indent"]) + 1, 2 * key.start("key")
    if dash > column:
        return [*(one for one in path if one[0] < column), (column, key["key"])]
    return [*(one for one in path if one[0] < dash), (dash, ""), (column, key["key"])]


def _called(path: Path, key: re.Match[str]) -> Path:
    """The path for what stands below: an entry of a list is called by its name, where it opens with that."""
    if key["key"] != "name" or not key["value"] or len(path) < 2 or path[-2][1]:
        return path
    return [*path[:-2], (path[-2][0], key["value"].strip(_QUOTES)), path[-1]]


def _folded(text: str, name: str, told: list[str], bounds: list[int]) -> Iterator[Setting]:
    """A value over several lines, piece by piece."""
    for left, right in pairwise(bounds):
        said = text[left:right]
        if said.strip():
            start = left + len(said) - len(said.lstrip())
            yield Setting(shown(name, " ".join(said.split()), told), start, left + len(said.rstrip()))
            told = []


def shown(name: str, value: str, told: list[str]) -> str:
    """A value under its name, with the comments about it in brackets."""
    about = in_brackets(" ".join(told))
    return f"{name}: {value}".rstrip() + (f" ({about})" if about else "")
