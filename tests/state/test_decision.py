"""The decision rule, row by row, at and around each threshold, and what holds for every situation."""

from collections.abc import Callable
from itertools import combinations
from math import nextafter
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from calibrant.state.confidence import Confidence, PhaseThresholds, Thresholds
from calibrant.state.context import Context
from calibrant.state.decision import TABLE as ROWS
from calibrant.state.decision import USEFUL_BOOST, Action, Asking, Decision, Rule, Ruling, Situation, decide, less_sure
from calibrant.state.task import Phase

SPECIFIED = {
    Phase.PERCEIVE: (0.70, 0.50, 0.30),
    Phase.REASON: (0.75, 0.60, 0.40),
    Phase.ACT: (0.80, 0.65, 0.50),
    Phase.REFLECT: (0.70, 0.55, 0.40),
}
"""Proceed, retrieve, abort (spec 1)."""


def thresholds(phase: Phase) -> Thresholds:
    """The defaults of ``phase``."""
    return Context().thresholds_of(phase)


def rule(**known: Any) -> Ruling:
    """The ruling on a situation in ``act`` in which nothing but ``known`` speaks for any row: row 10."""
    situation = Situation(**{"phase": Phase.ACT, "score": 0.0, **known})
    return decide(situation, thresholds(situation.phase))


def below(number: float) -> float:
    """The next float below."""
    return nextafter(number, 0.0)


def above(number: float) -> float:
    """The next float above."""
    return nextafter(number, 1.0)


@pytest.mark.parametrize("phase", list(Phase))
def test_default_thresholds_are_the_specified_ones(phase: Phase) -> None:
    """And they fall: proceed > retrieve > abort."""
    t = thresholds(phase)
    assert (t.proceed, t.retrieve, t.abort) == SPECIFIED[phase]
    assert t.proceed > t.retrieve > t.abort
    assert t == getattr(PhaseThresholds(), phase.value)


# Row by row.


def test_row_1_a_vague_request_asks_for_a_wording() -> None:
    """Only in perceive."""
    ruling = rule(phase=Phase.PERCEIVE, vague=True)
    assert (ruling.row, ruling.action, ruling.asking) == (1, Action.ASK, Asking.WORDING)


@pytest.mark.parametrize("phase", [Phase.REASON, Phase.ACT, Phase.REFLECT])
def test_row_1_is_for_perceive_only(phase: Phase) -> None:
    """Later phases work with what was agreed."""
    assert rule(phase=phase, vague=True).row == 10


def test_row_1_offers_a_wording_once() -> None:
    """A wording that was offered is not offered again."""
    assert rule(phase=Phase.PERCEIVE, vague=True, wording_offered=True).row == 10


@pytest.mark.parametrize(("uncertainty", "row"), [(0, 10), (4, 10), (5, 2), (6, 2), (50, 2)])
@pytest.mark.parametrize("phase", list(Phase))
def test_row_2_asks_at_five(phase: Phase, uncertainty: int, row: int) -> None:
    """Below, at and above."""
    ruling = rule(phase=phase, uncertainty=uncertainty)
    assert ruling.row == row
    if row == 2:
        assert (ruling.action, ruling.asking) == (Action.ASK, Asking.GUIDANCE)


@pytest.mark.parametrize(("uncertainty", "row"), [(7, 10), (8, 2)])
def test_row_2_follows_the_configuration(uncertainty: int, row: int) -> None:
    """``ask_at`` is data."""
    assert rule(uncertainty=uncertainty, ask_at=8).row == row


@pytest.mark.parametrize("phase", list(Phase))
def test_row_3_a_forcing_gap_is_searched_for_whatever_the_score(phase: Phase) -> None:
    """Spec 1: a lack of experience or of a pattern makes the phase look, even when the score is high."""
    ruling = rule(phase=phase, score=1.0, forcing_gaps=("no past experience",), retrievals_left=1)
    assert (ruling.row, ruling.action) == (3, Action.RETRIEVE)
    assert "no past experience" in ruling.reason


def test_row_3_needs_a_retrieval() -> None:
    """Without one left the score decides."""
    assert rule(score=1.0, forcing_gaps=("no past experience",), retrievals_left=0).row == 5


