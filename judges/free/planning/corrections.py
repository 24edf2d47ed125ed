"""A tool call put right by what a person said: a named argument, one of the candidates, a path, something "instead"."""

import re
from collections.abc import Mapping, Sequence
from typing import Any

from calibrant.judges.free.planning.tool_steps import value_of

_PATH = re.compile(r"(?<![\w/.])(?:[\w.~-]*/)+[\w.-]*\w|(?<![\w/.])[\w-]+\.[A-Za-z]\w{0,4}(?![\w./])")
_INSTEAD = re.compile(
    r"\b(?:use|run|try|call|take|make it|rode|tente|chame)\s+(?P<new>.+?)"
    r"(?:,)?\s+(?:instead(?:\s+of\s+(?P<old>[^.;,]+))?|em vez de\s+(?P<antes>[^.;,]+))",
    re.IGNORECASE,
)
_POINTING = frozenset({"that", "this", "it", "them", "those", "one", "isso", "este", "esse"})
_IS = r"\s*(?:=|:|is|to|of|é|para|de)?\s*"
"""What may stand between the name of an argument and its value."""
_ID = re.compile(r"_?(?:id|number|no|code)$", re.IGNORECASE)
_CODE = r"[\"'`“]?\b[\w-]*\d[\w-]*\b"
"""An id: a word with a digit in it."""
_SHORT = 2
"""Letters of a name that a sentence may have as a word of its own."""
_EDGES = " \t\n\"'`“”«»"


def corrected(arguments: Mapping[str, Any], said: str, candidates: Sequence[str] = ()) -> dict[str, Any]:
    """``arguments`` with what ``said`` puts in place of one of them; as they are where it says nothing about them.

    ``candidates`` are names between which the plan could not choose. Only arguments that are texts are touched, and
    numbers that are named.
    """
    texts = {name: value for name, value in arguments.items() if isinstance(value, str)}
    named: dict[str, Any] = {name: value for name in texts if (value := value_of(said, name)) is not None}
    named = {**_called(texts, said), **named, **_numbers(arguments, said)}
    change = named or _candidate(texts, said, candidates) or _path(texts, said) or _instead(texts, said)
    return {**arguments, **change}


def _called(texts: Mapping[str, str], said: str) -> dict[str, str]:
    """The ids that are given by what they are the ids of: "use customer C-31", "the order number is 4711"."""
    changed = {}
    for name in texts:
        of = _ID.sub("", name).replace("_", " ")
        match = re.search(
            rf"\b{re.escape(of)}(?:[ _](?:id|number|no\.?|code))?{_IS}(?P<new>{_CODE})", said, re.IGNORECASE
        )
        if len(of) > _SHORT and match:
            changed[name] = match["new"].strip(_EDGES)
    return changed


def _numbers(arguments: Mapping[str, Any], said: str) -> dict[str, int | float]:
    """The numbers that are given by the names of their arguments: "use max_length 300000 instead of 500000"."""
    changed: dict[str, int | float] = {}
    for name, value in arguments.items():
        if isinstance(value, bool) or not isinstance(value, int | float):
            continue
        given = _IS if len(name) > _SHORT else r"\s*[=:]\s*"
        told = re.escape(name).replace("_", "[_ ]")
        match = re.search(rf"\b{told}\b{given}(?P<new>-?\d+(?:\.\d+)?)(?![\w.]*\d)", said, re.IGNORECASE)
        if match and (isinstance(value, float) or "." not in match["new"]):
            changed[name] = type(value)(match["new"])
    return changed


def _candidate(texts: Mapping[str, str], said: str, candidates: Sequence[str]) -> dict[str, str]:
    """The one candidate that is named, for the argument that it fits."""
    chosen = _longest([name for name in candidates if name.casefold() in said.casefold()])
    fitting = [name for name, value in texts.items() if value and value.casefold() in chosen.casefold()]
    return {fitting[0]: chosen} if chosen and fitting else {}


def _longest(named: Sequence[str]) -> str:
    """The longest name, if it contains the others: "lib/a.py" also names "a.py". Empty for two different names."""
    longest = max(named, key=len, default="")
    return longest if all(name.casefold() in longest.casefold() for name in named) else ""


def _instead(texts: Mapping[str, str], said: str) -> dict[str, str]:
    """ "Run X instead of Y", where Y is an argument, or there is but one."""
    match = _INSTEAD.search(said)
    if match is None:
        return {}
    new, old = match["new"].strip(_EDGES), (match["old"] or match["antes"] or "").strip(_EDGES).casefold()
    fitting = [name for name, value in texts.items() if (value.casefold() == old if old else len(texts) == 1)]
    if not fitting or new.casefold() in _POINTING:
        return {}
    named = rf"(?:the |an? |[oa] )?{re.escape(fitting[0])}(?: name| id)?{_IS}(?=\S)"
    return {fitting[0]: re.sub(rf"^{named}", "", new, flags=re.IGNORECASE).strip(_EDGES) or new}


def _path(texts: Mapping[str, str], said: str) -> dict[str, str]:
    """The one path that is named, for the one argument that is a path."""
    paths = [name for name, value in texts.items() if _PATH.fullmatch(value)]
    found = [path for path in dict.fromkeys(_PATH.findall(said)) if path not in texts.values()]
    return {paths[0]: found[0]} if len(paths) == 1 and len(found) == 1 else {}
