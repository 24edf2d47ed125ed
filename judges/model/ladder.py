"""The ladder of structured output: native schema, tool call, plain text; and reading what came back.

An endpoint that does not support a rung says so in an error, or ignores what it was asked and answers in prose.
Either way the rung is remembered as gone, so that finding out costs one call, once.
"""

import json
from collections.abc import Sequence
from enum import StrEnum
from typing import Any, TypeVar

from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage, BaseMessage, HumanMessage
from langchain_core.runnables import Runnable, RunnableParallel, RunnableSequence
from pydantic import BaseModel, ValidationError

from calibrant.judges.model import repair
from calibrant.judges.model.wire import shape, wire_schema

M = TypeVar("M", bound=BaseModel)

ECHO_CHARS = 2000
"""How much of a malformed reply is shown to the model again."""


class Rung(StrEnum):
    """One way to ask for structured output."""

    NATIVE = "json_schema"
    TOOL = "function_calling"
    TEXT = "text"


class Unreadable(Exception):
    """A reply that does not fit the schema; the model is told. ``ignored`` if it does not even contain an object."""

    def __init__(self, problem: str, ignored: bool = False) -> None:
        super().__init__(problem)
        self.problem = problem
        self.ignored = ignored


class Ladder:
    """The rungs that an endpoint has shown, or not yet been shown, to support."""

    def __init__(self) -> None:
        self._gone: set[Rung] = set()

    @property
    def rungs(self) -> tuple[Rung, ...]:
        """What is left, best first. Plain text always is."""
        return tuple(rung for rung in Rung if rung not in self._gone)

    def drop(self, rung: Rung) -> None:
        """Never ask for ``rung`` again."""
        if rung is not Rung.TEXT:
            self._gone.add(rung)


def bound(model: BaseChatModel, rung: Rung, schema: type[BaseModel]) -> Runnable[Any, Any]:
    """``model`` asked for ``schema`` by way of ``rung``. Raises ``NotImplementedError`` where it has no such way."""
    if rung is Rung.TEXT:
        return model
    wire = wire_schema(schema)
    try:
        if rung is Rung.TOOL:
            return model.bind_tools([wire], tool_choice=wire["title"])
        # A plain dict, not the class: a client that validates would throw the reply away with its usage.
        return _unparsed(model.with_structured_output(wire, method="json_schema", include_raw=True, strict=True))
    except (TypeError, ValueError) as error:
        raise NotImplementedError(rung) from error


def _unparsed(made: Runnable[Any, Any]) -> Runnable[Any, Any]:
    """The model's half of ``made``, where it has LangChain's usual form. The other half parses the reply, as ``read``
    does too, and costs as much processor time as the call."""
    if isinstance(made, RunnableSequence) and isinstance(made.first, RunnableParallel):
        return made.first.steps__.get("raw", made)
    return made


def asking(messages: Sequence[BaseMessage], rung: Rung, schema: type[BaseModel]) -> list[BaseMessage]:
    """``messages`` for ``rung``: plain text needs to be told the shape."""
    if rung is not Rung.TEXT:
        return list(messages)
    return [*messages, HumanMessage(f"Reply with one JSON object of this shape and nothing else:\n{shape(schema)}")]


def correcting(messages: Sequence[BaseMessage], reply: str, problem: str, schema: type[BaseModel]) -> list[BaseMessage]:
    """``messages`` and the reply that did not fit, with what was wrong with it."""
    text = (
        f"That reply cannot be used: {problem}. Answer the same request again with one JSON object of this shape and "
        f"nothing else:\n{shape(schema)}"
    )
    return [*messages, AIMessage(reply[:ECHO_CHARS] or "(empty)"), HumanMessage(text)]


def message_of(output: Any) -> AIMessage:
    """The model's message, whichever way it was asked."""
    raw = output["raw"] if isinstance(output, dict) else output
    if not isinstance(raw, AIMessage):
        raise TypeError(f"a chat model returned {type(raw).__name__}")
    return raw


def is_refusal(message: AIMessage) -> bool:
    """Whether the endpoint marked ``message`` as declined. An apology in prose is not: it is merely malformed."""
    reasons = (message.response_metadata.get(name) for name in ("finish_reason", "stop_reason"))
    return bool(message.additional_kwargs.get("refusal")) or any(r in ("content_filter", "refusal") for r in reasons)


def text_of(message: AIMessage) -> str:
    """What is to be read: the arguments of a tool call if there is one, else the text."""
    if message.tool_calls:
        return json.dumps(message.tool_calls[0]["args"], ensure_ascii=False)
    if message.invalid_tool_calls:
        return str(message.invalid_tool_calls[0]["args"] or "")
    return str(message.text)


def read(schema: type[M], text: str) -> M:
    """``text`` as ``schema``. Raises ``Unreadable`` with a problem that the model can act on."""
    try:
        value = repair.loads(text)
    except ValueError as error:
        raise Unreadable(str(error), ignored=bool(text.strip()) and not repair.has_json(text)) from None
    problem = ""
    for candidate in _readings(value, schema):
        try:
            return schema.model_validate(candidate)
        except ValidationError as error:
            problem = problem or _problem(error)
    raise Unreadable(problem or "it is not an object")


def _readings(value: Any, schema: type[BaseModel]) -> list[Any]:
    """The value, and what it may wrap: an object under the schema's name, a tool call as text, the only list."""
    if isinstance(value, list):
        lists = [name for name, field in schema.model_fields.items() if field.is_required()]
        return [{lists[0]: value}, *value[:1]] if len(lists) == 1 else value[:1]
    inner = [value.get(key) for key in ("arguments", "parameters", "properties", schema.model_config.get("title"))]
    inner += list(value.values()) if len(value) == 1 else []
    return [value, *(_decoded(item) for item in inner if isinstance(item, dict | str))]


def _decoded(item: dict[str, Any] | str) -> Any:
    if isinstance(item, dict):
        return item
    try:
        return repair.loads(item)
    except ValueError:
        return item


def _problem(error: ValidationError) -> str:
    """What does not fit, by field. The values are left out: they may be pages."""
    rows = error.errors(include_input=False, include_url=False, include_context=False)[:5]
    return "; ".join(f"{'.'.join(map(str, row['loc'])) or 'reply'}: {row['msg']}" for row in rows)
