"""Uncertainty signals, each from a real condition: what raises it, what does not, and what it counts for."""

from pathlib import Path
from typing import Any

import pytest
from langgraph.runtime import Runtime

from calibrant.graph.settings import Settings
from calibrant.judges.cascade import Judged
from calibrant.judges.free.planning.ambiguity import alternatives, matches
from calibrant.judges.free.planning.corrections import corrected
from calibrant.judges.free.planning.tool_outputs import contradiction
from calibrant.nodes.judging.signals import (
    in_results,
    of_branches,
    of_execution,
    of_planner,
    of_review,
    of_sources,
    without_calls,
)
from calibrant.nodes.work import Work
from calibrant.state.answer import Claim, Review, Verdict
from calibrant.state.channels import Run, View
from calibrant.state.confidence import Confidence
from calibrant.state.decision import Action, Decision, Rule, Situation, decide
from calibrant.state.errors import Failure, FailureKind
from calibrant.state.evidence import Evidence, SourceState
from calibrant.state.retrieval import PAGES, RetrievalResult, SourceReport
from calibrant.state.task import Branch, Phase, Statement, Step, StepKind, StepStatus, SubResult, Task
from calibrant.state.uncertainty import Signal, SignalKind, merge_signals, resolve, uncertainty_score
from tests.graph.house import deps_for

K = SignalKind
THRESHOLDS = Settings(interactive=False).thresholds.act


def kinds(signals: tuple[Signal, ...]) -> list[SignalKind]:
    return [signal.kind for signal in signals]


# In a planner's words


@pytest.mark.parametrize(
    ("said", "named"),
    [
        ("Could use Vitest or Jest, both are valid...", ("Vitest", "Jest")),
        ("Either src/a.py or src/b.py may be meant.", ("src/a.py", "src/b.py")),
        ("Vitest, Mocha or Jest, all of them would work.", ("Vitest", "Mocha", "Jest")),
        ("Tanto Vitest quanto Jest servem.", ("Vitest", "Jest")),
        ("Pode usar Vitest ou Jest.", ("Vitest", "Jest")),
        ("Could use Vitest or Jest; Vitest is configured, so the plan uses it.", ()),
        ("The page says: \"could use Vitest or Jest\".", ()),
        ("Search the manual for retries or timeouts.", ()),
        ("The question names what to search for.", ()),
    ],
)  # fmt: skip
def test_alternatives_that_a_planner_does_not_choose_among(said: str, named: tuple[str, ...]) -> None:
    assert alternatives(said) == named


def test_what_the_request_sets_against_each_other_is_the_question_itself() -> None:
    said = "It could use SQLite or Postgres."
    assert alternatives(said, "Should several machines use SQLite or Postgres?") == ()
    assert alternatives(said, "Where should results be kept?") == ("SQLite", "Postgres")


def test_hesitation_and_alternatives_together_reach_the_threshold() -> None:
    def score(**said: Any) -> int:
        return uncertainty_score(of_planner(Judged((), **said), 1), Phase.REASON)

    assert score() == 0
    assert score(hesitation="both are valid") == 2
    assert score(alternatives=("Vitest", "Jest")) == 3
    assert score(hesitation="both are valid", alternatives=("Vitest", "Jest")) == 5


def _branch(name: str, score: float, *calls: tuple[str, dict[str, Any]]) -> Branch:
    steps = tuple(
        Step(id=f"{name}.{tool}", kind=StepKind.TOOL, question=tool, tool=tool, arguments=arguments)
        for tool, arguments in calls
    )
    return Branch(id=name, name=name, steps=steps, confidence=Confidence(score=score))


@pytest.mark.parametrize(
    ("other", "raised"),
    [
        (_branch("b", 0.79, ("edit", {"path": "b"})), True),
        (_branch("b", 0.79, ("create", {"path": "a"})), True),
        (_branch("b", 0.78, ("edit", {"path": "b"})), False),
        (_branch("b", 0.8, ("edit", {"path": "a"})), False),
        (_branch("b", 0.8), False),
    ],
    ids=["another target", "another tool", "worse", "the same call", "no call"],
)
def test_equally_good_plans_that_would_call_something_else(other: Branch, raised: bool) -> None:
    best = _branch("a", 0.8, ("edit", {"path": "a"}))
    assert kinds(of_branches((best, other), best, 1)) == [K.SEVERAL_CANDIDATES] * raised


