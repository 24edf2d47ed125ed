"""The tools, called by a real client session over streams in memory."""

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest
from mcp.shared.memory import create_connected_server_and_client_session as connected
from pydantic import TypeAdapter, ValidationError

from calibrant.graph.settings import Settings
from calibrant.graph.working import working_on
from calibrant.interfaces.mcp import make_server, message_of
from calibrant.interfaces.mcp_transport import security
from calibrant.interfaces.session import config_of
from calibrant.nodes.retrieval.open_request import ToolInput
from calibrant.state.errors import InputError
from calibrant.state.task import Power
from calibrant.state.tool_output import Document, ToolOutput
from tests.graph.house import ingest, write_documents
from tests.mcp.house import PATIENT, PLAIN, Hanging, Progress, app_over, cancel_once, data_of, text_of

SPEC_INPUT = {"query", "context", "sources", "max_results"}
SPEC_OUTPUT = {"retrieval_id", "query", "documents", "synthesis", "confidence_boost", "new_confidence"}


async def test_two_tools_are_listed_with_what_they_are_allowed_to_do(data_dir: Path) -> None:
    async with connected(make_server(app_over(data_dir))) as session:
        tools = {tool.name: tool for tool in (await session.list_tools()).tools}
    assert set(tools) == {"retrieve_information", "ask"}
    hints = {name: tool.annotations for name, tool in tools.items() if tool.annotations}
    assert hints["retrieve_information"].readOnlyHint is True
    assert (hints["ask"].readOnlyHint, hints["ask"].destructiveHint) == (False, False)
    assert hints["ask"].openWorldHint is False
    assert all(tool.description and tool.title and tool.outputSchema for tool in tools.values())


async def test_the_input_is_that_of_the_graph_and_of_the_specification(data_dir: Path) -> None:
    async with connected(make_server(app_over(data_dir))) as session:
        tools = {tool.name: tool for tool in (await session.list_tools()).tools}
    schema, graph = tools["retrieve_information"].inputSchema, ToolInput.model_json_schema()
    assert set(schema["properties"]) == set(graph["properties"]) >= SPEC_INPUT
    for name, field in graph["properties"].items():
        assert schema["properties"][name]["description"] == field["description"]
        assert schema["properties"][name].get("default", []) == field.get("default", [])
    assert schema["required"] == ["query"]


async def test_the_output_is_that_of_the_graph_and_of_the_specification(data_dir: Path) -> None:
    async with connected(make_server(app_over(data_dir))) as session:
        tools = {tool.name: tool for tool in (await session.list_tools()).tools}
    schema = tools["retrieve_information"].outputSchema
    assert schema is not None
    assert set(schema["properties"]) == set(ToolOutput.__annotations__) >= SPEC_OUTPUT
    assert set(schema["$defs"]["Document"]["properties"]) == set(Document.__annotations__)


async def test_null_is_what_was_left_out(data_dir: Path) -> None:
    """Models write it so."""
    nulls: dict[str, None] = dict.fromkeys(("context", "sources", "max_results", "power"))
    async with connected(make_server(app_over(data_dir))) as session:
        found = data_of(await session.call_tool("retrieve_information", {"query": PLAIN, **nulls}))
        missing = await session.call_tool("ask", {"question": None})
    assert "five times" in found["documents"][0]["text"]
    assert text_of(missing) == "question is missing"


async def test_a_retrieval_that_falls_short_warns(data_dir: Path) -> None:
    async with connected(make_server(app_over(data_dir))) as session:
        enough = data_of(await session.call_tool("retrieve_information", {"query": PLAIN}))
        given = {"query": "What does a worker cost in Norway?", "power": "1"}
        short = data_of(await session.call_tool("retrieve_information", given))
    assert enough["warnings"] == []
    (warning,) = short["warnings"]
    assert warning.startswith(f"Sufficiency {short['new_confidence']:.2f} is below the 0.90 that such a question needs")
    assert warning.endswith(f"at the forced depth 1. {short['suggestion']}")


