"""What a run tells while it runs: the events of LangGraph's custom stream.

The live view, the HTTP stream, the log and the metrics all read these. An event is a JSON object with ``event`` as
its kind; ``EVENT.validate_python`` reads one back.
"""

from collections import Counter
from typing import Annotated, Literal, Self

from pydantic import Field, TypeAdapter

from calibrant.state.answer import ConflictKind, QualityReport, Review, Synthesis, Verdict
from calibrant.state.base import Value
from calibrant.state.budget import Spend
from calibrant.state.confidence import Factor
from calibrant.state.decision import Decision
from calibrant.state.guidance import Guidance
from calibrant.state.retrieval import Round, SourceReport
from calibrant.state.task import Branch, Criterion, Phase, QueryType, StepStatus, SubResult, Task


class RunStarted(Value):
    """``intake`` opened a run."""

    event: Literal["run"] = "run"
    run_id: str
    turn: int
    question: str


class PhaseStarted(Value):
    """A phase begins, or goes on after a retrieval or an answer (``attempt`` > 1)."""

    event: Literal["phase"] = "phase"
    phase: Phase
    attempt: int = 1


class Understood(Value):
    """``perceive`` has read the request."""

    event: Literal["understood"] = "understood"
    query_type: QueryType
    questions: tuple[str, ...] = ()
    required: float = 0.0
    plan: str = ""
    assumptions: tuple[str, ...] = ()
    risks: tuple[str, ...] = ()
    criteria: tuple[Criterion, ...] = ()

    @classmethod
    def of(cls, task: Task) -> Self:
        """What is told of ``task``; how far its criteria are met is the review's to say."""
        return cls(
            query_type=task.query_type,
            questions=tuple(part.text for part in task.questions),
            required=task.required_sufficiency,
            plan=task.plan,
            assumptions=task.assumptions,
            risks=task.risks,
            criteria=tuple(one.replace(met=None) for one in task.criteria),
        )


class Decided(Value):
    """A judgement and where it leads: one line of the trace. ``used`` is the largest used share of the budget."""

    event: Literal["decision"] = "decision"
    decision: Decision
    spend: Spend = Spend()
    used: float = 0.0


class PersonAnswered(Value):
    """A person has answered what a decision asked (``guidance.request_id`` is that decision's id)."""

    event: Literal["guidance"] = "guidance"
    guidance: Guidance


class BranchScored(Value):
    """``branch`` has scored a strategy."""

    event: Literal["branch"] = "branch"
    branch_id: str
    name: str
    score: float


class Planned(Value):
    """``select`` has chosen a strategy: its reflection record (spec 4), without the arguments of calls."""

    event: Literal["plan"] = "plan"
    branch_id: str
    name: str
    steps: tuple[str, ...] = ()
    rationale: str = ""
    tool_rationale: str = ""
    dependencies: str = ""
    risks: tuple[str, ...] = ()
    anticipated_issues: tuple[str, ...] = ()

    @classmethod
    def of(cls, branch: Branch) -> Self:
        """What is told of ``branch``."""
        return cls(
            branch_id=branch.id,
            name=branch.name,
            steps=tuple(step.question for step in branch.steps),
            rationale=branch.rationale,
            tool_rationale=branch.tool_rationale,
            dependencies=branch.dependencies,
            risks=branch.risks,
            anticipated_issues=branch.anticipated_issues,
        )


class RetrievalStarted(Value):
    """``retrieve`` begins a round."""

    event: Literal["searching"] = "searching"
    phase: Phase
    depth: int
    round: int
    queries: tuple[str, ...] = ()
    sources: tuple[str, ...] = ()


class Searched(Value):
    """One source has answered or failed."""

    event: Literal["source"] = "source"
    report: SourceReport
    query: str = ""
    depth: int = 1


class RoundJudged(Value):
    """A round of a retrieval was judged."""

    event: Literal["round"] = "round"
    phase: Phase
    round: Round


class StepDone(Value):
    """A step of the plan has ended."""

    event: Literal["step"] = "step"
    step_id: str
    question: str
    parts: tuple[str, ...] = ()
    """The parts of the question, where one step answers several at once."""
    status: StepStatus
    score: float = 0.0
    factors: tuple[Factor, ...] = ()
    """What the score is made of."""

    @classmethod
    def of(cls, result: SubResult, parts: tuple[str, ...] = ()) -> Self:
        """What is told of ``result``, of a step with these ``parts``."""
        confidence = result.confidence
        return cls(
            step_id=result.id,
            question=result.question,
            parts=parts,
            status=result.status,
            score=confidence.score,
            factors=confidence.factors,
        )


class Disagreement(Value):
    """A conflict without what its sides say."""

    kind: ConflictKind
    severity: float


class Synthesized(Value):
    """``synthesize`` has put the results together."""

    event: Literal["synthesis"] = "synthesis"
    confidence: float
    """The length-weighted mean over the results that were used."""
    results: tuple[str, ...] = ()
    """The steps whose results were used, and those left out for low confidence."""
    left_out: tuple[str, ...] = ()
    claims: int = 0
    conflicts: tuple[Disagreement, ...] = ()
    missing: tuple[str, ...] = ()
    tier: str = "free"

    @classmethod
    def of(cls, synthesis: Synthesis) -> Self:
        """What is told of ``synthesis``."""
        return cls(
            confidence=synthesis.confidence.score,
            results=tuple(factor.name for factor in synthesis.confidence.factors),
            left_out=synthesis.excluded,
            claims=len(synthesis.claims),
            conflicts=tuple(Disagreement(kind=one.kind, severity=one.severity) for one in synthesis.conflicts),
            missing=synthesis.missing,
            tier=synthesis.tier,
        )


class Reviewed(Value):
    """``reflect`` has reviewed the answer. The decision that follows says what happens next."""

    event: Literal["review"] = "review"
    quality: QualityReport
    verdicts: dict[Verdict, int] | None = None
    """Claims by verdict. This and what follows is None of a review that a thread no longer holds."""
    criteria: tuple[Criterion, ...] | None = None
    supported_share: float | None = None
    tier: str | None = None

    @classmethod
    def of(cls, review: Review) -> Self:
        """What is told of ``review``."""
        return cls(
            quality=review.quality,
            verdicts=dict(Counter(claim.verdict for claim in review.claims)),
            criteria=review.criteria,
            supported_share=review.supported_share,
            tier=review.tier,
        )


class Finished(Value):
    """``respond`` has written the answer. ``confidence`` is None where nothing was asked of the sources."""

    event: Literal["finished"] = "finished"
    stop_reason: str
    confidence: float | None
    spend: Spend = Spend()


Event = Annotated[
    RunStarted
    | PhaseStarted
    | Understood
    | Decided
    | PersonAnswered
    | BranchScored
    | Planned
    | RetrievalStarted
    | Searched
    | RoundJudged
    | StepDone
    | Synthesized
    | Reviewed
    | Finished,
    Field(discriminator="event"),
]
EVENT: TypeAdapter[Event] = TypeAdapter(Event)
