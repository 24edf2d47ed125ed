"""Making a tool call: never twice without a person's word, with its failure as data and its output as evidence."""

import asyncio
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from langchain_core.runnables import RunnableConfig
from langchain_core.tools import BaseTool, ToolException
from langgraph.errors import GraphInterrupt
from langgraph.store.base import BaseStore

from calibrant.judges.free.answering.claims import claims_of
from calibrant.judges.free.planning.ambiguity import matches
from calibrant.judges.free.planning.tool_outputs import error_in, named_in, parsed, unread_kinds
from calibrant.nodes.calling.approval import LOST
from calibrant.nodes.calling.outputs import (
    TEXT_LIMIT,
    as_evidence,
    as_text,
    beginning,
    failure_in_call,
    proves_nothing_done,
    refuses_arguments,
    tells_nothing,
    unwrapped,
)
from calibrant.nodes.deps import PATIENCE_S, Deps
from calibrant.nodes.reading.called import TOLD_LIMIT
from calibrant.nodes.toolbox import is_read_only, takes_call_id
from calibrant.nodes.work import Work
from calibrant.retrievers.breaker import Breaker, SourceSkipped
from calibrant.retrievers.deadline import told_to_end
from calibrant.state.confidence import Confidence
from calibrant.state.errors import CalibrantError, Failure, FailureKind, failure_of
from calibrant.state.evidence import Evidence
from calibrant.state.record import clipped
from calibrant.state.task import Intent, Statement, Step, StepStatus, SubResult, call_text

NOBODY = "it wants to ask a person, and nobody is there"

