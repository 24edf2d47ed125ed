"""``report`` renders a retrieval in the shape of spec 1's tool output: flat JSON."""

from langgraph.runtime import Runtime

from calibrant.nodes.deps import Deps, Node
from calibrant.nodes.keeping.recording import keep, retrieval_record
from calibrant.nodes.retrieval.channels import RetrieveView
from calibrant.nodes.telling.notices import orders_in
from calibrant.state.channels import Update
from calibrant.state.context import Context
from calibrant.state.tool_output import as_tool_output

SUMMED = ("spend", "rounds")
"""Channels that already hold what was added up: writing it again would count it twice."""


def report(deps: Deps) -> Node:
    """The node: writes the retrieval's flat output, and has it recorded."""

    async def node(state: RetrieveView, runtime: Runtime[Context]) -> Update:
        if not state.retrievals or state.request is None:
            raise RuntimeError("report runs after distil")
        result = state.retrievals[-1]
        wanted = result.replace(evidence_ids=result.evidence_ids[: state.request.max_results])
        output = as_tool_output(wanted, state.evidence)
        record = retrieval_record(result, state.request, state.spend, deps.clock())
        await keep(record, deps, runtime, state.request.filters.collections)
        given = set(wanted.evidence_ids)
        output["warnings"] += orders_in(item for item in state.evidence if item.id in given)
        return {key: value for key, value in output.items() if key not in SUMMED}

    return node
