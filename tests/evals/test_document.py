"""The page of figures: made from finished runs, and ``docs/EVALS.md`` as it stands."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

from calibrant.evals.aims import AIMS, Aim, aim_of
from calibrant.evals.document import NOTES, PAGE, main
from calibrant.evals.registry import MODULES, TABLE, task_named
from calibrant.evals.task import Figure

LATE = "## What did not help\n\nMagic.\n"


def run_of(task: str, *figures: dict[str, Any], half: str = "held-out", **more: Any) -> dict[str, Any]:
    """What a finished run leaves, as far as the page reads it."""
    counts = {one["dataset"]: one["count"] for one in figures}
    block = {"half": half, "counts": counts, "unscored": [["nomiracl", "no | text", 3]], "figures": list(figures)}
    settings = {"seed": 7, "limit": None, "half": half, "model": "none", "encoder": "words:1"}
    held = {"task": task, "datasets": list(counts), "made_up": False, "settings": settings, "blocks": [block]}
    return {**held, **more}


def figure(dataset: str, name: str, value: float | None, **more: Any) -> dict[str, Any]:
    """A figure over 400 items, with an interval where there is a value."""
    bounds = {} if value is None else {"low": value - 0.02, "high": value + 0.02}
    return {"dataset": dataset, "name": name, "value": value, "count": 1400, **bounds, **more}


SUFFICIENCY = run_of(
    "sufficiency",
    figure("nomiracl", "AUROC", 0.79),
    figure("squad2", "AUROC", 0.60),
    figure("qnli", "AUROC", None),
    figure("nomiracl", "Brier", 0.111, detail=True),
)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with one run and notes."""
    (tmp_path / "notes.md").write_text(LATE, encoding="utf-8")
    keep(tmp_path, SUFFICIENCY)
    return tmp_path


def keep(folder: Path, run: dict[str, Any]) -> None:
    """The run where the runner would put it."""
    place = folder / run["task"]
    place.mkdir(exist_ok=True)
    (place / "results.json").write_text(json.dumps(run), encoding="utf-8")


def written(folder: Path) -> str:
    """The page over the runs in ``folder``."""
    assert main([str(folder), "--notes", str(folder / "notes.md"), "--write", str(folder / "page.md")]) == 0
    return (folder / "page.md").read_text(encoding="utf-8")


def test_a_figure_stands_with_interval_items_and_aim(folder: Path) -> None:
    lines = written(folder).splitlines()
    assert "| nomiracl | AUROC | 0.790 | 0.770-0.810 | 1,400 | at least 0.78: reached |" in lines
    assert "| squad2 | AUROC | 0.600 | 0.580-0.620 | 1,400 | at least 0.68: not reached |" in lines
    assert "| qnli | AUROC | - |  | 1,400 | at least 0.88: not measured |" in lines
    assert "1 of 2 that were measured are reached." in lines


def test_the_conditions_are_told(folder: Path) -> None:
    text = written(folder)
    assert "Held-out half, all items, seed 7, model: none, encoder: words:1. Scored: nomiracl 1,400" in text
    assert "Not scored: nomiracl: 3 (no | text)." in text
    assert "Not run: clapnq, faquad, pira, faquad_several, pira_several." in text


def test_details_stay_in_the_report(folder: Path) -> None:
    assert "Brier" not in written(folder)


def test_what_was_not_run_is_said(folder: Path) -> None:
    text = written(folder)
    assert headings(text)[1 : 1 + len(MODULES)] == list(MODULES)
    assert text.count("\nNot run.\n") == len(MODULES) - 1
    assert "| clapnq | AUROC | at least 0.92 | - |  |  | not measured |" in text


def test_the_notes_are_taken_in_as_they_are_and_left_alone(folder: Path) -> None:
    assert written(folder).endswith(f"\n\n{LATE}")
    assert (folder / "notes.md").read_text(encoding="utf-8") == LATE


def test_the_same_runs_give_the_same_page(folder: Path) -> None:
    assert written(folder) == written(folder)


