"""``build_graph``: from a model, embeddings, sources, tools and stores (or their defaults) to the compiled graph."""

import time
import uuid
from collections.abc import Callable, Sequence
from typing import Any

from langchain_core.embeddings import Embeddings
from langchain_core.language_models import BaseChatModel
from langchain_core.tools import BaseTool
from langgraph.checkpoint.base import BaseCheckpointSaver
from langgraph.runtime import Runtime
from langgraph.store.base import BaseStore

from calibrant.graph.arguments import by_name, check_arguments, check_type
from calibrant.graph.calibrators import calibration_of, load_calibrators
from calibrant.graph.encoders import encoder_of
from calibrant.graph.panels import panel_maker
from calibrant.graph.retrieval import Compiled, information_graph
from calibrant.graph.serde import knowing
from calibrant.graph.server_tools import ServerTools
from calibrant.graph.services import Gateway
from calibrant.graph.settings import Machine, Secrets, load_machine, load_settings, read_secrets, settings_over
from calibrant.graph.sources import default_sources, page_reading, reading
from calibrant.graph.wiring import wire
from calibrant.judges.calibration import Calibrator
from calibrant.judges.model import ModelPort, open_port
from calibrant.memory import Memory
from calibrant.nodes.deps import Deps, ReadPage, Recorder, Remembering
from calibrant.retrievers.guard import guarded
from calibrant.retrievers.pages import PageReader
from calibrant.state.context import Context
from calibrant.state.protocols import Source, TextEncoder, TokenEncoder


def build_graph(
    model: BaseChatModel | None = None,
    embeddings: Embeddings | TextEncoder | None = None,
    sources: Sequence[Source] | None = None,
    tools: Sequence[BaseTool] | None = None,
    store: BaseStore | None = None,
    checkpointer: BaseCheckpointSaver[Any] | None = None,
    context: Context | None = None,
    pages: PageReader | None = None,
    recorder: Recorder | None = None,
) -> Compiled:
    """The agent, compiled.

    Args:
        model: any chat model. Time-out, prices and calls at once are those of the settings' ``model``. Give it
            ``max_retries=0``, or what its client calls that: a call that fails is made again here, within the budget,
            and what the client tries again by itself is in no ledger. None: the model that the settings name; without
            one, the LLM-free tiers do the whole job.
        embeddings: a LangChain ``Embeddings``, or an encoder of ours. None: the settings' (MiniLM where it is found).
        sources: where to search, each under a name of its own (one ``KnowledgeSource`` takes several knowledge bases).
            None: the knowledge bases of the data directory and the sources of the settings.
            One that says it is ``remote`` is guarded: 4 s a search, left alone for 30 s after three failures in a row,
            one request for the same question asked twice at once. For a cache, limits or other times, pass it in a
            ``Guarded`` of your own (``calibrant.retrievers.guard``), which is taken as it is.
        tools: LangChain tools for ``act``, beside those of the configured MCP servers. One that is not declared
            read-only is run only after approval; it finds its ``idempotency_key`` in ``config["metadata"]``
            (an MCP server: in the ``_meta`` of the request), which stands for one call with its arguments. A tool may
            ask a person by itself, with LangGraph's ``interrupt``; it is then called again, with the answer.
        store: long-term memory. None: the run learns nothing (a server brings its own store).
        checkpointer: what makes threads durable. None: nobody is asked, nothing is resumed (a server brings its own).
            One without a serializer of its own is given ours. To one of LangGraph's that has a list of allowed types
            ours are added; one without a list accepts them, but logs each type once. To avoid that, make yours over
            ours (``serde()`` of ``calibrant.graph.serde``).
        context: the defaults of a run. None: environment and ``calibrant.yaml``. A run that brings a dict
            (``ainvoke(..., context={"power": 2})``) changes what it names; a ``Settings`` of its own replaces them all.
        pages: reads full pages at depth 3. None: the settings' reader where the sources are the settings' too.
        recorder: keeps a record of each finished run, e.g. ``RunLog(folder)``. None: nothing is recorded.

    Raises:
        ConfigurationError: a setting is wrong, two sources or tools have one name, a tool requires what only an agent
            injects (``InjectedState``), or the embeddings cannot be opened. The settings' model is opened by the run,
            which raises the same.
    """
    check_type(store, BaseStore, "store", "pass one of LangGraph's, such as InMemoryStore()")
    deps = make_deps(model, embeddings, sources, tools, context, pages=pages, recorder=recorder)
    return wire(deps, settings_over(context), store=store, checkpointer=knowing(checkpointer))


