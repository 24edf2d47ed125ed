"""The compiled graph in other hands: as a node of another graph, with a state that is edited and gone on from, under a
recursion limit."""

import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from langchain_core.documents import Document
from langchain_core.language_models.fake_chat_models import FakeListChatModel
from langchain_core.tools import tool
from langgraph.graph import END, START, MessagesState, StateGraph
from langgraph.runtime import Runtime
from langgraph.store.memory import InMemoryStore

from calibrant.graph.recall import memory_source
from calibrant.graph.retrieval import Compiled, information_graph
from calibrant.graph.settings import Settings
from calibrant.graph.wiring import wire
from calibrant.nodes.calling.approval import skipped
from calibrant.nodes.judging.deciding import NO_STEPS
from calibrant.nodes.step import StepTask
from calibrant.retrievers.langchain import LangChainSource
from calibrant.state.budget import StopReason
from calibrant.state.context import Context
from calibrant.state.errors import InputError
from calibrant.state.task import StepStatus
from tests.graph.house import config, deps_for, graph_for, ingest, write_documents
from tests.graph.markets import HAMSTERS, HAMSTERS_WANTED, pages
from tests.sources.retrievers_for_tests import Shelf

QUESTION = "How often is a failed job retried by default?"


@dataclass
class Theirs:
    """The context of another graph: it knows nothing of ours."""

    user: str


def inside_another(graph: Compiled, context_schema: type[Any]) -> Compiled:
    """A graph with a context of its own, whose one node is ``graph``."""
    outer: StateGraph[Any, Any, Any, Any] = StateGraph(MessagesState, context_schema=context_schema)
    outer.add_node("ask", graph)
    outer.add_edge(START, "ask")
    outer.add_edge("ask", END)
    return outer.compile(store=InMemoryStore())


@pytest.mark.parametrize(("schema", "context"), [(Theirs, Theirs("ann")), (dict, {"user": "ann"})])
async def test_the_context_of_the_graph_around_is_not_ours(data_dir: Path, schema: type[Any], context: Any) -> None:
    async def reread(_: Any) -> list[Any]:
        return []

    sources = [*deps_for(data_dir).sources.values(), memory_source(reread, time.time)]
    outer = inside_another(wire(deps_for(data_dir, sources=sources), Settings), schema)
    out = await outer.ainvoke({"messages": [("user", QUESTION)]}, context=context)
    assert [message.type for message in out["messages"]] == ["human", "ai"]
    assert "five times" in out["messages"][-1].content


@pytest.mark.parametrize("context", ["2", 2, ["power"], Theirs("ann")])
@pytest.mark.parametrize(("make", "given"), [(wire, {"task": QUESTION}), (information_graph, {"query": QUESTION})])
async def test_a_context_that_is_none_of_ours_is_refused(
    data_dir: Path, make: Any, given: dict[str, str], context: Any
) -> None:
    """Passed over, its settings would seem to hold."""
    graph = make(deps_for(data_dir), Settings)
    with pytest.raises(InputError, match=rf"^the context is a {type(context).__name__}: expected settings by name"):
        await graph.ainvoke(given, context=context)


@pytest.mark.parametrize("context", [None, {}, {"power": "2"}, Settings(power="2"), Context()])
async def test_a_context_of_ours_may_have_each_form(data_dir: Path, context: Any) -> None:
    out = await wire(deps_for(data_dir), Settings).ainvoke({"task": QUESTION}, context=context)
    assert "five times" in out["answer"]


async def test_a_graph_that_is_called_by_a_node_passes_the_context_of_that_one_over(data_dir: Path) -> None:
    graph = wire(deps_for(data_dir), Settings)

    async def ask(state: MessagesState) -> dict[str, Any]:
        return {"messages": (await graph.ainvoke({"messages": state["messages"]}))["messages"][-1:]}

    outer: Any = StateGraph(MessagesState, context_schema=Theirs).add_node("ask", ask).add_edge(START, "ask").compile()
    out = await outer.ainvoke({"messages": [("user", QUESTION)]}, context=Theirs("ann"))
    assert "five times" in out["messages"][-1].content


async def test_what_a_model_of_a_source_says_is_not_streamed(data_dir: Path) -> None:
    """Nor of a graph that the source runs."""
    model = FakeListChatModel(responses=["A draft."])

    async def say(state: MessagesState) -> dict[str, Any]:
        await model.ainvoke(state["messages"])
        return {}

    drafting = StateGraph(MessagesState).add_node("say", say).add_edge(START, "say").compile()

    class Drafting(Shelf):
        """A retriever with a model of its own."""

        async def _aget_relevant_documents(self, query: str, *, run_manager: Any) -> list[Document]:
            await model.ainvoke(query)
            await drafting.ainvoke({"messages": []})
            return [Document(page_content="A failed job is retried five times by default.")]

    deps = deps_for(data_dir, sources=[LangChainSource(Drafting())])
    for graph, given in (
        (wire(deps, Settings), {"task": QUESTION}),
        (information_graph(deps, Settings), {"query": QUESTION}),
    ):
        stream: Any = graph.astream(given, stream_mode="messages", subgraphs=True)
        assert "A draft." not in "".join([message.text async for _, (message, _) in stream])


