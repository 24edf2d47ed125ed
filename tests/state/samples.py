"""One value of everything that flows through the graph, with something in every part."""

from datetime import UTC, datetime
from typing import Any

from langchain_core.messages import AIMessage, HumanMessage

from calibrant.state.answer import (
    Claim,
    Conflict,
    ConflictKind,
    Line,
    QualityReport,
    Rejection,
    Review,
    Span,
    Synthesis,
    Verdict,
)
from calibrant.state.budget import Allowance, Spend, StopReason
from calibrant.state.channels import Run
from calibrant.state.confidence import Confidence, Factor, Thresholds
from calibrant.state.decision import Action, Asking, Decision, Rule
from calibrant.state.errors import Failure, FailureKind
from calibrant.state.evidence import Citation, Evidence, Filters, Locator, Quotation, SourceState
from calibrant.state.guidance import ApprovalAction, ApprovalRequest, CallAnswer, Guidance, PendingCall
from calibrant.state.memory import Experience, Pattern, Recollection, Remembered
from calibrant.state.retrieval import (
    CodeExample,
    DepthDecision,
    Distillate,
    Insight,
    Refinement,
    RetrievalRequest,
    RetrievalResult,
    Round,
    SourceReport,
    Sufficiency,
)
from calibrant.state.task import (
    Attribute,
    Branch,
    Criterion,
    Intent,
    Language,
    Phase,
    Power,
    QueryType,
    Question,
    Statement,
    Step,
    StepKind,
    StepStatus,
    SubResult,
    Task,
)
from calibrant.state.uncertainty import Signal, SignalKind

CONFIDENCE = Confidence(
    raw=0.5,
    score=0.6,
    factors=(Factor(name="coverage", score=0.5, weight=0.4, reason="half"), Factor(name="recency", weight=0.2)),
    calibrator="fitted",
)
SPEND = Spend(
    retrievals=1, model_calls=2, sequential_calls=2, tokens_in=9, tokens_out=1, active=((0.0, 1.5), (4.0, 5.0))
)
LOCATOR = Locator(heading="Ports", start=10, end=40, line=3, end_line=4)
FILTERS = Filters(collections=("manual",), paths=("*.md",), kinds=("markdown",), since=datetime(2024, 1, 2, tzinfo=UTC))
PASSAGE = Evidence(
    id="e1",
    text="The port is 5432.",
    title="Manual",
    source="knowledge",
    url="file:///docs/manual.md",
    locator=LOCATOR,
    collection="manual",
    author="A. Writer",
    published=datetime(2024, 1, 2, tzinfo=UTC),
    relevance=0.87654321,
    rank=1,
    query="port",
)
PAGE = Evidence(id="e2", text="It may be changed.", title="Page", source="web", url="https://example.org/p")
FAILURE = Failure(kind=FailureKind.TIMEOUT, where="web", message="no answer in 5 s")
ROUND = Round(
    number=1, depth=1, queries=("port",), chunks=2, new=2, confidence=0.6, threshold=0.9, decision=DepthDecision.DEEPER
)
REPORTS = (
    SourceReport(source="knowledge", state=SourceState.OK, count=2, seconds=0.1),
    SourceReport(source="web", state=SourceState.FAILED, failure=FAILURE),
)
DISTILLATE = Distillate(
    key_insights=(Insight(text="The port is 5432.", evidence_id="e1"),),
    best_practices=(Insight(text="Set it in the file."),),
    common_mistakes=(Insight(text="Forgetting the firewall."),),
    code_examples=(CodeExample(description="Set it", code="port = 1", language="ini", evidence_id="e1"),),
    patterns=(Insight(text="Look in the manual."),),
)
REQUEST = RetrievalRequest(
    id="q1",
    query="Which port?",
    questions=("Which port?",),
    filters=FILTERS,
    refinement=Refinement(reason="too old", positive=("port",), negative=("beta",), level=2),
    held=(PASSAGE,),
)
RESULT = RetrievalResult(
    id="r1",
    query="Which port?",
    phase=Phase.REASON,
    evidence_ids=("e2", "e1", "gone"),
    new_ids=("e1",),
    queries=("port",),
    depth_used=2,
    rounds=(ROUND,),
    sources=REPORTS,
    sufficiency=Sufficiency(confidence=CONFIDENCE, parts=(0.6,), missing=("default",)),
    confidence_before=0.25,
    distillate=DISTILLATE,
    spend=SPEND,
    stop_reason=StopReason.PLATEAU,
    suggestion="Try power 3.",
)
STEP = Step(
    id="s1", kind=StepKind.TOOL, question="Which port?", queries=("port",), tool="read", arguments={"path": "a"}
)
BRANCH = Branch(id="b1", name="manual first", steps=(STEP,), sources=("knowledge",), confidence=CONFIDENCE)
TASK = Task(
    text="Which port does it use?",
    original="which port",
    query_type=QueryType.DECISION,
    language=Language.PORTUGUESE,
    questions=(Question(id="p1", text="Which port?", depends_on=("p0",)),),
    must_have=(Attribute(kind="keyword", value="port"),),
    criteria=(Criterion(id="k1", what="sources", target=2, met=1),),
    filters=FILTERS,
    power=Power.DEEP,
)
CLAIM = Claim(
    id="c1",
    text="The port is 5432.",
    spans=(Span(evidence_id="e1", quote="5432", start=12, end=16),),
    confidence=0.9,
    verdict=Verdict.SUPPORTED,
)
CONFLICT = Conflict(
    id="x1", kind=ConflictKind.CONTRADICTION, severity=0.8, first=CLAIM, second=CLAIM.replace(id="c2"), preferred="c1"
)
DECISION = Decision(
    id="d1",
    phase=Phase.ACT,
    action=Action.ASK,
    rule=Rule.UNCERTAIN,
    reason="uncertainty 5 reaches 5",
    asking=Asking.GUIDANCE,
    confidence=CONFIDENCE,
    before=0.25,
    thresholds=Thresholds(proceed=0.8, retrieve=0.65, abort=0.5),
    uncertainty=5,
    gaps=("no past experience",),
    attempt=2,
    left=Allowance(model_calls=3, seconds=9.5),
)

