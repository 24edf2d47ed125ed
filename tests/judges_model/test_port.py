"""The port and the ladder, over the real client: what each reply and each failure costs and becomes."""

import asyncio
import json
import re
import time
import traceback
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from langchain_core.language_models import GenericFakeChatModel
from langchain_core.messages import AIMessage
from pydantic import SecretStr

from calibrant.judges.model import ModelPort, open_model
from calibrant.judges.model.parameters import Parameters
from calibrant.judges.model.prompting import Prompt, template
from calibrant.judges.model.schemas import AnswerReply
from calibrant.state.budget import Allowance, Spend
from calibrant.state.context import ModelSettings
from calibrant.state.errors import (
    ConfigurationError,
    MalformedOutput,
    ModelError,
    ModelLimited,
    ModelRefused,
    ModelTimeout,
    ModelUnreachable,
    ModelUnusable,
    PromptTooLong,
)
from tests.judges_model.conftest import KEY, PortTo
from tests.wire.openai_replies import Answer, Dropped, Filtered, Raw, Refusal, Said, Slow, Status, completion
from tests.wire.openai_server import NATIVE, TEXT, TOOL, Call, OpenAIServer

GOOD = {"answerable": False, "statements": [], "disputed": [], "missing": "the port number"}
SECRET = "the-secret-question"
PROMPT = Prompt("answer", template("answer").system, f"<question>\n{SECRET}\n</question>")


def always(answer: Answer) -> dict[str, Callable[[Call], Answer]]:
    return {"answer": lambda _: answer}


def in_turn(*answers: Answer) -> dict[str, Callable[[Call], Answer]]:
    left = iter(answers)
    return {"answer": lambda _: next(left)}


async def asked(port: ModelPort, allowance: Allowance) -> tuple[AnswerReply, Spend]:
    return await port.structured(PROMPT, AnswerReply, allowance)


async def failed(port: ModelPort, allowance: Allowance, kind: type[ModelError]) -> tuple[str, Spend]:
    """The message and the spend of the error, which must be ours through and through."""
    with pytest.raises(kind) as caught:
        await asked(port, allowance)
    error = caught.value
    assert type(error) is kind
    assert error.__cause__ is None
    assert error.__context__ is None
    told = "".join(traceback.format_exception(error)) + repr(error)
    assert KEY not in told
    assert SECRET not in told
    return str(error), error.spend


async def test_the_happy_path_is_one_call(port_to: PortTo, allowance: Allowance) -> None:
    with OpenAIServer(always(GOOD), api_key=KEY) as server:
        reply, spend = await asked(port_to(server), allowance)
    (record,) = server.requests
    assert reply == AnswerReply.model_validate(GOOD)
    assert (spend.model_calls, spend.sequential_calls) == (1, allowance.chain + 1)
    assert record.body["model"] == "test-model"
    assert record.body["max_tokens"] == 1024
    assert [message["role"] for message in record.body["messages"]] == ["system", "user"]
    assert record.body["response_format"]["json_schema"]["name"] == "answer"
    assert record.body["response_format"]["json_schema"]["strict"] is True
    assert not {"tools", "temperature", "max_completion_tokens"} & set(record.body)


async def test_usage_is_metered_and_priced(port_to: PortTo, allowance: Allowance) -> None:
    with OpenAIServer(always(GOOD)) as server:
        port = port_to(server, dollars_per_million_in=2.0, dollars_per_million_out=10.0)
        _, spend = await asked(port, allowance)
        usage = completion(GOOD, server.requests[0].body, 1)["usage"]
    assert (spend.tokens_in, spend.tokens_out) == (usage["prompt_tokens"], usage["completion_tokens"])
    assert spend.dollars == pytest.approx(usage["prompt_tokens"] * 2e-6 + usage["completion_tokens"] * 10e-6)


