"""The arguments of planned calls, filled in without a model: by their names, from what earlier steps gave and from what
a person said."""

import re
from collections.abc import Iterator, Sequence
from typing import Any

from calibrant.judges.cascade import Judged
from calibrant.judges.free.planning.corrections import corrected
from calibrant.judges.free.planning.tool_outputs import parsed
from calibrant.judges.free.planning.tool_steps import typed, value_of
from calibrant.judges.free.words.text import stem, stems, words
from calibrant.judges.given import Filled, ToFill, ToolCard
from calibrant.state.base import unique
from calibrant.state.task import Step, StepStatus, Task

_LEAVES = re.compile(
    r"\b(?:leave (?=.*\bout\b)|leave out|skip|drop|forget(?: about)?|omit|do without|(?:do not|don['’]t|no need to) \w+"
    r"|deixe(?= .*\b(?:fora|de lado)\b)|esqueça|sem|não)\b(?P<rest>[^.,;!?]*)",
    re.IGNORECASE,
)
_CONDITION = re.compile(
    r"\b(?:if|unless|in case|only when|whenever|provided|caso|se|a menos que|desde que)\b", re.IGNORECASE
)
_VERBS = frozenset({"get", "list", "find", "read", "search", "look", "fetch", "make", "creat", "run", "do", "the"})
"""Stems of a tool's name that say nothing of what it is about."""


def fill(given: ToFill) -> Judged[Filled]:
    """The calls with what is known now. In doubt where something is still not known, or where a person has said what
    words alone may have misread."""
    cards = {card.name: card for card in given.tools}
    candidates = unique(name for result in given.results for name in result.candidates)
    steps = tuple(_filled(step, cards.get(step.tool), given, candidates) for step in given.steps)
    dropped = {step.id: given.said for step in given.steps if leaves_out(given.said, step)}
    doubtful = bool(given.said) or any(step.awaits or _is_conditional(step, given.task) for step in steps)
    return Judged(Filled(steps, dropped), doubt=float(doubtful))


def _is_conditional(step: Step, task: Task) -> bool:
    """Whether a call is to be made only if what was found before says so."""
    return bool(step.depends_on) and any(_CONDITION.search(text) for text in (task.text, step.question))


def leaves_out(said: str, step: Step) -> bool:
    """Whether a person says that a call is not to be made, by a word of its tool's name: "leave the invoices out"."""
    names = {stem(word) for word in words(step.tool)} - _VERBS
    clauses = (match["rest"] for match in _LEAVES.finditer(said))
    return any(not names.isdisjoint(stems(clause)) for clause in clauses)


def _filled(step: Step, card: ToolCard | None, given: ToFill, candidates: Sequence[str]) -> Step:
    arguments = corrected(step.arguments, given.said, candidates) if given.said else step.arguments
    schema = card.schema.get("properties", {}) if card else {}
    found = {name: _value(name, schema.get(name), given) for name in step.awaits}
    known = {name: value for name, value in found.items() if value is not None}
    return step.with_arguments({**arguments, **known}).replace(
        awaits=tuple(name for name in step.awaits if name not in known)
    )


def _value(name: str, schema: Any, given: ToFill) -> Any:
    """What a person gave for the argument, else the one value that what was found has under its name."""
    said = value_of(given.guidance, name)
    if said is not None:
        return typed(said, schema)
    outputs = (parsed(result.content) for result in given.results if result.status is StepStatus.ANSWERED)
    held = unique(value for output in outputs for value in _under(name, output))
    return typed(str(held[0]), schema) if len(held) == 1 else None


def _under(name: str, data: Any) -> Iterator[str | int | float]:
    """The plain values that ``data`` has under ``name``, however deep."""
    if isinstance(data, dict):
        for key, value in data.items():
            if str(key).casefold() == name.casefold() and isinstance(value, str | int | float):
                yield value
            else:
                yield from _under(name, value)
    elif isinstance(data, list):
        for value in data:
            yield from _under(name, value)
