"""Making a tool call: never twice without a person's word, with its failure as data and its output as evidence."""

import asyncio
import hashlib
import re
from contextlib import suppress
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote, urlencode

from langchain_core.messages import BaseMessage, ToolMessage
from langchain_core.runnables import RunnableConfig
from langchain_core.tools import BaseTool, ToolException
from langgraph.errors import GraphInterrupt
from langgraph.store.base import BaseStore
from langgraph.types import Command
from pydantic import ValidationError

from calibrant.judges.free.planning.candidates import matches
from calibrant.judges.free.planning.tool_outputs import kind_of_failure, left_out, named_in, parsed, rendered
from calibrant.nodes.calling.approval import LOST
from calibrant.nodes.deps import Deps
from calibrant.nodes.toolbox import is_read_only, takes_call_id
from calibrant.nodes.work import Work
from calibrant.retrievers.breaker import Breaker, SourceSkipped
from calibrant.retrievers.deadline import told_to_end
from calibrant.state.confidence import Confidence
from calibrant.state.errors import CalibrantError, Failure, FailureKind, failure_of
from calibrant.state.evidence import Evidence
from calibrant.state.given import problem_in
from calibrant.state.task import Intent, Statement, Step, StepStatus, SubResult

TEXT_LIMIT = 4_000
"""Characters of a tool's output that are kept as evidence."""

MESSAGE_LIMIT, ADDRESS_LIMIT = 300, 300
"""Characters of what a tool says went wrong, and of a call as an address."""

SECRET = re.compile(
    r"(\b\w*(?:key|token|secret|password|passwd|pwd)\b[\"']?\s*[=:]\s*[\"']?|\bbearer\s+|://[^\s/:@]*:(?=[^\s/@]+@))"
    r"[^\s\"',;&@]+",
    re.IGNORECASE,
)
"""What looks like a credential in a message."""

NOBODY = "it wants to ask a person, and nobody is there"

UNREADABLE = "the call was made, but its output could not be read"

BEGUN = ("calibrant", "calls")
"""Where the store keeps which calls that change something were begun."""

Outcome = tuple[SubResult, tuple[Evidence, ...]]


