"""Endpoints as they are found: each in a way of its own, and each asked again at once, to see what is remembered.

The messages are those that the servers named are known to send. What counts is the requests of each judgement: finding
out may cost one more, once.
"""

import asyncio
import json
import time
from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import pytest

from calibrant.judges.model import ModelPort, port
from calibrant.judges.model.breaker import ALONE_S, EndpointBreaker
from calibrant.judges.model.diagnosis import diagnose
from calibrant.judges.model.faults import Fault
from calibrant.judges.model.prompting import Prompt, template
from calibrant.judges.model.schemas import AnswerReply
from calibrant.state.budget import Allowance
from calibrant.state.errors import ModelError, ModelTimeout, ModelUnusable, PromptTooLong
from tests.judges_model.conftest import PortTo
from tests.wire.openai_replies import Answer, Dropped, Json, Raw, Said, Shaped, Slow, Status
from tests.wire.openai_server import NATIVE, TEXT, TOOL, Call, OpenAIServer

GOOD: Json = {"answerable": False, "statements": [], "disputed": [], "missing": "the port number"}
DRAFT = '{"answerable": true, "statements": [{"text": "A draft.", "sources": ["S1"], "quote": "a"}], "missing": ""}'
PROMPT = Prompt("answer", template("answer").system, "<question>\nWhich port?\n</question>")

Handler = Callable[[Call], Answer]


@dataclass
class Seen:
    """Judgements in a row: what each gave or was told, and what each cost."""

    told: list[str]
    calls: list[int]
    chains: list[int]
    ways: list[str]
    tokens: int = 0


async def seen(asked: ModelPort, server: OpenAIServer, allowance: Allowance, times: int = 3) -> Seen:
    found = Seen([], [], [], [])
    late = 0
    for _ in range(times):
        try:
            reply, spend = await asked.structured(PROMPT, AnswerReply, allowance)
            found.told.append(reply.missing or reply.statements[0].text)
        except ModelError as error:
            spend = error.spend
            found.told.append(str(error))
            late += isinstance(error, ModelTimeout) and spend.model_calls > 0
        found.calls.append(spend.model_calls)
        found.chains.append(max(0, spend.sequential_calls - allowance.chain))
        found.tokens += spend.tokens
        # A call may be cut off on its way: it is paid for all the same, and the endpoint never sees it.
        assert sum(found.calls) - late <= len(server.requests) <= sum(found.calls)
    found.ways = [Call("", record.body, 1).way for record in server.requests]
    return found


@pytest.fixture
def meet(port_to: PortTo, allowance: Allowance) -> Callable[..., Any]:
    """``await meet(handler, settings, **server)``: the endpoint, asked three times where nothing else is said."""

    async def one(handler: Handler, settings: Json | None = None, times: int = 3, **server: Any) -> Seen:
        with OpenAIServer({"answer": handler}, **server) as endpoint:
            return await seen(port_to(endpoint, **(settings or {})), endpoint, allowance, times)

    return one


@pytest.fixture
def at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """A second try waits for nothing."""
    monkeypatch.setattr(port, "BACKOFF_S", 0.0)


Meet = Callable[..., Any]


# Parameters


@pytest.mark.parametrize(
    ("refused", "settings"),
    [
        ({"temperature"}, {"temperature": 0.0}),
        ({"max_tokens"}, {}),
        ({"max_tokens", "max_completion_tokens"}, {}),
        ({"reasoning_effort"}, {"reasoning_effort": "low"}),
        ({"temperature", "max_tokens"}, {"temperature": 0.0}),
    ],
    ids=lambda given: "+".join(sorted(given)),
)
async def test_a_refused_parameter_is_left_out_from_then_on(refused: set[str], settings: Json, meet: Meet) -> None:
    found = await meet(lambda _: GOOD, settings, refuses=frozenset(refused))
    assert found.told == ["the port number"] * 3
    assert found.calls == [1 + len(refused), 1, 1]
    assert found.chains == [1, 1, 1], "a refusal is no link in the chain of calls"
    assert set(found.ways) == {NATIVE}, "the parameter is to blame, and not the rung"