UNREADABLE = "the call was made, but its output could not be read"
NOTHING = "it gave nothing that can be read"

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
        breaker = self.deps.breakers.of(self.tool.name)
        try:
            output = await self._output(seconds)
        except GraphInterrupt:
            breaker.release()
            if not may_ask:
                return self._failed(self._failure(FailureKind.REFUSED, NOBODY), final=True), ()
            await self._take_back()
            raise
        except Exception as error:  # noqa: BLE001 - a tool is foreign code: whatever it raises is a typed failure here
            failure = failure_in_call(error, self.tool)
            if refuses_arguments(error, self.tool):
                breaker.release()
            else:
                _learn(breaker, failure)
            begun = self.changes and not proves_nothing_done(error, failure, self.tool)
            return self._failed(failure, final=self.changes, begun=begun), ()
        except BaseException:
            breaker.release()
            raise
        breaker.succeed()
        try:
            return self._answered(output)
        except Exception:  # noqa: BLE001 - foreign data: the call was made, and must not be made again for its output
            unread = self._failure(FailureKind.ERROR, UNREADABLE)
            return self._failed(unread, final=True, begun=self.changes), ()

    async def _stopped(self, *, late: bool, first: bool) -> SubResult | None:
        """Why the call is not made: no time, a call that was begun before, or a tool that keeps failing. None where it
        may be made."""
        if late:
            return self._failed(self._failure(FailureKind.TIMEOUT, "the run has no time left for it"), final=True)
        return await self._begun_before() if self.changes else self._left_alone(first)

    async def _begun_before(self) -> SubResult | None:
        """The failure of a call that may have happened already, or of a store that cannot say; None for a first one."""
        try:
            async with asyncio.timeout(PATIENCE_S):
                is_first = await self._first_time()
        except Exception as error:  # noqa: BLE001 - a store that is away or hangs: without its word nothing is changed
            return self._failed(failure_of(error, "the store"))
        return None if is_first else self._failed(self._failure(FailureKind.UNKNOWN, LOST), begun=True)

    def _left_alone(self, first: bool) -> SubResult | None:
        """The failure of a tool whose breaker is open, at the ``first`` try; else None."""
        try:
            if first:
                self.deps.breakers.of(self.tool.name).admit()
        except SourceSkipped as error:
            return self._failed(self._failure(FailureKind.LEFT_ALONE, str(error)), final=True)
        return None

    async def _first_time(self) -> bool:
        """Note that this attempt begins, before the call is made. Whether it had never begun before.

        The store knows for certain: it is written at once, whatever the checkpoints' durability. Without one, only the
        process that stored the intent can know, by what it has begun itself.
        """
        intent, deps = self.intent, self.deps
        if self.store is None:
            is_first = intent.holder == deps.holder and intent.id not in deps.begun
            deps.begun.add(intent.id)
            return is_first
        if await self.store.aget(BEGUN, intent.id) is not None:
            return False
        await self.store.aput(BEGUN, intent.id, {"tool": intent.tool, "at": deps.clock()}, index=False)
        return True

    async def _take_back(self) -> None:
        """Forget that the call was begun. One that asks a person something is started again with the answer, as
        LangGraph does it with every ``interrupt``."""
        self.deps.begun.discard(self.intent.id)
        if self.store is not None:
            with suppress(Exception):  # a store that is away or hangs: the call then counts as lost, and is asked about
                async with asyncio.timeout(PATIENCE_S):
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
                output = unwrapped(await strict.ainvoke(given, config))
        except asyncio.CancelledError as error:
            if told_to_end():
                raise
            raise CalibrantError("it broke off its own work") from error
        if said := _error_told(output, self.intent.arguments):
            raise ToolException(said)
        return output

    def _answered(self, output: Any) -> Outcome:
        """``output`` as evidence and the statement that quotes it; a warning tells what of it is not read."""
        text = as_text(output)
        if tells_nothing(output) and not self.changes:  # of one that changes something, that it was made is enough
            return self._failed(self._failure(FailureKind.MALFORMED, NOTHING), final=True), ()
        read = text if len(text) <= TEXT_LIMIT else beginning(text)
        name, unread = self.tool.name, unread_kinds(output)
        if unread:
            self.work.warnings.append(f"{name}: what it gave beside text was not read ({', '.join(unread)}).")
        if len(read) < len(text):
            told = f"{name}: what it gave has {len(text):,} characters, of which {len(read):,} were read"
            self.work.warnings.append(f"{told}: let it give less, in parts.")
        result, found = self._told(read)
        if 0 < len(read.strip()) <= TOLD_LIMIT and not (self.changes or claims_of([result], [found])):
            # A bare number or word states nothing by itself; of a call that changes something it is told beside that.
            result, found = self._told(f"{clipped(call_text(name, self.intent.arguments), TOLD_LIMIT)}: {read}")
        candidates = matches(self.intent.arguments, named_in(output) or parsed(text))
        return result.replace(candidates=candidates), (found,)

    def _told(self, text: str) -> tuple[SubResult, Evidence]:
        """``text`` as a passage, and the result that consists of it."""
        found = as_evidence(self.intent, text)
        said = Statement(text=found.text, evidence_ids=(found.id,), quote=found.text, score=1.0)
        result = SubResult(
            id=self.step.id,
            question=self.step.question,
            status=StepStatus.ANSWERED,
            statements=(said,),
            confidence=Confidence(raw=1.0, score=1.0),
        )
        return result, found

    def _failure(self, kind: FailureKind, message: str) -> Failure:
        return Failure(kind=kind, where=self.tool.name, message=message)

    def _failed(self, failure: Failure, *, final: bool = False, begun: bool = False) -> SubResult:
        failed = SubResult(id=self.step.id, question=self.step.question, status=StepStatus.FAILED, failure=failure)
        return failed.replace(final=final, begun=begun)


def _error_told(output: Any, arguments: Mapping[str, Any]) -> str:
    """The error that the output consists of; empty for any other, also for one that cannot be read."""
    try:
        return error_in(as_text(output), arguments)
    except Exception:  # noqa: BLE001 - foreign data: whether it can be read is found out where it is
        return ""


def _learn(breaker: Breaker, failure: Failure) -> None:
    """A tool that says that something is not there works well."""
    if failure.kind is FailureKind.MISSING:
        breaker.succeed()
    else:
        breaker.fail()