# In what a tool gave

PATHS = ("src/utils/helper.ts", "src/lib/helper.ts")
NAMESAKES = [
    {"id": "C-17", "name": "Anna Keller", "city": "Graz"},
    {"id": "C-31", "name": "Anna Keller", "city": "Bonn"},
]
APART = ("Anna Keller (C-17)", "Anna Keller (C-31)")


@pytest.mark.parametrize(
    ("arguments", "output", "found"),
    [
        ({"name": "helper.ts"}, [*PATHS, "src/other.ts"], PATHS),
        ({"name": "Smith"}, {"people": [{"name": "Anna Smith"}, {"name": "John Smith"}]}, ("Anna Smith", "John Smith")),
        ({"name": "Smith"}, [{"name": "Anna Smith", "score": 0.9}, {"name": "John Smith", "score": 0.4}], ()),
        ({"name": "helper.ts"}, ["helper.ts", *PATHS], ()),
        ({"name": "helper.ts"}, [PATHS[0]], ()),
        ({"query": "helper.ts"}, list(PATHS), ()),
        ({"name": "helper.ts"}, [f"{number}/helper.ts" for number in range(11)], ()),
        ({"name": "helper.ts"}, ["a.ts", "b.ts"], ()),
        ({"name": "helper.ts"}, "two matches: a/helper.ts and b/helper.ts", ()),
        ({"name": "anna keller"}, NAMESAKES, APART),
        ({"name": "Keller"}, [*NAMESAKES, {"id": "C-9", "name": "Bo Lind"}], APART),
        ({"name": "Keller"}, [*NAMESAKES, {"id": "C-9", "name": "Jo Keller"}], (*APART, "Jo Keller")),
        (
            {"name": "Anna Keller"},
            [{"customerId": 17, "name": "Anna Keller"}, {"customerId": 31, "name": "Anna Keller"}],
            ("Anna Keller (17)", "Anna Keller (31)"),
        ),
        ({"name": "Anna Keller"}, [NAMESAKES[0]], ()),
        ({"name": "Anna Keller"}, [NAMESAKES[0], NAMESAKES[0]], ()),
        (
            {"name": "Anna Keller"},
            [{"name": "Anna Keller", "city": "Graz"}, {"name": "Anna Keller", "city": "Bonn"}],
            (),
        ),
        (
            {"name": "Anna Keller"},
            [{"invoice_id": n, "customer_id": "C-17", "name": "Anna Keller"} for n in (1, 2)],
            (),
        ),
        ({"path": "a.py"}, [{"path": "a.py", "line": 3}, {"path": "a.py", "line": 9}], ()),
        ({"query": "Anna Keller"}, NAMESAKES, ()),
    ],
    ids=[
        "paths",
        "people",
        "one is better",
        "one is exact",
        "one",
        "a search",
        "a list",
        "no match",
        "prose",
        "namesakes",
        "namesakes among others",
        "namesakes and another",
        "ids in camel case",
        "one person",
        "twice one person",
        "no ids",
        "rows about one person",
        "lines of one file",
        "a search for namesakes",
    ],
)
def test_several_things_where_one_was_meant(arguments: dict[str, Any], output: Any, found: tuple[str, ...]) -> None:
    assert matches(arguments, output) == found


def _result(name: str = "t1", **given: Any) -> SubResult:
    return SubResult(id=name, question="q", **{"status": StepStatus.ANSWERED, **given})


def _failed(kind: FailureKind, **given: Any) -> SubResult:
    failure = Failure(kind=kind, where="read_file", message="there is no file helper.ts")
    return _result(status=StepStatus.FAILED, failure=failure, **given)


@pytest.mark.parametrize(
    ("result", "raised"),
    [
        (_result(), []),
        (_result(candidates=PATHS), [K.SEVERAL_CANDIDATES]),
        (_result(contrary="missing at first, then there"), [K.CONFLICTING_RESULTS]),
        (_failed(FailureKind.MISSING, alike=2), [K.MISSING_RESOURCE]),
        (_failed(FailureKind.TIMEOUT, alike=2), [K.UNEXPLAINED_TIMEOUT]),
        (_failed(FailureKind.ERROR, alike=2), []),
        (_failed(FailureKind.ERROR, alike=3), [K.REPEATED_FAILURE]),
        (_failed(FailureKind.MISSING, alike=3), [K.REPEATED_FAILURE]),
        (_failed(FailureKind.LEFT_ALONE, alike=1), [K.BREAKER_OPENED]),
        (_failed(FailureKind.UNKNOWN, alike=1), []),
    ],
)
def test_signals_in_a_result(result: SubResult, raised: list[SignalKind]) -> None:
    assert kinds(in_results((result,), 2)) == raised


