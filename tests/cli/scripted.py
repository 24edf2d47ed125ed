"""A small real LangGraph graph with our state, events and interrupts, in place of ``calibrant.graph.app``.

What it does depends on words in the question: ``nothing`` abstains, ``guide``, ``vague`` and ``delete`` ask, ``slow``
takes its time, ``crash`` and ``refuse`` fail. Run as a program it is the command line over this app.
"""

import asyncio
import os
import sys
import types
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any, Literal

from langchain_core.messages import AIMessage
from langgraph.config import get_stream_writer
from langgraph.graph import END, START, StateGraph
from langgraph.types import interrupt

from calibrant.graph.persistence import open_checkpointer
from calibrant.state import events as e
from calibrant.state.answer import Claim, Conflict, ConflictKind, QualityReport, Verdict
from calibrant.state.budget import Allowance, Spend, StopReason
from calibrant.state.channels import Input, Output, Run, State, View
from calibrant.state.confidence import Confidence, Factor, PhaseThresholds, confidence_of
from calibrant.state.decision import Action, Decision, Rule
from calibrant.state.errors import Failure, FailureKind, ModelError
from calibrant.state.evidence import Citation, Locator, SourceState
from calibrant.state.guidance import (
    ApprovalRequest,
    Guidance,
    GuidanceRequest,
    PendingCall,
    WordingAction,
    WordingRequest,
    interrupt_payload,
)
from calibrant.state.replies import read_answer
from calibrant.state.retrieval import (
    DepthDecision,
    Distillate,
    Insight,
    RetrievalResult,
    Round,
    SourceReport,
    Sufficiency,
)
from calibrant.state.task import Phase, QueryType, StepStatus

PACE_S = float(os.environ.get("SCRIPTED_PACE_S", "0"))
SLOW_S = 30.0
SPENT = Spend(
    retrievals=1, rounds=2, searches=6, model_calls=2, sequential_calls=2, tokens_in=1800, tokens_out=240,
    dollars=0.0021, active=((0.0, 3.2),),
)  # fmt: skip
QUERIES = ("lru_cache eviction which entry is dropped when full", "lru_cache maxsize root link")
SOURCES = ("memory", "knowledge", "web", "github")


def confidence(score: float) -> Confidence:
    """A confidence with every kind of factor, of this score."""
    made = confidence_of(
        [
            Factor(name="past_experience", score=0.0, weight=0.3, reason="nothing similar was done before"),
            Factor(name="pattern_availability", score=0.4, weight=0.25, reason="one pattern, half fitting"),
            Factor(name="task_understanding", score=0.9, weight=0.2),
            Factor(name="strategy_clarity", weight=0.15),
            Factor(name="risk", score=1.0, weight=0.1),
        ]
    )
    return made.replace(score=score)


def decision(phase: Phase, score: float, action: Action, rule: Rule, **more: Any) -> Decision:
    """A decision as the graph would leave it."""
    thresholds = getattr(PhaseThresholds(), phase.value)
    left = Allowance(model_calls=28, sequential_calls=8, tokens=180_000, dollars=0.92, seconds=44.2)
    given = {"id": f"{phase}-{rule.row}-{score}", "reason": f"{score:.2f} against {thresholds.proceed:.2f}", **more}
    return Decision(
        phase=phase, confidence=confidence(score), action=action, rule=rule, thresholds=thresholds, left=left, **given
    )