async def test_a_retrieval_gives_passages_and_tells_how_it_goes(data_dir: Path) -> None:
    progress = Progress()
    async with connected(make_server(app_over(data_dir))) as session:
        given = {"query": PLAIN, "context": "a runbook", "max_results": 2}
        result = await session.call_tool("retrieve_information", given, progress_callback=progress)
    found = data_of(result)
    assert "five times" in found["documents"][0]["text"]
    assert len(found["documents"]) == 2
    assert found["new_confidence"] == found["confidence_boost"] > 0.5
    assert [entry["number"] for entry in found["rounds"]] == [1]
    assert found["synthesis"]["key_insights"]
    assert progress.grows
    assert "searching at depth 1" in progress.text
    assert "knowledge: " in progress.text
    assert json.loads(text_of(result)) == found


async def test_a_question_is_answered_and_its_thread_goes_on(data_dir: Path) -> None:
    progress = Progress()
    async with connected(make_server(app_over(data_dir))) as session:
        first = data_of(await session.call_tool("ask", {"question": PLAIN}, progress_callback=progress))
        again = {"question": "How many jobs does a worker run at a time?", "thread_id": first["thread_id"]}
        second = data_of(await session.call_tool("ask", again))
    assert first["answer"] == "A failed job is retried five times by default. [1]"
    assert first["citations"][0]["place"].endswith("retries.md:3")
    assert (first["stop_reason"], first["level"]) == ("answered", "medium")
    assert second["thread_id"] == first["thread_id"]
    assert "four" in second["answer"]
    assert progress.grows
    assert "reflect: confidence" in progress.text


async def test_a_question_is_asked_of_the_knowledge_bases_that_are_named_and_its_thread_stays_there(
    tmp_path: Path,
) -> None:
    for name, times in (("first", "five"), ("second", "seven")):
        pages = {"retries.md": f"# Retries\n\nA failed job is retried {times} times by default.\n"}
        ingest(tmp_path, write_documents(tmp_path / name, pages), name)
    async with connected(make_server(app_over(tmp_path))) as session:
        asked = {"question": PLAIN, "knowledge": ["second"]}
        first = data_of(await session.call_tool("ask", asked))
        again = {"question": "Is a failed job retried five times?", "thread_id": first["thread_id"]}
        second = data_of(await session.call_tool("ask", again))
    assert "seven" in first["answer"]
    assert "five" not in first["answer"]
    assert {Path(cited["place"]).parent.name for cited in (*first["citations"], *second["closest"])} == {"second"}


async def test_a_server_that_is_restricted_to_some_knowledge_bases_answers_from_no_other(tmp_path: Path) -> None:
    for name in ("first", "second"):
        ingest(tmp_path, write_documents(tmp_path / name), name)
    app = app_over(tmp_path, knowledge=("first",))
    given = {"task": PLAIN, "filters": {"collections": ["second"]}}
    await app.graph.ainvoke(given, config_of("elsewhere"), context=Settings(interactive=False))
    async with connected(make_server(app)) as session:
        refused = await session.call_tool("ask", {"question": PLAIN, "knowledge": ["second"]})
        gone_on = await session.call_tool("ask", {"question": PLAIN, "thread_id": "elsewhere"})
        asked = data_of(await session.call_tool("ask", {"question": PLAIN, "knowledge": ["first"]}))
        given = {"question": PLAIN, "thread_id": "elsewhere", "knowledge": ["first"]}
        again = data_of(await session.call_tool("ask", given))
    assert [text_of(one) for one in (refused, gone_on)] == ["no knowledge base 'second': there is first"] * 2
    assert {Path(one["citations"][0]["place"]).parent.name for one in (asked, again)} == {"first"}


async def test_a_courtesy_has_a_reply_and_no_confidence(data_dir: Path) -> None:
    async with connected(make_server(app_over(data_dir))) as session:
        told = data_of(await session.call_tool("ask", {"question": "hello!"}))
    assert told["answer"].startswith("Hello! I answer questions from sources")
    assert (told["stop_reason"], told["confidence"], told["level"], told["citations"]) == ("courtesy", None, "", [])


