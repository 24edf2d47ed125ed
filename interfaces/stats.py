"""What past runs took, counted from their records (spec 2's dashboard). Pure."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from calibrant.state.record import RunRecord

CONFIDENT = 0.8
"""Spec 2 counts the runs whose confidence is above this."""

MOST_ITERATED = 5


@dataclass(frozen=True)
class Iterated:
    """A question that took more than one round."""

    question: str
    rounds: int
    """Over all its retrievals; the most that a run of it took."""
    depth: int


@dataclass(frozen=True)
class Stats:
    """Counts, and shares in 0..1 of them; None where there is nothing to take a share of. A retrieval alone
    (``retrieve_information``) is a run too; its confidence is the sufficiency that it reached. One that was asked
    nothing ("hello") has none, and counts in no share."""

    runs: int = 0
    searched: int = 0
    """Runs that searched at all: the others answered from memory, were asked nothing, or could not search."""
    retrievals: int = 0
    mean_depth: float | None = None
    """Over the retrievals."""
    depths: Mapping[int, int] = field(default_factory=dict)
    """Retrievals by the depth that they used."""
    saving: float | None = None
    """Passages not kept, as a share of what would have been kept if every retrieval had gone to depth 3. An estimate
    from above: a retrieval that stopped earlier is compared with depth 3's 40 passages, or with all that its sources
    hold. One that went to depth 3, or found nothing, saved nothing."""
    mean_confidence: float | None = None
    confident: float | None = None
    """Share of runs with a confidence above 0.8."""
    judged: int = 0
    """Runs that the user has called good or bad (``calibrant feedback``)."""
    good: float | None = None
    """Share of good ones among them."""
    several_rounds: float | None = None
    """Share of runs with more than one round, over all their retrievals."""
    mean_seconds: float | None = None
    """Working time of a run."""
    conflicts: int = 0
    filtered: int = 0
    """Results that syntheses left out for low confidence."""
    conditioned: int = 0
    """Runs whose question sets conditions on what counts."""
    verified: float | None = None
    """Share of the passages that met them, over those runs."""
    refinements: int = 0
    """Searches made again because too few did."""
    questions: int = 0
    """Put to a person."""
    model_calls: int = 0
    tokens: int = 0
    dollars: float = 0.0
    ended: Mapping[str, int] = field(default_factory=dict)
    """Runs by stop reason, most frequent first."""
    sources: Mapping[str, Mapping[str, int]] = field(default_factory=dict)
    """For each source: in how many retrievals it was ok, empty, failed, limited or skipped."""
    most_iterated: tuple[Iterated, ...] = ()


def stats_of(records: Sequence[RunRecord]) -> Stats:
    """The statistics of ``records``."""
    retrievals = [retrieval for record in records for retrieval in record.retrievals]
    asked = [(record.confidence, record) for record in records if record.confidence is not None]
    syntheses = [record.synthesis for record in records if record.synthesis]
    verdicts = [record.verdict for record in records if record.verdict]
    reports = [record.quality for record in records if record.quality]
    fetched = sum(report.fetched for report in reports)
    kept = sum(retrieval.chunks for retrieval in retrievals)
    if_deep = sum(retrieval.chunks_if_deep for retrieval in retrievals)
    return Stats(
        runs=len(records),
        searched=sum(bool(record.retrievals) for record in records),
        retrievals=len(retrievals),
        mean_depth=_mean([retrieval.depth for retrieval in retrievals]),
        depths=dict(sorted(Counter(retrieval.depth for retrieval in retrievals).items())),
        saving=1.0 - kept / if_deep if if_deep else None,
        mean_confidence=_mean([score for score, _ in asked]),
        confident=_mean([score > CONFIDENT for score, _ in asked]),
        judged=len(verdicts),
        good=_mean([verdict == "good" for verdict in verdicts]),
        several_rounds=_mean([record.rounds > 1 for _, record in asked]),
        mean_seconds=_mean([record.seconds for _, record in asked]),
        conflicts=sum(synthesis.conflicts for synthesis in syntheses),
        filtered=sum(synthesis.filtered for synthesis in syntheses),
        conditioned=len(reports),
        verified=sum(report.verified for report in reports) / fetched if fetched else None,
        refinements=sum(record.spend.refinements for record in records),
        questions=sum(record.spend.questions for record in records),
        model_calls=sum(record.spend.model_calls for record in records),
        tokens=sum(record.spend.tokens for record in records),
        dollars=sum(record.spend.dollars for record in records),
        ended=dict(Counter(record.stop_reason for record in records).most_common()),
        sources=_sources(records),
        most_iterated=_most_iterated(records),
    )


def _mean(values: Sequence[float]) -> float | None:
    return sum(values) / len(values) if values else None


def _sources(records: Sequence[RunRecord]) -> Mapping[str, Mapping[str, int]]:
    """The sources in the order of their names."""
    reports = Counter((source.source, source.state) for record in records for source in record.sources)
    found: dict[str, dict[str, int]] = {}
    for (source, state), count in sorted(reports.items()):
        found.setdefault(source, {})[state] = count
    return found


def _most_iterated(records: Sequence[RunRecord]) -> tuple[Iterated, ...]:
    """The questions with the most rounds, then the deepest, then the latest. A question that was asked several times
    stands once, with the run of it that took most."""
    hardest: dict[str, RunRecord] = {}
    for record in sorted(records, key=lambda one: (-one.rounds, -one.depth, -one.ended_at)):
        if record.rounds > 1 and record.question:  # without one its thread was removed
            hardest.setdefault(record.question.casefold(), record)
    first = list(hardest.values())[:MOST_ITERATED]
    return tuple(Iterated(record.question, record.rounds, record.depth) for record in first)
