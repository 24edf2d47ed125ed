"""Sufficiency without a model: can this evidence answer these questions? (Spec 2's factors, made honest.)

    coverage      mean over the questions of their best passage's score; failed sources take a little of it
    recency       1 / (1 + days / 30) of the newest passage that answers; unscored unless time matters
    diversity     documents that answer / 3, at most 1; unscored for a factual question
    completeness  share of the aspects of the questions that are covered, from 0 at a score of 0.3 to 1 at 0.9

Only passages that answer count anywhere, and only by the best of them, so that an irrelevant passage raises nothing.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from calibrant.judges.cascade import Judged
from calibrant.judges.free.evidence.age import moment_of
from calibrant.judges.free.evidence.query import prepare
from calibrant.judges.free.evidence.question_form import aspects
from calibrant.judges.free.evidence.relevance import Relevance, ScoredPassage
from calibrant.judges.free.evidence.unmentioned import held_by, lacking
from calibrant.judges.given import ToSuffice
from calibrant.state.base import unique
from calibrant.state.confidence import Factor, confidence_of
from calibrant.state.evidence import Evidence
from calibrant.state.protocols import TokenEncoder
from calibrant.state.retrieval import Sufficiency
from calibrant.state.task import QueryType

ANSWERS = 0.5
"""A passage at or above this score counts as one that answers."""
BY_WORDS = 1.5
"""How much farther the doubt about a score reaches that words alone have given."""
NOISE = 0.2
"""Below this score a passage counts for less and less: chance matches are no coverage, but keep their order."""
PER_FAILED_SOURCE = 0.03
IDEAL_DOCUMENTS = 3
MONTH = 30.0
Wording = Callable[[str, Sequence[Evidence]], str]
"""A question in the words in which passages are scored for it."""
_NONE, _FULL = 0.3, 0.9


@dataclass(frozen=True)
class _Part:
    """A question, or an aspect of one, with its passages scored."""

    question: str
    asked: str
    """As its passages were scored for it."""
    passages: tuple[ScoredPassage, ...]

    @property
    def best(self) -> ScoredPassage | None:
        return max(self.passages, key=lambda passage: passage.score, default=None)

    @property
    def score(self) -> float:
        score = self.best.score if self.best else 0.0
        return score * min(1.0, score / NOISE)

    @property
    def answering(self) -> list[ScoredPassage]:
        return [passage for passage in self.passages if passage.score >= ANSWERS]


class SufficiencyJudge:
    """The LLM-free tier of the sufficiency judgement. With an encoder it is far better on hard questions."""

    def __init__(self, encoder: TokenEncoder | None = None, as_scored: Wording = lambda question, _: question) -> None:
        self._relevance = Relevance(encoder)
        self._as_scored = as_scored

    def free(self, given: ToSuffice) -> Judged[Sufficiency]:
        """How well ``given.evidence`` answers each of ``given.questions``."""
        parts = [self._part(question, given) for question in given.questions]
        facets = [facet for part in parts for facet in self._facets(part, given)]
        factors = (
            _coverage(parts, given),
            _recency(parts, given),
            _diversity(parts, given),
            _completeness(facets, given),
        )
        value = Sufficiency(
            confidence=confidence_of(factors),
            parts=tuple(part.score for part in parts),
            missing=missing(facets),
            by_words=not self._relevance.compares,
        )
        return Judged(value, doubt=self._doubt(parts, given), warnings=self._relevance.warnings)

    def rate(self, questions: Sequence[str], evidence: Sequence[Evidence]) -> list[float]:
        """How well each passage answers the question that it answers best, 0..1, one score a passage."""
        scored = [self._relevance.score(question, evidence) for question in questions]
        return [max(passage.score for passage in column) for column in zip(*scored, strict=True)]

    def _part(self, question: str, given: ToSuffice) -> _Part:
        asked = self._as_scored(question, given.evidence)
        return _Part(question, asked, self._relevance.score(asked, given.evidence))

    def _facets(self, part: _Part, given: ToSuffice) -> list[_Part]:
        """The aspects of a question, each scored by itself; the question itself where it has only one."""
        found = aspects(part.question)
        return [part] if len(found) == 1 else [self._part(aspect, given) for aspect in found]

    def _doubt(self, parts: Sequence[_Part], given: ToSuffice) -> float:
        """The doubt about the most doubtful part. Where nothing was found by sources that could answer, a model may
        know other words to search for."""
        if not given.evidence:
            return float(not given.failed_sources)
        reach = 1.0 if self._relevance.compares else BY_WORDS
        return max((doubt_of(part.score, reach) for part in parts if part.passages), default=0.0)


def doubt_of(score: float, reach: float) -> float:
    """Highest half way (in log odds) between a score of 0.5 and one of 0.9, and 0 from ``reach`` times as far away as
    these two lie apart."""
    if score <= 0.0:
        return 0.0
    odds = math.log(score / max(1.0 - score, 1e-9)) / math.log(9.0)
    return max(0.0, 1.0 - abs(odds - 0.5) / reach)


def missing(parts: Sequence[_Part]) -> tuple[str, ...]:
    """What is not covered, worst part first: the words that none of its best passages has, else the part itself."""
    lacking = sorted((part for part in parts if part.score < _FULL), key=lambda part: part.score)
    return unique(word for part in lacking for word in _missing_of(part))


def _missing_of(part: _Part) -> list[str]:
    query = prepare(part.asked)
    best = part.best
    held = frozenset[str]()
    if best and best.score > 0.0:
        held = held_by(best.evidence, query.language)
    words = lacking(query, held)
    return words or ([part.question] if part.score < ANSWERS else [])


def _coverage(parts: Sequence[_Part], given: ToSuffice) -> Factor:
    mean = sum(part.score for part in parts) / len(parts) if parts else 0.0
    failed = min(len(given.failed_sources), 3)
    answered = sum(part.score >= ANSWERS for part in parts)
    reason = f"{answered} of {len(parts)} parts have a passage that answers"
    if failed:
        reason += f"; not reached: {', '.join(given.failed_sources)}"
    score = mean * (1.0 - PER_FAILED_SOURCE * failed)
    return Factor(name="coverage", score=score, weight=given.weights.coverage, reason=reason)


def _recency(parts: Sequence[_Part], given: ToSuffice) -> Factor:
    weight = given.weights.recency
    if not given.time_sensitive or given.now is None:
        return Factor(name="recency", weight=weight, reason="time does not matter to the question")
    each = [_newest(part, given.evidence, given.now) for part in parts]
    mean = sum(each) / len(each) if each else 0.0
    dated = sum(score > 0.0 for score in each)
    reason = f"{dated} of {len(parts)} parts have a dated passage that answers"
    return Factor(name="recency", score=mean, weight=weight, reason=reason)


def _newest(part: _Part, evidence: Sequence[Evidence], now: datetime) -> float:
    """Spec 2's monthly decay. A passage without a date cannot be shown to be recent: 0."""
    dates = (moment_of(passage.evidence, evidence) for passage in part.answering)
    return max((1.0 / (1.0 + _days(date, now) / MONTH) for date in dates if date), default=0.0)


def _days(date: datetime, now: datetime) -> float:
    date, now = (moment if moment.tzinfo else moment.replace(tzinfo=UTC) for moment in (date, now))
    return max(0.0, (now - date).total_seconds() / 86_400)


def _diversity(parts: Sequence[_Part], given: ToSuffice) -> Factor:
    weight = given.weights.diversity
    if given.query_type is QueryType.FACTUAL:
        return Factor(name="diversity", weight=weight, reason="one good source is enough for a fact")
    documents = {passage.evidence.document for part in parts for passage in part.answering}
    score = min(1.0, len(documents) / IDEAL_DOCUMENTS)
    reason = f"{len(documents)} documents answer"
    return Factor(name="diversity", score=score, weight=weight, reason=reason)


def _completeness(facets: Sequence[_Part], given: ToSuffice) -> Factor:
    shares = [max(0.0, min(1.0, (facet.score - _NONE) / (_FULL - _NONE))) for facet in facets]
    mean = sum(shares) / len(shares) if shares else 0.0
    covered = sum(facet.score >= ANSWERS for facet in facets)
    reason = f"{covered} of {len(facets)} aspects covered"
    return Factor(name="completeness", score=mean, weight=given.weights.completeness, reason=reason)
