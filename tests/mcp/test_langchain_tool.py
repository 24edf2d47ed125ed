"""``retrieve_information`` as a LangChain tool."""

import json
from pathlib import Path

import pytest
from langchain_core.messages import AIMessage
from langchain_core.runnables import RunnableConfig
from langchain_core.tools import ToolException
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.graph import START, MessagesState, StateGraph
from langgraph.prebuilt import ToolNode
from pydantic import ValidationError

from calibrant.graph import retrieve_information_tool
from calibrant.graph.retrieval import information_graph
from calibrant.graph.settings import Settings
from calibrant.graph.tool import tool_over
from calibrant.nodes.retrieval.open_request import ToolInput
from calibrant.nodes.toolbox import is_read_only
from calibrant.state.tool_output import ToolOutput
from tests.graph.house import deps_for
from tests.mcp.house import PLAIN, Hanging


def test_it_is_read_only_and_takes_what_the_graph_takes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CALIBRANT_EMBEDDINGS", "none")
    tool = retrieve_information_tool(sources=[Hanging()], context=Settings(interactive=False))
    assert tool.name == "retrieve_information"
    assert is_read_only(tool)
    assert set(tool.args) == set(ToolInput.model_fields)


async def test_it_gives_the_specified_output_as_plain_data(data_dir: Path) -> None:
    tool = tool_over(information_graph(deps_for(data_dir), Settings))
    left_out: dict[str, None] = dict.fromkeys(("sources", "power"))  # as models write what they leave out
    found = await tool.ainvoke({"query": PLAIN, "context": "a runbook", "max_results": 1, **left_out})
    assert set(found) == set(ToolOutput.__annotations__)
    assert json.loads(json.dumps(found)) == found
    assert "five times" in found["documents"][0]["text"]
    assert len(found["documents"]) == len(found["rounds"]) == 1


async def test_an_agent_gets_a_message(data_dir: Path) -> None:
    tool = tool_over(information_graph(deps_for(data_dir), Settings))
    call = {"name": tool.name, "args": {"query": PLAIN}, "id": "c1", "type": "tool_call"}
    message = await tool.ainvoke(call)
    assert message.tool_call_id == "c1"
    assert json.loads(message.content)["new_confidence"] > 0.5


@pytest.mark.parametrize("checkpointer", [None, InMemorySaver()], ids=["stateless", "stored"])
async def test_within_another_graph_it_gives_the_same(data_dir: Path, checkpointer: InMemorySaver | None) -> None:
    tool = tool_over(information_graph(deps_for(data_dir), Settings))
    agent = StateGraph(MessagesState).add_node("tools", ToolNode([tool])).add_edge(START, "tools")
    call = AIMessage("", tool_calls=[{"id": "1", "name": tool.name, "args": {"query": PLAIN}, "type": "tool_call"}])
    config = RunnableConfig(configurable={"thread_id": "1"})
    ended = await agent.compile(checkpointer=checkpointer).ainvoke({"messages": [call]}, config)
    told = json.loads(ended["messages"][-1].content)
    assert told["new_confidence"] == (await tool.ainvoke({"query": PLAIN}))["new_confidence"]
    assert "five times" in told["documents"][0]["text"]


@pytest.mark.parametrize(
    ("given", "line"),
    [
        ({"query": " "}, "the query is empty"),
        ({"query": "x" * 20_001}, "20,000 at most"),
        ({"query": "x", "sources": ["moon"]}, "'moon'"),
    ],
)
async def test_what_a_caller_can_put_right_is_one_line(data_dir: Path, given: dict[str, object], line: str) -> None:
    tool = tool_over(information_graph(deps_for(data_dir), Settings))
    with pytest.raises(ToolException, match=line):
        await tool.ainvoke(given)
    with pytest.raises(ValidationError):
        await tool.ainvoke({**given, "max_results": 0})


async def test_an_argument_that_there_is_not_is_refused(data_dir: Path) -> None:
    """As the MCP server does: passed over, it would seem to narrow the search. ``ToolNode`` tells the agent."""
    tool = tool_over(information_graph(deps_for(data_dir), Settings))
    with pytest.raises(ValidationError, match="limit"):
        await tool.ainvoke({"query": PLAIN, "limit": 1})
    agent = StateGraph(MessagesState).add_node("tools", ToolNode([tool])).add_edge(START, "tools").compile()
    given = {"query": PLAIN, "limit": 1}
    call = AIMessage("", tool_calls=[{"id": "1", "name": tool.name, "args": given, "type": "tool_call"}])
    ended = await agent.ainvoke({"messages": [call]})
    assert ended["messages"][-1].status == "error"
    assert "limit" in ended["messages"][-1].content
