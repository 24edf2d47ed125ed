"""Search tools of a real MCP server, in memory and over stdio."""

import sys
from pathlib import Path
from typing import Any

import pytest
from mcp.server.fastmcp import FastMCP
from mcp.server.lowlevel import Server
from mcp.shared.memory import create_connected_server_and_client_session
from mcp.types import ListToolsRequest, ListToolsResult, TextContent, Tool

from calibrant.retrievers.mcp import MCPSource
from calibrant.state.errors import SourceError
from calibrant.state.evidence import SearchQuery
from tests.sources import mcp_server

QUERY = SearchQuery(text="What does a semaphore limit?", limit=5)
STDIO = {"transport": "stdio", "command": sys.executable, "args": [str(Path(mcp_server.__file__))]}


def _source(tool: str = "", server: FastMCP = mcp_server.server, **more: Any) -> MCPSource:
    """Over memory streams."""
    return MCPSource(lambda: create_connected_server_and_client_session(server), "library", tool, **more)


async def test_the_tool_that_searches_is_found_over_stdio() -> None:
    first, second = await MCPSource(STDIO, "library").search(QUERY)
    assert (first.source, first.url, first.title) == ("library", "https://example.org/s", "Semáforo")
    assert (first.relevance, first.author) == (1.0, QUERY.text)
    assert (second.text, second.url) == ("Something else.", "")
    assert second.published is not None


async def test_a_server_that_dies_or_is_not_there_is_a_failure() -> None:
    with pytest.raises(SourceError, match="library: the MCP server cannot be used"):
        await MCPSource(STDIO, "library", "dies").search(QUERY)
    with pytest.raises(SourceError, match="cannot be used"):
        await MCPSource({**STDIO, "command": "/no/such/program"}, "library").search(QUERY)
    with pytest.raises(SourceError, match="cannot be used"):
        await MCPSource({"transport": "pigeon"}, "library").search(QUERY)


async def test_the_limit_is_passed_on_where_the_tool_takes_one() -> None:
    assert len(await _source().search(QUERY.replace(limit=1))) == 1
    assert len(await _source(arguments={"limit": 1}).search(QUERY)) == 1
    assert len(await _source("one").search(QUERY)) == 1
    assert len(await _source("one_or_all").search(QUERY)) == 1


@pytest.mark.parametrize(
    ("tool", "texts"),
    [
        ("as_json", ["A semaphore limits concurrency.", "Something else."]),
        ("as_text", [f"A semaphore, about {QUERY.text}"]),
        ("as_blocks", ["A semaphore in text.", "A semaphore embedded.", "A semaphore linked."]),
        ("under_another_name", ["A semaphore limits concurrency.", "Something else."]),
        ("as_object", ['{"verdict": "A semaphore it is."}']),
        ("nothing", []),
        ("none_under_another_name", []),
    ],
)
async def test_every_shape_of_result(tool: str, texts: list[str]) -> None:
    assert [item.text for item in await _source(tool).search(QUERY)] == texts


async def test_a_tool_on_a_later_page_of_the_list_is_found() -> None:
    server: Server[Any, Any] = Server("library")

    @server.list_tools()  # type: ignore[no-untyped-call,untyped-decorator]
    async def listed(request: ListToolsRequest) -> ListToolsResult:
        takes = {"type": "object", "properties": {"query": {"type": "string"}}}
        page = int(request.params.cursor or 1) if request.params else 1
        name = "search_books" if page == 3 else f"lend_{page}"
        after = str(page + 1) if page < 3 else None
        return ListToolsResult(tools=[Tool(name=name, inputSchema=takes)], nextCursor=after)

    @server.call_tool()  # type: ignore[untyped-decorator]
    async def called(name: str, given: dict[str, Any]) -> list[TextContent]:
        return [TextContent(type="text", text=f"{name} found a semaphore")]

    source = MCPSource(lambda: create_connected_server_and_client_session(server), "library")
    assert [item.text for item in await source.search(QUERY)] == ["search_books found a semaphore"]


async def test_errors_of_the_tool_say_nothing_foreign() -> None:
    with pytest.raises(SourceError, match="library: the tool reported an error") as caught:
        await _source("broken").search(QUERY)
    assert "secret" not in str(caught.value)


async def test_a_tool_that_is_not_there_or_does_not_search() -> None:
    with pytest.raises(SourceError, match="no tool called 'missing'"):
        await _source("missing").search(QUERY)
    with pytest.raises(SourceError, match="takes no text"):
        await _source("add").search(QUERY)
    with pytest.raises(SourceError, match="no tool that searches"):
        await _source(server=FastMCP("empty")).search(QUERY)
