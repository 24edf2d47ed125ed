"""What is kept of a run: over the real graph, by id, without ever costing an answer."""

import asyncio
import logging
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

import pytest

from calibrant.graph import runs
from calibrant.graph.build import build_graph
from calibrant.graph.retrieval import information_graph
from calibrant.graph.runs import RunLog
from calibrant.graph.settings import Settings
from calibrant.graph.wiring import wire
from calibrant.interfaces.stats import stats_of
from calibrant.retrievers.knowledge.folder import KnowledgeFolder
from calibrant.state.evidence import Evidence, SearchQuery
from calibrant.state.record import LONGEST_TEXT, QualityRecord, RunRecord, clipped
from tests.graph.house import config, deps_for, ingest, run, write_documents
from tests.graph.markets import HAMSTERS, HAMSTERS_WANTED, pages
from tests.observability.known import DAY, KNOWN, NOW, record, recording_graph, retrieval
from tests.read_only import read_only

QUESTION = "How often is a failed job retried by default?"
UNKNOWN = "Who is the chief executive of the worker process company?"


@pytest.fixture
def log(folder: Path) -> RunLog:
    return RunLog(folder)


async def test_a_run_is_recorded_with_what_its_state_says(data_dir: Path, log: RunLog) -> None:
    state = await run(recording_graph(data_dir, log), QUESTION)
    (kept,) = log.read()
    assert state.run is not None
    assert state.confidence is not None
    assert state.synthesis is not None
    assert (kept.id, kept.thread_id, kept.graph) == (state.run.id, "t1", "calibrant")
    assert (kept.question, kept.query_type, kept.stop_reason) == (QUESTION, "factual", "answered")
    assert kept.confidence == state.confidence.score
    assert kept.seconds == pytest.approx(state.spend.seconds)
    assert kept.spend == state.spend.replace(active=())
    assert state.run.started_at == kept.started_at < kept.ended_at
    assert [(one.depth, one.rounds, one.chunks) for one in kept.retrievals] == [
        (one.depth_used, len(one.rounds), len(one.evidence_ids)) for one in state.retrievals
    ]
    assert kept.retrievals
    assert [(one.source, one.state) for one in kept.sources] == [("knowledge", "ok")]
    assert kept.synthesis is not None
    assert kept.synthesis.confidence == state.synthesis.confidence.score


async def test_an_abstention_is_a_run_too(data_dir: Path, log: RunLog) -> None:
    await run(recording_graph(data_dir, log), UNKNOWN)
    (kept,) = log.read()
    assert (kept.stop_reason, kept.depth) == ("abstained", 3)
    assert kept.rounds > 1


async def test_what_met_the_conditions_of_a_question_is_recorded(tmp_path: Path, log: RunLog) -> None:
    ingest(tmp_path / "data", write_documents(tmp_path / "docs", pages(HAMSTERS)))
    graph = recording_graph(tmp_path / "data", log)
    await run(graph, HAMSTERS_WANTED, given={"power": "2"})
    await run(graph, "Where do hamsters find their seed mix?", "t2")
    conditioned, other = log.read()
    assert conditioned.quality == QualityRecord(fetched=12, verified=5)
    assert conditioned.spend.refinements == 1
    assert other.quality is None


async def test_each_turn_of_a_thread_is_a_run(data_dir: Path, log: RunLog) -> None:
    graph = recording_graph(data_dir, log)
    await run(graph, QUESTION)
    await run(graph, "How many jobs does a worker run at a time?")
    assert [kept.thread_id for kept in log.read()] == ["t1", "t1"]


async def test_a_run_may_be_left_out(data_dir: Path, log: RunLog) -> None:
    context = Settings(interactive=False, switches={"records": False})
    await run(recording_graph(data_dir, log), QUESTION, context=context)
    assert log.read() == []
    assert not log.path.exists()


async def test_a_retrieval_alone_is_recorded_as_such(data_dir: Path, log: RunLog) -> None:
    graph = information_graph(deps_for(data_dir, recorder=log), Settings)
    output = await graph.ainvoke({"query": QUESTION})
    (kept,) = log.read()
    assert (kept.id, kept.graph, kept.question) == (output["retrieval_id"], "retrieve_information", QUESTION)
    assert kept.confidence == pytest.approx(output["new_confidence"], abs=1e-4)
    assert kept.synthesis is None
    assert len(kept.retrievals) == 1
    assert kept.spend.searches == output["spend"].searches >= 1


class Shelf:
    """A source that holds nothing, and may not know it."""

    name, remote = "shelf", False

    async def search(self, query: SearchQuery) -> list[Evidence]:
        return []


class Sized(Shelf):
    """One that knows how much it holds."""

    async def passages(self, collections: Sequence[str] = ()) -> int:
        return 3


class Dropped(Shelf):
    """One that fails at it."""

    async def passages(self, collections: Sequence[str] = ()) -> int:
        raise RuntimeError