async def test_a_value_that_a_model_does_not_take_is_left_out(meet: Meet) -> None:
    message = (
        "Unsupported value: 'temperature' does not support 0.2 with this model. Only the default (1) is supported."
    )
    found = await meet(
        lambda call: Status(400, message, param="temperature") if "temperature" in call.body else GOOD,
        {"temperature": 0.2},
    )
    assert (found.told[0], found.calls) == ("the port number", [2, 1, 1])


@pytest.mark.parametrize(
    "refusal",
    [
        Status(400, '"llama3.1:8b" does not support thinking'),
        Status(500, 'think value "medium" is not supported for this model', type="api_error"),
        Status(400, "invalid reasoning value: 'medium' (must be \"high\", \"low\", or \"none\")"),
        Status(400, "Unsupported parameter: not supported with this model.", param="reasoning.effort"),
        Status(400, "Argument not supported on this model: reasoningEffort"),
        Raw(b'[{"error": {"code": 400, "message": "Budget 0 is invalid. This model only works in thinking mode."}}]',
            status=400),
        Raw(b'[{"error": {"message": "The model does not support setting thinking_budget to 0."}}]', status=400),
    ],
)  # fmt: skip
async def test_an_effort_that_is_refused_in_other_words_is_left_out(refusal: Answer, meet: Meet) -> None:
    found = await meet(
        lambda call: refusal if "reasoning_effort" in call.body else GOOD, {"reasoning_effort": "medium"}
    )
    assert (found.told, found.calls) == (["the port number"] * 3, [2, 1, 1])
    assert set(found.ways) == {NATIVE}, "the effort is to blame, and not the rung"


async def test_calls_side_by_side_that_are_refused_an_effort_cost_no_rung(
    port_to: PortTo, allowance: Allowance
) -> None:
    refusal = Status(400, '"llama3.1:8b" does not support thinking')
    script: dict[str, Handler] = {"answer": lambda call: refusal if "reasoning_effort" in call.body else GOOD}
    with OpenAIServer(script, latency=0.05) as server:
        asked = port_to(server, reasoning_effort="low")
        await asyncio.gather(*(asked.structured(PROMPT, AnswerReply, allowance) for _ in range(3)))
    assert [Call("", record.body, 1).way for record in server.requests] == [NATIVE] * 6


@pytest.mark.parametrize(
    ("settings", "message", "ways"),
    [
        ({}, "qwen3 does not support thinking with a format", [NATIVE, TOOL, TOOL, TOOL]),
        ({}, "reasoning_effort is not supported with a format", [NATIVE, TOOL, TOOL, TOOL]),
        ({"reasoning_effort": "low"}, "kimi-k2-thinking does not support this", [NATIVE, TOOL, TOOL, TOOL]),
        ({"reasoning_effort": "low"}, "response_format is not supported in thinking mode", [NATIVE, TOOL, TOOL, TOOL]),
    ],
)
async def test_an_effort_is_not_to_blame_for_what_else_is_refused(
    settings: Json, message: str, ways: list[str], port_to: PortTo, allowance: Allowance
) -> None:
    handler = either(Status(400, message), None)
    with OpenAIServer({"answer": handler}) as server:
        found = await seen(port_to(server, **settings), server, allowance)
    assert (found.told, found.ways) == (["the port number"] * 3, ways)
    assert {record.body.get("reasoning_effort") for record in server.requests} == {settings.get("reasoning_effort")}


@pytest.mark.parametrize("refused", ["max_output_tokens", "max_completion_tokens"])
def test_the_new_cap_goes_by_its_name_in_either_interface(refused: str) -> None:
    class Refused(Exception):
        status_code, param = 400, refused

    failed = diagnose(Refused(f"Unsupported parameter: '{refused}' is not supported with this model."))
    assert (failed.fault, failed.parameter) == (Fault.PARAMETER, "max_completion_tokens")


