"""The fold of events into what the live view shows."""

from functools import reduce
from typing import Any

from calibrant.interfaces.progress import Progress, after, learnt, read_event
from calibrant.state import events as e
from calibrant.state.decision import Action
from calibrant.state.evidence import SourceState
from calibrant.state.retrieval import SourceReport
from calibrant.state.task import Phase, QueryType
from tests.cli import scripted

STARTED = e.RunStarted(run_id="r", turn=1, question="How?")
PERCEIVING = e.PhaseStarted(phase=Phase.PERCEIVE)


def fold(*events: Any) -> Progress:
    return reduce(after, events, Progress())


def test_a_run_begins_with_its_question_and_nothing_else() -> None:
    seen = fold(e.Decided(decision=scripted.FIRST), STARTED)
    assert seen.question == "How?"
    assert seen.line(Phase.PERCEIVE).score is None


def test_a_first_judgement_has_one_score() -> None:
    line = fold(STARTED, PERCEIVING, e.Decided(decision=scripted.FIRST, used=0.02)).line(Phase.PERCEIVE)
    assert (line.first, line.score, line.boosted, line.done) == (0.42, 0.42, False, False)


def test_a_second_judgement_keeps_the_first_score() -> None:
    again = e.PhaseStarted(phase=Phase.PERCEIVE, attempt=2)
    line = fold(PERCEIVING, e.Decided(decision=scripted.FIRST), again, e.Decided(decision=scripted.AGAIN)).line(
        Phase.PERCEIVE
    )
    assert (line.first, line.score, line.boosted, line.done) == (0.42, 0.81, True, True)
    assert line.action is Action.PROCEED


def test_after_a_resume_the_score_before_comes_from_the_decision() -> None:
    line = fold(e.Decided(decision=scripted.AGAIN)).line(Phase.PERCEIVE)
    assert (line.first, line.score) == (0.42, 0.81)


def test_a_source_that_answers_twice_adds_up() -> None:
    seen = fold(*scripted.search_events())
    assert seen.reports["knowledge"].count == 11
    assert seen.reports["github"].state is SourceState.FAILED
    assert seen.passages == 14


def test_a_source_that_recovers_is_not_failed_any_more() -> None:
    found = e.Searched(report=SourceReport(source="github", state=SourceState.OK, count=2))
    report = fold(*scripted.search_events(), found).reports["github"]
    assert (report.state, report.count, report.failure) == (SourceState.OK, 2, None)


def test_a_new_retrieval_starts_with_a_clean_list() -> None:
    again = e.RetrievalStarted(phase=Phase.REASON, depth=1, round=1)
    assert fold(*scripted.search_events(), again).reports == {}


def test_notes_on_the_lines() -> None:
    seen = fold(e.Understood(query_type=QueryType.DECISION, questions=("a", "b")), *scripted.later_events("How?"))
    assert seen.line(Phase.PERCEIVE).note == "decision, 2 parts"
    assert seen.line(Phase.REASON).note == "2 strategies"
    assert seen.line(Phase.ACT).note == "1 of 1 answered"
    assert seen.line(Phase.REFLECT).note == "2 of 3 claims stand"
    assert seen.finished


def test_insights_stay_until_there_are_better_ones() -> None:
    seen = learnt(Progress(), scripted.INSIGHTS)
    assert len(seen.insights) == 2
    assert learnt(seen, scripted.INSIGHTS.replace(key_insights=())) == seen


def test_foreign_events_are_passed_over() -> None:
    assert read_event({"event": "phase", "phase": "act"}) == e.PhaseStarted(phase=Phase.ACT)
    assert read_event({"progress": 3}) is None
    assert read_event("tool says hello") is None
