"""``retrieve_information`` as a LangChain tool.

    tool = retrieve_information_tool()
    found = await tool.ainvoke({"query": "How are failed jobs retried?", "context": "writing a runbook"})

The run behind it is the MCP server's too.
"""

from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping, Sequence
from contextlib import aclosing
from typing import TYPE_CHECKING, Any, cast

from langchain_core.embeddings import Embeddings
from langchain_core.language_models import BaseChatModel
from langchain_core.tools import StructuredTool, ToolException
from langgraph.types import StreamMode
from pydantic import TypeAdapter

from calibrant.graph.build import build_retrieval_graph
from calibrant.graph.retrieval import Compiled
from calibrant.nodes.retrieval.open_request import ToolInput
from calibrant.state.context import Context
from calibrant.state.errors import CalibrantError
from calibrant.state.protocols import Source, TextEncoder

if TYPE_CHECKING:
    from langchain_core.runnables import RunnableConfig

Tell = Callable[[Any], Awaitable[None]]
"""Is told each event of a run while it runs."""

JSON: TypeAdapter[dict[str, Any]] = TypeAdapter(dict[str, Any])
"""Turns what a graph gives, models included, into plain data."""

NAME = "retrieve_information"
DESCRIPTION = (
    "Search the configured sources when you are not sure enough to go on. Gives the passages that bear on the query, "
    "what they say in short, how far they suffice (new_confidence, 0 to 1) and how much that is more than before."
)


def retrieve_information_tool(
    model: BaseChatModel | None = None,
    embeddings: Embeddings | TextEncoder | None = None,
    sources: Sequence[Source] | None = None,
    context: Context | None = None,
) -> StructuredTool:
    """The retrieval as a tool for any LangChain agent: read-only, asynchronous, flat input and output.

    Arguments as for ``build_graph``. What a caller can put right (an empty query, an unknown source) is a
    ``ToolException`` with one line; set ``handle_tool_error`` on the tool to hand that line to the agent instead. What
    does not fit the tool's schema is LangChain's ``ValidationError``; ``ToolNode`` hands it on by itself.
    """
    return tool_over(build_retrieval_graph(model, embeddings, sources, context=context))


def tool_over(graph: Compiled) -> StructuredTool:
    """The tool over a compiled ``information_graph``."""

    async def retrieve_information(**given: Any) -> dict[str, Any]:
        try:
            return await retrieved(graph, given)
        except CalibrantError as error:
            raise ToolException(str(error)) from None

    return StructuredTool.from_function(
        coroutine=retrieve_information,
        name=NAME,
        description=DESCRIPTION,
        args_schema=ToolInput,
        metadata={"read_only": True, "readOnlyHint": True},
    )


async def retrieved(
    graph: Compiled, given: Mapping[str, Any], *, context: Context | None = None, tell: Tell | None = None
) -> dict[str, Any]:
    """One retrieval, as JSON-ready data."""
    request = ToolInput.model_validate(given).model_dump(mode="json")
    output = await followed(graph, request, context=context, tell=tell)
    plain: dict[str, Any] = JSON.dump_python(output, mode="json")
    return plain


async def followed(
    graph: Compiled,
    given: Any,
    config: "RunnableConfig | None" = None,
    *,
    context: Context | None = None,
    tell: Tell | None = None,
) -> dict[str, Any]:
    """The output of a run whose events go to ``tell`` as they come. Cancelled, it leaves nothing at work."""
    output: dict[str, Any] = {}
    outermost: tuple[str, ...] | None = None  # not (): within another graph's node this one's is a place of that graph
    modes: list[StreamMode] = ["custom", "values"]
    stream = graph.astream(
        given, config, context=context, stream_mode=modes, subgraphs=True, output_keys=graph.output_channels
    )
    async with aclosing(cast("AsyncGenerator[Any, None]", stream)) as parts:
        async for namespace, mode, chunk in parts:
            if mode == "values" and (outermost is None or len(namespace) <= len(outermost)):
                outermost, output = namespace, chunk
            elif mode == "custom" and tell is not None:
                await tell(chunk)
    return output