async def test_the_parameters_are_sent_where_they_are_set(port_to: PortTo, allowance: Allowance) -> None:
    with OpenAIServer({"answer": lambda _: GOOD}) as server:
        await seen(port_to(server, temperature=0.5, reasoning_effort="none"), server, allowance, times=1)
    body = server.requests[0].body
    assert (body["temperature"], body["reasoning_effort"], body["max_tokens"]) == (0.5, "none", 1024)


@pytest.mark.parametrize("status", [400, 500])
@pytest.mark.parametrize(
    "message",
    [
        "System role not supported",
        "Jinja Exception: System role not supported",
        "Only user, assistant and tool roles are supported, got system.",
        "After the optional system message, conversation roles must alternate user/assistant/user/assistant/...",
        "Developer instruction is not enabled for models/gemma-3-27b-it",
    ],
)
async def test_a_model_that_knows_no_system_is_told_by_the_user(message: str, status: int, meet: Meet) -> None:
    def strict(call: Call) -> Answer:
        if call.system:
            return Status(status, message)
        return GOOD if call.user.startswith("You answer one question") and "Which port?" in call.user else Said("?")

    found = await meet(strict)
    assert (found.told, found.calls) == (["the port number"] * 3, [2, 1, 1])


# Thinking


def thinking(reply: Answer, needed: int = 2000) -> Handler:
    """A model that needs so many tokens before it says a word; ``reply`` is what comes of fewer."""
    return lambda call: GOOD if call.body["max_tokens"] >= needed else reply


@pytest.mark.parametrize(
    "reply",
    [
        Shaped({"content": ""}, "length"),
        Shaped({"content": None, "reasoning": f"Perhaps {DRAFT}"}, "length"),
        Said(f"<think>Perhaps {DRAFT} but then", "length"),
        Said("<think>Let me see. The user wants", "length"),
        Said("[THINK]Let me see.", "length"),
        Status(
            400,
            "Failed to generate JSON. Please adjust your prompt. See 'failed_generation' for more details: max "
            "completion tokens reached before generating a valid document",
            code="json_validate_failed",
        ),
    ],
)
async def test_a_model_that_thinks_first_gets_room(reply: Answer, meet: Meet) -> None:
    found = await meet(thinking(reply))
    assert found.told == ["the port number"] * 3
    assert found.calls == [2, 1, 1], "the room is remembered"


async def test_a_model_that_only_thinks_is_left_alone(meet: Meet) -> None:
    found = await meet(thinking(Shaped({"content": ""}, "length"), needed=100_000))
    assert found.calls == [2, 0, 0]
    assert found.told[0] == (
        "test-model reached 1024 output tokens before it answered, and 4096 when it had more: set "
        "CALIBRANT_MODEL__MAX_OUTPUT_TOKENS higher or CALIBRANT_MODEL__REASONING_EFFORT lower"
    )


async def test_a_reply_that_was_cut_off_is_paid_for_where_it_comes_as_an_error(
    port_to: PortTo, allowance: Allowance
) -> None:
    cut = Status(400, "max completion tokens reached before generating a valid document", code="json_validate_failed")
    with OpenAIServer({"answer": lambda _: cut}) as server:
        asked = port_to(server)
        with pytest.raises(ModelError) as caught:
            await asked.structured(PROMPT, AnswerReply, allowance)
    assert caught.value.spend.tokens_out == 1024 + 4096


async def test_room_that_the_budget_has_not_is_not_taken(port_to: PortTo, allowance: Allowance) -> None:
    with OpenAIServer({"answer": thinking(Shaped({"content": ""}, "length"))}) as server:
        found = await seen(port_to(server), server, allowance.replace(tokens=3000), times=1)
    assert found.calls == [1]


# The ladder


def either(native: Answer | None, tool: Answer | None) -> Handler:
    """An endpoint that answers the rungs so; plain text works."""
    return lambda call: {NATIVE: native, TOOL: tool}.get(call.way) or GOOD