async def test_a_thread_answers_one_question_at_a_time(data_dir: Path) -> None:
    """Side by side, each would write over what the other adds to the conversation."""
    app = app_over(data_dir)
    async with connected(make_server(app)) as session:
        thread = data_of(await session.call_tool("ask", {"question": PLAIN}))["thread_id"]
        given = {"question": "How many jobs does a worker run at a time?", "thread_id": thread}
        with working_on(app.machine.data_dir, thread):
            results = await asyncio.gather(*(session.call_tool("ask", given) for _ in range(2)))
        refused = [text_of(result) for result in results if result.isError]
        assert refused == [f"thread {thread} is at work elsewhere: try again when that has ended"] * 2
        results = await asyncio.gather(*(session.call_tool("ask", given) for _ in range(3)))
    answered = [result for result in results if not result.isError]  # one, or more where each was done in time
    snapshot = await app.graph.aget_state(config_of(thread))
    assert snapshot.values["run"].turn == 1 + len(answered) > 1


async def test_what_the_sources_do_not_say_is_an_answer_too(data_dir: Path) -> None:
    async with connected(make_server(app_over(data_dir))) as session:
        asked = await session.call_tool("ask", {"question": "Who painted the Sistine Chapel?", "power": "1"})
    told = data_of(asked)
    assert (told["stop_reason"], told["confidence"], told["level"], told["citations"]) == ("abstained", None, "", [])


@pytest.mark.parametrize("tool", ["retrieve_information", "ask"])
async def test_a_cancelled_request_cancels_the_search(data_dir: Path, tool: str) -> None:
    source = Hanging()
    given = {"query": PLAIN} if tool == "retrieve_information" else {"question": PLAIN}
    async with connected(make_server(app_over(data_dir, [source], **PATIENT))) as session:
        told = await cancel_once(session, tool, given, source.asked.wait)
        await asyncio.wait_for(source.cancelled.wait(), 10)
        assert "cancelled" in told.lower()
        assert (await session.list_tools()).tools


async def test_two_calls_side_by_side_and_one_cancelled(data_dir: Path) -> None:
    source = Hanging()
    app = app_over(data_dir, [source, app_over(data_dir).deps.sources["knowledge"]], **PATIENT)
    async with connected(make_server(app)) as session:
        quick = {"query": PLAIN, "sources": ["knowledge"]}
        slow = {"query": PLAIN, "sources": ["hanging"]}
        _, found = await asyncio.gather(
            cancel_once(session, "retrieve_information", slow, source.asked.wait), later(session, quick)
        )
    assert "five times" in found["documents"][0]["text"]


async def later(session: Any, given: dict[str, Any]) -> dict[str, Any]:
    await asyncio.sleep(0.2)
    return data_of(await session.call_tool("retrieve_information", given))


BAD = [
    ("retrieve_information", {}, "query is missing"),
    ("retrieve_information", {"query": "  "}, "the query is empty: say what to search for"),
    ("retrieve_information", {"query": "x", "kind": "csv"}, "retrieve_information has no argument 'kind'; allowed: "),
    ("ask", {"question": "x", "thread": "t"}, "ask has no argument 'thread'; did you mean 'thread_id'?"),
    ("retrieve_information", {"query": "x", "sources": ["moon"]}, "unknown source 'moon': configured are knowledge"),
    (
        "retrieve_information",
        {"query": "x", "max_results": 0},
        "max_results is not allowed: expected a number greater than or equal to 1",
    ),
    ("retrieve_information", {"query": "x", "power": "9"}, "power is not allowed: expected 'auto', '1', '2' or '3'"),
    ("ask", {"question": " "}, "the question is empty"),
    ("ask", {"question": "x " * 15_000}, "the question has 29,999 characters, 20,000 at most"),
    ("ask", {"question": "caf\ud83d?"}, "the question holds half a character (a lone surrogate)"),
    ("retrieve_information", {"query": "caf\ud83d?"}, "the query holds half a character (a lone surrogate)"),
    ("ask", {"question": "x", "thread_id": "moon"}, "there is no thread 'moon'"),
    ("ask", {"question": "x", "thread_id": "moon", "knowledge": ["manual"]}, "there is no thread 'moon'"),
    ("ask", {"question": "x", "knowledge": ["moon"]}, "no knowledge base 'moon': there is manual"),
    ("moon", {}, "Unknown tool: moon"),
]


