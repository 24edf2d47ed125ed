"""The meter of one judgement: reserves before a call, adds up after it, knows how much time is left."""

from collections.abc import Callable
from typing import Any

from calibrant.judges.model.parameters import Parameters
from calibrant.state.budget import Allowance, Spend
from calibrant.state.context import ModelSettings
from calibrant.state.errors import ModelError

GRACE_S = 0.05
"""The meter's deadline is this much before the allowance's, so that it, and not a cancellation, ends the call:
only then is what was spent still told."""

LEAST_S = 0.2
"""A call with less time than this is not made: it would be cut off before any model could answer, and be paid for."""

Clock = Callable[[], float]


class Meter:
    """What one structured call spends, retries included, against what it may."""

    def __init__(self, settings: ModelSettings, parameters: Parameters, allowance: Allowance, clock: Clock) -> None:
        self._settings = settings
        self._parameters = parameters
        self._allowance = allowance
        self._clock = clock
        self.allowed = max(allowance.seconds * 0.9, allowance.seconds - GRACE_S)
        self._deadline = clock() + self.allowed
        self._calls = self._refused = self._tokens_in = self._tokens_out = 0

    @property
    def seconds_left(self) -> float:
        return self._deadline - self._clock()

    @property
    def patience(self) -> float:
        """Seconds that the next call may take."""
        return min(self._settings.timeout_s, self.seconds_left)

    @property
    def cap(self) -> int:
        """The most tokens that the next call may put out."""
        return self._parameters.cap

    def affords(self, prompt_tokens: int) -> bool:
        """Whether one more call with such a prompt fits, should its answer be as long as it may be."""
        left = self._allowance.after(self.spend)
        enough = left.dollars >= self._dollars(prompt_tokens, self.cap)
        return self.seconds_left >= LEAST_S and enough and left.can_call(prompt_tokens + self.cap)

    def reserve(self, prompt_tokens: int) -> None:
        """Count a call that is about to be made. Raises ``ModelError`` where it does not fit."""
        if not self.affords(prompt_tokens):
            raise ModelError("one more model call is not within the budget")
        self._calls += 1

    def refused(self) -> None:
        """The call that was made last was refused before any model saw it: it is no link in the chain."""
        self._refused += 1

    def paid(self, tokens_in: int, tokens_out: int = 0) -> None:
        """Count the tokens of a call that was made."""
        self._tokens_in += tokens_in
        self._tokens_out += tokens_out

    @property
    def spend(self) -> Spend:
        """All that was spent so far; the chain as an absolute length."""
        return Spend(
            model_calls=self._calls,
            sequential_calls=self._allowance.chain + self._calls - self._refused,
            tokens_in=self._tokens_in,
            tokens_out=self._tokens_out,
            dollars=self._dollars(self._tokens_in, self._tokens_out),
        )

    def _dollars(self, tokens_in: int, tokens_out: int) -> float:
        prices = self._settings
        return (tokens_in * prices.dollars_per_million_in + tokens_out * prices.dollars_per_million_out) / 1e6


def usage_of(message: Any) -> tuple[int, int] | None:
    """Input and output tokens as the endpoint reported them; None if it did not."""
    usage = getattr(message, "usage_metadata", None) or {}
    tokens_in, tokens_out = int(usage.get("input_tokens") or 0), int(usage.get("output_tokens") or 0)
    return (tokens_in, tokens_out) if tokens_in or tokens_out else None