@pytest.mark.parametrize(
    ("beside", "known"), [((), True), ((Sized(),), True), ((Shelf(),), False), ((Dropped(),), False)]
)
async def test_how_much_there_was_to_be_found_is_recorded(
    tmp_path: Path, log: RunLog, beside: tuple[Shelf, ...], known: bool
) -> None:
    for name in ("manual", "other"):
        ingest(tmp_path / "data", write_documents(tmp_path / name), name)
    folder = KnowledgeFolder(tmp_path / "data")
    graph = wire(deps_for(tmp_path / "data", recorder=log, sources=[folder, *beside]), Settings)
    there = await folder.passages()
    assert there == 2 * await folder.passages(["manual"]) > 0
    for collections, held in ((["manual", "other"], there), (["manual"], there // 2), (list[str](), there)):
        await graph.ainvoke({"task": QUESTION, "filters": {"collections": collections}})
        assert {one.held for one in log.latest(1)[0].retrievals} == {held + 3 * len(beside) if known else 0}


async def test_a_log_that_cannot_be_written_costs_no_answer(
    data_dir: Path, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / "taken").write_text("a file where a folder should be")
    with caplog.at_level(logging.WARNING):
        state = await run(recording_graph(data_dir, RunLog(tmp_path / "taken")), QUESTION)
    assert "five times" in state.answer
    assert "is not recorded" in caplog.text


class Broken:
    """A recorder of somebody else's that fails, with what nobody should read in a log."""

    async def record(self, record: RunRecord) -> None:
        raise RuntimeError("token=hunter2")


async def test_a_recorder_that_fails_costs_no_answer(data_dir: Path, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.WARNING):
        state = await run(recording_graph(data_dir, Broken()), QUESTION)
    assert "five times" in state.answer
    assert "is not recorded: RuntimeError" in caplog.text
    assert "hunter2" not in caplog.text


class Hanging:
    """One that never comes back."""

    async def record(self, record: RunRecord) -> None:
        await asyncio.Event().wait()


async def test_a_recorder_that_hangs_delays_an_answer_a_moment_only(
    data_dir: Path, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("calibrant.nodes.keeping.recording.PATIENCE_S", 0.05)
    with caplog.at_level(logging.WARNING):
        state = await asyncio.wait_for(run(recording_graph(data_dir, Hanging()), QUESTION), 30)
    assert "five times" in state.answer
    assert "is not recorded: TimeoutError" in caplog.text


async def test_a_record_is_kept_once(log: RunLog) -> None:
    for confidence in (0.9, 0.1):
        await log.record(record(1, confidence))
    assert [kept.confidence for kept in log.read()] == [0.9]


async def test_runs_come_in_the_order_of_their_ends(log: RunLog) -> None:
    await asyncio.gather(*(log.record(one) for one in reversed(KNOWN)))
    assert log.read() == list(KNOWN)
    assert log.read(NOW - 2 * 86_400) == list(KNOWN[2:])
    assert log.latest(2) == list(KNOWN[2:])
    await log.aclose()
    await log.record(record(0, 0.5))
    assert len(log.read()) == 5
    await log.aclose()


async def test_old_records_are_dropped(log: RunLog, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(runs, "KEPT", 3)
    for number in range(9, 0, -1):
        await log.record(record(number, 0.5))
    assert [kept.id for kept in log.read()] == ["r3", "r2", "r1"]


def test_several_processes_write_to_one_file(folder: Path, root: Path) -> None:
    code = (
        "import sys, pathlib\n"
        "from calibrant.graph.runs import RunLog\n"
        "from tests.observability.known import record\n"
        "log, first = RunLog(pathlib.Path(sys.argv[1])), int(sys.argv[2])\n"
        "for number in range(first, first + 20): log.add(record(number, 0.5))\n"
    )
    command = [sys.executable, "-c", code, str(folder)]
    workers = [subprocess.Popen([*command, str(first)], cwd=root) for first in (0, 20, 40)]
    assert [worker.wait(60) for worker in workers] == [0, 0, 0]
    assert len(RunLog(folder).read()) == 60


def test_a_record_of_another_version_can_be_read() -> None:
    """Fields that are not there have defaults, and unknown ones are passed over."""
    old = '{"id":"r","question":"q","started_at":1,"ended_at":2,"seconds":1,"confidence":0.5,"stop_reason":"new one"}'
    assert RunRecord.model_validate_json(old).retrievals == ()
    assert RunRecord.model_validate_json(old[:-1] + ',"later":1}').stop_reason == "new one"


def test_a_question_that_holds_a_page_is_cut() -> None:
    assert clipped("a\n b") == "a b"
    assert len(clipped("word " * 1000)) == LONGEST_TEXT


async def test_an_embedded_graph_records_nothing_unless_told(
    data_dir: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CALIBRANT_DATA_DIR", str(tmp_path / "own"))
    monkeypatch.setenv("CALIBRANT_EMBEDDINGS", "none")
    await build_graph(sources=[], context=Settings(interactive=False)).ainvoke({"task": QUESTION}, config())
    assert not (tmp_path / "own").exists()


def test_importing_the_graph_imports_no_metrics() -> None:
    code = "import sys, calibrant.graph.entry, calibrant.graph.app; print('prometheus_client' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "False\n"


def test_records_in_a_folder_that_cannot_be_written_are_read() -> None:
    with tempfile.TemporaryDirectory() as place:  # `tmp_path` lies in a folder of this user alone
        log = RunLog(place)
        log.add(KNOWN[0])
        asyncio.run(log.aclose())
        with read_only(Path(place)):
            assert [one.id for one in RunLog(place).read()] == [KNOWN[0].id]


def test_a_record_without_its_question_is_counted_all_the_same(log: RunLog) -> None:
    log.forget(["t1"])
    assert log.read() == [], "there is no file yet"
    old, mine, other = (
        record(2, 0.9),
        record(1, 0.9, retrieval(2, 2, 12), thread_id="t1"),
        record(0, 0.9, thread_id="t2"),
    )
    for one in (mine, other, old):
        log.add(one)
    log.forget(["t1", "t'3"], NOW - 1.5 * DAY)
    assert log.read() == [old.replace(question=""), mine.replace(question=""), other]
    assert stats_of([mine]).most_iterated
    assert stats_of(log.read()).most_iterated == ()
