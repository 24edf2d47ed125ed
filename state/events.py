"""What a run tells while it runs: the events of LangGraph's custom stream.

The live view, the HTTP stream, the log and the metrics all read these. An event is a JSON object with ``event`` as
its kind; ``EVENT.validate_python`` reads one back.
"""

from typing import Annotated, Literal

from pydantic import Field, TypeAdapter

from calibrant.state.base import Value
from calibrant.state.budget import Spend
from calibrant.state.decision import Decision
from calibrant.state.guidance import Guidance
from calibrant.state.retrieval import Round, SourceReport
from calibrant.state.task import Phase, QueryType, StepStatus


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
    status: StepStatus
    score: float = 0.0


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
    | RetrievalStarted
    | Searched
    | RoundJudged
    | StepDone
    | Finished,
    Field(discriminator="event"),
]
EVENT: TypeAdapter[Event] = TypeAdapter(Event)
