"""The state of the graph: its channels with their reducers, what a caller puts in and gets out, and the view nodes
read.

Channels are a TypedDict (``typing_extensions``: the server cannot make schemas of the other one below Python 3.12).
Nodes and routers do not see it: they get a ``View``, which turns whatever a checkpoint or an HTTP edit holds back
into models.
"""

from typing import Annotated, Any

from langchain_core.messages import AnyMessage
from langgraph.channels.delta import DeltaChannel
from langgraph.channels.ephemeral_value import EphemeralValue
from langgraph.graph.message import add_messages
from langgraph.managed import RemainingSteps
from pydantic import BaseModel, ConfigDict, Field
from typing_extensions import TypedDict

from calibrant.state.answer import Claim, Conflict, Review, Synthesis
from calibrant.state.base import Value, appended, folded, latest, merged, replaced, unique
from calibrant.state.budget import Spend, StopReason, add_spend
from calibrant.state.confidence import Confidence
from calibrant.state.decision import Decision
from calibrant.state.evidence import Citation, Evidence, Filters, Quotation
from calibrant.state.guidance import REQUEST, Guidance, HumanRequest
from calibrant.state.memory import Recollection
from calibrant.state.retrieval import RetrievalRequest, RetrievalResult, SourceReport
from calibrant.state.task import Branch, Intent, Power, Step, SubResult, Task
from calibrant.state.uncertainty import Signal, merge_signals

Update = dict[str, Any]
"""What a node returns: channel name -> new value, merged by the channel's reducer."""


class Run(Value):
    """One run on a thread: a new input opens a new one."""

    id: str
    turn: int = 1
    started_at: float = 0.0
    question: str
    power: Power = Power.AUTO
    interactive: bool = True
    filters: Filters = Filters()
    reply: str = ""
    """What is said where nothing is asked of the sources, as by "hello": the run ends with it."""


class Input(TypedDict, total=False):
    """What a caller gives: ``messages`` or ``task``; the rest is optional and holds for this run."""

    messages: Annotated[list[AnyMessage], add_messages]
    task: Annotated[str, Field(description="The question. Left out: the last human message.")]
    power: Annotated[str | int, Field(description="Depth of search: auto, or forced 1, 2, 3. Left out: the settings'.")]
    interactive: Annotated[
        bool, Field(description="Whether a person is there to be asked. Left out: as the settings say.")
    ]
    filters: Annotated[
        dict[str, Any],
        Field(
            description="What to search: collections (knowledge bases), paths, kinds, since (a date). Left out: all."
        ),
    ]


class Output(TypedDict, total=False):
    """What a caller gets."""

    answer: str
    confidence: Confidence | None
    citations: tuple[Citation, ...]
    claims: tuple[Claim, ...]
    conflicts: tuple[Conflict, ...]
    review: Review | None
    """How the success criteria were met, and the quality reports; None of a run that ended before its review."""
    unanswered: tuple[str, ...]
    closest: tuple[Quotation, ...]
    warnings: tuple[str, ...]
    stop_reason: StopReason
    depth_used: int
    spend: Spend
    decisions: tuple[Decision, ...]
    messages: list[AnyMessage]


def merged_texts(held: Any, new: Any) -> tuple[str, ...]:
    """A reducer that appends texts without repeats."""
    return unique((*(held or ()), *(new or ())))


def _request(_: Any, new: Any) -> Any:
    return None if new is None else REQUEST.validate_python(new)


