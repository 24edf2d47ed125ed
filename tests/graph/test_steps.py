"""Which steps are run again: after a search that brought something, after a person, after a refinement."""

import pytest

from calibrant.nodes.judging.refining import to_answer_again
from calibrant.nodes.reading.answered import own_results
from calibrant.nodes.reading.called import calls_of
from calibrant.nodes.reading.steps import PARTLY, found_share, is_open, reopened, with_ids_of_before
from calibrant.nodes.step import StepTask, or_before
from calibrant.state.channels import View
from calibrant.state.confidence import PhaseThresholds
from calibrant.state.decision import Action, Decision, Rule
from calibrant.state.errors import Failure, FailureKind
from calibrant.state.evidence import Evidence
from calibrant.state.guidance import Guidance
from calibrant.state.retrieval import RetrievalResult
from calibrant.state.task import Branch, Intent, Phase, Statement, Step, StepKind, StepStatus, SubResult, Task

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


def test_steps_of_another_plan_have_the_ids_of_what_was_run_before_and_no_others() -> None:
    """In another order, and calls in other words: what nobody approved, or was done, is not done for those."""
    calls = {"kind": StepKind.TOOL}
    again = (
        Step(id="told", question="By whom?"),
        Step(id="open", question="Where?"),
        Step(id="call", question="Stop it now", tool="stop", depends_on=("told",), **calls),
        Step(id="left", question="Restart it at once", tool="restart", depends_on=("open", "new"), **calls),
        Step(id="new", question="How often?"),
    )
    renamed = with_ids_of_before(Branch(id="b", name="b", steps=again), _state(Phase.REFLECT, Action.REFINE), 2)
    assert [(step.id, step.depends_on) for step in renamed.steps] == [
        ("open", ()), ("open@2", ()), ("left", ("open",)), ("call", ("open@2", "told")), ("told", ()),
    ]  # fmt: skip


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


def test_what_may_have_been_done_is_told_also_where_another_plan_leaves_it_out() -> None:
    begun = SubResult(id="call", question="Restart it", status=FAILED, failure=BROKEN, final=True, begun=True)
    intent = Intent(id="r:call", key="k", step_id="call", tool="restart")
    another = Branch(id="b", name="b", steps=STEPS[:2])
    assert calls_of(View(selected=another, results=(*RESULTS[:2], begun), intents=(intent,))).unsure == (
        "restart: no answer",
    )


@pytest.mark.parametrize(
    ("parts", "missing", "new", "status", "share"),
    [
        (("How often?", "By whom?"), "by whom", ("e1",), REOPENED, 0.5),
        (("How often?", "By whom?"), "by whom", (), ANSWERED, 0.5),
        (("How often?", "By whom?"), "", ("e1",), ANSWERED, 1.0),
        (("How often?", "By whom?", "Where?"), "by whom; where", ("e1",), REOPENED, 1 / 3),
        ((), "by whom", ("e1",), REOPENED, PARTLY),
        ((), "", ("e1",), ANSWERED, 1.0),
    ],
)
def test_an_answer_to_some_of_several_parts_is_tried_once_more_with_what_came_since(
    parts: tuple[str, ...], missing: str, new: tuple[str, ...], status: StepStatus, share: float
) -> None:
    """And counts for those parts; it is told also where it is not tried again after all."""
    step = STEPS[0].replace(parts=parts)
    told = Statement(text="Daily.", evidence_ids=("e0",), quote="Daily.")
    result = RESULTS[0].replace(statements=(told,), missing=missing, tier="model")
    state = _state(Phase.ACT, Action.RETRIEVE, new=new)
    state = state.model_copy(
        update={"selected": Branch(id="b", name="b", steps=(step,)), "results": (result,), "perceived": Task(text="?")}
    )
    (again,) = reopened(state)
    assert (again.status, found_share(step, result)) == (status, share)
    assert own_results(state.model_copy(update={"results": (again,)})) == (again,)


@pytest.mark.parametrize(("parts", "status"), [((), ANSWERED), (("How often?", "By whom?"), REOPENED)])
def test_what_one_question_lacks_after_two_attempts_is_left_so(parts: tuple[str, ...], status: StepStatus) -> None:
    """A model may name what nobody asked for; of parts it is known which is open."""
    step = STEPS[0].replace(parts=parts)
    result = RESULTS[0].replace(missing="by whom", tier="model", attempts=2)
    state = _state(Phase.ACT, Action.RETRIEVE, new=("e1",))
    state = state.model_copy(update={"selected": Branch(id="b", name="b", steps=(step,)), "results": (result,)})
    assert [one.status for one in reopened(state)] == [status]


