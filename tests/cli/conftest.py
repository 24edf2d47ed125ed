"""A machine of its own for each test: an empty data directory, no settings of the developer's, the scripted app."""

import os
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from calibrant.graph import layers
from calibrant.interfaces.cli import cli
from tests.cli import scripted

Run = Callable[..., Result]


@pytest.fixture
def machine(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Path]:
    """An empty working directory; settings come from nowhere but the test, and go nowhere else."""
    for name in [name for name in os.environ if name.startswith(("CALIBRANT_", "OPENAI_"))]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("CALIBRANT_DATA_DIR", str(tmp_path / "data"))
    monkeypatch.setenv("CALIBRANT_EMBEDDINGS", "none")
    monkeypatch.chdir(tmp_path)
    yield tmp_path
    layers.settings_file.cache_clear()


@pytest.fixture
def run(machine: Path) -> Run:
    """``run("ask", "...")``: the command line in this process."""

    def invoke(*args: str, stdin: str | None = None) -> Result:
        return CliRunner().invoke(cli, args, input=stdin, prog_name="calibrant", catch_exceptions=False)

    return invoke


@pytest.fixture
def scripted_run(run: Run, monkeypatch: pytest.MonkeyPatch) -> Run:
    """``run`` over the scripted app."""
    monkeypatch.setitem(sys.modules, "calibrant.graph.app", scripted.module())
    return run


def error_lines(result: Result) -> list[str]:
    """What stands on stderr in our own name."""
    return [line for line in result.stderr.splitlines() if line.startswith("calibrant: ")]
