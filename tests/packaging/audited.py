"""Run inside the empty environment, by path: notes whatever the process opens for writing, starts or connects to.

``audited(name)`` is what the audit hook saw. The hook cannot be taken away, so each question is a process of its own.
"""

import os
import sys
from typing import Any

seen: list[str] = []
WRITES = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_APPEND | os.O_TRUNC
EFFECTS = ("os.mkdir", "os.rename", "os.remove", "os.rmdir", "os.symlink", "os.truncate", "sqlite3.connect",
           "subprocess.Popen", "os.system", "os.exec", "os.posix_spawn")  # fmt: skip
NETWORK = ("socket.connect", "socket.getaddrinfo", "socket.gethostbyname", "socket.sendto", "socket.sendmsg")


def hook(event: str, args: tuple[Any, ...]) -> None:
    """The audit hook."""
    if event == "open":
        path, _, flags = args
        if isinstance(flags, int) and flags & WRITES and path != os.devnull:
            seen.append(f"open {path!r} for writing")
    elif event in EFFECTS or event in NETWORK:
        seen.append(f"{event} {args!r}"[:200])


def offline(event: str, args: tuple[Any, ...]) -> None:
    """Another hook: refuses the network altogether."""
    if event in NETWORK:
        raise RuntimeError(f"real network calls are off in tests: {event} {args!r}"[:200])


sys.addaudithook(hook)
sys.addaudithook(offline)
