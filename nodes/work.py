"""One node's piece of work: its settings, its share of the budget, what it spent and what it has to tell."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TypeVar

from langgraph.runtime import Runtime

from calibrant.judges.cascade import Judged, Judgement, judge
from calibrant.judges.panel import Panel
from calibrant.nodes.deps import Deps
from calibrant.state.base import Value
from calibrant.state.budget import Allowance, Ledger, Spend, add_spend
from calibrant.state.channels import Update
from calibrant.state.context import Context

G = TypeVar("G")
T = TypeVar("T")


@dataclass
class Work:
    """Opened at a node's start, closed by ``done``: the update then carries the spend and the warnings."""

    deps: Deps
    context: Context
    panel: Panel
    emit: Callable[[Value], None]
    before: Spend
    started: float
    spent: Spend = Spend()
    warnings: list[str] = field(default_factory=list)

    @classmethod
    async def begin(cls, deps: Deps, runtime: Runtime[Context], before: Spend | None = None) -> "Work":
        """``before`` is the run's spend so far."""
        context = runtime.context or deps.context
        write = runtime.stream_writer
        return cls(
            deps=deps,
            context=context,
            panel=await deps.panel(context),
            emit=lambda event: write(event.model_dump(mode="json")),
            before=before or Spend(),
            started=deps.clock(),
        )

    @property
    def ledger(self) -> Ledger:
        """The run's ledger as of now, this work's own spend included."""
        spend = add_spend(self.before, self.spent)
        return Ledger(limits=self.context.limits, spend=spend, now=self.deps.clock())

    async def judge(
        self,
        judgement: Judgement[G, T],
        given: G,
        *,
        closing: bool = False,
        allowance: Allowance | None = None,
    ) -> Judged[T]:
        """A judgement within ``allowance`` (a lease), else within what the run has left. ``closing`` may use the slice
        kept for synthesis and review."""
        if allowance is not None:
            left = allowance.after(add_spend(self.before, self.spent))
        else:
            left = self.ledger.left(closing=closing)
        judged = await judge(judgement, given, left, self.context.doubt)
        self.spend(judged.spend)
        self.warnings.extend(judged.warnings)
        return judged

    def spend(self, delta: Spend) -> None:
        """Book ``delta`` on this work."""
        self.spent = add_spend(self.spent, delta)

    def done(self, update: Update) -> Update:
        """``update`` with the spend (this work's own time included) and the warnings."""
        active = Spend(active=((self.started, self.deps.clock()),))
        warnings = (*update.get("warnings", ()), *self.warnings)
        return {**update, "spend": add_spend(self.spent, active), "warnings": warnings}
