"""What a scripted endpoint can do with a request, and the OpenAI wire format of it, streamed or not."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

Json = dict[str, Any]


@dataclass(frozen=True)
class Said:
    """Text as the model's whole reply, whatever was asked for: prose, malformed JSON, anything."""

    text: str
    finish_reason: str = "stop"
    usage: bool = True


@dataclass(frozen=True)
class Shaped:
    """A message exactly so, in whatever shape some server gives it."""

    message: Json
    finish_reason: str = "stop"


@dataclass(frozen=True)
class Refusal:
    """The ``refusal`` field that structured output may come back with."""

    text: str = "I can't help with that."


@dataclass(frozen=True)
class Filtered:
    """A reply that the endpoint's content filter stopped."""


@dataclass(frozen=True)
class Status:
    """An HTTP error with OpenAI's error body."""

    status: int
    message: str = "The request failed."
    type: str = "invalid_request_error"
    code: str | None = None
    param: str | None = None
    retry_after: float | None = None


@dataclass(frozen=True)
class Raw:
    """A response that is neither a chat completion nor an error in OpenAI's form."""

    body: bytes
    content_type: str = "application/json"
    status: int = 200


@dataclass(frozen=True)
class Dropped:
    """The connection is closed without a response."""


@dataclass(frozen=True)
class Slow:
    """``then``, after so many seconds."""

    seconds: float
    then: "Answer"


Answer = Json | Said | Shaped | Refusal | Filtered | Status | Raw | Dropped | Slow


def error_body(fault: Status) -> Json:
    """The body that OpenAI sends with an error."""
    return {"error": {"message": fault.message, "type": fault.type, "param": fault.param, "code": fault.code}}


def completion(answer: Json | Said | Shaped | Refusal | Filtered, request: Json, number: int) -> Json:
    """A chat completion, in the way that ``request`` asked for it."""
    message, reason = _message(answer, request, number)
    body: Json = {
        "id": f"chatcmpl-{number}",
        "object": "chat.completion",
        "created": 1_700_000_000,
        "model": request["model"],
        "choices": [{"index": 0, "message": message, "finish_reason": reason, "logprobs": None}],
        "system_fingerprint": "fp_loopback",
    }
    if not (isinstance(answer, Said) and not answer.usage):
        body["usage"] = usage(request, message)
    return body


def usage(request: Json, message: Json) -> Json:
    """Token counts by the words on the wire: plausible, reproducible, and unlike our own estimate."""
    prompt = len(json.dumps(request["messages"]).split())
    output = len(json.dumps(message).split())
    return {"prompt_tokens": prompt, "completion_tokens": output, "total_tokens": prompt + output}


def _message(answer: Json | Said | Shaped | Refusal | Filtered, request: Json, number: int) -> tuple[Json, str]:
    plain: Json = {"role": "assistant", "content": None, "refusal": None}
    match answer:
        case Said(text, reason):
            return {**plain, "content": text}, reason
        case Shaped(message, reason):
            return {"role": "assistant", **message}, reason
        case Refusal(text):
            return {**plain, "refusal": text}, "stop"
        case Filtered():
            return {**plain, "content": ""}, "content_filter"
    tool = forced_tool(request)
    if tool is None:
        return {**plain, "content": json.dumps(answer)}, "stop"
    call = {"id": f"call_{number}", "type": "function", "function": {"name": tool, "arguments": json.dumps(answer)}}
    return {**plain, "tool_calls": [call]}, "tool_calls"


def forced_tool(request: Json) -> str | None:
    """The tool that the request forces, by name or as the only one required."""
    choice = request.get("tool_choice")
    if isinstance(choice, dict):
        return str(choice["function"]["name"])
    return str(request["tools"][0]["function"]["name"]) if choice == "required" and request.get("tools") else None


def chunks(body: Json, request: Json, size: int = 24) -> Iterator[Json]:
    """A completion as the chunks of a stream."""
    choice = body["choices"][0]
    head = {**{key: body[key] for key in ("id", "created", "model")}, "object": "chat.completion.chunk"}
    for delta in _deltas(choice["message"], size):
        yield {**head, "choices": [{"index": 0, "delta": delta, "finish_reason": None}]}
    yield {**head, "choices": [{"index": 0, "delta": {}, "finish_reason": choice["finish_reason"]}]}
    if (request.get("stream_options") or {}).get("include_usage") and "usage" in body:
        yield {**head, "choices": [], "usage": body["usage"]}


def _deltas(message: Json, size: int) -> Iterator[Json]:
    yield {"role": "assistant", "content": ""}
    for key in ("content", "refusal"):
        text = message.get(key) or ""
        yield from ({key: text[at : at + size]} for at in range(0, len(text), size))
    for index, call in enumerate(message.get("tool_calls") or ()):
        function = call["function"]
        yield {"tool_calls": [{**call, "index": index, "function": {"name": function["name"], "arguments": ""}}]}
        for at in range(0, len(function["arguments"]), size):
            part = {"arguments": function["arguments"][at : at + size]}
            yield {"tool_calls": [{"index": index, "function": part}]}
