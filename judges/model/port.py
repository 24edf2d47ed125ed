"""The port to any chat model: one prompt and one schema in, one validated reply and its price out.

The port retries, not the client: only then is every HTTP call counted, and is a Retry-After weighed against the time
that the work still has. An error leaves the port as one of ours, without the foreign one behind it (that holds the
key), and with what was spent (``error.spend``).
"""

import asyncio
import time
from collections.abc import Awaitable, Callable, Sequence
from typing import TypeVar

from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage, BaseMessage
from pydantic import BaseModel, SecretStr

from calibrant.judges.model.faults import RUNG, TRANSIENT, Failed, Fault, diagnose, error_of
from calibrant.judges.model.ladder import (
    Ladder,
    Rung,
    Unreadable,
    asking,
    bound,
    correcting,
    is_refusal,
    message_of,
    read,
    text_of,
)
from calibrant.judges.model.meter import Clock, Meter, usage_of
from calibrant.judges.model.opening import PerLoop, host_of, open_model
from calibrant.judges.model.prompting import MESSAGE_TOKENS, Prompt, tokens_of
from calibrant.judges.model.wire import shape
from calibrant.state.budget import Allowance, Spend
from calibrant.state.context import ModelSettings
from calibrant.state.errors import MalformedOutput, ModelError, ModelUnusable

M = TypeVar("M", bound=BaseModel)

TRIES = 2
"""How often one call is made when the endpoint fails in a way that may pass."""

UNUSABLE_S = 60.0
"""So long an endpoint that refused the key, the model's name or the plan is left alone."""

BACKOFF_S = 0.5
"""The wait before the second try when the endpoint does not name one."""


