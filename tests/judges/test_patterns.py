"""No text holds up a pattern of the words or of a request, whatever it is filled with: each takes about linear time."""

import inspect
import re
import time
from collections.abc import Iterator
from importlib import import_module
from pkgutil import iter_modules
from typing import Any

import pytest

from calibrant.judges.free import request, words
from calibrant.judges.free.answering import modifiers
from calibrant.state.task import Language

MODULES = [
    modifiers.__name__,
    *(module.name for room in (words, request) for module in iter_modules(room.__path__, f"{room.__name__}.")),
]
FILLED = (" ", "\t", "_", "a", "1", "1,", "1-", "a_", "a.", " *a", "[", "[a", "(a", "“a", "`a", '"', "|-", "-", ": ")
AROUND = (("", ""), ("a: ", "x#"), ("-", "|x"), ("a pesa ", "1"))
"""What a text opens and ends with."""
LENGTH = 4_000


def used(module: str) -> Iterator[tuple[re.Pattern[str], str]]:
    """Each pattern of a module with the method that it is used by there."""
    source = inspect.getsource(import_module(module))
    for name, value in vars(import_module(module)).items():
        called = set(
            re.findall(rf"\b{name}(?:[\[(]\w+[\])])?\.(match|fullmatch|search|findall|finditer|sub)\(", source)
        )
        for pattern in held(name, value):
            if isinstance(pattern, re.Pattern):
                yield from ((pattern, method) for method in called or {"match"})


def held(name: str, value: Any) -> list[Any]:
    """What may be a pattern: a value, those of a dictionary, or what a function makes for each language."""
    if name == "_pattern":
        return [value(language) for language in Language]
    return list(value.values()) if isinstance(value, dict) else [value]


def apply(pattern: re.Pattern[str], method: str, text: str) -> None:
    if method in ("match", "fullmatch", "search"):
        getattr(pattern, method)(text)
    else:
        pattern.findall(text)


@pytest.mark.parametrize("module", MODULES)
def test_no_text_holds_a_pattern_up(module: str) -> None:
    for pattern, method in used(module):
        for part in FILLED:
            for opening, end in AROUND:
                text = opening + part * (LENGTH // len(part)) + end
                started = time.process_time()
                apply(pattern, method, text)
                assert time.process_time() - started < 0.4, (pattern.pattern, text[:20])


def test_all_patterns_are_tried() -> None:
    assert sum(len(list(used(module))) for module in MODULES) > 125
