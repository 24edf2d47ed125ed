"""The tools that a run may use: the embedder's and those of configured servers; what is declared of each."""

from collections.abc import Iterator, Mapping
from contextlib import suppress
from inspect import Parameter, signature
from typing import Any, NamedTuple, get_args, get_origin

from langchain_core.tools import BaseTool, InjectedToolArg, InjectedToolCallId
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
        ToolCard(name=name, description=tool.description, schema=parameters_of(tool)) for name, tool in tools.items()
    )


def is_read_only(tool: BaseTool) -> bool:
    """Read-only by declaration (``metadata={"read_only": True}``, else MCP's ``readOnlyHint``), else it needs approval.
    What is no plain True says nothing."""
    declared = tool.metadata or {}
    return declared.get("read_only", declared.get("readOnlyHint")) is True


def takes_call_id(tool: BaseTool) -> bool:
    """Whether the tool takes the id of its call (``InjectedToolCallId``): LangChain then wants one, default or not."""
    return any(_is_any(one.mark, InjectedToolCallId) for one in _marks(tool))


def out_of_reach(tool: BaseTool) -> str:
    """The argument that only an agent of LangGraph's gives a tool (``InjectedState``, ``InjectedStore``,
    ``ToolRuntime``), if it requires one; else empty."""
    from langgraph.prebuilt import ToolRuntime

    injected = (one for one in _marks(tool) if one.required and _is_any(one.mark, InjectedToolArg, ToolRuntime))
    return next((one.argument for one in injected if not _is_any(one.mark, InjectedToolCallId)), "")


class _Mark(NamedTuple):
    argument: str
    required: bool
    mark: Any


def _marks(tool: BaseTool) -> Iterator[_Mark]:
    """The types of the arguments and what marks them. The schema may leave out what the function is to be given, and
    the function may not say what the schema does."""
    function: Any = getattr(tool, "coroutine", None) or getattr(tool, "func", None)
    parameters: list[Parameter] = []
    with suppress(Exception):  # no function, or an annotation that leads nowhere
        parameters = list(signature(function, eval_str=True).parameters.values())
    for one in parameters:
        marks = (one.annotation, *get_args(one.annotation)[1:])
        yield from (_Mark(one.name, one.default is Parameter.empty, mark) for mark in marks)
    schema = None if isinstance(tool.args_schema, dict) else tool.get_input_schema()
    for name, field in getattr(schema, "model_fields", {}).items():
        yield from (_Mark(name, field.is_required(), mark) for mark in (field.annotation, *field.metadata))


def _is_any(mark: Any, *kinds: type) -> bool:
    """Whether ``mark`` is one of ``kinds``, of one of them, or one of them with parameters."""
    kind = get_origin(mark) or mark
    return issubclass(kind if isinstance(kind, type) else type(kind), kinds)


def parameters_of(tool: BaseTool) -> dict[str, Any]:
    """The JSON schema of what a caller gives, without what the runtime injects."""
    schema = tool.tool_call_schema
    return schema if isinstance(schema, dict) else TypeAdapter(schema).json_schema()
