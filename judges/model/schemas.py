"""What a model may answer: flat, few fields, bounded lists, and a name that judgement, schema and tool share.

Reading is lenient where the meaning is plain (``null`` for an empty string, one string for a list of one, ``"S1, S2"``
for ids) and a list that is too long is cut rather than refused.
"""

from typing import Annotated, Any, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field

ROWS = 12
"""The longest list that any schema takes."""


class Reply(BaseModel):
    """The base of everything a model returns. ``title`` is its name on the wire."""

    model_config = ConfigDict(extra="ignore", str_strip_whitespace=True)

    @classmethod
    def wire_name(cls) -> str:
        return str(cls.model_config["title"])


def _text(value: Any) -> Any:
    if value is None:
        return ""
    if isinstance(value, list) and all(isinstance(item, str) for item in value):
        return " ".join(value)
    return str(value) if isinstance(value, int | float) else value


def _items(value: Any) -> Any:
    if value is None or value == "":
        return []
    return value[:ROWS] if isinstance(value, list | tuple) else [value]


def _ids(value: Any) -> Any:
    """Ids in the forms that models give them: ``S1``, ``"S1, S2"``, ``["[S1]"]``."""
    found = [part for item in _items(value) for part in str(item).replace(";", ",").split(",")]
    return [part.strip(" []().\"'").upper() for part in found if part.strip(" []().\"'")]


def _word(value: Any) -> Any:
    return value.strip().lower() if isinstance(value, str) else value


Text = Annotated[str, BeforeValidator(_text)]
Texts = Annotated[tuple[Text, ...], BeforeValidator(_items)]
Ids = Annotated[tuple[str, ...], BeforeValidator(_ids)]
Numbers = Annotated[tuple[int, ...], BeforeValidator(_items)]


def _id(value: Any) -> Any:
    return next(iter(_ids(value)), "")


Id = Annotated[str, BeforeValidator(_id)]

QueryTypeName = Annotated[Literal["factual", "operational", "decision", "strategic"], BeforeValidator(_word)]
VerdictName = Annotated[Literal["supported", "contradicted", "qualified", "unverified"], BeforeValidator(_word)]
PairKind = Annotated[Literal["contradiction", "inconsistency", "ambiguity", "none"], BeforeValidator(_word)]
ItemKind = Annotated[Literal["insight", "practice", "mistake", "pattern", "code"], BeforeValidator(_word)]
Rating = Annotated[int, Field(ge=0, le=4)]


class CountedRow(Reply):
    """A success criterion as the model gives it."""

    what: Text = Field(description="What to count, in a few words.")
    target: int = Field(default=1, ge=1, le=100, description="How many at least.")


class UnderstandReply(Reply):
    """The request as understood."""

    model_config = ConfigDict(title="understand")

    request: Text = Field(default="", description="The request as one self-contained sentence.")
    query_type: QueryTypeName = Field(description="What kind of answer it needs.")
    questions: Texts = Field(description="1 to 5 self-contained questions that together are the request.")
    assumptions: Texts = Field(default=(), description="At most 4: what is taken for granted.")
    risks: Texts = Field(default=(), description="At most 4: what could make an answer wrong or harmful.")
    criteria: Annotated[tuple[CountedRow, ...], BeforeValidator(_items)] = Field(
        default=(), description="At most 3 success criteria that can be counted."
    )
    time_sensitive: bool = Field(default=False, description="True if the answer changes within months.")
    vague: bool = Field(default=False, description="True if nobody could search for this as it stands.")
    wording: Text = Field(default="", description="If vague: a sharper wording to propose. Else empty.")


class StepRow(Reply):
    """One step of a plan."""

    question: Text = Field(description="The question that this step answers.")
    queries: Texts = Field(default=(), description="1 to 3 search queries of a few words.")
    after: Numbers = Field(default=(), description="Numbers of the steps whose results it needs. Usually empty.")


class ToolStepRow(StepRow):
    """One step of a plan that may use a tool."""

    tool: Text = Field(default="", description="Name of a tool, or empty to answer from passages.")
    arguments: Text = Field(default="", description="The tool's arguments as a JSON object in a string, or empty.")


class PlanRow(Reply):
    """One candidate plan."""

    name: Text = Field(description="Two to five words.")
    rationale: Text = Field(default="", description="One or two sentences: why this may work.")
    sources: Texts = Field(default=(), description="Names of the sources to prefer; empty for all.")
    risks: Texts = Field(default=(), description="At most 3: what could make it fail.")
    issues: Texts = Field(default=(), description="At most 3: what is likely to come up on the way.")
    steps: Annotated[tuple[StepRow, ...], BeforeValidator(_items)] = Field(description="1 to 6 steps.")


