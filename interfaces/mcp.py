"""The MCP server: ``retrieve_information`` and ``ask`` for any MCP client, over stdio or streamable HTTP.

Progress notifications come from the run's own events; a cancelled request cancels the run; whatever goes wrong is one
line. Imported only by ``calibrant mcp``, since the protocol's package takes a while to load.
"""

import asyncio
import socket
from collections.abc import Coroutine, Sequence
from importlib.metadata import version
from typing import TYPE_CHECKING, Annotated, Any, TypeVar, cast

import anyio
from langgraph.types import Command
from mcp.server.fastmcp import Context, FastMCP
from mcp.server.fastmcp.exceptions import ToolError
from mcp.server.stdio import stdio_server
from mcp.types import CallToolResult, TextContent, ToolAnnotations
from pydantic import Field, ValidationError
from typing_extensions import TypedDict

from calibrant.graph.retrieval import information_graph
from calibrant.graph.settings import Settings
from calibrant.graph.tool import DESCRIPTION, Tell, followed, retrieved
from calibrant.graph.working import at_work_on
from calibrant.interfaces.commands.ask import searched_before
from calibrant.interfaces.commands.named_knowledge import check_known
from calibrant.interfaces.elicit import can_ask, elicited
from calibrant.interfaces.failures import one_line
from calibrant.interfaces.mcp_transport import LOOPBACK, lines_of_stdin, protocol_only, security
from calibrant.interfaces.plain import lines_of
from calibrant.interfaces.progress import read_event
from calibrant.interfaces.session import config_of, new_thread, takes_question
from calibrant.nodes.reading.answered import has_answer
from calibrant.nodes.retrieval.open_request import ToolInput
from calibrant.retrievers.knowledge import list_knowledge
from calibrant.state.channels import View
from calibrant.state.errors import CalibrantError, InputError, failure_of
from calibrant.state.guidance import REQUEST
from calibrant.state.task import Power
from calibrant.state.tool_output import ToolOutput
from calibrant.state.validation import bounded, problem_in, suggestion

if TYPE_CHECKING:
    from calibrant.graph.app import App

T = TypeVar("T")

INSTRUCTIONS = (
    "Calibrant answers from the sources it is configured with, says how far to trust the answer, and abstains without "
    "evidence. Use retrieve_information to get passages and judge them yourself, ask to get a cited answer."
)
ASK = (
    "Answer a question from the configured sources: with citations, a confidence between 0 and 1, and warnings. It "
    "abstains where the evidence does not carry an answer (stop_reason: abstained). The thread id continues the "
    "conversation."
)


class Cited(TypedDict):
    """One source of an answer. ``place`` is a path with its line, or a URL."""

    number: int
    title: str
    place: str
    quote: str


class Near(TypedDict):
    """What came nearest where the answer is an abstention."""

    title: str
    place: str
    quote: str


class Answered(TypedDict):
    """What ``ask`` gives."""

    answer: str
    confidence: Annotated[float | None, Field(description="0 to 1; null without an answer from the sources")]
    level: Annotated[str, Field(description="high, medium, low or very low; empty without a confidence")]
    citations: list[Cited]
    closest: Annotated[list[Near], Field(description="Where it abstains: what came nearest; it may be the answer")]
    warnings: list[str]
    stop_reason: Annotated[
        str, Field(description="answered, abstained, aborted, budget, failed, or courtesy: nothing was asked")
    ]
    thread_id: str


