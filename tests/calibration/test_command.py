"""``calibrant calibrate`` as it is typed, and the whole of it over drawn answers."""

import asyncio
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from calibrant.evals import calibrate
from calibrant.evals.calibrate import Outcome, Plan
from calibrant.evals.runner import Judged, Options
from calibrant.evals.setup import Setup
from calibrant.evals.task import Row
from calibrant.graph.calibrators import FILE, load_calibrators, parsed, shipped
from calibrant.graph.settings import Machine, Settings
from calibrant.interfaces.commands.calibrate import show
from tests.calibration.made import row, rows
from tests.cli.conftest import Run, error_lines


def test_over_the_small_set_it_says_that_the_figures_mean_nothing_and_changes_no_run(run: Run, tmp_path: Path) -> None:
    done = run("calibrate")
    assert done.exit_code == 0
    assert done.stdout.startswith("These figures are over a few items")
    assert "labels, 50 are needed" in done.stdout
    assert "nothing was fitted: that takes 50 questions that are answered" in done.stdout
    written = tmp_path / "data" / "evals" / "calibrate" / FILE
    assert done.stdout.endswith(f"calibrators: {written}\n")
    assert parsed(written.read_text("utf-8"), written).calibrators == ()
    assert not (tmp_path / "data" / FILE).exists()
    again = run("calibrate", "--json", "--out", "mine.json", "--risk", "0.5")
    told = json.loads(again.stdout)
    assert (told["datasets"], told["questions"], told["promised"]["risk"]) == (["small"], 12, 0.5)
    assert (tmp_path / "mine.json").is_file()


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("calibrate", "-d", "no-such"), "answer has no dataset 'no-such'"),
        (("calibrate", "--risk", "1.5"), "1.5 is not in the range"),
        (("calibrate", "--embeddings", "nowhere"), "no embedding model in nowhere"),
    ],
)
def test_bad_input_is_one_line(run: Run, words: tuple[str, ...], told: str) -> None:
    done = run(*words)
    assert done.exit_code == 2
    (line,) = error_lines(done)
    assert told in line


def test_a_damaged_file_is_one_line_to_whoever_asks(run: Run, tmp_path: Path) -> None:
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / FILE).write_text("{", encoding="utf-8")
    done = run("doctor")
    assert done.exit_code == 2
    assert FILE in error_lines(done)[0]


def test_without_the_libraries_it_says_what_to_install(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    from calibrant.evals import extras

    monkeypatch.setattr(extras, "NEEDED", ("no_such_library",))
    (line,) = error_lines(run("calibrate"))
    assert line.endswith('in the clone of Calibrant, python -m pip install -c constraints.txt ".[evals]"')


class Asked:
    """Stands for the graph: the rows of a run without calibrators of phases, and of one with them."""

    def __init__(self, plain: Sequence[Row], with_phases: Sequence[Row]) -> None:
        self.plain, self.with_phases = tuple(plain), tuple(with_phases)
        self.settings: list[Settings] = []

    async def __call__(self, task: Any, setup: Setup, options: Options, tell: Any) -> Judged:
        self.settings.append(setup.settings)
        found = self.with_phases if setup.chosen else self.plain
        wanted = [one for one in found if options.half in ("all", one.half)]
        return Judged(tuple(wanted), ("made",), "", 0, 0.0)


def worked(asked: Asked, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, **plan: Any) -> Outcome:
    monkeypatch.setattr(calibrate, "judged", asked)
    setup = Setup(Settings(abstain_below=0.9), Machine(data_dir=tmp_path, embeddings="none", allow_download=False))
    return asyncio.run(calibrate.calibrate(setup, Plan(tmp_path, **plan), lambda *_: None))


def test_calibrators_of_phases_that_make_the_run_worse_are_left_out(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    plain = rows(600)
    asked = Asked(plain, [row(number, 0.9, right=True, searches=3) for number in range(600)])
    outcome = worked(asked, monkeypatch, tmp_path)
    assert outcome.trial is not None
    assert outcome.trial.names == (next(fit.calibrator.name for fit in outcome.fits if fit.calibrator),)
    assert [one.scored for one in outcome.file.calibrators] == ["answer"]
    assert {settings.abstain_below for settings in asked.settings} == {0.0}
    found = {one.name: one.value or 0.0 for one in outcome.figures}
    assert found["ECE calibrated"] < 0.13 < found["ECE raw"]
    show(outcome, Path("x"))
    assert "not kept: the run is worse with them" in capsys.readouterr().out


def test_calibrators_of_phases_that_do_no_harm_are_kept(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    plain = rows(600)
    outcome = worked(Asked(plain, plain), monkeypatch, tmp_path)
    assert [one.scored for one in outcome.file.calibrators] == ["reflect", "answer"]


def test_a_threshold_is_told_with_what_it_costs(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    plain = rows(1000)
    outcome = worked(Asked(plain, []), monkeypatch, tmp_path, risk=0.2)
    promised = outcome.promised
    assert promised is not None
    assert promised.threshold is not None
    assert promised.after is not None
    assert promised.after.coverage < promised.before.coverage == 1.0
    assert promised.after.risk < 0.25 < promised.before.risk
    show(outcome, Path("x"))
    assert f"for calibrant.yaml: abstain_below: {promised.threshold:g}" in capsys.readouterr().out


def test_a_rate_that_cannot_be_kept_is_said(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    outcome = worked(Asked(rows(100), []), monkeypatch, tmp_path, risk=0.001)
    show(outcome, Path("x"))
    assert "no threshold keeps that over" in capsys.readouterr().out


def test_a_curve_moved_to_another_dataset_is_told_beside_its_own(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    other = [row(number, 0.1 + number / 500, right=number % 9 > 0, dataset="easy") for number in range(1, 401)]
    outcome = worked(Asked([*rows(400), *other], []), monkeypatch, tmp_path)
    found = {(one.dataset, one.name): one.value or 0.0 for one in outcome.figures}
    assert found["made", "ECE, curve of easy"] > found["made", "ECE, curve of its own"]
    assert ("easy", "ECE, curve of made") in found


def test_what_is_fitted_is_what_the_graph_loads(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(calibrate, "judged", Asked(rows(600), []))
    assert run("calibrate").exit_code == 0
    first, *rest = load_calibrators(tmp_path / "data").calibrators
    assert (first.scored, first.fitted_on.datasets) == ("answer", ("made",))
    same = [one for one in rest if one.fitted_on.conditions.encoder == "" and "en" in one.fitted_on.languages]
    assert [one.fitted_on.in_sections for one in same] == [True], "what nothing was learnt about stays"
    assert "answer-en-" in run("doctor").stdout


@pytest.mark.parametrize("before", ["", "{"])
def test_a_short_run_leaves_the_calibrators_that_ship_in_use(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, before: str
) -> None:
    """Also where this machine's own file is damaged: its error says to fit anew."""
    used = tmp_path / "data" / FILE
    if before:
        used.parent.mkdir()
        used.write_text(before, encoding="utf-8")
    monkeypatch.setattr(calibrate, "judged", Asked(rows(20), []))
    assert run("calibrate").exit_code == 0
    assert load_calibrators(tmp_path / "data").calibrators == shipped().calibrators
