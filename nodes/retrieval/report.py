"""``report`` renders a retrieval in the shape of spec 1's tool output: flat JSON."""

from typing import Any

from langgraph.runtime import Runtime
from typing_extensions import TypedDict

from calibrant.nodes.deps import Deps, Node
from calibrant.nodes.recording import keep, retrieval_record
from calibrant.nodes.retrieval.channels import RetrieveView
from calibrant.state.budget import Spend
from calibrant.state.channels import Update
from calibrant.state.context import Context
from calibrant.state.retrieval import Round, as_tool_output

SUMMED = ("spend", "rounds")
"""Channels that already hold what was added up: writing it again would count it twice."""


class ToolOutput(TypedDict, total=False):
    """``as_tool_output``'s fields, flat, and what went wrong or fell short."""

    retrieval_id: str
    query: str
    documents: list[dict[str, Any]]
    synthesis: dict[str, Any]
    confidence_boost: float
    new_confidence: float
    depth_used: int
    rounds: tuple[Round, ...]
    sources: list[dict[str, Any]]
    sufficiency: dict[str, Any]
    spend: Spend
    stop_reason: str
    suggestion: str
    warnings: tuple[str, ...]


def report(deps: Deps) -> Node:
    """The node."""

    async def node(state: RetrieveView, runtime: Runtime[Context]) -> Update:
        if not state.retrievals or state.request is None:
            raise RuntimeError("report runs after distil")
        result = state.retrievals[-1]
        wanted = result.replace(evidence_ids=result.evidence_ids[: state.request.max_results])
        output = as_tool_output(wanted, state.evidence)
        await keep(retrieval_record(result, state.request, state.spend, deps.clock()), deps, runtime)
        warnings = (result.shortfall,) if result.shortfall else ()
        return {"warnings": warnings, **{key: value for key, value in output.items() if key not in SUMMED}}

    return node
