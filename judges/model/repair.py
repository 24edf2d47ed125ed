"""JSON out of whatever a model wrote: fences, prose around it, trailing commas, single quotes, cut-off ends.

Only repairs with one possible meaning are made. A value that was cut off is dropped, never completed.
"""

import ast
import json
import re
from collections.abc import Callable, Iterator
from typing import Any

_THOUGHT_TAG = re.compile(r"[<\[◁](/?)(?:seed:)?(?:think(?:ing)?|thought|reasoning)[>\]▷]", re.IGNORECASE)
_CHANNELS = re.compile(r"\A.*<\|channel\|>\w+(?:<\|constrain\|>\w+)?<\|message\|>", re.DOTALL)
"""Where a server passes on what its model says in channels, the last of them is meant for us."""
_FENCED = re.compile(r'```[\w-]*\s*\n?((?:"(?:[^"\\]|\\.)*+"|(?!```).)*+)(?:```|\Z)', re.DOTALL)
"""What stands between fences. Those inside a string close nothing: a statement may have a block of code."""
_TRAILING_COMMA = re.compile(r",(?=\s*[}\]])")
_COMMENT = re.compile(r"//[^\n]*")
_STRING = re.compile(r'"(?:[^"\\]|\\.)*"', re.DOTALL)
_LITERAL, _WORD = re.compile(r"\b(?:True|False|None)\b"), re.compile(r"\b(?:true|false|null)\b")
_PYTHON = {"true": "True", "false": "False", "null": "None"}
_JSON = {python: word for word, python in _PYTHON.items()}
_CLOSERS = {"{": "}", "[": "]"}

MAX_CHARS = 100_000
"""Longer replies are not ours: nothing in a schema of ours needs so much."""


CANDIDATES = 8
"""So many places in a reply are tried as the beginning of a value, from each end."""


def loads(text: str) -> Any:
    """The JSON value in ``text``. Raises ``ValueError`` where there is none that can be told with certainty."""
    value = next(values(text), None)
    if value is None:
        raise ValueError("no JSON object in the reply")
    return value


def values(text: str, cut_off: bool = False) -> Iterator[Any]:
    """The JSON values in ``text``: the whole, else the last first, since what comes before it is a draft. Of a reply
    that was ``cut_off``, what the model thought aloud is no part, even if the thought never ends."""
    for candidate in _candidates(_spoken(text[:MAX_CHARS], cut_off)):
        for read in (_plain, _tidied, _python, _closed):
            value = _tried(read, candidate)
            if isinstance(value, dict | list):
                yield value
                break


def has_json(text: str, cut_off: bool) -> bool:
    """Whether ``text`` at least begins a JSON object: else the model did not even try to keep the format."""
    return "{" in _spoken(text, cut_off)


def _spoken(text: str, cut_off: bool) -> str:
    """``text`` without what the model thought aloud. An opening tag may be missing: templates swallow it."""
    kept: list[str] = []
    at, opened = 0, -1
    for tag in _THOUGHT_TAG.finditer(text):
        if not tag.group(1):
            opened = tag.start() if opened < 0 else opened
            continue
        if opened < 0:
            kept.clear()
        else:
            kept.append(text[at:opened])
        at, opened = tag.end(), -1
    end = opened if cut_off and opened >= 0 else len(text)
    return _CHANNELS.sub("", "".join([*kept, text[at:end]])).strip()


def _candidates(spoken: str) -> Iterator[str]:
    yield spoken
    for match in reversed(list(_FENCED.finditer(spoken))):
        yield match.group(1).strip()
    spans = list(_bracketed(spoken))
    yield from reversed([spoken[start:end] for start, end in spans if end][-CANDIDATES:])
    yield from [spoken[start:] for start, end in spans if not end][:CANDIDATES]


def _bracketed(text: str) -> Iterator[tuple[int, int]]:
    """Where brackets open and close, outermost ones only; the end is 0 for one that never closes. Each of these is read
    to the end of the text, so that there may be only a few."""
    at = unclosed = 0
    for match in re.finditer(r"[{\[]", text):
        if match.start() >= at and unclosed < CANDIDATES:
            end = _end_of_value(text, match.start())
            yield match.start(), end
            at = end or match.start() + 1
            unclosed += not end


def _end_of_value(text: str, start: int) -> int:
    """Where the bracket at ``start`` closes, or 0 if it never does."""
    depth = 0
    for position, char in _outside_strings(text, start):
        depth += (char in "{[") - (char in "}]")
        if depth == 0 and char in "}]":
            return position + 1
    return 0


def _outside_strings(text: str, start: int = 0) -> Iterator[tuple[int, str]]:
    """The characters that are not inside a JSON string, with their positions (the quotes included)."""
    inside = escaped = False
    for position in range(start, len(text)):
        char = text[position]
        if inside:
            escaped, inside = char == "\\" and not escaped, char != '"' or escaped
            if inside:
                continue
        elif char == '"':
            inside = True
        yield position, char


def _tried(read: Callable[[str], Any], text: str) -> Any:
    try:
        return read(text)
    except (ValueError, SyntaxError, RecursionError, MemoryError):
        return None


def _plain(text: str) -> Any:
    return json.loads(text, strict=False)


def _tidied(text: str) -> Any:
    return json.loads(_outside(text, _tidy), strict=False)


def _outside(text: str, change: Callable[[str], str]) -> str:
    """``text`` with everything changed but its strings."""
    parts, last = [], 0
    for match in _STRING.finditer(text):
        parts += [change(text[last : match.start()]), match.group()]
        last = match.end()
    return "".join([*parts, change(text[last:])])


def _tidy(text: str) -> str:
    plain = _LITERAL.sub(lambda match: _JSON[match.group()], _COMMENT.sub("", text))
    return _TRAILING_COMMA.sub("", plain)


def _python(text: str) -> Any:
    """A Python literal: what single quotes usually mean."""
    return ast.literal_eval(_WORD.sub(lambda match: _PYTHON[match.group()], text))


def _closed(text: str) -> Any:
    """A cut-off value, back to its last whole element, with its brackets closed."""
    cut = _last_whole(text)
    return None if cut is None else _tidied(cut)


def _last_whole(text: str) -> str | None:
    """``text`` up to the last whole member of the outermost object or of a list, closed.

    An object inside a list counts only when it is whole: half a statement is none.
    """
    stack: list[str] = []
    best: str | None = None
    for position, char in _outside_strings(text):
        if char in "{[":
            stack.append(char)
        elif char in "}]" and stack:
            stack.pop()
        if char in ",}]" and stack and (stack[-1] == "[" or len(stack) == 1):
            upto = text[:position] if char == "," else text[: position + 1]
            best = upto + "".join(_CLOSERS[opener] for opener in reversed(stack))
    return best if stack else None  # a text whose brackets all close was not cut off: something else is wrong with it
