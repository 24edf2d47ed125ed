"""The tools of the configured MCP servers, for ``act``. https://modelcontextprotocol.io/specification/2025-06-18/server/tools

Listed when a run first needs them and then kept, so that building the graph asks nobody. Each listing and each call
opens a session of its own and closes it: nothing is left open, and a server that died is a new one next time.
"""

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from langchain_core.runnables.config import ensure_config
from langchain_core.tools import BaseTool

from calibrant.nodes.deps import Offered
from calibrant.retrievers.breaker import Breaker, SourceSkipped
from calibrant.retrievers.mcp import innermost
from calibrant.retrievers.mcp_entry import connection_of

if TYPE_CHECKING:
    from langchain_mcp_adapters.interceptors import MCPToolCallRequest, ToolCallInterceptor

KEYS = ("idempotency_key", "call_id")
"""The same key means the same call, tried again; each try has its own id."""

LISTING_S = 10.0
"""A server that does not list its tools in this time is left out."""

REST_S = 60.0
"""How long it is left alone then."""


class ServerTools:
    """``await tools()`` gives what the servers offer. An entry with ``act: false`` is a source alone."""

    def __init__(self, servers: Mapping[str, Mapping[str, Any]]) -> None:
        self._servers = {name: entry for name, entry in servers.items() if entry.get("act", True)}
        self._held: dict[str, Sequence[BaseTool]] = {}
        self._breakers = {name: Breaker(name, failures=1, rest=REST_S) for name in self._servers}

    async def __call__(self) -> Offered:
        """The tools by name. Where two servers have one name, the later server's gets its server's name in front."""
        warnings = await asyncio.gather(*(self._listed(name) for name in self._servers if name not in self._held))
        tools: dict[str, BaseTool] = {}
        for server in self._servers:
            for tool in self._held.get(server, ()):
                name = tool.name if tool.name not in tools else f"{server}_{tool.name}"
                tools[name] = tool if name == tool.name else tool.model_copy(update={"name": name})
        return Offered(tools, tuple(filter(None, warnings)))

    async def _listed(self, name: str) -> str:
        """Ask one server for its tools; a line if it cannot be asked."""
        entry = self._servers[name]
        breaker = self._breakers[name]
        try:
            breaker.admit()
            async with asyncio.timeout(LISTING_S):
                found = await list_tools(name, connection_of(entry))
        except SourceSkipped:
            return _warning(name, "it failed a moment ago")
        except Exception as error:  # noqa: BLE001 - its message may hold the environment of a server or a key
            breaker.fail()
            return _warning(name, type(innermost(error)).__name__)
        except BaseException:
            breaker.release()
            raise
        breaker.succeed()
        # The tool that searches is asked by the source of this name.
        self._held[name] = [tool for tool in found if tool.name != entry.get("tool")]
        return ""


async def list_tools(name: str, connection: Mapping[str, Any]) -> Sequence[BaseTool]:
    """What the server at ``connection`` offers, with its annotations as metadata. Its errors are raised."""
    from langchain_mcp_adapters.tools import load_mcp_tools

    given: Any = dict(connection)
    return await load_mcp_tools(
        None, connection=given, server_name=name, handle_tool_errors=False, tool_interceptors=[keyed(given)]
    )


def keyed(connection: Any) -> "ToolCallInterceptor":
    """Sends what tells one call from another (``KEYS`` of the run's metadata) as ``_meta`` of the request, so that a
    server can know a call that it has already done. The adapter itself sends none: such a call is made here.

    https://modelcontextprotocol.io/specification/2025-06-18/basic#meta
    """

    async def intercept(request: "MCPToolCallRequest", handler: Callable[..., Awaitable[Any]]) -> Any:
        known = ensure_config().get("metadata") or {}
        meta = {key: known[key] for key in KEYS if key in known}
        return await _call(connection, request, meta) if meta else await handler(request)

    return intercept


async def _call(connection: Any, request: "MCPToolCallRequest", meta: dict[str, Any]) -> Any:
    """The server's answer, by a session of its own."""
    from langchain_mcp_adapters.sessions import create_session

    failed: Exception | None = None
    async with create_session(connection) as session:
        await session.initialize()
        try:
            return await session.call_tool(request.name, request.args, meta=meta)
        except Exception as error:  # noqa: BLE001 - raised below: leaving the session may swallow it
            failed = error
    raise failed


def _warning(name: str, why: str) -> str:
    return f"The tools of the MCP server {name} could not be listed ({why}); the run goes on without them."