class Server(FastMCP[Any]):
    """FastMCP with errors of one line, and with nothing but the protocol on stdout."""

    def name_version(self) -> None:
        """Clients are told our version, not that of the protocol's package."""
        self._mcp_server.version = version("calibrant")

    async def call_tool(self, name: str, arguments: dict[str, Any]) -> Any:
        """The tool's result; an error of one line instead of a message with a page in it."""
        given = {key: value for key, value in arguments.items() if value is not None}  # null: left out
        try:
            await self._check(name, given)
            return await super().call_tool(name, given)
        except ToolError as error:
            told = TextContent(type="text", text=one_line(message_of(error.__cause__ or error, name)))
            return CallToolResult(content=[told], isError=True)

    async def _check(self, name: str, arguments: dict[str, Any]) -> None:
        """Refuse an argument that the tool does not have: passed over, a filter would seem to hold."""
        allowed = [
            key for tool in await self.list_tools() if tool.name == name for key in tool.inputSchema["properties"]
        ]
        unknown = [key for key in arguments if key not in allowed] if allowed else []
        if unknown:
            raise ToolError(f"{name} has no argument {unknown[0]!r}; {suggestion(unknown[0], allowed)}")

    async def run_stdio_async(self) -> None:
        """Serve the client at the other end of stdin and stdout."""
        with protocol_only() as stdout:
            stdin = cast("anyio.AsyncFile[str]", lines_of_stdin())  # all that is asked of it is to give lines
            try:
                async with stdio_server(stdin, anyio.wrap_file(stdout)) as (read, write):
                    await self._mcp_server.run(read, write, self._mcp_server.create_initialization_options())
            except* anyio.ClosedResourceError:  # the client has left before it was told that a line of it is no message
                pass

    async def run_on(self, listener: socket.socket) -> None:
        """Serve streamable HTTP on an open socket. Logs go where the program's logs go: not to stdout."""
        import uvicorn

        config = uvicorn.Config(self.streamable_http_app(), log_config=None, timeout_graceful_shutdown=2)
        await uvicorn.Server(config).serve(sockets=[listener])


def make_server(app: "App", *, host: str = LOOPBACK[0], allowed: Sequence[str] = ()) -> Server:
    """The server over an open app. ``allowed``: more names by which an HTTP client may call it."""
    server = Server(
        "calibrant", INSTRUCTIONS, host=host, log_level="WARNING", transport_security=security((host, *allowed))
    )
    server.name_version()
    tools = Tools(app)
    server.add_tool(
        tools.retrieve_information,
        title="Retrieve information",
        description=DESCRIPTION,
        annotations=ToolAnnotations(readOnlyHint=True, openWorldHint=tools.reaches_out),
    )
    server.add_tool(
        tools.ask,
        title="Ask",
        description=ASK,
        # It keeps a thread and learns from it: not read-only, but nothing is ever destroyed.
        annotations=ToolAnnotations(readOnlyHint=False, destructiveHint=False, openWorldHint=tools.reaches_out),
    )
    return server


