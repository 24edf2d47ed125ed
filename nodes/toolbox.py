"""The tools that a run may use: the embedder's and those of configured servers; what is declared of each."""

from collections.abc import Mapping
from typing import Any

from langchain_core.tools import BaseTool
from pydantic import TypeAdapter

from calibrant.judges.given import ToolCard
from calibrant.nodes.work import Work

Tools = Mapping[str, BaseTool]


async def toolbox(work: Work) -> Tools:
    """Every tool by its name; the embedder's wins. A server that cannot be asked costs a warning."""
    deps = work.deps
    if deps.offered is None:
        return deps.tools
    offered = await deps.offered()
    work.warnings.extend(offered.warnings)
    return {**offered.tools, **deps.tools}


def tool_cards(tools: Tools) -> tuple[ToolCard, ...]:
    """The tools as a planner sees them."""
    return tuple(
        ToolCard(name=name, description=tool.description, schema=_schema(tool), read_only=is_read_only(tool))
        for name, tool in tools.items()
    )


def is_read_only(tool: BaseTool) -> bool:
    """Read-only by declaration (``metadata={"read_only": True}``, or MCP's ``readOnlyHint``), else it needs
    approval."""
    declared = tool.metadata or {}
    return bool(declared.get("read_only") or declared.get("readOnlyHint"))


def _schema(tool: BaseTool) -> dict[str, Any]:
    """The JSON schema of what a caller gives, without what the runtime injects."""
    schema = tool.tool_call_schema
    return schema if isinstance(schema, dict) else TypeAdapter(schema).json_schema()