def test_row_3_needs_a_gap() -> None:
    """A retrieval left alone forces nothing."""
    assert rule(score=1.0, retrievals_left=4).row == 5


def test_row_4_low_quality_refines() -> None:
    """Even when the score would do."""
    ruling = rule(phase=Phase.REFLECT, score=1.0, quality_below=True, refinements_left=1)
    assert (ruling.row, ruling.action) == (4, Action.REFINE)


@pytest.mark.parametrize(
    "known",
    [
        {"phase": Phase.REFLECT, "quality_below": True, "refinements_left": 0},
        {"phase": Phase.REFLECT, "quality_below": False, "refinements_left": 2},
        {"phase": Phase.ACT, "quality_below": True, "refinements_left": 2},
    ],
)
def test_row_4_needs_reflect_low_quality_and_a_refinement(known: dict[str, Any]) -> None:
    """Each of the three alone."""
    assert rule(score=1.0, **known).row == 5


@pytest.mark.parametrize("phase", list(Phase))
def test_row_5_proceeds_at_the_threshold(phase: Phase) -> None:
    """At and above it proceeds without a warning, just below it does not."""
    proceed = thresholds(phase).proceed
    for score in (proceed, above(proceed), 1.0):
        ruling = rule(phase=phase, score=score)
        assert (ruling.row, ruling.action, ruling.warning) == (5, Action.PROCEED, "")
    assert rule(phase=phase, score=below(proceed)).row == 7
    assert rule(phase=phase, score=below(proceed), retrievals_left=1).row == 6


@pytest.mark.parametrize(
    ("last_boost", "row"),
    [
        (None, 6),
        (USEFUL_BOOST, 6),
        (above(USEFUL_BOOST), 6),
        (0.5, 6),
        (below(USEFUL_BOOST), 10),
        (0.0, 10),
        (-0.1, 10),
    ],
)
def test_row_6_searches_while_searching_helps(last_boost: float | None, row: int) -> None:
    """At 0.02 and above the last retrieval has helped; a first one is always tried."""
    ruling = rule(last_boost=last_boost, retrievals_left=1)
    assert ruling.row == row
    assert (ruling.action is Action.RETRIEVE) == (row == 6)


@pytest.mark.parametrize(("score", "row"), [(0.69, 7), (0.6, 9), (0.49, 10)])
def test_row_6_does_not_search_where_all_that_is_asked_was_found(score: float, row: int) -> None:
    assert rule(score=score, retrievals_left=1).row == 6
    ruling = rule(score=score, retrievals_left=1, covered=True)
    assert ruling.row == row
    assert "all that is asked was found" in ruling.reason


def test_row_6_needs_a_retrieval() -> None:
    """However useful the last one was."""
    assert rule(last_boost=0.5, retrievals_left=0).row == 10


@pytest.mark.parametrize("phase", list(Phase))
def test_row_7_a_tolerable_score_proceeds_with_a_warning(phase: Phase) -> None:
    """At and above ``retrieve``; just below it a person is asked."""
    retrieve = thresholds(phase).retrieve
    for score in (retrieve, above(retrieve)):
        ruling = rule(phase=phase, score=score)
        assert (ruling.row, ruling.action) == (7, Action.PROCEED)
        assert ruling.warning
    assert rule(phase=phase, score=below(retrieve)).row == 9


@pytest.mark.parametrize(
    ("known", "told"),
    [
        ({"score": 0.69}, "Less sure than wanted of how to answer it (reason 0.69 of 0.75)."),
        (
            {"score": 0.5, "interactive": False},
            "Went on, unsure of how to answer it (reason 0.50 of 0.60): searching does not help.",
        ),
        (
            {"score": 0.2, "interactive": False, "exhausted": True},
            "Stopped, unsure of how to answer it (reason 0.20 of 0.40): the budget is spent.",
        ),
    ],
)
def test_a_warning_says_in_words_what_a_phase_is_unsure_of(known: dict[str, Any], told: str) -> None:
    assert rule(phase=Phase.REASON, **known).warning == told


