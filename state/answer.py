"""What synthesize and reflect produce: claims with spans, conflicts, the composed answer, the review."""

from collections.abc import Iterable
from enum import StrEnum
from typing import TypeVar

from pydantic import Field

from calibrant.state.base import Value
from calibrant.state.confidence import Confidence
from calibrant.state.evidence import Citation
from calibrant.state.retrieval import Refinement
from calibrant.state.task import Criterion


class Verdict(StrEnum):
    """What the quoted span says about a claim."""

    SUPPORTED = "supported"
    CONTRADICTED = "contradicted"
    QUALIFIED = "qualified"
    UNVERIFIED = "unverified"

    @property
    def stands(self) -> bool:
        """Whether a claim with this verdict may be stated."""
        return self in (Verdict.SUPPORTED, Verdict.QUALIFIED)


Q = TypeVar("Q", "Span", Citation)


class Span(Value):
    """The quoted words of a passage: offsets are into the passage's text."""

    evidence_id: str
    quote: str
    start: int = 0
    end: int = 0

    def within(self, quotes: Iterable[Q]) -> Q | None:
        """The longest of ``quotes`` that has these words."""
        having = (one for one in quotes if one.evidence_id == self.evidence_id and self.quote in one.quote)
        return max(having, key=lambda one: len(one.quote), default=None)


class Claim(Value):
    """One statement of the answer with what supports it."""

    id: str
    text: str
    spans: tuple[Span, ...] = ()
    confidence: float = Field(default=0.0, ge=0.0, le=1.0)
    verdict: Verdict = Verdict.UNVERIFIED
    reason: str = ""
    """Why this verdict, in a few words."""
    question_id: str = ""
    """The step whose question it answers."""
    addresses: float = Field(default=0.0, ge=0.0, le=1.0)
    """How well it answers that question, 0..1."""
    checked: bool = False
    """Whether a model has found it in its passages already, when the step was answered: its verdict stands."""
    disputed: bool = False
    """Whether the model that answered says that another claim cannot be true beside it."""
    holds: str = ""
    """What of it a model found its passages to state, where that is less."""
    is_code: bool = False
    """Whether it is code that a model told as such, be it in one line."""

    @property
    def evidence_ids(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(span.evidence_id for span in self.spans))


def marks_of(claims: Iterable[Claim], citations: Iterable[Citation]) -> str:
    """``[1][3]``: the citations that quote these claims."""
    cited = tuple(citations)
    found = (span.within(cited) for claim in claims for span in claim.spans)
    return "".join(f"[{number}]" for number in sorted({one.number for one in found if one is not None}))


class ConflictKind(StrEnum):
    """How two claims disagree (spec 3)."""

    CONTRADICTION = "contradiction"
    INCONSISTENCY = "inconsistency"
    AMBIGUITY = "ambiguity"


class Conflict(Value):
    """Two statements that do not go together. ``preferred`` is the id of the one that the answer follows."""

    id: str
    kind: ConflictKind
    severity: float = Field(ge=0.0, le=1.0)
    first: Claim
    second: Claim
    preferred: str = ""
    explanation: str = ""

    @property
    def ids(self) -> frozenset[str]:
        """Of both claims."""
        return frozenset((self.first.id, self.second.id))

    @property
    def sides(self) -> tuple[Claim, Claim]:
        """Both claims, the preferred one first."""
        return (self.second, self.first) if self.preferred == self.second.id else (self.first, self.second)

    def concerns(self, claim: Claim) -> bool:
        """Whether ``claim`` is one of its sides, or restates one (it quotes the same words)."""
        return any(claim.id == side.id or set(claim.spans) & set(side.spans) for side in self.sides)


class Line(Value):
    """One sentence (or heading, without claims) of the answer, and the claims that it states."""

    text: str
    claim_ids: tuple[str, ...] = ()
    behind: tuple[str, ...] = ()
    """The claims that a model's sentence restates: it gives way to them if the review does not bear it out."""


class Synthesis(Value):
    """The composed answer, line by line; citations are rendered later, by code."""

    lines: tuple[Line, ...] = ()
    claims: tuple[Claim, ...] = ()
    behind: tuple[Claim, ...] = ()
    """The claims that lines restate (``Line.behind``) and none states itself."""
    conflicts: tuple[Conflict, ...] = ()
    confidence: Confidence = Confidence()
    excluded: tuple[str, ...] = ()
    """Step ids left out for low confidence."""
    missing: tuple[str, ...] = ()
    """Questions that have no answer."""
    warnings: tuple[str, ...] = ()
    tier: str = "free"
    declined: bool = False
    """Whether a model that was to word the claims found that none answers the request: they are told as they are."""

    @property
    def text(self) -> str:
        """The lines without citations."""
        return " ".join(line.text for line in self.lines)


class Rejection(Value):
    """Why passages were rejected: a label derived from the task's own must-haves and must-nots."""

    reason: str
    count: int
    examples: tuple[str, ...] = ()


class QualityReport(Value):
    """How much of what was fetched was of use (spec 4). ``score`` is None where the task sets no conditions."""

    fetched: int = 0
    verified: int = 0
    rejected: int = 0
    breakdown: tuple[Rejection, ...] = ()
    score: float | None = Field(default=None, ge=0.0, le=1.0)
    threshold: float = 0.3
    refinement: Refinement | None = None

    @property
    def meets_threshold(self) -> bool:
        return self.score is None or self.score >= self.threshold


class Review(Value):
    """Reflect's findings."""

    claims: tuple[Claim, ...] = ()
    criteria: tuple[Criterion, ...] = ()
    """The success criteria, each with how many were found."""
    quality: QualityReport = QualityReport()
    earlier: tuple[QualityReport, ...] = ()
    """The reports of this run that led to a refinement, oldest first."""
    supported_share: float = Field(default=0.0, ge=0.0, le=1.0)
    """Over the parts of the task: the best supported and fitting claim of each, averaged."""
    tier: str = "free"
