"""What a model may answer: flat, few fields, bounded lists, and a name that judgement, schema and tool share.

Reading is lenient where the meaning is plain (``lenient``), and a row that does not fit is left out: it is no reason to
lose the others.

A model writes fields in their order, so what a judgement rests on stands before it: the quotation before the
statement, what differs before the verdict.
"""

from typing import Annotated, Any, Self

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, WrapValidator, model_validator

from calibrant.judges.model.lenient import (
    CallId,
    ClaimId,
    ClaimIds,
    Count,
    Flag,
    ItemKind,
    Json,
    KnownQueryType,
    Missing,
    Numbers,
    PairId,
    PairKind,
    QuestionId,
    Quote,
    Rating,
    SourceId,
    SourceIds,
    Text,
    Texts,
    Truth,
    VerdictName,
    items,
    letters,
    sound,
)


class Reply(BaseModel):
    """The base of everything a model returns. ``title`` is its name on the wire."""

    model_config = ConfigDict(extra="ignore", str_strip_whitespace=True)

    @model_validator(mode="before")
    @classmethod
    def _by_name(cls, value: Any) -> Any:
        """The fields by their names, however these are written: ``queryType``, ``Query type``, ``source`` of one."""
        if not isinstance(value, dict):
            return value
        names = {letters(name).rstrip("s"): name for name in cls.model_fields}
        names.setdefault("id", next(iter(cls.model_fields), "id"))  # of a row: it comes first
        near = {names.get(letters(str(key)).rstrip("s"), key): item for key, item in value.items()}
        return {**near, **{key: item for key, item in value.items() if key in cls.model_fields}}


class CountedRow(Reply):
    """A success criterion as the model gives it."""

    what: Text = Field(description="What to count, in a few words.")
    target: Count = Field(default=1, description="How many at least.")


class UnderstandReply(Reply):
    """The request as understood."""

    model_config = ConfigDict(title="understand")

    request: Text = Field(default="", description="The request as one self-contained sentence.")
    query_type: KnownQueryType = Field(default=None, description="What kind of answer it needs.")
    questions: Texts = Field(description="1 to 5 self-contained questions to look up.")
    assumptions: Texts = Field(default=(), description="At most 4: what is taken for granted.")
    risks: Texts = Field(default=(), description="At most 4: what could make an answer wrong or harmful.")
    criteria: Annotated[tuple[CountedRow, ...], WrapValidator(sound)] = Field(
        default=(), description="At most 3 success criteria that can be counted."
    )
    time_sensitive: Flag = Field(default=False, description="True if the answer changes within months.")
    vague: Flag = Field(default=False, description="True if nobody could search for this as it stands.")
    wording: Text = Field(default="", description="If vague: a sharper wording to propose. Else empty.")


class StepRow(Reply):
    """One step of a plan."""

    question: Text = Field(description="The question that this step answers.")
    queries: Texts = Field(default=(), description="1 to 3 search queries of a few words.")
    after: Numbers = Field(default=(), description="Numbers of the steps whose results it needs. Usually empty.")


class ToolStepRow(StepRow):
    """One step of a plan that may use a tool."""

    tool: Text = Field(default="", description="Name of a tool, or empty to answer from passages.")
    arguments: Json = Field(default="", description="The tool's arguments as a JSON object in a string, or empty.")


class PlanRow(Reply):
    """One candidate plan."""

    name: Text = Field(description="Two to five words.")
    rationale: Text = Field(default="", description="One or two sentences: why this may work.")
    sources: Texts = Field(default=(), description="Names of the sources to prefer; empty for all.")
    risks: Texts = Field(default=(), description="At most 3: what could make it fail.")
    issues: Texts = Field(default=(), description="At most 3: what is likely to come up on the way.")
    steps: Annotated[tuple[StepRow, ...], BeforeValidator(items)] = Field(description="1 to 6 steps.")


class ToolPlanRow(PlanRow):
    """One candidate plan that may use tools."""

    steps: Annotated[tuple[ToolStepRow, ...], BeforeValidator(items)] = Field(description="1 to 6 steps.")


class PlanReply(Reply):
    """Candidate plans."""

    model_config = ConfigDict(title="plan")

    plans: Annotated[tuple[PlanRow, ...], WrapValidator(sound)] = Field(description="The candidate plans, best first.")


class ToolPlanReply(Reply):
    """Candidate plans that may use tools."""

    model_config = ConfigDict(title="plan")

    plans: Annotated[tuple[ToolPlanRow, ...], WrapValidator(sound)] = Field(
        description="The candidate plans, best first."
    )


class CallRow(Reply):
    """One call, completed."""

    call: CallId = Field(description="The call's id, e.g. K1.")
    arguments: Json = Field(
        default="", description="All of its arguments that are known, as a JSON object in a string."
    )
    drop: Flag = Field(default=False, description="True if the call is not to be made.")
    reason: Text = Field(
        default="", description="In at most 12 words: why it is dropped, or what is not known; or empty."
    )


class FillReply(Reply):
    """Planned calls, completed."""

    model_config = ConfigDict(title="fill")

    calls: Annotated[tuple[CallRow, ...], WrapValidator(sound)] = Field(description="One entry per call.")