BAD_FORMAT = Status(400, "This response_format type is unavailable now")
SCHEMAS: dict[str, tuple[Handler, list[str]]] = {
    "LM Studio": (
        either(
            Status(400, "'response_format.type' must be 'text'"),
            Status(400, "Invalid tool_choice type: 'object'. Supported string values: none, auto, required"),
        ),
        [NATIVE, TOOL, TEXT],
    ),
    "DeepSeek": (
        either(BAD_FORMAT, Status(400, "deepseek-reasoner does not support this tool_choice")),
        [NATIVE, TOOL, TEXT],
    ),
    "llama.cpp without jinja": (
        either(BAD_FORMAT, Status(500, "tools param requires --jinja flag", type="server_error")),
        [NATIVE, TOOL, TEXT],
    ),
    "llama.cpp with a grammar that fails": (either(Status(400, "failed to parse grammar"), None), [NATIVE, TOOL]),
    "Groq without schemas": (
        either(Status(400, "This model does not support response format `json_schema`."), None),
        [NATIVE, TOOL],
    ),
    "OpenRouter without tools": (
        either(BAD_FORMAT, Status(404, "No endpoints found that support tool use.")),
        [NATIVE, TOOL, TEXT],
    ),
    "vLLM without a tool parser": (
        either(BAD_FORMAT, Status(400, '"auto" tool choice requires --enable-auto-tool-choice')),
        [NATIVE, TOOL, TEXT],
    ),
    "JSON, but of no schema": (either(Said('{"answer": "8080", "confidence": 0.9}'), None), [NATIVE, TOOL]),
}


@pytest.mark.parametrize("kind", SCHEMAS)
async def test_a_rung_that_does_not_work_is_tried_once(kind: str, meet: Meet) -> None:
    handler, ways = SCHEMAS[kind]
    found = await meet(handler)
    assert found.told == ["the port number"] * 3
    assert found.ways == [*ways, ways[-1], ways[-1]]


UNFIT = Status(400, "Failed to generate JSON. See 'failed_generation' for more details.", code="json_validate_failed")
EMPTY: list[Answer] = [
    Shaped({"content": None}),
    Shaped({"content": "", "reasoning": DRAFT}),
    UNFIT,
]


@pytest.mark.parametrize("nothing", EMPTY)
async def test_a_rung_that_brings_nothing_is_tried_twice(nothing: Answer, meet: Meet) -> None:
    found = await meet(either(nothing, None), times=4)
    assert found.told == ["the port number"] * 4
    assert found.ways == [NATIVE, TOOL, NATIVE, TOOL, TOOL, TOOL]


@pytest.mark.parametrize("nothing", EMPTY)
async def test_a_bad_moment_costs_no_rung(nothing: Answer, meet: Meet) -> None:
    found = await meet(lambda call: nothing if call.number in (1, 4) else GOOD, times=4)
    assert found.told == ["the port number"] * 4
    assert found.ways == [NATIVE, TOOL, NATIVE, NATIVE, TOOL, NATIVE]


@pytest.mark.parametrize("nothing", EMPTY)
async def test_the_last_rung_that_brings_nothing_is_tried_again(nothing: Answer, meet: Meet, at_once: None) -> None:
    found = await meet(lambda call: nothing if call.number == 3 else GOOD, supports=frozenset(), times=1)
    assert (found.told, found.ways) == (["the port number"], [NATIVE, TOOL, TEXT, TEXT])


async def test_an_endpoint_that_brings_nothing_on_any_rung_keeps_them(meet: Meet, at_once: None) -> None:
    found = await meet(lambda call: Shaped({"content": ""}) if call.number <= 4 else GOOD, times=2)
    assert found.told == ["test-model gave no reply that can be used", "the port number"]
    assert found.ways == [NATIVE, TOOL, TEXT, TEXT, NATIVE]


