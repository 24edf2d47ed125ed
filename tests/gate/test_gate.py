"""The gate itself: no figure is below its floor, and a judge that is broken would be stopped."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

import pytest

from calibrant.evals.data import small_records
from calibrant.judges.cascade import Judged, Judgement
from calibrant.judges.given import ToReconcile, ToSupport, ToUnderstand
from calibrant.judges.panel import Panel
from calibrant.state.answer import Claim, Conflict, ConflictKind, Verdict
from calibrant.state.confidence import Confidence
from calibrant.state.decision import Action, Rule, Ruling
from calibrant.state.retrieval import Sufficiency
from calibrant.state.task import Task
from tests.gate.floors import CEILINGS, MARGIN, floor_for, floors, misses
from tests.gate.gates import GATES, free_panel, records


@pytest.mark.parametrize("gate", GATES)
def test_nothing_got_worse(gate: str) -> None:
    outcome = GATES[gate](free_panel())
    missed = misses(outcome, floors()[gate])
    if missed:
        lines = "\n  ".join(outcome.wrong)
        pytest.fail(f"{gate}: {'; '.join(missed)}\nWhat goes wrong now:\n  {lines}", pytrace=False)


def test_every_figure_has_a_floor_above_what_says_nothing() -> None:
    """A gate without a floor, or with one of nothing, could not fail."""
    held = floors()
    assert set(held) == set(GATES)
    for limits in held.values():
        assert all(limit >= 0.5 for name, limit in limits.items() if name not in CEILINGS)


def always(value: Any) -> Callable[[Any], Judged[Any]]:
    """A judge that says the same whatever it is given."""
    return lambda _: Judged(value)


def all_alike(score: float) -> Sufficiency:
    """One sufficiency for everything."""
    return Sufficiency(confidence=Confidence(raw=score, score=score), parts=(score,))


def everything_conflicts(given: ToReconcile) -> Judged[tuple[Conflict, ...]]:
    """Each pair of claims is reported."""
    first, second = given.claims[:2]
    return Judged((Conflict(id="x", kind=ConflictKind.CONTRADICTION, severity=1.0, first=first, second=second),))


def all_called(verdict: Verdict) -> Callable[[ToSupport], Judged[tuple[Claim, ...]]]:
    """Every claim gets the same verdict."""
    return lambda given: Judged(tuple(one.replace(verdict=verdict) for one in given.claims))


def seen_as(**values: Any) -> Callable[[Panel], Panel]:
    """Every request is understood, but for ``values``, which are always the same."""

    def change(panel: Panel) -> Panel:
        def understand(given: ToUnderstand) -> Judged[Task]:
            judged = panel.understand.free(given)
            return replace(judged, value=judged.value.replace(**values))

        return replace(panel, understand=Judgement("broken", understand))

    return change


def broken(**judges: Callable[[Any], Judged[Any]]) -> Callable[[Panel], Panel]:
    """The panel with some of its judges replaced."""
    return lambda panel: replace(panel, **{name: Judgement("broken", free) for name, free in judges.items()})  # type: ignore[arg-type]


@dataclass(frozen=True)
class Fault:
    """A way to break the product, the gate that must see it, and the figures that must show it."""

    gate: str
    figures: tuple[str, ...]
    change: Callable[[Panel], Panel]


FAULTS: Mapping[str, Fault] = {
    "sufficiency is constant": Fault(
        "sufficiency", ("auroc", "balanced_accuracy"), broken(suffice=always(all_alike(0.7)))
    ),
    "no conflict is seen": Fault("conflicts", ("recall",), broken(reconcile=always(()))),
    "everything conflicts": Fault("conflicts", ("precision",), broken(reconcile=everything_conflicts)),
    "all questions are factual": Fault(
        "questions", ("accuracy", "macro_f1", "right_depth"), seen_as(query_type="factual")
    ),
    "nothing is vague": Fault("requests", ("auroc", "recall"), seen_as(vagueness=0.0)),
    "everything is vague": Fault("requests", ("auroc", "precision"), seen_as(vagueness=1.0)),
    "every claim stands": Fault(
        "claims", ("accuracy", "support_precision"), broken(support=all_called(Verdict.SUPPORTED))
    ),
    "no claim stands": Fault("claims", ("accuracy", "support_recall"), broken(support=all_called(Verdict.UNVERIFIED))),
    "vague requests are searched for": Fault("routes", ("within_searches",), seen_as(vagueness=0.0)),
    "all questions are strategic": Fault(
        "routes", ("within_depth", "within_searches"), seen_as(query_type="strategic")
    ),
    "nothing suffices": Fault("routes", ("within_searches", "mean_searches"), broken(suffice=always(all_alike(0.1)))),
}


@pytest.mark.parametrize("name", FAULTS)
def test_a_broken_judge_is_stopped(name: str) -> None:
    fault = FAULTS[name]
    missed = misses(GATES[fault.gate](fault.change(free_panel())), floors()[fault.gate])
    assert {line.split()[0] for line in missed} >= set(fault.figures)


def test_a_rule_that_always_proceeds_is_stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    proceed = Ruling(rule=Rule.REACHED, action=Action.PROCEED, reason="broken")
    monkeypatch.setattr("calibrant.nodes.judging.deciding.decide", lambda *_: proceed)
    outcome = GATES["routes"](free_panel())
    assert any(line.startswith("right_route") for line in misses(outcome, floors()["routes"]))
    assert any("answers expected, abstains" in line for line in outcome.wrong)


def test_a_confidence_that_is_always_the_same_is_stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    same = Confidence(raw=0.9, score=0.9)
    monkeypatch.setattr("calibrant.nodes.respond.confidence_in", lambda *_: same)
    missed = misses(GATES["routes"](free_panel()), floors()["routes"])
    assert {line.split()[0] for line in missed} == {"confidence_auroc", "confidence_right"}


def test_a_floor_leaves_room_for_little() -> None:
    assert floor_for("auroc", 0.9) == pytest.approx(0.9 - MARGIN, abs=0.011)
    assert floor_for("recall", 0.01) == 0.0
    assert floor_for("mean_searches", 2.0) == pytest.approx(2.1, abs=0.011)


def test_the_items_are_the_gate_s_own() -> None:
    """None of them is in the small sets, on which the evals are tried."""
    texts = {text for item in records("sufficiency") for text in item["passages"] if text}
    assert not texts & {text for item in small_records("sufficiency") for text in item["passages"]}
    pairs = {(item["first"], item["second"]) for item in records("conflicts")}
    assert not pairs & {(item["first"], item["second"]) for item in small_records("conflict")}


@pytest.mark.parametrize("name", ["sufficiency", "conflicts", "questions", "requests", "claims"])
def test_no_item_stands_twice(name: str) -> None:
    items = [repr(item) for item in records(name)]
    assert 30 <= len(set(items)) == len(items)


def test_a_quotation_that_is_expected_stands_in_its_document() -> None:
    held = records("routes")
    for item in held["routes"]:
        if "holds" in item:
            assert item["holds"] in held["documents"][item["document"]]
