"""Any MCP server's search tool as a source. https://modelcontextprotocol.io/specification/2025-06-18/server/tools

Connections are those of langchain-mcp-adapters (``{"transport": "stdio", "command": ..., "args": [...]}``,
``{"transport": "streamable_http", "url": ...}``); an entry of the settings may leave out the transport (``mcp_entry``).
A tool's result is structured content that fits its output schema, or blocks: text (often JSON), embedded resources,
links to resources; all of them are read.
"""

import json
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from typing import TYPE_CHECKING, Any

from calibrant.retrievers.excerpt import dicts, pieces_of
from calibrant.retrievers.findings import Result, evidence_of, moment, web_address, words
from calibrant.state.errors import CalibrantError, SourceError
from calibrant.state.evidence import Evidence, SearchQuery

if TYPE_CHECKING:
    from mcp import ClientSession, Tool
    from mcp.types import CallToolResult

Opening = Callable[[], "AbstractAsyncContextManager[ClientSession]"]

_SEARCHING = ("search", "retriev", "query", "find", "lookup")
_QUERIES = ("query", "q", "question", "search_query", "text", "input", "keywords", "prompt")
_LIMITS = ("limit", "max_results", "maxResults", "top_k", "k", "n", "count", "num_results")
_LISTS = ("results", "documents", "items", "hits", "data", "matches", "result", "sources", "content")
_TEXTS = (
    "text", "content", "snippet", "summary", "passage", "description", "page_content", "body", "context", "excerpt",
    "answer",
)  # fmt: skip
_URLS = ("url", "link", "uri", "href", "source", "contentUrl", "html_url")
_WEB = ("http://", "https://")
_TITLES = ("title", "name", "heading")
_DATES = ("published", "published_date", "publishedAt", "date", "updated")
_DEEPEST = 5

Item = dict[str, Any]


class MCPSource:
    """A search tool of an MCP server. One session a search: a server that died is a new one next time."""

    remote = True

    def __init__(
        self,
        connection: Mapping[str, Any] | Opening,
        name: str = "mcp",
        tool: str = "",
        arguments: Mapping[str, Any] | None = None,
    ) -> None:
        """``tool``: empty for the first that looks like a search. ``arguments``: what else it is given.
        ``connection`` may also be a function that opens a session."""
        self.name = name
        self._open = connection if callable(connection) else _opening(connection)
        self._tool = tool
        self._arguments = dict(arguments or {})

    async def search(self, query: SearchQuery) -> list[Evidence]:
        """The tool's results as evidence."""
        try:
            async with self._open() as session:
                await session.initialize()
                tool = _chosen(await _tools(session), self._tool)
                result = await session.call_tool(tool.name, _given(tool, query, self._arguments))
        except Exception as error:  # the client's task groups wrap what happened, ours included
            raise self._failure(error) from error
        if result.isError:
            raise SourceError(f"{self.name}: the tool reported an error")
        return await evidence_of(self.name, query, list(_items(result)), _result)

    def _failure(self, error: BaseException) -> CalibrantError:
        """One safe line. Foreign messages may hold the environment of a server or the address with a key."""
        error = innermost(error)
        if isinstance(error, CalibrantError):
            return error
        return SourceError(f"{self.name}: the MCP server cannot be used ({type(error).__name__})")


def innermost(error: BaseException) -> BaseException:
    """What the client's task groups are wrapped around."""
    while isinstance(error, BaseExceptionGroup) and len(error.exceptions) == 1:
        error = error.exceptions[0]
    return error


def _opening(connection: Mapping[str, Any]) -> Opening:
    def open_session() -> "AbstractAsyncContextManager[ClientSession]":
        from langchain_mcp_adapters.sessions import create_session

        given: Any = dict(connection)
        return create_session(given)

    return open_session


async def _tools(session: "ClientSession") -> list["Tool"]:
    """All tools of a server, which may list them page by page."""
    page = await session.list_tools()
    tools = list(page.tools)
    while page.nextCursor:
        page = await session.list_tools(page.nextCursor)
        tools += page.tools
    return tools


def _chosen(tools: Sequence["Tool"], wanted: str) -> "Tool":
    """The tool of that name, else the first that searches by its name, else by its description."""
    if wanted:
        found = next((tool for tool in tools if tool.name == wanted), None)
        if found is None:
            raise SourceError(f"the MCP server has no tool called {wanted[:60]!r}")
        return found
    usable = [tool for tool in tools if _query_argument(tool)]
    for said in ([tool.name.lower() for tool in usable], [(tool.description or "").lower() for tool in usable]):
        for tool, text in zip(usable, said, strict=True):
            if any(word in text for word in _SEARCHING):
                return tool
    raise SourceError("the MCP server has no tool that searches")


