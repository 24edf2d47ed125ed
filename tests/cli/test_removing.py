"""``threads remove`` and ``memory``: what is deleted, told and kept, and that no word of it stays in the files."""

import json
import time
from pathlib import Path
from typing import Any, TypedDict

import pytest
from langgraph.checkpoint.sqlite import SqliteSaver
from langgraph.graph import START, StateGraph

from calibrant.graph.working import working_on
from tests.cli.conftest import Run, error_lines

MANUAL = "# Size\n\nThe ring cache holds 128 entries unless maxsize is given.\n\n# Wait\n\nA queue waits ten seconds.\n"
HELD = "How many entries does the ring cache hold?"
AGAIN = "How many entries can the ring cache hold?"
WAITS = "How long does a queue wait?"


class Counted(TypedDict):
    """The state of another graph, with a channel named as one of ours."""

    run: int


@pytest.fixture
def asked(run: Run, machine: Path) -> Run:
    """``run`` with a document to search."""
    (machine / "manual.md").write_text(MANUAL, encoding="utf-8")
    assert run("ingest", str(machine / "manual.md")).exit_code == 0
    return run


def of(run: Run, *args: str) -> Any:
    """The JSON of a command."""
    result = run(*args, "--json")
    assert result.exit_code == 0, result.stderr
    return json.loads(result.stdout)


def threads(run: Run) -> list[str]:
    return [row["id"] for row in of(run, "threads")]


def written(machine: Path, name: str) -> bytes:
    """All that a database has on the disk."""
    return b"".join(file.read_bytes() for file in sorted((machine / "data").glob(f"{name}*")))


@pytest.fixture
def days_later(monkeypatch: pytest.MonkeyPatch) -> None:
    now = time.time
    monkeypatch.setattr(time, "time", lambda: now() + 3 * 86_400)


def test_a_thread_goes_and_no_word_of_it_stays(asked: Run, machine: Path) -> None:
    for thread, question in (("t1", HELD), ("t2", WAITS)):
        asked("ask", question, "--thread", thread)
    assert all(HELD.encode() in written(machine, name) for name in ("checkpoints.db", "runs.db"))
    before = of(asked, "stats")
    result = asked("threads", "remove", "t1")
    assert (result.exit_code, result.stdout, result.stderr) == (0, "1 thread removed\n", "")
    assert threads(asked) == ["t2"]
    assert not any(HELD.encode() in written(machine, name) for name in ("checkpoints.db", "runs.db"))
    assert all(WAITS.encode() in written(machine, name) for name in ("checkpoints.db", "runs.db"))
    assert of(asked, "stats") == before, "its numbers still count"
    assert asked("ask", HELD, "--thread", "t1").exit_code == 0, "the name is free"


def test_the_space_of_what_is_removed_is_given_back(asked: Run, machine: Path) -> None:
    asked("ask", HELD, "--thread", "keep")
    file = machine / "data" / "checkpoints.db"
    small = file.stat().st_size
    for number in range(4):
        asked("ask", HELD, "--thread", f"t{number}")
    large = file.stat().st_size
    asked("threads", "remove", *(f"t{number}" for number in range(4)))
    assert file.stat().st_size < (small + large) / 2
    assert threads(asked) == ["keep"]


def test_nothing_is_removed_where_one_is_unknown_or_at_work(asked: Run, machine: Path) -> None:
    asked("ask", HELD, "--thread", "t1")
    result = asked("threads", "remove", "t1", "nope")
    assert (result.exit_code, result.stdout) == (2, "")
    says = "calibrant: nothing is removed: there is no thread 'nope'; `calibrant threads` lists them"
    assert error_lines(result) == [says]
    with working_on(machine / "data", "t1"):
        result = asked("threads", "remove", "t1")
        assert (result.exit_code, error_lines(result)) == (2, ["calibrant: nothing is removed: at work (t1)"])
    assert threads(asked) == ["t1"]


@pytest.mark.usefixtures("days_later")
def test_threads_go_by_their_age(scripted_run: Run, machine: Path) -> None:
    scripted_run("ask", "How does it evict?", "--thread", "done")
    scripted_run("ask", "guide me", "--ask-later", "--thread", "waits")
    scripted_run("ask", "crash now", "--thread", "stopped")
    scripted_run("ask", "How does it evict?", "--thread", "busy")
    assert scripted_run("threads", "remove", "--older-than", "1w").stdout == "0 threads removed\n"
    with working_on(machine / "data", "busy"):
        told = of(scripted_run, "threads", "remove", "--older-than", "2d")
    assert sorted(told["removed"]) == ["done", "stopped"]
    assert told["kept"] == {"waits": "a question that waits", "busy": "at work"}
    assert told["lost"] == {}
    result = scripted_run("threads", "remove", "--older-than", "2d")
    assert result.stdout == "1 thread removed; kept: a question that waits (waits)\n"
    result = scripted_run("threads", "remove", "waits")
    assert result.stdout == "1 thread removed; lost with them: a question that waits (waits)\n"
    assert threads(scripted_run) == []


