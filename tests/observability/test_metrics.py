"""The metrics as Prometheus reads them: after real runs, after known ones, and from the HTTP app."""

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
from prometheus_client.parser import text_string_to_metric_families

from calibrant.graph.runs import RunLog
from calibrant.interfaces import http
from calibrant.interfaces.metrics import Metrics
from tests.graph.house import run
from tests.observability.known import KNOWN, recording_graph


class Scrape:
    """What one scrape gave: samples by name and labels."""

    def __init__(self, text: str) -> None:
        self.families = {family.name: family for family in text_string_to_metric_families(text)}
        self.samples = {
            (sample.name, frozenset(sample.labels.items())): sample.value
            for family in self.families.values()
            for sample in family.samples
        }

    def value(self, name: str, **labels: str) -> float:
        """One sample."""
        return self.samples[f"calibrant_{name}", frozenset(labels.items())]

    def buckets(self, name: str) -> dict[str, float]:
        """The cumulative buckets of a histogram."""
        family = self.families[f"calibrant_{name}"]
        return {sample.labels["le"]: sample.value for sample in family.samples if sample.name.endswith("_bucket")}


def scraped(log: RunLog) -> Scrape:
    return Scrape(Metrics(log).exposition().decode())


@pytest.fixture
def known(folder: Path) -> RunLog:
    """The known runs, kept."""
    log = RunLog(folder)
    for one in KNOWN:
        log.add(one)
    return log


async def test_real_runs_are_counted(data_dir: Path, folder: Path) -> None:
    log = RunLog(folder)
    graph = recording_graph(data_dir, log)
    states = [
        await run(graph, question, thread)
        for thread, question in (
            ("a", "How often is a failed job retried by default?"),
            ("b", "How many jobs does a worker run at a time?"),
            ("c", "Who is the chief executive of the worker process company?"),
            ("d", "thanks, that helps"),
        )
    ]
    seen = scraped(log)
    assert seen.value("runs_total", graph="calibrant", stop_reason="answered") == 2
    assert seen.value("runs_total", graph="calibrant", stop_reason="abstained") == 1
    assert seen.value("runs_total", graph="calibrant", stop_reason="courtesy") == 1
    assert seen.value("run_confidence_count") == 3
    scores = [state.confidence.score for state in states if state.confidence]
    assert seen.value("run_confidence_sum") == pytest.approx(sum(scores))
    synthesized = [state.synthesis for state in states if state.synthesis]
    assert seen.value("synthesis_confidence_count") == len(synthesized) >= 2
    assert seen.value("synthesis_confidence_sum") == pytest.approx(sum(one.confidence.score for one in synthesized))
    retrievals = [retrieval for state in states for retrieval in state.retrievals]
    assert seen.value("retrieval_depth_count") == len(retrievals)
    assert seen.value("retrieval_depth_sum") == sum(one.depth_used for one in retrievals)
    assert seen.value("retrieval_rounds_sum") == sum(len(one.rounds) for one in retrievals)
    assert seen.value("searches_total") == sum(state.spend.searches for state in states)
    assert seen.value("source_reports_total", source="knowledge", state="ok") >= 2
    assert seen.value("model_calls_total") == 0


def test_the_buckets_are_those_of_the_specification(known: RunLog) -> None:
    """Linear: from 0.0 by 0.1, eleven of them; from 0 by 1, ten of them."""
    seen = scraped(known)
    tenths = [f"{step / 10}" for step in range(11)]
    counts = [f"{count}.0" for count in range(10)]
    assert list(seen.buckets("synthesis_confidence")) == [*tenths, "+Inf"]
    assert list(seen.buckets("synthesis_conflicts")) == [*counts, "+Inf"]
    assert list(seen.buckets("synthesis_filtered_results")) == [*counts, "+Inf"]