@pytest.mark.parametrize(("limit", "quick"), [(20, True), (TABLE["sufficiency"], False), (None, False)])
def test_a_quick_run_is_called_one(folder: Path, limit: int | None, quick: bool) -> None:
    keep(folder, {**SUFFICIENCY, "settings": {**SUFFICIENCY["settings"], "limit": limit}})
    text = written(folder)
    assert ("**A quick run: a full one takes 150 items of a dataset.**" in text) is quick
    assert ("**Quick runs, whose figures say little: sufficiency.**" in text) is quick


@pytest.mark.parametrize(
    ("run", "told"),
    [
        (None, "no finished runs in"),
        (run_of("sufficiency", figure("squad2", "AUROC", 0.9), half="fit"), "is of another half"),
        (run_of("sufficiency", figure("small", "AUROC", 0.9), made_up=True), "set CALIBRANT_DATASETS"),
    ],
)
def test_what_no_page_can_be_made_of_is_one_line(
    run: dict[str, Any] | None, told: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    if run is not None:
        keep(tmp_path, run)
    (tmp_path / "notes.md").write_text(LATE, encoding="utf-8")
    assert main([str(tmp_path), "--notes", str(tmp_path / "notes.md")]) == 2
    printed = capsys.readouterr()
    assert printed.out == ""
    (line,) = printed.err.splitlines()
    assert told in line


def test_a_damaged_run_is_one_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "conflict").mkdir()
    (tmp_path / "conflict" / "results.json").write_text('{"task": "conf')
    assert main([str(tmp_path)]) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert line.endswith("results.json is damaged: run `calibrant eval conflict` again")


def test_notes_that_are_not_there_are_bad_input(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([str(folder), "--notes", str(folder / "other.md")]) == 2
    assert "name the file with --notes" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("way", "below", "at", "above"),
    [
        ("at least", False, True, True),
        ("more than", False, False, True),
        ("at most", True, True, False),
        ("less than", True, False, False),
    ],
)
def test_an_aim_at_its_limit(way: Any, below: bool, at: bool, above: bool) -> None:
    aim = Aim("depth", "found", way, 0.5)
    assert [aim.reached(value) for value in (0.49, 0.5, 0.51)] == [below, at, above]


def test_an_aim_concerns_its_own_figure() -> None:
    assert aim_of("sufficiency", Figure("faquad", "AUROC", 0.9, 10)) is None
    assert aim_of("conflict", Figure("nomiracl", "AUROC", 0.9, 10)) is None
    found = aim_of("sufficiency", Figure("faquad", "ECE, calibrated", 0.9, 10))
    assert found is not None
    assert not found.reached(0.9)
    assert aim_of("sufficiency", Figure("faquad", "ECE, calibrated", 0.9, 10, detail=True)) is None


@pytest.mark.parametrize("aim", AIMS, ids=str)
def test_an_aim_names_a_task_and_one_of_its_datasets(aim: Aim) -> None:
    assert aim.dataset in ("", *task_named(aim.task).loaders)


def test_every_task_says_how_much_a_full_table_takes() -> None:
    assert list(TABLE) == list(MODULES)


def headings(text: str) -> list[str]:
    """The sections of a page."""
    return re.findall(r"^## (.+)$", text, re.MULTILINE)


def test_the_page_that_is_kept_has_every_task_every_aim_and_the_notes(root: Path) -> None:
    """Renew it: ``make eval``, or ``python -m calibrant.evals.document FOLDER --write docs/EVALS.md``."""
    text = (root / PAGE).read_text(encoding="utf-8")
    assert headings(text)[: 1 + len(MODULES)] == ["Aims", *MODULES]
    assert text.endswith((root / NOTES).read_text(encoding="utf-8").strip() + "\n")
    for aim in AIMS:
        rows = [line for line in text.splitlines() if line.startswith(f"| {aim.task} | {aim.dataset}")]
        (first, *_) = [line for line in rows if f" | {aim.figure} | {aim} | " in line]
        assert "not measured" not in first, f"no run gave {aim.figure!r}: was the figure renamed?"