def judged(phase: Phase, score: float, **known: Any) -> Decision:
    ruling = rule(phase=phase, score=score, interactive=False, **known)
    confidence = Confidence(raw=score, score=score)
    return Decision(id="d", phase=phase, confidence=confidence, thresholds=thresholds(phase), **dict(ruling))


@pytest.mark.parametrize(
    ("decisions", "told"),
    [
        ((), ""),
        ((judged(Phase.PERCEIVE, 0.70),), ""),
        ((judged(Phase.PERCEIVE, 0.69, untried="a tool has yet to be called"),), "(perceive 0.69 of 0.70)."),
        ((judged(Phase.ACT, 0.20, untried="a tool has yet to be called"),), ""),
        ((judged(Phase.ACT, 0.20),), ""),  # it stops there, which is told by itself
        ((judged(Phase.PERCEIVE, 0.60), judged(Phase.PERCEIVE, 0.70)), ""),
        (
            (judged(Phase.PERCEIVE, 0.60), judged(Phase.ACT, 0.70), judged(Phase.ACT, 0.71)),
            "(perceive 0.60 of 0.70) and of what was found for the steps (act 0.71 of 0.80).",
        ),
        ((judged(Phase.PERCEIVE, 0.60), judged(Phase.REASON, 0.59), judged(Phase.ACT, 0.80)), ""),
        (
            (judged(Phase.PERCEIVE, 0.69), judged(Phase.REASON, 0.59), judged(Phase.REFLECT, 0.69)),
            "(perceive 0.69 of 0.70), of how to answer it (reason 0.59 of 0.75) and of the answer "
            "(reflect 0.69 of 0.70).",
        ),
    ],
)
def test_what_a_run_is_unsure_of_is_told_in_one_line(decisions: tuple[Decision, ...], told: str) -> None:
    """By the last judgement of each phase."""
    line = less_sure(decisions)
    assert line.endswith(told)
    assert line.startswith("Less sure than wanted of ") is bool(told)
    assert bool(line) is bool(told)


def test_row_7_a_persons_answer_is_enough() -> None:
    """Nobody is asked twice for the same low score."""
    ruling = rule(score=0.0, answered=True)
    assert (ruling.row, ruling.action) == (7, Action.PROCEED)
    assert ruling.warning


@pytest.mark.parametrize("phase", [Phase.PERCEIVE, Phase.REASON, Phase.ACT])
@pytest.mark.parametrize("untried", ["a tool has yet to be called", "the model has yet to read what was found"])
def test_row_7_nobody_is_asked_before_everything_was_tried(phase: Phase, untried: str) -> None:
    """Nor does the run end, nor is anybody warned of what is judged again. Searching comes first while it helps."""
    ruling = rule(phase=phase, score=0.0, untried=untried)
    assert (ruling.row, ruling.action) == (7, Action.PROCEED)
    assert untried in ruling.reason
    assert not ruling.warning
    assert rule(phase=phase, score=thresholds(phase).retrieve, untried=untried).warning
    assert rule(phase=phase, score=0.0, untried=untried, retrievals_left=1).row == 6
    assert rule(phase=phase, score=0.0, untried=untried, uncertainty=5).row == 2


@pytest.mark.parametrize("interactive", [True, False])
def test_row_2_says_what_made_it_uncertain(interactive: bool) -> None:
    ruling = rule(uncertainty=5, signs=("not sure", "a or b"), interactive=interactive)
    assert ruling.reason == "uncertainty 5 reaches 5 (not sure; a or b)"
    assert interactive or "went on although uncertainty 5 reaches 5 (not sure; a or b)." in ruling.warning


@pytest.mark.parametrize(
    ("exhausted", "holds_evidence", "row"), [(True, True, 8), (True, False, 10), (False, True, 10), (False, False, 10)]
)
def test_row_8_a_spent_budget_answers_with_what_is_held(exhausted: bool, holds_evidence: bool, row: int) -> None:
    """Both must hold: without evidence there is nothing to answer with."""
    ruling = rule(exhausted=exhausted, holds_evidence=holds_evidence)
    assert ruling.row == row
    if row == 8:
        assert ruling.action is Action.RESPOND


