"""Tools in act: read-only ones run, others wait for approval, failures are typed and become signals."""

import asyncio
import re
from datetime import date
from pathlib import Path
from typing import Annotated, Any

import httpx
import pytest
from langchain_core.documents import Document
from langchain_core.language_models.fake_chat_models import FakeListChatModel
from langchain_core.messages import AIMessage, ToolMessage
from langchain_core.retrievers import BaseRetriever
from langchain_core.runnables import RunnableConfig
from langchain_core.tools import InjectedToolArg, InjectedToolCallId, StructuredTool, ToolException
from langgraph.prebuilt import InjectedState, InjectedStore, ToolRuntime
from langgraph.runtime import Runtime
from langgraph.store.memory import InMemoryStore
from langgraph.types import Command, interrupt
from pydantic import BaseModel

from calibrant.graph.build import build_graph, make_deps
from calibrant.graph.settings import Settings
from calibrant.judges.free.planning.tool_outputs import rendered
from calibrant.judges.free.request.understand import understand
from calibrant.judges.given import ToUnderstand
from calibrant.nodes.act import act
from calibrant.nodes.calling.approval import call_id, idempotency_key, needs_approval
from calibrant.nodes.calling.calls import NOBODY, NOTHING, UNREADABLE
from calibrant.nodes.calling.outputs import TEXT_LIMIT
from calibrant.nodes.deps import Deps
from calibrant.nodes.judging.signals import in_results
from calibrant.nodes.reading.called import calls_of
from calibrant.nodes.reading.steps import ready, unfinished
from calibrant.nodes.step import StepTask, step, with_attempts
from calibrant.nodes.telling.phrases import Phrases
from calibrant.nodes.toolbox import is_read_only
from calibrant.state.budget import Allowance, StopReason
from calibrant.state.channels import Run, View
from calibrant.state.confidence import PhaseThresholds
from calibrant.state.context import Context
from calibrant.state.decision import Action, Decision, Rule
from calibrant.state.errors import ConfigurationError, Failure, FailureKind
from calibrant.state.guidance import ApprovalAction, CallAnswer, Guidance
from calibrant.state.retrieval import RetrievalResult
from calibrant.state.task import Branch, Intent, Language, Phase, Step, StepKind, StepStatus, SubResult, Task
from calibrant.state.uncertainty import SignalKind, uncertainty_score
from tests.graph.house import answer, asked, config, deps_for, graph_for, state_of


class Plain(BaseRetriever):
    """A LangChain retriever, as an embedder may pass one by mistake."""

    def _get_relevant_documents(self, query: str, *, run_manager: Any) -> list[Document]:
        return [Document(query)]


CALL = Step(id="b.q1", kind=StepKind.TOOL, question="Restart worker 7", tool="restart", arguments={"name": "7"})
INTENT = Intent(id="r:b.q1", key="r:b.q1", step_id="b.q1", tool="restart", arguments={"name": "7"})
LEASE = Allowance(seconds=5.0)
APPROVED = CallAnswer(id="r:b.q1", action=ApprovalAction.APPROVE)


def tool(log: list[str], *, read_only: bool, fails: bool = False) -> StructuredTool:
    """A tool that logs its calls."""

    async def restart(name: str) -> str:
        """Restart a worker."""
        log.append(name)
        if fails:
            raise FileNotFoundError(name)
        return f"worker {name} was restarted"

    return StructuredTool.from_function(coroutine=restart, name="restart", metadata={"read_only": read_only})


async def _run(data_dir: Path, made: StructuredTool, **job: Any) -> dict[str, Any]:
    """One step that calls ``made``, as ``act`` would send it: with its intent stored by the same process."""
    return await _run_in(deps_for(data_dir, tools=[made]), **job)


async def _run_in(deps: Deps, **job: Any) -> dict[str, Any]:
    intent = INTENT.replace(holder=deps.holder, **job.pop("intent", {}))
    return await step(deps)(
        StepTask(**{"step": CALL, "task": Task(text="x"), "allowance": LEASE, "intent": intent, **job}),
        Runtime(context=Settings()),
    )


async def test_a_tool_gives_evidence_that_its_statement_quotes(data_dir: Path) -> None:
    log: list[str] = []
    update = await _run(data_dir, tool(log, read_only=True))
    (result,), (found,) = update["results"], update["evidence"]
    assert log == ["7"]
    assert result.status is StepStatus.ANSWERED
    assert result.statements[0].evidence_ids == (found.id,)
    assert found.text == "worker 7 was restarted"
    assert found.source == "tool:restart"


async def test_a_failing_tool_is_a_typed_result_without_its_message(data_dir: Path) -> None:
    (result,) = (await _run(data_dir, tool([], read_only=True, fails=True)))["results"]
    assert result.status is StepStatus.FAILED
    assert result.failure.kind is FailureKind.MISSING
    assert result.content == ""


async def test_a_failure_stays_one_where_the_tool_would_rather_give_a_text(data_dir: Path) -> None:
    async def refuses(name: str) -> str:
        """Refuse."""
        raise ToolException(f"no worker {name}, password=x")

    made = StructuredTool.from_function(
        coroutine=refuses, name="restart", metadata={"read_only": True}, handle_tool_error=True
    )
    (result,) = (await _run(data_dir, made))["results"]
    assert (result.status, result.failure.message) == (StepStatus.FAILED, "no worker 7, password=…")


