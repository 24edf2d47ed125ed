"""Which steps are run again: after a search that brought something, after a person, after a refinement."""

import pytest

from calibrant.nodes.judging.refining import to_answer_again
from calibrant.nodes.reading.steps import calls_of, is_open, reopened
from calibrant.state.channels import View
from calibrant.state.confidence import PhaseThresholds
from calibrant.state.decision import Action, Decision, Rule
from calibrant.state.errors import Failure, FailureKind
from calibrant.state.guidance import Guidance
from calibrant.state.retrieval import RetrievalResult
from calibrant.state.task import Branch, Phase, Step, StepKind, StepStatus, SubResult

ANSWERED, UNANSWERED, FAILED = StepStatus.ANSWERED, StepStatus.UNANSWERED, StepStatus.FAILED
SKIPPED, REOPENED = StepStatus.SKIPPED, StepStatus.REOPENED
STEPS = (
    Step(id="told", question="How often?"),
    Step(id="open", question="By whom?"),
    Step(id="call", question="Restart it", kind=StepKind.TOOL, tool="restart"),
    Step(id="left", question="Stop it", kind=StepKind.TOOL, tool="stop"),
)
BROKEN = Failure(kind=FailureKind.TIMEOUT, where="restart", message="no answer")
RESULTS = (
    SubResult(id="told", question="How often?", status=ANSWERED),
    SubResult(id="open", question="By whom?", status=UNANSWERED),
    SubResult(id="call", question="Restart it", status=FAILED, failure=BROKEN, final=True, tries=3, alike=3),
    SubResult(id="left", question="Stop it", status=SKIPPED),
)


def _state(phase: Phase, action: Action, said: str = "", new: tuple[str, ...] = ()) -> View:
    """After a decision of ``phase`` and what came of it."""
    decision = Decision(
        id="d", phase=phase, action=action, rule=Rule.SEARCH, reason="", thresholds=PhaseThresholds().act
    )
    answer = Guidance(request_id="d", phase=phase, kind="guidance", action=said)
    return View(
        selected=Branch(id="b", name="b", steps=STEPS),
        results=RESULTS,
        decisions=(decision,),
        guidance=(answer,) if said else (),
        retrievals=(RetrievalResult(id="r", query="q", new_ids=new),),
    )


@pytest.mark.parametrize(
    ("state", "now"),
    [
        (_state(Phase.ACT, Action.RETRIEVE, new=("e1",)), (ANSWERED, REOPENED, FAILED, SKIPPED)),
        (_state(Phase.ACT, Action.RETRIEVE), (ANSWERED, UNANSWERED, FAILED, SKIPPED)),
        (_state(Phase.ACT, Action.ASK, said="retry"), (ANSWERED, REOPENED, REOPENED, SKIPPED)),
        (_state(Phase.REFLECT, Action.ASK, said="guide"), (REOPENED, REOPENED, REOPENED, SKIPPED)),
    ],
    ids=["something new", "nothing new", "a person asked by act", "a person asked by reflect"],
)
def test_what_is_to_be_run_again_is_reopened_and_open(state: View, now: tuple[StepStatus, ...]) -> None:
    again = reopened(state)
    assert tuple(result.status for result in again) == now
    assert [is_open(result) for result in again] == [status is REOPENED for status in now]


def test_a_call_that_is_reopened_counts_anew_and_its_failure_is_told_until_it_is_made() -> None:
    state = _state(Phase.ACT, Action.ASK, said="retry")
    again = reopened(state)
    (call,) = (result for result in again if result.id == "call")
    assert (call.final, call.tries, call.alike, call.failure) == (False, 0, 0, BROKEN)
    assert calls_of(state.model_copy(update={"results": again})).failed == ("restart: no answer",)


def test_a_refinement_reopens_the_answers_alone() -> None:
    again = to_answer_again(_state(Phase.REFLECT, Action.REFINE))
    assert [(result.id, result.status) for result in again] == [("told", REOPENED), ("open", REOPENED)]


def test_what_an_earlier_version_stored_to_be_run_again_is_open() -> None:
    """A failed step without a failure."""
    assert is_open(SubResult(id="s", question="q", status=FAILED))
