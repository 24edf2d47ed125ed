"""Planned calls completed by a model: arguments that earlier steps have told, or a person, and nothing made up."""

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

from calibrant.judges.cascade import Judged
from calibrant.judges.given import Filled, ToFill, ToolCard
from calibrant.judges.model.asking import Asking, judged, matched, titled, unknown_ids
from calibrant.judges.model.plan import card_text, read_arguments
from calibrant.judges.model.port import ModelPort
from calibrant.judges.model.prompting import dated, fenced
from calibrant.judges.model.quoting import prose
from calibrant.judges.model.schemas import CallRow, FillReply
from calibrant.state.budget import Allowance
from calibrant.state.task import Step, SubResult

FOUND_LIMIT = 1_500
"""Characters of what a step gave that a model is shown."""

_TELLING = re.compile(r"[^\s\"'\[\]{}(),;]*\d[^\s\"'\[\]{}(),;]*")
"""A word with a digit in it: an id, an amount, a version. Such are never a model's own."""
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
    calls = [
        fenced("call", json.dumps(step.arguments, ensure_ascii=False), id=key, tool=step.tool, **_purpose(step))
        for key, step in asked.items()
    ]
    return {
        "request": fenced("request", given.task.text),
        "today": dated(given.today),
        "tools": titled(
            "Tools:", fenced("tools", "\n".join(card_text(one) for one in given.tools if one.name in used))
        ),
        "found": titled("What was found:", "\n".join(map(_found, given.results))),
        "guidance": titled("A person's guidance:", fenced("guidance", given.guidance)),
        "calls": "<calls>\n" + "\n".join(calls) + "\n</calls>",
    }


def _purpose(step: Step) -> dict[str, str]:
    return {"purpose": step.question, **({"not_known_yet": ", ".join(step.awaits)} if step.awaits else {})}


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
    told = " ".join(_told(given)).casefold()
    known = {
        name: value for name, value in arguments.items() if step.arguments.get(name) == value or _is_said(value, told)
    }
    whole = {**step.arguments, **known}
    awaits = tuple(name for name in card.required if name not in whole)
    return step.with_arguments(whole).replace(awaits=awaits)


def _told(given: ToFill) -> Iterator[str]:
    yield given.task.text
    yield given.guidance
    yield from (result.content for result in given.results)
    yield from (json.dumps(step.arguments, ensure_ascii=False) for step in given.steps)


def _is_said(value: Any, told: str) -> bool:
    """Whether all that only a source can tell of ``value``, its ids and numbers, stands in ``told``."""
    words = _TELLING.findall(json.dumps(value, ensure_ascii=False).casefold())
    return all(_DAY.fullmatch(word) or _stands_in(word.strip(".:"), told) or _number_in(word, told) for word in words)


def _stands_in(word: str, told: str) -> bool:
    return re.search(rf"(?<!\w){re.escape(word)}(?!\w)", told) is not None


def _number_in(word: str, told: str) -> bool:
    """Whether ``told`` has the number that ``word`` is, written otherwise: 49 for 49.00."""
    try:
        number = float(word)
    except ValueError:
        return False
    return any(float(found) == number for found in re.findall(r"\d+(?:\.\d+)?", told))
