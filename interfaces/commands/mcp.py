"""``calibrant mcp``: the tools for MCP clients, until the client leaves or Ctrl-C."""

import asyncio
from dataclasses import dataclass

from calibrant.interfaces.commands.opening import Prepared, opened, prepared
from calibrant.interfaces.failures import Exit
from calibrant.interfaces.lines import say


@dataclass(frozen=True)
class McpOptions:
    """The command line of ``mcp``."""

    transport: str = "stdio"
    host: str = "127.0.0.1"
    port: int = 8765
    allow_host: tuple[str, ...] = ()


def run(options: McpOptions) -> Exit:
    """Serve."""
    having = prepared({"interactive": False})
    try:
        asyncio.run(_serve(options, having))
    except KeyboardInterrupt:
        say("calibrant: stopped")
        return Exit.STOPPED
    return Exit.DONE


async def _serve(options: McpOptions, having: Prepared) -> None:
    from calibrant.interfaces.mcp import make_server
    from calibrant.interfaces.mcp_transport import LOOPBACK, listen, url_of

    async with opened(having) as app:
        server = make_server(app, host=options.host, allowed=options.allow_host)
        if options.transport == "stdio":
            await server.run_stdio_async()
            return
        with listen(options.host, options.port) as listener:
            say(f"calibrant: serving MCP at {url_of(listener)} (Ctrl-C stops it)")
            if options.host not in LOOPBACK and options.host != "::1":
                say("calibrant: whoever reaches this address can ask: there is no login")
            await server.run_on(listener)