CHANNELS: dict[str, Any] = {
    "messages": [HumanMessage("Which port?", id="m1"), AIMessage("5432", id="m2")],
    "task": "Which port?",
    "power": "auto",
    "interactive": True,
    "filters": {"kinds": ["markdown"]},
    "run": Run(id="run1", turn=2, question="Which port?", power=Power.DEEP, filters=FILTERS),
    "perceived": TASK,
    "recalled": Recollection(
        experiences=(Remembered(experience=Experience(id="x1", task="Which port?"), similarity=0.9, weight=0.5),),
        patterns=(Remembered(pattern=Pattern(id="p1", name="manual", applies_to="factual"), weight=0.25),),
        evidence=(PASSAGE,),
    ),
    "evidence": (PASSAGE, PAGE),
    "branches": (BRANCH,),
    "selected": BRANCH,
    "results": (
        SubResult(
            id="s1",
            question="Which port?",
            status=StepStatus.ANSWERED,
            statements=(Statement(text="5432.", evidence_ids=("e1",), quote="5432", score=0.9),),
            confidence=CONFIDENCE,
        ),
        SubResult(id="s2", question="And the host?", status=StepStatus.FAILED, failure=FAILURE),
    ),
    "intents": (Intent(id="run1:s2#2", key="run1:s2", step_id="s2", tool="write", arguments={"path": "a"}),),
    "synthesis": Synthesis(
        lines=(Line(text="The port is 5432.", claim_ids=("c1",)),), claims=(CLAIM,), conflicts=(CONFLICT,)
    ),
    "review": Review(
        claims=(CLAIM,),
        quality=QualityReport(
            fetched=3,
            verified=1,
            rejected=2,
            breakdown=(Rejection(reason="too old", count=2),),
            score=0.33,
            refinement=Refinement(reason="too old"),
        ),
    ),
    "request": REQUEST,
    "retrievals": (RESULT, RESULT.replace(id="r2")),
    "decisions": (DECISION, DECISION.replace(id="d2", asking=None, before=None)),
    "signals": (Signal(kind=SignalKind.NO_TOOL_CALLS, phase=Phase.ACT, detail="twice", resolved=True),),
    "pending": ApprovalRequest(
        id="a1", phase=Phase.ACT, task="t", calls=(PendingCall(id="c1", tool="write", arguments={"path": "a"}),)
    ),
    "guidance": (
        Guidance(
            request_id="a1",
            phase=Phase.ACT,
            kind="approval",
            action="approve",
            calls=(CallAnswer(id="c1", action=ApprovalAction.EDIT, arguments={"path": "b"}),),
        ),
    ),
    "spend": SPEND,
    "warnings": ("web failed",),
    "answer": "The port is 5432 [1].",
    "confidence": CONFIDENCE,
    "citations": (
        Citation(
            number=1,
            evidence_id="e1",
            title="Manual",
            url=PASSAGE.url,
            source="knowledge",
            quote="5432",
            locator=LOCATOR,
        ),
    ),
    "claims": (CLAIM,),
    "conflicts": (CONFLICT,),
    "unanswered": ("Why is it so?",),
    "closest": (
        Quotation(
            evidence_id="e1", title="Manual", url=PASSAGE.url, source="knowledge", quote="It is so.", locator=LOCATOR
        ),
    ),
    "stop_reason": StopReason.ANSWERED,
    "depth_used": 2,
}
"""A value for each channel of the state."""