class ToolPlanRow(PlanRow):
    """One candidate plan that may use tools."""

    steps: Annotated[tuple[ToolStepRow, ...], BeforeValidator(_items)] = Field(description="1 to 6 steps.")


class PlanReply(Reply):
    """Candidate plans."""

    model_config = ConfigDict(title="plan")

    plans: Annotated[tuple[PlanRow, ...], BeforeValidator(_items)] = Field(
        description="The candidate plans, best first."
    )


class ToolPlanReply(Reply):
    """Candidate plans that may use tools."""

    model_config = ConfigDict(title="plan")

    plans: Annotated[tuple[ToolPlanRow, ...], BeforeValidator(_items)] = Field(
        description="The candidate plans, best first."
    )


class PartRow(Reply):
    """Whether the passages answer one question."""

    question: Id = Field(description="The question's id, e.g. Q1.")
    answerable: bool = Field(description="True only if a passage states the answer.")
    source: Id = Field(default="", description="Id of the passage that states it, or empty.")
    quote: Text = Field(default="", description="The words that state it, copied exactly, or empty.")
    missing: Text = Field(default="", description="If not answerable: what a passage would have to state.")


class SufficeReply(Reply):
    """Whether the passages are enough."""

    model_config = ConfigDict(title="suffice")

    parts: Annotated[tuple[PartRow, ...], BeforeValidator(_items)] = Field(description="One entry per question.")


class StatementRow(Reply):
    """One sentence of an answer."""

    text: Text = Field(description="One sentence, in the language of the question.")
    sources: Ids = Field(description="Ids of the passages that state it, e.g. S1.")
    quote: Text = Field(default="", description="The words that prove it, copied exactly from one of them.")


class AnswerReply(Reply):
    """An answer from passages."""

    model_config = ConfigDict(title="answer")

    answerable: bool = Field(description="False if the passages do not answer the question.")
    statements: Annotated[tuple[StatementRow, ...], BeforeValidator(_items)] = Field(
        description="1 to 6 statements, most important first; none if not answerable."
    )
    missing: Text = Field(default="", description="What the passages do not say, or empty.")


class DistilRow(Reply):
    """One thing worth keeping from a passage."""

    kind: ItemKind = Field(description="What it is.")
    text: Text = Field(description="One sentence; for code: what the code does.")
    source: Id = Field(description="Id of the passage, e.g. S1.")
    quote: Text = Field(description="The words or the code, copied exactly from that passage.")
    language: Text = Field(default="", description="For code: its language. Else empty.")


class DistilReply(Reply):
    """What passages say that helps."""

    model_config = ConfigDict(title="distil")

    items: Annotated[tuple[DistilRow, ...], BeforeValidator(_items)] = Field(
        description="At most 8 items, most useful first."
    )


class ScoreReply(Reply):
    """How good a response is, by five criteria."""

    model_config = ConfigDict(title="score")

    completeness: Rating = Field(description="0 to 4.")
    consistency: Rating = Field(description="0 to 4.")
    specificity: Rating = Field(description="0 to 4.")
    grounding: Rating = Field(description="0 to 4.")
    hedging: Rating = Field(description="0 to 4.")
    reason: Text = Field(default="", description="One short sentence on the lowest rating.")


class VerdictRow(Reply):
    """What the passages say about one claim."""

    claim: Id = Field(description="The claim's id, e.g. C1.")
    verdict: VerdictName = Field(description="What the quoted passage says about it.")
    quote: Text = Field(default="", description="The deciding words, copied exactly, or empty if unverified.")
    reason: Text = Field(default="", description="Why, in at most 12 words.")


class SupportReply(Reply):
    """Verdicts on claims."""

    model_config = ConfigDict(title="support")

    verdicts: Annotated[tuple[VerdictRow, ...], BeforeValidator(_items)] = Field(description="One entry per claim.")


class PairRow(Reply):
    """How two claims go together."""

    pair: Id = Field(description="The pair's id, e.g. P1.")
    kind: PairKind = Field(description="How they disagree, or none.")
    explanation: Text = Field(default="", description="What they disagree on, in at most 20 words; empty for none.")


class ReconcileReply(Reply):
    """Disagreements among claims."""

    model_config = ConfigDict(title="reconcile")

    pairs: Annotated[tuple[PairRow, ...], BeforeValidator(_items)] = Field(description="One entry per pair.")


class SentenceRow(Reply):
    """One sentence of the composed answer."""

    text: Text = Field(description="One sentence.")
    claims: Ids = Field(description="Ids of the claims that it states, e.g. C1.")


class ComposeReply(Reply):
    """The composed answer."""

    model_config = ConfigDict(title="compose")

    sentences: Annotated[tuple[SentenceRow, ...], BeforeValidator(_items)] = Field(
        description="The sentences of the answer, in order."
    )
