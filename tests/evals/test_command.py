"""``calibrant eval`` as it is typed."""

import json
import os
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

from calibrant.evals import runner
from calibrant.evals.registry import MODULES
from calibrant.evals.store import Kept
from calibrant.evals.task import Item, Judge, Verdict
from calibrant.state.errors import how_to_install
from tests.cli.conftest import Run, error_lines, machine, run

__all__ = ["machine", "run"]


def test_a_task_prints_its_figures_and_says_that_they_mean_nothing(run: Run, tmp_path: Path) -> None:
    done = run("eval", "conflict", "--out", "figures")
    assert done.exit_code == 0
    assert done.stdout.startswith("These figures are over a few items that were written to try the command")
    assert "precision" in done.stdout
    assert "recall" in done.stdout
    assert f"report: {Path('figures') / 'conflict' / 'report.html'}" in done.stdout
    assert (tmp_path / "figures" / "conflict" / "items.jsonl").is_file()


def test_the_second_run_reuses_and_fresh_does_not(run: Run) -> None:
    run("eval", "query-type")
    assert "(8 items reused)" in run("eval", "query-type").stdout
    assert "reused" not in run("eval", "query-type", "--fresh").stdout


def test_json_is_all_there_is_on_stdout(run: Run) -> None:
    (result,) = json.loads(run("eval", "query-type", "--json", "--half", "all").stdout)
    assert (result["task"], result["made_up"]) == ("query-type", True)
    assert [block["half"] for block in result["blocks"]] == ["held-out", "fit"]


def test_the_list_names_every_task(run: Run) -> None:
    shown = run("eval", "--list")
    assert shown.exit_code == 0
    assert all(name in shown.stdout for name in (*MODULES, "nomiracl", "breaking_nli"))


def test_all_runs_every_task(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    from calibrant.evals import registry

    monkeypatch.setattr(registry, "MODULES", {"query-type": "query_type", "ambiguity": "ambiguity"})
    results = json.loads(run("eval", "all", "--json", "--limit", "3").stdout)
    assert [result["task"] for result in results] == ["query-type", "ambiguity"]


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("eval",), "name a task"),
        (("eval", "no-such"), "no eval 'no-such': use sufficiency"),
        (("eval", "conflict", "-d", "no-such"), "conflict has no dataset 'no-such': use breaking_nli"),
        (("eval", "all", "-d", "small"), "--dataset goes with one task"),
        (("eval", "conflict", "--embeddings", "nowhere"), "no embedding model in nowhere"),
        (("eval", "conflict", "--limit", "0"), "0 is not in the range"),
        (("eval", "conflict", "--seed", "-1"), "-1 is not in the range"),
    ],
)
def test_bad_input_is_one_line(run: Run, words: tuple[str, ...], told: str) -> None:
    done = run(*words)
    assert done.exit_code == 2
    (line,) = error_lines(done)
    assert told in line


def test_a_dataset_without_its_file_says_where_it_comes_from(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "copy").mkdir()
    monkeypatch.setenv("CALIBRANT_DATASETS", str(tmp_path / "copy"))
    done = run("eval", "conflict", "-d", "snli_cad")
    assert done.exit_code == 2
    (line,) = error_lines(done)
    assert "missing data file snli_cad/dev.tsv" in line
    assert "github.com/acmi-lab/counterfactually-augmented-data at commit 6f232a1d" in line