class PartRow(Reply):
    """Whether the passages answer one question."""

    question: QuestionId = Field(description="The question's id, e.g. Q1.")
    sources: SourceIds = Field(default=(), description="Ids of the passages that state the answer, e.g. S1; or empty.")
    quote: Quote = Field(default="", description="The words that prove it, copied exactly, or empty.")
    answerable: Truth = Field(description="True if the passages state the answer, or it follows directly.")
    missing: Missing = Field(default="", description="If not answerable: words to search for what is missing.")


class SufficeReply(Reply):
    """Whether the passages are enough."""

    model_config = ConfigDict(title="suffice")

    parts: Annotated[tuple[PartRow, ...], WrapValidator(sound)] = Field(description="One entry per question.")


class StatementRow(Reply):
    """One sentence of an answer."""

    sources: SourceIds = Field(default=(), description="Ids of the passages that it is from, e.g. S1.")
    quote: Quote = Field(default="", description="The words that prove it, copied exactly from them.")
    text: Text = Field(description="The statement: one sentence, in the language of the question.")

    @model_validator(mode="after")
    def _rests_on_something(self) -> Self:
        if not (self.sources or self.quote):
            raise ValueError("names no source and quotes nothing")
        return self


class AnswerReply(Reply):
    """An answer from passages."""

    model_config = ConfigDict(title="answer")

    statements: Annotated[tuple[StatementRow, ...], WrapValidator(sound)] = Field(
        default=(), description="1 to 10 statements, the direct answer first; none if not answerable."
    )
    disputed: Numbers = Field(
        default=(), description="Numbers of statements that answer the same thing otherwise. Usually empty."
    )
    answerable: Truth = Field(description="False if the passages do not answer the question.")
    missing: Missing = Field(default="", description="Words to search for what stays unanswered, or empty.")

    @model_validator(mode="before")
    @classmethod
    def _answers(cls, value: Any) -> Any:
        """Statements are an answer, said or not."""
        silent = isinstance(value, dict) and value.get("statements") and value.get("answerable") in (None, "")
        return {**value, "answerable": True} if silent else value

    @model_validator(mode="after")
    def _says_what_it_answers(self) -> Self:
        if self.answerable and not self.statements:
            raise ValueError("answerable is true, and there is no statement: give the statements, or say false")
        return self


class DistilRow(Reply):
    """One thing worth keeping from a passage."""

    source: SourceId = Field(description="Id of the passage, e.g. S1.")
    quote: Text = Field(description="The words or the code, copied exactly from that passage.")
    kind: ItemKind = Field(description="What it is.")
    text: Text = Field(description="One sentence; for code: what the code does.")
    language: Text = Field(default="", description="For code: its language. Else empty.")


class DistilReply(Reply):
    """What passages say that helps."""

    model_config = ConfigDict(title="distil")

    items: Annotated[tuple[DistilRow, ...], WrapValidator(sound)] = Field(
        description="At most 8 items, most useful first."
    )


class ScoreReply(Reply):
    """How good a response is, by five criteria."""

    model_config = ConfigDict(title="score")

    completeness: Rating = Field(default=None, description="0 to 4.")
    consistency: Rating = Field(default=None, description="0 to 4.")
    specificity: Rating = Field(default=None, description="0 to 4.")
    grounding: Rating = Field(default=None, description="0 to 4.")
    hedging: Rating = Field(default=None, description="0 to 4.")
    reason: Text = Field(default="", description="One short sentence on the lowest rating, or empty.")

    @property
    def ratings(self) -> tuple[int, ...]:
        """Those that were given."""
        given = (self.completeness, self.consistency, self.specificity, self.grounding, self.hedging)
        return tuple(rating for rating in given if rating is not None)

    @model_validator(mode="after")
    def _rates(self) -> Self:
        if not self.ratings:
            raise ValueError("at least one rating must be a whole number from 0 to 4")
        return self


class VerdictRow(Reply):
    """What the passages say about one claim."""

    claim: ClaimId = Field(description="The claim's id, e.g. C1.")
    quote: Quote = Field(default="", description="The deciding words, copied exactly, or empty if there are none.")
    reason: Text = Field(default="", description="In at most 12 words, what differs or is missing; or empty.")
    verdict: VerdictName = Field(description="What the passages say about it.")
    holds: Text = Field(default="", description="If qualified or unverified: what of it they state. Else empty.")


class SupportReply(Reply):
    """Verdicts on claims."""

    model_config = ConfigDict(title="support")

    verdicts: Annotated[tuple[VerdictRow, ...], WrapValidator(sound)] = Field(description="One entry per claim.")


class PairRow(Reply):
    """How two claims go together."""

    pair: PairId = Field(description="The pair's id, e.g. P1.")
    explanation: Text = Field(default="", description="What they disagree on, in at most 20 words; or empty.")
    kind: PairKind = Field(description="How they disagree, or none.")
    in_force: Text = Field(default="", description="1 or 2: the claim that replaces the other, or empty.")


class ReconcileReply(Reply):
    """Disagreements among claims."""

    model_config = ConfigDict(title="reconcile")

    pairs: Annotated[tuple[PairRow, ...], WrapValidator(sound)] = Field(description="One entry per pair.")


class SentenceRow(Reply):
    """One sentence of the composed answer."""

    text: Text = Field(description="One sentence.")
    claims: ClaimIds = Field(description="Ids of the claims that it states, e.g. C1.")


class ComposeReply(Reply):
    """The composed answer."""

    model_config = ConfigDict(title="compose")

    sentences: Annotated[tuple[SentenceRow, ...], WrapValidator(sound)] = Field(
        description="The sentences of the answer, in order; none if no claim answers."
    )
