"""The graph with calibrators: what the user sees, what decisions compare, what is withheld, what is recorded."""

import itertools
from collections.abc import Sequence
from dataclasses import replace
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.store.memory import InMemoryStore
from rich.console import Console

from calibrant.graph.build import make_deps
from calibrant.graph.calibrators import FILE, write_calibrators
from calibrant.graph.describe import RECENT, Component, _calibration
from calibrant.graph.runs import RunLog
from calibrant.graph.serde import serde
from calibrant.graph.settings import Secrets, Settings
from calibrant.graph.wiring import wire
from calibrant.interfaces.render import show_answer
from calibrant.interfaces.terminal import THEME
from calibrant.interfaces.trace import show_trace
from calibrant.judges.calibration import DRIFT_LEAST, Calibrator, CalibratorFile, Conditions
from calibrant.nodes.deps import Deps
from calibrant.state.budget import StopReason
from calibrant.state.channels import View
from calibrant.state.context import Switches
from calibrant.state.decision import Action
from calibrant.state.evidence import Evidence, Locator, SearchQuery
from calibrant.state.record import RunRecord
from calibrant.state.task import Phase
from tests.calibration.made import calibrator, conditions, in_sections
from tests.graph.house import machine, run

QUESTION = "How often is a failed job retried by default?"


def deps_with(data_dir: Path, calibrators: Sequence[Calibrator], **settings: Any) -> Deps:
    count = itertools.count(1)
    return make_deps(
        machine=machine(data_dir),
        secrets=Secrets(),
        context=Settings(interactive=False, **settings),
        new_id=lambda: f"id{next(count)}",
        calibrators=calibrators,
    )


async def asked(deps: Deps, question: str = QUESTION) -> View:
    return await run(wire(deps, Settings, checkpointer=InMemorySaver(serde=serde())), question)


def shown(view: View, *, trace: bool = False) -> str:
    page = StringIO()
    console = Console(width=200, file=page, theme=THEME)
    (show_trace if trace else show_answer)(console, view, "t1")
    return page.getvalue()


async def test_the_answers_confidence_is_calibrated_and_no_route_changes(data_dir: Path) -> None:
    plain = await asked(deps_with(data_dir, ()))
    view = await asked(deps_with(data_dir, [calibrator()]))
    assert plain.confidence is not None
    assert view.confidence is not None
    assert view.confidence.raw == plain.confidence.score > 0.8
    assert view.confidence.score == calibrator().score(view.confidence.raw) < 0.6
    assert view.answer == plain.answer
    assert [one.confidence.score for one in view.decisions] == [one.confidence.score for one in plain.decisions]
    assert f"calibrated from {view.confidence.raw:.2f}" in shown(view)
    assert "calibrated" not in shown(plain)


class Afar:
    """A source beyond the machine that knows what the manual says."""

    name = "afar"
    remote = True

    async def search(self, query: SearchQuery) -> list[Evidence]:
        text = "A failed job is retried five times by default."
        return [Evidence(id="a", text=text, title="Retries", source=self.name, url="https://jobs.example/retries")]


async def test_what_remote_sources_found_is_not_calibrated_by_what_documents_have_shown(data_dir: Path) -> None:
    deps = deps_with(data_dir, [calibrator()])
    view = await asked(replace(deps, sources={"afar": Afar()}))
    assert view.citations
    assert view.confidence is not None
    assert view.confidence.uncalibrated == "not calibrated for remote sources"


class Handbook:
    """A source on the machine with sections."""

    name = "handbook"
    remote = False

    async def search(self, query: SearchQuery) -> list[Evidence]:
        text = "A failed job is retried five times by default."
        where = Locator(heading="Retries")
        return [Evidence(id="h", text=text, title="Jobs", source=self.name, url="file:///jobs.md", locator=where)]


