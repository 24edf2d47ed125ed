"""What an embedding program passes to ``build_graph``, checked before anything is built of it."""

from collections.abc import Collection, Sequence
from typing import TypeVar

from langchain_core.embeddings import Embeddings
from langchain_core.language_models import BaseChatModel
from langchain_core.tools import BaseTool

from calibrant.nodes.deps import Recorder
from calibrant.nodes.toolbox import out_of_reach
from calibrant.retrievers.pages import PageReader
from calibrant.state.context import Context
from calibrant.state.errors import ConfigurationError
from calibrant.state.protocols import Source, TextEncoder

N = TypeVar("N", Source, BaseTool)


def check_arguments(
    model: object,
    embeddings: object,
    sources: Sequence[Source] | None,
    tools: Sequence[BaseTool] | None,
    context: object,
    pages: object,
    recorder: object,
) -> None:
    """Raises ``ConfigurationError`` for what is not of its type: a run would fail by it, far from here."""
    check_type(model, BaseChatModel, "chat model", "pass one of LangChain's, such as ChatOpenAI(...), as it is")
    check_type(embeddings, (Embeddings, TextEncoder), "embeddings", "pass LangChain's Embeddings, or a TextEncoder")
    check_type(context, Context, "context", "pass calibrant.graph.settings.Settings(...) with what it names")
    check_type(pages, PageReader, "page reader", "pass calibrant.retrievers.pages.PageReader(...)")
    check_type(
        recorder, Recorder, "recorder (async record)", "pass calibrant.graph.runs.RunLog(folder), or one like it"
    )
    check_type(sources, Collection, "list of sources", "put it into one: sources=[...]")
    check_type(tools, Collection, "list of tools", "put it into one: tools=[...]")
    for source in sources or ():
        hint = "wrap a LangChain retriever in LangChainSource(retriever, name) of calibrant.retrievers.langchain"
        check_type(source, Source, "source (name, remote, async search)", hint)
    for tool in tools or ():
        check_type(tool, BaseTool, "tool", "decorate a function with langchain_core.tools.tool")
        if name := out_of_reach(tool):
            told = f"the tool {tool.name!r} wants {name!r} injected, which only an agent of LangGraph's does"
            raise ConfigurationError(f"{told}: give it a default, or pass a tool that has it")


def check_type(given: object, kinds: type | tuple[type, ...], what: str, hint: str) -> None:
    """Raises ``ConfigurationError`` for an argument that is something else; None stands for one that was not given."""
    if isinstance(given, type):
        raise ConfigurationError(f"the class {given.__name__} is no {what}: pass one that is made of it")
    if given is not None and not isinstance(given, kinds):
        raise ConfigurationError(f"a {type(given).__name__} is no {what}: {hint}")


def by_name(given: Sequence[N], what: str) -> dict[str, N]:
    """``given`` by name. Raises ``ConfigurationError`` where two have one name: one would be left out unseen."""
    names = [one.name for one in given]
    double = next((name for name in names if names.count(name) > 1), None)
    if double is not None:
        raise ConfigurationError(f"two {what} are named {double!r}: give each a name of its own")
    return dict(zip(names, given, strict=True))