@pytest.mark.parametrize("phase", list(Phase))
def test_rows_9_and_10_part_at_the_abort_threshold(phase: Phase) -> None:
    """At and above it a person is asked for guidance, below it whether to end."""
    abort = thresholds(phase).abort
    for score in (abort, above(abort)):
        ruling = rule(phase=phase, score=score)
        assert (ruling.row, ruling.action, ruling.asking) == (9, Action.ASK, Asking.GUIDANCE)
    for score in (below(abort), 0.0):
        ruling = rule(phase=phase, score=score)
        assert (ruling.row, ruling.action, ruling.asking) == (10, Action.ASK, Asking.ABORT)


# Precedence.

SPEAKS_FOR: dict[int, dict[str, Any]] = {
    1: {"phase": Phase.PERCEIVE, "vague": True},
    2: {"uncertainty": 5},
    3: {"forcing_gaps": ("no past experience",), "retrievals_left": 1},
    4: {"phase": Phase.REFLECT, "quality_below": True, "refinements_left": 1},
    5: {"score": 1.0},
    6: {"retrievals_left": 1},
    7: {"answered": True},
    8: {"exhausted": True, "holds_evidence": True},
    9: {"score": 0.55},
    10: {},
}
"""For each row, the least that makes it match."""

PAIRS = [pair for pair in combinations(SPEAKS_FOR, 2) if pair != (1, 4)]
"""Rows 1 and 4 belong to different phases."""


@pytest.mark.parametrize("row", list(SPEAKS_FOR))
def test_each_row_matches_alone(row: int) -> None:
    """The ingredients are right: 0.55 is above abort and below retrieve in perceive's and act's tables."""
    assert rule(**SPEAKS_FOR[row]).row == row


@pytest.mark.parametrize(("first", "later"), PAIRS)
def test_the_first_match_wins(first: int, later: int) -> None:
    """Whatever speaks for a later row, an earlier one that matches decides."""
    assert rule(**{**SPEAKS_FOR[later], **SPEAKS_FOR[first]}).row == first


@pytest.mark.parametrize("first", list(SPEAKS_FOR))
def test_all_later_rows_together_do_not_outvote_one(first: int) -> None:
    """All that speaks for the rows below, and still the first match decides."""
    known: dict[str, Any] = {}
    for row in sorted(SPEAKS_FOR, reverse=True):
        if row >= first:
            known.update(SPEAKS_FOR[row])
    assert rule(**known).row == first


# Nobody there.

NOBODY: list[dict[str, Any]] = [{"interactive": False}, {"questions_left": 0}]


@pytest.mark.parametrize("nobody", NOBODY)
def test_row_1_with_nobody_there_takes_the_request_as_it_stands(nobody: dict[str, Any]) -> None:
    """And says so."""
    ruling = rule(phase=Phase.PERCEIVE, vague=True, **nobody)
    assert (ruling.row, ruling.action, ruling.asking) == (1, Action.PROCEED, None)
    assert ruling.warning


@pytest.mark.parametrize("nobody", NOBODY)
@pytest.mark.parametrize(
    ("uncertainty", "action"),
    [(5, Action.PROCEED), (9, Action.PROCEED), (10, Action.PROCEED), (11, Action.SKIP), (40, Action.SKIP)],
)
def test_row_2_with_nobody_there_skips_above_ten(nobody: dict[str, Any], uncertainty: int, action: Action) -> None:
    """At ten it still goes on, with a warning either way."""
    ruling = rule(uncertainty=uncertainty, **nobody)
    assert (ruling.row, ruling.action, ruling.asking) == (2, action, None)
    assert ruling.warning


def test_row_2_skips_above_what_is_configured() -> None:
    """``skip_above`` is data."""
    assert rule(uncertainty=7, skip_above=7, interactive=False).action is Action.PROCEED
    assert rule(uncertainty=8, skip_above=7, interactive=False).action is Action.SKIP