FIRST = decision(Phase.PERCEIVE, 0.42, Action.RETRIEVE, Rule.GAPS, gaps=("no past experience",))
AGAIN = decision(Phase.PERCEIVE, 0.81, Action.PROCEED, Rule.REACHED, before=0.42, attempt=2)
REASON = decision(Phase.REASON, 0.78, Action.PROCEED, Rule.REACHED)
ACT = decision(Phase.ACT, 0.66, Action.PROCEED, Rule.TOLERABLE, warning="act: confidence 0.66 is below 0.80.")
REFLECT = decision(Phase.REFLECT, 0.92, Action.PROCEED, Rule.REACHED)
TIMED_OUT = Failure(kind=FailureKind.TIMEOUT, where="github", message="no answer within 5 s")
REPORTS = (
    SourceReport(source="memory", state=SourceState.EMPTY),
    SourceReport(source="knowledge", state=SourceState.OK, count=5, seconds=0.02),
    SourceReport(source="web", state=SourceState.OK, count=3, cached=True),
    SourceReport(source="github", state=SourceState.FAILED, seconds=5.0, failure=TIMED_OUT),
)
ROUNDS = (
    Round(number=1, depth=1, queries=QUERIES[:1], chunks=8, new=8, confidence=0.55, threshold=0.9,
          decision=DepthDecision.DEEPER, reason="0.55 is below 0.90"),
    Round(number=2, depth=2, queries=QUERIES, chunks=14, new=6, confidence=0.91, threshold=0.9,
          decision=DepthDecision.SUFFICIENT),
)  # fmt: skip
INSIGHTS = Distillate(
    key_insights=(
        Insight(text="When the cache is full, the oldest key and result are taken from the root's next link."),
        Insight(text="maxsize=None disables the LRU feature: the cache grows without bound."),
    )
)
RETRIEVAL = RetrievalResult(
    id="r1", query=QUERIES[0], phase=Phase.PERCEIVE, depth_used=2, rounds=ROUNDS, sources=REPORTS,
    confidence_before=0.3,
    sufficiency=Sufficiency(confidence=Confidence(raw=0.91, score=0.91)), stop_reason=StopReason.SUFFICIENT,
)  # fmt: skip
CITATIONS = (
    Citation(number=1, evidence_id="a", title="functools.py", source="knowledge",
             url="file:///usr/lib/python3/functools.py",
             quote="Use the old root to store the new key and result.",
             locator=Locator(line=568, heading="_lru_cache_wrapper")),
    Citation(number=2, evidence_id="b", title="functools - Higher-order functions", source="web",
             url="https://docs.python.org/3/library/functools.html", quote="the LRU feature is disabled"),
)  # fmt: skip
CONFLICT = Conflict(
    id="c", kind=ConflictKind.CONTRADICTION, severity=0.7, first=Claim(id="x", text="The cache is thread-safe."),
    second=Claim(id="y", text="The function may run twice."), preferred="x", explanation="the first is the reference",
)  # fmt: skip
DISAGREEMENT = e.Disagreement(kind=CONFLICT.kind, severity=CONFLICT.severity)
ANSWER = """\
When the cache is full, the oldest link is emptied and becomes the new root. [1]
With maxsize=None nothing is dropped. [2]"""


def search_events() -> Sequence[Any]:
    """What a retrieval of two rounds tells."""
    first, second = ROUNDS
    started = e.RetrievalStarted(phase=Phase.PERCEIVE, depth=1, round=1, queries=QUERIES[:1], sources=SOURCES)
    deeper = started.replace(depth=2, round=2, queries=QUERIES)
    more = SourceReport(source="knowledge", state=SourceState.OK, count=6)
    return (
        started,
        *(e.Searched(report=report) for report in REPORTS),
        e.RoundJudged(phase=Phase.PERCEIVE, round=first),
        deeper,
        e.Searched(report=more, depth=2),
        e.RoundJudged(phase=Phase.PERCEIVE, round=second),
    )


def later_events(question: str) -> Sequence[Any]:
    """What reason, act and reflect tell."""
    return (
        e.PhaseStarted(phase=Phase.REASON),
        e.BranchScored(branch_id="a", name="direct", score=0.78),
        e.BranchScored(branch_id="b", name="code first", score=0.66),
        e.Decided(decision=REASON, spend=SPENT, used=0.28),
        e.PhaseStarted(phase=Phase.ACT),
        e.StepDone(step_id="1", question=question, status=StepStatus.ANSWERED, score=0.8),
        e.Decided(decision=ACT, spend=SPENT, used=0.3),
        e.Synthesized(confidence=0.83, results=("1",), left_out=("2",), claims=3, conflicts=(DISAGREEMENT,)),
        e.PhaseStarted(phase=Phase.REFLECT),
        e.Reviewed(quality=QualityReport(), verdicts={Verdict.SUPPORTED: 2, Verdict.UNVERIFIED: 1}),
        e.Decided(decision=REFLECT, spend=SPENT, used=0.31),
        e.Finished(stop_reason="answered", confidence=0.92, spend=SPENT),
    )


async def tell(events: Sequence[Any]) -> None:
    """Write events to the stream, at the pace of the script."""
    write = get_stream_writer()
    for event in events:
        write(event.model_dump(mode="json"))
        await asyncio.sleep(PACE_S)


async def perceive(state: View) -> dict[str, Any]:
    """Opens the run and judges for the first time."""
    question = state.task or ""
    turn = state.run.turn + 1 if state.run else 1
    run = Run(id="run", turn=turn, question=question, interactive=state.interactive is not False)
    await tell(
        [
            e.RunStarted(run_id="run", turn=turn, question=question),
            e.PhaseStarted(phase=Phase.PERCEIVE),
            e.Understood(query_type=QueryType.FACTUAL, questions=(question,)),
            e.Decided(decision=FIRST, used=0.02),
        ]
    )
    request = request_for(question)
    return {"run": run, "decisions": (FIRST,), "pending": request if run.interactive else None, "task": None}


def request_for(question: str) -> GuidanceRequest | WordingRequest | ApprovalRequest | None:
    """What the script asks for, by a word of the question."""
    common: dict[str, Any] = {
        "id": "q1",
        "phase": Phase.PERCEIVE,
        "task": question,
        "reasons": ("uncertainty 5 reaches 5",),
    }
    if "guide" in question:
        return GuidanceRequest(**common, last_error="github: no answer within 5 s", score=0.42)
    if "gaps" in question:
        options = (WordingAction.KEEP, WordingAction.WRITE)
        return WordingRequest(**common, proposal="How does <what?> evict?", options=options)
    if "vague" in question:
        return WordingRequest(**common, proposal="How does lru_cache evict?")
    if "delete" in question:
        calls = (PendingCall(id="c1", tool="remove", arguments={"path": "a"}), PendingCall(id="c2", tool="write"))
        return ApprovalRequest(**common, calls=calls)
    return None


