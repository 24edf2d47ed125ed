"""``langgraph dev`` on this repository, over a small knowledge base: as a user starts it, without keys."""

import os
import re
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

import httpx
import pytest

from tests.graph.house import ingest, write_documents

START_S = 120.0
"""A cold start imports everything; a warm one takes about three seconds."""

REPLY_S = 60.0

UNWANTED = ("Traceback (most recent call last)", "Blocking call", "BlockingError", "[error", "[critical")
"""What must not stand in the server's log: it refuses blocking calls in async code."""

SLOW = "Slow graph load"
"""An error for the server from 250 ms on, and on a busy machine no error at all: speed is not tested here."""

COLOUR = re.compile(r"\x1b\[[0-9;]*m")


@dataclass(frozen=True)
class Server:
    """The running server."""

    client: httpx.Client
    log: Path

    def complaints(self) -> list[str]:
        """The lines of its log that tell of an error."""
        lines = COLOUR.sub("", self.log.read_text("utf-8", "replace")).splitlines()
        return [line[:400] for line in lines if any(word in line for word in UNWANTED) and SLOW not in line]

    def failed_runs(self) -> int:
        """How many runs it has logged as failed."""
        return sum("Background run failed" in line for line in self.complaints())


def command(port: int, root: Path) -> list[str]:
    """The command line of the server. Skips, with the reason, where it cannot be run."""
    program = Path(sys.executable).parent / "langgraph"
    if not program.exists():
        pytest.skip("the langgraph command is not installed: pip install 'langgraph-cli[inmem]'")
    for module in ("langgraph_api", "langgraph_runtime_inmem"):
        if find_spec(module) is None:
            pytest.skip(f"{module} is not installed: pip install 'langgraph-cli[inmem]'")
    config = str(root / "langgraph.json")
    return [str(program), "dev", "--config", config, "--no-browser", "--no-reload", "--port", str(port)]


def free_port() -> int:
    """A port that nobody listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@pytest.fixture(scope="session")
def shared_server(tmp_path_factory: pytest.TempPathFactory, root: Path) -> Iterator[Server]:
    """One server for all tests. What it keeps goes to its working directory, which is not the developer's."""
    port = free_port()
    start = command(port, root)
    folder = tmp_path_factory.mktemp("server")
    ingest(folder / "data", write_documents(folder / "docs"))
    environment = {
        **os.environ,
        "CALIBRANT_DATA_DIR": str(folder / "data"),
        "CALIBRANT_EMBEDDINGS": "none",
        "CALIBRANT_SWITCHES__MEMORY": "false",  # or the order of the tests would matter
    }
    log = folder / "log"
    with log.open("wb") as out:
        process = subprocess.Popen(start, cwd=folder, env=environment, stdout=out, stderr=subprocess.STDOUT)
    try:
        with httpx.Client(base_url=f"http://127.0.0.1:{port}", timeout=REPLY_S) as client:
            wait_until_up(client, process, log)
            yield Server(client, log)
    finally:
        process.terminate()
        try:
            process.wait(10)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def wait_until_up(client: httpx.Client, process: subprocess.Popen[bytes], log: Path) -> None:
    """Wait for the first healthy reply."""
    deadline = time.monotonic() + START_S
    while time.monotonic() < deadline:
        assert process.poll() is None, f"the server ended: {log.read_text('utf-8', 'replace')[-3000:]}"
        with suppress(httpx.TransportError):
            if client.get("/ok").status_code == 200:
                return
        time.sleep(0.05)
    pytest.fail(f"the server did not come up in {START_S:.0f} s: {log.read_text('utf-8', 'replace')[-3000:]}")


@pytest.fixture
def server(shared_server: Server) -> Iterator[Server]:
    """The server; the test fails if it complained meanwhile."""
    before = len(shared_server.complaints())
    yield shared_server
    assert shared_server.complaints()[before:] == []


@pytest.fixture
def refusing(shared_server: Server) -> Iterator[Server]:
    """The server for a test with one run that it refuses; what it logs of that has been logged when the test ends."""
    before = shared_server.failed_runs()
    yield shared_server
    deadline = time.monotonic() + REPLY_S
    while shared_server.failed_runs() == before and time.monotonic() < deadline:
        time.sleep(0.05)
    assert shared_server.failed_runs() == before + 1
