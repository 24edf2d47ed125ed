"""The port to any chat model: one prompt and one schema in, one validated reply and its price out.

The port retries, not the client: only then is every HTTP call counted, and is a Retry-After weighed against the time
that the work still has. An error leaves the port as one of ours, without the foreign one behind it (that holds the
key), and with what was spent (``error.spend``).
"""

import asyncio
import time
from collections.abc import Callable, Collection, Sequence
from typing import Any, TypeVar

from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage, BaseMessage
from langchain_core.runnables import Runnable, RunnableConfig
from pydantic import BaseModel, SecretStr

from calibrant.judges.model.breaker import EndpointBreaker
from calibrant.judges.model.diagnosis import diagnose
from calibrant.judges.model.faults import BILLED, RUNG, TRANSIENT, UNHEARD, Failed, Fault, error_of
from calibrant.judges.model.ladder import (
    Ladder,
    Rung,
    Unreadable,
    asking,
    bound,
    correcting,
    is_broken_off,
    is_cut_off,
    is_empty,
    is_refusal,
    message_of,
    read_message,
    texts_of,
)
from calibrant.judges.model.meter import Meter, usage_of
from calibrant.judges.model.opening import PerLoop, Slots, host_of, is_openai, open_model
from calibrant.judges.model.parameters import Parameters
from calibrant.judges.model.prompting import MESSAGE_TOKENS, Prompt, tokens_of
from calibrant.judges.model.wire import shape
from calibrant.state.budget import Allowance, Spend
from calibrant.state.context import ModelSettings
from calibrant.state.errors import MalformedOutput, ModelError, ModelUnusable

M = TypeVar("M", bound=BaseModel)

TRIES = 2
"""How often one call is made when the endpoint fails in a way that may pass."""

BACKOFF_S = 0.5
"""The wait before the second try when the endpoint does not name one."""

MORE_ROOM = "set CALIBRANT_MODEL__MAX_OUTPUT_TOKENS higher or CALIBRANT_MODEL__REASONING_EFFORT lower"

CUT_OFF = {"finish_reason": "length"}

UNSHOWN: RunnableConfig = {"tags": ["nostream"]}
"""LangGraph's ``messages`` stream shows what models say, one inside a source or a tool too; a reply that is not checked
yet is for nobody's eyes."""