class ModelPort:
    """Asks a chat model for structured output. One per process: it remembers what its endpoint supports.

    ``model`` is a chat model, or what opens one: a client's connections belong to one event loop, so a port that is to
    outlive its loop (``asyncio.run`` for each question) needs to open another. ``open_port`` makes such a port.
    """

    def __init__(
        self,
        model: BaseChatModel | Callable[[], BaseChatModel],
        settings: ModelSettings | None = None,
        *,
        clock: Clock = time.monotonic,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        self._models = PerLoop(model)
        self._settings = settings or ModelSettings()
        self._clock = clock
        self._sleep = sleep
        self._ladder = Ladder()
        self._unusable: tuple[float, str] | None = None

    async def structured(self, prompt: Prompt, schema: type[M], allowance: Allowance) -> tuple[M, Spend]:
        """The reply to ``prompt`` as ``schema``. Raises ``ModelError`` with ``.spend``, never a foreign error."""
        meter = Meter(self._settings, allowance, self._clock)
        self._check_usable()
        try:
            return await self._replied(prompt, schema, meter), meter.spend
        except ModelError as error:
            if isinstance(error, ModelUnusable):
                self._unusable = (self._clock(), str(error))
            error.spend = meter.spend
            raise

    def _check_usable(self) -> None:
        """A wrong key stays wrong for a while: the judgements that follow do not ask again."""
        if self._unusable is not None and self._clock() - self._unusable[0] < UNUSABLE_S:
            raise ModelUnusable(self._unusable[1])

    async def _replied(self, prompt: Prompt, schema: type[M], meter: Meter) -> M:
        """One call, and one more with what was wrong with the first reply."""
        messages: list[BaseMessage] = prompt.messages()
        rung, message = await self._descended(messages, schema, meter)
        reply = text_of(message)
        try:
            return read(schema, reply)
        except Unreadable as unreadable:
            problem, ignored = unreadable.problem, unreadable.ignored
        if ignored:
            self._ladder.drop(rung)
        messages = correcting(messages, reply, problem, schema)
        if not meter.affords(_tokens(messages)):
            raise MalformedOutput(f"the reply to {prompt.name} does not fit its schema; no budget to ask again")
        _, message = await self._descended(messages, schema, meter)
        try:
            return read(schema, text_of(message))
        except Unreadable as unreadable:
            again = unreadable.problem
        raise MalformedOutput(f"the reply to {prompt.name} does not fit its schema, twice: {again}")

    async def _descended(
        self, messages: Sequence[BaseMessage], schema: type[M], meter: Meter
    ) -> tuple[Rung, AIMessage]:
        """The reply on the best rung that the endpoint supports."""
        suspects: list[Rung] = []
        failed = Failed(Fault.UNSUPPORTED)
        for rung in self._ladder.rungs:
            outcome = await self._tried(asking(messages, rung, schema), rung, schema, meter)
            if isinstance(outcome, AIMessage):
                for suspect in suspects:
                    self._ladder.drop(suspect)
                return rung, outcome
            failed = outcome
            if failed.fault not in RUNG:
                break
            # A vague rejection proves nothing about the rung until a lower one works.
            suspects.append(rung)
            if failed.fault is Fault.UNSUPPORTED:
                self._ladder.drop(rung)
        raise self._error(failed, meter)

    async def _tried(
        self, messages: Sequence[BaseMessage], rung: Rung, schema: type[M], meter: Meter
    ) -> AIMessage | Failed:
        """The reply to one request, with a second try after a passing failure if time and budget have room for it."""
        tokens = _tokens(messages) + (0 if rung is Rung.TEXT else tokens_of(shape(schema)))
        outcome = await self._called(messages, rung, schema, meter, tokens)
        for _ in range(TRIES - 1):
            if isinstance(outcome, AIMessage) or outcome.fault not in TRANSIENT:
                break
            wait = BACKOFF_S if outcome.retry_after is None else outcome.retry_after
            if wait >= meter.seconds_left or not meter.affords(tokens):
                break
            await self._sleep(wait)
            outcome = await self._called(messages, rung, schema, meter, tokens)
        return outcome

    async def _called(
        self, messages: Sequence[BaseMessage], rung: Rung, schema: type[M], meter: Meter, tokens: int
    ) -> AIMessage | Failed:
        """One HTTP call, counted whatever comes of it."""
        try:
            model = bound(await self._models.here(), rung, schema)
        except NotImplementedError:
            return Failed(Fault.UNSUPPORTED)
        meter.reserve(tokens)
        try:
            async with asyncio.timeout(meter.patience):
                message = message_of(await model.ainvoke(list(messages)))
        except Exception as error:  # noqa: BLE001 - a provider may raise anything; diagnose tells it apart
            return _failed(error, meter, tokens)
        return _metered(message, meter, tokens)

    def _error(self, failed: Failed, meter: Meter) -> ModelError:
        seconds = self._settings.timeout_s if meter.seconds_left > 0 else meter.allowed
        return error_of(failed, self._settings.name, host_of(self._settings), seconds)


def _failed(error: Exception, meter: Meter, tokens: int) -> AIMessage | Failed:
    """What a foreign error means. One that carries a completion cut off at its length is a reply like any other."""
    cut = _cut_off(error)
    if cut is not None:
        return _metered(cut, meter, tokens)
    failed = diagnose(error)
    if failed.fault is Fault.TIMEOUT:
        meter.paid(tokens)  # the prompt was received, and will be billed; a rejected one is not
    return failed


def _metered(message: AIMessage, meter: Meter, tokens: int) -> AIMessage | Failed:
    meter.paid(*(usage_of(message) or (tokens, tokens_of(text_of(message)))))
    return Failed(Fault.REFUSED) if is_refusal(message) else message


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
        usage_metadata={"input_tokens": counted[0], "output_tokens": counted[1], "total_tokens": sum(counted)},
    )


def _tokens(messages: Sequence[BaseMessage]) -> int:
    return sum(tokens_of(str(message.text)) + MESSAGE_TOKENS for message in messages)


def open_port(settings: ModelSettings, api_key: SecretStr | None = None) -> ModelPort:
    """A port to the model of ``settings``, for any number of event loops. Call it outside of them."""
    return ModelPort(lambda: open_model(settings, api_key), settings)
