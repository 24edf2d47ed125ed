"""A retrieval: what is asked of it, what it gives, and the log of how it decided."""

from collections.abc import Iterable
from enum import StrEnum

from pydantic import Field

from calibrant.state.base import Value, unique
from calibrant.state.budget import Allowance, RetrievalLimits, Spend, StopReason
from calibrant.state.confidence import Confidence, score_text
from calibrant.state.errors import Failure
from calibrant.state.evidence import Evidence, Filters, SourceState
from calibrant.state.task import REQUIRED_SUFFICIENCY, Phase, Power, QueryType


class Refinement(Value):
    """How the next retrieval differs from the last (spec 4): what to add, what to avoid, where to look."""

    reason: str
    positive: tuple[str, ...] = ()
    negative: tuple[str, ...] = ()
    sources: tuple[str, ...] = ()
    domains: tuple[str, ...] = ()
    level: int = 1
    """1 keywords, 2 kind of source, 3 domains."""


class RetrievalRequest(Value):
    """What a phase asks for. ``held`` are passages that it already has: they count towards sufficiency."""

    id: str
    query: str
    context: str = ""
    phase: Phase = Phase.PERCEIVE
    questions: tuple[str, ...] = ()
    """The parts that must be covered; empty means the query itself."""
    queries: tuple[str, ...] = ()
    """Queries to start with, best first; empty means that the subgraph plans them."""
    background: tuple[str, ...] = ()
    """How such a task is gone about: sent where a round has room for more than what is asked and missing."""
    pasted: str = ""
    """The telling words of what was pasted with the request: sent beside what is asked, once."""
    sources: tuple[str, ...] = ()
    max_results: int = Field(default=10, ge=1, le=100)
    query_type: QueryType = QueryType.FACTUAL
    time_sensitive: bool = False
    power: Power = Power.AUTO
    start_depth: int = Field(default=1, ge=1, le=3)
    filters: Filters = Filters()
    refinement: Refinement | None = None
    held: tuple[Evidence, ...] = ()
    known: tuple[str, ...] = ()
    """Ids of all passages that the run holds: sources need not return them again."""
    read: tuple[str, ...] = ()
    """Those of them that a model has read: the others may be found again, by what it ``named``, and count as that."""
    tried: tuple[str, ...] = ()
    """Queries already sent in this run."""
    named: tuple[str, ...] = ()
    """What a model that has read what is held named as missing: what a query for that finds is wanted as much as what
    the question finds."""
    answered_next: bool = False
    """Whether its only question is answered next, from the passages alone."""
    urged: bool = False
    """A person has said to go on although no source could answer: those that are left alone are tried again."""
    limits: RetrievalLimits = RetrievalLimits()
    allowance: Allowance = Allowance()
    began: float = 0.0
    """Seconds that the same ledger had booked before the retrieval: to understand the query is no part of it."""

    @property
    def required_sufficiency(self) -> float:
        """What the query type requires (spec 2)."""
        return REQUIRED_SUFFICIENCY[self.query_type]


PAGES = "pages"
"""The name under which full pages are reported, beside the sources."""


class SourceReport(Value):
    """How one source fared, over all rounds of a retrieval."""

    source: str
    state: SourceState
    count: int = 0
    seconds: float = 0.0
    cached: bool = False
    failure: Failure | None = None
    left_alone: bool = False
    """Its circuit breaker was open at some point: it was not asked."""
    partial: bool = False
    """A part of it could not answer, such as one knowledge base of several, or one query of several."""
    further: bool = False
    """Passages were held already, and only what is new is counted."""


def did_not_answer(report: SourceReport) -> bool:
    """Whether a source could not answer: it failed, was limited, or was left alone for failing before. Pages are no
    source: the search that led to them has answered."""
    if report.source == PAGES:
        return False
    if report.state in (SourceState.FAILED, SourceState.LIMITED):
        return True
    return report.state is SourceState.SKIPPED and report.failure is not None


def is_bare(report: SourceReport) -> bool:
    """Whether there is nothing in a source yet that could be searched: it was not asked, and did not fail."""
    return report.state is SourceState.SKIPPED and report.failure is None


def failed_sources(reports: Iterable[SourceReport]) -> tuple[str, ...]:
    """Sources that could not answer: they are named, and never count as "nothing found"."""
    return unique(report.source for report in reports if did_not_answer(report))


