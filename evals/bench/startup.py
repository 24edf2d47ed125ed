"""Start-up: importing, building the graph and asking the command line for help, each in a process of its own."""

import statistics
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

from calibrant.evals.bench.table import Row, ms, tell, timed, times

RUNS = 5
NEEDED = "import langgraph.graph, langgraph.checkpoint.sqlite.aio, langchain_core.tools"


def measure(folder: Path, full: bool) -> Iterator[Row]:
    """Each over what it cannot do without: Python, click, or the libraries that the graph is made of."""
    tell("starting Python")
    bare = _seconds("-c", "pass")
    tell("importing")
    yield _row("import calibrant.graph", _seconds("-c", "import calibrant.graph"), bare, "starting Python", bare)
    tell("building the graph")
    built = _seconds("-c", "from calibrant.graph import build_graph; build_graph(sources=[])")
    yield _row("build_graph(), imports included", built, bare, "importing LangGraph alone", _seconds("-c", NEEDED))
    tell("asking for help")
    helped = _seconds("-m", "calibrant.interfaces.cli", "--help")
    yield _row("calibrant --help", helped, bare, "importing click", _seconds("-c", "import click"))


def _row(what: str, seconds: float, bare: float, limit: str, floor: float) -> Row:
    return Row(
        measured=what,
        figure=ms(seconds),
        against=f"starting Python: {ms(bare)}",
        limited_by=f"{limit}: {ms(floor)}",
        from_limit=times(seconds, floor),
    )


def _seconds(*arguments: str) -> float:
    """The median of a few runs of Python."""
    command = [sys.executable, *arguments]
    runs = [timed(lambda: subprocess.run(command, capture_output=True, check=True)) for _ in range(RUNS)]  # noqa: S603
    return statistics.median(runs)
