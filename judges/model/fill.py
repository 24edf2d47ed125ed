"""Planned calls completed by a model: arguments that earlier steps have told, or a person, and nothing made up."""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

from calibrant.judges.cascade import Judged
from calibrant.judges.free.planning.tool_outputs import parsed
from calibrant.judges.free.words.numbers import numbers
from calibrant.judges.given import Filled, ToFill, ToolCard
from calibrant.judges.model.asking import Asking, judged, matched, titled, unknown_ids
from calibrant.judges.model.plan import card_text, read_arguments
from calibrant.judges.model.port import ModelPort
from calibrant.judges.model.prompting import dated, fenced
from calibrant.judges.model.prose import prose
from calibrant.judges.model.schemas import CallRow, FillReply
from calibrant.state.budget import Allowance
from calibrant.state.task import Language, Step, SubResult

MOST_SUMMED = 8
"""Numbers under one name of which sums are looked for."""
FOUND_LIMIT = 1_500
"""Characters of what a step gave that a model is shown."""

_TELLING = re.compile(r"[^\s\"'\[\]{}(),;]*(?:\d|@|://)[^\s\"'\[\]{}(),;]*")
"""A word with a digit in it, or an address: an id, an amount, a version. Such are never a model's own."""
_NUMBER = re.compile(r"-?\d+(?:\.\d+)?")
_DAY = re.compile(r"\d{4}-\d\d-\d\d(?:t.*)?")
"""A day may be reckoned from "tomorrow"."""


class Fill(Asking):
    """``ToFill`` -> ``Filled``."""

    def __init__(self, port: ModelPort) -> None:
        super().__init__(port, "fill")

    async def __call__(self, given: ToFill, free: Filled, allowance: Allowance) -> Judged[Filled]:
        asked = {f"K{number}": step for number, step in enumerate(given.steps, 1)}
        reply, spend = await self._ask(FillReply, allowance, **_values(given, asked))
        rows = matched(reply.calls, list(asked), lambda row: row.call)
        cards = {card.name: card for card in given.tools}
        plain = {step.id: step for step in free.steps}
        read = {key: _completed(asked[key], row, cards[asked[key].tool], given) for key, row in rows.items()}
        kept = {asked[key].id: step for key, step in read.items() if step is not None}
        dropped = {asked[key].id: prose(row.reason, limit=150) for key, row in rows.items() if row.drop}
        steps = tuple(kept.get(step.id, plain.get(step.id, step)) for step in given.steps)
        made_up = tuple(row.call for row in reply.calls if row not in rows.values() and row.call not in asked)
        return judged(Filled(steps, dropped), spend, unknown_ids(made_up, "calls"), kept=len(kept), given=len(asked))


def _values(given: ToFill, asked: Mapping[str, Step]) -> dict[str, str]:
    used = {step.tool for step in given.steps}
    failed = {result.id: result.failure.message for result in given.results if result.failure}
    calls = [
        fenced(
            "call",
            json.dumps(step.arguments, ensure_ascii=False),
            id=key,
            tool=step.tool,
            purpose=step.question,
            not_known_yet=", ".join(step.awaits),
            failed=failed.get(step.id, ""),
        )
        for key, step in asked.items()
    ]
    due = {step.id for step in given.steps}
    return {
        "request": fenced("request", given.task.text),
        "today": dated(given.today),
        "tools": titled(
            "Tools:", fenced("tools", "\n".join(card_text(one) for one in given.tools if one.name in used))
        ),
        "found": titled("What was found:", "\n".join(_found(one) for one in given.results if one.id not in due)),
        "guidance": titled("A person's guidance:", fenced("guidance", given.guidance)),
        "calls": "<calls>\n" + "\n".join(calls) + "\n</calls>",
    }


def _found(result: SubResult) -> str:
    failure = result.failure
    said = f"failed: {failure.message}" if failure else result.content or f"nothing: {result.missing}"
    return fenced("result", said[:FOUND_LIMIT], of=result.question)


def _completed(step: Step, row: CallRow, card: ToolCard, given: ToFill) -> Step | None:
    """The call with the arguments of ``row``, but for those whose value is said nowhere; None where they cannot be
    read."""
    arguments = read_arguments(row.arguments, card)
    if arguments is None:
        return None
    said = _Said.of(given, card)
    known = {name: value for name, value in arguments.items() if step.arguments.get(name) == value or said.tells(value)}
    whole = {**step.arguments, **known}
    awaits = tuple(name for name in card.required if name not in whole)
    return step.with_arguments(whole).replace(awaits=awaits)


@dataclass(frozen=True)
class _Said:
    """What the arguments of a call may be from: the request, what was found, a person's word, the tool's own card."""

    text: str
    """In small letters."""
    values: frozenset[float]
    """The numbers in it, however they are written, and the sums of those that were found under one name."""

    @classmethod
    def of(cls, given: ToFill, card: ToolCard) -> "_Said":
        """All that was said before the call with the tool of ``card``."""
        found = [result.content for result in given.results]
        failures = [result.failure.message for result in given.results if result.failure]
        calls = [json.dumps(step.arguments, ensure_ascii=False) for step in given.steps]
        text = "\n".join((given.task.text, given.guidance, given.said, card_text(card), *found, *failures, *calls))
        values = {number.value for language in Language for number in numbers(text, language)}
        return cls(text.casefold(), frozenset({*values, *_sums(found)}))

    def tells(self, value: Any) -> bool:
        """Whether all that only a source can tell of ``value``, its ids, numbers and addresses, was said."""
        words = _TELLING.findall(json.dumps(value, ensure_ascii=False).casefold())
        return all(_DAY.fullmatch(word) or self._has(word.strip(".:")) for word in words)

    def _has(self, word: str) -> bool:
        if re.search(rf"(?<!\w){re.escape(word)}(?!\w)", self.text):
            return True
        return _NUMBER.fullmatch(word) is not None and float(word) in self.values


def _sums(found: Sequence[str]) -> Iterator[float]:
    """What the numbers under one name come to, any of them together: the amounts of the invoices that are open."""
    held: dict[str, list[float]] = {}
    for name, value in (pair for text in found for pair in _numbers_in("", parsed(text))):
        held.setdefault(name, []).append(value)
    for values in held.values():
        for count in range(2, min(len(values), MOST_SUMMED) + 1):
            yield from (round(sum(some), 6) for some in combinations(values[:MOST_SUMMED], count))


def _numbers_in(name: str, data: Any) -> Iterator[tuple[str, float]]:
    """The numbers in data, each with the name that it stands under."""
    if isinstance(data, dict):
        for key, held in data.items():
            yield from _numbers_in(str(key), held)
    elif isinstance(data, list):
        for held in data:
            yield from _numbers_in(name, held)
    elif isinstance(data, int | float) and not isinstance(data, bool):
        yield name, float(data)