def _given(tool: "Tool", query: SearchQuery, more: Mapping[str, Any]) -> dict[str, Any]:
    """The arguments by the tool's schema: the query, and how many results where it can be told."""
    argument = _query_argument(tool)
    if not argument:
        raise SourceError(f"the tool {tool.name[:60]!r} takes no text to search for")
    properties = _properties(tool)
    limit = {name: min(query.limit, _most(properties[name])) for name in _LIMITS if name in properties}
    return {**dict(list(limit.items())[:1]), argument: query.text, **more}


def _query_argument(tool: "Tool") -> str:
    """The argument that takes the question: by its usual names, else the only required string."""
    properties = _properties(tool)
    for name in _QUERIES:
        if name in properties:
            return name
    required = [name for name in tool.inputSchema.get("required") or [] if _is_text(properties.get(name))]
    return str(required[0]) if len(required) == 1 else ""


def _properties(tool: "Tool") -> Mapping[str, Any]:
    held = tool.inputSchema.get("properties")
    return held if isinstance(held, dict) else {}


def _most(schema: Any) -> int:
    """The most that an argument may be: a server refuses a call that asks for more."""
    parts = schema.get("anyOf", [schema]) if isinstance(schema, dict) else []
    told = [part.get("maximum") for part in dicts(parts)]
    return min((int(one) for one in told if isinstance(one, int | float)), default=sys.maxsize)


def _is_text(schema: Any) -> bool:
    return isinstance(schema, dict) and schema.get("type") == "string"


def _items(result: "CallToolResult") -> Iterator[Item]:
    """The results in what the tool gave: structured content first, since the text then says the same again."""
    structured = list(_listed(result.structuredContent))
    if structured:
        yield from structured
        return
    for block in result.content:
        if block.type == "text":
            yield from _from_text(block.text)
        elif block.type == "resource":
            text = getattr(block.resource, "text", "")  # binary resources have none
            yield {"text": text, "url": str(block.resource.uri)}
        elif block.type == "resource_link":
            yield {"title": block.title or block.name, "text": block.description or "", "url": str(block.uri)}


def _from_text(text: str) -> Iterator[Item]:
    """JSON where it is JSON, else the text as one result."""
    try:
        held = json.loads(text)
    except (ValueError, RecursionError):
        held = None
    found = list(_listed(held))
    yield from found if found or _may_list(held) else [{"text": text}]


def _may_list(held: Any) -> bool:
    """Whether a JSON value without results says that there are none: it has a place for them."""
    parts = held.values() if isinstance(held, dict) else ()
    return held == {} or isinstance(held, list) or any(isinstance(part, list | dict) for part in parts)


def _listed(held: Any, depth: int = 0) -> Iterator[Item]:
    """The results in a JSON value: a list, a list under one of the usual names, one result alone, or the longest list
    under any other name."""
    if isinstance(held, list):
        yield from (item if isinstance(item, dict) else {"text": item} for item in held)
    elif isinstance(held, dict):
        lists = [held[name] for name in _LISTS if isinstance(held.get(name), list | dict)]
        if lists and depth < _DEEPEST:
            yield from _listed(lists[0], depth + 1)
        elif isinstance(held.get("result"), str):  # how servers wrap a tool that returns plain text
            yield from _from_text(held["result"])
        elif any(words(held.get(name)) for name in _TEXTS):
            yield held
        else:
            yield from _listed(max((part for part in held.values() if isinstance(part, list)), key=len, default=[]))


def _result(item: Item) -> Result | None:
    text = next((words(item.get(name)) for name in _TEXTS if words(item.get(name)).strip()), "")
    title = next((words(item.get(name)) for name in _TITLES if words(item.get(name))), "")
    if not text and not title:
        return None
    address = next((words(item.get(name)) for name in _URLS if words(item.get(name)).startswith(_WEB)), "")
    return Result(
        title or text[:80].split("\n")[0],
        web_address(address) if address else "",
        pieces_of(text or title, "markdown"),
        words(item.get("author")),
        next((when for name in _DATES if (when := moment(item.get(name)))), None),
    )
