"""The circuit breaker of an endpoint: whether it is worth asking now. One that cannot answer as it is configured, that
asks for a pause or that keeps failing is left alone for a while: the judgements that follow do not wait and pay for
the same failure again."""

from calibrant.judges.model.meter import Clock
from calibrant.state.errors import (
    MalformedOutput,
    ModelError,
    ModelLimited,
    ModelTimeout,
    ModelUnreachable,
    ModelUnusable,
    PromptTooLong,
)

ALONE_S = 60.0
"""So long an endpoint is left alone, and is shown no prompt as long as one that was too long for it."""

LONGEST_S = 600.0
"""The longest pause that an endpoint may ask for."""

STRIKES = 2
"""Failures in a row, of different judgements, that show that the next will fail too."""


class EndpointBreaker:
    """Remembers what the last calls to one endpoint have shown."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._until = 0.0
        self._why = ""
        self._strikes = 0
        self._too_long: tuple[int, str] | None = None
        self._too_long_until = 0.0

    def check(self, prompt_tokens: int) -> None:
        """Raises ``ModelError`` where the call would be futile."""
        now = self._clock()
        if self._why and now < self._until:
            raise ModelUnusable(self._why)
        if now >= self._too_long_until:  # a server may have been started anew, with more room
            self._too_long = None
        if self._too_long is not None and prompt_tokens >= self._too_long[0]:
            raise PromptTooLong(self._too_long[1])

    def answered(self) -> None:
        """A judgement got its answer."""
        self._why, self._strikes = "", 0

    def failed(self, error: ModelError, prompt_tokens: int) -> None:
        """A judgement got none."""
        match error:
            case ModelUnusable():
                self._leave(ALONE_S, error)
            case ModelLimited(retry_after=seconds) if seconds:
                self._leave(min(seconds, LONGEST_S), error)
            case PromptTooLong():
                self._too_long = (min(prompt_tokens, (self._too_long or (prompt_tokens,))[0]), str(error))
                self._too_long_until = self._clock() + ALONE_S
            case ModelTimeout() | ModelLimited() | ModelUnreachable() | MalformedOutput():
                self._strikes += 1
                if self._strikes >= STRIKES:
                    self._leave(ALONE_S, error)
            case _:
                pass

    def _leave(self, seconds: float, error: ModelError) -> None:
        self._until, self._why = self._clock() + seconds, str(error)