async def test_without_usage_tokens_are_estimated(port_to: PortTo, allowance: Allowance) -> None:
    text = '{"answerable": false, "statements": [], "missing": "x"}'
    with OpenAIServer(always(Said(text, usage=False))) as server:
        _, spend = await asked(port_to(server), allowance)
    assert spend.tokens_in > PROMPT.tokens
    assert spend.tokens_out == -(-len(text) // 4)


async def test_an_unsupported_schema_falls_to_the_tool_once(port_to: PortTo, allowance: Allowance) -> None:
    with OpenAIServer(always(GOOD), supports=frozenset({"tools"})) as server:
        port = port_to(server)
        first = await asked(port, allowance)
        second = await asked(port, allowance)
    ways = [Call("", record.body, 1).way for record in server.requests]
    assert ways == [NATIVE, TOOL, TOOL]
    assert (first[1].model_calls, second[1].model_calls) == (2, 1)
    choice = server.requests[1].body["tool_choice"]
    assert choice == {"type": "function", "function": {"name": "answer"}}


async def test_without_tools_the_shape_is_asked_for_in_words(port_to: PortTo, allowance: Allowance) -> None:
    with OpenAIServer(always(GOOD), supports=frozenset()) as server:
        port = port_to(server)
        _, first = await asked(port, allowance)
        _, second = await asked(port, allowance)
    last = server.requests[-1].body
    assert [Call("", record.body, 1).way for record in server.requests] == [NATIVE, TOOL, TEXT, TEXT]
    assert (first.model_calls, second.model_calls) == (3, 1)
    assert "one JSON object of this shape" in last["messages"][-1]["content"]


async def test_a_vague_rejection_condemns_a_rung_only_when_a_lower_one_works(
    port_to: PortTo, allowance: Allowance
) -> None:
    def grumpy(call: Call) -> Answer:
        return GOOD if call.way == TEXT else Status(422, "Unprocessable entity")

    with OpenAIServer({"answer": grumpy}) as server:
        port = port_to(server)
        assert (await asked(port, allowance))[1].model_calls == 3
        assert (await asked(port, allowance))[1].model_calls == 1
    with OpenAIServer(always(Status(400, "Bad request"))) as server:
        port = port_to(server)
        message, spend = await failed(port, allowance, ModelUnusable)
        assert spend.model_calls == 3
        await failed(port, allowance, ModelUnusable)
    assert message.endswith("rejected the request with status 400")
    assert len(server.requests) == 3, "what is refused in every way is left alone"


async def test_an_ignored_schema_costs_one_retry_once(port_to: PortTo, allowance: Allowance) -> None:
    def chatty(call: Call) -> Answer:
        return GOOD if call.corrected or call.way == TOOL else Said("Well, I do not know the answer.")

    with OpenAIServer({"answer": chatty}, ignores=frozenset({"json_schema"})) as server:
        port = port_to(server)
        assert (await asked(port, allowance))[1].model_calls == 2
        assert (await asked(port, allowance))[1].model_calls == 1
    assert [Call("", record.body, 1).way for record in server.requests] == [NATIVE, TOOL, TOOL]


@pytest.mark.parametrize(
    "text",
    [
        '```json\n{"answerable": false, "statements": [], "missing": "the port number",}\n```',
        "{'answerable': False, 'statements': [], 'missing': 'the port number'}",
        '<think>hm {</think> {"answer": {"answerable": "no", "statements": null, "missing": ["the port number"]}}',
        json.dumps({"name": "answer", "arguments": json.dumps(GOOD)}),
    ],
)
async def test_malformed_output_is_repaired_without_a_second_call(
    text: str, port_to: PortTo, allowance: Allowance
) -> None:
    with OpenAIServer(always(Said(text))) as server:
        reply, spend = await asked(port_to(server), allowance)
    assert reply == AnswerReply.model_validate(GOOD)
    assert spend.model_calls == 1


async def test_a_reply_cut_off_at_its_length_keeps_what_is_whole(port_to: PortTo, allowance: Allowance) -> None:
    text = '{"answerable": true, "statements": [{"text": "A b.", "sources": ["S1"], "quote": "a"}, {"text": "Half'
    with OpenAIServer(always(Said(text, finish_reason="length"))) as server:
        reply, spend = await asked(port_to(server), allowance)
    assert [row.text for row in reply.statements] == ["A b."]
    assert spend.model_calls == 1
    assert spend.tokens_out > 0


async def test_one_corrective_retry_names_the_problem(port_to: PortTo, allowance: Allowance) -> None:
    with OpenAIServer(in_turn(Said('{"answerable": "perhaps", "statements": []}'), GOOD)) as server:
        reply, spend = await asked(port_to(server), allowance)
    told = server.requests[1].body["messages"][-1]["content"]
    assert reply.missing == "the port number"
    assert (spend.model_calls, spend.sequential_calls) == (2, allowance.chain + 2)
    assert "answerable: Input should be a valid boolean" in told
    assert server.requests[1].body["messages"][-2]["role"] == "assistant"


async def test_a_reply_that_keeps_to_the_schema_and_says_nothing_shows_nothing_of_the_rung(
    port_to: PortTo, allowance: Allowance
) -> None:
    with OpenAIServer(in_turn({**GOOD, "answerable": True}, GOOD)) as server:
        reply, _ = await asked(port_to(server), allowance)
    assert reply == AnswerReply.model_validate(GOOD)
    assert [Call("", record.body, 1).way for record in server.requests] == [NATIVE, NATIVE]
    assert "there is no statement" in server.requests[1].body["messages"][-1]["content"]


async def test_malformed_twice_is_an_error_with_its_spend(port_to: PortTo, allowance: Allowance) -> None:
    with OpenAIServer(always(Said('{"answerable": "perhaps"}'))) as server:
        message, spend = await failed(port_to(server), allowance, MalformedOutput)
    assert "twice" in message
    assert "perhaps" not in message
    assert spend.model_calls == len(server.requests) == 2
    assert spend.tokens_in > 0


async def test_no_budget_for_the_corrective_retry(port_to: PortTo, allowance: Allowance) -> None:
    with OpenAIServer(always(Said("{}"))) as server:
        _, spend = await failed(port_to(server), allowance.replace(model_calls=1), MalformedOutput)
    assert spend.model_calls == len(server.requests) == 1


@pytest.mark.parametrize(
    "short",
    [{"model_calls": 0}, {"sequential_calls": 0}, {"tokens": 1100}, {"dollars": 0.00001}, {"seconds": 0.0}],
)
async def test_nothing_is_sent_that_the_allowance_cannot_pay(
    short: dict[str, Any], port_to: PortTo, allowance: Allowance
) -> None:
    with OpenAIServer(always(GOOD)) as server:
        port = port_to(server, dollars_per_million_in=1.0, dollars_per_million_out=1.0)
        message, spend = await failed(port, allowance.replace(**short), ModelError)
    assert "budget" in message
    assert spend == Spend(sequential_calls=allowance.chain)
    assert server.requests == []


async def test_a_rate_limit_is_waited_for_and_counted(port_to: PortTo, allowance: Allowance) -> None:
    with OpenAIServer(in_turn(Status(429, "Rate limit reached", retry_after=0.2), GOOD)) as server:
        _, spend = await asked(port_to(server), allowance)
    first, second = server.requests
    assert second.started - first.ended >= 0.2
    assert (spend.model_calls, spend.sequential_calls) == (2, allowance.chain + 2)


async def test_a_rate_limit_longer_than_the_time_left_is_not_waited_for(port_to: PortTo, allowance: Allowance) -> None:
    with OpenAIServer(always(Status(429, "Rate limit reached", retry_after=60))) as server:
        started = time.monotonic()
        message, spend = await failed(port_to(server), allowance, ModelLimited)
    assert time.monotonic() - started < 2
    assert "asks to wait 60 s" in message
    assert (spend.model_calls, spend.tokens) == (1, 0)


async def test_a_spent_quota_is_not_tried_again(port_to: PortTo, allowance: Allowance) -> None:
    with OpenAIServer(always(Status(429, "You exceeded your current quota", code="insufficient_quota"))) as server:
        message, _ = await failed(port_to(server), allowance, ModelUnusable)
    assert "quota" in message
    assert len(server.requests) == 1


@pytest.mark.parametrize("passing", [Status(503, "overloaded"), Dropped()])
async def test_a_passing_failure_is_tried_once_more(passing: Answer, port_to: PortTo, allowance: Allowance) -> None:
    with OpenAIServer(in_turn(passing, GOOD)) as server:
        _, spend = await asked(port_to(server), allowance)
    assert spend.model_calls == len(server.requests) == 2


async def test_a_slow_answer_times_out_within_the_allowance(port_to: PortTo, allowance: Allowance) -> None:
    with OpenAIServer(always(Slow(10, GOOD))) as server:
        port = port_to(server)
        started = time.monotonic()
        message, spend = await failed(port, allowance.replace(seconds=1.5), ModelTimeout)
        took = time.monotonic() - started
    assert took < 1.5
    assert "did not answer within" in message
    assert spend.model_calls == 1
    assert spend.tokens_in > 0, "the prompt was received and will be billed"


async def test_the_setting_limits_one_call(port_to: PortTo, allowance: Allowance) -> None:
    with OpenAIServer(always(Slow(10, GOOD))) as server:
        started = time.monotonic()
        message, _ = await failed(port_to(server, timeout_s=1.0), allowance, ModelTimeout)
    assert time.monotonic() - started < 5
    assert "within 1.0 s" in message


@pytest.mark.parametrize("answer", [Refusal(), Filtered(), Status(400, "blocked", code="content_filter")])
async def test_a_refusal_is_told_apart(answer: Answer, port_to: PortTo, allowance: Allowance) -> None:
    with OpenAIServer(always(answer)) as server:
        message, spend = await failed(port_to(server), allowance, ModelRefused)
    assert message == "test-model declined to answer"
    assert spend.model_calls == len(server.requests) == 1


async def test_a_wrong_key_says_what_to_do_and_does_not_leak(port_to: PortTo, allowance: Allowance) -> None:
    with OpenAIServer(always(GOOD), api_key="another") as server:
        message, spend = await failed(port_to(server), allowance, ModelUnusable)
    assert message == "the endpoint refused the key: set CALIBRANT_MODEL_API_KEY"
    assert spend.model_calls == len(server.requests) == 1


async def test_an_unknown_model_is_named(port_to: PortTo, allowance: Allowance) -> None:
    with OpenAIServer(always(GOOD), models=("other",)) as server:
        message, _ = await failed(port_to(server), allowance, ModelUnusable)
    assert "has no model named test-model" in message
    assert len(server.requests) == 1


async def test_a_prompt_that_is_too_long_is_told(port_to: PortTo, allowance: Allowance) -> None:
    with OpenAIServer(always(Status(400, "too long", code="context_length_exceeded"))) as server:
        port = port_to(server)
        message, _ = await failed(port, allowance, PromptTooLong)
        await failed(port, allowance, PromptTooLong)
    assert "longer than test-model can take" in message
    assert len(server.requests) == 1, "one as long is not sent again"


@pytest.mark.parametrize("raw", [Raw(b"not json"), Raw(b"<html>", "text/html"), Raw(b"{}"), Raw(b'{"choices": null}')])
async def test_what_is_no_completion_is_told(raw: Raw, port_to: PortTo, allowance: Allowance) -> None:
    with OpenAIServer(always(raw)) as server:
        message, _ = await failed(port_to(server), allowance, ModelUnreachable)
    assert "did not return a chat completion" in message
    assert "check the base URL" in message


async def test_an_unreachable_endpoint_is_named_without_its_credentials(allowance: Allowance) -> None:
    settings = ModelSettings(name="m", base_url="http://user:pass@127.0.0.1:9/v1")
    message, _ = await failed(ModelPort(open_model(settings), settings), allowance, ModelUnreachable)
    assert message == "cannot reach 127.0.0.1:9"


async def test_a_local_endpoint_needs_no_key(allowance: Allowance, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-of-somebody-else")
    with OpenAIServer(always(GOOD)) as server:
        settings = ModelSettings(name="m", base_url=server.base_url)
        await asked(ModelPort(open_model(settings), settings), allowance)
    assert server.requests[0].headers["authorization"] == "Bearer none"


@pytest.mark.parametrize(
    ("settings", "problem"),
    [({}, "no model"), ({"name": "m"}, "MODEL_API_KEY")],
)
def test_a_missing_setting_is_named(settings: dict[str, str], problem: str) -> None:
    with pytest.raises(ConfigurationError, match=problem):
        open_model(ModelSettings.model_validate(settings))


@pytest.mark.parametrize(
    ("variable", "value", "url"),
    [
        ("HTTP_PROXY", "foo://user:secret@127.0.0.1:9", "http://localhost:1/v1"),
        ("SSL_CERT_FILE", "/secret/not/there", "http://localhost:1/v1"),
    ],
)
def test_a_client_that_cannot_be_set_up_is_a_setting_to_check(
    variable: str, value: str, url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(variable, value)
    with pytest.raises(ConfigurationError, match="check the model's base URL, and the proxies") as caught:
        open_model(ModelSettings(name="m", base_url=url))
    assert "secret" not in str(caught.value)
    assert caught.value.__suppress_context__


@pytest.mark.parametrize("key", ["sk-…secret", "sk-secret sk-other", "sk-secret\nsk-other", "\u200bsk-secret"])
def test_a_key_that_can_be_none_is_told(key: str) -> None:
    with pytest.raises(ConfigurationError, match="signs that no key has: set CALIBRANT_MODEL_API_KEY") as caught:
        open_model(ModelSettings(name="m", base_url="http://localhost:1/v1"), SecretStr(key))
    assert "secret" not in str(caught.value)


@pytest.mark.parametrize("status", [302, 408, 409, 418, 425])
async def test_a_status_that_says_little_is_told_as_it_is(status: int, port_to: PortTo, allowance: Allowance) -> None:
    with OpenAIServer(always(Status(status, "no"))) as server:
        message, spend = await failed(port_to(server), allowance, ModelUnreachable)
    assert message.endswith(f"failed with status {status}")
    assert (spend.model_calls, spend.tokens) == (2, 0), "what was not read is not billed"


def test_a_proxy_for_other_clients_is_none_for_ours(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_PROXY", "http://user:secret@127.0.0.1:9")
    open_model(ModelSettings(name="m", base_url="http://localhost:1/v1"))


def test_a_client_behind_a_proxy_opens_without_a_word(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr("langchain_openai.chat_models._client_utils._proxy_env_warning_emitted", False)
    monkeypatch.setenv("HTTPS_PROXY", "http://127.0.0.1:9")
    open_model(ModelSettings(name="m", base_url="http://localhost:1/v1"))
    assert not caplog.records


@pytest.mark.parametrize(
    ("name", "base_url", "cap"),
    [
        ("gpt-5-mini", "", 4096),
        ("o3", "https://api.openai.com/v1", 4096),
        ("ft:gpt-5-nano:me", "", 4096),
        ("gpt-4.1", "", 1024),
        ("gpt-4o", "", 1024),
        ("o3", "http://localhost:11434/v1", 1024),
    ],
)
def test_openais_models_that_think_have_room_from_the_start(name: str, base_url: str, cap: int) -> None:
    parameters = Parameters(ModelSettings(name=name, base_url=base_url))
    assert parameters.cap == cap
    assert not parameters.widen(4096), "there is no more than that"


def test_room_that_is_refused_is_given_back_before_the_name_is() -> None:
    parameters = Parameters(ModelSettings(name="gpt-5-mini", max_output_tokens=10_000))
    assert parameters.values() == {"max_completion_tokens": 32_768}
    parameters.refuse("max_completion_tokens")
    assert parameters.values() == {"max_completion_tokens": 10_000}
    assert not parameters.widen(10_000), "it is not tried again"
    parameters.refuse("max_completion_tokens")
    assert parameters.values() == {"extra_body": {"max_tokens": 10_000}}


def test_a_cap_that_was_set_high_is_kept() -> None:
    assert Parameters(ModelSettings(name="gpt-5-mini", max_output_tokens=40_000)).cap == 40_000


def test_the_cap_goes_by_the_name_that_the_endpoint_knows() -> None:
    own, other = ModelSettings(name="gpt-4.1-mini"), ModelSettings(name="llama", base_url="http://localhost:11434/v1")
    first, second = sent_to(own), sent_to(other)
    assert first["max_completion_tokens"] == 1024
    assert second["extra_body"] == {"max_tokens": 1024}
    assert "max_completion_tokens" not in second


def sent_to(settings: ModelSettings) -> dict[str, Any]:
    """The payload that the client makes of the parameters."""
    model: Any = open_model(settings, SecretStr(KEY))
    assert model.max_retries == 0
    payload: dict[str, Any] = model._get_request_payload("hi", **Parameters(settings).values())
    return payload


class Broken(GenericFakeChatModel):
    """A model of somebody's own with a bug in it."""

    def _generate(self, *_: Any, **__: Any) -> Any:
        raise RuntimeError("sk-secret")


async def test_a_bug_in_a_model_of_ones_own_is_told_with_its_place(allowance: Allowance) -> None:
    with pytest.raises(ModelError) as caught:
        await asked(ModelPort(Broken(messages=iter([]))), allowance)
    assert re.fullmatch(r"the model raised RuntimeError at test_port\.py:\d+", str(caught.value))


async def test_any_chat_model_will_do(allowance: Allowance) -> None:
    replies: Iterator[AIMessage] = iter([AIMessage('Here: {"answerable": false, "missing": "x", "statements": []}')])
    reply, spend = await asked(ModelPort(GenericFakeChatModel(messages=replies)), allowance)
    assert reply.missing == "x"
    assert spend.model_calls == 1, "finding out that it binds no tools costs no call"


async def test_a_model_that_fails_in_its_own_way_is_a_model_error(allowance: Allowance) -> None:
    message, _ = await failed(ModelPort(GenericFakeChatModel(messages=iter(()))), allowance, ModelUnreachable)
    assert "did not return a chat completion" in message


async def test_calls_run_side_by_side(port_to: PortTo, allowance: Allowance) -> None:
    with OpenAIServer(always(GOOD), latency=0.3) as server:
        port = port_to(server)
        await asyncio.gather(*(asked(port, allowance) for _ in range(4)))
    assert server.peak == 4


async def test_calls_to_a_server_that_answers_one_at_a_time_wait_here(port_to: PortTo, allowance: Allowance) -> None:
    with OpenAIServer(always(GOOD), latency=0.4) as server:
        port = port_to(server, parallel=1, timeout_s=1.0)
        await asyncio.gather(*(asked(port, allowance) for _ in range(4)))
    assert server.peak == 1


async def test_a_turn_that_does_not_come_costs_nothing(port_to: PortTo, allowance: Allowance) -> None:
    with OpenAIServer(always(GOOD), latency=1.5) as server:
        port = port_to(server, parallel=1)
        first = asyncio.create_task(asked(port, allowance))
        await asyncio.sleep(0.3)
        _, spend = await failed(port, allowance.replace(seconds=0.3), ModelTimeout)
        await first
    assert spend.model_calls == spend.tokens == 0
    assert len(server.requests) == 1


def test_one_port_outlives_an_event_loop(port_to: PortTo, allowance: Allowance) -> None:
    with OpenAIServer(always(GOOD)) as server:
        port = port_to(server)
        spends = [asyncio.run(asked(port, allowance))[1].model_calls for _ in range(3)]
    assert spends == [1, 1, 1]


def test_no_tokenizer_is_loaded(port_to: PortTo, allowance: Allowance, monkeypatch: pytest.MonkeyPatch) -> None:
    import tiktoken

    def forbidden(*_: object) -> None:
        raise AssertionError("tiktoken downloads its encodings")

    monkeypatch.setattr(tiktoken, "get_encoding", forbidden)
    monkeypatch.setattr(tiktoken, "encoding_for_model", forbidden)
    with OpenAIServer(always(GOOD)) as server:
        asyncio.run(asked(port_to(server), allowance))


async def test_an_empty_reply_is_named_where_no_call_is_left_for_the_next_rung(
    port_to: PortTo, allowance: Allowance
) -> None:
    with OpenAIServer(always(Said(""))) as server:
        told, spend = await failed(port_to(server), allowance.replace(model_calls=2), MalformedOutput)
    assert told == "test-model gave no reply that can be used"
    assert spend.model_calls == 2
