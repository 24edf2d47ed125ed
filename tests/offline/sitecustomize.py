"""Blocks every connection that leaves this machine. Python loads a module of this name at start-up, so that a child
interpreter with this folder on its PYTHONPATH is offline too.

An audit hook sees every socket of CPython, whichever library opens it. It cannot be taken away again.
"""

import ipaddress
import sys
from typing import Any


class NetworkBlocked(RuntimeError):
    """A test tried to leave this machine. No OSError: a source that is down must not look the same."""


attempts: list[str] = []
"""What was blocked, for the test that fails because of it: the code under test may have swallowed the error."""


def is_local(host: object) -> bool:
    """Whether ``host`` is this machine: loopback by name or number, or no host at all (bind to any)."""
    if host is None:
        return True
    name = (host.decode("ascii", "replace") if isinstance(host, bytes) else str(host)).strip("[]").partition("%")[0]
    if name in ("", "localhost", "0.0.0.0", "::"):
        return True
    try:
        address = ipaddress.ip_address(name)
    except ValueError:
        return name.endswith(".localhost")
    mapped = getattr(address, "ipv4_mapped", None)
    return (mapped or address).is_loopback


def guard(event: str, args: tuple[Any, ...]) -> None:
    """The audit hook: refuses to connect, to send or to resolve a name elsewhere."""
    if event in ("socket.connect", "socket.sendto", "socket.sendmsg"):
        address = args[1]
        host = address[0] if isinstance(address, tuple) else None
    elif event in ("socket.getaddrinfo", "socket.gethostbyname"):
        host = args[0]
    else:
        return
    if not is_local(host):
        attempts.append(f"{event} {host}")
        raise NetworkBlocked(f"real network calls are off in tests: {event} to {host}")


def install() -> None:
    """Block from now on. There is no way back, for as long as the process lives."""
    sys.addaudithook(guard)


if __name__ == "sitecustomize":
    install()