def test_the_figures_of_known_runs(known: RunLog) -> None:
    seen = scraped(known)
    confidence = seen.buckets("synthesis_confidence")  # 0.85, 0.9, 0.3
    assert [confidence[le] for le in ("0.2", "0.3", "0.8", "0.9", "+Inf")] == [0, 1, 1, 3, 3]
    assert [seen.buckets("synthesis_conflicts")[le] for le in ("0.0", "1.0", "2.0")] == [2, 2, 3]
    assert [seen.buckets("synthesis_filtered_results")[le] for le in ("0.0", "1.0")] == [2, 3]
    assert list(seen.buckets("retrieval_depth").values()) == [3, 4, 5, 5]
    assert seen.value("retrieval_rounds_sum") == 8
    assert seen.value("retrievals_total", stop_reason="sufficient") == 5
    assert seen.value("tokens_total", direction="in") == 900
    assert seen.value("tokens_total", direction="out") == 100
    assert seen.value("dollars_total") == 0.03
    assert seen.value("questions_total") == 1
    assert seen.value("run_seconds_sum") == 12
    assert (seen.value("quality_score_count"), seen.value("quality_score_sum")) == (2, 5 / 12)
    assert seen.value("refinements_total") == 3
    assert seen.value("source_reports_total", source="web", state="failed") == 1


def test_each_run_is_counted_once_whoever_wrote_it(known: RunLog) -> None:
    metrics = Metrics(known)
    first = metrics.exposition()
    assert metrics.exposition() == first
    RunLog(known.path.parent).add(KNOWN[0].replace(id="another"))
    seen = Scrape(metrics.exposition().decode())
    assert seen.value("run_confidence_count") == 5
    assert seen.value("synthesis_confidence_count") == 4


async def test_counting_goes_on_where_the_file_was_moved_away(known: RunLog) -> None:
    """As the error about a damaged one advises."""
    metrics = Metrics(known)
    metrics.exposition()
    await known.aclose()
    known.path.rename(known.path.with_name("moved.db"))
    metrics.exposition()
    known.add(KNOWN[0].replace(id="another"))
    for _ in range(2):
        seen = Scrape(metrics.exposition().decode())
        assert seen.value("run_confidence_count") == 5


def test_before_the_first_run_everything_is_nought(folder: Path) -> None:
    seen = scraped(RunLog(folder))
    assert seen.value("synthesis_confidence_count") == 0
    assert seen.value("searches_total") == 0
    assert not folder.exists()


def test_no_words_of_a_user_are_exposed(known: RunLog) -> None:
    assert not [one for one in KNOWN if one.question.encode() in Metrics(known).exposition()]


def test_no_start_of_counting_is_claimed(known: RunLog) -> None:
    assert b"_created" not in Metrics(known).exposition()


@pytest.fixture
def served(machine: Path) -> Iterator[Path]:
    """The data directory that the HTTP app serves."""
    http._metrics.cache_clear()
    yield machine / "data"
    http._metrics.cache_clear()


async def get(path: str) -> httpx.Response:
    async with httpx.AsyncClient(transport=httpx.ASGITransport(http.app), base_url="http://here") as client:
        return await client.get(path)


async def test_the_app_serves_the_metrics_of_the_data_directory(served: Path) -> None:
    RunLog(served).add(KNOWN[1])
    reply = await get("/calibrant/metrics")
    assert reply.status_code == 200
    assert reply.headers["content-type"].startswith("text/plain; version=")
    assert Scrape(reply.text).value("synthesis_conflicts_sum") == 2


async def test_records_that_cannot_be_read_are_one_line(served: Path) -> None:
    served.mkdir()
    (served / "runs.db").write_bytes(b"no database at all" * 100)
    reply = await get("/calibrant/metrics")
    assert reply.status_code == 503
    assert reply.text.count("\n") == 1
    assert "runs.db cannot be read" in reply.text


def test_importing_the_app_reads_no_settings(tmp_path: Path) -> None:
    """Not even broken ones."""
    (tmp_path / "calibrant.yaml").write_text("no_such_setting: 1")
    code = "import calibrant.interfaces.http; from prometheus_client import REGISTRY; print(list(REGISTRY.collect()))"
    done = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, check=True)
    assert "calibrant" not in done.stdout
