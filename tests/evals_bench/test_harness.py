"""The harness of the benchmarks: families, table and arithmetic. Nothing here is timed."""

from importlib import import_module
from pathlib import Path

import pytest

from calibrant.evals.bench.__main__ import document, main
from calibrant.evals.bench.families import FAMILIES
from calibrant.evals.bench.services import Worked, busy_seconds
from calibrant.evals.bench.table import WIDTHS, Row, as_markdown, as_text, ms, percentile, size, times

ROW = Row("search", "12 ms", "one after the other: 40 ms", "the slowest source, which takes a while", "1.20 x")


@pytest.mark.parametrize("family", FAMILIES)
def test_every_family_can_be_measured(family: str) -> None:
    assert callable(import_module(f"calibrant.evals.bench.{family}").measure)


def test_every_family_is_said_in_the_package_and_nothing_else() -> None:
    package = import_module("calibrant.evals.bench")
    said = [line.split()[0] for line in (package.__doc__ or "").splitlines() if line.startswith("    ")]
    assert tuple(said) == FAMILIES


def test_an_unknown_family_is_one_line_that_says_what_there_is(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["fanuot"])
    assert ended.value.code == 2
    told = capsys.readouterr().err.splitlines()[-1]
    assert "'fanuot'" in told
    assert "fanout" in told


def test_where_the_table_cannot_go_is_known_before_it_is_measured(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["startup", "--write", str(tmp_path / "nowhere" / "page.md")])
    assert ended.value.code == 2
    assert "its folder does not exist" in capsys.readouterr().err


def test_the_rows_are_printed_and_written(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("calibrant.evals.bench.__main__.measure", lambda families, full: [ROW])
    page = tmp_path / "benchmarks.md"
    assert main(["cache", "--write", str(page)]) == 0
    assert "12 ms" in capsys.readouterr().out
    assert page.read_text("utf-8") == document([ROW])


def test_a_family_that_fails_costs_its_own_rows(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("calibrant.evals.bench.__main__.FAMILIES", ("nothing",))
    assert main(["nothing"]) == 1
    written = capsys.readouterr()
    assert "could not be measured" in written.out
    assert "No module named 'calibrant.evals.bench.nothing'" in written.err


def test_a_long_cell_goes_on_in_its_own_column() -> None:
    *_, first, second = as_text([ROW]).splitlines()
    column = sum(WIDTHS[:3]) + 3 * 2
    assert first.startswith("search")
    assert first[column:].startswith("the slowest source, which takes a")
    assert second.strip() == "while"
    assert second.index("while") == column


def test_markdown_has_a_title_a_rule_and_a_line_for_each_row() -> None:
    title, rule, line = as_markdown([ROW]).splitlines()
    assert title == "| measured | figure | against | limited by | from limit |"
    assert rule.count("---") == len(WIDTHS)
    assert line.split(" | ")[1] == "12 ms"


def test_percentiles_are_values_that_were_measured() -> None:
    values = [5.0, 1.0, 4.0, 2.0, 3.0]
    assert [percentile(values, share) for share in (0.0, 0.5, 0.95, 1.0)] == [1.0, 3.0, 5.0, 5.0]
    assert percentile([7.0], 0.95) == 7.0


@pytest.mark.parametrize(
    ("shown", "expected"),
    [
        (ms(0.00042), "0.42 ms"),
        (ms(0.0042), "4.2 ms"),
        (ms(4.2), "4,200 ms"),
        (size(2_500), "2.5 kB"),
        (size(2_500_000), "2.5 MB"),
        (times(3.0, 2.0), "1.50 x"),
        (times(30.0, 2.0), "15 x"),
    ],
)
def test_figures_are_short(shown: str, expected: str) -> None:
    assert shown == expected


def test_services_that_work_side_by_side_are_busy_once() -> None:
    log = [
        Worked("model", 4.0, 5.0),
        Worked("search", 0.0, 2.0),
        Worked("search", 1.0, 3.0),
        Worked("search", 1.5, 2.0),
    ]
    assert busy_seconds(log) == 4.0
    assert busy_seconds([]) == 0.0