async def test_the_context_of_a_run_reaches_its_edges(data_dir: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[float] = []

    def step(_: Any) -> Any:
        async def node(state: StepTask, runtime: Runtime[Context]) -> dict[str, Any]:
            job = StepTask.model_validate(state)
            seen.append(job.allowance.seconds)
            return {"results": (skipped(job.step),)}

        return node

    monkeypatch.setattr("calibrant.graph.wiring.step", step)
    context = Settings(interactive=False, limits={"seconds": 1_000.0}, switches={"confidence": False})
    await graph_for(data_dir).ainvoke({"task": QUESTION}, config(), context=context)
    assert [seconds > 500.0 for seconds in seen] == [True]


NODES = ("intake", "perceive", "reason", "branch", "select", "act", "step", "synthesize", "reflect", "retrieve")


@pytest.mark.parametrize("node", [*NODES, "ask_human"])
@pytest.mark.parametrize("halted", [False, True], ids=["finished", "before act"])
async def test_a_state_may_be_edited_in_the_name_of_any_node_and_gone_on_from(
    data_dir: Path, node: str, halted: bool
) -> None:
    """What Studio does to fork a run."""
    graph = graph_for(data_dir)
    await graph.ainvoke({"task": QUESTION}, config(), interrupt_before=["act"] if halted else [])
    await graph.aupdate_state(config(), {"warnings": ["edited"]}, as_node=node)
    out = await graph.ainvoke(None, config())
    assert out["answer"]
    assert "edited" in out["warnings"]
    assert (await graph.aget_state(config())).next == ()


async def test_an_answer_from_an_edited_state_has_its_own_claims_and_citations(data_dir: Path) -> None:
    graph = graph_for(data_dir)
    first = await graph.ainvoke({"task": QUESTION}, config())
    (result,) = (await graph.aget_state(config())).values["results"]
    refused = result.replace(status=StepStatus.SKIPPED, statements=(), missing="not wanted")
    await graph.aupdate_state(config(), {"results": [refused]}, as_node="act")
    then = await graph.ainvoke(None, config())
    assert first["claims"]
    assert first["citations"]
    assert (then["stop_reason"], then["claims"], then["citations"]) == (StopReason.ABSTAINED, (), ())


@pytest.fixture
def long_run(tmp_path: Path) -> Compiled:
    """A run of ``HAMSTERS_WANTED`` refines twice here, and takes 31 supersteps."""
    ingest(tmp_path / "data", write_documents(tmp_path / "docs", pages(HAMSTERS)))
    return graph_for(tmp_path / "data", context=Settings(interactive=False, quality_threshold=0.99))


@pytest.mark.parametrize(("limit", "refinements"), [(10_007, 2), (33, 2), (32, 1), (25, 1), (24, 1), (23, 0), (14, 0)])
async def test_a_run_ends_with_an_answer_before_the_recursion_limit_ends_it(
    long_run: Compiled, limit: int, refinements: int
) -> None:
    given = {"task": HAMSTERS_WANTED, "power": "2"}
    out = await long_run.ainvoke(given, config() | {"recursion_limit": limit})
    assert out["stop_reason"] is StopReason.ANSWERED
    assert out["spend"].refinements == refinements


async def test_a_limit_without_room_for_a_search_is_named(long_run: Compiled) -> None:
    out = await long_run.ainvoke({"task": HAMSTERS_WANTED}, config() | {"recursion_limit": 12})
    assert out["stop_reason"] is StopReason.ABSTAINED
    assert NO_STEPS in out["warnings"]


async def test_where_langchain_sets_the_limit_a_long_run_ends_too(long_run: Compiled) -> None:
    """25, in a chain, a tool, a batch and here."""
    given = {"task": HAMSTERS_WANTED, "power": "2"}
    events = [event async for event in long_run.astream_events(given, config(), version="v2")]
    assert events[-1]["data"]["output"]["stop_reason"] is StopReason.ANSWERED


@pytest.mark.parametrize(("limit", "tries"), [(10_007, 3), (16, 3), (15, 2), (14, 2), (13, 1), (12, 1)])
async def test_the_tries_of_a_call_end_before_the_limit_does(data_dir: Path, limit: int, tries: int) -> None:
    calls: list[str] = []

    @tool
    async def look_up(name: str) -> str:
        """Look a worker up."""
        calls.append(name)
        raise ValueError(name)

    look_up.metadata = {"read_only": True}
    switches = {"confidence": False, "retrieval": False}
    graph = graph_for(data_dir, tools=[look_up], context=Settings(interactive=False, switches=switches))
    out = await graph.ainvoke({"task": 'Use look_up with name="7".'}, config() | {"recursion_limit": limit})
    assert out["answer"]
    assert len(calls) == tries
