"""One ledger for every budget: what may be spent, what was spent, what is left.

``RunLimits`` are set once; ``Spend`` is a delta that nodes return and a reducer adds up; ``Ledger`` compares the two
and hands out an ``Allowance``, which is asked before anything is spent. A slice is kept back for synthesis, so that
whatever runs out, the user still gets an answer from what there is.

Time is kept as the intervals in which nodes worked. That makes it right under parallel branches (overlaps count
once), while a person thinks, and after a crash (nobody works in between).
"""

from collections.abc import Iterable
from enum import StrEnum
from typing import Annotated, Any

from pydantic import Field

from calibrant.state.base import Value

JOIN_GAP_S = 1.0
"""Two working intervals closer than this are one: between two nodes the graph itself is at work."""

Interval = tuple[float, float]

LARGEST = 2**63 - 1
"""The largest number that a checkpoint holds: limits go into one, and so does what is left of them."""

Count = Annotated[int, Field(ge=0, le=LARGEST)]
"""A limit on what is counted."""

PositiveCount = Annotated[int, Field(ge=1, le=LARGEST)]
"""A limit below which there would be nothing to do."""


class StopReason(StrEnum):
    """Why a run or a retrieval ended."""

    ANSWERED = "answered"
    ABSTAINED = "abstained"
    ABORTED = "aborted"
    COURTESY = "courtesy"
    """Nothing was asked of the sources: neither an answer nor an abstention."""
    SUFFICIENT = "sufficient"
    PLATEAU = "plateau"
    EXHAUSTED = "exhausted"
    BUDGET = "budget"
    DEADLINE = "deadline"
    FAILED = "failed"


class RunLimits(Value):
    """Limits of one run (DESIGN: defaults per run)."""

    retrievals: Count = Field(default=4, description="Retrievals in one run.")
    refinements: Count = Field(default=2, description="Refine-and-retry rounds in one run.")
    questions: Count = Field(default=3, description="Questions to a person in one run.")
    sequential_calls: Count = Field(default=10, description="Longest chain of model calls.")
    plain_calls: Count = Field(
        default=3,
        description="The same for a plain factual question; one more where the first answer left something open (two "
        "where it told a part), and where a passage seems to contradict it; two more for each answer of a person.",
    )
    """Sequential calls for a plain factual question: effort follows doubt. The one more is for the check."""
    model_calls: Count = Field(default=30, description="Model calls in all.")
    tokens: Count = Field(default=200_000, description="Model tokens, in and out.")
    dollars: float = Field(
        default=1.0,
        ge=0.0,
        allow_inf_nan=False,
        description="Cost, by the prices under `model`. Without prices nothing is counted; calls and tokens are.",
    )
    seconds: float = Field(
        default=60.0,
        gt=0.0,
        allow_inf_nan=False,
        description="Working time, without the time spent waiting for people.",
    )
    synthesis_share: float = Field(
        default=0.15,
        ge=0.0,
        lt=1.0,
        description="Share of calls, tokens, dollars and time kept for composing and reviewing the answer.",
    )

    def for_plain(self, *, more: int = 0) -> "RunLimits":
        """The limits for a plain question, with ``more`` calls where its first answer left something open, or a person
        was asked."""
        return self.replace(sequential_calls=min(self.sequential_calls, self.plain_calls + more))


class RetrievalLimits(Value):
    """Limits of one retrieval (spec 2, ``RetrievalBudget``; 20 documents, 5 of a source, from spec 1)."""

    depth: int = Field(default=3, ge=1, le=3, description="Deepest level of one retrieval.")
    rounds: PositiveCount = Field(default=3, description="Rounds of one retrieval.")
    chunks: PositiveCount = Field(default=50, description="Passages kept by one retrieval.")
    documents: PositiveCount = Field(default=20, description="Documents they may come from.")
    per_source: PositiveCount = Field(
        default=5, description="Documents of one source (a knowledge base is one), where several found something."
    )
    tokens: PositiveCount = Field(
        default=10_000, description="Tokens of the passages kept; the best one is kept whatever its size."
    )
    seconds: float = Field(
        default=5.0,
        gt=0.0,
        allow_inf_nan=False,
        description="Time for one retrieval: afterwards nothing more is searched for, and what was found by then is "
        "kept. A model that judges it may take longer; `limits.seconds` ends that too.",
    )


class Spend(Value):
    """What was spent: counters that add up, time as intervals, and the length of the longest chain of model calls."""

    retrievals: int = 0
    rounds: int = 0
    searches: int = 0
    chunks: int = 0
    refinements: int = 0
    questions: int = 0
    model_calls: int = 0
    sequential_calls: int = 0
    """The length of the longest chain so far, not a delta: parallel branches extend the same chain."""
    tokens_in: int = 0
    tokens_out: int = 0
    dollars: float = 0.0
    active: tuple[Interval, ...] = ()
    """Disjoint, sorted intervals (seconds) in which nodes worked."""

    @property
    def tokens(self) -> int:
        return self.tokens_in + self.tokens_out

    @property
    def seconds(self) -> float:
        return sum(end - start for start, end in self.active)


COUNTERS = (
    "retrievals", "rounds", "searches", "chunks", "refinements", "questions",
    "model_calls", "tokens_in", "tokens_out", "dollars",
)  # fmt: skip