@pytest.mark.parametrize("nobody", NOBODY)
@pytest.mark.parametrize("phase", list(Phase))
def test_row_9_with_nobody_there_goes_on_with_a_warning(nobody: dict[str, Any], phase: Phase) -> None:
    """The best that can be had."""
    ruling = rule(phase=phase, score=thresholds(phase).abort, **nobody)
    assert (ruling.row, ruling.action, ruling.asking) == (9, Action.PROCEED, None)
    assert ruling.warning


@pytest.mark.parametrize("nobody", NOBODY)
@pytest.mark.parametrize("phase", list(Phase))
def test_row_10_with_nobody_there_abstains(nobody: dict[str, Any], phase: Phase) -> None:
    """It ends the run with what it has; it never proceeds."""
    ruling = rule(phase=phase, score=below(thresholds(phase).abort), **nobody)
    assert (ruling.row, ruling.action, ruling.asking) == (10, Action.RESPOND, None)
    assert ruling.warning


# Every situation.

SCORES = st.one_of(
    st.floats(0.0, 1.0),
    st.sampled_from([value for three in SPECIFIED.values() for value in three]),
)
SITUATIONS = st.builds(
    Situation,
    phase=st.sampled_from(Phase),
    score=SCORES,
    uncertainty=st.integers(0, 30),
    vague=st.booleans(),
    wording_offered=st.booleans(),
    forcing_gaps=st.lists(st.sampled_from(["no past experience", "no known pattern"]), max_size=2).map(tuple),
    quality_below=st.booleans(),
    refinements_left=st.integers(0, 2),
    retrievals_left=st.integers(0, 4),
    last_boost=st.none() | st.floats(-1.0, 1.0) | st.just(USEFUL_BOOST),
    covered=st.booleans(),
    answered=st.booleans(),
    exhausted=st.booleans(),
    holds_evidence=st.booleans(),
    interactive=st.booleans(),
    questions_left=st.integers(0, 3),
)

Condition = Callable[[Situation, Thresholds], bool]
TABLE: dict[int, Condition] = {
    1: lambda s, _: s.phase == "perceive" and s.vague and not s.wording_offered,
    2: lambda s, _: s.uncertainty >= 5,
    3: lambda s, _: len(s.forcing_gaps) > 0 and s.retrievals_left > 0,
    4: lambda s, _: s.phase == "reflect" and s.quality_below and s.refinements_left > 0,
    5: lambda s, t: s.score >= t.proceed,
    6: lambda s, _: s.retrievals_left > 0 and not s.covered and not (s.last_boost is not None and s.last_boost < 0.02),
    7: lambda s, t: s.score >= t.retrieve or s.answered,
    8: lambda s, _: s.exhausted and s.holds_evidence,
    9: lambda s, t: s.score >= t.abort,
    10: lambda _, __: True,
}
"""The table once more, as conditions only."""

WITH_SOMEBODY = {
    1: Action.ASK, 2: Action.ASK, 3: Action.RETRIEVE, 4: Action.REFINE, 5: Action.PROCEED,
    6: Action.RETRIEVE, 7: Action.PROCEED, 8: Action.RESPOND, 9: Action.ASK, 10: Action.ASK,
}  # fmt: skip


def expected_action(row: int, s: Situation) -> Action:
    """What the table says for ``row``, the policy for an absent person included."""
    if WITH_SOMEBODY[row] is not Action.ASK or (s.interactive and s.questions_left > 0):
        return WITH_SOMEBODY[row]
    if row == 10:
        return Action.RESPOND
    return Action.SKIP if row == 2 and s.uncertainty > 10 else Action.PROCEED


@given(SITUATIONS)
def test_every_situation_gets_the_ruling_of_its_first_row(s: Situation) -> None:
    """The rule is total and is the table."""
    t = thresholds(s.phase)
    ruling = decide(s, t)
    assert ruling.row == min(row for row, holds in TABLE.items() if holds(s, t))
    assert ruling.action is expected_action(ruling.row, s)


@given(SITUATIONS)
def test_a_person_is_asked_only_when_there_is_one(s: Situation) -> None:
    """And what is asked for is named exactly when somebody is asked."""
    ruling = decide(s, thresholds(s.phase))
    assert (ruling.action is Action.ASK) == (ruling.asking is not None)
    if ruling.action is Action.ASK:
        assert s.interactive
        assert s.questions_left > 0


