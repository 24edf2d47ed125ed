"""What ``calibrant trace`` shows of a synthesis: results with their factors, claims with their verdicts, conflicts."""

from calibrant.state.answer import Claim, Review, Span, Synthesis, Verdict
from calibrant.state.channels import View
from calibrant.state.confidence import Confidence, Factor
from calibrant.state.errors import Failure, FailureKind
from calibrant.state.evidence import Citation
from calibrant.state.task import StepStatus, SubResult
from tests.cli import scripted
from tests.cli.test_views import trace_of


def result(identity: str, score: float, factor: str) -> SubResult:
    """An answered step."""
    factors = (Factor(name=factor, score=score, weight=0.25, reason=f"why {factor}"),)
    confidence = Confidence(raw=score, score=score, factors=factors)
    return SubResult(id=identity, question=f"Question {identity}?", status=StepStatus.ANSWERED, confidence=confidence)


STRONG, WEAK = result("s1", 0.82, "grounding"), result("s2", 0.21, "hedging")
LOST = SubResult(
    id="s3",
    question="Question s3?",
    status=StepStatus.FAILED,
    failure=Failure(kind=FailureKind.TIMEOUT, where="web", message="no answer in 5 s"),
)
CLAIM = Claim(
    id="c1",
    text="It is retried five times.",
    spans=(Span(evidence_id="e", quote="five times"),),
    confidence=0.8,
    verdict=Verdict.SUPPORTED,
    reason="quoted word for word",
)
BEATEN = CLAIM.replace(
    id="c2", text="It is never retried.", verdict=Verdict.CONTRADICTED, reason="its source denies it"
)
SEEN = View(
    results=(STRONG, WEAK, LOST),
    synthesis=Synthesis(
        claims=(CLAIM.replace(verdict=Verdict.UNVERIFIED), BEATEN),
        confidence=Confidence(raw=0.82, score=0.82, factors=(Factor(name="s1", score=0.82, weight=20.0),)),
        excluded=("s2",),
    ),
    review=Review(claims=(CLAIM, BEATEN)),
    citations=(Citation(number=1, evidence_id="e", title="T", source="knowledge", url="", quote="five times"),),
    conflicts=(scripted.CONFLICT,),
)


def test_each_result_stands_with_what_its_score_is_made_of() -> None:
    text = trace_of(SEEN)
    assert "0.82 medium  together" in text
    assert "0.82  Question s1?\n      0.82 grounding x 0.25 why grounding" in text
    assert "0.21  Question s2?  left out: too little confidence\n      0.21 hedging x 0.25 why hedging" in text
    assert "failed  Question s3?  no answer in 5 s" in text


def test_each_claim_has_its_verdict_and_its_citation() -> None:
    text = trace_of(SEEN)
    assert "✓ supported 0.80  “It is retried five times.” [1]  quoted word for word" in text
    assert "✗ contradicted 0.80  “It is never retried.” [1]  its source denies it" in text
    assert "contradiction (0.70) the first is the reference" in text


def test_before_there_is_a_synthesis_there_is_nothing_of_it() -> None:
    text = trace_of(View())
    assert not any(title in text for title in ("Results", "Claims", "Conflicts"))
