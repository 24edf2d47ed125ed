"""The server as clients meet it: a process on stdin and stdout, and an address on loopback."""

import asyncio
import json
import os
import signal
import subprocess
import sys
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest
from mcp import ClientSession, StdioServerParameters
from mcp.client.stdio import stdio_client
from mcp.client.streamable_http import streamable_http_client

from calibrant.interfaces.mcp import make_server
from calibrant.interfaces.mcp_transport import listen, url_of
from calibrant.state.errors import InputError
from tests.conftest import ROOT
from tests.mcp.house import PATIENT, PLAIN, Hanging, Progress, app_over, cancel_once, data_of, text_of

COMMAND = (sys.executable, "-m", "calibrant.interfaces.cli", "mcp")
ACCEPT = {"Accept": "application/json, text/event-stream", "Content-Type": "application/json"}


HELLO = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "initialize",
    "params": {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}},
}


def environment(data_dir: Path) -> dict[str, str]:
    """For a server of its own process: these documents and no embeddings."""
    python_path = os.pathsep.join(filter(None, [str(ROOT), os.environ.get("PYTHONPATH", "")]))
    settings = {"CALIBRANT_DATA_DIR": str(data_dir), "CALIBRANT_EMBEDDINGS": "none", "PYTHONPATH": python_path}
    return {**os.environ, **settings}


@asynccontextmanager
async def over_stdio(data_dir: Path, *command: str) -> AsyncIterator[ClientSession]:
    """A session with a server that the client starts."""
    started = StdioServerParameters(command=command[0], args=list(command[1:]), env=environment(data_dir), cwd=data_dir)
    async with stdio_client(started) as (read, write), ClientSession(read, write) as session:
        await session.initialize()
        yield session


@contextmanager
def process(data_dir: Path, *command: str) -> Iterator[subprocess.Popen[str]]:
    """A server process by itself; it is gone afterwards, whatever happens."""
    pipe = subprocess.PIPE
    with subprocess.Popen(
        command, stdin=pipe, stdout=pipe, stderr=pipe, text=True, env=environment(data_dir), cwd=data_dir
    ) as started:
        try:
            yield started
        finally:
            started.kill()


