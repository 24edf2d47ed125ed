"""An entry of ``mcp_servers``: what in it is the connection, as langchain-mcp-adapters takes it, and what is ours."""

from collections.abc import Mapping
from typing import Any

OWN = frozenset({"tool", "arguments", "search", "act"})
"""Keys that are not the connection's: see ``mcp_servers`` in the settings."""

TRANSPORTS = ("stdio", "streamable_http", "sse", "websocket")


def connection_of(entry: Mapping[str, Any]) -> dict[str, Any]:
    """The connection. As in other clients, ``command`` alone means a process and ``url`` alone a server on HTTP.

    Raises ``ValueError``, which says what is missing, for an entry that leads nowhere.
    """
    given = {key: value for key, value in entry.items() if key not in OWN}
    transport = given.setdefault("transport", "stdio" if "command" in given else "streamable_http")
    transport = {"http": "streamable_http", "streamable-http": "streamable_http"}.get(transport, transport)
    if transport not in TRANSPORTS:
        raise ValueError(f"a transport of {', '.join(TRANSPORTS)}")
    needed = "command" if transport == "stdio" else "url"
    if not given.get(needed):
        raise ValueError("a command that starts the server, or the url of one")
    if not isinstance(given[needed], str):
        raise ValueError(f"a text as its {needed}")
    if transport == "stdio":
        args = given.setdefault("args", [])
        if not isinstance(args, list) or not all(isinstance(arg, str) for arg in args):
            raise ValueError("a list of texts as its args")
    elif "://" not in given["url"]:
        raise ValueError("a url such as https://example.org/mcp")
    return {**given, "transport": transport}