@pytest.mark.parametrize(
    ("unread", "status"),
    [
        ("The gate is kept by Dov.", REOPENED),
        ("The ferry takes forty bales to the east bank.", UNANSWERED),
        ("O portão é guardado por Dov desde que a quinta foi vendida.", REOPENED),
    ],
    ids=["has a word of it", "has none", "in another language"],
)
def test_with_nothing_new_only_what_may_tell_what_is_missing_is_read(unread: str, status: StepStatus) -> None:
    result = RESULTS[1].replace(missing="the keeper of the gate", tier="model", read=("e1",))
    held = tuple(
        Evidence(id=key, title="t", source="s", url="u", text=text)
        for key, text in (("e1", "The gate is red."), ("e2", unread))
    )
    state = _state(Phase.ACT, Action.RETRIEVE).model_copy(update={"results": (result,), "evidence": held})
    assert [one.status for one in reopened(state)] == [status]


def test_a_refinement_reopens_the_answers_alone() -> None:
    again = to_answer_again(_state(Phase.REFLECT, Action.REFINE), can_ask=True)
    assert [(result.id, result.status) for result in again] == [("told", REOPENED), ("open", REOPENED)]


@pytest.mark.parametrize(
    ("tier", "can_ask", "now"), [("model", False, []), ("model", True, ["m"]), ("free", False, ["m"])]
)
def test_what_a_model_has_answered_is_reopened_only_where_it_can_be_asked_again(
    tier: str, can_ask: bool, now: list[str]
) -> None:
    """Else the answer that it found would be lost, and nothing come in its place."""
    found = SubResult(id="m", question="How often?", status=ANSWERED, tier=tier)
    plan = Branch(id="b", name="b", steps=(Step(id="m", question="How often?"),))
    state = _state(Phase.REFLECT, Action.REFINE).model_copy(update={"selected": plan, "results": (found,)})
    assert [result.id for result in to_answer_again(state, can_ask=can_ask)] == now


SAID = (Statement(text="It is daily.", evidence_ids=("e1",)),)


@pytest.mark.parametrize(
    ("before", "guidance", "kept"),
    [
        (SubResult(id="s", question="q", status=REOPENED, statements=SAID, tier="model"), "", True),
        (SubResult(id="s", question="q", status=REOPENED, statements=SAID, tier="model"), "Not daily.", False),
        (SubResult(id="s", question="q", status=REOPENED, statements=SAID), "", False),
        (SubResult(id="s", question="q", status=REOPENED, tier="model"), "", False),
        (None, "", False),
    ],
    ids=["a model's", "doubted by a person", "by words", "there was none", "the first attempt"],
)
def test_an_answer_is_not_lost_when_a_refined_search_brings_none(
    before: SubResult | None, guidance: str, kept: bool
) -> None:
    job = StepTask(step=STEPS[0], task=Task(text="q"), previous=before, guidance=guidance)
    found = or_before(SubResult(id="s", question="q", status=UNANSWERED), job)
    assert (found.status, found.statements) == ((ANSWERED, SAID) if kept else (UNANSWERED, ()))
    better = SubResult(id="s", question="q", status=ANSWERED)
    assert or_before(better, job) == better


def test_what_was_lacking_is_told_with_what_had_been_found_before() -> None:
    before = SubResult(id="s", question="q", status=REOPENED, statements=SAID, tier="model", missing="by whom")
    job = StepTask(step=STEPS[0], task=Task(text="q"), previous=before)
    more = Statement(text="Ann does it.", evidence_ids=("e2",))
    found = SubResult(id="s", question="q", status=ANSWERED, tier="model", statements=(more,))
    assert or_before(found, job).statements == (*SAID, more)
    again = found.replace(statements=(Statement(text="It is done daily.", evidence_ids=("e2",)), more))
    assert or_before(again, job).statements == (*SAID, more)
    assert or_before(found.replace(tier="free"), job).statements == (more,)


def test_what_an_earlier_version_stored_to_be_run_again_is_open() -> None:
    """A failed step without a failure."""
    assert is_open(SubResult(id="s", question="q", status=FAILED))


def test_an_attempt_that_finds_nothing_more_is_not_forgotten() -> None:
    before = SubResult(
        id="s", question="q", status=REOPENED, statements=SAID, tier="model", missing="by whom", read=("e1",)
    )
    job = StepTask(step=STEPS[0], task=Task(text="q"), previous=before)
    found = or_before(SubResult(id="s", question="q", status=UNANSWERED, missing="the person", read=("e2",)), job)
    assert (found.status, found.statements, found.missing, found.read) == (ANSWERED, SAID, "the person", ("e1", "e2"))


def test_what_follows_code_in_a_result_begins_a_line() -> None:
    said = [Statement(text=text, evidence_ids=("e1",)) for text in ("Run:\n```\na\n```", "Then wait.", "It ends.")]
    told = SubResult(id="s", question="q", status=ANSWERED, statements=tuple(said)).content
    assert told == "Run:\n```\na\n```\nThen wait. It ends."