def build_retrieval_graph(
    model: BaseChatModel | None = None,
    embeddings: Embeddings | TextEncoder | None = None,
    sources: Sequence[Source] | None = None,
    checkpointer: BaseCheckpointSaver[Any] | None = None,
    context: Context | None = None,
    pages: PageReader | None = None,
    recorder: Recorder | None = None,
) -> Compiled:
    """The retrieval alone, as a graph: ``retrieve_information``. Arguments as for ``build_graph``."""
    deps = make_deps(model, embeddings, sources, None, context, pages=pages, recorder=recorder)
    return information_graph(deps, settings_over(context), checkpointer=knowing(checkpointer))


def make_deps(
    model: BaseChatModel | None = None,
    embeddings: Embeddings | TextEncoder | None = None,
    sources: Sequence[Source] | None = None,
    tools: Sequence[BaseTool] | None = None,
    context: Context | None = None,
    *,
    pages: PageReader | None = None,
    recorder: Recorder | None = None,
    machine: Machine | None = None,
    secrets: Secrets | None = None,
    gateway: Gateway | None = None,
    calibrators: Sequence[Calibrator] | None = None,
    clock: Callable[[], float] = time.time,
    new_id: Callable[[], str] = lambda: uuid.uuid4().hex[:12],
) -> Deps:
    """What the nodes work with. Clock and ids are arguments, so that a run can be repeated exactly.

    ``gateway``: what the settings' remote sources are asked through, closed by whoever made it; it has its own
    ``machine`` and ``secrets``. None for one over those (by default the environment's), which lives as long as what is
    returned. ``calibrators``: None for the data directory's, else those that ship.
    """
    check_arguments(model, embeddings, sources, tools, context, pages, recorder)
    settings = context if context is not None else load_settings()
    gateway = gateway or Gateway(machine or load_machine(), secrets or read_secrets())
    machine, secrets = gateway.machine, gateway.secrets
    encoder = encoder_of(embeddings, machine, secrets.embeddings_api_key)
    read_page: ReadPage | None = None
    if sources is None:
        sources = default_sources(gateway, encoder, settings.switches.memory, clock)
        read_page = page_reading(gateway)
    found = tuple(guarded(source) for source in sources)
    tokens = encoder if isinstance(encoder, TokenEncoder) else None
    known = load_calibrators(machine.data_dir).calibrators if calibrators is None else tuple(calibrators)
    return Deps(
        panel=panel_maker(tokens, port_maker(model, secrets, settings)),
        sources=by_name(found, "sources"),
        clock=clock,
        new_id=new_id,
        memory=memory_maker(clock),
        read_page=reading(pages) if pages is not None else read_page,
        recorder=recorder,
        tools=by_name(tools or (), "tools"),
        offered=ServerTools(machine.mcp_servers) if machine.mcp_servers else None,
        calibration=calibration_of(known, encoder.identity if encoder else "", name_of(model)),
        context=settings,
    )


def name_of(model: BaseChatModel | None) -> str:
    """The name of a model that was passed in, as far as it tells one; empty without a model."""
    if model is None:
        return ""
    return str(getattr(model, "model_name", "") or getattr(model, "model", "") or type(model).__name__)


def port_maker(
    model: BaseChatModel | None, secrets: Secrets, operator: Context
) -> Callable[[Context], ModelPort | None]:
    """The port for a run's settings: to the model that was passed in, else to the one that the settings name."""

    def make(context: Context) -> ModelPort | None:
        if model is not None:
            # Prices, time-out and calls at once hold for it too; which model it is, the settings do not know.
            return ModelPort(model, context.model.model_copy(update={"name": "", "base_url": ""}))
        if not context.model.name:
            return None
        # The key belongs to the operator's endpoint: a run that names another one does not get it.
        own = context.model.base_url == operator.model.base_url
        return open_port(context.model, secrets.model_api_key if own else None)

    return make


def memory_maker(clock: Callable[[], float]) -> Callable[[Runtime[Context]], Remembering | None]:
    """The memory over the run's store; None where the run has none."""

    def make(runtime: Runtime[Context]) -> Remembering | None:
        return Memory(runtime.store, clock) if runtime.store is not None else None

    return make
