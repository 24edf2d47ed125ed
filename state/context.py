"""The configuration that a run can see and change: the graph's ``context_schema``.

It is plain data without secrets, because the server stores it in checkpoint metadata. ``graph/settings.py`` fills it
from argument, environment, file and default, in this order.
"""

from typing import Annotated, Literal, TypeVar

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, field_validator

from calibrant.state.budget import RetrievalLimits, RunLimits
from calibrant.state.confidence import PhaseThresholds, PhaseWeights, ResultWeights, SufficiencyWeights, Thresholds
from calibrant.state.task import Phase, Power
from calibrant.state.uncertainty import ASK_AT, SKIP_ABOVE, SignalWeights
from calibrant.state.validation import HttpUrl

W = TypeVar("W", PhaseWeights, SufficiencyWeights, ResultWeights)

Price = Annotated[float, Field(ge=0.0, allow_inf_nan=False)]
"""Without end it would make no sum of a call that took no token."""


def _counting(weights: W) -> W:
    if not any(weights.model_dump().values()):
        raise ValueError("a weight above 0 for one factor at least")
    return weights


class ModelSettings(BaseModel):
    """The language model: any OpenAI-compatible endpoint. Empty ``name`` means none: the LLM-free tiers do the job."""

    model_config = ConfigDict(extra="forbid")

    name: str = Field(
        default="", description="Model name at the endpoint, e.g. gpt-5-mini. Empty or `none`: run without a model."
    )
    base_url: HttpUrl = Field(default="", description="Endpoint, e.g. http://localhost:11434/v1. Empty: OpenAI's own.")
    temperature: float | None = Field(default=None, ge=0.0, le=2.0, description="None leaves it to the endpoint.")
    reasoning_effort: Literal["", "none", "minimal", "low", "medium", "high", "xhigh"] = Field(
        default="", description="How long a reasoning model thinks. Empty leaves it to the endpoint."
    )
    parallel: int = Field(
        default=8, ge=1, description="Calls at once. 1 for a server that answers one at a time: the others wait here."
    )
    timeout_s: float = Field(default=30.0, gt=0.0, description="Seconds for one call.")
    max_output_tokens: int = Field(
        default=1024,
        ge=64,
        description="Cap on one call's output. A model that reaches it by thinking alone gets four times as much, "
        "OpenAI's reasoning models (gpt-5, o3) from the first call.",
    )
    dollars_per_million_in: Price = Field(default=0.0, description="Price of a million input tokens.")
    dollars_per_million_out: Price = Field(default=0.0, description="Price of a million output tokens.")

    @field_validator("name")
    @classmethod
    def _none_is_no_model(cls, name: str) -> str:
        """So that a command line can switch off the model that a file names."""
        return "" if name == "none" else name


class Switches(BaseModel):
    """Every mechanism can be switched off by name."""

    model_config = ConfigDict(extra="forbid")

    confidence: bool = Field(
        default=True, description="Decide by the confidence of each phase; off: one search, then every phase proceeds."
    )
    calibration: bool = Field(default=True, description="Turn raw confidences into how often they were right.")
    retrieval: bool = Field(default=True, description="Search when confidence is low.")
    distil: bool = Field(default=True, description="Draw insights from what was retrieved.")
    conflicts: bool = Field(default=True, description="Look for disagreement between sources.")
    refinement: bool = Field(default=True, description="Refine and retry when quality is low.")
    uncertainty: bool = Field(default=True, description="Add up uncertainty signals and ask.")
    memory: bool = Field(default=True, description="Recall and store experiences and patterns.")
    pages: bool = Field(
        default=True,
        description="Read full pages: those that a question names, and at depth 3 those behind remote results.",
    )
    caching: bool = Field(default=True, description="Cache what remote sources answer.")
    records: bool = Field(default=True, description="Keep a record of the run for `calibrant stats` and the metrics.")


class Context(BaseModel):
    """Everything that one run may configure."""

    model_config = ConfigDict(extra="forbid")

    model: ModelSettings = ModelSettings()
    interactive: bool = Field(
        default=True, description="A person can be asked. False: nobody is; the README says what is done instead."
    )
    power: Power = Field(default=Power.AUTO, description="Depth of search: auto, or forced 1, 2, 3.")
    knowledge: tuple[str, ...] = Field(
        default=(), description="Knowledge bases to search, by name. Empty: all but those that `ask -k PATH` made."
    )
    branches: int = Field(default=3, ge=1, le=8, description="Candidate strategies for a question that is not plain.")
    doubt: float = Field(
        default=0.35,
        ge=0.0,
        le=1.0,
        description="A judgement without a model that is more doubtful than this goes to the model.",
    )
    ask_at: int = Field(default=ASK_AT, ge=1, description="Uncertainty score at which a person is asked.")
    skip_above: int = Field(
        default=SKIP_ABOVE,
        ge=1,
        description="With nobody there: leave out what a phase would do next above this score.",
    )
    quality_threshold: float = Field(default=0.3, ge=0.0, le=1.0, description="Least share of verified passages.")
    quality_thresholds: dict[str, Annotated[float, Field(ge=0.0, le=1.0)]] = Field(
        default={}, description="The same for a domain: a topic word, a query type, a knowledge base or a source."
    )
    abstain_below: float = Field(
        default=0.0,
        ge=0.0,
        le=1.0,
        description="Answers with less confidence are withheld; `calibrant calibrate --risk` chooses it.",
    )
    min_confidence: float = Field(default=0.3, ge=0.0, le=1.0, description="Sub-results below are left out.")
    conflict_threshold: float = Field(default=0.5, ge=0.0, le=1.0, description="Least severity that is reported.")
    max_claims: int = Field(default=50, ge=1, description="Claims that one synthesis handles.")
    unsupported: Literal["drop", "mark"] = Field(default="drop", description="What to do with unsupported sentences.")
    limits: RunLimits = RunLimits()
    retrieval: RetrievalLimits = RetrievalLimits()
    thresholds: PhaseThresholds = PhaseThresholds()
    phase_weights: Annotated[PhaseWeights, AfterValidator(_counting)] = PhaseWeights()
    sufficiency_weights: Annotated[SufficiencyWeights, AfterValidator(_counting)] = SufficiencyWeights()
    result_weights: Annotated[ResultWeights, AfterValidator(_counting)] = ResultWeights()
    uncertainty_weights: SignalWeights = SignalWeights()
    switches: Switches = Switches()

    def thresholds_of(self, phase: Phase) -> Thresholds:
        """The thresholds of one phase."""
        thresholds: Thresholds = getattr(self.thresholds, phase.value)
        return thresholds
