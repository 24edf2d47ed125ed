"""What the decision rule is told, read off a state: functions of the trace, each at its edges."""

from types import SimpleNamespace
from typing import Any, cast

import pytest

from calibrant.judges.free.request.understand import understand
from calibrant.judges.given import ToUnderstand
from calibrant.nodes.reading.history import (
    attempt_of,
    is_covered,
    last_boost,
    score_before,
    searched_gaps,
    searched_out,
    urged_after_outage,
)
from calibrant.nodes.telling.questions import question_for
from calibrant.nodes.work import Work
from calibrant.state.budget import StopReason
from calibrant.state.channels import View
from calibrant.state.confidence import Confidence, Thresholds
from calibrant.state.decision import UNCLEAR, USEFUL_BOOST, Action, Asking, Decision, Rule
from calibrant.state.errors import Failure, FailureKind
from calibrant.state.evidence import SourceState
from calibrant.state.guidance import Guidance, GuidanceRequest
from calibrant.state.retrieval import PAGES, RetrievalResult, SourceReport, Sufficiency
from calibrant.state.task import Phase, Power, Task

WITHOUT_MODEL = cast("Work", SimpleNamespace(has_model=False))
DOWN = Failure(kind=FailureKind.UNAVAILABLE, message="refused", where="web")


def decision(name: str = "d", phase: Phase = Phase.PERCEIVE, score: float = 0.5, **more: Any) -> Decision:
    """A line of the trace."""
    return Decision(
        **{
            "id": name, "phase": phase, "action": Action.RETRIEVE, "rule": Rule.SEARCH, "reason": "",
            "confidence": at(score), "thresholds": Thresholds(proceed=0.7, retrieve=0.5, abort=0.3), **more,
        }
    )  # fmt: skip


def at(score: float) -> Confidence:
    """A confidence of that score."""
    return Confidence(raw=score, score=score)


def retrieval(before: float = 0.5, after: float = 0.5, **more: Any) -> RetrievalResult:
    """One that went as deep as it may."""
    held = Sufficiency(confidence=at(after))
    return RetrievalResult(**{"id": "r", "query": "q", "depth_used": 3, "confidence_before": before,
                              "sufficiency": held, **more})  # fmt: skip


def report(source: str, state: SourceState) -> SourceReport:
    """How one source fared."""
    return SourceReport(source=source, state=state, failure=DOWN if state is SourceState.FAILED else None)


def test_the_constants_of_the_rule_are_the_design_s() -> None:
    assert (USEFUL_BOOST, UNCLEAR) == (0.02, 0.67)


def test_a_boost_is_the_score_after_a_phase_s_last_retrieval_less_the_one_before() -> None:
    """Of that phase, negative too; what was judged once is not judged by the present score."""
    once = [decision(score=0.4), decision(phase=Phase.ACT, score=0.9)]
    assert last_boost(once, Phase.PERCEIVE, 0.6) == pytest.approx(0.2)
    assert last_boost(once, Phase.PERCEIVE, 0.3) == pytest.approx(-0.1)
    assert last_boost(once, Phase.REASON, 0.6) is None
    judged = [*once, decision(score=0.5, action=Action.PROCEED)]
    assert last_boost(judged, Phase.PERCEIVE, 0.9) == pytest.approx(0.1)
    again = [*once, decision(score=0.5)]
    assert last_boost(again, Phase.PERCEIVE, 0.51) == pytest.approx(0.01)


def test_the_score_before_is_that_before_a_search() -> None:
    assert score_before([decision(score=0.4)], Phase.PERCEIVE) == 0.4
    assert score_before([decision(score=0.4, action=Action.REFINE)], Phase.PERCEIVE) == 0.4
    assert score_before([decision(score=0.4, action=Action.PROCEED)], Phase.PERCEIVE) is None
    assert score_before([decision(score=0.4)], Phase.ACT) is None


def test_a_gap_is_searched_for_by_the_row_that_it_forces() -> None:
    trace = [decision(rule=Rule.GAPS, gaps=("one",)), decision(gaps=("two",))]
    assert searched_gaps(trace) == ("one",)
    assert attempt_of(View(decisions=tuple(trace)), Phase.PERCEIVE) == 3


@pytest.mark.parametrize(
    ("last", "futile"),
    [
        (None, False),
        (retrieval(), True),
        (retrieval(depth_used=2), False),
        (retrieval(depth_used=1, power=Power.SHALLOW), True),  # forced: it may not go deeper
        (retrieval(before=0.5, after=0.6), False),
        (retrieval(before=0.5, after=0.51), True),
        (retrieval(before=0.5, after=0.4), True),
    ],
)
def test_searching_is_futile_after_one_that_went_as_deep_as_it_may_and_did_not_help(
    last: RetrievalResult | None, futile: bool
) -> None:
    assert searched_out(View(retrievals=(last,) if last else ())) is futile


