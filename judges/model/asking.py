"""What every asker shares: its prompt, its port, and how it hands a verdict back."""

from collections.abc import Callable, Sequence
from typing import TypeVar

from pydantic import BaseModel

from calibrant.judges.cascade import Judged
from calibrant.judges.model.port import ModelPort
from calibrant.judges.model.prompting import fenced, template
from calibrant.state.budget import Allowance, Spend

M = TypeVar("M", bound=BaseModel)
T = TypeVar("T")
R = TypeVar("R")


class Asking:
    """One judgement's LLM tier: one structured call, whose reply code checks before anybody believes it."""

    def __init__(self, port: ModelPort, name: str) -> None:
        self._port = port
        self._template = template(name)

    async def _ask(self, schema: type[M], allowance: Allowance, **values: str) -> tuple[M, Spend]:
        return await self._port.structured(self._template.render(**values), schema, allowance)


def judged(
    value: T,
    spend: Spend,
    warnings: Sequence[str] = (),
    *,
    kept: int = 1,
    given: int = 1,
    hesitation: str = "",
    alternatives: tuple[str, ...] = (),
) -> Judged[T]:
    """The verdict. Its doubt is the share of the reply that did not pass the checks."""
    doubt = 0.0 if given <= 0 else max(0.0, 1.0 - kept / given)
    return Judged(value, doubt, "model", spend, tuple(dict.fromkeys(warnings)), hesitation, alternatives)


def matched(rows: Sequence[R], ids: Sequence[str], named: Callable[[R], str]) -> dict[str, R]:
    """The rows by the ids that they name, the first of each. Where none names one that there is (small models repeat
    the question instead) and there is a row for each, by their order."""
    found = {named(row): row for row in reversed(rows) if named(row) in ids}
    return found if found or len(rows) != len(ids) else dict(zip(ids, rows, strict=True))


def unknown_ids(ids: Sequence[str], what: str = "passages") -> tuple[str, ...]:
    """A warning that names ids which the model made up."""
    return (f"The model named {what} that it was not given ({', '.join(ids[:5])}); they were ignored.",) if ids else ()


def listed(tag: str, items: Sequence[str], prefix: str = "") -> str:
    """``items`` as a fenced list, numbered with ``prefix`` where there is one."""
    lines = (f"{prefix}{number}. {item}" if prefix else f"- {item}" for number, item in enumerate(items, 1))
    return fenced(tag, "\n".join(lines))


def titled(heading: str, block: str) -> str:
    """A fenced block under a heading; nothing for nothing."""
    return f"{heading}\n{block}" if block else ""
