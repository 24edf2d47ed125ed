"""``report`` renders a retrieval in the shape of spec 1's tool output: flat JSON."""

from typing import Any

from langgraph.runtime import Runtime
from typing_extensions import TypedDict

from calibrant.nodes.deps import Deps, Node
from calibrant.nodes.retrieval.channels import RetrieveView
from calibrant.state.budget import Spend
from calibrant.state.channels import Update
from calibrant.state.context import Context
from calibrant.state.retrieval import as_tool_output


class ToolOutput(TypedDict, total=False):
    """``as_tool_output``'s fields, flat."""

    retrieval_id: str
    query: str
    documents: list[dict[str, Any]]
    synthesis: dict[str, Any]
    confidence_boost: float
    new_confidence: float
    depth_used: int
    rounds: list[dict[str, Any]]
    sources: list[dict[str, Any]]
    sufficiency: dict[str, Any]
    spend: Spend
    stop_reason: str
    suggestion: str


def report(_: Deps) -> Node:
    """The node."""

    async def node(state: RetrieveView, runtime: Runtime[Context]) -> Update:
        if not state.retrievals:
            raise RuntimeError("report runs after distil")
        output = as_tool_output(state.retrievals[-1], state.evidence)
        # The spend channel already holds the sum: writing it again would add it twice.
        return {key: value for key, value in output.items() if key != "spend"}

    return node
