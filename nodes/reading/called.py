"""What became of the calls of a run: those that were made, and those that were not. Pure functions over the state."""

from collections.abc import Sequence
from dataclasses import dataclass

from calibrant.judges.free.planning.tool_outputs import spoken
from calibrant.state.answer import Claim
from calibrant.state.base import unique
from calibrant.state.channels import View
from calibrant.state.record import clipped
from calibrant.state.task import Intent, StepStatus, SubResult, call_text

NOT_ENOUGH = "it cannot be called with what the request says"
TOLD_LIMIT = 200
"""Characters of a call, and of what it gave, that the answer tells, or a person is shown."""


@dataclass(frozen=True)
class Calls:
    """What became of a run's calls, each in a few words."""

    done: tuple[str, ...] = ()
    """Those that may have changed something, and were made."""
    unsure: tuple[str, ...] = ()
    """Those that were begun, and nobody knows what became of them."""
    failed: tuple[str, ...] = ()
    """Those of the selected branch that failed, or were not run."""


def calls_of(state: View, claims: Sequence[Claim] = ()) -> Calls:
    """What became of the calls. What one gave is told too, unless ``claims`` do; of a failed one what it said, of a
    rejected one what a person said."""
    begun = {result.id for result in state.results if result.begun}  # also of a plan that was given up since
    tools = {one.step_id: one.tool for one in state.intents if one.step_id in begun}
    tools |= {step.id: step.tool for step in state.steps if step.tool}
    told = [(one.begun, _said(one, tools[one.id])) for one in state.results if one.id in tools]
    planned = state.selected.left_out if state.selected else ()
    told += [(False, f"{name}: {NOT_ENOUGH}") for name in planned if name not in tools.values()]
    known = {eid for claim in claims for eid in claim.evidence_ids}
    return Calls(
        done=tuple(
            _made(intent, "" if known.intersection(one.evidence_ids) else spoken(one.content))
            for one, intent in done_calls(state)
        ),
        unsure=unique(text for begun, text in told if begun and text),
        failed=unique(text for begun, text in told if not begun and text),
    )


def done_calls(state: View) -> tuple[tuple[SubResult, Intent], ...]:
    """The calls that may have changed something and were made, whatever else the run finds."""
    made = {intent.step_id: intent for intent in state.intents if intent.changes}
    return tuple((one, made[one.id]) for one in state.results if one.id in made and one.status is StepStatus.ANSWERED)


def _said(result: SubResult, tool: str) -> str:
    if result.failure is not None:
        return f"{result.failure.where}: {result.failure.message}"
    return f"{tool}: {result.missing}" if result.status is StepStatus.SKIPPED and result.missing else ""


def _made(intent: Intent, gave: str) -> str:
    told = (call_text(intent.tool, intent.arguments), gave)
    return ": ".join(clipped(text, TOLD_LIMIT) for text in told if text.strip())
