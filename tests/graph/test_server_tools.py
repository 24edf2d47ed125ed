"""The tools of a real MCP server in act: offered, called, and asked about unless they say that they only read."""

import asyncio
import itertools
import json
import os
import sys
from pathlib import Path
from typing import Any

import pytest
from langgraph.checkpoint.memory import InMemorySaver

from calibrant.graph import server_tools
from calibrant.graph.build import make_deps
from calibrant.graph.retrieval import Compiled
from calibrant.graph.serde import serde
from calibrant.graph.server_tools import ServerTools
from calibrant.graph.settings import Machine, Secrets, Settings
from calibrant.graph.wiring import wire
from calibrant.nodes.toolbox import is_read_only, tool_cards
from tests.graph.house import answer, asked, run
from tests.graph.test_guidance_scenarios import straight
from tests.sources import mcp_server

GONE = {"transport": "stdio", "command": "/no/such/program", "args": []}


@pytest.fixture
def library(tmp_path: Path) -> dict[str, Any]:
    """The server as an entry of the settings. What it lends is a line in ``lent``."""
    environment = {**os.environ, "LENT": str(tmp_path / "lent")}
    command = {"transport": "stdio", "command": sys.executable, "args": [str(Path(mcp_server.__file__))]}
    return {**command, "env": environment, "search": False}


def graph_of(data_dir: Path, servers: dict[str, Any], **given: Any) -> Compiled:
    """The graph as the settings make it."""
    count = itertools.count(1)
    machine = Machine(data_dir=data_dir, embeddings="none", allow_download=False, mcp_servers=servers)
    deps = make_deps(machine=machine, secrets=Secrets(), context=straight(**given), new_id=lambda: f"id{next(count)}")
    return wire(deps, Settings, checkpointer=InMemorySaver(serde=serde()))


async def test_what_a_server_offers_keeps_its_annotations(library: dict[str, Any]) -> None:
    offered = await ServerTools({"library": {**library, "tool": "search_books"}})()
    assert offered.warnings == ()
    assert is_read_only(offered.tools["count_books"])
    assert not is_read_only(offered.tools["lend_book"])
    assert not is_read_only(offered.tools["add"])  # it says nothing
    assert "search_books" not in offered.tools  # the source of this name asks it
    card = next(card for card in tool_cards(offered.tools) if card.name == "lend_book")
    assert (card.description, card.schema["required"]) == ("Lend a book.", ["title"])


async def test_a_tool_that_only_reads_is_called(data_dir: Path, library: dict[str, Any]) -> None:
    state = await run(graph_of(data_dir, {"library": library}), 'Use count_books with shelf="poetry"')
    assert "4711" in state.answer
    assert state.spend.questions == 0
    assert [citation.source for citation in state.citations] == ["tool:count_books"]


@pytest.mark.parametrize(("action", "lent"), [("approve", ["Emma"]), ("reject", [])])
async def test_any_other_waits_for_a_persons_word(
    data_dir: Path, tmp_path: Path, library: dict[str, Any], action: str, lent: list[str]
) -> None:
    graph = graph_of(data_dir, {"library": library})
    await run(graph, 'Use lend_book with title="Emma"')
    (call,) = (await asked(graph))["calls"]
    assert (call["tool"], call["arguments"]) == ("lend_book", {"title": "Emma"})
    log = tmp_path / "lent"
    assert not log.exists()
    state = await answer(graph, {"action": action})
    assert (log.read_text("utf-8").split() if log.exists() else []) == lent
    keys = tmp_path / "lent.keys"
    told = [json.loads(line) for line in keys.read_text("utf-8").splitlines()] if keys.exists() else []
    sent = [(one["idempotency_key"], one["call_id"]) for one in told]
    assert sent == [(one.key, one.id) for one in state.intents if lent]


async def test_a_server_that_is_not_there_costs_a_warning_and_is_left_alone(
    tmp_path: Path, library: dict[str, Any]
) -> None:
    started = tmp_path / "started"
    dies = {**GONE, "command": sys.executable, "args": ["-c", f"open({str(started)!r}, 'a').write('x'); input()"]}
    offered = ServerTools({"gone": GONE, "dies": dies, "library": library})
    for reasons in (("FileNotFoundError", "McpError"), ("it failed a moment ago", "it failed a moment ago")):
        found = await offered()
        assert found.warnings == tuple(
            f"The tools of the MCP server {name} could not be listed ({reason}); the run goes on without them."
            for name, reason in zip(("gone", "dies"), reasons, strict=True)
        )
        assert "count_books" in found.tools
    assert started.read_text("utf-8") == "x"


async def test_a_server_whose_probe_was_cancelled_is_asked_again(monkeypatch: pytest.MonkeyPatch) -> None:
    listed: dict[str, Any] = {"fails": True, "waits": 0.0}

    async def listing(name: str, connection: Any) -> list[Any]:
        await asyncio.sleep(listed["waits"])
        if listed["fails"]:
            raise OSError(name)
        return []

    monkeypatch.setattr(server_tools, "list_tools", listing)
    monkeypatch.setattr(server_tools, "REST_S", 0.01)
    offered = ServerTools({"library": {"url": "http://127.0.0.1:9/mcp"}})
    assert (await offered()).warnings
    listed |= {"fails": False, "waits": 60.0}
    await asyncio.sleep(0.02)
    run = asyncio.create_task(offered())
    await asyncio.sleep(0.02)
    run.cancel()
    with pytest.raises(asyncio.CancelledError):
        await run
    listed["waits"] = 0.0
    assert (await offered()).warnings == ()


async def test_one_name_on_two_servers_is_told_apart(library: dict[str, Any]) -> None:
    found = await ServerTools({"one": library, "two": library})()
    assert {"count_books", "two_count_books"} <= set(found.tools)
    assert found.tools["two_count_books"].name == "two_count_books"


def test_an_entry_says_what_it_is_for(tmp_path: Path) -> None:
    servers = {"both": GONE, "acts": {**GONE, "search": False}, "searched": {**GONE, "act": False}}
    machine = Machine(data_dir=tmp_path, embeddings="none", mcp_servers=servers)
    assert set(machine.mcp_sources) == {"both", "searched"}
    deps = make_deps(machine=machine, secrets=Secrets(), context=straight())
    assert set(deps.sources) == {"knowledge", "both", "searched"}
