"""The cascade: every judgement is made by the LLM-free tier, and again by the model only where that one is in doubt.

A judgement is a pair: ``free`` (pure, always there) and ``ask`` (one structured model call). ``judge`` runs the
first, and the second when there is a model, the doubt is worth a call and the allowance has one (or the model has
judged the same before). A model that fails costs a warning: the free verdict stands.
"""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace
from typing import Generic, Literal, Protocol, TypeVar

from calibrant.state.budget import Allowance, Spend
from calibrant.state.errors import ModelError, ModelUnusable

G = TypeVar("G")
T = TypeVar("T")
G_in = TypeVar("G_in", contravariant=True)

Tier = Literal["free", "model"]

GRACE_S = 0.5
"""An asker ends itself in time and tells what it spent. One that does not is ended so much later: then nobody knows."""


@dataclass(frozen=True)
class Judged(Generic[T]):
    """A verdict: the value, how doubtful it is (0 sure, 1 no idea), which tier gave it, what it cost."""

    value: T
    doubt: float = 0.0
    tier: Tier = "free"
    spend: Spend = Spend()
    warnings: tuple[str, ...] = ()
    hesitation: str = ""
    """The words in which a model voiced doubt about its own plan, if it did: an uncertainty signal."""
    alternatives: tuple[str, ...] = ()
    """Candidates that a model named without choosing among them: another one."""


class Asker(Protocol[G_in, T]):
    """The LLM tier of one judgement: one structured call. Raises ``ModelError``; spends within ``allowance``."""

    async def __call__(self, given: G_in, free: T, allowance: Allowance) -> Judged[T]: ...


@dataclass(frozen=True)
class Fallback(Generic[G, T]):
    """What stands in for a judgement that raises, and what the user is told then."""

    value: Callable[[G], T]
    warning: str

    def judged(self, given: G, error: Exception) -> Judged[T]:
        """The plainer verdict on ``given``, in place of the one that broke."""
        return Judged(self.value(given), doubt=1.0, warnings=(f"{self.warning} ({type(error).__name__}).",))


@dataclass(frozen=True)
class Judgement(Generic[G, T]):
    """One judgement in its two tiers. ``ask`` is None when no model is configured."""

    name: str
    free: Callable[[G], Judged[T]]
    ask: Callable[[G, T, Allowance], Awaitable[Judged[T]]] | None = None
    holds: Callable[[G], bool] = lambda _: False
    """Whether ``ask`` has its verdict already: that one needs no budget."""
    fallback: Fallback[G, T] | None = None
    """What stands in where a tier raises what it should not; None: that is raised."""


async def judge(judgement: Judgement[G, T], given: G, allowance: Allowance, doubt: float) -> Judged[T]:
    """The verdict on ``given``. The model is asked when the free verdict's doubt is above ``doubt``.

    The free tier runs in a thread: it may compute embeddings, and the event loop must stay free.
    """
    free = await asyncio.to_thread(judgement.free, given)
    if judgement.ask is None or free.doubt <= doubt or not (allowance.can_call() or judgement.holds(given)):
        return free
    try:
        async with asyncio.timeout(allowance.seconds + GRACE_S):
            asked = await judgement.ask(given, free.value, allowance)
    except (ModelError, TimeoutError) as error:
        spent = getattr(error, "spend", Spend())
        return replace(free, spend=spent, warnings=(*free.warnings, _warning(error, judgement.name)))
    return replace(asked, tier="model", warnings=(*free.warnings, *asked.warnings))


def _warning(error: Exception, name: str) -> str:
    """One line. That the model cannot be used at all is said once, not for each judgement."""
    if isinstance(error, ModelUnusable):
        return f"The model was not used: {error}."
    return f"The model could not judge {name} ({str(error) or 'no answer in time'}); the model-free tier did."