CALLS = Branch(
    id="b",
    name="b",
    steps=(
        Step(id="t1", kind=StepKind.TOOL, question="q", tool="ps", arguments={"worker": "7"}),
        Step(id="t2", kind=StepKind.TOOL, question="q", tool="status", arguments={"worker": "7"}),
        Step(id="a1", question="q"),
    ),
)


def _said(name: str, text: str, **given: Any) -> SubResult:
    statement = Statement(text=text, quote=text, evidence_ids=(f"e-{name}",), score=1.0)
    return _result(name, statements=(statement,), confidence=Confidence(score=1.0), **{"wave": 1, **given})


async def _executed(data_dir: Path, *results: SubResult, attempt: int = 2) -> list[SignalKind]:
    """The signals that act sees at its ``attempt``."""
    judged = Decision(
        id="d", phase=Phase.ACT, action=Action.PROCEED, rule=Rule.REACHED, reason="", thresholds=THRESHOLDS
    )
    evidence = tuple(
        Evidence(id=f"e-{result.id}", text=result.content, title=result.id, source="tool", url=f"tool://{result.id}")
        for result in results
    )
    state = View(run=Run(id="r", question="q"), results=results, decisions=(judged,) * (attempt - 1), evidence=evidence)
    deps = deps_for(data_dir)
    work = await Work.begin(deps, Runtime(context=Settings(interactive=False)), state)
    return kinds(await of_execution(state, Task(text="q"), CALLS, {}, work))


RUNS, STANDS = '{"worker": "7", "state": "running"}', '{"worker": "7", "state": "stopped"}'


async def test_tool_results_that_contradict_each_other(data_dir: Path) -> None:
    assert await _executed(data_dir, _said("t1", RUNS), _said("t2", STANDS)) == [K.CONFLICTING_RESULTS]
    assert await _executed(data_dir, _said("t1", RUNS), _said("t2", RUNS)) == []
    yes, no = "Worker 7 runs four jobs at a time.", "Worker 7 runs nine jobs at a time."
    assert await _executed(data_dir, _said("t1", yes), _said("t2", no)) == [K.CONFLICTING_RESULTS]
    assert await _executed(data_dir, _said("t1", yes), _said("t2", yes)) == []


async def test_answers_from_passages_are_no_sign(data_dir: Path) -> None:
    """What sources say against each other is told by the answer; it is no doubt about how to go on."""
    yes, no = "Worker 7 runs four jobs at a time.", "Worker 7 runs nine jobs at a time."
    assert await _executed(data_dir, _said("t1", yes), _said("a1", no)) == []


async def test_a_result_is_a_sign_only_at_the_judgement_after_it(data_dir: Path) -> None:
    late = _failed(FailureKind.TIMEOUT, wave=1)
    assert await _executed(data_dir, late, attempt=2) == [K.UNEXPLAINED_TIMEOUT]
    assert await _executed(data_dir, late, attempt=3) == []
    assert await _executed(data_dir, _said("t1", RUNS), _said("t2", STANDS), attempt=3) == []


def test_only_the_same_question_can_be_answered_differently() -> None:
    one, other = {"worker": "7"}, {"worker": "8"}
    assert contradiction((one, {"state": "up"}), (one, {"state": "down"})) == ("state", "up", "down")
    assert contradiction((one, {"state": "up"}), (other, {"state": "down"})) is None
    assert contradiction((one, {"state": "up", "at": 1}), (one, {"state": "up", "at": 2})) is None
    assert contradiction((one, {"state": "up"}), (one, {"jobs": 4})) is None
    assert contradiction((one, ["up"]), (one, ["down"])) is None


@pytest.mark.parametrize(
    ("branch", "ran", "said"),
    [
        (Branch(id="b", name="b"), False, "the plan has no steps"),
        (Branch(id="b", name="b", steps=CALLS.steps[2:]), True, "nothing calls restart_worker, which the task needs"),
        (Branch(id="b", name="b", steps=CALLS.steps[2:]), False, ""),
        (CALLS, True, ""),
    ],
    ids=["no steps", "no call", "not yet run", "calls"],
)
def test_a_plan_that_needs_a_tool_and_calls_none(branch: Branch, ran: bool, said: str) -> None:
    fresh = (_result("a1"),) if ran else ()
    task = Task(text="Use restart_worker on the silent one")
    assert without_calls(task, branch, ("restart_worker", "other"), fresh) == said