@pytest.mark.parametrize(
    ("gives", "error"),
    [
        ({"error": "no such worker"}, "no such worker"),
        ('{"error": "no such worker", "status": 404}', "no such worker"),
        ({"error": {"code": 404, "message": "no such worker"}}, "no such worker"),
        ({"ok": False, "message": "no such worker"}, "no such worker"),
        ({"error": "no such worker", "name": "7"}, "no such worker"),
        ({"error": "no such worker", "request_id": "a1"}, "no such worker"),
        ({"status": "error", "message": "no such worker"}, "no such worker"),
        ({"success": False, "reason": "no such worker"}, "no such worker"),
        ({"error": True, "reason": "no such worker"}, "no such worker"),
        ({"errors": [{"message": "no such worker"}, {"message": "x"}]}, "no such worker"),
        ({"error": None, "status": "restarted"}, ""),
        ({"error": "", "ok": True}, ""),
        ({"error": "none since Monday", "name": "8"}, ""),
        ({"ok": True, "message": "restarted"}, ""),
        ("error: no such worker", ""),
    ],
)
async def test_data_that_only_tells_an_error_is_a_failure(data_dir: Path, gives: Any, error: str) -> None:
    async def restart(name: str) -> Any:
        """Restart a worker."""
        return gives

    made = StructuredTool.from_function(coroutine=restart, metadata={"read_only": True})
    (result,) = (await _run(data_dir, made))["results"]
    assert (result.failure.message if result.failure else "") == error


@pytest.mark.parametrize(
    ("said", "kind", "told"),
    [
        (
            "[Errno 2] No such file or directory: 'a.md'",
            FailureKind.MISSING,
            "[Errno 2] No such file or directory: 'a.md'",
        ),
        ("queue 7 was not found", FailureKind.MISSING, "queue 7 was not found"),
        ("command exceeded 600s timeout", FailureKind.TIMEOUT, "command exceeded 600s timeout"),
        ("The request timed out.\nTraceback ...", FailureKind.TIMEOUT, "The request timed out."),
        ("2 tests failed", FailureKind.ERROR, "2 tests failed"),
        ("Error executing tool restart: no rights", FailureKind.ERROR, "no rights"),
        ("api_key=abc123 Bearer xyz9 was refused", FailureKind.ERROR, "api_key=… Bearer … was refused"),
        ('{"api_key": "abc"} https://me:pw@host:80/x', FailureKind.ERROR, '{"api_key": "…"} https://me:…@host:80/x'),
        ("no key named port at http://host:80/x", FailureKind.ERROR, "no key named port at http://host:80/x"),
        ("\x1b[31mred\x1b[0m", FailureKind.ERROR, "[31mred[0m"),
        ("", FailureKind.ERROR, "ToolException"),
    ],
)
async def test_a_tool_says_what_went_wrong(data_dir: Path, said: str, kind: FailureKind, told: str) -> None:
    """Its own error is output for whoever calls it; what other code raises is not."""

    async def restart(name: str) -> str:
        """Restart a worker."""
        raise ToolException(said)

    made = StructuredTool.from_function(coroutine=restart, name="restart", metadata={"read_only": True})
    (result,) = (await _run(data_dir, made))["results"]
    assert (result.failure.kind, result.failure.message) == (kind, told)


async def test_the_address_of_an_output_is_its_call(data_dir: Path) -> None:
    """Two calls with one output are two passages."""
    made = giving("stopped", read_only=True)
    found = [
        (await _run(data_dir, made, intent={"arguments": {"name": name}}))["evidence"][0] for name in ("7", "src/8 ä")
    ]
    assert [one.url for one in found] == ["tool://restart?name=7", "tool://restart?name=src/8 %C3%A4"]
    assert found[0].id != found[1].id


async def test_a_server_gives_a_list_as_blocks(data_dir: Path) -> None:
    blocks = [{"type": "text", "text": f"{folder}/worker7", "id": folder} for folder in ("a", "b")]
    (result,) = (await _run(data_dir, giving(blocks, read_only=True), intent={"arguments": {"name": "worker7"}}))[
        "results"
    ]
    assert result.candidates == ("a/worker7", "b/worker7")


async def test_a_call_that_may_have_changed_something_is_not_tried_again(data_dir: Path) -> None:
    for read_only in (True, False):
        made = tool([], read_only=read_only, fails=True)
        (result,) = (await _run(data_dir, made, verdict=APPROVED))["results"]
        assert bool(unfinished(Branch(id="b", name="b", steps=(CALL,)), (result,))) is read_only


class Reply(BaseModel):
    """What a service should have answered."""

    number: int


@pytest.mark.parametrize(
    ("raised", "told"),
    [
        (httpx.ReadTimeout("x"), "May have been done: restart: ReadTimeout at test_tools.py:_."),
        (ConnectionResetError("x"), "May have been done: restart: ConnectionResetError."),
        (TimeoutError("x"), "May have been done: restart: TimeoutError."),
        (FileNotFoundError("x"), "May have been done: restart: FileNotFoundError."),
        (Reply, "May have been done: restart: ValidationError at test_tools.py:_."),
        (ToolException("the request timed out"), "May have been done: restart: the request timed out."),
        (ToolException("no such worker"), "Not done: restart: no such worker."),
    ],
    ids=repr,
)
async def test_only_the_tool_can_say_that_a_call_did_nothing(
    data_dir: Path, raised: Exception | type[BaseModel], told: str
) -> None:
    async def restart(name: str) -> str:
        """Restart a worker."""
        if isinstance(raised, Exception):
            raise raised
        raised.model_validate({})
        return name

    made = StructuredTool.from_function(coroutine=restart, name="restart", metadata={"read_only": False})
    results = (await _run(data_dir, made, verdict=APPROVED))["results"]
    assert re.sub(r":\d+", ":_", Phrases(Language.ENGLISH).fates(calls_of(_state(*results)))) == told


