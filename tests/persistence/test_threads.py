"""The list of threads: question, time and status, from each kind of checkpointer."""

from collections.abc import AsyncIterator
from datetime import UTC, datetime
from typing import Any

import pytest
from langchain_core.messages import HumanMessage
from langgraph.checkpoint.base import BaseCheckpointSaver
from langgraph.graph import END, START, StateGraph
from langgraph.types import Command, Send, interrupt
from typing_extensions import TypedDict

from calibrant.graph.persistence import open_checkpointer
from calibrant.graph.settings import Machine
from calibrant.graph.threads import ThreadStatus, list_threads, thread_summary
from calibrant.interfaces.commands import threads
from calibrant.state.channels import Run, State
from calibrant.state.task import Intent, StepStatus, SubResult, unknown_calls


@pytest.fixture
async def checkpointer(machine: Machine | None) -> AsyncIterator[BaseCheckpointSaver[str]]:
    async with open_checkpointer(machine) as checkpointer:
        yield checkpointer


def compiled(checkpointer: Any) -> Any:
    """Intake, two branches side by side, and an end. The task says where to stop."""

    async def intake(state: State) -> Any:
        if state["task"] == "crash first":
            raise RuntimeError("killed")
        return {"run": Run(id="r", question=state["task"] or ""), "task": None}

    async def branch(state: Any) -> Any:
        if "crash" in state["question"]:
            raise RuntimeError("killed")
        return {"answer": str(interrupt("?"))} if "ask" in state["question"] else {"answer": "done"}

    def fan_out(state: State) -> list[Send]:
        run = state["run"]
        assert run is not None
        return [Send("branch", {"question": run.question})]

    builder = StateGraph(State)
    builder.add_node("intake", intake)
    builder.add_node("branch", branch)
    builder.add_edge(START, "intake")
    builder.add_conditional_edges("intake", fan_out, ["branch"])
    builder.add_edge("branch", END)
    return builder.compile(checkpointer=checkpointer)


def at(thread_id: str) -> Any:
    return {"configurable": {"thread_id": thread_id}}


async def test_how_each_thread_stands(checkpointer: BaseCheckpointSaver[str]) -> None:
    graph = compiled(checkpointer)
    await graph.ainvoke({"task": "plain"}, at("done"))
    await graph.ainvoke({"task": "ask me"}, at("waiting"))
    for name in ("crash first", "crash later"):
        with pytest.raises(RuntimeError):
            await graph.ainvoke({"task": name}, at(name))
    listed = await list_threads(checkpointer)
    assert [(one.id, one.question, one.status) for one in listed] == [
        ("crash later", "crash later", ThreadStatus.UNFINISHED),
        ("crash first", "crash first", ThreadStatus.UNFINISHED),
        ("waiting", "ask me", ThreadStatus.INTERRUPTED),
        ("done", "plain", ThreadStatus.FINISHED),
    ]
    assert all(abs((datetime.now(UTC) - one.updated).total_seconds()) < 60 for one in listed)


async def test_a_thread_that_goes_on_moves_up_and_finishes(checkpointer: BaseCheckpointSaver[str]) -> None:
    graph = compiled(checkpointer)
    await graph.ainvoke({"task": "ask me"}, at("one"))
    await graph.ainvoke({"task": "plain"}, at("two"))
    assert [one.id for one in await list_threads(checkpointer)] == ["two", "one"]
    await graph.ainvoke(Command(resume="yes"), at("one"))
    listed = await list_threads(checkpointer)
    assert [(one.id, one.status) for one in listed] == [("one", "finished"), ("two", "finished")]
    assert [one.id for one in await list_threads(checkpointer, limit=1)] == ["one"]


async def test_there_is_nothing_to_list(checkpointer: BaseCheckpointSaver[str]) -> None:
    assert await list_threads(checkpointer) == []
    assert await thread_summary(checkpointer, "nowhere") is None


async def test_a_message_is_a_question_too(checkpointer: BaseCheckpointSaver[str]) -> None:
    builder = StateGraph(State)
    builder.add_node("nothing", lambda state: {})
    builder.add_edge(START, "nothing")
    graph: Any = builder.compile(checkpointer=checkpointer)
    await graph.ainvoke({"messages": [HumanMessage("first"), HumanMessage("second")]}, at("m"))
    assert [one.question for one in await list_threads(checkpointer)] == ["second"]


async def test_a_checkpointer_of_another_make(checkpointer: BaseCheckpointSaver[str]) -> None:
    class Other(BaseCheckpointSaver[str]):
        """Only what every checkpointer has."""

        def __init__(self) -> None:
            super().__init__(serde=checkpointer.serde)

        async def aget_tuple(self, config: Any) -> Any:
            return await checkpointer.aget_tuple(config)

        async def alist(self, config: Any, **kwargs: Any) -> Any:
            async for held in checkpointer.alist(config, **kwargs):
                yield held

    await compiled(checkpointer).ainvoke({"task": "plain"}, at("done"))
    assert [one.id for one in await list_threads(Other())] == ["done"]


@pytest.mark.parametrize(("result", "unsure"), [
    (None, ("pay(amount=5)",)),
    (SubResult(id="s1", question="pay", status=StepStatus.ANSWERED), ()),
    (SubResult(id="s1", question="pay", status=StepStatus.FAILED, begun=True), ("pay(amount=5)",)),
    (SubResult(id="s1", question="pay", status=StepStatus.FAILED), ()),
], ids=["no result", "done", "begun", "failed"])  # fmt: skip
async def test_a_call_that_may_have_been_done(
    checkpointer: BaseCheckpointSaver[str], result: SubResult | None, unsure: tuple[str, ...]
) -> None:
    read = Intent(id="r:s2", key="k", step_id="s2", tool="read", changes=False)
    pay = Intent(id="r:s1", key="k", step_id="s1", tool="pay", arguments={"amount": 5})
    builder = StateGraph(State)
    builder.add_node("act", lambda state: {"intents": (pay, read), "results": (result,) if result else ()})
    builder.add_edge(START, "act")
    graph: Any = builder.compile(checkpointer=checkpointer)
    await graph.ainvoke({"task": "pay"}, at("t"))
    (listed,) = await list_threads(checkpointer)
    assert listed.unsure == unsure
    assert unknown_calls([pay.replace(id="r:s1#2")], [result] if result else []) == ("pay(amount=5)",)


async def test_a_thread_of_another_graph_has_no_calls_of_ours(checkpointer: BaseCheckpointSaver[str]) -> None:
    class Theirs(TypedDict):
        intents: list[str]
        results: int

    builder = StateGraph(Theirs)
    builder.add_node("nothing", lambda state: {"intents": ["buy"], "results": 1})
    builder.add_edge(START, "nothing")
    graph: Any = builder.compile(checkpointer=checkpointer)
    await graph.ainvoke({"intents": [], "results": 0}, at("t"))
    assert [one.unsure for one in await list_threads(checkpointer)] == [()]


async def test_threads_are_removed_wherever_they_are_kept(machine: Machine | None) -> None:
    if machine is None:
        pytest.skip("there is nothing to open again")
    async with open_checkpointer(machine) as checkpointer:
        for name in ("plain", "ask me", "other"):
            await compiled(checkpointer).ainvoke({"task": name}, at(name))
    removed = await threads.removed(machine, ["plain", "ask me"], 0.0)
    assert (removed.removed, removed.lost) == (("plain", "ask me"), {"ask me": "a question that waits"})
    async with open_checkpointer(machine) as checkpointer:
        assert [one.id for one in await list_threads(checkpointer)] == ["other"]