@pytest.mark.parametrize(
    ("last", "phase", "covered"),
    [
        (retrieval(stop_reason=StopReason.SUFFICIENT), Phase.PERCEIVE, True),
        (retrieval(stop_reason=StopReason.SUFFICIENT), Phase.REASON, True),
        (retrieval(stop_reason=StopReason.SUFFICIENT), Phase.ACT, False),
        (retrieval(stop_reason=StopReason.SUFFICIENT), Phase.REFLECT, False),
        (retrieval(stop_reason=StopReason.SUFFICIENT, phase=Phase.ACT), Phase.REASON, False),
        (retrieval(stop_reason=StopReason.PLATEAU), Phase.REASON, False),
        (None, Phase.REASON, False),
    ],
)
def test_a_search_that_found_all_needs_no_other_before_anything_is_made_of_it(
    last: RetrievalResult | None, phase: Phase, covered: bool
) -> None:
    assert is_covered(View(retrievals=(last,) if last else ()), phase) is covered


def test_it_is_not_futile_where_a_person_has_said_something_that_was_not_searched_with() -> None:
    asked = decision("asked", action=Action.ASK, asking=Asking.GUIDANCE)
    said = Guidance(request_id="asked", phase=Phase.PERCEIVE, kind="guidance", action="guide", text="in the manual")
    state = View(retrievals=(retrieval(),), decisions=(decision(), asked), guidance=(said,))
    assert not searched_out(state)
    assert searched_out(state.model_copy(update={"guidance": (said.replace(action="retry"),)}))
    assert searched_out(state.model_copy(update={"decisions": (asked, decision("later"))}))


@pytest.mark.parametrize(
    ("sources", "action", "urged"),
    [
        ((report("web", SourceState.FAILED),), "retry", True),
        ((report("web", SourceState.FAILED),), "guide", True),
        ((report("web", SourceState.FAILED),), "skip", False),
        ((report("web", SourceState.FAILED), report(PAGES, SourceState.OK)), "retry", True),
        ((report("web", SourceState.FAILED), report("knowledge", SourceState.OK)), "retry", False),
        ((report("web", SourceState.OK),), "retry", False),
        ((), "retry", False),
    ],
)
def test_a_person_who_says_go_on_after_an_outage_is_heard(
    sources: tuple[SourceReport, ...], action: str, urged: bool
) -> None:
    """Where no source could answer, the search shows nothing about searching."""
    asked = decision("asked", action=Action.ASK, asking=Asking.GUIDANCE)
    said = Guidance(request_id="asked", phase=Phase.PERCEIVE, kind="guidance", action=action)
    state = View(retrievals=(retrieval(sources=sources),), decisions=(decision(), asked), guidance=(said,))
    assert urged_after_outage(state) is urged
    other = state.model_copy(update={"guidance": (said.replace(request_id="earlier"),)})
    assert not urged_after_outage(other)


@pytest.mark.parametrize(("asking", "abort"), [(Asking.ABORT, True), (Asking.GUIDANCE, False)])
def test_only_row_10_ends_the_run_where_nobody_answers(asking: Asking, abort: bool) -> None:
    state = View(perceived=Task(text="Which port?"))
    pending = question_for(state, decision(action=Action.ASK, asking=asking), WITHOUT_MODEL)["pending"]
    assert isinstance(pending, GuidanceRequest)
    assert pending.abort_by_default is abort
    assert question_for(state, decision(action=Action.PROCEED), WITHOUT_MODEL) == {}


@pytest.mark.parametrize(
    ("text", "asking", "told"),
    [
        ("How can I do it better?", Asking.GUIDANCE, "Nothing was searched."),
        ("Como posso fazer isso melhor?", Asking.GUIDANCE, "Nada foi consultado."),
        ("¿Cómo puedo hacerlo mejor?", Asking.GUIDANCE, "Nothing was searched."),
        ("Wie mache ich das besser?", Asking.ABORT, "Nothing was searched."),
        ("Como posso fazer isso melhor?", Asking.WORDING, "o pedido é vago demais para ser procurado"),
        ("¿Cómo puedo hacerlo mejor?", Asking.WORDING, "the request is too vague to search for"),
    ],
)
def test_a_person_is_asked_in_the_language_of_the_answer(text: str, asking: Asking, told: str) -> None:
    """English, to who asks in a language that is not known."""
    state = View(perceived=understand(ToUnderstand(text)).value)
    pending = question_for(state, decision(action=Action.ASK, asking=asking), WITHOUT_MODEL)["pending"]
    assert pending.reasons == (told,)
