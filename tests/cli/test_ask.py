"""``ask`` and ``resume`` over the scripted app: answers, JSON, questions that wait, threads, errors."""

import json
from pathlib import Path
from typing import Any

import pytest
from langgraph.types import PregelTask, StateSnapshot

from calibrant.graph.working import working_on
from calibrant.interfaces import options
from calibrant.interfaces.commands.ask import checked_question
from calibrant.interfaces.session import takes_question
from calibrant.state.errors import InputError
from calibrant.state.evidence import KINDS
from tests.cli.conftest import Run, error_lines

ANSWER = "When the cache is full"


def answered(run: Run, *args: str) -> dict[str, Any]:
    """The JSON of a command."""
    result = run(*args, "--json")
    assert len(result.stdout.splitlines()) == 1
    data: dict[str, Any] = json.loads(result.stdout)
    return data


def test_the_kinds_offered_are_those_of_documents() -> None:
    assert options.KINDS == KINDS, "named twice, for the help opens nothing"


def test_nobody_is_asked_now_and_later(scripted_run: Run) -> None:
    """The two options contradict each other, and neither wins silently."""
    result = scripted_run("ask", "guide me", "--no-input", "--ask-later")
    assert result.exit_code == 2
    assert "leave one of them out" in result.stderr


def test_the_answer_is_on_stdout_and_the_progress_on_stderr(scripted_run: Run) -> None:
    result = scripted_run("ask", "How does lru_cache evict?")
    assert result.exit_code == 0
    assert result.stdout.startswith(ANSWER)
    assert "perceive: confidence 0.42 -> 0.81" in result.stderr
    assert "learnt: When the cache" in result.stderr
    assert result.stderr.startswith("thread ")


def test_words_need_no_quotes_and_may_come_from_stdin(scripted_run: Run) -> None:
    assert answered(scripted_run, "ask", "How", "does", "it", "evict?")["messages"] != []
    result = scripted_run("ask", "-", "--json", stdin="How does it evict?\n")
    assert json.loads(result.stdout)["stop_reason"] == "answered"


