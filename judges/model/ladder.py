"""The ladder of structured output: native schema, tool call, plain text; and reading what came back.

An endpoint that does not support a rung says so in an error, or ignores what it was asked and answers in prose.
Either way the rung is remembered as gone, so that finding out costs one call, once. One that brings nothing at all may
have had a bad moment: that costs two.
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

WRAPPINGS = 3
"""So many objects may stand around the one that was asked for."""


class Rung(StrEnum):
    """One way to ask for structured output."""

    NATIVE = "json_schema"
    TOOL = "function_calling"
    TEXT = "text"


class Unreadable(Exception):
    """A reply that does not fit the schema; the model is told. ``ignored`` if it does not even contain an object;
    ``formed`` if it has the form that was asked for, and only what it says makes no sense."""

    def __init__(self, problem: str, ignored: bool = False, formed: bool = False) -> None:
        super().__init__(problem)
        self.problem = problem
        self.ignored = ignored
        self.formed = formed


class Ladder:
    """The rungs that an endpoint has shown, or not yet been shown, to support."""

    def __init__(self) -> None:
        self._gone: set[Rung] = set()
        self._doubted: set[Rung] = set()

    @property
    def rungs(self) -> tuple[Rung, ...]:
        """What is left, best first. Plain text always is."""
        return tuple(rung for rung in Rung if rung not in self._gone)

    def drop(self, rung: Rung) -> None:
        """Never ask for ``rung`` again."""
        if rung is not Rung.TEXT:
            self._gone.add(rung)

    def doubt(self, rung: Rung) -> None:
        """``rung`` brought nothing where a lower one did. Once may be chance; twice in a row, it is dropped."""
        if rung in self._doubted:
            self.drop(rung)
        self._doubted.add(rung)

    def trust(self, rung: Rung) -> None:
        """``rung`` brought a reply."""
        self._doubted.discard(rung)


def bound(
    model: BaseChatModel, rung: Rung, schema: type[BaseModel], parameters: dict[str, Any] | None = None
) -> Runnable[Any, Any]:
    """``model`` asked for ``schema`` by way of ``rung``. Raises ``NotImplementedError`` where it has no such way."""
    wire = wire_schema(schema)
    made: Runnable[Any, Any] = model
    try:
        if rung is Rung.TOOL:
            made = model.bind_tools([wire], tool_choice=wire["title"])
        elif rung is Rung.NATIVE:
            # A plain dict, not the class: a client that validates would throw the reply away with its usage.
            made = _unparsed(model.with_structured_output(wire, method="json_schema", include_raw=True, strict=True))
    except (TypeError, ValueError) as error:
        raise NotImplementedError(rung) from error
    return made.bind(**parameters) if parameters else made


def _unparsed(made: Runnable[Any, Any]) -> Runnable[Any, Any]:
    """The model's half of ``made``, where it has LangChain's usual form. The other half parses the reply, as ``read``
    does too, and costs as much processor time as the call."""
    if isinstance(made, RunnableSequence) and isinstance(made.first, RunnableParallel):
        return made.first.steps__.get("raw", made)
    return made


def asking(
    messages: Sequence[BaseMessage], rung: Rung, schema: type[BaseModel], shaped: bool = False
) -> list[BaseMessage]:
    """``messages`` for ``rung``: plain text needs to be told the shape, as does a model that missed it (``shaped``).

    It is told in the last message: many chat templates refuse two messages of the same role in a row.
    """
    if rung is not Rung.TEXT and not shaped:
        return list(messages)
    wanted = f"Reply with one JSON object of this shape and nothing else:\n{shape(schema)}"
    return [*messages[:-1], HumanMessage(f"{messages[-1].text}\n\n{wanted}")]


def correcting(messages: Sequence[BaseMessage], reply: str, problem: str) -> list[BaseMessage]:
    """``messages`` and the reply that did not fit, with what was wrong with it."""
    text = f"That reply cannot be used: {problem}. Answer the same request again."
    return [*messages, AIMessage(reply[:ECHO_CHARS] or "(empty)"), HumanMessage(text)]


def message_of(output: Any) -> AIMessage:
    """The model's message, whichever way it was asked."""
    raw = output["raw"] if isinstance(output, dict) else output
    if not isinstance(raw, AIMessage):
        raise TypeError(f"a chat model returned {type(raw).__name__}")
    return raw