@given(SITUATIONS)
def test_going_on_below_the_threshold_is_never_silent(s: Situation) -> None:
    """Every ruling has a reason; only row 5 proceeds without a warning."""
    ruling = decide(s, thresholds(s.phase))
    assert ruling.reason
    if ruling.action in (Action.PROCEED, Action.SKIP):
        assert (ruling.warning == "") == (ruling.row == 5)


@given(SITUATIONS)
def test_the_ledger_bounds_every_loop(s: Situation) -> None:
    """Without retrievals, refinements and questions nothing leads back: the run moves on or ends."""
    empty = s.replace(retrievals_left=0, refinements_left=0, questions_left=0)
    assert decide(empty, thresholds(s.phase)).action in (Action.PROCEED, Action.SKIP, Action.RESPOND)


@given(SITUATIONS, SCORES)
def test_a_higher_score_never_leads_to_less(s: Situation, other: float) -> None:
    """Rows fall with the score: what proceeded at a lower score does not ask or abstain at a higher one."""
    t = thresholds(s.phase)
    low, high = sorted((s.score, other))
    assert decide(s.replace(score=high), t).row <= decide(s.replace(score=low), t).row


@given(SITUATIONS)
def test_the_same_situation_gets_the_same_ruling(s: Situation) -> None:
    """Pure: also after a journey through JSON."""
    t = thresholds(s.phase)
    assert decide(Situation.model_validate_json(s.model_dump_json()), t) == decide(s, t)


@pytest.mark.parametrize("score", [-0.01, 1.01, float("nan")])
def test_a_score_outside_its_range_is_refused(score: float) -> None:
    """Also not-a-number, which compares with nothing."""
    with pytest.raises(ValueError, match="score"):
        Situation(phase=Phase.ACT, score=score)


@pytest.mark.parametrize(("before", "boost"), [(None, None), (0.2, 0.3), (0.8, -0.3), (0.5, 0.0)])
def test_a_decision_keeps_what_the_retrieval_changed(before: float | None, boost: float | None) -> None:
    """Negative too; None for a first judgement."""
    decision = Decision.model_validate(
        {
            "id": "d1",
            "phase": "act",
            "action": "proceed",
            "row": 5,
            "reason": "r",
            "confidence": {"score": 0.5},
            "before": before,
            "thresholds": {"proceed": 0.8, "retrieve": 0.65, "abort": 0.5},
        }
    )
    assert decision.boost == (None if boost is None else pytest.approx(boost))


STORED = {"id": "d1", "phase": "act", "reason": "r", "thresholds": {"proceed": 0.8, "retrieve": 0.65, "abort": 0.5}}


@pytest.mark.parametrize(
    ("stored", "named"),
    [
        *(({"row": number, "action": "proceed"}, one) for number, one in enumerate(ROWS, 1)),
        ({"row": 0, "action": "respond"}, Rule.SALVAGE),
        ({"row": 0, "action": "ask", "asking": "approval"}, Rule.APPROVAL),
        ({"row": 0, "action": "proceed", "asking": "approval"}, Rule.UNAPPROVED),
        ({"row": 0, "action": "proceed"}, Rule.UNJUDGED),
        ({"row": 99, "action": "proceed"}, Rule.UNJUDGED),
    ],
)
def test_a_decision_that_was_stored_with_the_number_of_its_row_is_read(stored: dict[str, Any], named: Rule) -> None:
    """What came of it told the four apart that share row 0."""
    decision = Decision.model_validate({**STORED, **stored})
    assert (decision.rule, decision.row) == (named, stored["row"] if named in ROWS else 0)
    assert Decision.model_validate_json(decision.model_dump_json()) == decision


def test_what_is_stored_of_a_decision_has_its_row_for_who_reads_it_elsewhere() -> None:
    decision = Decision.model_validate({**STORED, "action": "ask", "rule": "uncertain"})
    assert decision.model_dump(mode="json")["row"] == 2