@pytest.mark.parametrize(
    ("given", "piped", "question"),
    [
        ("Why does this fail?", True, "Why does this fail?\n\nValueError: no owner"),
        ("", True, "ValueError: no owner"),
        ("How do I read stdin with tar -", False, "How do I read stdin with tar -"),
    ],
)
def test_what_comes_from_stdin_stands_below_the_question(
    given: str, piped: bool, question: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("calibrant.interfaces.terminal.piped", lambda: "ValueError: no owner\n")
    assert checked_question(given, piped=piped) == question


def test_json_is_the_whole_output(scripted_run: Run) -> None:
    data = answered(scripted_run, "ask", "How does lru_cache evict?")
    assert data["answer"].startswith(ANSWER)
    assert data["confidence"]["score"] == 0.92
    assert data["level"] == "high"
    assert [citation["number"] for citation in data["citations"]] == [1, 2]
    assert data["citations"][0]["locator"]["line"] == 568
    assert (data["stop_reason"], data["depth_used"], data["waiting"]) == ("answered", 2, None)
    assert len(data["decisions"]) == 5
    assert data["spend"]["searches"] == 6
    assert set(data) >= {"thread_id", "claims", "conflicts", "warnings", "messages"}


def test_an_abstention_has_its_own_exit_code(scripted_run: Run) -> None:
    result = scripted_run("ask", "nothing says this")
    assert result.exit_code == 3
    assert result.stdout.startswith("I do not know.")


def test_where_there_is_nothing_to_search_an_abstention_says_what_to_do(scripted_run: Run, tmp_path: Path) -> None:
    (hint,) = error_lines(scripted_run("ask", "nothing says this"))
    assert "there is nothing to search yet: `calibrant ingest PATH...`" in hint
    (tmp_path / "a.md").write_text("# Cats\n\nCats sleep.\n", encoding="utf-8")
    assert scripted_run("ingest", str(tmp_path / "a.md")).exit_code == 0
    assert error_lines(scripted_run("ask", "nothing says this")) == []


@pytest.mark.parametrize("question", ["", "  ", "-"])
def test_an_empty_question(scripted_run: Run, question: str) -> None:
    result = scripted_run("ask", question, stdin="")
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr == 'calibrant: the question is empty: calibrant ask "What do you want to know?"\n'


def test_without_a_person_nothing_is_asked(scripted_run: Run) -> None:
    assert scripted_run("ask", "guide me").exit_code == 0


def test_a_question_may_wait_for_a_later_answer(scripted_run: Run) -> None:
    result = scripted_run("ask", "guide me", "--ask-later", "--thread", "t1")
    assert (result.exit_code, result.stdout) == (4, "")
    waits, how = error_lines(result)
    assert waits == "calibrant: a question waits: uncertainty 5 reaches 5; last error: github: no answer within 5 s"
    assert "`calibrant resume t1 --guide" in how
    result = scripted_run("resume", "t1", "--guide", "Look in the C code")
    assert result.exit_code == 0
    assert "As you said: guide Look in the C code" in result.stdout


def test_what_waits_for_approval_is_told_with_its_arguments(scripted_run: Run) -> None:
    waits, how = error_lines(scripted_run("ask", "delete it", "--ask-later", "--thread", "t1"))
    assert waits == "calibrant: a question waits: may these run? remove(path='a'), write()"
    assert "--approve` (or --reject)" in how


def test_a_waiting_question_stands_in_the_json(scripted_run: Run) -> None:
    data = answered(scripted_run, "ask", "a vague thing", "--ask-later")
    assert data["waiting"]["kind"] == "wording"
    assert data["waiting"]["proposal"] == "How does lru_cache evict?"
    assert data["answer"] == ""


@pytest.mark.parametrize(
    ("question", "options", "said"),
    [
        ("guide me", ("--skip",), "skip"),
        ("guide me", ("--retry",), "retry"),
        ("guide me", ("--abort",), "abort"),
        ("a vague thing", ("--wording", "How?"), "write How?"),
        ("a vague thing", ("--use",), "use"),
        ("a vague thing", ("--approve",), "use"),
        ("a vague thing", ("--keep",), "keep"),
        ("delete it", ("--approve",), "approve"),
        ("delete it", ("--reject",), "reject"),
    ],
)
def test_resume_answers(scripted_run: Run, question: str, options: tuple[str, ...], said: str) -> None:
    scripted_run("ask", question, "--ask-later", "--thread", "t1")
    result = scripted_run("resume", "t1", *options)
    assert result.exit_code == 0
    assert f"As you said: {said}\n" in result.stdout


@pytest.mark.parametrize(
    ("question", "options", "says"),
    [
        ("guide me", ("--use",), "--use does not answer that question: use `calibrant resume t1 --guide"),
        ("a vague thing", ("--guide", "x"), "--guide does not answer that question"),
        ("a thing with gaps", ("--use",), 'use `calibrant resume t1 --wording "..."` (or --keep)'),
        ("delete it", ("--abort",), "--abort does not answer that question"),
        ("guide me", ("--guide", " "), '"guide" needs a text'),
        ("delete it", ("--reject", "--approve"), "one answer at a time: --reject or --approve"),
        ("guide me", ("--guide", "x", "--skip"), "one answer at a time: --guide or --skip"),
    ],
)
def test_an_answer_that_does_not_fit(scripted_run: Run, question: str, options: tuple[str, ...], says: str) -> None:
    scripted_run("ask", question, "--ask-later", "--thread", "t1")
    result = scripted_run("resume", "t1", *options)
    assert (result.exit_code, result.stdout) == (2, "")
    assert says in error_lines(result)[0]
    assert scripted_run("resume", "t1").exit_code == 4  # and the question still waits


def test_resume_of_a_finished_thread_shows_its_answer(scripted_run: Run) -> None:
    scripted_run("ask", "How does it evict?", "--thread", "t1")
    result = scripted_run("resume", "t1")
    assert (result.exit_code, result.stdout[: len(ANSWER)]) == (0, ANSWER)
    result = scripted_run("resume", "t1", "--skip")
    assert result.exit_code == 2
    assert error_lines(result) == ["calibrant: thread t1 asks nothing: it has finished"]


@pytest.mark.parametrize("command", [("resume", "nope"), ("trace", "nope"), ("feedback", "nope", "good")])
def test_an_unknown_thread(scripted_run: Run, command: tuple[str, ...]) -> None:
    result = scripted_run(*command)
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr == "calibrant: there is no thread 'nope': `calibrant threads` lists them\n"


def test_a_thread_goes_on_with_the_next_question(scripted_run: Run) -> None:
    scripted_run("ask", "How does it evict?", "--thread", "t1")
    result = scripted_run("ask", "And why?", "--thread", "t1")
    assert "turn 2" in result.stdout


def test_an_unfinished_thread_is_not_overwritten(scripted_run: Run) -> None:
    scripted_run("ask", "guide me", "--ask-later", "--thread", "t1")
    result = scripted_run("ask", "And why?", "--thread", "t1")
    assert result.exit_code == 2
    assert "`calibrant resume t1` first" in error_lines(result)[0]


@pytest.mark.parametrize(
    ("left", "free"),
    [
        ([], True),
        ([("intake", InputError("too long"))], True),
        ([("intake", None)], False),
        ([("act", InputError("too long"))], False),
        ([("intake", InputError("too long")), ("act", None)], False),
    ],
    ids=["nothing", "refused", "stopped before it was read", "failed later", "more"],
)
def test_a_thread_takes_a_question_if_nothing_would_be_lost(
    left: list[tuple[str, Exception | None]], free: bool
) -> None:
    tasks = tuple(PregelTask(id=name, name=name, path=(), error=error) for name, error in left)
    snapshot = StateSnapshot({}, (), {}, None, None, None, tasks, ())
    assert takes_question(snapshot) is free


@pytest.mark.parametrize("command", [("ask", "And why?", "--thread", "t1"), ("resume", "t1", "--skip")])
def test_a_thread_that_is_at_work_is_left_alone(scripted_run: Run, tmp_path: Path, command: tuple[str, ...]) -> None:
    """Two would spend everything twice, and write over each other."""
    scripted_run("ask", "guide me", "--ask-later", "--thread", "t1")
    with working_on(tmp_path / "data", "t1"):
        result = scripted_run(*command)
    assert (result.exit_code, result.stdout) == (2, "")
    assert error_lines(result) == ["calibrant: thread t1 is at work elsewhere: try again when that has ended"]
    assert answered(scripted_run, "resume", "t1", "--skip")["stop_reason"] == "answered"


@pytest.mark.parametrize(("thread", "told"), [("a b", "'a b' is no thread id"), ("", "the thread is empty: name one")])
def test_a_thread_id_must_be_one(scripted_run: Run, thread: str, told: str) -> None:
    result = scripted_run("ask", "How?", "--thread", thread)
    assert result.exit_code == 2
    assert told in error_lines(result)[0]


@pytest.mark.parametrize(
    ("question", "says"),
    [
        ("crash now", "failed: RuntimeError: first line second line"),
        ("refuse it", "the model refused the key: set CALIBRANT_MODEL_API_KEY"),
    ],
)
def test_a_failure_is_one_line_and_the_thread_stays(scripted_run: Run, question: str, says: str) -> None:
    result = scripted_run("ask", question, "--thread", "t1")
    assert (result.exit_code, result.stdout) == (1, "")
    assert says in error_lines(result)[0]
    assert len(error_lines(result)) == 1
    assert scripted_run("trace", "t1").exit_code == 0


def test_a_bad_setting(scripted_run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CALIBRANT_POWER", "9")
    result = scripted_run("ask", "How?")
    assert (result.exit_code, result.stdout) == (2, "")
    assert len(result.stderr.splitlines()) == 1
    assert "CALIBRANT_POWER" in error_lines(result)[0]


def test_filters_and_power_reach_the_run(scripted_run: Run, machine: Path) -> None:
    result = scripted_run("ask", "How?", "--power", "3", "--include", "*.py", "--kind", "code", "--thread", "t1")
    assert result.exit_code == 0


def test_the_trace(scripted_run: Run) -> None:
    scripted_run("ask", "How does it evict?", "--thread", "t1")
    text = scripted_run("trace", "t1").stdout
    assert text.startswith("How does it evict?\nthread t1 · turn 1 · answered\n")
    assert "Retrievals" in text
    data = answered(scripted_run, "trace", "t1")
    assert [item["action"] for item in data["decisions"]] == ["retrieve", "proceed", "proceed", "proceed", "proceed"]
    assert data["retrievals"][0]["rounds"][0]["decision"] == "deeper"


def test_the_doctor(scripted_run: Run) -> None:
    result = scripted_run("doctor")
    assert result.exit_code == 0
    assert "set CALIBRANT_MODEL_NAME" in result.stdout
    assert "12 documents, 340 passages" in result.stdout
    rows = json.loads(scripted_run("doctor", "--json").stdout)
    assert [row["state"] for row in rows] == ["missing", "ok"]


def test_feedback(scripted_run: Run) -> None:
    scripted_run("ask", "How does it evict?", "--thread", "t1")
    result = scripted_run("feedback", "t1", "bad")
    assert (result.exit_code, result.stdout) == (0, "kept: t1 was bad\n")


def test_threads(scripted_run: Run, machine: Path) -> None:
    assert "no threads yet" in scripted_run("threads").stderr
    scripted_run("ask", "How does it evict?", "--thread", "t1")
    scripted_run("ask", "guide me", "--ask-later", "--thread", "t2")
    scripted_run("ask", "crash now", "--thread", "t3")
    lines = scripted_run("threads").stdout.splitlines()
    assert [line.split()[0] for line in lines] == ["t3", "t2", "t1"]
    assert ["! stopped" in lines[0], "! waits for an answer" in lines[1], "✓ answered" in lines[2]] == [True] * 3
    assert lines[2].endswith("How does it evict?")
    with working_on(machine / "data", "t3"):
        assert "· at work" in scripted_run("threads").stdout.splitlines()[0]
        assert json.loads(scripted_run("threads", "--json").stdout)[0]["status"] == "working"
    scripted_run("ask", "nothing is known of it", "--thread", "t0")
    assert "○ abstained" in scripted_run("threads", "-n", "1").stdout
    assert json.loads(scripted_run("threads", "--json", "-n", "1").stdout)[0]["stop_reason"] == "abstained"
    scripted_run("ask", "How does it evict? " * 500, "--thread", "t4")
    long = scripted_run("threads", "-n", "1").stdout
    assert len(long) < 200
    assert long.endswith("…\n")
    assert json.loads(scripted_run("threads", "--json", "-n", "1").stdout)[0]["question"].count("evict") == 500
    rows = json.loads(scripted_run("threads", "--json", "-n", "4").stdout)[2:]
    assert [(row["id"], row["status"]) for row in rows] == [("t3", "unfinished"), ("t2", "interrupted")]