def ask(state: View) -> dict[str, Any]:
    """The only place that interrupts."""
    assert state.pending is not None
    answer: Guidance = read_answer(state.pending, interrupt(interrupt_payload(state.pending)))
    return {"guidance": (answer,), "pending": None}


async def retrieve(state: View) -> dict[str, Any]:
    """Searches, or fails the way the question says."""
    question = state.run.question if state.run else ""
    if "crash" in question:
        raise RuntimeError("first line\nsecond line")
    if "refuse" in question:
        raise ModelError("the model refused the key: set CALIBRANT_MODEL_API_KEY")
    if "slow" in question:
        await asyncio.sleep(SLOW_S)
    await tell(search_events())
    return {"retrievals": (RETRIEVAL.replace(distillate=INSIGHTS),), "decisions": (AGAIN,), "spend": SPENT}


async def respond(state: View) -> dict[str, Any]:
    """Answers or abstains."""
    question = state.run.question if state.run else ""
    answered = "nothing" not in question
    await tell([e.Decided(decision=AGAIN, spend=SPENT, used=0.25), *later_events(question)])
    said = "".join(f"\nAs you said: {item.action} {item.text}".rstrip() for item in state.guidance)
    answer = ANSWER + said if answered else "I do not know. Nothing that was found says it."
    return {
        "answer": answer,
        "confidence": confidence(0.92 if answered else 0.2),
        "citations": CITATIONS if answered else (),
        "conflicts": (CONFLICT,) if answered else (),
        "warnings": ("github timed out: what it holds is not in this answer.",),
        "stop_reason": StopReason.ANSWERED if answered else StopReason.ABSTAINED,
        "decisions": (REASON, ACT, REFLECT),
        "depth_used": 2,
        "messages": [AIMessage(answer)],
    }


def after_perceive(state: View) -> Literal["ask", "retrieve"]:
    """To the person, if there is something to ask."""
    return "ask" if state.pending else "retrieve"


def scripted_graph(checkpointer: Any) -> Any:
    """The compiled graph."""
    graph: StateGraph[Any, Any, Any, Any] = StateGraph(State, input_schema=Input, output_schema=Output)
    graph.add_node("perceive", perceive, input_schema=View)
    graph.add_node("ask", ask, input_schema=View)
    graph.add_node("retrieve", retrieve, input_schema=View)
    graph.add_node("respond", respond, input_schema=View)
    graph.add_edge(START, "perceive")
    graph.add_conditional_edges("perceive", after_perceive)
    graph.add_edge("ask", "retrieve")
    graph.add_edge("retrieve", "respond")
    graph.add_edge("respond", END)
    return graph.compile(checkpointer=checkpointer)


@dataclass(frozen=True)
class ScriptedComponent:
    """As ``calibrant.graph.describe.Component``."""

    name: str
    state: str
    detail: str
    hint: str = ""


@dataclass
class ScriptedMemory:
    """Keeps verdicts."""

    verdicts: dict[str, str] = field(default_factory=dict)

    async def feedback(self, run_id: str, verdict: str) -> object | None:
        self.verdicts[run_id] = verdict
        return verdict


@dataclass
class ScriptedApp:
    """As ``calibrant.graph.app.App``, as far as the command line needs it."""

    graph: Any
    context: Any
    memory: ScriptedMemory = field(default_factory=ScriptedMemory)

    async def check_model(self) -> None:
        """The script needs none."""


@asynccontextmanager
async def open_app(*, settings: Any, machine: Any, secrets: Any) -> AsyncIterator[ScriptedApp]:
    """Open the scripted app over the machine's own checkpointer."""
    async with open_checkpointer(machine) as checkpointer:
        yield ScriptedApp(scripted_graph(checkpointer), settings)


async def examined(*, settings: Any, machine: Any, secrets: Any) -> list[ScriptedComponent]:
    """What the doctor shows."""
    return [
        ScriptedComponent("model", "missing", "none: the LLM-free tiers do the whole job", "set CALIBRANT_MODEL_NAME"),
        ScriptedComponent("knowledge: docs", "ok", "12 documents, 340 passages"),
    ]


def module() -> types.ModuleType:
    """The stand-in for ``calibrant.graph.app``."""
    made = types.ModuleType("calibrant.graph.app")
    made.__dict__["open_app"] = open_app
    made.__dict__["examined"] = examined
    made.__dict__["App"] = ScriptedApp
    return made


if __name__ == "__main__":
    sys.modules["calibrant.graph.app"] = module()
    from calibrant.interfaces.cli import main

    main()