async def test_a_call_whose_arguments_were_refused_did_nothing(data_dir: Path) -> None:
    log: list[str] = []
    made = tool(log, read_only=False)
    results = (await _run(data_dir, made, verdict=APPROVED, intent={"arguments": {"worker": "7"}}))["results"]
    assert (log, Phrases(Language.ENGLISH).fates(calls_of(_state(*results)))) == (
        [],
        "Not done: restart: its arguments do not fit: name is missing.",
    )


async def test_arguments_that_are_refused_say_nothing_of_the_tool(data_dir: Path) -> None:
    """Another call of it is made, however often that was so."""
    log: list[str] = []
    deps = deps_for(data_dir, tools=[tool(log, read_only=True)])
    for _ in range(5):
        await _run_in(deps, intent={"arguments": {"worker": "7"}})
    (result,) = (await _run_in(deps))["results"]
    assert (log, result.status) == (["7"], StepStatus.ANSWERED)


@pytest.mark.parametrize("read_only", [True, False])
async def test_a_call_for_which_no_time_is_left_is_not_made(data_dir: Path, read_only: bool) -> None:
    log: list[str] = []
    update = await _run(data_dir, tool(log, read_only=read_only), verdict=APPROVED, allowance=Allowance())
    (result,) = update["results"]
    assert log == []
    assert (result.status, result.failure.kind, result.final) == (StepStatus.FAILED, FailureKind.TIMEOUT, True)


async def test_a_rejected_call_is_not_made_nor_one_that_nobody_approved(data_dir: Path) -> None:
    for verdict in (CallAnswer(id="x", action=ApprovalAction.REJECT), None):
        log: list[str] = []
        update = await _run(data_dir, tool(log, read_only=False), verdict=verdict)
        assert log == []
        assert update["results"][0].status is StepStatus.SKIPPED


async def test_with_nobody_there_the_calls_that_change_nothing_are_made_and_both_decisions_are_told(
    data_dir: Path,
) -> None:
    keys: list[str] = []

    async def stock(item: str, config: RunnableConfig) -> str:
        """How many of an item are in stock."""
        keys.append(config["metadata"]["idempotency_key"])
        return f"There are 7 {item}s in stock."

    log: list[str] = []
    read = StructuredTool.from_function(coroutine=stock, name="stock", metadata={"read_only": True})
    context = Settings(interactive=False)
    graph = graph_for(data_dir, tools=[read, tool(log, read_only=False)], context=context)
    for thread in ("t1", "t2"):
        told = 'Call stock(item="bolt"), then call restart(name="7").'
        await graph.ainvoke({"task": told}, config(thread))
    state = await state_of(graph, "t1")
    assert log == []
    assert "7 bolts" in state.answer
    assert len(set(keys)) == 2, "a service that knows the key of one run would answer the other with it"
    rules = [decision.rule for decision in state.decisions if decision.phase is Phase.ACT]
    assert rules[rules.index(Rule.UNAPPROVED) - 1] is not Rule.UNAPPROVED
    assert [one.rule for one in state.decisions].count(Rule.UNAPPROVED) == 1


async def test_a_call_is_made_with_the_arguments_that_were_stored(data_dir: Path) -> None:
    log: list[str] = []
    await _run(data_dir, tool(log, read_only=False), verdict=APPROVED, intent={"arguments": {"name": "8"}})
    assert log == ["8"]


async def test_the_idempotency_key_reaches_the_tool(data_dir: Path) -> None:
    seen: list[Any] = []

    async def restart(name: str, config: RunnableConfig) -> str:
        """Restart a worker."""
        seen.append(config["metadata"]["idempotency_key"])
        return name

    made = StructuredTool.from_function(coroutine=restart, name="restart")
    await _run(data_dir, made, verdict=APPROVED)
    await _run(data_dir, made, verdict=APPROVED, intent={"id": "r:b.q1#2"})
    assert seen == ["r:b.q1", "r:b.q1"]


def test_a_key_stands_for_one_call_with_its_arguments() -> None:
    """A service that knows the key of a call whose reply was lost would take another call for the same one."""
    tried = INTENT.replace(key=idempotency_key(_state(), CALL))
    retried = _state(_failed(1)).model_copy(update={"intents": (tried,)})
    edited = CALL.with_arguments({"name": "8"})
    assert idempotency_key(retried, CALL) == tried.key
    assert idempotency_key(retried, edited) not in (tried.key, call_id(retried, edited))
    assert call_id(retried, edited) == call_id(retried, CALL) == "r:b.q1#2", "what a person approves, edited or not"


def test_a_call_that_an_earlier_version_tried_keeps_its_key() -> None:
    tried = _state(_failed(1)).model_copy(update={"intents": (INTENT,)})
    assert idempotency_key(tried, CALL) == INTENT.key
    assert idempotency_key(tried, CALL.with_arguments({"name": "8"})) != INTENT.key