@pytest.mark.parametrize("reason", ["error", "insufficient_system_resource", "abort"])
async def test_a_reply_that_the_server_broke_off_is_asked_for_again(reason: str, meet: Meet, at_once: None) -> None:
    found = await meet(lambda call: Said('{"answerable": fal', reason) if call.number == 1 else GOOD, times=1)
    assert (found.told, found.ways) == (["the port number"], [NATIVE, NATIVE])


def tool_call(arguments: Any, **changes: Any) -> Shaped:
    call = {"id": "call_1", "type": "function", "function": {"name": "answer", "arguments": arguments}, **changes}
    return Shaped({"content": None, "tool_calls": [call]}, "tool_calls")


@pytest.mark.parametrize(
    ("reply", "calls"),
    [
        (tool_call(json.dumps(GOOD), id=None), 1),
        (tool_call(json.dumps(GOOD)[:-1] + ",}"), 1),
        (Shaped({"content": json.dumps(GOOD), "tool_calls": []}), 1),
        (Shaped({"content": json.dumps(GOOD), "tool_calls": None}), 1),
        (Said(f'<tool_call>\n{json.dumps({"name": "answer", "arguments": GOOD})}\n</tool_call>'), 1),
        (Shaped({"content": json.dumps(GOOD), **tool_call("{}").message, }), 2),
        (tool_call(GOOD), 2),
        (tool_call(json.dumps(json.dumps(GOOD))), 2),
        (tool_call(None), 2),
    ],
)  # fmt: skip
async def test_a_tool_call_of_an_odd_shape(reply: Shaped, calls: int, meet: Meet) -> None:
    found = await meet(lambda call: reply if call.way == TOOL else GOOD, supports=frozenset({"tools"}))
    assert found.told == ["the port number"] * 3
    assert found.calls == [1 + calls, 1, 1]
    assert found.tokens > 0


# What stands around the JSON


@pytest.mark.parametrize(
    "text",
    [
        f"I will fill in {{answerable, statements}}:\n{json.dumps(GOOD)}",
        f"First: {DRAFT}\nOn reflection, the passages do not say.\n{json.dumps(GOOD)}",
        f"```json\n{DRAFT}\n```\nNo, wait:\n```json\n{json.dumps(GOOD)}\n```\nI hope this helps {{:-)}}.",
        f"<think>Perhaps {DRAFT}</think>\n\n{json.dumps(GOOD)}",
        f"Perhaps {DRAFT}</think>{json.dumps(GOOD)}",
        f"<think>Perhaps {DRAFT}, or not. {json.dumps(GOOD)}",
        f"[THINK]Perhaps {DRAFT}[/THINK]{json.dumps(GOOD)}",
        f"<|channel|>analysis<|message|>{DRAFT}<|end|><|start|>assistant<|channel|>final<|message|>{json.dumps(GOOD)}",
    ],
)
async def test_the_last_word_counts(text: str, meet: Meet) -> None:
    found = await meet(lambda _: Said(text))
    assert (found.told, found.calls) == (["the port number"] * 3, [1, 1, 1])


async def test_the_parts_of_a_message_are_read_without_its_thoughts(meet: Meet) -> None:
    parts = [{"type": "thinking", "thinking": [{"type": "text", "text": DRAFT}]},
             {"type": "text", "text": json.dumps(GOOD)}]  # fmt: skip
    found = await meet(lambda _: Shaped({"content": parts}))
    assert (found.told, found.calls) == (["the port number"] * 3, [1, 1, 1])


async def test_no_two_messages_in_a_row_are_of_one_role(port_to: PortTo, allowance: Allowance) -> None:
    """Chat templates of Mistral's and Google's models refuse them."""
    answers = {TEXT: lambda call: GOOD if call.corrected else Said("Well.")}
    with OpenAIServer({"answer": lambda call: answers[call.way](call)}, supports=frozenset()) as server:
        await seen(port_to(server), server, allowance, times=1)
    for record in server.requests:
        roles = [message["role"] for message in record.body["messages"]]
        assert all(first != second for first, second in pairwise(roles))
    assert server.requests[-1].body["messages"][-1]["content"].count("one JSON object of this shape") == 1


