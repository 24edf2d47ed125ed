"""Two hundred questions at once: each is answered or told what was limited, and no service is asked too often."""

from pathlib import Path

import pytest

from calibrant.retrievers.limits import shown_rates
from tests.load.run import Load, Result, run
from tests.load.services import most_within

LATE = (
    "stackoverflow: it did not answer in time",
    "github: READMEs could not be read (it did not answer in time)",
    "wikipedia: whole articles could not be read (it did not answer in time)",
)
"""What is added to what was found, for which two seconds are waited: on a busy machine it comes later."""


def holds(result: Result, load: Load) -> None:
    """What must hold whatever the load."""
    assert len(result.outcomes) == load.questions
    said = f"rate limit reached ({shown_rates(load.rates)})"
    for outcome in result.outcomes:
        assert set(outcome["kinds"]) <= {"limited", *(["timeout"] if set(LATE) & set(outcome["told"]) else [])}, outcome
        assert outcome["answered"] or any(said in line for line in outcome["told"]), outcome
        assert all(said in line or line in LATE for line in outcome["told"]), outcome
    for rate in load.rates:
        for service, most in result.most(rate).items():
            assert most <= rate.count, f"{service} was asked {most} times in {rate.seconds:g} s"


def test_two_hundred_questions_at_once(tmp_path: Path) -> None:
    load = Load()
    result = run(load, tmp_path)
    holds(result, load)
    states = {(source, state) for outcome in result.outcomes for source, state in outcome["sources"].items()}
    assert {("web", "ok"), ("web", "limited")} <= states
    assert len(result.times["tavily"]) == 150, "the long window is used up and not exceeded"
    assert sum(outcome["answered"] for outcome in result.outcomes) >= 150


def test_two_processes_share_the_limits(tmp_path: Path) -> None:
    load = Load(questions=60, processes=2, rate="20/s", long="40/5min")
    result = run(load, tmp_path)
    holds(result, load)
    assert len(result.times["tavily"]) == 40
    assert {len(times) > 20 for times in result.times.values()} == {True}


@pytest.mark.parametrize(
    ("times", "most"), [([], 0), ([0.0, 0.5, 1.0], 2), ([0.0, 0.1, 0.2, 0.9, 1.05], 4), ([0.0, 5.0], 1)]
)
def test_windows_are_counted_wherever_they_begin(times: list[float], most: int) -> None:
    assert most_within(times, 1.0) == most