class ModelPort:
    """Asks a chat model for structured output. One per process: it remembers what its endpoint supports.

    ``model`` is a chat model, or what opens one: a client's connections belong to one event loop, so a port that is to
    outlive its loop (``asyncio.run`` for each question) needs to open another. ``open_port`` makes such a port.
    """

    def __init__(
        self, model: BaseChatModel | Callable[[], BaseChatModel], settings: ModelSettings | None = None
    ) -> None:
        self._models = PerLoop(model)
        self._settings = settings or ModelSettings()
        self._ladder = Ladder()
        self._parameters = Parameters(self._settings, sent=not isinstance(model, BaseChatModel))
        self._breaker = EndpointBreaker(time.monotonic)
        self._slots = Slots(self._settings.parallel)
        # OpenAI shows its models the schema; most servers only hold them to it, and what they say then fits it badly.
        self._shows_schema = is_openai(self._settings)

    async def structured(self, prompt: Prompt, schema: type[M], allowance: Allowance) -> tuple[M, Spend]:
        """The reply to ``prompt`` as ``schema``. Raises ``ModelError`` with ``.spend``, never a foreign error."""
        meter = Meter(self._settings, self._parameters, allowance, time.monotonic)
        self._breaker.check(prompt.tokens)
        try:
            reply = await self._replied(prompt, schema, meter)
        except ModelError as error:
            if meter.seconds_left > 0:  # else it was our time that ran out: that shows nothing
                self._breaker.failed(error, prompt.tokens)
            error.spend = meter.spend
            raise
        self._breaker.answered()
        return reply, meter.spend

    async def _replied(self, prompt: Prompt, schema: type[M], meter: Meter) -> M:
        """One call, and one more: with room to think where the first reply ended before it said anything, else with
        what was wrong with it."""
        messages: list[BaseMessage] = prompt.messages()
        cap = self._parameters.cap
        rung, message = await self._descended(messages, schema, meter)
        try:
            return read_message(schema, message)
        except Unreadable as unreadable:
            problem, ignored, formed = unreadable.problem, unreadable.ignored, unreadable.formed
        if is_cut_off(message):
            return await self._with_room(prompt, schema, meter, cap)
        if ignored or (rung is Rung.NATIVE and not formed):  # what keeps to a schema cannot miss it
            self._ladder.drop(rung)
        messages = correcting(messages, "".join(texts_of(message)[:1]), problem)
        if not meter.affords(_tokens(messages)):
            raise MalformedOutput(f"the reply to {prompt.name} does not fit its schema; no budget to ask again")
        _, message = await self._descended(messages, schema, meter, shaped=True)
        try:
            return read_message(schema, message)
        except Unreadable as unreadable:
            again = unreadable.problem
        raise MalformedOutput(f"the reply to {prompt.name} does not fit its schema, twice: {again}")

    async def _with_room(self, prompt: Prompt, schema: type[M], meter: Meter, cap: int) -> M:
        """The reply to ``prompt`` where ``cap`` tokens were not enough for one."""
        told = f"{self._settings.name or 'the model'} reached {cap} output tokens before it answered"
        if not self._parameters.widen(cap):
            raise ModelUnusable(f"{told}: {MORE_ROOM}")
        if not meter.affords(prompt.tokens):
            raise MalformedOutput(f"{told}; no budget for more of them")
        cap = self._parameters.cap
        _, message = await self._descended(prompt.messages(), schema, meter)
        try:
            return read_message(schema, message)
        except Unreadable as unreadable:
            problem = unreadable.problem
        if is_cut_off(message):
            raise ModelUnusable(f"{told}, and {cap} when it had more: {MORE_ROOM}")
        raise MalformedOutput(f"the reply to {prompt.name} does not fit its schema: {problem}")

    async def _descended(
        self, messages: Sequence[BaseMessage], schema: type[M], meter: Meter, shaped: bool = False
    ) -> tuple[Rung, AIMessage]:
        """The reply on the best rung that the endpoint supports."""
        suspects: dict[Rung, Fault] = {}
        failed = Failed(Fault.UNSUPPORTED)
        for rung in self._ladder.rungs:
            asked = asking(messages, rung, schema, shaped or (rung is Rung.NATIVE and not self._shows_schema))
            if failed.fault is Fault.NO_REPLY and not meter.affords(_tokens(asked)):
                break  # what failed is the empty reply, and not the budget
            outcome = await self._tried(asked, rung, schema, meter)
            if isinstance(outcome, AIMessage):
                self._works(rung, suspects)
                return rung, outcome
            failed = outcome
            if failed.fault not in RUNG:
                break
            # Neither a vague rejection nor an empty reply proves anything about the rung until a lower one works.
            if failed.fault in (Fault.REJECTED, Fault.NO_REPLY):
                suspects[rung] = failed.fault
            else:
                self._ladder.drop(rung)
        raise self._error(failed, meter)

    def _works(self, rung: Rung, suspects: dict[Rung, Fault]) -> None:
        """Learn from a reply on ``rung`` that those above it, which failed so, are to blame."""
        self._ladder.trust(rung)
        for suspect, fault in suspects.items():
            if fault is Fault.NO_REPLY:
                self._ladder.doubt(suspect)
            else:
                self._ladder.drop(suspect)

    async def _tried(
        self, messages: Sequence[BaseMessage], rung: Rung, schema: type[M], meter: Meter
    ) -> AIMessage | Failed:
        """The reply to one request, with a second try after a passing failure if time and budget have room for it, and
        one without each parameter that the endpoint refuses."""
        passing = TRANSIENT | {Fault.NO_REPLY} if rung is Rung.TEXT else TRANSIENT  # there is no other rung to try
        tokens = _tokens(messages) + (0 if rung is Rung.TEXT else tokens_of(shape(schema)))
        tries = 1
        while True:
            sent = self._parameters.state
            outcome = await self._called(messages, rung, schema, meter, tokens)
            if isinstance(outcome, AIMessage):
                return outcome
            if outcome.fault is Fault.PARAMETER:
                self._parameters.refuse(outcome.parameter)
                if self._parameters.state == sent:
                    return outcome
                continue
            wait = BACKOFF_S if outcome.retry_after is None else outcome.retry_after
            futile = outcome.fault not in passing or tries == TRIES
            if futile or wait >= meter.seconds_left or not meter.affords(tokens):
                return outcome
            tries += 1
            await asyncio.sleep(wait)

    async def _called(
        self, messages: Sequence[BaseMessage], rung: Rung, schema: type[M], meter: Meter, tokens: int
    ) -> AIMessage | Failed:
        """One call, as soon as it is its turn."""
        values = self._parameters.values()
        try:
            model = bound(await self._models.here(), rung, schema, values)
        except NotImplementedError:
            return Failed(Fault.UNSUPPORTED)
        slots = self._slots.here()
        try:
            async with asyncio.timeout(meter.seconds_left):
                await slots.acquire()
        except TimeoutError:
            return Failed(Fault.TIMEOUT)
        try:
            return await self._sent(model, messages, meter, tokens, values)
        finally:
            slots.release()

    async def _sent(
        self,
        model: Runnable[Any, Any],
        messages: Sequence[BaseMessage],
        meter: Meter,
        tokens: int,
        parameters: Collection[str],
    ) -> AIMessage | Failed:
        """One HTTP call with these optional parameters, counted whatever comes of it."""
        meter.reserve(tokens)
        try:
            async with asyncio.timeout(meter.patience):
                message = message_of(await model.ainvoke(self._parameters.addressed(messages), UNSHOWN))
        except Exception as error:  # noqa: BLE001 - a provider may raise anything; diagnose tells it apart
            return _failed(error, meter, tokens, parameters)
        return _metered(message, meter, tokens)

    def _error(self, failed: Failed, meter: Meter) -> ModelError:
        seconds = self._settings.timeout_s if meter.seconds_left > 0 else meter.allowed
        hint = " (CALIBRANT_MODEL__TIMEOUT_S)" if meter.seconds_left > 0 else ""
        return error_of(failed, self._settings.name, host_of(self._settings), f"{seconds:.1f} s{hint}")