@pytest.mark.parametrize(
    ("declared", "reads"),
    [
        (None, False),
        ({"read_only": True}, True),
        ({"readOnlyHint": True}, True),
        ({"read_only": True, "readOnlyHint": False}, True),
        ({"read_only": False, "readOnlyHint": True}, False),
        ({"read_only": None, "readOnlyHint": True}, False),
        ({"read_only": "false"}, False),
        ({"readOnlyHint": "yes"}, False),
    ],
)
def test_only_a_plain_word_makes_a_tool_read_only(declared: dict[str, Any] | None, reads: bool) -> None:
    made = tool([], read_only=False).model_copy(update={"metadata": declared})
    assert is_read_only(made) is reads


@pytest.mark.parametrize(
    ("output", "text"),
    [
        ({"worker": "7", "state": "läuft"}, '{"worker": "7", "state": "läuft"}'),
        ([{"type": "text", "text": "one"}, {"type": "text", "text": "two"}], "one\ntwo"),
        (["a", "b"], '["a", "b"]'),
        ([{"type": "text", "text": "one"}, {"type": "image", "base64": "AA", "mime_type": "image/png"}], "one"),
        ([{"type": "image_url", "image_url": {"url": "data:image/png;base64,AA"}}], ""),
        (
            [{"type": "file", "url": "https://x.example/a.pdf", "mime_type": "application/pdf"}],
            "https://x.example/a.pdf",
        ),
        ([{"type": "file", "name": "a"}], '[{"type": "file", "name": "a"}]'),
        ([{"type": "image", "url": "x", "width": 3}], '[{"type": "image", "url": "x", "width": 3}]'),
        ([{"type": ["image"], "url": "x"}], '[{"type": ["image"], "url": "x"}]'),
        ({"at": date(2024, 5, 17)}, '{"at": "2024-05-17"}'),
        (Task(text="x", topic=("y",)).topic, '["y"]'),
        (None, "null"),
        ("plain", "plain"),
    ],
)
def test_data_is_rendered_as_json(output: Any, text: str) -> None:
    assert rendered(output) == text


class Mute:
    """What cannot be printed."""

    def __str__(self) -> str:
        raise ValueError("nothing to say")


LOOP: list[Any] = []
LOOP.append(LOOP)


def giving(output: Any, *, read_only: bool) -> StructuredTool:
    """A tool that gives ``output``."""

    async def restart(name: str) -> Any:
        """Restart a worker."""
        return output

    return StructuredTool.from_function(coroutine=restart, name="restart", metadata={"read_only": read_only})


@pytest.mark.parametrize(
    ("output", "text"),
    [({date(2025, 1, 1): 3}, "{datetime.date(2025, 1, 1): 3}"), (LOOP, "[[...]]"), ("is \ud800 on", "is ? on")],
    ids=["a date for a key", "a list that holds itself", "half a character"],
)
async def test_an_output_that_is_no_json_stands_as_it_prints_itself(data_dir: Path, output: Any, text: str) -> None:
    update = await _run(data_dir, giving(output, read_only=True))
    (result,), (found,) = update["results"], update["evidence"]
    assert (result.status, result.content) == (StepStatus.ANSWERED, found.text)
    assert found.text.removeprefix("restart(name='7'): ") == text


@pytest.mark.parametrize(("output", "told"), [(7, "7"), (True, "true"), ("open", "open"), ([], "[]")])
async def test_a_number_or_a_word_is_told_beside_the_call_that_gave_it(data_dir: Path, output: Any, told: str) -> None:
    """By itself it states nothing, and the run would abstain as if nothing had been called."""
    graph = graph_for(data_dir, tools=[giving(output, read_only=True)])
    ended = await graph.ainvoke({"task": 'Use restart with name="7"'}, config())
    assert ended["answer"] == f"restart(name='7'): {told} [1]"
    assert (ended["stop_reason"], ended["unanswered"]) == (StopReason.ANSWERED, ())


@pytest.mark.parametrize("read_only", [True, False])
async def test_a_call_whose_output_cannot_be_read_is_told_and_not_made_again(data_dir: Path, read_only: bool) -> None:
    update = await _run(data_dir, giving(Mute(), read_only=read_only), verdict=APPROVED)
    (result,) = update["results"]
    assert (result.status, result.failure.message) == (StepStatus.FAILED, UNREADABLE)
    assert unfinished(Branch(id="b", name="b", steps=(CALL,)), (result,)) == ()


@pytest.mark.parametrize(
    "output",
    [None, b"\xff\xfe", object(), httpx.AsyncBaseTransport(), (number for number in (1, 2))],
    ids=["none", "bytes", "object", "another", "a generator"],
)
async def test_an_output_in_which_nothing_can_be_read_is_told(data_dir: Path, output: Any) -> None:
    """Of a call that was to change something it is enough that it was made."""
    (result,) = (await _run(data_dir, giving(output, read_only=True)))["results"]
    assert (result.status, result.failure.message, result.final) == (StepStatus.FAILED, NOTHING, True)
    update = await _run(data_dir, giving(output, read_only=False), verdict=APPROVED)
    assert [(one.status, one.content) for one in update["results"]] == [(StepStatus.ANSWERED, "")]


async def test_bytes_that_are_text_are_read(data_dir: Path) -> None:
    update = await _run(data_dir, giving("Fünf mal.".encode(), read_only=True))
    assert [found.text for found in update["evidence"]] == ["Fünf mal."]