class State(TypedDict, total=False):
    """Every channel. The comment under each says who writes it and how writes merge."""

    messages: Annotated[list[AnyMessage], add_messages]
    """The caller, ``intake`` (the question), ``ask_human`` (a new wording), ``respond``; appended. Kept over turns."""
    task: Annotated[str | None, EphemeralValue]
    """The caller; read by ``intake`` alone and not kept: one that was refused is no part of the next input."""
    power: Annotated[str | int | None, EphemeralValue]
    """The caller; as ``task``."""
    interactive: Annotated[bool | None, EphemeralValue]
    """The caller; as ``task``."""
    filters: Annotated[dict[str, Any] | None, EphemeralValue]
    """The caller; as ``task``."""

    run: Annotated[Run | None, latest(Run)]
    """``intake``; last write."""
    perceived: Annotated[Task | None, latest(Task)]
    """``perceive``, ``select`` (without phrases that a call is given), ``reflect`` (criteria counted); last write."""
    recalled: Annotated[Recollection | None, latest(Recollection)]
    """``perceive``; last write."""
    evidence: Annotated[tuple[Evidence, ...], DeltaChannel(folded(merged(Evidence)), list, snapshot_frequency=100)]
    """``retrieve``, ``perceive`` (recalled passages), ``step`` (what tools gave); merged by id. Stored as deltas."""
    branches: Annotated[tuple[Branch, ...], merged(Branch)]
    """``reason`` proposes, each ``branch`` scores its own; merged by id."""
    selected: Annotated[Branch | None, latest(Branch)]
    """``select``, and ``act`` where a person's word changed it; last write."""
    results: Annotated[tuple[SubResult, ...], merged(SubResult)]
    """Each ``step`` adds its own; ``act`` reopens, skips or refuses, ``reflect`` reopens; merged by id."""
    intents: Annotated[tuple[Intent, ...], merged(Intent)]
    """``act``, before the steps that make the calls; merged by id."""
    synthesis: Annotated[Synthesis | None, latest(Synthesis)]
    """``synthesize``, then ``reflect`` without what is not borne out; last write."""
    review: Annotated[Review | None, latest(Review)]
    """``reflect``; last write."""

    request: Annotated[RetrievalRequest | None, latest(RetrievalRequest)]
    """The phase that decided to retrieve; last write."""
    retrievals: Annotated[tuple[RetrievalResult, ...], DeltaChannel(folded(appended(RetrievalResult)), list)]
    """``retrieve``; appended. Stored as deltas."""

    decisions: Annotated[tuple[Decision, ...], DeltaChannel(folded(appended(Decision)), list)]
    """Whoever judged; appended: the trace. The edges read the last one. Stored as deltas."""
    signals: Annotated[tuple[Signal, ...], merge_signals]
    """Whoever observed one; one of a kind per attempt and phase. ``ask_human`` marks them resolved."""
    pending: Annotated[HumanRequest | None, _request]
    """The phase that decided to ask; ``ask_human`` clears it."""
    guidance: Annotated[tuple[Guidance, ...], appended(Guidance)]
    """``ask_human``; appended."""
    spend: Annotated[Spend, add_spend]
    """Everyone, as deltas; added."""
    warnings: Annotated[tuple[str, ...], merged_texts]
    """Everyone; appended, without repeats."""

    answer: str
    """``respond``."""
    confidence: Annotated[Confidence | None, latest(Confidence)]
    """``respond``; last write. None where nothing was asked of the sources."""
    citations: Annotated[tuple[Citation, ...], replaced(Citation)]
    """``respond``; last write."""
    claims: Annotated[tuple[Claim, ...], replaced(Claim)]
    """``respond``; last write."""
    conflicts: Annotated[tuple[Conflict, ...], replaced(Conflict)]
    """``respond``; last write."""
    unanswered: tuple[str, ...]
    """``respond``: the parts of the question that no claim answers."""
    closest: Annotated[tuple[Quotation, ...], replaced(Quotation)]
    """``respond``: where it abstains, what came nearest, which is neither answer nor citation; last write."""
    stop_reason: StopReason | None
    """``respond``."""
    depth_used: int
    """``respond``: the deepest level searched in this run, 0 if nothing was searched."""


class View(BaseModel):
    """The state as nodes and routers read it: models, with a default for what has not been written yet.

    What the caller gave is any value: ``intake`` reads it, and says what does not fit.
    """

    model_config = ConfigDict(frozen=True, extra="ignore", arbitrary_types_allowed=True)

    messages: list[AnyMessage] = Field(default_factory=list)
    task: Any = None
    power: Any = None
    interactive: Any = None
    filters: Any = None
    run: Run | None = None
    perceived: Task | None = None
    recalled: Recollection | None = None
    evidence: tuple[Evidence, ...] = ()
    branches: tuple[Branch, ...] = ()
    selected: Branch | None = None
    results: tuple[SubResult, ...] = ()
    intents: tuple[Intent, ...] = ()
    synthesis: Synthesis | None = None
    review: Review | None = None
    request: RetrievalRequest | None = None
    retrievals: tuple[RetrievalResult, ...] = ()
    decisions: tuple[Decision, ...] = ()
    signals: tuple[Signal, ...] = ()
    pending: HumanRequest | None = None
    guidance: tuple[Guidance, ...] = ()
    spend: Spend = Spend()
    warnings: tuple[str, ...] = ()
    answer: str = ""
    confidence: Confidence | None = None
    citations: tuple[Citation, ...] = ()
    claims: tuple[Claim, ...] = ()
    conflicts: tuple[Conflict, ...] = ()
    unanswered: tuple[str, ...] = ()
    closest: tuple[Quotation, ...] = ()
    stop_reason: StopReason | None = None
    depth_used: int = 0
    steps_left: RemainingSteps = 10_000
    """Supersteps until LangGraph ends the run with an error: 25 are LangChain's default in a chain, a tool, a batch and
    ``astream_events``. Not stored."""

    @property
    def understood(self) -> Task:
        """The task; nothing behind perceive runs without one."""
        if self.perceived is None:
            raise RuntimeError("perceive has to run first")
        return self.perceived

    @property
    def chosen(self) -> Branch:
        """The selected branch; neither act nor what follows it runs without one."""
        if self.selected is None:
            raise RuntimeError("select has to run first")
        return self.selected

    @property
    def retrieval(self) -> RetrievalResult | None:
        """The run's last retrieval."""
        return self.retrievals[-1] if self.retrievals else None

    @property
    def reports(self) -> tuple[SourceReport, ...]:
        """How each source fared, over all retrievals of the run."""
        return tuple(report for retrieval in self.retrievals for report in retrieval.sources)

    @property
    def deepest(self) -> int:
        """The deepest level that the run has searched; 0 if it has searched nothing."""
        return max((retrieval.depth_used for retrieval in self.retrievals), default=0)

    @property
    def steps(self) -> tuple[Step, ...]:
        """The steps of the selected branch; none before one is selected."""
        return self.selected.steps if self.selected else ()

    @property
    def decision(self) -> Decision | None:
        """The run's last decision."""
        return self.decisions[-1] if self.decisions else None