@dataclass(frozen=True)
class Call:
    """One tool call that is about to be made."""

    step: Step
    tool: BaseTool
    intent: Intent
    work: Work
    store: BaseStore | None
    """The run's; None where it has none."""

    @property
    def deps(self) -> Deps:
        """What the run works with."""
        return self.work.deps

    @property
    def changes(self) -> bool:
        """Whether the call may change something."""
        return not is_read_only(self.tool)

    async def make(self, seconds: float, *, first: bool, may_ask: bool) -> Outcome:
        """What the tool gives within ``seconds``, as evidence quoted by one statement. ``first``: the run has not tried
        it yet; only then an open breaker stops the call, since later tries are bounded by themselves, or a person has
        asked for them. ``may_ask``: a person is there, whom the tool may ask by itself (LangGraph's ``interrupt``)."""
        stopped = await self._stopped(late=seconds <= 0.0, first=first)
        if stopped is not None:
            return stopped, ()
        breaker, name = self.deps.breakers.of(self.tool.name), self.tool.name
        try:
            output = await self._output(seconds)
        except GraphInterrupt:
            breaker.release()
            if not may_ask:
                return self._failed(Failure(kind=FailureKind.REFUSED, where=name, message=NOBODY), final=True), ()
            await self._take_back()
            raise
        except Exception as error:  # noqa: BLE001 - a tool is foreign code: whatever it raises is a typed failure here
            failure = _failure(error, self.tool)
            _learn(breaker, failure)
            begun = self.changes and not _proves_nothing_done(error, failure, self.tool)
            return self._failed(failure, final=self.changes, begun=begun), ()
        except BaseException:
            breaker.release()
            raise
        breaker.succeed()
        try:
            return self._answered(output)
        except Exception:  # noqa: BLE001 - foreign data: the call was made, and must not be made again for its output
            unread = Failure(kind=FailureKind.ERROR, where=name, message=UNREADABLE)
            return self._failed(unread, final=True, begun=self.changes), ()

    async def _stopped(self, *, late: bool, first: bool) -> SubResult | None:
        """Why the call is not made: no time, a call that was begun before, or a tool that keeps failing. None where it
        may be made."""
        name = self.tool.name
        if late:
            failure = Failure(kind=FailureKind.TIMEOUT, where=name, message="the run has no time left for it")
            return self._failed(failure, final=True)
        if self.changes:
            try:
                known = await self._first_time()
            except Exception as error:  # noqa: BLE001 - a store that is away: without its word nothing is changed
                return self._failed(failure_of(error, "the store"))
            lost = Failure(kind=FailureKind.UNKNOWN, where=name, message=LOST)
            return None if known else self._failed(lost, begun=True)
        try:
            if first:
                self.deps.breakers.of(name).admit()
        except SourceSkipped as error:
            left = Failure(kind=FailureKind.LEFT_ALONE, where=name, message=str(error))
            return self._failed(left, final=True)
        return None

    async def _first_time(self) -> bool:
        """Note that this attempt begins, before the call is made. Whether it had never begun before.

        The store knows for certain: it is written at once, whatever the checkpoints' durability. Without one, only the
        process that stored the intent can know, by what it has begun itself.
        """
        intent, deps = self.intent, self.deps
        if self.store is None:
            known = intent.holder == deps.holder and intent.id not in deps.begun
            deps.begun.add(intent.id)
            return known
        if await self.store.aget(BEGUN, intent.id) is not None:
            return False
        await self.store.aput(BEGUN, intent.id, {"tool": intent.tool, "at": deps.clock()}, index=False)
        return True

    async def _take_back(self) -> None:
        """Forget that the call was begun. One that asks a person something is started again with the answer, as
        LangGraph does it with every ``interrupt``."""
        self.deps.begun.discard(self.intent.id)
        if self.store is not None:
            with suppress(Exception):  # a store that is away: the call then counts as lost, and is asked about
                await self.store.adelete(BEGUN, self.intent.id)

    async def _output(self, seconds: float) -> Any:
        """The raw output. Errors are raised, also where the tool would rather turn them into text for a model."""
        strict = self.tool.model_copy(update={"handle_tool_error": False, "handle_validation_error": False})
        config = RunnableConfig(metadata={"idempotency_key": self.intent.key, "call_id": self.intent.id})
        given = dict(self.intent.arguments)
        if takes_call_id(strict):  # a call as a model makes it: what it gives is made into a message, hence only here
            given = {"type": "tool_call", "id": self.intent.id, "name": strict.name, "args": given}
        try:
            async with asyncio.timeout(seconds):
                return _taken_out(await strict.ainvoke(given, config))
        except asyncio.CancelledError as error:
            if told_to_end():
                raise
            raise CalibrantError("it broke off its own work") from error

    def _answered(self, output: Any) -> Outcome:
        """``output`` as evidence and the statement that quotes it; a warning tells what of it is not read."""
        text = _as_text(output)
        read = text if len(text) <= TEXT_LIMIT else _beginning(text)
        name, unread = self.tool.name, left_out(output)
        if unread:
            self.work.warnings.append(f"{name}: what it gave beside text was not read ({', '.join(unread)}).")
        if len(read) < len(text):
            told = f"{name}: what it gave has {len(text):,} characters, of which {len(read):,} were read"
            self.work.warnings.append(f"{told}: let it give less, in parts.")
        found = _as_evidence(self.intent, read)
        said = Statement(text=found.text, evidence_ids=(found.id,), quote=found.text, score=1.0)
        result = SubResult(
            id=self.step.id,
            question=self.step.question,
            status=StepStatus.ANSWERED,
            statements=(said,),
            confidence=Confidence(raw=1.0, score=1.0),
            candidates=matches(self.intent.arguments, named_in(output) or parsed(text)),
        )
        return result, (found,)

    def _failed(self, failure: Failure, *, final: bool = False, begun: bool = False) -> SubResult:
        failed = SubResult(id=self.step.id, question=self.step.question, status=StepStatus.FAILED, failure=failure)
        return failed.replace(final=final, begun=begun)