def _failed(error: Exception, meter: Meter, tokens: int, parameters: Collection[str]) -> AIMessage | Failed:
    """What a foreign error means. One that stands for a completion cut off at its length is a reply like any other."""
    failed = diagnose(error, parameters)
    if failed.fault is Fault.CUT_OFF:  # all that it might put out was put out, and is paid for
        meter.paid(tokens, meter.cap)
        return AIMessage("", response_metadata=CUT_OFF)
    if (cut := _cut_off(error)) is not None:
        return _metered(cut, meter, tokens)
    if failed.fault in BILLED:
        meter.paid(tokens)
    if failed.fault in UNHEARD:
        meter.refused()
    return failed


def _metered(message: AIMessage, meter: Meter, tokens: int) -> AIMessage | Failed:
    meter.paid(*(usage_of(message) or (tokens, tokens_of("".join(texts_of(message))))))
    if is_refusal(message):
        return Failed(Fault.REFUSED)
    if is_broken_off(message):
        return Failed(Fault.SERVER)
    return Failed(Fault.NO_REPLY) if is_empty(message) and not is_cut_off(message) else message


def _cut_off(error: Exception) -> AIMessage | None:
    """The reply inside openai's ``LengthFinishReasonError``: its client refuses to hand it over otherwise."""
    completion = getattr(error, "completion", None)
    choices = getattr(completion, "choices", None)
    if completion is None or not choices or choices[0].finish_reason != "length":
        return None
    usage = completion.usage
    counted = (usage.prompt_tokens, usage.completion_tokens) if usage else (0, 0)
    return AIMessage(
        choices[0].message.content or "",
        response_metadata=CUT_OFF,
        usage_metadata={"input_tokens": counted[0], "output_tokens": counted[1], "total_tokens": sum(counted)},
    )


def _tokens(messages: Sequence[BaseMessage]) -> int:
    return sum(tokens_of(str(message.text)) + MESSAGE_TOKENS for message in messages)


def open_port(settings: ModelSettings, api_key: SecretStr | None = None) -> ModelPort:
    """A port to the model of ``settings``, for any number of event loops. Call it outside of them."""
    return ModelPort(lambda: open_model(settings, api_key), settings)