async def test_what_stands_in_a_section_has_a_calibrator_of_its_own(data_dir: Path, tmp_path: Path) -> None:
    log, made = RunLog(tmp_path), in_sections(calibrator(y=(0.0, 0.2, 0.3)))
    deps = replace(deps_with(data_dir, [calibrator(), made]), recorder=log)
    view = await asked(replace(deps, sources={"handbook": Handbook()}))
    assert view.citations
    assert view.confidence is not None
    assert (view.confidence.calibrator, view.confidence.score) == (made.name, made.score(view.confidence.raw))
    assert (await asked(deps)).confidence != view.confidence
    await log.aclose()
    records = {record.calibrator: record.conditions for record in log.read()}
    assert records == {
        made.name: made.fitted_on.conditions.summary, "answer-made": calibrator().fitted_on.conditions.summary,
    }  # fmt: skip


async def test_a_phases_calibrator_changes_what_its_decisions_compare(data_dir: Path) -> None:
    view = await asked(deps_with(data_dir, [calibrator("act", x=(0.0, 1.0), y=(0.0, 0.45))]))
    acted = [one for one in view.decisions if one.phase is Phase.ACT]
    assert {one.confidence.calibrator for one in acted} == {"act-made"}
    assert all(one.confidence.score == pytest.approx(0.45 * one.confidence.raw) for one in acted)
    assert acted[0].action is not Action.PROCEED
    assert f"from {acted[0].confidence.raw:.2f} by act-made" in shown(view, trace=True)


@pytest.mark.parametrize("scored", ["perceive", "reason", "act", "reflect"])
async def test_every_phase_is_calibrated_where_it_is_judged(scored: Any, data_dir: Path) -> None:
    view = await asked(deps_with(data_dir, [calibrator(scored, x=(0.0, 1.0), y=(0.5, 1.0))]))
    by_phase = {one.phase.value: one.confidence.calibrator for one in view.decisions}
    assert {phase for phase, name in by_phase.items() if name} == {scored}


async def test_sufficiency_is_calibrated_where_a_retrieval_judges_it(data_dir: Path) -> None:
    plain = await asked(deps_with(data_dir, ()))
    view = await asked(deps_with(data_dir, [calibrator("sufficiency", x=(0.0, 1.0), y=(0.0, 0.5))]))
    held = view.retrievals[-1].sufficiency.confidence
    assert held.calibrator == "sufficiency-made"
    assert held.score == pytest.approx(held.raw / 2)
    assert plain.depth_used < view.depth_used  # what is half as sure is searched deeper


async def test_reflects_own_calibrator_is_not_calibrated_again(data_dir: Path) -> None:
    view = await asked(deps_with(data_dir, [calibrator(), calibrator("reflect", x=(0.0, 1.0), y=(0.5, 0.9))]))
    assert view.confidence is not None
    assert view.confidence.calibrator == "reflect-made"


async def test_where_none_holds_the_reason_is_shown_and_the_raw_score_stands(data_dir: Path) -> None:
    view = await asked(deps_with(data_dir, [calibrator(conditions=conditions(encoder="MiniLM"))]))
    assert view.confidence is not None
    assert view.confidence.score == view.confidence.raw
    assert "not calibrated: fitted with embeddings\n" in shown(view)
    view = await asked(deps_with(data_dir, [calibrator("reflect")]), "Quantas prioridades tem cada fila?")
    assert "not calibrated for Portuguese questions" in shown(view, trace=True)


async def test_calibration_can_be_switched_off(data_dir: Path) -> None:
    view = await asked(deps_with(data_dir, [calibrator()], switches=Switches(calibration=False)))
    assert view.confidence is not None
    assert (view.confidence.calibrator, view.confidence.uncalibrated) == ("", "")
    assert view.confidence.score == view.confidence.raw


async def test_an_answer_below_the_threshold_is_withheld(data_dir: Path) -> None:
    given = await asked(deps_with(data_dir, [calibrator()], abstain_below=0.5))
    assert given.stop_reason is StopReason.ANSWERED
    assert "five times" in given.answer
    withheld = await asked(deps_with(data_dir, [calibrator()], abstain_below=0.7))
    assert withheld.stop_reason is StopReason.ABSTAINED
    assert withheld.answer.startswith("I found an answer but withhold it: my confidence in it is 0.5")
    assert withheld.answer.endswith("below the required 0.70.")
    assert (withheld.citations, withheld.claims, withheld.conflicts) == ((), (), ())
    assert "five times" not in shown(withheld) + str(withheld.messages[-1].text)


