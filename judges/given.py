"""What each judgement is given. Plain frozen values: a judgement sees nothing else. ``Composed`` and
``Filled`` are what two give: no state holds those."""

from dataclasses import dataclass, field
from datetime import date, datetime
from typing import Any

from calibrant.state.answer import Claim, Conflict
from calibrant.state.confidence import Confidence, SufficiencyWeights
from calibrant.state.evidence import Evidence
from calibrant.state.memory import Pattern
from calibrant.state.retrieval import Distillate
from calibrant.state.task import QueryType, Question, Step, SubResult, Task


@dataclass(frozen=True)
class Turn:
    """An earlier question on the thread and the answer it got."""

    question: str
    answer: str = ""


@dataclass(frozen=True)
class ToolCard:
    """A tool as a planner sees it. ``schema`` is the JSON schema of its arguments."""

    name: str
    description: str
    schema: dict[str, Any] = field(default_factory=dict)

    @property
    def required(self) -> tuple[str, ...]:
        """The arguments that no call can do without."""
        return tuple(self.schema.get("required", ()))


def reckoned_with(request: str, today: date | None) -> str:
    """What a calculation may start from, besides the passages: the numbers of ``request`` and the year. The day and the
    month are small numbers, which would explain anything."""
    return f"{request} {today.year}" if today else request


@dataclass(frozen=True)
class ToUnderstand:
    """Understanding -> ``Task``: type, parts, constraints, assumptions, risks, must-haves, criteria, vagueness,
    wording."""

    text: str
    history: tuple[Turn, ...] = ()
    guidance: str = ""
    today: date | None = None
    """Where words such as "last year" count from."""
    pasted: str = ""
    """What was pasted with it tells, in a few words: it says what to search for, and demands nothing."""


@dataclass(frozen=True)
class ToPlan:
    """Planning -> candidate ``Branch``es that differ in queries, sources or order of steps."""

    task: Task
    evidence: tuple[Evidence, ...] = ()
    distillate: Distillate = Distillate()
    patterns: tuple[Pattern, ...] = ()
    sources: tuple[str, ...] = ()
    tools: tuple[ToolCard, ...] = ()
    branches: int = 3
    guidance: str = ""
    suffices: bool = True
    """Whether passages are held that suffice: where they do not, a tool may."""
    today: date | None = None
    """The day that a call for "tomorrow" counts from."""


@dataclass(frozen=True)
class ToFill:
    """Filling in -> ``Filled``: planned calls with their arguments, from what other steps gave and a person said."""

    task: Task
    steps: tuple[Step, ...]
    tools: tuple[ToolCard, ...]
    results: tuple[SubResult, ...] = ()
    """What the steps gave so far, these calls too where they were tried."""
    said: str = ""
    """What a person has just said about the plan."""
    guidance: str = ""
    """All that they have said in this run."""
    today: date | None = None


@dataclass(frozen=True)
class ToSuffice:
    """Sufficiency -> ``Sufficiency``: can this evidence answer these questions?"""

    questions: tuple[str, ...]
    evidence: tuple[Evidence, ...]
    query_type: QueryType = QueryType.FACTUAL
    time_sensitive: bool = False
    now: datetime | None = None
    failed_sources: tuple[str, ...] = ()
    """Sources that could not answer: they lower coverage, never truth."""
    weights: SufficiencyWeights = SufficiencyWeights()
    request: str = ""
    """What the questions are parts of: a passage may answer that, and none of them."""
    answered_next: bool = False
    """Whether the only question is answered next from these passages: a model that reads them may do so at once."""


@dataclass(frozen=True)
class ToAnswer:
    """Answering -> ``SubResult``: statements for one step, each with the passages that it quotes."""

    step: Step
    task: Task
    evidence: tuple[Evidence, ...]
    earlier: tuple[SubResult, ...] = ()
    """Results of the steps that this one depends on."""
    guidance: str = ""
    today: date | None = None
    pasted: tuple[Evidence, ...] = ()
    """What was pasted with the request: for a model, which can tell a question's subject from its answer."""
    stated: str = ""
    """What an earlier attempt has found of it: only what is missing there is asked for."""


@dataclass(frozen=True)
class ToDistil:
    """Distilling -> ``Distillate`` of new passages for the phase that asked."""

    query: str
    evidence: tuple[Evidence, ...]
    questions: tuple[str, ...] = ()


@dataclass(frozen=True)
class ToScore:
    """Scoring -> ``Confidence`` in a sub-result (spec 3's factors)."""

    result: SubResult
    task: Task
    evidence: tuple[Evidence, ...]
    today: date | None = None


@dataclass(frozen=True)
class ToSupport:
    """Support -> the claims with verdicts, each compared with its quoted spans."""

    claims: tuple[Claim, ...]
    evidence: tuple[Evidence, ...]
    asked: str = ""
    """The request."""
    today: date | None = None
    doubted: bool = False
    """Whether a model is to compare them, if one can be asked, however sure words alone are."""
    pasted: str = ""
    """What was pasted with the request: its names and numbers may be repeated, and it bears out nothing."""


@dataclass(frozen=True)
class ToReconcile:
    """Conflicts -> ``Conflict``s among claims, severity and preferred side included."""

    claims: tuple[Claim, ...]
    evidence: tuple[Evidence, ...] = ()
    threshold: float = 0.5
    questions: tuple[Question, ...] = ()
    """What the claims answer: two that answer one question need not be alike to disagree."""
    settled: tuple[frozenset[str], ...] = ()
    """Ids of claims that one answer of a model states: it has said itself which of them disagree."""
    today: date | None = None
    """A document that is of force from a later day on does not lead yet."""
    doubted: bool = False
    """Whether what words find is in doubt, so that a model is asked where there is one."""


@dataclass(frozen=True)
class ToCompose:
    """Composition -> ``Composed``: the text of the answer, from claims only."""

    task: Task
    questions: tuple[Question, ...]
    claims: tuple[Claim, ...]
    conflicts: tuple[Conflict, ...] = ()
    confidence: Confidence = Confidence()
    evidence: tuple[Evidence, ...] = ()
    """The passages that the claims are from: what stands above them tells what they speak of."""
    missing: tuple[str, ...] = ()
    """What was asked and not found."""
    guidance: str = ""
    """What a person has said in this run: it may have changed what is asked."""
    today: date | None = None
    worded: bool = False
    """Whether the claims are one answer of a model, in its own sentences and their order."""


@dataclass(frozen=True)
class Filled:
    """The calls that come next. ``dropped``: those that are not to be made, by step, each with the reason."""

    steps: tuple[Step, ...]
    dropped: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Composed:
    """The answer as sentences, each with the ids of the claims it states; code renders the citations."""

    sentences: tuple[tuple[str, tuple[str, ...]], ...] = ()
    declined: bool = False
    """Whether a model has found that no claim answers the request: these sentences tell them all the same."""
    fixed: frozenset[tuple[str, tuple[str, ...]]] = frozenset()
    """Those of a model's composition that are not in its words: they tell a disagreement, or a claim as it stands."""
