"""Processes that can be killed, the machine that they share, and how far they have got.

Nothing here waits for a time to pass: ``until`` waits for what a process has stored, or for a request at the wire.
"""

import json
import multiprocessing
import os
import runpy
import signal
import sqlite3
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing, nullcontext, suppress
from dataclasses import dataclass, field
from pathlib import Path
from unittest.mock import patch

from calibrant.graph.persistence import CHECKPOINTS
from tests.wire.openai_replies import Answer, Json
from tests.wire.openai_server import Call, Handler, OpenAIServer, Record
from tests.wire.smart import block

ROOT = Path(__file__).resolve().parents[2]
PATIENCE_S = 60.0
"""What hangs is given up after so long; what works takes a fraction of it."""

EASY = {"proceed": 0.03, "retrieve": 0.02, "abort": 0.01}
STRAIGHT = {
    "CALIBRANT_DOUBT": "0",
    "CALIBRANT_LIMITS": json.dumps(
        {"model_calls": 500, "sequential_calls": 200, "tokens": 10_000_000, "seconds": 600.0}
    ),
    "CALIBRANT_RETRIEVAL": json.dumps({"rounds": 1, "seconds": 60.0}),
    "CALIBRANT_THRESHOLDS": json.dumps(dict.fromkeys(("perceive", "reason", "act", "reflect"), EASY)),
    "CALIBRANT_SWITCHES": json.dumps({"refinement": False, "memory": False}),
}
"""Settings under which a run goes straight through all phases and asks the model whatever it can be asked."""


@dataclass(frozen=True)
class Done:
    """A process that has ended."""

    code: int
    out: str
    err: str

    @property
    def said(self) -> str:
        """What it said about itself on stderr, in our own name."""
        return "\n".join(line for line in self.err.splitlines() if line.startswith("calibrant: "))

    @property
    def json(self) -> Json:
        """What ``--json`` printed."""
        assert self.out.startswith("{"), f"exit code {self.code}: {self.err[-2000:]}"
        return dict(json.loads(self.out))


FORKS = multiprocessing.get_context("forkserver")
FORKS.set_forkserver_preload(
    ["calibrant.interfaces.commands.ask", "calibrant.graph.build", "calibrant.graph.wiring", "langchain_openai"]
)
"""Processes are forked off one that has loaded the library: to load it takes longer than what most of them do."""

LOADED_WITH = ("LANGGRAPH_STRICT_MSGPACK",)
"""What the library reads once, as it is loaded."""


class Process:
    """An interpreter of its own that runs a module as a program. Its output goes to files, so that nothing is lost when
    it is killed."""

    def __init__(self, module: str, arguments: Sequence[str], environment: Mapping[str, str], folder: Path) -> None:
        self._out, self._err = folder / "stdout", folder / "stderr"
        as_loaded = all(environment.get(name) == os.environ.get(name) for name in LOADED_WITH)
        context = FORKS if as_loaded else multiprocessing.get_context("spawn")
        self._process = context.Process(target=_become, args=(module, arguments, dict(environment), folder))
        with nullcontext() if as_loaded else patch.dict(os.environ, environment):
            self._process.start()

    @property
    def running(self) -> bool:
        return self._process.is_alive()

    def kill(self) -> None:
        """``kill -9``: it gets no chance to put anything away."""
        assert self.running, self.read().err[-2000:]
        self._process.kill()
        self._process.join(PATIENCE_S)
        assert self._process.exitcode == -signal.SIGKILL

    def end(self) -> Done:
        """Wait until it has ended."""
        self._process.join(PATIENCE_S)
        if self.running:
            self._process.kill()
            raise AssertionError(f"it hangs: {self.read().err[-2000:]}")
        return self.read()

    def read(self) -> Done:
        """What it has said so far."""
        said = [file.read_text("utf-8") if file.exists() else "" for file in (self._out, self._err)]
        return Done(self._process.exitcode or 0, *said)


def _become(module: str, arguments: Sequence[str], environment: Mapping[str, str], folder: Path) -> None:
    """In a new process: be the program that ``python -m module`` is."""
    for name, stream in (("stdout", sys.stdout), ("stderr", sys.stderr)):
        os.dup2(os.open(folder / name, os.O_WRONLY | os.O_CREAT), stream.fileno())
    os.environ.clear()
    os.environ.update(environment)
    os.chdir(folder)
    sys.argv = [module, *arguments]
    runpy.run_module(module, run_name="__main__", alter_sys=True)


