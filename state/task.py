"""What perceive, reason and act produce: the task as understood, the branches to answer it, the results of steps."""

from collections.abc import Iterable, Mapping
from enum import StrEnum
from typing import Annotated, Any

from pydantic import AfterValidator, Field

from calibrant.state.base import Value, unique
from calibrant.state.budget import LARGEST
from calibrant.state.confidence import Confidence
from calibrant.state.errors import Failure
from calibrant.state.evidence import Filters


class Phase(StrEnum):
    """The four phases that are judged."""

    PERCEIVE = "perceive"
    REASON = "reason"
    ACT = "act"
    REFLECT = "reflect"


class QueryType(StrEnum):
    """What a question needs (spec 2): it sets the required sufficiency and the initial depth."""

    FACTUAL = "factual"
    OPERATIONAL = "operational"
    DECISION = "decision"
    STRATEGIC = "strategic"


class Language(StrEnum):
    """The languages that the LLM-free tier knows."""

    ENGLISH = "en"
    PORTUGUESE = "pt"


EN, PT = Language.ENGLISH, Language.PORTUGUESE


REQUIRED_SUFFICIENCY: dict[QueryType, float] = {
    QueryType.FACTUAL: 0.90,
    QueryType.OPERATIONAL: 0.70,
    QueryType.DECISION: 0.85,
    QueryType.STRATEGIC: 0.90,
}
"""Spec 2, table of query types."""

INITIAL_DEPTH: dict[QueryType, int] = {
    QueryType.FACTUAL: 1,
    QueryType.OPERATIONAL: 1,
    QueryType.DECISION: 2,
    QueryType.STRATEGIC: 3,
}
"""Spec 2, table of query types."""


class Power(StrEnum):
    """How deep to search: by need, or forced."""

    AUTO = "auto"
    SHALLOW = "1"
    MEDIUM = "2"
    DEEP = "3"

    @classmethod
    def _missing_(cls, value: object) -> "Power | None":
        """A depth is a number to whoever gives it as JSON or YAML."""
        return cls(str(value)) if type(value) is int else None

    @property
    def depth(self) -> int | None:
        """The forced depth, or None for auto."""
        return None if self is Power.AUTO else int(self.value)


class Question(Value):
    """One part of the task that needs an answer of its own."""

    id: str
    text: str
    depends_on: tuple[str, ...] = ()


class Attribute(Value):
    """A typed must-have or must-not. ``kind`` is what it is about (``keyword``, ``domain``, ``source``, ...)."""

    kind: str
    value: str


class Criterion(Value):
    """A success criterion that can be counted: at least ``target`` of ``what``."""

    id: str
    what: str
    target: int = 1
    met: int | None = None
    """How many were found; None until reflect has counted."""

    @property
    def is_met(self) -> bool:
        return (self.met or 0) >= self.target


class Task(Value):
    """The request as perceive understood it."""

    text: str
    """The request, follow-ups resolved and wording agreed."""
    original: str = ""
    query_type: QueryType = QueryType.FACTUAL
    language: Language = Language.ENGLISH
    questions: tuple[Question, ...] = ()
    topic: tuple[str, ...] = ()
    """The content words, most telling first."""
    pasted: str = ""
    """The few words of what was pasted with the request that are worth searching for."""
    constraints: tuple[str, ...] = ()
    assumptions: tuple[str, ...] = ()
    risks: tuple[str, ...] = ()
    must_have: tuple[Attribute, ...] = ()
    must_not: tuple[Attribute, ...] = ()
    criteria: tuple[Criterion, ...] = ()
    time_sensitive: bool = False
    vagueness: float = Field(default=0.0, ge=0.0, le=1.0)
    """How far the request is from something one can search for, 0..1."""
    wording: str = ""
    """The sharper wording to propose, if the request is too vague."""
    understanding: float = Field(default=0.0, ge=0.0, le=1.0)
    risk: float = Field(default=0.0, ge=0.0, le=1.0)
    """How much harm a wrong answer or action may do, 0..1."""
    filters: Filters = Filters()
    power: Power = Power.AUTO
    plan: str = ""

    @property
    def required_sufficiency(self) -> float:
        return REQUIRED_SUFFICIENCY[self.query_type]

    @property
    def parts(self) -> tuple[str, ...]:
        """The texts of its questions; its own where it was not taken apart."""
        return tuple(question.text for question in self.questions) or (self.text,)

    @property
    def is_plain(self) -> bool:
        """A plain factual question: one part, one branch, one step."""
        return self.query_type is QueryType.FACTUAL and len(self.questions) <= 1


def _storable(value: Any) -> Any:
    """``value`` with each whole number that no checkpoint holds as text, which a tool reads as a number all the
    same."""
    match value:
        case dict():
            return {name: _storable(held) for name, held in value.items()}
        case list():
            return [_storable(held) for held in value]
        case int() if abs(value) > LARGEST:
            return str(value)
    return value


Arguments = Annotated[dict[str, Any], AfterValidator(_storable)]
"""What a call is given, by name: a model may have planned it, or an earlier call told it, a number of 30 digits too."""


class StepKind(StrEnum):
    """What a step does."""

    ANSWER = "answer"
    TOOL = "tool"


