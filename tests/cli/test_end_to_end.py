"""The command line over the real graph and real documents, without a model and without embeddings."""

import json
import sqlite3
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click
import pytest
from langgraph.checkpoint.sqlite.aio import AsyncSqliteSaver

from tests.cli.conftest import Run, error_lines
from tests.read_only import read_only

EVICTION = """\
# Eviction

The ring cache drops the entry that was used least recently when it is full.
An entry that is read moves to the front of the ring.

# Size

The ring cache holds 128 entries unless maxsize is given.
"""
PRICES = "# Prices\n\nThe starter plan of Zephyr costs 12 euros a month.\n"


@pytest.fixture
def asked(run: Run, machine: Path) -> Run:
    """``run`` with two documents to search."""
    folder = machine / "docs"
    folder.mkdir()
    (folder / "eviction.md").write_text(EVICTION)
    (folder / "prices.md").write_text(PRICES)
    assert run("ingest", str(folder), "-k", "docs").exit_code == 0
    return run


def test_a_question_that_the_documents_answer(asked: Run, machine: Path) -> None:
    data = json.loads(asked("ask", "How many entries does the ring cache hold?", "--json", "--thread", "t1").stdout)
    assert "128" in data["answer"]
    assert (data["thread_id"], data["stop_reason"]) == ("t1", "answered")
    citation = data["citations"][0]
    assert citation["url"] == (machine / "docs" / "eviction.md").resolve().as_uri()
    assert citation["locator"]["line"] == 8
    shown = asked("resume", "t1").stdout
    assert "[1] docs/eviction.md:8" in shown
    trace = json.loads(asked("trace", "t1", "--json").stdout)
    assert [item["phase"] for item in trace["decisions"]][-1] == "reflect"
    assert trace["retrievals"][0]["sources"][0]["source"] == "knowledge"


@pytest.fixture
def locked_at_the_end(asked: Run, monkeypatch: pytest.MonkeyPatch) -> Run:
    """``asked``, with another process at work in the checkpoints when the answer is to be stored."""
    write = AsyncSqliteSaver.aput_writes

    async def refuse(saver: AsyncSqliteSaver, config: Any, writes: Any, *more: Any) -> None:
        if any(channel == "answer" and value for channel, value in writes):
            raise sqlite3.OperationalError("database is locked")
        await write(saver, config, writes, *more)

    monkeypatch.setattr(AsyncSqliteSaver, "aput_writes", refuse)
    return asked


def test_an_answer_that_cannot_be_stored_is_shown(locked_at_the_end: Run) -> None:
    """A minute's work is not lost to a lock; that a thread will not have it is told."""
    result = locked_at_the_end("ask", "How many entries does the ring cache hold?", "-k", "docs", "--no-input")
    assert result.exit_code == 1
    assert "128" in result.stdout
    assert "docs/eviction.md:8" in result.stdout
    assert error_lines(result) == [
        "calibrant: the answer is not kept in its thread: the database is in use by another process; try again when it "
        "has ended"
    ]


def test_so_it_is_as_json(locked_at_the_end: Run) -> None:
    result = locked_at_the_end("ask", "How many entries does the ring cache hold?", "-k", "docs", "--json")
    data = json.loads(result.stdout)
    assert (result.exit_code, data["stop_reason"], data["level"]) == (1, "answered", data["confidence"]["level"])
    assert "128" in data["answer"]
    assert [cited["place"].rpartition("/")[2] for cited in data["citations"]] == ["eviction.md:8"]
    assert data["spend"]["searches"] == 1


@pytest.mark.parametrize(
    ("command", "end"),
    [(("ask", "How many entries does the ring cache hold?"), 0), (("ask", "nothing there?"), 3), (("resume", "t1"), 0)],
)
def test_what_is_found_is_shown_before_the_app_is_closed(
    asked: Run, monkeypatch: pytest.MonkeyPatch, command: tuple[str, ...], end: int
) -> None:
    """To close it may wait for passages that are being embedded in the background."""
    asked("ask", "What does the starter plan of Zephyr cost?", "--thread", "t1")
    monkeypatch.setattr("calibrant.graph.app._close_knowledge", lambda _: click.echo("closed"))
    result = asked(*command)
    assert (result.exit_code, result.stdout.count("Confidence")) == (end, 1)
    assert result.stdout.endswith("\nclosed\n")


