"""``open_request`` turns the flat input of the exported graph (spec 1's ``retrieve_information``) into a request."""

from typing import Any

from langgraph.runtime import Runtime
from langgraph.types import Overwrite
from pydantic import BaseModel, ConfigDict, Field, model_validator
from typing_extensions import TypedDict

from calibrant.judges.given import ToUnderstand
from calibrant.nodes.deps import Deps, Node, check_context
from calibrant.nodes.work import Work
from calibrant.state.budget import Ledger
from calibrant.state.channels import Update
from calibrant.state.context import Context
from calibrant.state.errors import InputError
from calibrant.state.evidence import Filters
from calibrant.state.retrieval import RetrievalRequest
from calibrant.state.task import INITIAL_DEPTH, Power
from calibrant.state.validation import bounded, legible, validated


class ToolInput(BaseModel):
    """What to search for."""

    model_config = ConfigDict(extra="forbid")  # an argument that is passed over would seem to be heeded

    query: str = Field(description="What to search for")
    context: str = Field(
        default="", description="What it is for, in a few words; searched for too where the query finds too little"
    )
    sources: list[str] = Field(
        default_factory=list,
        description="Sources to search, of those configured (knowledge, memory, web, github, stackoverflow, docs, "
        "arxiv, youtube, wikipedia); empty means all of them",
    )
    max_results: int = Field(default=10, ge=1, le=100, description="Documents wanted at most")
    power: Power | None = Field(
        default=None, description="Depth of search: auto, or forced 1, 2, 3; left out, the configured one"
    )

    @model_validator(mode="before")
    @classmethod
    def _without_nulls(cls, given: Any) -> Any:
        """Models write null for what they leave out."""
        return {name: value for name, value in given.items() if value is not None} if isinstance(given, dict) else given


class Given(TypedDict, total=False):
    """The same before it is read: the node says what does not fit, not LangGraph."""

    query: Any
    context: Any
    sources: Any
    max_results: Any
    power: Any


CLEARED: Update = {
    "plan": None, "standing": None,
    "hits": Overwrite(()), "rounds": Overwrite(()), "retrievals": Overwrite(()), "evidence": Overwrite(()),
}  # fmt: skip
"""What a retrieval starts without, on a thread that has made one."""


def open_request(deps: Deps) -> Node:
    """The node. Raises ``InputError`` for an empty query, an unknown source or what does not fit."""

    async def node(state: Given, runtime: Runtime[Context]) -> Update:
        check_context(runtime)
        work = await Work.begin(deps, runtime)
        given = validated(ToolInput, state)
        query = legible(given.query).strip()
        if not query:
            raise InputError("the query is empty: say what to search for")
        bounded(query, "the query")
        unknown = [name for name in given.sources if name not in deps.sources]
        if unknown:
            raise InputError(f"unknown source {unknown[0]!r}: configured are {', '.join(deps.sources) or 'none'}")
        asked = ToUnderstand(text=query, today=work.today)
        task = (await work.judge(work.panel.understand, asked)).value
        power = given.power or work.context.power
        request = RetrievalRequest(
            id=deps.new_id(),
            query=query,
            context=legible(given.context),
            questions=tuple(part.text for part in task.questions) or (query,),
            sources=tuple(given.sources),
            max_results=given.max_results,
            query_type=task.query_type,
            time_sensitive=task.time_sensitive,
            power=power,
            start_depth=power.depth or INITIAL_DEPTH[task.query_type],
            filters=Filters(collections=work.context.knowledge),
            limits=work.context.retrieval,
            allowance=Ledger(limits=work.limits, spend=work.before).left(),
            began=work.ledger.seconds_spent,
        )
        opened = work.done({"request": request})
        return {**CLEARED, **opened, **{name: Overwrite(opened[name]) for name in ("spend", "warnings")}}

    return node