async def test_what_a_terminal_would_obey_reaches_no_answer(data_dir: Path) -> None:
    made = giving("It is \x1b[31mred\x1b[0m.\x07", read_only=True)
    graph = graph_for(data_dir, tools=[made])
    ended = await graph.ainvoke({"task": 'Use restart with name="7"'}, config())
    assert "red" in ended["answer"]
    assert set(ended["answer"]).isdisjoint("\x1b\x07")


async def test_a_call_that_gives_nothing_is_no_doubtful_answer(data_dir: Path) -> None:
    graph = graph_for(data_dir, tools=[giving(None, read_only=False)], context=Settings(interactive=True))
    asking = await graph.ainvoke({"task": 'Use restart with name="7"'}, config())
    assert asking["__interrupt__"]
    ended = await graph.ainvoke(Command(resume={"action": "approve"}), config())
    assert ended["answer"].startswith("Done: restart")
    assert not any("overall confidence" in warning for warning in ended["warnings"])


IMAGE = {"type": "image_url", "image_url": {"url": "data:image/png;base64,AA"}}


@pytest.mark.parametrize(
    ("output", "text", "warnings"),
    [
        (ToolMessage("It is 5.", tool_call_id="1"), "It is 5.", ()),
        (ToolMessage("", tool_call_id="1"), "", ()),
        (AIMessage("It is 6."), "It is 6.", ()),
        (Command(update={"messages": [ToolMessage("It is 7.", tool_call_id="1")]}), "It is 7.", ()),
        (Command(update={"seen": ["a"]}), '{"seen": ["a"]}', ()),
        (
            ToolMessage([{"type": "text", "text": "It is 8."}, IMAGE], tool_call_id="1"),
            "It is 8.",
            ("restart: what it gave beside text was not read (image).",),
        ),
    ],
)
async def test_what_wraps_an_output_for_an_agent_is_taken_off(
    data_dir: Path, output: Any, text: str, warnings: tuple[str, ...]
) -> None:
    update = await _run(data_dir, giving(output, read_only=True))
    (found,) = update["evidence"]
    assert (found.text, update["warnings"]) == (text, warnings)


async def test_a_message_that_tells_of_a_failure_is_no_output(data_dir: Path) -> None:
    failed = ToolMessage("no such worker", tool_call_id="1", status="error")
    (result,) = (await _run(data_dir, giving(failed, read_only=True)))["results"]
    assert (result.status, result.failure.message) == (StepStatus.FAILED, "no such worker")


@pytest.mark.parametrize(
    ("output", "last"),
    [
        ("\n".join(["one line of it"] * 500), "one line of it"),
        ([{"row": row, "owner": f"person{row}"} for row in range(500)], '"}'),
        ("word " * 1_000, "word"),
        ("x" * 5_000, "x"),
    ],
    ids=["lines", "items", "words", "neither"],
)
async def test_a_long_output_is_cut_where_something_ends_and_that_is_told(
    data_dir: Path, output: Any, last: str
) -> None:
    update = await _run(data_dir, giving(output, read_only=True))
    (found,), (warning,), given = update["evidence"], update["warnings"], rendered(output)
    assert TEXT_LIMIT - 100 < len(found.text) <= TEXT_LIMIT
    assert given.startswith(found.text)
    assert found.text.endswith(last)
    assert warning == (
        f"restart: what it gave has {len(given):,} characters, of which {len(found.text):,} were read: "
        "let it give less, in parts."
    )


async def test_an_output_that_is_just_short_enough_is_read_whole(data_dir: Path) -> None:
    update = await _run(data_dir, giving("x" * TEXT_LIMIT, read_only=True))
    assert (len(update["evidence"][0].text), update["warnings"]) == (TEXT_LIMIT, ())


class Named(BaseModel):
    """Arguments without what is injected."""

    name: str


class WithId(Named):
    """Arguments with what is injected."""

    tool_call_id: Annotated[str, InjectedToolCallId]


async def by_function(name: str, tool_call_id: Annotated[str, InjectedToolCallId]) -> str:
    """Restart a worker."""
    return f"{name} by {tool_call_id}"


async def by_default(name: str, tool_call_id: Annotated[str, InjectedToolCallId] = "") -> str:
    """Restart a worker."""
    return f"{name} by {tool_call_id}"


async def by_schema(name: str, tool_call_id: str) -> str:
    """Restart a worker."""
    return f"{name} by {tool_call_id}"


@pytest.mark.parametrize(
    ("function", "schema"),
    [(by_function, None), (by_function, Named), (by_default, None), (by_schema, WithId)],
    ids=["by function", "left out of the schema", "with a default", "by schema"],
)
async def test_a_tool_gets_the_id_of_its_call(data_dir: Path, function: Any, schema: type[BaseModel] | None) -> None:
    made = StructuredTool.from_function(
        coroutine=function, name="restart", args_schema=schema, metadata={"read_only": True}
    )
    update = await _run(data_dir, made)
    assert update["evidence"][0].text == "7 by r:b.q1"


async def of_state(name: str, state: Annotated[dict[str, Any], InjectedState]) -> str:
    """Restart a worker."""
    return f"{name} of {state}"


async def of_store(name: str, store: Annotated[Any, InjectedStore()]) -> str:
    """Restart a worker."""
    return f"{name} of {store}"


async def of_runtime(name: str, runtime: ToolRuntime) -> str:
    """Restart a worker."""
    return f"{name} of {runtime}"


async def of_nothing(name: str, user: Annotated[str, InjectedToolArg] = "me") -> str:
    """Restart a worker."""
    return f"{name} of {user}"