def test_so_is_an_answer_that_cannot_be_stored(locked_at_the_end: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("calibrant.graph.app._close_knowledge", lambda _: click.echo("closed"))
    result = locked_at_the_end("ask", "How many entries does the ring cache hold?")
    assert (result.exit_code, result.stdout.count("Confidence")) == (1, 1)
    assert result.stdout.endswith("\nclosed\n")


def test_a_courtesy_is_replied_to(asked: Run) -> None:
    result = asked("ask", "Hello!", "-k", "docs", "--thread", "t1")
    assert result.exit_code == 0
    assert result.stdout.startswith("Hello! I answer questions from sources, and say which. What I can search: know")
    assert "knowledge (docs)." in result.stdout
    assert "Ended       nothing was asked of the sources · without a search" in result.stdout
    assert "Confidence" not in result.stdout
    assert "nothing was asked of the sources" in asked("trace", "t1").stdout
    assert "courtesy 1" in asked("stats").stdout


def test_a_courtesy_where_nothing_can_be_searched_says_what_to_do(run: Run, machine: Path) -> None:
    result = run("ask", "Hello!")
    assert result.exit_code == 0
    assert "there is nothing to search yet: `calibrant ingest PATH...`" in result.stderr


def test_a_question_that_they_do_not_answer(asked: Run) -> None:
    result = asked("ask", "Who founded the company that makes Zephyr, and in which year?", "-k", "docs")
    assert result.exit_code == 3
    assert "abstained" in result.stdout
    assert "Sources" not in result.stdout


def test_a_vague_request_waits_and_is_answered_later(asked: Run) -> None:
    result = asked("ask", "fix it", "--ask-later", "--thread", "t1")
    assert result.exit_code == 4
    assert "! waits for an answer" in asked("threads").stdout
    assert "--wording" in error_lines(result)[1]
    result = asked("resume", "t1", "--wording", "How many entries does the ring cache hold?")
    assert (result.exit_code, "128" in result.stdout) == (0, True)


@pytest.mark.parametrize("command", [("ask", "How many entries does the ring cache hold?"), ("resume", "t1")])
def test_another_model_than_the_settings_name(asked: Run, command: tuple[str, ...]) -> None:
    assert asked("ask", "fix it", "--ask-later", "--thread", "t1").exit_code == 4
    result = asked(*command, "--model", "gpt-5", *(("--wording", "Who?") if command[0] == "resume" else ()))
    assert (result.exit_code, error_lines(result)) == (
        2, ["calibrant: a model without a base URL is OpenAI's: set CALIBRANT_MODEL_API_KEY"],
    )  # fmt: skip
    assert [row["id"] for row in json.loads(asked("threads", "--json").stdout)] == ["t1"], "no thread is left behind"


def test_a_second_turn(asked: Run) -> None:
    asked("ask", "How many entries does the ring cache hold?", "--thread", "t1")
    result = asked("ask", "What does the starter plan of Zephyr cost?", "--thread", "t1")
    assert (result.exit_code, "12 euros" in result.stdout, "turn 2" in result.stdout) == (0, True, True)


def test_an_earlier_turn_is_traced_as_the_last_one_is(asked: Run) -> None:
    asked("ask", "fix it", "--ask-later", "--thread", "t1")
    asked("resume", "t1", "--wording", "How many entries does the ring cache hold?")
    while_last = [asked("trace", "t1", form).stdout for form in ("--json", "--jsonl")]
    assert "\nthread t1 · turn 1 · answered\n" in asked("trace", "t1").stdout
    asked("ask", "What does the starter plan of Zephyr cost?", "--thread", "t1")
    assert [asked("trace", "t1", "--turn", "1", form).stdout for form in ("--json", "--jsonl")] == while_last
    first = asked("trace", "t1", "--turn", "1").stdout
    assert first.startswith("fix it\nthread t1 · turn 1 of 2 · answered · ")
    last = asked("trace", "t1").stdout
    assert last.splitlines()[1] == "thread t1 · turn 2 of 2 · answered · `--turn N` shows the others"
    assert asked("trace", "t1", "--turn", "2").stdout == last


def test_a_turn_that_a_thread_does_not_have_is_an_error_of_one_line(asked: Run) -> None:
    asked("ask", "How many entries does the ring cache hold?", "--thread", "t1")
    result = asked("trace", "t1", "--turn", "2")
    assert (result.exit_code, result.stdout, error_lines(result)) == (
        2, "", ["calibrant: there is no turn 2 of thread 't1' to show: it has 1 turn"],
    )  # fmt: skip


def test_a_question_that_is_too_long_is_refused_before_a_run(asked: Run) -> None:
    assert asked("ask", "How many entries does the ring cache hold?", "--thread", "t1").exit_code == 0
    result = asked("ask", "-", "--thread", "t1", stdin="x " * 15_000)
    assert (result.exit_code, result.stdout) == (2, "")
    assert "the question has 29,999 characters, 20,000 at most" in error_lines(result)[0]
    assert "answered" in asked("threads").stdout


def test_a_thread_whose_question_intake_refused_takes_another(asked: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as unchecked:
        unchecked.setattr("calibrant.interfaces.commands.ask.bounded", lambda question, _: question)
        assert asked("ask", "-", "--thread", "t1", stdin="x " * 15_000).exit_code == 2
    assert "stopped" in asked("threads").stdout
    result = asked("ask", "How many entries does the ring cache hold?", "--thread", "t1")
    assert result.exit_code == 0
    assert "128" in result.stdout


def test_the_doctor_names_what_is_there_and_what_is_missing(asked: Run) -> None:
    result = asked("doctor")
    assert result.exit_code == 0
    assert "knowledge: docs" in result.stdout
    assert "CALIBRANT_MODEL_NAME" in result.stdout


@pytest.mark.parametrize("name", ["checkpoints.db", "memory.db", "runs.db"])
@pytest.mark.parametrize("whole", [True, False])
def test_the_doctor_names_what_is_damaged_and_tells_of_the_rest(
    asked: Run, machine: Path, name: str, whole: bool
) -> None:
    for number in range(3):
        asked("ask", "How many entries does the ring cache hold?", "--thread", f"t{number}")
    file = machine / "data" / name
    for beside in file.parent.glob(f"{name}-*"):
        beside.unlink()
    kept = b"" if whole else file.read_bytes()[:4096]
    file.write_bytes(kept + b"no page of a database" * 2000)
    result = asked("doctor")
    assert result.exit_code == 1
    (line,) = [line for line in result.stdout.splitlines() if "broken" in line]
    assert f"{name} cannot be read" in line
    assert "move it away" in line
    assert "knowledge: docs" in result.stdout


def test_feedback_is_kept_with_the_experience(asked: Run) -> None:
    asked("ask", "How many entries does the ring cache hold?", "--thread", "t1")
    result = asked("feedback", "t1", "good")
    assert (result.exit_code, result.stdout) == (0, "kept: t1 was good\n")


def test_feedback_after_thanks_is_on_the_answer_before(asked: Run) -> None:
    asked("ask", "How many entries does the ring cache hold?", "--thread", "t1")
    asked("ask", "Thanks, that helps.", "--thread", "t1")
    assert asked("feedback", "t1", "bad").exit_code == 0
    assert "bad" in asked("memory").stdout


def test_feedback_is_counted(asked: Run) -> None:
    """Spec 2's measure of success: the user says whether the answer was enough, and an abstention may not have been."""
    for thread, question in (("t1", "How many entries does the ring cache hold?"), ("t2", "Who founded Zephyr?")):
        asked("ask", question, "--thread", thread)
    for verdict in ("bad", "good"):  # the latest counts
        asked("feedback", "t1", verdict)
    asked("feedback", "t2", "bad")
    stats = json.loads(asked("stats", "--json").stdout)
    assert (stats["judged"], stats["good"]) == (2, 0.5)
    assert "of 2 runs with your verdict" in asked("stats").stdout


def test_feedback_on_a_run_that_left_nothing_is_refused(asked: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CALIBRANT_SWITCHES__RECORDS", "false")
    asked("ask", "Who founded Zephyr?", "--thread", "t1")
    result = asked("feedback", "t1", "bad")
    assert (result.exit_code, result.stdout) == (2, "")
    assert "the latest run of thread t1 left nothing to judge" in error_lines(result)[0]


def test_feedback_on_a_turn_that_abstained_does_not_mark_the_turn_before(asked: Run) -> None:
    asked("ask", "How many entries does the ring cache hold?", "--thread", "t1")
    asked("ask", "Who founded the company that makes Zephyr, and in which year?", "--thread", "t1")
    result = asked("feedback", "t1", "bad")
    assert result.exit_code == 0
    again = json.loads(asked("ask", "How many entries does the ring cache hold?", "--json").stdout)
    assert again["warnings"] == []


@pytest.mark.parametrize("name", ["checkpoints.db", "memory.db"])
def test_a_corrupt_database_is_one_line_and_stays(asked: Run, machine: Path, name: str) -> None:
    damaged = machine / "data" / name
    damaged.write_bytes(b"no database" * 1000)
    result = asked("ask", "How many entries does the ring cache hold?")
    assert (result.exit_code, result.stdout) == (2, "")
    assert len(result.stderr.splitlines()) == 1
    assert name in error_lines(result)[0]
    assert damaged.read_bytes() == b"no database" * 1000


def test_a_missing_key(asked: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CALIBRANT_MODEL_NAME", "gpt-5-mini")
    result = asked("ask", "How many entries does the ring cache hold?")
    assert (result.exit_code, result.stdout) == (2, "")
    assert "CALIBRANT_MODEL_API_KEY" in error_lines(result)[0]


def test_a_bad_configuration_file(asked: Run, machine: Path) -> None:
    (machine / "calibrant.yaml").write_text("limits:\n  seconds: soon\n")
    result = asked("ask", "How many entries does the ring cache hold?")
    assert (result.exit_code, result.stdout) == (2, "")
    assert "calibrant.yaml, line 2" in error_lines(result)[0]


@pytest.fixture
def shared(asked: Run, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A data directory that others may read, with an answered question in it, and nothing of ours around it."""
    with tempfile.TemporaryDirectory() as place:  # `tmp_path` lies in a folder of this user alone
        monkeypatch.setenv("CALIBRANT_DATA_DIR", place)
        assert asked("ingest", "docs", "-k", "docs").exit_code == 0
        assert asked("ask", "How many entries does the ring cache hold?", "--thread", "t1").exit_code == 0
        for folder in (Path(place, "knowledge"), Path(place, "knowledge", "docs")):
            folder.chmod(0o755)
        monkeypatch.chdir(place)
        yield Path(place)


@pytest.mark.parametrize(
    "command", [("threads",), ("trace", "t1"), ("memory",), ("stats",), ("knowledge",)], ids=" ".join
)
def test_what_a_folder_holds_is_shown_where_it_cannot_be_written(
    asked: Run, shared: Path, command: tuple[str, ...]
) -> None:
    before = asked(*command)
    assert (before.exit_code, bool(before.stdout)) == (0, True)
    with read_only(shared):
        result = asked(*command)
    assert (result.exit_code, result.stdout, result.stderr) == (0, before.stdout, before.stderr)


@pytest.mark.parametrize(
    "command",
    [("threads", "remove", "t1"), ("memory", "clear", "--yes"), ("ask", "What does Zephyr cost?")],
    ids=" ".join,
)
def test_what_would_change_it_is_refused_in_one_line(asked: Run, shared: Path, command: tuple[str, ...]) -> None:
    for other in (("threads", "remove", "t0"), ("doctor",)):
        asked(*other)  # what they import is there
    with read_only(shared):
        result = asked(*command)
        assert asked("doctor").stdout.count("(read-only)") == 2
    assert (result.exit_code, result.stdout) == (2, "")
    assert error_lines(result)[-1].endswith("check that it and its folder can be read and written")
    assert json.loads(asked("threads", "--json").stdout)[0]["id"] == "t1"