class Tools:
    """The tools over an open app."""

    def __init__(self, app: "App") -> None:
        self._app = app
        self._retrieval = information_graph(app.deps, Settings)

    @property
    def reaches_out(self) -> bool:
        """Whether a call may leave this machine."""
        return any(source.remote for source in self._app.deps.sources.values())

    async def retrieve_information(
        self,
        ctx: Context[Any, Any, Any],
        query: Annotated[str, Field(description=ToolInput.model_fields["query"].description)],
        context: Annotated[str, Field(description=ToolInput.model_fields["context"].description)] = "",
        sources: Annotated[list[str], Field(description=ToolInput.model_fields["sources"].description)] = [],  # noqa: B006
        max_results: Annotated[
            int, Field(ge=1, le=100, description=ToolInput.model_fields["max_results"].description)
        ] = 10,
        power: Annotated[Power | None, Field(description=ToolInput.model_fields["power"].description)] = None,
    ) -> ToolOutput:
        """One retrieval."""
        given = {
            "query": query, "context": context, "sources": sources, "max_results": max_results, "power": power,
        }  # fmt: skip
        found = await uninterrupted(retrieved(self._retrieval, given, context=self._app.context, tell=teller(ctx)))
        return cast("ToolOutput", found)

    async def ask(
        self,
        ctx: Context[Any, Any, Any],
        question: Annotated[str, Field(description="The question, in one or more sentences.")],
        power: Annotated[Power | None, Field(description=ToolInput.model_fields["power"].description)] = None,
        thread_id: Annotated[str, Field(description="A thread to go on with. Empty: a new one.")] = "",
        knowledge: Annotated[
            list[str], Field(description="Knowledge bases to search, by name. Empty: those of the thread, else all.")
        ] = [],  # noqa: B006
    ) -> Answered:
        """One question through the whole graph. A client that can ask its user does so; otherwise the policy for an
        empty room applies."""
        if not question.strip():
            raise InputError("the question is empty: say what you want to know")
        bounded(question.strip(), "the question")
        forced = {"power": power.value} if power else {}
        given = {"task": question, "interactive": can_ask(ctx.session), **forced}
        await self._app.check_model()
        thread = thread_id or await new_thread(self._app)
        async with at_work_on(self._app.machine.data_dir, thread):
            before = await self._check_free(thread_id) if thread_id else ()
            collections = tuple(knowledge) or before
            await asyncio.to_thread(self._check_known, collections)
            return await self._to_its_end(ctx, thread, {**given, "filters": {"collections": collections}})

    async def _to_its_end(self, ctx: Context[Any, Any, Any], thread: str, given: Any) -> Answered:
        """The answer; of a run that fails half-way, how to go on with it too."""
        try:
            return await self._converse(ctx, thread, given)
        except Exception as error:
            snapshot = await self._app.graph.aget_state(config_of(thread))
            if takes_question(snapshot):
                raise
            raise ToolError(f"{message_of(error, 'ask')} ({how_to_go_on(thread)})") from None

    async def _converse(self, ctx: Context[Any, Any, Any], thread: str, given: Any) -> Answered:
        """The run on ``given``, through every question to the client's user."""
        tell = teller(ctx)
        while True:
            work = followed(self._app.graph, given, config_of(thread), context=self._app.context, tell=tell)
            output = await uninterrupted(work)
            snapshot = await self._app.graph.aget_state(config_of(thread))
            if not snapshot.interrupts:
                return answered(View.model_validate(output), thread)
            asked = {one.id: await elicited(ctx, REQUEST.validate_python(one.value)) for one in snapshot.interrupts}
            given = Command(resume=asked)

    def _check_known(self, names: Sequence[str]) -> None:
        """Refuse a knowledge base that does not exist, or is none of those that this server is restricted to, and name
        those that may be asked."""
        known = self._app.context.knowledge or tuple(list_knowledge(self._app.machine.data_dir)) if names else ()
        for name in names:
            check_known(name, known)

    async def _check_free(self, named: str) -> tuple[str, ...]:
        """Refuse a thread that does not exist or has something left to do; the knowledge bases that its last question
        was restricted to."""
        snapshot = await self._app.graph.aget_state(config_of(named))
        if not snapshot.values:
            raise InputError(f"there is no thread {named!r}: leave thread_id empty for a new one")
        if not takes_question(snapshot):
            raise InputError(how_to_go_on(named))
        return searched_before(named, snapshot)


def how_to_go_on(thread_id: str) -> str:
    """What the client is told of a thread that was left in the middle of a run."""
    return f"thread {thread_id} is not finished: `calibrant resume {thread_id}` goes on with it"


def answered(view: View, thread_id: str) -> Answered:
    """The end of a run in the tool's shape."""
    confidence = view.confidence if has_answer(view) else None
    return Answered(
        answer=view.answer,
        confidence=round(confidence.score, 4) if confidence else None,
        level=confidence.level.value if confidence else "",
        citations=[
            Cited(number=one.number, title=one.title, place=one.place, quote=one.quote) for one in view.citations
        ],
        closest=[Near(title=one.title, place=one.place, quote=one.quote) for one in view.closest],
        warnings=list(view.warnings),
        stop_reason=view.stop_reason.value if view.stop_reason else "",
        thread_id=thread_id,
    )


def teller(ctx: Context[Any, Any, Any]) -> Tell:
    """Sends what a run tells as progress notifications, to a client that asked for them."""
    count = 0

    async def tell(raw: Any) -> None:
        nonlocal count
        event = read_event(raw)
        for line in lines_of(event) if event is not None else ():
            count += 1
            await ctx.report_progress(count, message=line.strip())

    return tell


async def uninterrupted(work: Coroutine[Any, Any, T]) -> T:
    """``work`` in a task of its own, which a cancelled request cancels once and waits for. The protocol's cancel scope
    would cancel it again at every step, and so keep the graph from cancelling its own tasks."""
    task = asyncio.create_task(work)
    try:
        return await asyncio.shield(task)
    finally:
        task.cancel()
        with anyio.CancelScope(shield=True):
            await asyncio.wait([task])


def message_of(error: BaseException, tool: str) -> str:
    """What the client is told: our own words in full, of a foreign error only its kind."""
    if isinstance(error, ValidationError):
        return problem_in(error, with_value=False)
    if isinstance(error, CalibrantError | ToolError):
        return str(error)
    return f"{tool} failed: {failure_of(error, tool).message}"