def _reasons(message: AIMessage) -> list[str]:
    """Why the reply ended, in the words of whichever interface."""
    said = message.response_metadata
    details = said.get("incomplete_details")
    inner = details.get("reason") if isinstance(details, dict) else None
    return [str(reason) for reason in (said.get("finish_reason"), said.get("stop_reason"), inner) if reason]


def is_refusal(message: AIMessage) -> bool:
    """Whether the endpoint marked ``message`` as declined. An apology in prose is not: it is merely malformed."""
    declined = any(reason.startswith(("content_filter", "refusal")) for reason in _reasons(message))
    return declined or bool(message.additional_kwargs.get("refusal"))


def is_cut_off(message: AIMessage) -> bool:
    """Whether the reply reached its cap."""
    return any(reason in ("length", "max_tokens", "max_output_tokens") for reason in _reasons(message))


def is_broken_off(message: AIMessage) -> bool:
    """Whether the server failed while the model was at work: OpenRouter's, DeepSeek's and vLLM's words for it."""
    return any(reason in ("error", "insufficient_system_resource", "abort") for reason in _reasons(message))


BROKEN = r"the JSON cannot be read: inside a string write \" for a quotation mark and \n for a line break"
"""What mostly breaks it: words quoted from code."""


def is_empty(message: AIMessage) -> bool:
    """Whether the reply has neither words nor a call of a tool."""
    return not (message.tool_calls or message.invalid_tool_calls or str(message.text).strip())


def texts_of(message: AIMessage) -> tuple[str, ...]:
    """What may be read, best first: the arguments of a tool call, then the text."""
    calls = [json.dumps(call["args"], ensure_ascii=False) for call in message.tool_calls if call["args"]]
    calls += [str(call["args"]) for call in message.invalid_tool_calls if call["args"]]
    return tuple(text for text in (*calls, str(message.text)) if text.strip())


def read_message(schema: type[M], message: AIMessage) -> M:
    """``message`` as ``schema``. Raises ``Unreadable``."""
    problems: list[Unreadable] = []
    for text in texts_of(message):
        try:
            return read(schema, text, is_cut_off(message))
        except Unreadable as unreadable:
            problems.append(unreadable)
    if not problems:
        raise Unreadable("it is empty", ignored=True)
    first = problems[0]
    raise Unreadable(first.problem, all(unreadable.ignored for unreadable in problems), first.formed)


def read(schema: type[M], text: str, cut_off: bool = False) -> M:
    """``text`` as ``schema``: the last object in it that fits. Raises ``Unreadable`` with a problem that the model can
    act on."""
    first: ValidationError | None = None
    for value in repair.values(text, cut_off):
        for candidate in _readings(value, schema):
            try:
                return schema.model_validate(candidate)
            except ValidationError as error:
                first = first or error
    if first is not None:
        raise Unreadable(_problem(first), formed=all(row["type"] == "value_error" for row in first.errors()))
    has_json = repair.has_json(text, cut_off)
    raise Unreadable(BROKEN if has_json else "no JSON object in the reply", ignored=not has_json)


def _readings(value: Any, schema: type[BaseModel], depth: int = WRAPPINGS) -> list[Any]:
    """The value, and what it may be in place of: an object under the schema's name, a tool call as text, the rows
    without the object around them, one row."""
    if not isinstance(value, dict | list) or not depth:
        return []
    rows = [{name: value} for name, field in wire_schema(schema)["properties"].items() if _is_rows(field)]
    if isinstance(value, list):
        return [*rows, *value[:1]]
    inner = [value.get(key) for key in ("arguments", "parameters", "properties", schema.model_config.get("title"))]
    inner += list(value.values()) if len(value) == 1 else []
    return [value, *(reading for item in inner for reading in _readings(_decoded(item), schema, depth - 1)), *rows]


def _is_rows(field: dict[str, Any]) -> bool:
    return field.get("type") == "array" and field["items"].get("type") == "object"


def _decoded(item: Any) -> Any:
    try:
        return repair.loads(item) if isinstance(item, str) else item
    except ValueError:
        return None


def _problem(error: ValidationError) -> str:
    """What does not fit, by field. The values are left out: they may be pages."""
    rows = error.errors(include_input=False, include_url=False, include_context=False)[:5]
    return "; ".join(f"{'.'.join(map(str, row['loc'])) or 'reply'}: {row['msg']}" for row in rows)