def _failure(error: Exception, tool: BaseTool) -> Failure:
    """What went wrong: in the tool's words, by the argument that did not fit, or by the kind of the error."""
    if isinstance(error, ToolException):
        return in_its_words(error, tool.name)
    if isinstance(error, ValidationError) and _is_of_arguments(error, tool):
        problem = problem_in(error, with_value=False)
        return Failure(kind=FailureKind.ERROR, where=tool.name, message=f"its arguments do not fit: {problem}")
    return failure_of(error, tool.name)


def _is_of_arguments(error: ValidationError, tool: BaseTool) -> bool:
    return error.title == getattr(tool.args_schema, "__name__", None)


def in_its_words(error: ToolException, where: str) -> Failure:
    """What a tool says went wrong, which is output like any other: it is meant for whoever called."""
    said = next(filter(None, map(str.strip, str(error).splitlines())), "")
    said = said.removeprefix(f"Error executing tool {where}: ")  # how the protocol's package for Python begins it
    message = SECRET.sub(r"\1…", "".join(sign for sign in said if sign.isprintable()))[:MESSAGE_LIMIT]
    return Failure(kind=kind_of_failure(said), where=where, message=message or type(error).__name__)


def _proves_nothing_done(error: Exception, failure: Failure, tool: BaseTool) -> bool:
    """Whether the tool itself says that the call did nothing: in its own words, unless they tell of a timeout, or by
    refusing its arguments. After anything else (a connection that broke) the work may have been done."""
    if isinstance(error, ToolException):
        return failure.kind is not FailureKind.TIMEOUT
    return isinstance(error, ValidationError) and _is_of_arguments(error, tool)


def _learn(breaker: Breaker, failure: Failure) -> None:
    """A tool that says that something is not there works well."""
    if failure.kind is FailureKind.MISSING:
        breaker.succeed()
    else:
        breaker.fail()


def _taken_out(output: Any) -> Any:
    """What a tool gave, without what wraps it for an agent: a message, or the command that adds one. Raises
    ``ToolException`` where the message says that the call has failed."""
    if isinstance(output, Command):
        output = output.update.get("messages", output.update) if isinstance(output.update, dict) else output.update
    messages = output if isinstance(output, list) else [output]
    if not messages or not all(isinstance(one, BaseMessage) for one in messages):
        return output
    said = [block for one in messages for block in one.content_blocks] or ""
    if any(isinstance(one, ToolMessage) and one.status == "error" for one in messages):
        raise ToolException(rendered(said))
    return said


def _beginning(text: str) -> str:
    """As much of a long output as is kept: up to the end of a line, else of an item, else of a word."""
    held = text[:TEXT_LIMIT]
    ends = (held.rfind(sign) + 1 for sign in ("\n", "},", ", ", " "))
    end = next((end for end in ends if end > TEXT_LIMIT // 2), TEXT_LIMIT)
    return held[:end].rstrip(", \n")


def _as_text(output: Any) -> str:
    """``output`` as text that can be stored. Data that is no JSON (a date for a key, a list that holds itself) stands
    as it prints itself."""
    try:
        text = rendered(output)
    except Exception:  # noqa: BLE001 - foreign data: how it prints itself is the last that can be tried
        text = str(output)
    return text.encode(errors="replace").decode()


def _as_evidence(intent: Intent, text: str) -> Evidence:
    """The output as a passage. Its address is the call: that is what a reader can check."""
    given = urlencode(intent.arguments, quote_via=quote, safe="/:, ", errors="replace")
    address = f"tool://{intent.tool}{f'?{given}' if given else ''}"[:ADDRESS_LIMIT]
    digest = hashlib.sha256(f"{address}\0{text}".encode()).hexdigest()[:16]
    return Evidence(
        id=f"tool-{digest}", text=text, title=intent.tool, source=f"tool:{intent.tool}", url=address, relevance=1.0
    )