def test_a_tool_that_the_planner_could_not_call_is_wanted_too() -> None:
    branch = Branch(id="b", name="b", steps=CALLS.steps[2:], left_out=("restart",))
    assert "restart" in without_calls(Task(text="q"), branch, ("restart",), (_result("a1"),))
    plain = branch.replace(left_out=())
    assert without_calls(Task(text="q"), plain, ("restart",), (_result("a1"),)) == ""


# In sources


def _report(name: str, kind: FailureKind | None = None, **given: Any) -> SourceReport:
    failure = Failure(kind=kind, where=name, message="gone") if kind else None
    state = SourceState.FAILED if kind else SourceState.EMPTY
    return SourceReport(source=name, failure=failure, **{"state": state, **given})


LEFT = _report("web", FailureKind.UNAVAILABLE, state=SourceState.SKIPPED, left_alone=True)
LATE = _report("github", FailureKind.TIMEOUT)


@pytest.mark.parametrize(
    ("reports", "raised"),
    [
        ((LEFT,), [K.BREAKER_OPENED]),
        ((LEFT, LATE), [K.BREAKER_OPENED]),
        ((LATE,), [K.UNEXPLAINED_TIMEOUT]),
        ((_report("web", FailureKind.UNAVAILABLE),), []),
        ((LEFT, _report("knowledge")), []),
        ((LATE, _report("knowledge", state=SourceState.OK)), []),
        ((LATE, _report(PAGES)), [K.UNEXPLAINED_TIMEOUT]),
        ((), []),
    ],
    ids=["breaker", "both", "late", "failed", "one is left", "one answered", "pages are no source", "none"],
)
def test_sources_count_only_when_none_is_left(reports: tuple[SourceReport, ...], raised: list[SignalKind]) -> None:
    asked = Decision(
        id="d", phase=Phase.PERCEIVE, action=Action.RETRIEVE, rule=Rule.SEARCH, reason="", thresholds=THRESHOLDS
    )
    state = View(decisions=(asked,), retrievals=(RetrievalResult(id="r", query="q", sources=reports),))
    assert kinds(of_sources(state, Phase.PERCEIVE, 2)) == raised
    later = state.model_copy(update={"decisions": (asked, asked.replace(action=Action.PROCEED))})
    assert of_sources(later, Phase.REASON, 1) == ()


# In the review


def test_a_review_that_verifies_little_is_inconclusive() -> None:
    def review(*verdicts: Verdict) -> Review:
        return Review(claims=tuple(Claim(id=f"c{n}", text="x", verdict=one) for n, one in enumerate(verdicts)))

    open_, held = Verdict.UNVERIFIED, Verdict.SUPPORTED
    assert kinds(of_review(review(open_, open_, held), 1)) == [K.INCONCLUSIVE]
    assert of_review(review(open_, held), 1) == ()
    assert of_review(review(), 1) == ()


# What they count for


def _signals(*found: SignalKind, attempt: int = 1) -> tuple[Signal, ...]:
    return tuple(Signal(kind=kind, phase=Phase.ACT, attempt=attempt) for kind in found)


@pytest.mark.parametrize(
    ("found", "there", "alone"),
    [
        (_signals(K.NO_TOOL_CALLS), Action.PROCEED, Action.PROCEED),
        (_signals(K.HESITATION, K.SEVERAL_CANDIDATES), Action.ASK, Action.PROCEED),
        (_signals(K.NO_TOOL_CALLS, K.MISSING_RESOURCE), Action.ASK, Action.PROCEED),
        (_signals(K.REPEATED_FAILURE, K.BREAKER_OPENED), Action.ASK, Action.PROCEED),
        (_signals(K.REPEATED_FAILURE, K.NO_TOOL_CALLS, K.MISSING_RESOURCE), Action.ASK, Action.SKIP),
    ],
    ids=["4", "5", "6", "10", "11"],
)
def test_at_above_and_below_the_thresholds(found: tuple[Signal, ...], there: Action, alone: Action) -> None:
    score = uncertainty_score(found, Phase.ACT)
    for interactive, action in ((True, there), (False, alone)):
        seen = Situation(phase=Phase.ACT, score=0.9, uncertainty=score, interactive=interactive)
        ruling = decide(seen, THRESHOLDS)
        assert ruling.action is action
        assert bool(ruling.warning) is (score >= 5 and not interactive)