# What cannot be helped costs little, and is told


FUTILE: dict[str, tuple[Answer, list[int], str]] = {
    "another address": (Status(404, "404 page not found"), [1, 0, 0], "often ends in /v1"),
    "no model at OpenRouter": (Status(404, "No endpoints found for some/model:free."), [1, 0, 0], "has no model named"),
    "data policy of OpenRouter": (
        Status(404, "No endpoints found matching your data policy (Free model training)."),
        [1, 0, 0],
        "has no model named",
    ),
    "no model at Azure": (
        Status(404, "The API deployment for this resource does not exist.", code="DeploymentNotFound"),
        [1, 0, 0],
        "has no model named",
    ),
    "the key at Gemini": (
        Raw(b'[{"error": {"code": 400, "message": "API key not valid. Please pass a valid API key."}}]', status=400),
        [1, 0, 0],
        "refused the key",
    ),
    "no money at Anthropic": (
        Status(400, "Your credit balance is too low to access the Anthropic API."),
        [1, 0, 0],
        "quota",
    ),
    "a quota of OpenAI": (
        Status(
            429,
            "You exceeded your current quota, please check your plan and billing details.",
            type="insufficient_quota",
            code="insufficient_quota",
            retry_after=1,
        ),
        [1, 0, 0],
        "quota",
    ),
    "no credit": (Status(402, "Insufficient Balance"), [1, 0, 0], "quota"),
    "a gateway's error": (
        Raw(b'{"error": {"code": 402, "message": "Insufficient credits"}}'),
        [1, 0, 0],
        "quota",
    ),
    "a gateway's error in words": (
        Raw(b'{"error": {"message": "You exceeded your current quota", "code": "insufficient_quota"}}'),
        [1, 0, 0],
        "quota",
    ),
    "a gateway's limit in words": (
        Raw(b'{"error": {"message": "Rate limit reached, try again in 90 s"}}'),
        [1, 0, 0],
        "asks to wait 90 s",
    ),
    "a gateway's error that is mere text": (Raw(b'{"error": "no such model"}'), [1, 0, 0], "has no model named"),
    "a long pause of Groq": (
        Status(
            429,
            "Rate limit reached on tokens per day (TPD): Limit 100000, Used 97050. Please try again in "
            "9m38.016s. Need more tokens? Upgrade to Dev Tier today at https://console.groq.com/settings/billing",
        ),
        [1, 0, 0],
        "asks to wait 578.016 s",
    ),
    "a pause of Gemini": (
        Raw(
            b'[{"error": {"code": 429, "message": "You exceeded your current quota, please check your plan and billing'
            b' details.", "details": [{"@type": "type.googleapis.com/google.rpc.RetryInfo", "retryDelay": "36s"}]}}]',
            status=429,
        ),
        [1, 0, 0],
        "asks to wait 36 s",
    ),
    "a long pause": (Status(429, "slow down", retry_after=600), [1, 0, 0], "asks to wait 600 s"),
    "context of llama.cpp": (
        Status(400, "the request exceeds the available context size", type="exceed_context_size_error"),
        [1, 0, 0],
        "the prompt is longer than",
    ),
    "context of Gemini": (
        Status(400, "The input token count (40000) exceeds the maximum number of tokens allowed (32768)."),
        [1, 0, 0],
        "the prompt is longer than",
    ),
    "context of vLLM": (
        Status(400, "max_tokens is too large: 1024. This model's maximum context length is 2048 tokens"),
        [1, 0, 0],
        "the prompt is longer than",
    ),
    "out of order": (Said("", "error"), [2, 2, 0], "failed"),
    "down": (Dropped(), [2, 2, 0], "cannot reach"),
    "a limit of unknown length": (Status(429, "slow down"), [2, 2, 0], "is rate-limiting"),
    "broken": (Status(500, "oops", type="server_error"), [2, 2, 0], "failed with status 500"),
    "out of its depth": (Said('{"statements": "yes"}'), [2, 2, 0], "does not fit its schema"),
    "policy of OpenAI": (
        Status(
            400,
            "Invalid prompt: your prompt was flagged as potentially violating our usage policy. Please try again"
            " with a different prompt: https://platform.openai.com/docs/guides/reasoning",
            code="invalid_prompt",
        ),
        [1, 1, 1],
        "declined to answer",
    ),
    "policy of DeepSeek": (Status(400, "Content Exists Risk"), [1, 1, 1], "declined to answer"),
    "policy of Qwen": (
        Status(400, "Input data may contain inappropriate content.", code="data_inspection_failed"),
        [1, 1, 1],
        "declined to answer",
    ),
    "policy of OpenRouter": (
        Status(403, "Your chosen model requires moderation and your input was flagged. No credits were charged."),
        [1, 1, 1],
        "declined to answer",
    ),
    "filtered": (Said("", "content_filter: PROHIBITED_CONTENT"), [1, 1, 1], "declined to answer"),
}