@pytest.mark.parametrize(("tool", "given", "line"), BAD, ids=[line for *_, line in BAD])
async def test_bad_input_is_one_clear_line(data_dir: Path, tool: str, given: dict[str, Any], line: str) -> None:
    async with connected(make_server(app_over(data_dir))) as session:
        result = await session.call_tool(tool, given)
    assert result.isError
    assert text_of(result).startswith(line)
    assert "\n" not in text_of(result)


async def test_a_refused_question_does_not_close_its_thread(data_dir: Path) -> None:
    """Neither one that never became a run, nor one that ``intake`` refused."""
    app = app_over(data_dir)
    async with connected(make_server(app)) as session:
        thread = data_of(await session.call_tool("ask", {"question": PLAIN}))["thread_id"]
        assert (await session.call_tool("ask", {"question": "x " * 15_000, "thread_id": thread})).isError
        assert "five" in data_of(await session.call_tool("ask", {"question": PLAIN, "thread_id": thread}))["answer"]
        with pytest.raises(InputError):
            await app.graph.ainvoke({"task": PLAIN, "filters": {"pathz": []}}, config_of(thread), context=app.context)
        assert "five" in data_of(await session.call_tool("ask", {"question": PLAIN, "thread_id": thread}))["answer"]


@pytest.mark.parametrize(("model", "threads"), [({"name": "gpt-x"}, 0), ({}, 1)], ids=str)
async def test_a_model_without_its_key_leaves_no_thread(data_dir: Path, model: dict[str, str], threads: int) -> None:
    app = app_over(data_dir, model=model)
    async with connected(make_server(app)) as session:
        result = await session.call_tool("ask", {"question": PLAIN})
    assert result.isError is not bool(threads)
    assert ("CALIBRANT_MODEL_API_KEY" in text_of(result)) is not bool(threads)
    held = {one.config["configurable"]["thread_id"] async for one in app.checkpointer.alist(None)}
    assert len(held) == threads


@pytest.mark.parametrize(("given", "power"), [({}, Power.DEEP), ({"power": "1"}, Power.SHALLOW)], ids=str)
async def test_the_configured_power_holds_unless_another_is_given(
    data_dir: Path, given: dict[str, Any], power: Power
) -> None:
    app = app_over(data_dir, power=Power.DEEP)
    async with connected(make_server(app)) as session:
        found = data_of(await session.call_tool("retrieve_information", {"query": PLAIN, **given}))
        thread = data_of(await session.call_tool("ask", {"question": PLAIN, **given}))["thread_id"]
    assert found["depth_used"] == power.depth
    assert (await app.graph.aget_state(config_of(thread))).values["run"].power is power


def test_a_foreign_error_keeps_its_secrets() -> None:
    assert message_of(RuntimeError("sk-secret\nTraceback"), "ask") == "ask failed: RuntimeError"
    assert message_of(InputError("say more"), "ask") == "say more"
    with pytest.raises(ValidationError) as caught:
        TypeAdapter(dict[str, int]).validate_python({"a": "sk-secret"})
    assert "sk-secret" not in message_of(caught.value, "ask")


def test_hosts_are_checked_whatever_is_bound() -> None:
    made = security(("0.0.0.0", "fd00::1", "box.local"))
    assert made.enable_dns_rebinding_protection
    assert {"127.0.0.1:*", "localhost:*", "[fd00::1]:*", "box.local:*"} <= set(made.allowed_hosts)
    assert "http://box.local:*" in made.allowed_origins
