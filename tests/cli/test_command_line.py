"""The frame of the command line: help at once, one line for bad usage, exit codes."""

import re
import subprocess
import sys

import pytest

from tests.cli.conftest import Run, error_lines

HEAVY = ("langgraph", "langchain_core", "chromadb", "pydantic", "rich", "numpy", "calibrant.state", "calibrant.graph")


def test_help_lists_every_command_and_the_exit_codes(run: Run) -> None:
    result = run("--help")
    assert result.exit_code == 0
    names = re.findall(r"^  (\w+) {2,}[A-Z]", result.stdout, re.MULTILINE)
    assert names == [
        "ask", "ingest", "knowledge", "resume", "threads", "memory", "trace", "stats", "doctor", "feedback", "eval",
        "calibrate", "mcp",
    ]  # fmt: skip
    assert "3 abstained" in result.stdout
    assert "..." not in result.stdout.split("Commands:")[1].split("Exit codes")[0]


def test_help_imports_nothing_heavy() -> None:
    code = "import sys, calibrant.interfaces.cli; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert [name for name in HEAVY if name in done.stdout.split()] == []


def test_version(run: Run) -> None:
    assert re.fullmatch(r"calibrant \d+\.\d+\.\d+\n", run("--version").stdout)


@pytest.mark.parametrize(
    "command", ["ask", "ingest", "knowledge", "resume", "threads", "memory", "trace", "stats", "doctor", "feedback"]
)
def test_each_command_has_help(run: Run, command: str) -> None:
    assert run(command, "--help").exit_code == 0


@pytest.mark.parametrize(
    ("args", "says"),
    [
        (("--bogus",), "No such option '--bogus' (see `calibrant --help`)"),
        (("bogus",), "No such command 'bogus' (see `calibrant --help`)"),
        (("trace",), "Missing argument 'THREAD' (see `calibrant trace --help`)"),
        (("ask", "x", "--power", "9"), "'9' is not one of 'auto', '1', '2', '3' (see `calibrant ask --help`)"),
        (("ask", "x", "-k", ""), "pattern is expected, and one is empty (see `calibrant ask --help`)"),
        (("ingest", "here", ""), "pattern is expected, and one is empty (see `calibrant ingest --help`)"),
        (("ingest", "--forget", ""), "pattern is expected, and one is empty (see `calibrant ingest --help`)"),
        (("threads", "-n", "9" * 20), "is not in the range 1<=x<=1000000 (see `calibrant threads list --help`)"),
        (("threads", "remove"), "give either THREAD or --older-than (see `calibrant threads remove --help`)"),
        (("threads", "remove", "t1", "--older-than", "3d"), "give either THREAD or --older-than"),
        (("threads", "remove", "--older-than", "3"), "--older-than 3 is no span of time: use one like 30m, 12h, 7d"),
        (("memory", "remove"), "give either TASK or ID or --older-than (see `calibrant memory remove --help`)"),
        (("ingest", "here", "--exclude", ""), "pattern is expected, and one is empty (see `calibrant ingest --help`)"),
        (("memory", "remove", ""), "a path, a name or a pattern is expected, and one is empty"),
        (("calibrate", "--risk", "nan"), "nan is no number (see `calibrant calibrate --help`)"),
        (("feedback", "x", "fine"), "'fine' is not one of 'good', 'bad' (see `calibrant feedback --help`)"),
    ],
)
def test_bad_usage_is_one_line(run: Run, args: tuple[str, ...], says: str) -> None:
    result = run(*args)
    assert result.exit_code == 2
    assert result.stdout == ""
    assert len(result.stderr.splitlines()) == 1
    assert result.stderr.startswith("calibrant: ")
    assert says in error_lines(result)[0]