@pytest.mark.parametrize("kind", FUTILE)
async def test_an_endpoint_is_not_asked_in_vain(kind: str, meet: Meet) -> None:
    answer, calls, told = FUTILE[kind]
    found = await meet(lambda _: answer, {"reasoning_effort": "low"})
    assert found.calls == calls
    assert all(told in line for line in found.told)


@pytest.mark.parametrize(
    "message",
    [
        "Rate limit reached for model `m`: Limit 6000, Used 5034, Requested 1443. Please try again in 70ms. Need more "
        "tokens? Upgrade to Dev Tier today at https://console.groq.com/settings/billing",
        "You exceeded your current quota, please check your plan and billing details.\nPlease retry in 0.070941s.",
        "Too many requests. Please retry after 0.07 seconds.",
        "Slow down: try again in 0h0m0.07s.",
        "Slow down: try again in 0 minutes, 70 milliseconds",
    ],
)
async def test_a_limit_that_passes_is_waited_for(message: str, meet: Meet, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(port, "BACKOFF_S", 60.0)  # longer than the allowance: only a time that was named is waited
    started = time.monotonic()
    found = await meet(lambda call: Status(429, message) if call.number == 1 else GOOD)
    assert (found.told, found.calls) == (["the port number"] * 3, [2, 1, 1])
    assert time.monotonic() - started >= 0.07, "as long as it says"


async def test_a_silent_endpoint_is_left_alone_after_two_judgements(meet: Meet) -> None:
    found = await meet(lambda _: Slow(20.0, GOOD), {"timeout_s": 1.0})
    assert found.calls == [1, 1, 0]
    assert all("within 1.0 s" in line for line in found.told)


async def test_one_failure_among_answers_is_forgotten(meet: Meet) -> None:
    found = await meet(lambda call: Said("{}") if call.number in (1, 2, 4, 5) else GOOD)
    assert found.told[1] == "the port number"
    assert found.calls == [2, 1, 2]


def test_a_prompt_as_long_as_one_that_was_too_long_is_tried_again_later() -> None:
    now = [100.0]
    breaker = EndpointBreaker(lambda: now[0])
    breaker.failed(PromptTooLong("8,000 tokens at most"), 9_000)
    breaker.check(8_999)
    with pytest.raises(PromptTooLong, match="at most"):
        breaker.check(9_000)
    now[0] += ALONE_S
    breaker.check(9_000)
    breaker.failed(PromptTooLong("32,000 tokens at most"), 40_000)
    breaker.check(39_999)


def test_an_endpoint_that_was_left_alone_is_asked_again_later() -> None:
    now = [100.0]
    breaker = EndpointBreaker(lambda: now[0])
    breaker.failed(ModelUnusable("the quota is used up"), 10)
    with pytest.raises(ModelUnusable, match="quota"):
        breaker.check(10)
    now[0] += ALONE_S
    breaker.check(10)
