"""What judges of an eval work with: settings, encoder and panel of judgements, as a run of the agent has them."""

import asyncio
from dataclasses import dataclass, replace
from functools import cached_property, reduce
from typing import Any, TypeVar

from calibrant.graph.build import port_maker
from calibrant.graph.calibrators import load_calibrators
from calibrant.graph.encoders import encoder_of
from calibrant.graph.panels import assemble
from calibrant.graph.settings import Machine, Secrets, Settings
from calibrant.judges.calibration import Calibrator
from calibrant.judges.cascade import Judged, Judgement
from calibrant.judges.free.evidence.late_interaction import CachedEncoder, cached
from calibrant.judges.panel import Panel
from calibrant.state.budget import Allowance, Spend, add_spend
from calibrant.state.protocols import TextEncoder, TokenEncoder

G = TypeVar("G")
T = TypeVar("T")

ENOUGH = Allowance(model_calls=10, sequential_calls=10, tokens=1_000_000, dollars=1_000.0, seconds=120.0)
"""What one judgement may spend: the budget is not what is measured here."""


@dataclass(frozen=True)
class Setup:
    """The settings of an eval and what is opened from them, once, at first use."""

    settings: Settings
    machine: Machine
    secrets: Secrets = Secrets()
    seed: int = 0
    chosen: tuple[Calibrator, ...] | None = None
    """Calibrators to use in place of this machine's."""

    @cached_property
    def calibrators(self) -> tuple[Calibrator, ...]:
        """Those that are applied. Blocking: it may read their file."""
        return load_calibrators(self.machine.data_dir).calibrators if self.chosen is None else self.chosen

    @cached_property
    def encoder(self) -> TextEncoder | None:
        """The encoder that the settings name. Blocking: it reads files."""
        return encoder_of(None, self.machine, self.secrets.embeddings_api_key)

    @cached_property
    def tokens(self) -> CachedEncoder | None:
        """The same for token vectors, with a memory; None where there is none."""
        return cached(self.encoder if isinstance(self.encoder, TokenEncoder) else None)

    @cached_property
    def panel(self) -> Panel:
        """Every judgement: with the LLM tier where the settings name a model. The doubts of the other tier are those
        that would lead to a model, or there is nothing to measure."""
        port = port_maker(None, self.secrets, self.settings)(self.settings)
        return assemble(self.tokens, port, self.settings, for_model=True)

    async def ask(self, judgement: Judgement[G, T], given: G) -> Judged[T]:
        """The verdict of the cascade, but a model's failure is raised: it must not pass for a verdict of the free tier.

        Raises ``ModelError`` or ``TimeoutError``: the item is unscored then.
        """
        free = await asyncio.to_thread(judgement.free, given)
        if judgement.ask is None or free.doubt <= self.settings.doubt:
            return free
        async with asyncio.timeout(ENOUGH.seconds):
            return replace(await judgement.ask(given, free.value, ENOUGH), tier="model")

    @property
    def identity(self) -> dict[str, Any]:
        """What of the settings a verdict may depend on: a part of the fingerprint."""
        encoder = self.encoder.identity if self.encoder is not None else "none"
        return {
            "settings": self.settings.model_dump(mode="json"), "encoder": encoder, "seed": self.seed,
            "calibrators": [one.model_dump(mode="json") for one in self.calibrators],
        }  # fmt: skip


def cost_of(*judged: Judged[Any]) -> dict[str, Any]:
    """The judgements' model calls, tokens and dollars, as values of a verdict."""
    return spent(reduce(add_spend, (one.spend for one in judged), Spend()))


def spent(spend: Spend) -> dict[str, Any]:
    """Model calls, tokens and dollars, as values of a verdict; nothing where no model was called."""
    if not spend.model_calls:
        return {}
    return {"calls": spend.model_calls, "tokens": spend.tokens, "dollars": spend.dollars}
