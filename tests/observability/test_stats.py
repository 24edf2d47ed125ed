"""``calibrant stats`` over known runs, with exact figures, and how it is drawn."""

import io
import json
import time
from pathlib import Path

import pytest
from rich.cells import cell_len
from rich.console import Console

from calibrant.graph.runs import RunLog
from calibrant.interfaces import terminal
from calibrant.interfaces.commands.stats import show_stats
from calibrant.interfaces.stats import Iterated, Stats, stats_of
from calibrant.state.record import RunRecord
from tests.cli.conftest import Run, error_lines
from tests.observability.known import KNOWN, NOW, record, retrieval


def test_the_figures_of_known_runs() -> None:
    stats = stats_of(KNOWN)
    assert (stats.runs, stats.searched, stats.retrievals) == (4, 3, 5)
    assert stats.mean_depth == (1 + 1 + 2 + 3 + 1) / 5
    assert stats.depths == {1: 3, 2: 1, 3: 1}
    assert stats.saving == 1 - 40 / 140
    assert stats.mean_confidence == pytest.approx((0.95 + 0.8 + 0.85 + 0.2) / 4)
    assert stats.confident == 2 / 4  # 0.80 is not above 0.8
    assert stats.several_rounds == 2 / 4
    assert stats.mean_seconds == 3.0
    assert (stats.conflicts, stats.filtered, stats.questions) == (2, 1, 1)
    assert (stats.conditioned, stats.verified, stats.refinements) == (2, 5 / 20, 3)
    assert (stats.model_calls, stats.tokens, stats.dollars) == (2, 1000, 0.03)
    assert stats.ended == {"answered": 3, "abstained": 1}
    assert stats.sources == {"knowledge": {"empty": 1, "ok": 2}, "web": {"failed": 1}}
    assert stats.most_iterated == (Iterated("Question 1?", 4, 3), Iterated("Question 2?", 3, 2))


def test_a_run_that_was_asked_nothing_counts_in_no_share() -> None:
    stats = stats_of((*KNOWN, record(0, None, stop_reason="courtesy", seconds=0.0)))
    known = stats_of(KNOWN)
    assert stats.ended == {**known.ended, "courtesy": 1}
    assert (stats.runs, stats.searched) == (known.runs + 1, known.searched)
    shares = ("mean_confidence", "confident", "several_rounds", "mean_seconds", "mean_depth")
    assert [getattr(stats, name) for name in shares] == [getattr(known, name) for name in shares]


def test_no_runs_have_no_shares() -> None:
    stats = stats_of(())
    assert stats == Stats()
    assert stats.saving is stats.confident is stats.mean_depth is stats.verified is None


def test_runs_without_a_search_have_no_depth_and_save_nothing() -> None:
    stats = stats_of((record(1, 0.9),))
    assert (stats.mean_depth, stats.saving, stats.several_rounds) == (None, None, 0.0)


@pytest.mark.parametrize(
    ("depth", "chunks", "saving"),
    [(1, 10, 0.75), (3, 10, 0.0), (2, 50, 0.0)],
    ids=["shallow", "deep although little was there", "more than depth 3's 40"],
)
def test_the_saving_is_measured_against_depth_3(depth: int, chunks: int, saving: float) -> None:
    assert stats_of((record(1, 0.9, retrieval(depth, 1, chunks)),)).saving == saving


@pytest.mark.parametrize(
    ("held", "saving"),
    [(0, 0.9), (100, 0.9), (40, 0.9), (39, 1 - 4 / 39), (8, 0.5), (4, 0.0), (2, 0.0)],
    ids=["nobody knows", "more than 40", "40", "less than 40", "few", "all was kept", "some are gone"],
)
def test_what_is_not_there_is_not_saved(held: int, saving: float) -> None:
    assert stats_of((record(1, 0.9, retrieval(1, 1, 4).replace(held=held)),)).saving == pytest.approx(saving)
    deep = retrieval(3, 3, 4).replace(held=held)
    assert stats_of((record(1, 0.9, deep),)).saving == 0.0


def test_what_a_forced_depth_did_not_search_was_not_saved_here() -> None:
    forced = retrieval(1, 1, 10).replace(power="1")
    assert stats_of((record(1, 0.9, forced),)).saving == 0.0
    assert stats_of((record(1, 0.9, forced, retrieval(1, 1, 10)),)).saving == 1 - 20 / 50