class Step(Value):
    """One piece of work in a branch."""

    id: str
    kind: StepKind = StepKind.ANSWER
    question: str
    parts: tuple[str, ...] = ()
    """The parts of the question, where one step answers several at once."""
    queries: tuple[str, ...] = ()
    """What to search for if the evidence held does not cover the question."""
    depends_on: tuple[str, ...] = ()
    tool: str = ""
    arguments: Arguments = Field(default_factory=dict)
    awaits: tuple[str, ...] = ()
    """Arguments that the call needs and that only what the steps before it give can tell."""

    @property
    def asks(self) -> tuple[str, ...]:
        """The questions that passages have to answer for it."""
        return self.parts or (self.question,)

    def with_arguments(self, arguments: dict[str, Any]) -> "Step":
        """The same call with other ``arguments``. A question that is the call itself changes with it."""
        own = self.question == call_text(self.tool, self.arguments)
        return self.replace(arguments=arguments, question=call_text(self.tool, arguments) if own else self.question)


def call_text(tool: str, arguments: Mapping[str, Any]) -> str:
    """A call as a reader sees it: ``read_file(path='a.md')``."""
    return f"{tool}({', '.join(f'{name}={value!r}' for name, value in arguments.items())})"


class Branch(Value):
    """A candidate strategy: its steps, why, and what may go wrong (spec 4's reflection record)."""

    id: str
    name: str
    rationale: str = ""
    steps: tuple[Step, ...] = ()
    sources: tuple[str, ...] = ()
    """Sources to prefer, by name; empty means all."""
    risks: tuple[str, ...] = ()
    anticipated_issues: tuple[str, ...] = ()
    tool_rationale: str = ""
    dependencies: str = ""
    left_out: tuple[str, ...] = ()
    """Tools that the planner wanted and that cannot be called as it said: their steps are not there."""
    confidence: Confidence = Confidence()

    @property
    def calls(self) -> tuple[Step, ...]:
        """The steps that call a tool."""
        return tuple(step for step in self.steps if step.kind is StepKind.TOOL)


class StepStatus(StrEnum):
    """How a step ended."""

    ANSWERED = "answered"
    UNANSWERED = "unanswered"
    FAILED = "failed"
    SKIPPED = "skipped"
    REOPENED = "reopened"
    """It is to be run again, with what came since. Its failure, if it had one, is told where it is not run any more."""


class Intent(Value):
    """A tool call that is about to be made, stored before it is."""

    id: str
    """One for each attempt: what a person's approval is for."""
    key: str
    """The idempotency key: one for each run, step and arguments, the same for every attempt. The tool gets it too."""
    step_id: str
    tool: str
    arguments: Arguments = Field(default_factory=dict)
    changes: bool = True
    """Whether the call may change something; False for a read-only tool."""
    holder: str = ""
    """Who was to make the call: another process cannot know whether it did."""
    at: float = 0.0


class Statement(Value):
    """One sentence of a step's answer and the evidence that it quotes."""

    text: str
    evidence_ids: tuple[str, ...] = ()
    quote: str = ""
    also_quoted: tuple[str, ...] = ()
    """Further words of the same evidence, where one place does not say it all."""
    score: float = Field(default=0.0, ge=0.0, le=1.0)
    """How well it answers the step's question, 0..1."""
    checked: bool = False
    """Whether a model has compared it with its passages and found it there: words alone did not."""
    disputed: bool = False
    """Whether the model that answered says that another statement of its answer cannot be true beside it."""
    reduced: bool = False
    """Whether it is told in the words that it quotes because nobody found there what it said."""


class SubResult(Value):
    """What a step gave: ``failure`` is set instead of content, never as content."""

    id: str
    """The step's id."""
    question: str
    status: StepStatus
    statements: tuple[Statement, ...] = ()
    missing: str = ""
    failure: Failure | None = None
    attempts: int = 1
    tries: int = 0
    """Attempts since a person last said to try again (all of them, if nobody did)."""
    wave: int = 0
    """After which judgement of ``act`` it was made, from 1: a result is a sign of something only once."""
    alike: int = 0
    """So many times in a row it failed with one and the same failure."""
    candidates: tuple[str, ...] = ()
    """What the tool named where one thing was meant."""
    contrary: str = ""
    """How the call contradicts what the same call gave before."""
    final: bool = False
    """A failure that must not be tried again: the call may have changed something."""
    begun: bool = False
    """A call that may change something was begun, and nobody knows what became of it."""
    tier: str = "free"
    """``free`` or ``model``: which tier gave it."""
    read: tuple[str, ...] = ()
    """Ids of the passages that a model was shown for it, in all attempts."""
    confidence: Confidence = Confidence()

    @property
    def content(self) -> str:
        told = (statement.text for statement in self.statements)
        return "".join(f"{text}\n" if text.endswith("```") else f"{text} " for text in told).rstrip()

    @property
    def evidence_ids(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(eid for statement in self.statements for eid in statement.evidence_ids))


def unknown_calls(intents: Iterable[Intent], results: Iterable[SubResult]) -> tuple[str, ...]:
    """The calls that may have changed something, and nobody knows whether they did: their last attempt gave no result,
    or one that says so."""
    gave = {result.id: result for result in results}
    open_ones = (one for one in intents if one.changes and _is_unknown(one, gave.get(one.step_id)))
    return unique(call_text(one.tool, one.arguments) for one in open_ones)


def _is_unknown(intent: Intent, result: SubResult | None) -> bool:
    return result is None or result.begun or intent.id.endswith(f"#{result.attempts + 1}")