@pytest.mark.parametrize(
    ("function", "schema", "wants"),
    [
        (of_state, None, "state"),
        (of_state, Named, "state"),
        (of_store, None, "store"),
        (of_runtime, None, "runtime"),
        (of_runtime, Named, "runtime"),
    ],
)
def test_a_tool_that_only_an_agent_can_call_is_told_at_once(
    function: Any, schema: type[BaseModel] | None, wants: str
) -> None:
    made = StructuredTool.from_function(coroutine=function, name="restart", args_schema=schema)
    with pytest.raises(ConfigurationError) as caught:
        make_deps(sources=[], tools=[made])
    assert str(caught.value) == (
        f"the tool 'restart' wants {wants!r} injected, which only an agent of LangGraph's does: "
        "give it a default, or pass a tool that has it"
    )


async def test_what_may_be_injected_may_be_left_out(data_dir: Path) -> None:
    made = StructuredTool.from_function(coroutine=of_nothing, name="restart", metadata={"read_only": True})
    assert (await _run(data_dir, made))["evidence"][0].text == "7 of me"


async def test_what_a_model_in_a_tool_says_is_not_streamed(data_dir: Path) -> None:
    """Nobody has checked it: what the tool then gives is evidence, and the answer is checked against that."""
    model = FakeListChatModel(responses=["an unchecked draft"])

    async def restart_worker(name: str) -> str:
        """Restart a worker."""
        await model.ainvoke(name)
        return f"worker {name} was restarted"

    made = StructuredTool.from_function(coroutine=restart_worker, metadata={"read_only": True})
    graph = graph_for(data_dir, tools=[made], context=Settings(interactive=False, switches=UNJUDGED))
    stream: Any = graph.astream(NAMED, config(), stream_mode="messages")
    said = "".join([message.content async for message, _ in stream])
    assert "draft" not in said
    assert "worker 7 was restarted" in said


@pytest.mark.parametrize("kept", [None, InMemoryStore()], ids=["no store", "store"])
async def test_a_call_that_was_begun_is_not_made_again(data_dir: Path, kept: InMemoryStore | None) -> None:
    """By the same process, a second time; by another one that finds the intent in the checkpoint."""
    log: list[str] = []
    first = deps_for(data_dir, tools=[tool(log, read_only=False)])
    job = StepTask(
        step=CALL, task=Task(text="x"), allowance=LEASE, verdict=APPROVED, intent=INTENT.replace(holder=first.holder)
    )
    runtime: Runtime[Context] = Runtime(context=Settings(), store=kept)
    await step(first)(job, runtime)
    for deps in (first, deps_for(data_dir, tools=[tool(log, read_only=False)])):
        (result,) = (await step(deps)(job, runtime))["results"]
        assert result.failure.kind is FailureKind.UNKNOWN
        assert not result.final
    assert log == ["7"]


class Away(InMemoryStore):
    """A store that cannot be reached."""

    async def abatch(self, ops: Any) -> Any:
        raise ConnectionError


class Hanging(InMemoryStore):
    """A store that takes a question and never answers."""

    async def abatch(self, ops: Any) -> Any:
        await asyncio.sleep(60.0)


@pytest.mark.parametrize("kept", [Away(), Hanging()], ids=["away", "hangs"])
async def test_without_the_stores_word_nothing_is_changed(
    data_dir: Path, kept: InMemoryStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("calibrant.nodes.calling.calls.PATIENCE_S", 0.05)
    log: list[str] = []
    deps = deps_for(data_dir, tools=[tool(log, read_only=False)])
    job = StepTask(step=CALL, task=Task(text="x"), allowance=LEASE, verdict=APPROVED, intent=INTENT)
    async with asyncio.timeout(5.0):
        (result,) = (await step(deps)(job, Runtime(context=Settings(), store=kept)))["results"]
    assert (log, result.failure.where, result.begun) == ([], "the store", False)


async def test_a_call_that_was_only_planned_is_made_by_another_process_if_the_store_knows(data_dir: Path) -> None:
    log: list[str] = []
    job = StepTask(step=CALL, task=Task(text="x"), allowance=LEASE, verdict=APPROVED, intent=INTENT)
    deps = deps_for(data_dir, tools=[tool(log, read_only=False)])
    await step(deps)(job, Runtime(context=Settings()))
    assert log == []
    await step(deps)(job, Runtime(context=Settings(), store=InMemoryStore()))
    assert log == ["7"]


async def test_a_task_that_an_earlier_version_stored_is_asked_about(data_dir: Path) -> None:
    log: list[str] = []
    deps = deps_for(data_dir, tools=[tool(log, read_only=False)])
    job = StepTask(step=CALL, task=Task(text="x"), allowance=LEASE, verdict=APPROVED)
    (result,) = (await step(deps)(job, Runtime(context=Settings(), store=InMemoryStore())))["results"]
    assert (log, result.failure.kind) == ([], FailureKind.UNKNOWN)


async def test_a_tool_that_keeps_failing_is_left_alone_unless_a_person_says_otherwise(data_dir: Path) -> None:
    log: list[str] = []

    async def restart(name: str) -> str:
        """Restart a worker."""
        log.append(name)
        raise ConnectionError

    made = StructuredTool.from_function(coroutine=restart, name="restart", metadata={"read_only": True})
    deps = deps_for(data_dir, tools=[made])
    job = StepTask(step=CALL, task=Task(text="x"), allowance=LEASE, intent=INTENT.replace(changes=False))
    results = [(await step(deps)(job, Runtime(context=Settings())))["results"][0] for _ in range(4)]
    assert [result.failure.kind for result in results] == [FailureKind.UNAVAILABLE] * 3 + [FailureKind.LEFT_ALONE]
    assert results[-1].final
    assert len(log) == 3
    said = job.replace(previous=results[-1].replace(tries=0, final=False))
    await step(deps)(said, Runtime(context=Settings()))
    assert len(log) == 4


def _state(*results: SubResult, guidance: tuple[Guidance, ...] = ()) -> View:
    return View(
        run=Run(id="r", question="q"),
        selected=Branch(id="b", name="b", steps=(CALL, Step(id="b.q2", question="then", depends_on=("b.q1",)))),
        results=results,
        guidance=guidance,
    )


def test_a_call_that_changes_something_waits_for_approval() -> None:
    state = _state()
    assert state.selected is not None
    writing, reading = tool([], read_only=False), tool([], read_only=True)
    (pending,) = needs_approval(state, state.selected, {"restart": writing})
    assert (pending.tool, pending.arguments, pending.id) == ("restart", {"name": "7"}, "r:b.q1")
    assert needs_approval(state, state.selected, {"restart": reading}) == ()
    given = Guidance(
        request_id="q", phase=Phase.ACT, kind="approval", action="approve",
        calls=(CallAnswer(id="r:b.q1", action=ApprovalAction.APPROVE),),
    )  # fmt: skip
    assert needs_approval(_state(guidance=(given,)), state.selected, {"restart": writing}) == ()


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("Restart worker 7, please.", "restart changes something: it needs approval"),
        ("Reinicie o worker 7, por favor.", "restart altera algo: precisa de aprovação"),
        ("¿Cómo puedo hacerlo mejor?", "restart changes something: it needs approval"),
    ],
)
async def test_approval_is_asked_for_in_the_language_of_the_answer(data_dir: Path, text: str, told: str) -> None:
    branch = Branch(id="b", name="b", steps=(CALL,))
    run, task = Run(id="r", question=text, interactive=True), understand(ToUnderstand(text)).value
    state = View(run=run, perceived=task, branches=(branch,), selected=branch)
    context = Settings(switches={"confidence": False})
    update = await act(deps_for(data_dir, tools=[tool([], read_only=False)]))(state, Runtime(context=context))
    assert update["pending"].reasons == (told,)


