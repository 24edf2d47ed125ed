"""The events as JSON lines: from a run while it runs, over a resume, and from what a thread holds."""

import json
from datetime import datetime
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from calibrant.interfaces.tracefile import line, lines_of_thread
from calibrant.state.channels import View
from calibrant.state.events import EVENT
from calibrant.state.record import LONGEST_TEXT
from tests.cli.conftest import Run, error_lines
from tests.graph.house import DOCUMENTS, write_documents
from tests.graph.markets import HAMSTERS, HAMSTERS_WANTED, pages

QUESTION = "How often is a failed job retried by default?"
KEY = "sk-not-to-be-seen-0123456789"

Line = dict[str, Any]


@pytest.fixture
def manual(run: Run, machine: Path) -> Run:
    """``run`` with the manual to search."""
    folder = write_documents(machine / "docs")
    assert run("ingest", str(folder), "-k", "manual").exit_code == 0
    return run


def lines_in(text: str) -> list[Line]:
    """Each line parsed; each must be an event of ours."""
    found = [json.loads(one) for one in text.splitlines()]
    for one in found:
        EVENT.validate_python(one)
    return found


def kinds(lines: list[Line]) -> list[str]:
    return [one["event"] for one in lines]


def test_a_run_writes_its_events(manual: Run, machine: Path) -> None:
    result = manual("ask", QUESTION, "--thread", "t1", "--no-input", "--trace-file", "trace.jsonl")
    assert result.exit_code == 0
    lines = lines_in((machine / "trace.jsonl").read_text("utf-8"))
    assert (kinds(lines)[0], kinds(lines)[-1]) == ("run", "finished")
    assert {"phase", "understood", "plan", "decision", "searching", "source", "round"} <= set(kinds(lines))
    assert {"step", "synthesis", "review"} <= set(kinds(lines))
    assert {one["thread_id"] for one in lines} == {"t1"}
    (run_id,) = {one["run_id"] for one in lines}
    assert json.loads(manual("trace", "t1", "--json").stdout)["run"]["id"] == run_id
    times = [datetime.fromisoformat(one["at"]) for one in lines]
    assert all(before <= after for before, after in pairwise(times))
    assert all(time.tzinfo for time in times)


def test_runs_are_appended(manual: Run, machine: Path) -> None:
    for _ in range(2):
        manual("ask", QUESTION, "--no-input", "--trace-file", "trace.jsonl")
    lines = lines_in((machine / "trace.jsonl").read_text("utf-8"))
    assert kinds(lines).count("finished") == 2
    assert len({one["run_id"] for one in lines}) == len({one["thread_id"] for one in lines}) == 2