def test_a_folder_that_is_not_there_is_bad_input(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CALIBRANT_DATASETS", "nowhere")
    done = run("eval", "conflict")
    assert done.exit_code == 2
    assert "no folder nowhere" in error_lines(done)[0]


MINE = {
    "title": "Mill",
    "text": "The mill was built in 1823.",
    "question": "When was the mill built?",
    "answers": ["1823"],
}


@pytest.mark.parametrize("command", [("eval", "answer", "--half", "all"), ("calibrate",)])
def test_a_file_of_one_s_own_is_measured_over_its_own_documents(
    run: Run, tmp_path: Path, command: tuple[str, ...]
) -> None:
    other = {**MINE, "question": "Who owns the mill?", "answers": []}
    Path("My questions.json").write_text(json.dumps([MINE, other]), encoding="utf-8")
    done = run(*command, "-d", "My questions.json")
    assert done.exit_code == 0
    assert "mean nothing" not in done.stdout
    folder = "calibrate" if command == ("calibrate",) else "answer"
    lines = (tmp_path / "data" / "evals" / folder / "items.jsonl").read_text(encoding="utf-8").splitlines()
    told = {line["key"]: line["values"]["right"] for line in map(json.loads, lines)}
    assert told == {"When was the mill built?": True, "Who owns the mill?": True}


def test_a_half_without_a_record_says_so(run: Run) -> None:
    Path("mine.json").write_text(json.dumps([MINE]), encoding="utf-8")
    told = [run("eval", "answer", "-d", "mine.json", "--half", half).stdout for half in ("held-out", "fit")]
    assert sorted("no record is in this half" in one for one in told) == [False, True]


def test_a_question_without_passages_is_not_scored(run: Run) -> None:
    mine = [{"question": f"Is gate {number} open?", "passages": [], "answers": False} for number in range(4)]
    Path("mine.json").write_text(json.dumps(mine), encoding="utf-8")
    done = run("eval", "sufficiency", "-d", "mine.json", "--half", "all")
    assert (done.exit_code, "(no passages to judge)" in done.stdout) == (1, True)


def asked_of_files(folder: str, *, open_too: bool = True) -> None:
    """``mine.json`` with questions over the files in ``folder``, one of which is no text, and one no file."""
    Path(folder).mkdir(exist_ok=True)
    Path(folder, "mill.md").write_text("# Mill\n\n## History\n\nThe mill was built in 1823.\n", encoding="utf-8")
    Path(folder, "mill.bin").write_bytes(b"\0\1\2")
    os.mkfifo(Path(folder, "mill.txt"))
    asked = [{"question": "When was the mill built?", "answers": ["1823"]}]
    asked += [{"question": "Who owns the mill?", "answers": []}] if open_too else []
    Path("mine.json").write_text(json.dumps({"documents": folder, "questions": asked}), encoding="utf-8")


@pytest.mark.parametrize("folder", ["docs", "."])
def test_one_s_own_files_are_read_as_they_are_and_again_when_they_change(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, folder: str
) -> None:
    beside = tmp_path / "questions"
    beside.mkdir()
    monkeypatch.chdir(beside)
    asked_of_files(folder)

    def told(mill: str) -> dict[str, object]:
        Path(folder, "mill.md").write_text(mill, encoding="utf-8")
        done = run("eval", "answer", "--half", "all", "-d", "mine.json", "--json")
        assert done.exit_code == 0
        blocks = json.loads(done.stdout)[0]["blocks"]
        return {one["name"]: one["value"] for block in blocks for one in block["figures"]}

    found = told("# Mill\n\nThe mill was built in 1823.\n")
    name = "answerable: right document retrieved"
    assert (found["answerable: answer found in the cited sentences"], found[name]) == (1.0, 1.0)
    assert found["unanswerable: answered all the same"] == 0.0
    found = told("# Mill\n\nNobody knows when the mill was built.\n")
    assert (found["answerable: answer found in the cited sentences"], found[name]) == (0.0, 0.0)


def test_depth_over_one_s_own_files_counts_what_has_an_answer(run: Run) -> None:
    asked_of_files("docs")
    done = run("eval", "depth", "--half", "all", "-d", "mine.json", "--json")
    blocks = json.loads(done.stdout)[0]["blocks"]
    found = [one["value"] for block in blocks for one in block["figures"] if one["name"] == "adaptive: found"]
    assert found == [1.0]
    assert [why for block in blocks for _, why, _ in block["unscored"]] == ["no document answers it"]


@pytest.mark.parametrize(
    ("held", "told"),
    [
        (None, "mine.json cannot be read"),
        ('{"questions": [{}]}', "it must name documents (a file or folder, or a list) and questions"),
        ('{"documents": "docs", "questions": []}', "questions in mine.json must be a list of records"),
        ('{"documents": "nowhere", "questions": [{}]}', "no such file or folder beside it"),
        ('{"documents": "docs", "questions": [{"question": "When?"}]}', "record 1 lacks answers"),
        ("{", "mine.json is no JSON"),
        ("[]", "must hold a list of records"),
        (json.dumps([MINE, {"question": "When?"}]), "record 2 lacks answers, text, title; or name `documents` for all"),
        (json.dumps([{**MINE, "answers": "1823"}]), "record 1 has a text as answers, not a list"),
        (json.dumps([{**MINE, "answers": ["1823", 1823]}]), "record 1 has a number in answers, not a text"),
    ],
)
def test_a_file_of_one_s_own_that_cannot_be_used_is_one_line(run: Run, held: str | None, told: str) -> None:
    Path("docs").mkdir()
    if held is not None:
        Path("mine.json").write_text(held, encoding="utf-8")
    done = run("eval", "answer", "-d", "mine.json")
    assert done.exit_code == 2
    (line,) = error_lines(done)
    assert told in line


@pytest.mark.parametrize(
    ("task", "left", "told"),
    [
        ("conflict", ("mill.md",), "mine.json names documents, but this task asks no questions of documents"),
        ("answer", ("mill.bin",), "mine: none of its documents could be read"),
        ("answer", (), "mine: none of its documents could be read"),
    ],
)
def test_files_that_nothing_can_be_asked_of_are_one_line(run: Run, task: str, left: tuple[str, ...], told: str) -> None:
    asked_of_files("docs")
    for file in Path("docs").iterdir():
        if file.name not in left:
            file.unlink()
    done = run("eval", task, "--half", "all", "-d", "mine.json")
    assert (done.exit_code, error_lines(done)) == (2, [f"calibrant: {told}"])


@pytest.mark.parametrize("task", ["answer", "claims"])
def test_a_model_that_cannot_be_opened_is_refused_at_once(run: Run, task: str) -> None:
    done = run("eval", task, "-d", "small", "--model", "gpt-5")
    assert (done.exit_code, done.stdout) == (2, "")
    assert error_lines(done) == [
        "calibrant: gpt-5 is asked too, and may cost; `-m none` leaves it out",
        "calibrant: a model without a base URL is OpenAI's: set CALIBRANT_MODEL_API_KEY",
    ]


def test_a_run_in_which_no_item_could_be_scored_has_failed(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    async def failing(judge: Judge, item: Item) -> tuple[Kept, bool]:
        return Kept(Verdict(unscored="timeout: no answer"), 0.0), True

    assert run("eval", "query-type").exit_code == 0
    monkeypatch.setattr(runner, "_timed", failing)
    done = run("eval", "query-type", "--fresh")
    assert (done.exit_code, "not scored: small: 8 (timeout: no answer)" in done.stdout) == (1, True)


@pytest.mark.skipif(find_spec("torch") is not None, reason="PyTorch is there")
@pytest.mark.parametrize(("module", "what"), [("reader", "the reader"), ("inference", "what follows from what")])
def test_a_fit_says_what_it_needs(module: str, what: str) -> None:
    command = [sys.executable, "-m", f"calibrant.evals.fitting.{module}", "--help"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == f"fitting {what} needs PyTorch: {how_to_install('fit')}\n"