def _failed(attempts: int) -> SubResult:
    failure = Failure(kind=FailureKind.TIMEOUT, where="restart", message="no answer")
    return SubResult(
        id="b.q1",
        question="Restart worker 7",
        status=StepStatus.FAILED,
        failure=failure,
        attempts=attempts,
        tries=attempts,
        alike=attempts,
    )


def test_steps_wait_for_what_they_depend_on_and_failures_are_tried_three_times() -> None:
    state = _state()
    assert state.selected is not None
    assert [one.id for one in ready(state.selected, ())] == ["b.q1"]
    assert [one.id for one in ready(state.selected, (_failed(1),))] == ["b.q1"]
    assert [one.id for one in unfinished(state.selected, (_failed(3),))] == ["b.q2"]


def test_three_identical_failures_reach_the_threshold_for_asking() -> None:
    (signal,) = in_results((_failed(3),), attempt=4)
    assert signal.kind is SignalKind.REPEATED_FAILURE
    assert uncertainty_score((signal,), Phase.ACT) == 5


def test_failures_are_alike_only_if_they_are_the_same() -> None:
    timeout = _failed(1)
    assert timeout.failure is not None
    other = timeout.replace(failure=timeout.failure.replace(message="another reason"))
    twice = with_attempts(timeout, timeout)
    assert (twice.attempts, twice.alike) == (2, 2)
    changed = with_attempts(other, twice)
    assert (changed.attempts, changed.alike) == (3, 1)
    assert [one.kind for one in in_results((changed,), attempt=4)] == [SignalKind.UNEXPLAINED_TIMEOUT]
    thrice = with_attempts(timeout, twice)
    assert [one.kind for one in in_results((thrice,), attempt=4)] == [SignalKind.REPEATED_FAILURE]


def test_a_missing_resource_counts_once_an_attempt() -> None:
    missing = _failed(1).replace(failure=Failure(kind=FailureKind.MISSING, where="restart", message="no such file"))
    signals = (*in_results((missing,), 1), *in_results((missing.replace(attempts=2),), 2), *in_results((missing,), 2))
    assert uncertainty_score(signals, Phase.ACT) == 4


def asking(answers: list[Any], *, read_only: bool) -> StructuredTool:
    """A tool that asks a person by itself."""

    async def restart(name: str) -> str:
        """Restart a worker."""
        answers.append(interrupt({"when": name}))
        return f"worker {name} restarts {answers[-1]}"

    return StructuredTool.from_function(coroutine=restart, name="restart_worker", metadata={"read_only": read_only})


UNJUDGED = {"confidence": False}
NAMED = {"task": 'Use restart_worker with name="7".'}


@pytest.mark.parametrize("store", [None, InMemoryStore()], ids=["no store", "store"])
@pytest.mark.parametrize("read_only", [True, False])
async def test_a_tool_may_ask_a_person_by_itself(data_dir: Path, read_only: bool, store: InMemoryStore | None) -> None:
    answers: list[Any] = []
    made = asking(answers, read_only=read_only)
    graph = graph_for(data_dir, tools=[made], store=store, context=Settings(interactive=True, switches=UNJUDGED))
    await graph.ainvoke(NAMED, config())
    if not read_only:
        assert (await asked(graph))["kind"] == "approval"
        await answer(graph, {"action": "approve"})
    assert await asked(graph) == {"when": "7"}
    state = await answer(graph, "at noon")
    assert answers == ["at noon"]
    assert "worker 7 restarts at noon" in state.answer
    assert state.results[0].attempts == 1