def test_a_retrieval_that_found_nothing_saved_nothing() -> None:
    assert stats_of((record(1, 0.1, retrieval(1, 1, 0)),)).saving is None


def test_a_question_stands_once_among_the_most_iterated() -> None:
    again = [
        record(number, 0.9, retrieval(1, rounds, 4), question=question)
        for number, (rounds, question) in enumerate([(2, "Why?"), (3, "why?"), (2, "How?"), (1, "Who?")])
    ]
    assert stats_of(again).most_iterated == (Iterated("why?", 3, 1), Iterated("How?", 2, 1))


def drawn(width: int, *, colour: bool = False) -> str:
    stream = io.StringIO()
    paper = Console(
        file=stream, width=width, force_terminal=True, color_system="standard" if colour else None, theme=terminal.THEME
    )
    show_stats(paper, stats_of(KNOWN), "7d")
    return stream.getvalue()


@pytest.mark.parametrize("width", [40, 60, 80, 100])
def test_the_page_fits(width: int) -> None:
    assert max(cell_len(line) for line in drawn(width).splitlines()) <= width


def test_the_page_says_the_figures() -> None:
    text = drawn(80)
    for words in (
        "4 runs   last 7 days · 5 retrievals · 1 without a search",
        "Mean depth     1.6   ━━━━━━━━━━━─────────  ●○○ 3  ●●○ 1  ●●● 1",
        "Saved          71%   ━━━━━━━━━━━━━━──────  at most, against always depth 3",
        "Confidence     0.70",
        "Above 0.8      50%   ━━━━━━━━━━──────────  of the runs",
        "Several rounds 50%",
        "answered 3 · abstained 1",
        "2 conflicts · 1 result left out",
        "Verified       25%   ━━━━━───────────────  of the passages, in 2 runs with",
        "$0.03 · $0.0075 a run · 2 model calls · 1,000 tokens",
        "3.0 s a run",
        "✓ knowledge  ok 2 · empty 1",
        "✗ web  failed 1",
        "4 rounds ●●● Question 1?",
    ):
        assert words in text


def test_colour_is_only_where_there_is_some() -> None:
    assert "\x1b[34m" in drawn(80, colour=True)
    assert "\x1b[3" not in drawn(80)


def kept(data_dir: Path, *records: RunRecord) -> None:
    for one in records:
        RunLog(data_dir).add(one)


def test_the_command_counts_what_is_kept(run: Run, machine: Path) -> None:
    kept(machine / "data", *KNOWN)
    result = run("stats", "--json")
    assert result.exit_code == 0
    assert json.loads(result.stdout)["saving"] == 1 - 40 / 140
    assert run("stats").stdout.startswith("4 runs   all runs")


def test_since_leaves_out_what_is_older(run: Run, machine: Path) -> None:
    shift = time.time() - NOW
    moved = [one.replace(ended_at=one.ended_at + shift) for one in KNOWN]
    kept(machine / "data", *moved)
    assert json.loads(run("stats", "--since", "60h", "--json").stdout)["runs"] == 2
    assert run("stats", "--since", "4w").stdout.startswith("4 runs   last 4 weeks")
    result = run("stats", "--since", "1m")
    assert (result.exit_code, result.stdout) == (0, "")
    assert "no finished runs in the last 1 minute" in result.stderr


def test_without_runs_it_says_what_to_do(run: Run, machine: Path) -> None:
    result = run("stats")
    assert (result.exit_code, result.stdout) == (0, "")
    assert result.stderr == 'no finished runs yet: calibrant ask "What do you want to know?"\n'
    assert json.loads(run("stats", "--json").stdout)["runs"] == 0
    assert not (machine / "data").exists()


@pytest.mark.parametrize("since", ["-7d", "0d", "soon", "7", "d", "7 d", "99999999999d"])
def test_a_span_that_is_none_is_one_line(run: Run, since: str) -> None:
    result = run("stats", "--since", since)
    assert (result.exit_code, result.stdout) == (2, "")
    assert error_lines(result) == [f"calibrant: --since {since} is no span of time: use one like 30m, 12h, 7d or 2w"]


def test_damaged_records_are_one_line(run: Run, machine: Path) -> None:
    (machine / "data").mkdir()
    (machine / "data" / "runs.db").write_bytes(b"no database at all" * 100)
    result = run("stats")
    assert (result.exit_code, result.stdout) == (2, "")
    (line,) = error_lines(result)
    assert "runs.db cannot be read (file is not a database): move it away" in line
