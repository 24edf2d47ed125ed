"""Depth: what each level searches, and the rule that ends a retrieval or takes it deeper. Pure.

| depth | chunks, cumulative | sources | queries |
|---|---|---|---|
| 1 shallow | 5 | the quick ones | 1 |
| 2 medium | 15 | all | 2 |
| 3 deep | 40 | all, pages read | 4 |

(Spec 2's table; its ranges 3-5, 10-15 and 20-40 are read as their upper ends. Where the retrieval itself chose to go
deeper, level 2 keeps 10.)
"""

from pydantic import Field

from calibrant.state.base import Value
from calibrant.state.budget import RetrievalLimits, StopReason
from calibrant.state.confidence import score_text
from calibrant.state.decision import USEFUL_BOOST
from calibrant.state.retrieval import DepthDecision

DEEPEST = 3

CHUNKS = {1: 5, 2: 15, 3: 40}
"""Passages kept at each depth, cumulative."""

CHOSEN = {**CHUNKS, 2: 10}
"""The same where the retrieval itself chose the level. The second one then follows the names that the first one's
passages lead to, and what its first ten passages lack the next five seldom have (fit halves: 1 question in 50)."""

ASKED = {1: 15, 2: 30, 3: 40}
"""Passages that a source is asked for at each depth: more than are kept, so that ranking can choose."""

QUERIES = {1: 1, 2: 2, 3: 4}
"""Queries sent in a round at each depth; a task of several parts may send one a part."""

PAGES_READ = {1: 0, 2: 0, 3: 6}
"""Full pages read in a round at each depth, behind the best results so far."""

QUICK_SOURCES = ("memory", "knowledge", "web")
"""The sources of depth 1."""

NEAR = 0.03
"""A score so near its threshold counts as sufficient where going deeper has already been tried (spec 2's log: 0.82
of 0.85)."""

FULL = 0.95
"""So much of the token limit counts as all of it: the next passage would not have fitted."""


NO_TIME_S = 0.05
"""So little time is none: a guarded source gives up a moment before its deadline, and no other answers in that."""


class DepthSituation(Value):
    """What the rule looks at after a round."""

    score: float = Field(ge=0.0, le=1.0)
    gain: float = 0.0
    """Score now minus score before the round."""
    threshold: float = Field(ge=0.0, le=1.0)
    depth: int
    round: int
    chunks: int
    tokens: int
    forced: bool = False
    """The power is forced: one round at a fixed depth."""
    fresh: bool = True
    """A deeper or refined round would send something new."""
    unread: bool = False
    """Results are held whose full pages nobody has read, and the deepest level may be used."""
    leads: bool = False
    """The question takes several steps, and what was found names pages that nobody has looked for: one that answers
    may be half of what is needed."""
    shown: bool = False
    """A model has read the passages, and shown the words that answer each part."""
    full: bool = False
    """The limits, not the level, left this round no room for more than was held before it."""
    seconds_left: float
    limits: RetrievalLimits = RetrievalLimits()


class DepthRuling(Value):
    """What follows a round. ``stop`` is set exactly when the decision ends the retrieval."""

    decision: DepthDecision
    depth: int
    stop: StopReason | None = None
    reason: str = ""


def next_round(s: DepthSituation) -> DepthRuling:
    """Enough, deeper, refined (same depth, other queries), or stop. First match wins."""
    if s.shown:
        return _stop(
            s, StopReason.SUFFICIENT, "the model has shown where each part is answered", DepthDecision.SUFFICIENT
        )
    if s.leads and _may_deepen(s):
        reason = f"{score_text(s.score)}, but the question takes several steps and what was found leads on"
        return DepthRuling(decision=DepthDecision.DEEPER, depth=s.depth + 1, reason=reason)
    if s.score >= s.threshold:
        return _stop(
            s, StopReason.SUFFICIENT, f"{score_text(s.score)} reaches {s.threshold:.2f}", DepthDecision.SUFFICIENT
        )
    if s.round > 1 and s.score >= s.threshold - NEAR:
        reason = f"{score_text(s.score)} is near enough to {s.threshold:.2f}"
        return _stop(s, StopReason.SUFFICIENT, reason, DepthDecision.SUFFICIENT)
    pages_next = s.unread and s.depth == DEEPEST
    if s.forced and not (pages_next and s.round == 1):
        return _stop(s, StopReason.EXHAUSTED, f"depth {s.depth} was forced")
    if s.seconds_left <= NO_TIME_S:
        return _stop(s, StopReason.DEADLINE, f"{s.limits.seconds:.1f} s are over")
    # Before the budget: where searching has stopped helping, more budget would buy nothing, unless there was no room
    # for what was found. Results that say no more than their first lines did are no plateau yet while their pages are
    # unread.
    if s.round > 1 and s.gain < USEFUL_BOOST and not (s.unread and s.depth < DEEPEST):
        if s.full:
            return _stop(s, StopReason.BUDGET, _filled(s))
        return _stop(s, StopReason.PLATEAU, f"the last round added {s.gain:+.2f}")
    if s.round >= s.limits.rounds or s.chunks >= s.limits.chunks or s.tokens >= FULL * s.limits.tokens:
        return _stop(s, StopReason.BUDGET, _spent(s))
    if pages_next:
        reason = f"{score_text(s.score)} is below {s.threshold:.2f}; full pages are left to read"
        return DepthRuling(decision=DepthDecision.REFINED, depth=s.depth, reason=reason)
    if s.depth < min(DEEPEST, s.limits.depth):
        reason = f"{score_text(s.score)} is below {s.threshold:.2f}"
        return DepthRuling(decision=DepthDecision.DEEPER, depth=s.depth + 1, reason=reason)
    if s.fresh:
        reason = f"{score_text(s.score)} is below {s.threshold:.2f}; other queries are left"
        return DepthRuling(decision=DepthDecision.REFINED, depth=s.depth, reason=reason)
    return _stop(s, StopReason.EXHAUSTED, "nothing deeper or different is left to search")


def _may_deepen(s: DepthSituation) -> bool:
    """Whether a first round may be followed by one at the next level."""
    limits = s.limits
    room = s.chunks < limits.chunks and s.tokens < FULL * limits.tokens and s.seconds_left > NO_TIME_S
    return room and not s.forced and s.round == 1 < limits.rounds and s.depth < min(DEEPEST, limits.depth)


def _stop(
    s: DepthSituation, stop: StopReason, reason: str, decision: DepthDecision = DepthDecision.STOP
) -> DepthRuling:
    return DepthRuling(decision=decision, depth=s.depth, stop=stop, reason=reason)


def _spent(s: DepthSituation) -> str:
    if s.round >= s.limits.rounds:
        return f"{s.round} rounds are the limit"
    return _filled(s)


def _filled(s: DepthSituation) -> str:
    return f"the limits have no room for more than {s.chunks} passages of {s.tokens} tokens"