def test_one_kind_counts_once_an_attempt_and_not_in_another_phase() -> None:
    signals = merge_signals((), (*_signals(K.MISSING_RESOURCE, K.MISSING_RESOURCE),))
    assert uncertainty_score(signals, Phase.ACT) == 2
    signals = merge_signals(signals, _signals(K.MISSING_RESOURCE, attempt=2))
    assert uncertainty_score(signals, Phase.ACT) == 4
    assert uncertainty_score(signals, Phase.REFLECT) == 0


def test_an_answer_resets_the_phase_and_new_signals_count_again() -> None:
    signals = _signals(K.REPEATED_FAILURE)
    answered = merge_signals(signals, resolve(signals, Phase.ACT))
    assert uncertainty_score(answered, Phase.ACT) == 0
    assert uncertainty_score(merge_signals(answered, _signals(K.REPEATED_FAILURE, attempt=2)), Phase.ACT) == 5


# What a person says puts a call right


@pytest.mark.parametrize(
    ("arguments", "said", "candidates", "after"),
    [
        ({"command": "npm test"}, "Run npx vitest run tests/auth.test.ts instead of npm test", (),
         {"command": "npx vitest run tests/auth.test.ts"}),
        ({"path": "src/utils/helper.ts"}, "The file is actually at src/lib/helpers.ts, use that instead", (),
         {"path": "src/lib/helpers.ts"}),
        ({"path": "helper.ts", "mode": "r"}, "src/lib/helper.ts is meant", PATHS,
         {"path": "src/lib/helper.ts", "mode": "r"}),
        ({"name": "Smith"}, "Anna Smith", ("Anna Smith", "John Smith"), {"name": "Anna Smith"}),
        ({"name": "Smith"}, "Anna Smith or John Smith", ("Anna Smith", "John Smith"), {"name": "Smith"}),
        ({"name": "7", "count": 2}, 'name="8" and count=9', (), {"name": "8", "count": 9}),
        ({"owner": "Orders"}, "Use the owner name orders-team instead.", (), {"owner": "orders-team"}),
        ({"queue": "q", "max_length": 500000}, "Use max_length 300000 instead of 500000", (),
         {"queue": "q", "max_length": 300000}),
        ({"a": 1, "on": True, "rate": 0.5}, "wait a 5 minute break, on 3, rate is 0.25", (),
         {"a": 1, "on": True, "rate": 0.25}),
        ({"path": "a/b.ts", "target": "c/d.ts"}, "it is at e/f.ts", (), {"path": "a/b.ts", "target": "c/d.ts"}),
        ({"path": "a/b.ts"}, "try again", (), {"path": "a/b.ts"}),
        ({"barn": "North", "max_items": 5}, "barn: South, max items 9", (), {"barn": "South", "max_items": 9}),
        ({"barn": "North"}, "the barn: it is red", (), {"barn": "North"}),
        ({"customer_id": "C-17"}, "Use customer C-31", (), {"customer_id": "C-31"}),
        ({"customer_id": "C-31"}, "Use customer C-17 instead", (), {"customer_id": "C-17"}),
        ({"customer_id": "x"}, "The customer_id is C-31.", (), {"customer_id": "C-31"}),
        ({"order_id": "4177"}, "the order number is 4711, not 4177", (), {"order_id": "4711"}),
        ({"order_id": "4177"}, "the order was placed 3 days ago", (), {"order_id": "4177"}),
        ({"customer_id": "C-17"}, "ask the customer first", (), {"customer_id": "C-17"}),
    ],
    ids=["instead of", "another path", "a candidate", "by name", "still two", "by argument",
         "a name with what it is of", "a number", "numbers in a sentence", "which one?", "nothing",
         "behind a colon", "a sentence behind a colon",
         "by what it is of", "instead, by what it is of", "by its id",
         "by its number", "no id of it", "no id"],
)  # fmt: skip
def test_guidance_puts_arguments_right(
    arguments: dict[str, Any], said: str, candidates: tuple[str, ...], after: dict[str, Any]
) -> None:
    assert corrected(arguments, said, candidates) == after
