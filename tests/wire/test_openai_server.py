"""The loopback endpoint speaks the protocol: checked with OpenAI's own client."""

import json
from typing import Any

import openai
import pytest

from calibrant.judges.model.schemas import AnswerReply, Reply
from calibrant.judges.model.wire import wire_schema
from tests.wire.openai_replies import Refusal, Status
from tests.wire.openai_server import OpenAIServer, Script
from tests.wire.smart import smart

GOOD = {"answerable": False, "statements": [], "disputed": [], "missing": "x"}
MESSAGES: Any = [{"role": "user", "content": "hello"}]


def response_format() -> Any:
    schema = wire_schema(AnswerReply)
    name = schema.pop("title")
    return {"type": "json_schema", "json_schema": {"name": name, "strict": True, "schema": schema}}


def tools() -> Any:
    schema = wire_schema(AnswerReply)
    return [{"type": "function", "function": {"name": schema.pop("title"), "parameters": schema}}]


def client(server: OpenAIServer) -> openai.OpenAI:
    return openai.OpenAI(base_url=server.base_url, api_key="sk-x", max_retries=0)


def always(answer: Any) -> Script:
    return {"answer": lambda _: answer}


def test_structured_output() -> None:
    with OpenAIServer(always(GOOD)) as server:
        made = client(server).chat.completions.create(model="m", messages=MESSAGES, response_format=response_format())
    assert json.loads(made.choices[0].message.content or "") == GOOD
    assert made.usage is not None
    assert made.usage.total_tokens == made.usage.prompt_tokens + made.usage.completion_tokens
    assert server.names == ["answer"]


def test_a_forced_tool_call() -> None:
    choice: Any = {"type": "function", "function": {"name": "answer"}}
    with OpenAIServer(always(GOOD)) as server:
        made = client(server).chat.completions.create(model="m", messages=MESSAGES, tools=tools(), tool_choice=choice)
    call: Any = (made.choices[0].message.tool_calls or [])[0]
    assert (made.choices[0].finish_reason, call.function.name) == ("tool_calls", "answer")
    assert json.loads(call.function.arguments) == GOOD


@pytest.mark.parametrize("forced", [True, False])
def test_streams(forced: bool) -> None:
    asked: Any = {"tools": tools(), "tool_choice": "required"} if forced else {"response_format": response_format()}
    with OpenAIServer(always(GOOD)) as server:
        stream = client(server).chat.completions.create(
            model="m", messages=MESSAGES, stream=True, stream_options={"include_usage": True}, **asked
        )
        chunks: list[Any] = list(stream)
    deltas = [chunk.choices[0].delta for chunk in chunks if chunk.choices]
    if forced:
        text = "".join(call.function.arguments for delta in deltas for call in delta.tool_calls or ())
    else:
        text = "".join(delta.content or "" for delta in deltas)
    assert json.loads(text) == GOOD
    assert len(chunks) > 4
    assert chunks[-1].usage.total_tokens > 0


def test_a_refusal_has_its_own_field() -> None:
    with OpenAIServer(always(Refusal("No."))) as server:
        made = client(server).chat.completions.create(model="m", messages=MESSAGES, response_format=response_format())
    assert (made.choices[0].message.refusal, made.choices[0].message.content) == ("No.", None)


def test_errors_have_bodies_and_headers() -> None:
    with OpenAIServer(always(Status(429, "slow down", code="rate_limit_exceeded", retry_after=7))) as server:
        with pytest.raises(openai.RateLimitError) as caught:
            client(server).chat.completions.create(model="m", messages=MESSAGES, response_format=response_format())
        assert caught.value.code == "rate_limit_exceeded"
        assert caught.value.response.headers["retry-after"] == "7"


def test_a_loose_schema_is_refused_as_the_real_endpoint_does() -> None:
    loose: Any = response_format()
    del loose["json_schema"]["schema"]["additionalProperties"]
    with OpenAIServer(always(GOOD)) as server, pytest.raises(openai.BadRequestError, match="additionalProperties"):
        client(server).chat.completions.create(model="m", messages=MESSAGES, response_format=loose)


def test_every_schema_of_ours_is_strict() -> None:
    from tests.wire.openai_rules import _loose

    for reply in Reply.__subclasses__():
        if "title" in reply.model_config:
            schema = wire_schema(reply)
            del schema["title"]
            assert _loose(schema) is None


def test_an_unscripted_judgement_fails_the_block() -> None:
    asked = pytest.raises(openai.InternalServerError)
    with pytest.raises(AssertionError, match="no entry for answer"), OpenAIServer({}) as server, asked:
        client(server).chat.completions.create(model="m", messages=MESSAGES, response_format=response_format())


def test_a_script_that_breaks_the_schema_fails_the_block() -> None:
    asked = pytest.raises(openai.InternalServerError)
    with pytest.raises(AssertionError, match="has the keys"), OpenAIServer(always({"nope": 1})) as server, asked:
        client(server).chat.completions.create(model="m", messages=MESSAGES, response_format=response_format())


def test_the_models_are_listed() -> None:
    with OpenAIServer(smart(), models=("a", "b")) as server:
        assert [model.id for model in client(server).models.list()] == ["a", "b"]
