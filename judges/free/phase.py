"""Confidence in a phase: five factors from memory, evidence, understanding, plan and risk (spec 1, DESIGN section 4).

In perceive and reason, evidence held stands in for experience (up to 0.5) and for patterns (up to 0.8). In act and
reflect the weight of these two goes to one factor, ``evidence``: how far steps are covered, how many claims supported.
"""

from collections.abc import Sequence

from calibrant.state.confidence import Confidence, Factor, PhaseWeights, confidence_of
from calibrant.state.memory import Recollection
from calibrant.state.retrieval import Sufficiency
from calibrant.state.task import Phase, Task

EVIDENCE_AS_EXPERIENCE, EVIDENCE_AS_PATTERN = 0.5, 0.8
"""How much full evidence counts as experience and as a pattern: spec 1's 0.15 of 0.30 and 0.20 of 0.25."""

LEAST_SHOWN = 0.005
"""What is below would be shown as 0.00."""


def phase_confidence(
    phase: Phase,
    *,
    task: Task,
    recollection: Recollection,
    sufficiency: Sufficiency | None = None,
    per_step: Sequence[float] = (),
    supported_share: float | None = None,
    disputed: bool = False,
    clarity: float,
    risk: float,
    weights: PhaseWeights,
) -> Confidence:
    """The confidence in ``phase``, with its factors. ``risk`` is the harm (0 none); its factor is 1 when safe.

    ``disputed``: whether ``supported_share`` is lower because sources disagree; it is told as the reason.
    """
    known: tuple[Factor, ...]
    if phase is Phase.ACT:
        known = (_covered(recollection, per_step, weights),)
    elif phase is Phase.REFLECT:
        known = (_supported(supported_share, disputed, weights),)
    else:
        known = _known(recollection, sufficiency, weights)
    return confidence_of((*known, *_task_factors(task, clarity, risk, weights)))


def _known(memory: Recollection, held: Sufficiency | None, weights: PhaseWeights) -> tuple[Factor, ...]:
    """Experience and patterns, from memory or from the evidence held, whichever says more."""
    score = held.score if held else 0.0
    return (
        Factor(
            name="past_experience",
            score=_unit(max(memory.past_experience, EVIDENCE_AS_EXPERIENCE * score)),
            weight=weights.past_experience,
            reason=f"{_remembered(memory.past_experience, 'similar task')}; {_held(held)}",
        ),
        Factor(
            name="pattern_availability",
            score=_unit(max(memory.pattern_availability, EVIDENCE_AS_PATTERN * score)),
            weight=weights.pattern_availability,
            reason=f"{_remembered(memory.pattern_availability, 'fitting pattern')}; {_held(held)}",
        ),
    )


def _covered(memory: Recollection, per_step: Sequence[float], weights: PhaseWeights) -> Factor:
    """What act goes by: the evidence for each step. Memory may vouch for it, never stand in for what is missing."""
    steps = per_step or (0.0,)
    value = _unit(sum(steps) / len(steps))
    covered = sum(step > 0.0 for step in steps)
    remembered = max(memory.past_experience, memory.pattern_availability) if covered == len(steps) else 0.0
    reason = _coverage(covered, len(steps), value)
    if remembered > value:
        reason += f"; a similar task is remembered ({remembered:.2f})"
    return _evidence(max(value, remembered), reason, weights)


def _coverage(covered: int, steps: int, value: float) -> str:
    """How many of the steps have evidence, and how much of them all it covers."""
    if not covered:
        return f"none of the {steps} steps has evidence" if steps > 1 else "no evidence covers what is asked"
    if steps == 1:
        return f"the evidence covers {_amount(value)} of what is asked"
    have = "has" if covered == 1 else "have"
    return f"{covered} of {steps} steps {have} evidence; it covers {_amount(value)} of what they all ask"


def _supported(share: float | None, disputed: bool, weights: PhaseWeights) -> Factor:
    """What reflect goes by: the claims that are borne out. Memory has no say: that a similar answer was right supports
    no claim of this one."""
    if share is None:
        return _evidence(0.0, "no claim to check", weights)
    if share == 0.0:
        return _evidence(share, "no supported claim answers what was asked", weights)
    if disputed:
        return _evidence(share, f"sources disagree: what was asked counts as {share:.0%} answered", weights)
    return _evidence(share, f"{share:.0%} of what was asked is answered by supported claims", weights)


def _evidence(score: float, reason: str, weights: PhaseWeights) -> Factor:
    weight = weights.past_experience + weights.pattern_availability
    return Factor(name="evidence", score=_unit(score), weight=weight, reason=reason)


def _task_factors(task: Task, clarity: float, risk: float, weights: PhaseWeights) -> tuple[Factor, ...]:
    return (
        Factor(
            name="task_understanding",
            score=task.understanding,
            weight=weights.task_understanding,
            reason=f"{_well(task.understanding)} understood as a {task.query_type} request, {_parts(task)}",
        ),
        Factor(
            name="strategy_clarity",
            score=_unit(clarity),
            weight=weights.strategy_clarity,
            reason=f"the steps are {_well(clarity)} defined",
        ),
        Factor(name="risk", score=_unit(1.0 - risk), weight=weights.risk, reason=_harm(task, risk)),
    )


def _remembered(weight: float, what: str) -> str:
    return f"a {what} is remembered ({weight:.2f})" if weight > 0 else f"no {what} remembered"


def _held(held: Sufficiency | None) -> str:
    if held is None:
        return "no evidence held yet"
    return f"evidence held covers {_amount(held.score)} of the question"


def _amount(score: float) -> str:
    """A share as a number, in words where the number would read as none."""
    if score >= LEAST_SHOWN:
        return f"{score:.2f}"
    return "hardly anything" if score > 0.0 else "nothing"


def _well(score: float) -> str:
    if score >= 0.9:
        return "clearly"
    return "mostly" if score >= 0.7 else "partly" if score >= 0.4 else "hardly"


def _parts(task: Task) -> str:
    count = len(task.questions)
    return f"in {count} parts" if count > 1 else "in one part"


def _harm(task: Task, risk: float) -> str:
    if risk == 0.0:
        return "a wrong answer would do no harm beyond itself"
    return task.risks[0] if task.risks else f"a wrong answer or action could do harm ({risk:.2f})"


def _unit(score: float) -> float:
    return min(1.0, max(0.0, score))