@pytest.mark.usefixtures("days_later")
def test_a_thread_of_another_graph_goes_only_by_its_name(scripted_run: Run, machine: Path) -> None:
    scripted_run("ask", "How does it evict?", "--thread", "ours")
    graph = StateGraph(Counted).add_node("count", lambda state: state).add_edge(START, "count")
    with SqliteSaver.from_conn_string(str(machine / "data" / "checkpoints.db")) as saver:
        graph.compile(checkpointer=saver).invoke({"run": 7}, {"configurable": {"thread_id": "theirs"}})
    assert of(scripted_run, "threads", "remove", "--older-than", "2d")["removed"] == ["ours"]
    assert threads(scripted_run) == ["theirs"]
    assert of(scripted_run, "threads", "remove", "theirs")["removed"] == ["theirs"]


def test_options_before_the_command_hold(scripted_run: Run) -> None:
    for thread in ("t1", "t2"):
        scripted_run("ask", "How does it evict?", "--thread", thread)
    assert len(scripted_run("threads", "-n", "1", "list").stdout.splitlines()) == 1
    assert json.loads(scripted_run("threads", "--json", "remove", "t1").stdout)["removed"] == ["t1"]


@pytest.mark.parametrize("what", ["threads", "memory", "knowledge"])
def test_without_a_command_it_lists(what: str, asked: Run) -> None:
    asked("ask", HELD)
    listed = asked(what, "list", "--json").stdout
    assert asked(what, "--json").stdout == listed
    assert json.loads(listed) or what == "knowledge"
    assert asked(what).stdout == asked(what, "list").stdout
    assert "Commands:" in asked(what, "--help").stdout


def test_options_of_the_list_need_no_command(asked: Run) -> None:
    for question in (HELD, WAITS):
        asked("ask", question)
    for what in ("threads", "memory"):
        assert len(json.loads(asked(what, "-n", "1", "--json").stdout)) == 1


def test_what_was_learnt_is_listed_and_forgotten(asked: Run, machine: Path) -> None:
    assert "nothing was learnt yet" in asked("memory").stderr
    for question in (HELD, WAITS):
        asked("ask", question)
    assert [row["task"] for row in of(asked, "memory", "list")] == [WAITS, HELD]
    assert of(asked, "ask", AGAIN)["spend"]["searches"] == 0
    (again, *_), shown = of(asked, "memory", "list"), asked("memory", "list").stdout.splitlines()
    assert set(again) == {"id", "task", "kind", "at", "confidence", "uses", "verdict"}
    assert (again["task"], again["kind"], again["uses"], again["verdict"]) == (AGAIN, "factual", 2, "")
    assert shown[0].split()[0] == again["id"]
    assert shown[0].endswith(f"2 uses    {AGAIN}")
    assert len(asked("memory", "list", "-n", "1").stdout.splitlines()) == 1

    result = asked("memory", "remove", "how many entries does the ring cache  hold", again["id"])
    assert (result.exit_code, result.stdout) == (0, "2 experiences, 1 pattern removed\n")
    assert [row["task"] for row in of(asked, "memory", "list")] == [WAITS]
    assert HELD.encode() not in written(machine, "memory.db")
    assert of(asked, "ask", AGAIN)["spend"]["searches"] > 0


def test_nothing_is_forgotten_where_one_is_unknown(asked: Run) -> None:
    asked("ask", HELD)
    result = asked("memory", "remove", HELD, "Who?")
    assert (result.exit_code, result.stdout) == (2, "")
    assert error_lines(result)[0].startswith("calibrant: nothing is removed: nothing was learnt of 'Who?'; `calibrant")
    assert len(of(asked, "memory", "list")) == 1


def test_the_memory_is_forgotten_by_age(asked: Run, request: pytest.FixtureRequest) -> None:
    asked("ask", HELD)
    assert asked("memory", "remove", "--older-than", "2d").stdout == "0 experiences removed\n"
    request.getfixturevalue("days_later")
    told = of(asked, "memory", "remove", "--older-than", "2d")
    assert told == {"experiences": 1, "patterns": 1, "refinements": 0}


def test_all_is_forgotten_once_a_person_says_so(asked: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    asked("ask", HELD)
    result = asked("memory", "clear")
    assert (result.exit_code, "`calibrant memory clear --yes`" in result.stderr) == (2, True)
    with monkeypatch.context() as somebody:
        somebody.setattr("calibrant.interfaces.terminal.somebody_there", lambda: True)
        assert "the memory is kept" in asked("memory", "clear", stdin="n\n").stderr
        assert asked("memory", "clear", stdin="y\n").stdout == "1 experience, 1 pattern removed\n"
    assert of(asked, "memory", "clear", "--yes") == {"experiences": 0, "patterns": 0, "refinements": 0}
