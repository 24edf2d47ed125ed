"""The records of finished runs as Prometheus metrics, in a registry of their own.

    Metrics(RunLog(machine.data_dir)).exposition()

Every exposition first counts the records that were added since the last, by whatever process: the numbers are those of
the data directory, and do not begin again when a server does. No label holds a user's words.
"""

from collections.abc import Iterator
from threading import Lock

from prometheus_client import CollectorRegistry, Counter, Histogram, Metric, generate_latest
from prometheus_client.registry import Collector

from calibrant.graph.runs import RunLog
from calibrant.state.depth import CHUNKS
from calibrant.state.record import RetrievalRecord, RunRecord, SynthesisRecord

SHARES = tuple(round(0.1 * step, 1) for step in range(11))
"""Spec 3's buckets for a confidence: linear, 0.0 to 1.0 by tenths."""

COUNTS = tuple(float(count) for count in range(10))
"""Its buckets for conflicts and for results left out: 0 to 9."""

ROUNDS = (1.0, 2.0, 3.0, 4.0, 5.0)
SECONDS = (0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0, 60.0, 120.0)


class _Undated(Collector):
    """A registry without the series that say when counting began: the client takes that for the start of the process,
    but these counts are older."""

    def __init__(self, registry: CollectorRegistry) -> None:
        self.registry = registry

    def collect(self) -> Iterator[Metric]:
        for family in self.registry.collect():
            family.samples = [sample for sample in family.samples if not sample.name.endswith("_created")]
            yield family


class Metrics:
    """The metrics of one data directory. May be asked by several threads at a time."""

    def __init__(self, log: RunLog) -> None:
        self.log = log
        self.registry = CollectorRegistry()
        self._counted = 0
        self._lock = Lock()

        # Spec 3's three.
        self._synthesis_confidence = self._histogram(
            "synthesis_confidence", "Confidence of a synthesis, before its review", SHARES
        )
        self._conflicts = self._histogram("synthesis_conflicts", "Conflicts in a synthesis", COUNTS)
        self._filtered = self._histogram(
            "synthesis_filtered_results", "Results that a synthesis left out for low confidence", COUNTS
        )

        self._quality = self._histogram(
            "quality_score", "Share of passages that met the conditions of a question that sets some", SHARES
        )
        self._refinements = self._counter("refinements", "Searches made again because too few passages met conditions")

        self._runs = self._counter("runs", "Finished runs", "graph", "stop_reason")
        self._confidence = self._histogram(
            "run_confidence", "Confidence of a run's answer; of a retrieval alone, its sufficiency", SHARES
        )
        self._seconds = self._histogram("run_seconds", "Working time of a run, without people's", SECONDS)
        self._depth = self._histogram("retrieval_depth", "Depth that a retrieval used", tuple(map(float, CHUNKS)))
        self._rounds = self._histogram("retrieval_rounds", "Rounds of a retrieval", ROUNDS)
        self._retrievals = self._counter("retrievals", "Retrievals, by why they ended", "stop_reason")
        self._sources = self._counter("source_reports", "How a source fared in a retrieval", "source", "state")

        self._searches = self._counter("searches", "Queries sent to a source")
        self._model_calls = self._counter("model_calls", "Calls of the language model")
        self._tokens = self._counter("tokens", "Tokens of the language model", "direction")
        self._dollars = self._counter("dollars", "Cost of the language model, in dollars")
        self._questions = self._counter("questions", "Questions put to a person")

    def exposition(self) -> bytes:
        """Prometheus's text format. Blocking; raises ``CalibrantError`` where the records cannot be read."""
        with self._lock:
            if self.log.last_number() < self._counted:  # the file was moved away, and a new one numbers from 1 again
                self._counted = 0
            for number, record in self.log.added_after(self._counted):
                self._count(record)
                self._counted = number
            return generate_latest(_Undated(self.registry))

    def _count(self, record: RunRecord) -> None:
        self._runs.labels(record.graph, record.stop_reason).inc()
        if record.confidence is not None:
            self._confidence.observe(record.confidence)
        self._seconds.observe(record.seconds)
        if record.synthesis is not None:
            self._count_synthesis(record.synthesis)
        if record.quality is not None and record.quality.fetched:
            self._quality.observe(record.quality.verified / record.quality.fetched)
        self._refinements.inc(record.spend.refinements)
        for retrieval in record.retrievals:
            self._count_retrieval(retrieval)
        for source in record.sources:
            self._sources.labels(source.source, source.state).inc()
        self._searches.inc(record.spend.searches)
        self._model_calls.inc(record.spend.model_calls)
        self._tokens.labels("in").inc(record.spend.tokens_in)
        self._tokens.labels("out").inc(record.spend.tokens_out)
        self._dollars.inc(record.spend.dollars)
        self._questions.inc(record.spend.questions)

    def _count_synthesis(self, synthesis: SynthesisRecord) -> None:
        self._synthesis_confidence.observe(synthesis.confidence)
        self._conflicts.observe(synthesis.conflicts)
        self._filtered.observe(synthesis.filtered)

    def _count_retrieval(self, retrieval: RetrievalRecord) -> None:
        self._retrievals.labels(retrieval.stop_reason).inc()
        self._depth.observe(retrieval.depth)
        self._rounds.observe(retrieval.rounds)

    def _histogram(self, name: str, meaning: str, buckets: tuple[float, ...]) -> Histogram:
        return Histogram(f"calibrant_{name}", f"{meaning}.", buckets=buckets, registry=self.registry)

    def _counter(self, name: str, meaning: str, *labels: str) -> Counter:
        return Counter(f"calibrant_{name}", f"{meaning}.", labels, registry=self.registry)
