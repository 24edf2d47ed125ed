"""Every mechanism can be switched off by name: what each switch leaves out, beside the same run with it on."""

from pathlib import Path

import pytest
from langchain_core.tools import BaseTool, tool

from calibrant.graph.settings import Settings
from calibrant.state.channels import View
from calibrant.state.retrieval import Distillate
from tests.graph.house import graph_for, ingest, run, write_documents

RIVALS = {
    "first.md": "# Retries\n\nA failed job is retried five times by default.\n",
    "second.md": "# Retrying\n\nA failed job is retried nine times by default.\n",
}
ON_AND_OFF = pytest.mark.parametrize("on", [True, False], ids=["on", "off"])


async def asked(folder: Path, question: str, switch: str, on: bool, tools: tuple[BaseTool, ...] = ()) -> View:
    """A run over the rivals with one switch set."""
    ingest(folder / "data", write_documents(folder / "docs", RIVALS))
    context = Settings(interactive=False, switches={switch: on})
    return await run(graph_for(folder / "data", context=context, tools=tools), question)


@ON_AND_OFF
async def test_conflicts(tmp_path: Path, on: bool) -> None:
    state = await asked(tmp_path, "How often is a failed job retried by default?", "conflicts", on)
    assert bool(state.conflicts) is on
    assert state.citations


@ON_AND_OFF
async def test_distil(tmp_path: Path, on: bool) -> None:
    state = await asked(tmp_path, "How often is a failed job retried by default?", "distil", on)
    assert any(one.distillate != Distillate() for one in state.retrievals) is on
    assert state.citations


@ON_AND_OFF
async def test_uncertainty(tmp_path: Path, on: bool) -> None:
    @tool
    def read_log(path: str) -> str:
        """Read a log."""
        raise FileNotFoundError(path)

    read_log.metadata = {"read_only": True}
    state = await asked(tmp_path, "Call read_log(path='a.log')", "uncertainty", on, (read_log,))
    assert any(decision.uncertainty for decision in state.decisions) is on