def union(intervals: Iterable[Interval]) -> tuple[Interval, ...]:
    """Intervals merged where they overlap or nearly touch. Associative and idempotent."""
    merged: list[Interval] = []
    # A clock that was set back makes an interval empty, not negative.
    for start, end in sorted((float(a), max(float(a), float(b))) for a, b in intervals):
        if merged and start - merged[-1][1] <= JOIN_GAP_S:
            merged[-1] = (merged[-1][0], max(merged[-1][1], end))
        else:
            merged.append((start, end))
    return tuple(merged)


def add_spend(held: Any, delta: Any) -> Spend:
    """The reducer of the ``spend`` channel: counters add, the chain takes the longer, intervals unite."""
    a = Spend.model_validate(held or {})
    b = Spend.model_validate(delta or {})
    sums = {name: getattr(a, name) + getattr(b, name) for name in COUNTERS}
    return Spend(
        **sums,
        sequential_calls=max(a.sequential_calls, b.sequential_calls),
        active=union((*a.active, *b.active)),
    )


def rounded_down(share: float) -> int:
    """Rounded down, but not below what binary fractions make of a whole number (10 x 0.9 is 9)."""
    return int(share + 1e-9)


def of_calls(limit: int, share: float) -> int:
    """The calls that a share of ``limit`` comes to. A limit of one call is given whole: nothing could be kept of it."""
    return max(rounded_down(limit * share), min(limit, 1))


class Allowance(Value):
    """What one piece of work may still spend. Handed out by the ledger; a fan-out splits it."""

    model_calls: int = 0
    sequential_calls: int = 0
    chain: int = 0
    """The length of the chain of model calls so far: where this work's own calls begin to count."""
    tokens: int = 0
    dollars: float = 0.0
    seconds: float = 0.0

    def split(self, parts: int) -> "Allowance":
        """One of ``parts`` equal shares. Time and the chain are not divided: the parts run side by side."""
        parts = max(1, parts)
        return self.replace(
            model_calls=self.model_calls // parts, tokens=self.tokens // parts, dollars=self.dollars / parts
        )

    def ahead(self) -> "Allowance":
        """For judging passages before the answer: half of the calls, the rest is for the answer itself."""
        return self.replace(model_calls=self.model_calls // 2, sequential_calls=self.sequential_calls // 2)

    def can_call(self, tokens: int = 0) -> bool:
        """Whether one more model call of about ``tokens`` tokens is affordable."""
        return (
            self.model_calls >= 1
            and self.sequential_calls >= 1
            and self.tokens >= tokens
            and self.dollars > 0.0
            and self.seconds > 0.0
        )

    def after(self, spent: Spend) -> "Allowance":
        """What is left of this allowance after ``spent`` (a delta; its chain an absolute length)."""
        grown = max(0, spent.sequential_calls - self.chain)
        return self.replace(
            model_calls=max(0, self.model_calls - spent.model_calls),
            sequential_calls=max(0, self.sequential_calls - grown),
            chain=max(self.chain, spent.sequential_calls),
            tokens=max(0, self.tokens - spent.tokens),
            dollars=max(0.0, self.dollars - spent.dollars),
            seconds=max(0.0, self.seconds - spent.seconds),
        )


class Ledger(Value):
    """Limits against spend at one moment. ``now`` is the injected clock's reading, in seconds."""

    limits: RunLimits
    spend: Spend
    now: float = 0.0

    @property
    def seconds_spent(self) -> float:
        """Working time so far. ``now`` belongs to it where the last interval has only just ended."""
        return sum(end - start for start, end in union((*self.spend.active, (self.now, self.now))))

    def left(self, *, closing: bool = False) -> Allowance:
        """What may still be spent. ``closing`` is for synthesis and review: only they may touch the kept slice."""
        share = 1.0 if closing else 1.0 - self.limits.synthesis_share
        limits, spend = self.limits, self.spend
        return Allowance(
            model_calls=max(0, of_calls(limits.model_calls, share) - spend.model_calls),
            sequential_calls=max(0, of_calls(limits.sequential_calls, share) - spend.sequential_calls),
            chain=spend.sequential_calls,
            tokens=max(0, rounded_down(limits.tokens * share) - spend.tokens),
            dollars=max(0.0, limits.dollars * share - spend.dollars),
            seconds=max(0.0, limits.seconds * share - self.seconds_spent),
        )

    @property
    def retrievals_left(self) -> int:
        return max(0, self.limits.retrievals - self.spend.retrievals)

    @property
    def refinements_left(self) -> int:
        return max(0, self.limits.refinements - self.spend.refinements)

    @property
    def questions_left(self) -> int:
        return max(0, self.limits.questions - self.spend.questions)

    @property
    def exhausted(self) -> bool:
        """No time is left. Spent tokens, dollars or model calls are not the end: the LLM-free tier goes on without."""
        return self.left().seconds <= 0.0

    def used(self) -> float:
        """The largest used share among the budgets, 0..1."""
        limits, spend = self.limits, self.spend
        shares = (
            spend.retrievals / limits.retrievals if limits.retrievals else 0.0,
            spend.model_calls / limits.model_calls if limits.model_calls else 0.0,
            spend.tokens / limits.tokens if limits.tokens else 0.0,
            spend.dollars / limits.dollars if limits.dollars else 0.0,
            self.seconds_spent / limits.seconds,
        )
        return min(1.0, max(shares))
