"""The calibrators' file: read, written, found, and refused when damaged."""

from pathlib import Path

import pytest

from calibrant.evals.calibrate import merged
from calibrant.graph import calibrators
from calibrant.graph.calibrators import FILE, load_calibrators, write_calibrators
from calibrant.judges.calibration import CalibratorFile, Promise
from calibrant.state.errors import ConfigurationError
from tests.calibration.made import calibrator, conditions

HELD = CalibratorFile(
    calibrators=(calibrator(), calibrator("act")), promise=Promise(risk=0.1, threshold=0.6, questions=90)
)


def test_what_is_written_is_read_and_nothing_else_is_left(tmp_path: Path) -> None:
    write_calibrators(HELD, tmp_path / "data" / FILE)
    assert load_calibrators(tmp_path / "data") == HELD
    assert [path.name for path in (tmp_path / "data").iterdir()] == [FILE]


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


def test_a_new_fit_replaces_its_own_kind_and_leaves_that_of_other_embeddings_and_models() -> None:
    other = calibrator("act", conditions=conditions(encoder="MiniLM"))
    stale = calibrator("act", conditions=conditions(weights="old"))
    fresh = CalibratorFile(calibrators=(calibrator(),))
    found = merged(HELD.replace(calibrators=(other, stale)), fresh, conditions())
    assert found.calibrators == (*fresh.calibrators, other)
    assert found.promise == HELD.promise