def is_silent(reports: Iterable[SourceReport]) -> bool:
    """Whether no source at all could answer: then nothing is known of what there is to find."""
    asked = [report for report in reports if report.source != PAGES and not is_bare(report)]
    return bool(asked) and all(map(did_not_answer, asked))


class DepthDecision(StrEnum):
    """What a round decided."""

    SUFFICIENT = "sufficient"
    DEEPER = "deeper"
    REFINED = "refined"
    STOP = "stop"


class Round(Value):
    """One line of the retrieval log (spec 2, ``iterations``)."""

    number: int
    depth: int
    queries: tuple[str, ...]
    chunks: int
    """Passages held after the round, cumulative."""
    new: int
    confidence: float
    threshold: float
    decision: DepthDecision
    reason: str = ""
    searches: int = 0
    """Searches sent in this round."""
    pages: int = 0
    """Full pages asked for in this round."""
    tokens: int = 0
    """Tokens of the passages held after the round, estimated."""
    dollars: float = 0.0
    seconds: float = 0.0
    """Since the retrieval began."""


class Sufficiency(Value):
    """Whether the evidence held can answer: the confidence, the score per part, what is missing."""

    confidence: Confidence = Confidence()
    parts: tuple[float, ...] = ()
    """Coverage of each question part, 0..1, by its best passage."""
    by_others: tuple[float, ...] = ()
    """The same by the word of others alone than the model that has answered a part; empty where that is ``parts``."""
    missing: tuple[str, ...] = ()
    """Words or parts that no passage covers, most important first."""
    stated_in: tuple[str, ...] = ()
    """Ids of the passages that answer a part, as a model has said and for one at least has shown by its words."""
    shown: bool = False
    """Whether it has shown them for every part."""
    by_words: bool = False
    """Whether it goes by words alone, which know no other words for the same."""
    tier: str = "free"

    @property
    def score(self) -> float:
        return self.confidence.score

    @property
    def witnessed(self) -> tuple[float, ...]:
        """The parts as those have them that do not answer them: no answer is a witness of itself."""
        return self.by_others or self.parts

    @property
    def named(self) -> tuple[str, ...]:
        """What a model that has read the passages names as missing: words to search for, such as the documents use.
        What words alone miss is no more than the question says itself."""
        return self.missing if self.tier == "model" else ()


class CodeExample(Value):
    """A code example with where it came from."""

    description: str
    code: str
    language: str = ""
    evidence_id: str = ""


class Insight(Value):
    """One distilled sentence and the passage it stands in."""

    text: str
    evidence_id: str = ""


class Distillate(Value):
    """What new evidence says to the phase that asked (spec 1, ``Synthesis``)."""

    key_insights: tuple[Insight, ...] = ()
    best_practices: tuple[Insight, ...] = ()
    common_mistakes: tuple[Insight, ...] = ()
    code_examples: tuple[CodeExample, ...] = ()
    patterns: tuple[Insight, ...] = ()


class RetrievalResult(Value):
    """The outcome of one retrieval, without the passages (those stand in the evidence, once)."""

    id: str
    query: str
    phase: Phase = Phase.PERCEIVE
    evidence_ids: tuple[str, ...] = ()
    """All passages kept, best first."""
    new_ids: tuple[str, ...] = ()
    queries: tuple[str, ...] = ()
    depth_used: int = 1
    power: Power = Power.AUTO
    rounds: tuple[Round, ...] = ()
    sources: tuple[SourceReport, ...] = ()
    sufficiency: Sufficiency = Sufficiency()
    confidence_before: float = 0.0
    distillate: Distillate = Distillate()
    spend: Spend = Spend()
    stop_reason: StopReason = StopReason.SUFFICIENT
    suggestion: str = ""
    """What would find more, when the result falls short (forced power, a missing source)."""

    @property
    def new_confidence(self) -> float:
        return self.sufficiency.score

    @property
    def confidence_boost(self) -> float:
        """Sufficiency after minus before; may be negative."""
        return self.sufficiency.score - self.confidence_before

    @property
    def shortfall(self) -> str:
        """That what is held does not suffice, and what would help (spec 2, scenarios 2 and 3); empty where it does."""
        last = self.rounds[-1] if self.rounds else None
        if last is None or last.decision is DepthDecision.SUFFICIENT:
            return ""
        where = f"depth {last.depth} of 3" if self.power is Power.AUTO else f"the forced depth {last.depth}"
        below = f"Sufficiency {score_text(self.new_confidence)} is below the {last.threshold:.2f}"
        return f"{below} that such a question needs, at {where}. {self.suggestion}".rstrip()
