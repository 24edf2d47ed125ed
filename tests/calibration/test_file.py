"""The calibrators' file: read, written, found, and refused when damaged."""

from pathlib import Path
from typing import Any

import pytest

from calibrant.evals.calibrate import Outcome, merged
from calibrant.evals.fitting.calibrators import Fit
from calibrant.graph import calibrators
from calibrant.graph.calibrators import FILE, load_calibrators, write_calibrators
from calibrant.judges.calibration import CalibratorFile, Scored
from calibrant.state.errors import ConfigurationError
from calibrant.state.task import Language
from tests.calibration.made import calibrator, conditions, in_sections

HELD = CalibratorFile(calibrators=(calibrator(), calibrator("act")))


def test_what_is_written_is_read_and_nothing_else_is_left(tmp_path: Path) -> None:
    write_calibrators(HELD, tmp_path / "data" / FILE)
    assert load_calibrators(tmp_path / "data") == HELD
    assert [path.name for path in (tmp_path / "data").iterdir()] == [FILE]


def test_of_two_who_write_at_once_the_later_one_is_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    replace, later = Path.replace, CalibratorFile(calibrators=(calibrator(),))

    def replace_after_another(path: Path, target: Path) -> Path:
        monkeypatch.setattr(Path, "replace", replace)
        write_calibrators(HELD, target)
        return replace(path, target)

    monkeypatch.setattr(Path, "replace", replace_after_another)
    write_calibrators(later, tmp_path / FILE)
    assert load_calibrators(tmp_path) == later
    assert [path.name for path in tmp_path.iterdir()] == [FILE]


def test_without_a_file_of_its_own_the_machine_has_what_ships(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_calibrators(HELD, tmp_path / "shipped" / FILE)
    monkeypatch.setattr(calibrators, "files", lambda package: tmp_path / "shipped")
    assert load_calibrators(tmp_path / "none") == HELD
    (tmp_path / "shipped" / FILE).unlink()
    assert load_calibrators(tmp_path / "none") == CalibratorFile()


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{",
        "[]",
        '{"version": 2}',
        '{"calibrators": [{"name": "half"}]}',
        HELD.model_dump_json().replace("[0.1,0.5,0.6]", "[0.5,0.1,0.6]"),
    ],
)
def test_a_damaged_file_is_one_line_that_says_what_to_do(tmp_path: Path, text: str) -> None:
    (tmp_path / FILE).write_text(text, encoding="utf-8")
    with pytest.raises(ConfigurationError) as error:
        load_calibrators(tmp_path)
    said = str(error.value)
    assert said.startswith(str(tmp_path / FILE))
    assert said.endswith("delete it, or fit anew with `calibrant calibrate`")
    assert "\n" not in said


def test_bytes_that_are_no_text_are_damage_too(tmp_path: Path) -> None:
    (tmp_path / FILE).write_bytes(b"\xff\xfe\x00")
    with pytest.raises(ConfigurationError, match="cannot be used"):
        load_calibrators(tmp_path)


def outcome(*fits: Fit) -> Outcome:
    """What ``calibrant calibrate`` hands on."""
    found = tuple(fit.calibrator for fit in fits if fit.calibrator)
    return Outcome(
        file=CalibratorFile(calibrators=found), conditions=conditions(), fits=fits, trial=None, figures=(),
        promised=None, datasets=("made",), questions=100, unscored=0,
    )  # fmt: skip


def fitted(scored: Scored = "answer", *, in_sections: bool = False, **more: Any) -> Fit:
    """A fit in English."""
    return Fit(scored, Language.ENGLISH, in_sections, 100, **more)


def test_a_new_fit_replaces_its_own_kind_and_leaves_that_of_other_embeddings_and_models() -> None:
    other = calibrator("act", conditions=conditions(encoder="MiniLM"))
    stale = calibrator("act", conditions=conditions(weights="old"))
    fresh = calibrator(y=(0.2, 0.5, 0.6))
    found = merged(
        HELD.replace(calibrators=(calibrator(), other, stale)),
        outcome(fitted(calibrator=fresh), fitted("act", problem="it does not help on the held-out half")),
    )
    assert found.calibrators == (fresh, other)


def test_what_a_short_run_cannot_say_anything_about_stays() -> None:
    """Ten questions are no reason to show raw scores from then on, nor are questions in another language."""
    few = merged(HELD, outcome(fitted(problem="10 labels, 50 are needed", lacks_labels=True)))
    assert few.calibrators == HELD.calibrators
    portuguese = Fit("answer", Language.PORTUGUESE, False, 100, problem="it does not help on the held-out half")
    assert merged(HELD, outcome(portuguese)).calibrators == HELD.calibrators


def test_answers_in_sections_and_others_are_fitted_by_themselves() -> None:
    of_sections = in_sections(calibrator())
    assert merged(HELD, outcome(fitted(in_sections=True, calibrator=of_sections))).calibrators == (
        of_sections,
        *HELD.calibrators,
    )
    both = HELD.replace(calibrators=(of_sections, calibrator()))
    dropped = fitted(in_sections=True, problem="it does not help on the held-out half")
    assert merged(both, outcome(dropped)).calibrators == (calibrator(),)
