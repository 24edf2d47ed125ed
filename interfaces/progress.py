"""What a run has shown so far: a fold of its events into one frozen value, which the live view draws.

Pure, and frozen so that the thread that draws can read it while the next event is folded in.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from pydantic import ValidationError

from calibrant.state import events as e
from calibrant.state.budget import Spend
from calibrant.state.confidence import score_text
from calibrant.state.decision import Action, Decision
from calibrant.state.evidence import SourceState
from calibrant.state.retrieval import Distillate, SourceReport
from calibrant.state.task import Phase, StepStatus


@dataclass(frozen=True)
class PhaseLine:
    """One phase: its first and its latest score, and what the latest judgement led to."""

    phase: Phase
    attempt: int = 0
    first: float | None = None
    score: float | None = None
    proceed: float | None = None
    action: Action | None = None
    note: str = ""

    @property
    def done(self) -> bool:
        return self.action in (Action.PROCEED, Action.SKIP, Action.RESPOND)

    @property
    def boosted(self) -> bool:
        """Whether the score has visibly changed since the first judgement."""
        return self.first is not None and self.score is not None and score_text(self.first) != score_text(self.score)


@dataclass(frozen=True)
class Progress:
    """Everything the live view shows."""

    question: str = ""
    doing: str = "starting"
    phases: tuple[PhaseLine, ...] = tuple(PhaseLine(phase) for phase in Phase)
    current: Phase | None = None
    searching: e.RetrievalStarted | None = None
    reports: Mapping[str, SourceReport] = field(default_factory=dict)
    passages: int = 0
    branches: Mapping[str, float] = field(default_factory=dict)
    parts: tuple[str, ...] = ()
    """The questions that the request was taken apart into, where there are several."""
    steps: Mapping[str, e.StepDone] = field(default_factory=dict)
    insights: tuple[str, ...] = ()
    used: float = 0.0
    spend: Spend = field(default_factory=Spend)
    finished: bool = False

    def line(self, phase: Phase) -> PhaseLine:
        """The line of one phase."""
        return next(line for line in self.phases if line.phase is phase)

    def fared(self, part: str) -> StepStatus | None:
        """How the step that answers ``part`` has ended; None while it has not."""
        return next((step.status for step in self.steps.values() if part in (step.question, *step.parts)), None)

    def with_line(self, line: PhaseLine) -> "Progress":
        """The same with one phase's line changed."""
        return replace(self, phases=tuple(line if held.phase is line.phase else held for held in self.phases))


def read_event(raw: Any) -> e.Event | None:
    """``raw`` as one of our events; None for whatever else a tool may write to the stream."""
    try:
        return e.EVENT.validate_python(raw)
    except ValidationError:
        return None


def after(seen: Progress, event: e.Event) -> Progress:
    """``seen`` with one more event folded in."""
    match event:
        case e.RunStarted():
            return replace(Progress(), question=event.question or seen.question, doing="reading the question")
        case e.PhaseStarted():
            line = replace(seen.line(event.phase), attempt=event.attempt, action=None)
            return replace(seen.with_line(line), current=event.phase, doing=DOING[event.phase])
        case e.Understood():
            return _understood(seen, event)
        case e.Decided():
            judged = seen.with_line(_judged(seen.line(event.decision.phase), event.decision))
            return replace(judged, used=event.used or seen.used, spend=event.spend)
        case e.PersonAnswered():
            return seen
        case e.BranchScored():
            return _with_branches(seen, {**seen.branches, event.branch_id: event.score})
        case e.RetrievalStarted():
            return replace(seen, searching=event, reports=_kept(seen, event), current=event.phase, doing="searching")
        case e.Searched():
            return replace(seen, reports={**seen.reports, event.report.source: _added(seen, event.report)})
        case e.RoundJudged():
            return replace(seen, passages=event.round.chunks)
        case e.StepDone():
            return _with_steps(seen, {**seen.steps, event.step_id: event})
        case e.Reviewed():
            return _reviewed(seen, event)
        case e.Planned() | e.Synthesized():
            return seen
        case e.Finished():
            return replace(seen, finished=True, spend=event.spend, doing="done")


DOING = {
    Phase.PERCEIVE: "understanding",
    Phase.REASON: "weighing strategies",
    Phase.ACT: "answering",
    Phase.REFLECT: "reviewing",
}


def learnt(seen: Progress, distillate: Distillate) -> Progress:
    """``seen`` with the key insights that a retrieval brought."""
    texts = tuple(insight.text for insight in distillate.key_insights)
    return replace(seen, insights=texts) if texts else seen


def _understood(seen: Progress, event: e.Understood) -> Progress:
    parts = len(event.questions)
    note = event.query_type.value + (f", {parts} parts" if parts > 1 else "")
    noted = seen.with_line(replace(seen.line(Phase.PERCEIVE), note=note))
    return replace(noted, parts=event.questions if parts > 1 else ())


def _judged(line: PhaseLine, decision: Decision) -> PhaseLine:
    score = decision.confidence.score
    first = line.first if line.first is not None else decision.before if decision.before is not None else score
    return replace(line, first=first, score=score, proceed=decision.thresholds.proceed, action=decision.action)


def _with_branches(seen: Progress, branches: Mapping[str, float]) -> Progress:
    count = len(branches)
    note = f"{count} {'strategy' if count == 1 else 'strategies'}"
    return replace(seen.with_line(replace(seen.line(Phase.REASON), note=note)), branches=branches)


def _with_steps(seen: Progress, steps: Mapping[str, e.StepDone]) -> Progress:
    answered = sum(step.status is StepStatus.ANSWERED for step in steps.values())
    note = f"{answered} of {len(steps)} answered"
    return replace(seen.with_line(replace(seen.line(Phase.ACT), note=note)), steps=steps)


def _reviewed(seen: Progress, event: e.Reviewed) -> Progress:
    verdicts = event.verdicts or {}
    stand = sum(count for verdict, count in verdicts.items() if verdict.stands)
    note = f"{stand} of {sum(verdicts.values())} claims stand"
    return seen.with_line(replace(seen.line(Phase.REFLECT), note=note))


def _kept(seen: Progress, started: e.RetrievalStarted) -> Mapping[str, SourceReport]:
    """A new retrieval (round 1) starts with a clean list of sources; a further round adds to it."""
    return {} if started.round <= 1 else seen.reports


def _added(seen: Progress, report: SourceReport) -> SourceReport:
    """A source that answers in several rounds or to several queries: its counts add up."""
    held = seen.reports.get(report.source)
    if held is None:
        return report
    found = held.count + report.count
    state = SourceState.OK if found else report.state
    return report.replace(count=found, state=state, failure=None if found else report.failure)
