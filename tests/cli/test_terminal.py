"""The command as a process of its own: Ctrl-C, a real terminal with the live view, dialogs typed by a person."""

import os
import pty
import re
import select
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.cli import scripted

PROGRAM = [sys.executable, scripted.__file__]
ROOT = Path(__file__).parents[2]
PATIENCE_S = 60.0


@pytest.fixture
def environment(tmp_path: Path) -> dict[str, str]:
    """No settings but the data directory."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("CALIBRANT_", "NO_COLOR"))}
    return kept | {
        "CALIBRANT_DATA_DIR": str(tmp_path / "data"), "CALIBRANT_EMBEDDINGS": "none", "TERM": "xterm-256color",
        "COLUMNS": "80", "LINES": "40",
        "PYTHONPATH": os.pathsep.join([str(ROOT), os.environ.get("PYTHONPATH", "")]),
    }  # fmt: skip


class Terminal:
    """A program on a pseudo-terminal: what it writes, and somebody who types."""

    def __init__(self, args: list[str], environment: dict[str, str]) -> None:
        self.master, slave = pty.openpty()
        self.process = subprocess.Popen(
            [*PROGRAM, *args], stdin=slave, stdout=slave, stderr=slave, env=environment, start_new_session=True
        )
        os.close(slave)
        self.seen = ""
        self.told = 0

    def read_until(self, words: str) -> str:
        """What comes after the last call's words, up to and with these."""
        start, deadline = self.told, time.monotonic() + PATIENCE_S
        while (found := self.seen.find(words, start)) < 0:
            assert time.monotonic() < deadline, f"{words!r} did not come; seen: {self.seen[start:][-2000:]}"
            self._take()
        self.told = found + len(words)
        return self.seen[start : self.told]

    def type(self, line: str) -> None:
        """Type a line."""
        os.write(self.master, line.encode() + b"\n")

    def ends(self) -> int:
        """Wait for the end; the exit code."""
        while self._take():
            pass
        return self.process.wait(PATIENCE_S)

    def _take(self) -> bool:
        if not select.select([self.master], [], [], 0.2)[0]:
            return self.process.poll() is None
        try:
            read = os.read(self.master, 65536)
        except OSError:  # the other end is closed
            return False
        self.seen += read.decode(errors="replace")
        return bool(read)

    def close(self) -> None:
        """End what still runs."""
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait()
        os.close(self.master)


@pytest.fixture
def opened() -> Iterator[list[Terminal]]:
    """Terminals that are closed at the end."""
    terminals: list[Terminal] = []
    yield terminals
    for terminal in terminals:
        terminal.close()


def plain(text: str) -> str:
    """``text`` without escape sequences."""
    return re.sub(r"\x1b(\[[0-9;?]*[a-zA-Z]|\]8;[^\x1b]*\x1b\\)", "", text)


def test_ctrl_c_leaves_a_thread_that_can_be_resumed(environment: dict[str, str]) -> None:
    process = subprocess.Popen(
        [*PROGRAM, "ask", "slow evict", "--thread", "t1"],
        env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    assert process.stderr is not None
    for line in process.stderr:
        if "retrieve" in line:  # perceive has decided: the next node takes its time
            break
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=PATIENCE_S)
    assert (process.returncode, out) == (130, "")
    assert err.splitlines()[-1] == "calibrant: stopped, nothing is lost; `calibrant resume t1` goes on"
    assert "Traceback" not in err
    listed = subprocess.run([*PROGRAM, "threads"], env=environment, capture_output=True, text=True, check=True)
    assert "! stopped" in listed.stdout


def test_the_live_view_and_a_dialog_on_a_terminal(environment: dict[str, str], opened: list[Terminal]) -> None:
    terminal = Terminal(["ask", "guide me through it", "--thread", "t1"], environment | {"SCRIPTED_PACE_S": "0.15"})
    opened.append(terminal)
    assert "╭─ calibrant" in plain(terminal.read_until("needs your guidance"))
    terminal.read_until("> ")
    terminal.type("7")
    assert "1 to 4, or a name" in plain(terminal.read_until("> "))
    terminal.type("guide")
    terminal.read_until("What should be done?")
    terminal.type("Look in the C code")
    shown = plain(terminal.read_until("calibrant trace t1"))
    assert terminal.ends() == 0
    for words in ("0.42 → 0.81", "✓ knowledge", "As you said: guide Look in the C code", "Sources", "Confidence"):
        assert words in shown
    assert "\x1b]8;" in terminal.seen  # the places are links


def test_ctrl_c_in_a_dialog_leaves_the_question_open(environment: dict[str, str], opened: list[Terminal]) -> None:
    terminal = Terminal(["ask", "a vague thing", "--thread", "t1"], environment)
    opened.append(terminal)
    terminal.read_until("> ")
    time.sleep(0.5)  # the prompt is written a moment before the line is waited for
    terminal.process.send_signal(signal.SIGINT)
    assert "`calibrant resume t1` goes on" in terminal.read_until("goes on")
    assert terminal.ends() == 130
    again = Terminal(["resume", "t1"], environment)
    opened.append(again)
    again.read_until("> ")
    again.type("keep")
    assert "As you said: keep" in plain(again.read_until("calibrant trace t1"))
    assert again.ends() == 0


def test_a_dumb_terminal_gets_plain_lines(environment: dict[str, str], opened: list[Terminal]) -> None:
    terminal = Terminal(["ask", "How?", "--thread", "t1"], environment | {"TERM": "dumb"})
    opened.append(terminal)
    assert "perceive: confidence 0.42 -> 0.81" in terminal.read_until("calibrant trace t1")
    assert terminal.ends() == 0
    assert "\x1b" not in terminal.seen
