"""What the MCP server speaks over: stdin and stdout kept for the protocol, or a socket and the names it answers to."""

import asyncio
import os
import socket
import sys
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import contextmanager, suppress
from io import TextIOWrapper
from threading import Thread
from typing import TextIO

from mcp.server.transport_security import TransportSecuritySettings

from calibrant.state.errors import InputError

PATH = "/mcp"
LOOPBACK = ("127.0.0.1", "localhost", "[::1]")


def security(hosts: Sequence[str]) -> TransportSecuritySettings:
    """Only these names in Host and Origin, whatever address is bound: a web page cannot reach the server by its own
    name for it. With any port and without one, by http and https: a proxy may stand before the server."""
    names = dict.fromkeys((*LOOPBACK, *(bracketed(host) for host in hosts)))
    allowed = [f"{name}{port}" for name in names for port in ("", ":*")]
    return TransportSecuritySettings(
        enable_dns_rebinding_protection=True,
        allowed_hosts=allowed,
        allowed_origins=[f"{scheme}://{name}" for scheme in ("http", "https") for name in allowed],
    )


def bracketed(host: str) -> str:
    """An IPv6 address as it stands in a URL."""
    return f"[{host}]" if ":" in host and not host.startswith("[") else host


def listen(host: str, port: int) -> socket.socket:
    """The open socket. Raises ``InputError`` with one line."""
    if not host:  # such as a variable that is not set: to the system it is every address of the machine
        raise InputError("the address is empty: name one with --host, or leave that out for this machine alone")
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        return socket.create_server((host, port), family=family)
    except (OSError, OverflowError) as error:
        why = (getattr(error, "strerror", None) or str(error)).partition(" (")[0].lower()
        raise InputError(f"cannot listen on {bracketed(host)}:{port}: {why}") from None


def url_of(listener: socket.socket) -> str:
    """Where clients find the server."""
    host, port = listener.getsockname()[:2]
    return f"http://{bracketed(host)}:{port}{PATH}"


async def lines_of_stdin() -> AsyncIterator[str]:
    """The lines of stdin. A daemon thread reads them: one that waits for a line would keep Ctrl-C from ending this."""
    loop, lines = asyncio.get_running_loop(), asyncio.Queue[bytes]()

    def read() -> None:
        with suppress(RuntimeError), open(os.dup(0), "rb") as stdin:  # RuntimeError: the loop is gone
            while line := stdin.readline():
                loop.call_soon_threadsafe(lines.put_nowait, line)
            loop.call_soon_threadsafe(lines.put_nowait, b"")

    Thread(target=read, name="stdin", daemon=True).start()
    while line := await lines.get():
        yield line.decode("utf-8", errors="replace")


@contextmanager
def protocol_only() -> Iterator[TextIO]:
    """stdout for the protocol alone: whatever prints meanwhile prints to stderr."""
    real = sys.stdout
    sys.stdout = sys.stderr
    protocol = TextIOWrapper(real.buffer, encoding="utf-8", write_through=True)
    try:
        yield protocol
    finally:
        sys.stdout = real
        with suppress(OSError):  # the client has left with something unread
            protocol.detach()  # else it closes what is not its own
