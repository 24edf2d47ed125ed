"""The state of the ``retrieve`` subgraph.

Its input is the request alone and its output only deltas: a child that took the parent's evidence or spend in would
count them twice, and would store the whole parent state in its own checkpoints.
"""

from typing import Annotated, Any

from langgraph.channels.delta import DeltaChannel
from langgraph.channels.ephemeral_value import EphemeralValue
from pydantic import BaseModel, ConfigDict, Field
from typing_extensions import TypedDict

from calibrant.state.base import Value, appended, folded, latest, merged
from calibrant.state.budget import Spend, add_spend
from calibrant.state.channels import merged_texts
from calibrant.state.evidence import Evidence, SearchQuery
from calibrant.state.retrieval import (
    RetrievalRequest,
    RetrievalResult,
    Round,
    SourceReport,
    Sufficiency,
)


class Search(Value):
    """One query to one source: what a ``search`` node gets."""

    source: str
    query: SearchQuery
    depth: int = 1
    seconds: float = 5.0
    urged: bool = False
    asked: str = ""
    """The query as the round planned it, where the source is sent more words (its subject) than that has."""

    @property
    def of_round(self) -> str:
        """The query that the round planned."""
        return self.asked or self.query.text


class PageJob(Value):
    """One page to read: what a ``read_page`` node gets."""

    result: Evidence
    """The search result that the page stands behind."""
    question: str
    """What its best passages are chosen by."""
    exclude: tuple[str, ...] = ()
    depth: int = 3
    seconds: float = 5.0


class Plan(Value):
    """What the coming round does."""

    number: int
    depth: int
    searches: tuple[Search, ...] = ()
    pages: tuple[PageJob, ...] = ()
    leads: dict[str, float] = Field(default_factory=dict)
    """Names that passages have led to so far, each with how relevant the passage is, 0..1. Some are searched for; what
    stands under one of them counts as much, however it was found."""

    @property
    def queries(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(search.of_round for search in self.searches))


class Hits(Value):
    """What one search gave, or one page."""

    query: str
    page: str = ""
    """The address that was read, for a page."""
    evidence: tuple[Evidence, ...] = ()
    report: SourceReport


class Standing(Value):
    """Where the retrieval stands after a round."""

    sufficiency: Sufficiency = Sufficiency()
    before: float = 0.0
    kept: tuple[str, ...] = ()
    """Ids of the passages kept, best first."""
    relevance: tuple[float, ...] = ()
    """How well each of them fits the question, 0..1."""
    beside: tuple[Evidence, ...] = ()
    """What stands next to the best of them, for a model."""
    waited: float = 0.0
    """Seconds in which a model read what was found: the time limit is for searches."""
    leads: dict[str, float] = Field(default_factory=dict)
    """Names that lead on from these, most promising first, each with its strength; none where no round follows."""
    named_before: tuple[str, ...] = ()
    """What a model has named as missing in the rounds before: it may have no call for this one."""
    stop: str = ""
    """A ``StopReason`` once the retrieval is over."""


class RetrieveInput(TypedDict):
    """What the parent hands over."""

    request: Annotated[RetrievalRequest | None, latest(RetrievalRequest)]


class RetrieveOutput(TypedDict, total=False):
    """What comes back: deltas for the parent's channels of the same names."""

    retrievals: tuple[RetrievalResult, ...]
    evidence: tuple[Evidence, ...]
    spend: Spend
    warnings: tuple[str, ...]


class RetrieveState(TypedDict, total=False):
    """Every channel of the subgraph."""

    request: Annotated[RetrievalRequest | None, latest(RetrievalRequest)]
    """The parent, or ``open_request``."""
    plan: Annotated[Plan | None, latest(Plan)]
    """``plan_search``; last write."""
    hits: Annotated[tuple[Hits, ...], DeltaChannel(folded(appended(Hits)), list)]
    """Each ``search`` and ``read_page``; appended, and stored as deltas: these are whole passages."""
    rounds: Annotated[tuple[Round, ...], appended(Round)]
    """``rank``; appended: the log."""
    standing: Annotated[Standing | None, latest(Standing)]
    """``rank``; last write."""
    retrievals: Annotated[tuple[RetrievalResult, ...], appended(RetrievalResult)]
    """``distil``: the one result, for the parent to append."""
    evidence: Annotated[tuple[Evidence, ...], DeltaChannel(folded(merged(Evidence)), list)]
    """``distil``: the passages kept."""
    spend: Annotated[Spend, add_spend]
    """Everyone, as deltas."""
    warnings: Annotated[tuple[str, ...], merged_texts]
    """Everyone; appended."""


class InformationState(RetrieveState, total=False):
    """The same for the exported graph. What its caller gives holds for one run: a thread's next run brings its own, and
    the sources that it asks for are not those that the last one reported."""

    query: Annotated[Any, EphemeralValue]
    """The caller; ``report`` says it again."""
    context: Annotated[Any, EphemeralValue]
    """The caller."""
    sources: Annotated[Any, EphemeralValue]
    """The caller: names. ``report``: how each fared."""
    max_results: Annotated[Any, EphemeralValue]
    """The caller."""
    power: Annotated[Any, EphemeralValue]
    """The caller."""


class RetrieveView(BaseModel):
    """The subgraph's state as its nodes read it."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    request: RetrievalRequest | None = None
    plan: Plan | None = None
    hits: tuple[Hits, ...] = ()
    rounds: tuple[Round, ...] = ()
    standing: Standing | None = None
    retrievals: tuple[RetrievalResult, ...] = ()
    evidence: tuple[Evidence, ...] = ()
    spend: Spend = Spend()
    warnings: tuple[str, ...] = ()

    @property
    def wanted(self) -> RetrievalRequest:
        """The request; the subgraph does not run without one."""
        if self.request is None:
            raise RuntimeError("a retrieval needs a request")
        return self.request

    @property
    def found(self) -> dict[str, Evidence]:
        """All that the searches gave, by id."""
        return {item.id: item for hits in self.hits for item in hits.evidence}