async def test_what_is_withheld_is_said_in_the_users_language(data_dir: Path) -> None:
    view = await asked(deps_with(data_dir, (), abstain_below=1.0), "Qual é a prioridade padrão de uma fila?")
    assert view.answer.startswith("Encontrei uma resposta, mas não a dou")


async def test_the_record_of_a_run_holds_both_scores(data_dir: Path, tmp_path: Path) -> None:
    log = RunLog(tmp_path)
    view = await asked(replace(deps_with(data_dir, [calibrator()]), recorder=log))
    await log.aclose()
    (record,) = log.read()
    assert view.confidence is not None
    assert (record.confidence, record.raw, record.calibrator, record.conditions) == (
        view.confidence.score, view.confidence.raw, "answer-made", conditions().summary,
    )  # fmt: skip


def test_the_data_directorys_file_is_what_a_graph_uses(tmp_path: Path) -> None:
    write_calibrators(CalibratorFile(calibrators=(calibrator(),)), tmp_path / FILE)
    deps = make_deps(machine=machine(tmp_path), secrets=Secrets(), context=Settings())
    assert deps.calibration.calibrators == (calibrator(),)
    assert deps.calibration.conditions(Settings()) == conditions()


def described(data_dir: Path, calibrators: Sequence[Calibrator], **settings: Any) -> Component:
    deps = deps_with(data_dir, calibrators, **settings)
    return _calibration(deps.context, machine(data_dir), deps)


def test_doctor_says_whether_confidences_are_calibrated(tmp_path: Path) -> None:
    found = described(tmp_path, [calibrator()])
    assert (found.state, found.detail) == ("ok", "answer-made (100 of made)")
    assert described(tmp_path, ()).detail == "not calibrated: no calibrators"
    other = [calibrator(conditions=conditions(weights="old"))]
    assert described(tmp_path, other).detail == "not calibrated: fitted with other weights"
    assert described(tmp_path, other, switches=Switches(calibration=False)).state == "off"


def test_doctor_reads_the_recent_runs_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[int] = []

    def latest(log: RunLog, count: int) -> list[RunRecord]:
        read.append(count)
        return []

    monkeypatch.setattr(RunLog, "latest", latest)
    described(tmp_path, [calibrator(), calibrator("sufficiency")])
    assert read == [RECENT]


@pytest.mark.parametrize(
    ("raw", "made", "state"),
    [
        ([0.1, 0.3, 0.5, 0.7, 0.9], conditions(), "ok"),
        ([0.9], conditions(), "missing"),
        ([0.9], conditions(encoder="MiniLM"), "ok"),  # by a calibrator of the same name
    ],
)
def test_doctor_says_when_recent_runs_are_unlike_the_fit(
    raw: list[float], made: Conditions, state: str, tmp_path: Path
) -> None:
    log = RunLog(tmp_path)
    for number, score in enumerate(itertools.islice(itertools.cycle(raw), DRIFT_LEAST)):
        record = RunRecord(
            id=str(number), question="?", started_at=0.0, ended_at=1.0 + number, seconds=1.0, confidence=0.5,
            raw=score, calibrator="answer-made", conditions=made.summary, stop_reason="answered",
        )  # fmt: skip
        log.add(record)
    found = described(tmp_path, [calibrator()])
    assert found.state == state
    assert ("recent runs score differently" in found.detail) is (state == "missing")


@pytest.mark.parametrize(("told", "learnt"), [(0.49, False), (0.5, True)])
async def test_only_what_is_told_with_some_confidence_is_learnt(data_dir: Path, told: float, learnt: bool) -> None:
    store = InMemoryStore()
    deps = deps_with(data_dir, [calibrator(x=(0.0, 1.0), y=(told, told))])
    view = await run(wire(deps, Settings, checkpointer=InMemorySaver(serde=serde()), store=store), QUESTION)
    assert view.stop_reason is StopReason.ANSWERED
    found = await store.asearch(("calibrant", "experience"))
    assert [one.value["confidence"] for one in found] == [told] * learnt
