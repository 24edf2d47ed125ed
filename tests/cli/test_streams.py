"""Pipes that close early, streams that are not there, and bytes that are no UTF-8."""

import json
import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest

from calibrant.interfaces import terminal
from tests.cli import scripted
from tests.cli.conftest import Run, error_lines
from tests.cli.test_ask import ANSWER
from tests.cli.test_terminal import environment

__all__ = ["environment"]

PROGRAM = f"{sys.executable} {scripted.__file__}"
ASK = f"{PROGRAM} ask 'How does it evict?'"


def shell(line: str, environment: Mapping[str, str]) -> subprocess.CompletedProcess[str]:
    """``line`` run by a shell."""
    line = f"unset PYTHONUNBUFFERED; {line}"  # as it is for users
    return subprocess.run(["bash", "-c", line], env=environment, capture_output=True, text=True, timeout=60)


@pytest.mark.parametrize("command", [ASK, f"{ASK} --json", f"{PROGRAM} ask 'How does it evict?' --json 2>/dev/null"])
def test_a_reader_who_leaves_is_told_nothing(environment: dict[str, str], command: str) -> None:
    done = shell(f"{command} | true; exit ${{PIPESTATUS[0]}}", environment)
    assert done.returncode == 1
    assert "BrokenPipe" not in done.stderr
    assert "calibrant: " not in done.stderr


@pytest.mark.parametrize("nowhere", [">(exec <&-)", "/dev/full", "/dev/null"])
def test_an_answer_outlasts_its_progress(environment: dict[str, str], nowhere: str) -> None:
    done = shell(f"{ASK} 2> {nowhere}", environment)
    assert done.stdout.startswith(ANSWER)
    assert done.returncode == 0


@pytest.mark.parametrize(("first", "expected"), [("", 120), ("spare_progress(); ", 0)])
def test_what_is_left_for_a_reader_who_has_left_is_no_error(
    environment: dict[str, str], first: str, expected: int
) -> None:
    code = "import sys, time; from calibrant.interfaces.streams import spare_progress; time.sleep(0.5)"
    done = shell(f"{sys.executable} -c '{code}; {first}sys.stderr.write(\"x\")' 2> >(exec <&-)", environment)
    assert done.returncode == expected


def test_what_went_wrong_is_told_by_the_exit_code_where_nothing_can_be_said(environment: dict[str, str]) -> None:
    assert shell(f"{PROGRAM} trace nowhere 2> /dev/full", environment).returncode == 2


@pytest.mark.parametrize("command", ["--help", "ask --help", "--version", "knowledge --json"])
def test_a_full_disk_is_told_in_one_line(environment: dict[str, str], command: str) -> None:
    done = shell(f"{PROGRAM} {command} > /dev/full", environment)
    told = "calibrant: no space is left on the disk: free some and run the same again\n"
    assert (done.returncode, done.stderr) == (1, told)


def test_progress_does_not_go_to_stdout_where_stderr_is_closed(environment: dict[str, str]) -> None:
    done = shell(f"{ASK} --json 2>&-", environment)
    assert json.loads(done.stdout)["stop_reason"] == "answered"


def test_a_closed_stdin_holds_no_question(environment: dict[str, str]) -> None:
    done = shell(f"{PROGRAM} ask - <&-", environment)
    assert (done.returncode, done.stderr) == (
        2,
        'calibrant: the question is empty: calibrant ask "What do you want to know?"\n',
    )


def test_json_says_all_where_the_encoding_lacks_a_character(environment: dict[str, str]) -> None:
    latin = environment | {"PYTHONIOENCODING": "latin-1"}
    asked = "Öffnet die Scheune \u2192 \U0001f41d?"
    shell(f"{PROGRAM} ask '{asked}' --thread t1 2>/dev/null", environment | {"PYTHONUTF8": "1"})
    (thread,) = json.loads(shell(f"{PROGRAM} threads --json", latin).stdout)
    assert thread["question"] == asked
    first = shell(f"{PROGRAM} trace t1 --jsonl", latin).stdout.splitlines()[0]
    assert json.loads(first)["question"] == asked


def test_a_question_in_another_encoding_is_read_as_a_document_would_be(
    environment: dict[str, str], tmp_path: Path
) -> None:
    asked = "Que preço tem o café?"
    (tmp_path / "question").write_bytes(asked.encode("latin-1"))
    for given in (f"ask - < {tmp_path / 'question'}", f'ask "$(cat {tmp_path / "question"})"'):
        for utf8 in ("0", "1"):
            assert shell(f"{PROGRAM} {given}", environment | {"PYTHONUTF8": utf8}).returncode == 0
    threads = json.loads(shell(f"{PROGRAM} threads --json", environment).stdout)
    assert [thread["question"] for thread in threads] == [asked] * 4


def test_what_was_typed_stays_as_it_is() -> None:
    for text in ("", "plain", "preço 再試行 🚀", "two\nlines"):
        assert terminal.typed(text) == text
    assert terminal.typed(os.fsdecode("preço".encode("latin-1"))) == "preço"


def test_guidance_in_another_encoding(scripted_run: Run) -> None:
    scripted_run("ask", "guide me", "--ask-later", "--thread", "t1")
    result = scripted_run("resume", "t1", "--guide", os.fsdecode("preço".encode("latin-1")))
    assert (result.exit_code, error_lines(result)) == (0, [])