@pytest.fixture(scope="session")
def served(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A data directory that the servers may write to."""
    from tests.graph.house import ingest, write_documents

    root = tmp_path_factory.mktemp("served")
    ingest(root / "data", write_documents(root / "docs"))
    return root / "data"


async def test_stdio_lists_calls_tells_and_refuses(served: Path) -> None:
    progress = Progress()
    async with over_stdio(served, *COMMAND) as session:
        names = [tool.name for tool in (await session.list_tools()).tools]
        found = data_of(await session.call_tool("retrieve_information", {"query": PLAIN}, progress_callback=progress))
        asked = data_of(await session.call_tool("ask", {"question": PLAIN}))
        refused = await session.call_tool("retrieve_information", {"query": ""})
    assert names == ["retrieve_information", "ask"]
    assert "five times" in found["documents"][0]["text"]
    assert "five times" in asked["answer"]
    assert progress.grows
    assert (refused.isError, text_of(refused)) == (True, "the query is empty: say what to search for")


async def test_stdio_cancels_in_the_other_process(tmp_path: Path) -> None:
    async def touched(name: str) -> None:
        while not (tmp_path / name).exists():  # noqa: ASYNC110 - the other side is another process
            await asyncio.sleep(0.02)

    async with over_stdio(tmp_path, sys.executable, "-m", "tests.mcp.worker", str(tmp_path), "hanging") as session:
        told = await cancel_once(session, "retrieve_information", {"query": PLAIN}, lambda: touched("asked"))
        await asyncio.wait_for(touched("cancelled"), 10)
    assert "cancelled" in told.lower()


@pytest.mark.parametrize(
    "said", ["", json.dumps(HELLO) + "\n", json.dumps(HELLO) + "\n\nno JSON\n"], ids=["nothing", "a greeting", "noise"]
)
def test_a_client_that_leaves_ends_the_server_in_peace(tmp_path: Path, said: str) -> None:
    """Closing stdin is how the protocol ends a session."""
    with process(tmp_path, *COMMAND) as server:
        _, err = server.communicate(said, timeout=60)
    assert (server.returncode, err) == (0, "")


def test_nothing_but_the_protocol_is_on_stdout(tmp_path: Path) -> None:
    call = {"name": "retrieve_information", "arguments": {"query": PLAIN}}
    said = [
        HELLO,
        {"jsonrpc": "2.0", "method": "notifications/initialized"},
        {"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": call},
    ]
    with process(tmp_path, sys.executable, "-m", "tests.mcp.worker", str(tmp_path), "noisy") as server:
        assert server.stdin is not None
        assert server.stdout is not None
        assert server.stderr is not None
        server.stdin.write("no JSON\n" + "".join(json.dumps(line) + "\n" for line in said))
        server.stdin.flush()
        heard: list[dict[str, Any]] = []
        while not any(line.get("id") == 2 for line in heard):
            heard.append(json.loads(server.stdout.readline()))
        out, err = server.communicate(timeout=30)
    assert all(line["jsonrpc"] == "2.0" for line in heard)
    assert out == ""
    assert "noise on stdout" in err
    assert "noise in the log" in err
    assert server.returncode == 0


def test_ctrl_c_ends_a_server_whose_client_says_nothing(served: Path) -> None:
    with process(served, *COMMAND) as server:
        assert server.stdin is not None
        assert server.stdout is not None
        server.stdin.write(json.dumps(HELLO) + "\n")
        server.stdin.flush()
        assert json.loads(server.stdout.readline())["result"]["serverInfo"]["name"] == "calibrant"
        server.send_signal(signal.SIGINT)
        assert server.wait(timeout=20) == 130


def test_ctrl_c_ends_a_server_on_http(served: Path) -> None:
    with process(served, *COMMAND, "--transport", "http", "--port", "0") as server:
        assert server.stderr is not None
        assert "serving MCP at http://127.0.0.1:" in server.stderr.readline()
        server.send_signal(signal.SIGINT)
        assert server.wait(timeout=20) == 130


@asynccontextmanager
async def over_http(
    *sources: Hanging, data_dir: Path, allowed: Sequence[str] = ()
) -> AsyncIterator[tuple[ClientSession, str]]:
    """A session with a server on loopback, in this process, and its address."""
    server = make_server(app_over(data_dir, sources or None, **PATIENT), allowed=allowed)
    with listen("127.0.0.1", 0) as listener:
        serving = asyncio.create_task(server.run_on(listener))
        url = url_of(listener)
        try:
            async with (
                streamable_http_client(url) as (read, write, _),
                ClientSession(read, write) as session,
            ):
                await session.initialize()
                yield session, url
        finally:
            serving.cancel()
            await asyncio.gather(serving, return_exceptions=True)


async def test_http_lists_calls_tells_and_refuses(data_dir: Path) -> None:
    progress = Progress()
    async with over_http(data_dir=data_dir) as (session, _):
        names = [tool.name for tool in (await session.list_tools()).tools]
        found = data_of(await session.call_tool("retrieve_information", {"query": PLAIN}, progress_callback=progress))
        refused = await session.call_tool("ask", {"question": ""})
    assert names == ["retrieve_information", "ask"]
    assert "five times" in found["documents"][0]["text"]
    assert progress.grows
    assert "searching at depth" in progress.text
    assert refused.isError


async def test_http_cancels(data_dir: Path) -> None:
    source = Hanging()
    async with over_http(source, data_dir=data_dir) as (session, _):
        told = await cancel_once(session, "retrieve_information", {"query": PLAIN}, source.asked.wait)
        await asyncio.wait_for(source.cancelled.wait(), 10)
    assert "cancelled" in told.lower()


@pytest.mark.parametrize(
    ("headers", "status"), [({"Host": "rebound.example"}, 421), ({"Origin": "http://rebound.example"}, 403)]
)
async def test_a_page_that_rebinds_its_name_is_turned_away(
    data_dir: Path, headers: dict[str, str], status: int
) -> None:
    async with over_http(data_dir=data_dir) as (_, url), httpx.AsyncClient() as client:
        answer = await client.post(url, headers={**ACCEPT, **headers}, json={})
    assert answer.status_code == status


@pytest.mark.parametrize(
    ("host", "origin", "status"),
    [
        ("box.example", "https://box.example", 200),
        ("box.example:8443", "https://box.example:8443", 200),
        ("box.example", "http://box.example", 200),
        ("box.example.evil", "https://box.example", 421),
        ("box.example", "https://box.example.evil", 403),
        ("box.example", "https://evil.example", 403),
    ],
)
async def test_an_allowed_name_may_be_that_of_a_proxy(data_dir: Path, host: str, origin: str, status: int) -> None:
    headers = {**ACCEPT, "Host": host, "Origin": origin}
    async with over_http(data_dir=data_dir, allowed=["box.example"]) as (_, url), httpx.AsyncClient() as client:
        answer = await client.post(url, headers=headers, json=HELLO)
    assert answer.status_code == status


def test_a_port_that_is_taken_is_one_line() -> None:
    with listen("127.0.0.1", 0) as taken, pytest.raises(InputError, match="address already in use") as caught:
        listen("127.0.0.1", taken.getsockname()[1])
    assert "\n" not in str(caught.value)


def test_an_empty_address_is_not_every_address() -> None:
    with pytest.raises(InputError, match="the address is empty"):
        listen("", 0)


def test_the_protocol_is_loaded_only_when_it_is_served() -> None:
    asked = "import sys, calibrant.interfaces.cli, calibrant.graph.tool; print([m for m in sys.modules if m == 'mcp'])"
    done = subprocess.run([sys.executable, "-c", asked], capture_output=True, text=True, check=True, cwd=ROOT)
    assert done.stdout == "[]\n"