@dataclass
class House:
    """A machine: its folder, its settings, and the processes that run on it one after the other."""

    folder: Path
    settings: dict[str, str] = field(default_factory=dict)
    started: int = 0

    @property
    def data_dir(self) -> Path:
        return self.folder / "data"

    @property
    def environment(self) -> dict[str, str]:
        """For a child: no settings but ours, this checkout's tests, nothing of the library's own checks weakened."""
        path = os.pathsep.join([str(ROOT), os.environ.get("PYTHONPATH", "")])
        own = {"CALIBRANT_DATA_DIR": str(self.data_dir), "CALIBRANT_EMBEDDINGS": "none", "PYTHONPATH": path}
        return {**os.environ, **own, **self.settings}

    def use_model(self, url: str) -> None:
        """The model at the wire, asked whatever it can be asked."""
        model = {"CALIBRANT_MODEL__NAME": "scripted", "CALIBRANT_MODEL__BASE_URL": url}
        self.settings |= {**STRAIGHT, **model}

    def start(self, *arguments: str, module: str = "calibrant.interfaces.cli") -> Process:
        """The command line (or another module) in a process of its own."""
        self.started += 1
        folder = self.folder / f"process{self.started}"
        folder.mkdir()
        return Process(module, arguments, self.environment, folder)

    def run(self, *arguments: str, module: str = "calibrant.interfaces.cli") -> Done:
        """The same, to its end."""
        return self.start(*arguments, module=module).end()

    def stored(self, channel: str, thread: str = "t1") -> int:
        """How many tasks of the thread's latest supersteps have stored a write to ``channel``.

        A task's writes are kept apart until all tasks of its superstep are done: these are the finished ones among
        unfinished ones.
        """
        latest = """
            SELECT count(DISTINCT w.task_id) FROM writes w JOIN (
                SELECT checkpoint_ns, max(checkpoint_id) AS checkpoint_id FROM checkpoints
                WHERE thread_id = :thread GROUP BY checkpoint_ns
            ) AS latest USING (checkpoint_ns, checkpoint_id)
            WHERE w.thread_id = :thread AND w.channel = :channel
        """
        with suppress(sqlite3.OperationalError), closing(sqlite3.connect(self.data_dir / CHECKPOINTS)) as connection:
            return int(connection.execute(latest, {"thread": thread, "channel": channel}).fetchone()[0])
        return 0


def until(reached: Callable[[], bool], process: Process) -> None:
    """Wait until something is so, while ``process`` runs."""
    deadline = time.monotonic() + PATIENCE_S
    while not reached():
        assert process.running, f"it ended first: {process.read().err[-2000:]}"
        assert time.monotonic() < deadline, f"it did not come to that: {process.read().err[-2000:]}"
        time.sleep(0.01)


class Gate:
    """A handler that holds back the first request that mentions ``about``, until it is opened."""

    def __init__(self, handler: Handler, about: str) -> None:
        self.reached = threading.Event()
        self._handler = handler
        self._about = about
        self._open = threading.Event()

    def __call__(self, call: Call) -> Answer:
        if self._about in topic_of(call.name, call.user) and not self.reached.is_set():
            self.reached.set()
            self._open.wait(PATIENCE_S)
        return self._handler(call)

    def open(self) -> None:
        """Let it through."""
        self._open.set()


TOPIC = {"answer": "question", "score": "question", "suffice": "questions"}
"""The part of a prompt that tells one request of a judgement from the next."""


def topic_of(name: str, prompt: str) -> str:
    """What a request is about."""
    return block(prompt, TOPIC[name]) if name in TOPIC else ""


def asked(server: OpenAIServer) -> Counter[tuple[str, str]]:
    """How often each judgement was asked for, by what about."""
    return Counter((record.name, topic_of(record.name, prompt_of(record.body))) for record in server.requests)


def prompt_of(body: Json) -> str:
    """What the user's side of a request says."""
    return "\n".join(str(message["content"]) for message in body["messages"] if message["role"] == "user")


def tokens_of(body: Json) -> int:
    """The prompt tokens that the loopback endpoint reports for a request."""
    return len(json.dumps(body["messages"]).split())


def booked(server: OpenAIServer, lost: Callable[[Record], bool]) -> tuple[int, int]:
    """Calls and prompt tokens that a ledger must hold: every request but those whose answer the process never got."""
    kept = [record for record in server.requests if not lost(record)]
    return len(kept), sum(tokens_of(record.body) for record in kept)