async def test_where_nobody_is_there_a_tool_that_asks_has_failed(data_dir: Path) -> None:
    answers: list[Any] = []
    made = asking(answers, read_only=True)
    graph = graph_for(data_dir, tools=[made], context=Settings(interactive=False, switches=UNJUDGED))
    await graph.ainvoke(NAMED, config())
    failure = (await state_of(graph)).results[0].failure
    assert failure is not None
    assert (failure.kind, failure.message, answers) == (FailureKind.REFUSED, NOBODY, [])


async def test_a_tool_that_breaks_off_its_own_work_breaks_nothing_else(data_dir: Path) -> None:
    async def restart(name: str) -> str:
        """Restart a worker."""
        raise asyncio.CancelledError

    made = StructuredTool.from_function(coroutine=restart, name="restart", metadata={"read_only": True})
    (result,) = (await _run(data_dir, made))["results"]
    assert (result.status, result.failure.message) == (StepStatus.FAILED, "it broke off its own work")


async def test_a_run_that_is_stopped_stops_its_tools(data_dir: Path) -> None:
    async def restart(name: str) -> str:
        """Restart a worker."""
        await asyncio.sleep(60)
        return name

    made = StructuredTool.from_function(coroutine=restart, name="restart", metadata={"read_only": True})
    task = asyncio.create_task(_run(data_dir, made))
    await asyncio.sleep(0.1)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task


def test_tools_and_sources_have_names_of_their_own(data_dir: Path) -> None:
    with pytest.raises(ConfigurationError, match="two tools are named 'restart'"):
        deps_for(data_dir, tools=[tool([], read_only=True), tool([], read_only=False)])
    (source,) = deps_for(data_dir).sources.values()
    with pytest.raises(ConfigurationError, match="two sources are named 'knowledge'"):
        deps_for(data_dir, sources=[source, source])


@pytest.mark.parametrize(
    ("given", "line"),
    [
        ({"model": "gpt-5"}, "a str is no chat model: pass one of LangChain's, such as ChatOpenAI(...), as it is"),
        ({"embeddings": "minilm"}, "a str is no embeddings: pass LangChain's Embeddings, or a TextEncoder"),
        (
            {"context": {"power": 2}},
            "a dict is no context: pass calibrant.graph.settings.Settings(...) with what it names",
        ),
        ({"sources": Plain()}, "a Plain is no list of sources: put it into one: sources=[...]"),
        (
            {"sources": [Plain]},
            "the class Plain is no source (name, remote, async search): pass one that is made of it",
        ),
        ({"tools": tool([], read_only=True)}, "a StructuredTool is no list of tools: put it into one: tools=[...]"),
        (
            {"recorder": []},
            "a list is no recorder (async record): pass calibrant.graph.runs.RunLog(folder), or one like it",
        ),
        ({"pages": "web"}, "a str is no page reader: pass calibrant.retrievers.pages.PageReader(...)"),
        (
            {"tools": [len]},
            "a builtin_function_or_method is no tool: decorate a function with langchain_core.tools.tool",
        ),
    ],
)
def test_what_is_something_else_is_told_at_once(given: dict[str, Any], line: str) -> None:
    with pytest.raises(ConfigurationError) as caught:
        make_deps(**{"sources": [], **given})
    assert str(caught.value) == line


def test_a_store_that_is_none_is_told_at_once() -> None:
    wrong: Any = {}
    with pytest.raises(ConfigurationError, match="a dict is no store: pass one of LangGraph's"):
        build_graph(sources=[], store=wrong)


def test_what_is_no_source_is_told_at_once(data_dir: Path) -> None:
    with pytest.raises(ConfigurationError, match=r"a Plain is no source .*LangChainSource"):
        deps_for(data_dir, sources=[Plain()])


async def test_a_call_that_nobody_approves_leaves_what_is_to_be_answered_again(data_dir: Path) -> None:
    """A search has found something new for a question without an answer, and in the same phase a call is refused."""
    asked = Step(id="q", question="How often is a failed job retried?")
    branch = Branch(id="b", name="b", steps=(asked, CALL))
    searched = Decision(
        id="d", phase=Phase.ACT, action=Action.RETRIEVE, rule=Rule.SEARCH, reason="", thresholds=PhaseThresholds().act
    )
    state = View(
        perceived=Task(text="x", understanding=1.0),
        run=Run(id="r", question="x", interactive=False),
        branches=(branch,),
        selected=branch,
        results=(SubResult(id="q", question=asked.question, status=StepStatus.UNANSWERED),),
        decisions=(searched,),
        retrievals=(RetrievalResult(id="r", query="q", new_ids=("e1",)),),
        steps_left=100,
    )
    settings = Settings(interactive=False, switches={"confidence": False})
    update = await act(deps_for(data_dir, tools=[tool([], read_only=False)]))(state, Runtime(context=settings))
    assert update["decisions"][-1].rule is Rule.UNAPPROVED
    merged = {result.id: result.status for result in update["results"]}
    assert merged == {"q": StepStatus.REOPENED, CALL.id: StepStatus.SKIPPED}