def test_no_key_and_no_passage_is_written(manual: Run, machine: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("CALIBRANT_MODEL_API_KEY", "CALIBRANT_TAVILY_API_KEY", "CALIBRANT_GITHUB_TOKEN"):
        monkeypatch.setenv(name, KEY)
    monkeypatch.setenv("CALIBRANT_SOURCES", "knowledge")
    long = QUESTION + " I ask" + " because it matters" * 200
    for question in (QUESTION, long):
        manual("ask", question, "--no-input", "--trace-file", "trace.jsonl")
    text = (machine / "trace.jsonl").read_text("utf-8")
    assert KEY not in text
    sentences = [one.strip() for page in DOCUMENTS.values() for one in page.split("\n") if one.count(" ") > 8]
    assert [one for one in sentences if one in text] == []
    assert max(len(value) for one in lines_in(text) for value in strings(one)) <= LONGEST_TEXT


def strings(value: Any) -> list[str]:
    """Every text in JSON data."""
    if isinstance(value, str):
        return [value]
    items = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return [text for item in items for text in strings(item)]


def test_a_run_that_is_gone_on_with_keeps_its_id(scripted_run: Run, machine: Path) -> None:
    scripted_run("ask", "guide me", "--ask-later", "--thread", "t1", "--trace-file", "trace.jsonl")
    first = len((machine / "trace.jsonl").read_text("utf-8").splitlines())
    assert scripted_run("resume", "t1", "--skip", "--trace-file", "trace.jsonl").exit_code == 0
    lines = lines_in((machine / "trace.jsonl").read_text("utf-8"))
    assert len(lines) > first > 0
    assert {(one["thread_id"], one["run_id"]) for one in lines} == {("t1", "run")}
    assert kinds(lines)[-1] == "finished"


def test_what_a_person_answered_stands_behind_what_asked(manual: Run, machine: Path) -> None:
    manual("ask", "What does it cost?", "--ask-later", "--thread", "t1", "--trace-file", "trace.jsonl")
    assert manual("resume", "t1", "--wording", QUESTION, "--trace-file", "trace.jsonl").exit_code == 0
    written = lines_in((machine / "trace.jsonl").read_text("utf-8"))
    lines = lines_in(manual("trace", "t1", "--jsonl").stdout)
    assert [one["guidance"]["text"] for one in written if one["event"] == "guidance"] == [QUESTION]
    assert told(lines, "guidance") == told(written, "guidance")
    assert kinds(lines)[2:4] == ["decision", "guidance"]
    assert lines[3]["guidance"]["request_id"] == lines[2]["decision"]["id"]


@pytest.mark.parametrize("where", ["no/such/folder/trace.jsonl", "."])
@pytest.mark.parametrize("command", [("ask", "a question"), ("resume", "t1")])
def test_a_file_that_cannot_be_written_is_one_line(run: Run, command: tuple[str, ...], where: str) -> None:
    result = run(*command, "--trace-file", where)
    assert (result.exit_code, result.stdout) == (2, "")
    (told,) = error_lines(result)
    assert told.startswith(f"calibrant: --trace-file {where} cannot be written (")
    assert told.endswith("name a file in a folder that exists")
    assert len(result.stderr.splitlines()) == 1


def test_a_thread_gives_its_lines_again(manual: Run, machine: Path) -> None:
    question = "Who is the chief executive of the worker process company?"
    manual("ask", question, "--thread", "t1", "--no-input", "--trace-file", "trace.jsonl")
    written = lines_in((machine / "trace.jsonl").read_text("utf-8"))
    lines = lines_in(manual("trace", "t1", "--jsonl").stdout)
    assert (kinds(lines)[0], kinds(lines)[-1]) == ("run", "finished")
    for kind in ("understood", "decision", "round", "finished"):
        assert told(lines, kind) == told(written, kind)
    for kind in ("plan", "synthesis", "review"):  # a thread holds the last of each
        assert told(lines, kind) == told(written, kind)[-1:]
    order = [kind for kind in kinds(written) if kind in ("decision", "searching", "round", "finished")]
    assert [kind for kind in kinds(lines) if kind in order] == order
    times = [one["at"] for one in lines]
    assert times == sorted(times)


def test_each_search_that_was_refined_is_told_with_its_report(run: Run, machine: Path) -> None:
    folder = write_documents(machine / "docs", pages(HAMSTERS))
    assert run("ingest", str(folder), "-k", "market").exit_code == 0
    asked = ("ask", HAMSTERS_WANTED, "--power", "2", "--thread", "t1", "--no-input", "--trace-file", "trace.jsonl")
    stderr = run(*asked).stderr
    assert "4 of 15 passages meet the conditions, 0.27 of 0.30; rejected 11: educational 5" in stderr
    assert "suggested: without educational" in stderr
    written = lines_in((machine / "trace.jsonl").read_text("utf-8"))
    held = lines_in(run("trace", "t1", "--jsonl").stdout)
    for lines in (written, held):
        first, second = (one for one in lines if one["event"] == "review")
        assert [entry["reason"] for entry in first["quality"]["breakdown"]] == ["educational", "book", "cage"]
        assert "educational" in first["quality"]["refinement"]["negative"]
        assert second["quality"]["refinement"] is None
        after = lines[lines.index(first) + 1]
        assert (after["event"], after["decision"]["action"]) == ("decision", "refine")
    assert told(held, "review")[-1] == told(written, "review")[-1]


def told(lines: list[Line], kind: str) -> list[Line]:
    """The events of a kind, without their time and the spend until then."""
    changing = ("at", "spend", "used")
    return [{key: value for key, value in one.items() if key not in changing} for one in lines if one["event"] == kind]


def test_json_and_jsonl_exclude_each_other(run: Run) -> None:
    result = run("trace", "t1", "--json", "--jsonl")
    assert (result.exit_code, result.stdout) == (2, "")
    assert error_lines(result) == ["calibrant: --json or --jsonl, not both"]


def test_a_thread_without_a_run_has_no_lines() -> None:
    assert list(lines_of_thread(View(), "t1")) == []


def test_a_line_is_one_line() -> None:
    text = line({"event": "run", "question": "a\nb", "list": ["c\u2028d"]}, at=0.0, thread_id="t", run_id="r")
    assert text.splitlines() == [text]
    assert json.loads(text)["at"] == "1970-01-01T00:00:00.000+00:00"
    assert json.loads(text)["question"] == "a b"
