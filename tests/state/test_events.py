"""The events of the custom stream: each travels as JSON and is read back as what it was."""

from typing import get_args

import pytest
from pydantic import ValidationError

from calibrant.state.answer import Verdict
from calibrant.state.base import Value
from calibrant.state.events import (
    EVENT,
    BranchScored,
    Decided,
    Event,
    Finished,
    PersonAnswered,
    PhaseStarted,
    Planned,
    RetrievalStarted,
    Reviewed,
    RoundJudged,
    RunStarted,
    Searched,
    StepDone,
    Synthesized,
    Understood,
)
from calibrant.state.guidance import Guidance
from calibrant.state.task import Phase
from tests.state.samples import BRANCH, CHANNELS, DECISION, REPORTS, ROUND, SPEND, TASK

EVENTS: tuple[Value, ...] = (
    RunStarted(run_id="r1", turn=2, question="Which port?"),
    PhaseStarted(phase=Phase.REASON, attempt=2),
    Understood.of(TASK),
    Decided(decision=DECISION, spend=SPEND, used=0.4),
    PersonAnswered(
        guidance=Guidance(request_id="d1", phase=Phase.ACT, kind="guidance", action="guide", text="Try 8080")
    ),
    BranchScored(branch_id="b1", name="manual first", score=0.6),
    Planned.of(BRANCH),
    RetrievalStarted(phase=Phase.ACT, depth=2, round=1, queries=("port",), sources=("web",)),
    Searched(report=REPORTS[1], query="port", depth=2),
    RoundJudged(phase=Phase.ACT, round=ROUND),
    StepDone.of(CHANNELS["results"][0]),
    Synthesized.of(CHANNELS["synthesis"]),
    Reviewed.of(CHANNELS["review"]),
    Finished(stop_reason="answered", confidence=0.8, spend=SPEND),
)


def test_there_is_a_sample_of_every_event() -> None:
    """One that is added to the union comes here too."""
    assert {type(event) for event in EVENTS} == set(get_args(get_args(Event)[0]))


def test_every_event_has_a_name_of_its_own() -> None:
    """What readers tell them apart by."""
    assert len({event.model_dump()["event"] for event in EVENTS}) == len(EVENTS)


@pytest.mark.parametrize("event", EVENTS, ids=lambda event: type(event).__name__)
def test_an_event_travels_as_json_and_back(event: Value) -> None:
    """As an object and as text."""
    for read in (
        EVENT.validate_python(event.model_dump(mode="json")),
        EVENT.validate_json(event.model_dump_json()),
    ):
        assert type(read) is type(event)
        assert read == event


@pytest.mark.parametrize("event", EVENTS, ids=lambda event: type(event).__name__)
def test_a_reader_of_today_reads_an_event_of_tomorrow(event: Value) -> None:
    """Fields that are not known are left out."""
    assert EVENT.validate_python({**event.model_dump(mode="json"), "added_later": 1}) == event


@pytest.mark.parametrize("raw", [{}, {"event": "dance"}, {"event": "phase"}, None])
def test_what_is_no_event_is_refused(raw: object) -> None:
    """Not taken for another."""
    with pytest.raises(ValidationError):
        EVENT.validate_python(raw)


def test_a_synthesis_and_its_review_are_told_in_figures() -> None:
    """What the sides of a conflict say, and the arguments of a call, are not told."""
    told = " ".join(event.model_dump_json() for event in EVENTS)
    assert "The port is 5432" not in told
    assert '"path"' not in told
    (synthesis,) = (event for event in EVENTS if isinstance(event, Synthesized))
    assert (synthesis.claims, [one.severity for one in synthesis.conflicts]) == (1, [0.8])
    (review,) = (event for event in EVENTS if isinstance(event, Reviewed))
    assert review.verdicts == {Verdict.SUPPORTED: 1}
    assert review.quality.rejected == 2


def test_what_is_understood_says_nothing_of_what_was_found() -> None:
    """A thread holds the task with its criteria counted."""
    assert [criterion.met for criterion in Understood.of(TASK).criteria] == [None]
