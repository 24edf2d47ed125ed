"""From a phase's confidence to its decision: the situation is read off the state, the rule decides, the trace grows."""

from dataclasses import dataclass
from typing import Any

from calibrant.nodes.reading.history import (
    attempt_of,
    guided_since,
    is_covered,
    last_boost,
    named_since,
    score_before,
    searched_gaps,
    searched_out,
    signs_of,
    spoken_for,
    urged_after_outage,
)
from calibrant.nodes.reading.steps import for_steps, unfinished
from calibrant.nodes.telling.questions import question_for
from calibrant.nodes.work import Work
from calibrant.state.channels import Update, View
from calibrant.state.confidence import Confidence
from calibrant.state.decision import Action, Decision, Rule, Ruling, Situation, decide, forcing_gaps
from calibrant.state.events import Decided, PhaseStarted
from calibrant.state.retrieval import is_silent
from calibrant.state.task import Phase, StepKind
from calibrant.state.uncertainty import Signal, merge_signals, uncertainty_score

WAY_BACK = 11
"""Supersteps that a run still needs after a judgement, if it searches first. So many from perceive; later phases need
fewer."""

NO_STEPS = "LangGraph's recursion limit left no room for a search: give a higher `recursion_limit`."

UNSEARCHED, UNANSWERED = "no search may be made", "no source could answer"

TO_CALL, TO_READ = "a tool has yet to be called", "the model has yet to read what was found"


def open_phase(work: Work, state: View, phase: Phase) -> int:
    """Announce that the phase begins, and give the number of its attempt."""
    attempt = attempt_of(state, phase)
    work.emit(PhaseStarted(phase=phase, attempt=attempt))
    return attempt


@dataclass(frozen=True)
class PhaseJudgement:
    """How sure a phase is of itself, and what makes it uncertain: what its decision and its update are made of."""

    state: View
    phase: Phase
    confidence: Confidence
    work: Work
    signals: tuple[Signal, ...] = ()
    """What it has observed itself, beside what the state holds."""

    def situation(self, *, calls: bool = False) -> Situation:
        """What the rule needs to know, read off the state. ``calls``: a tool may be called from here on."""
        state, phase, work = self.state, self.phase, self.work
        context, ledger, run = work.context, work.ledger, state.run
        everything = merge_signals(state.signals, self.signals)
        uncertain = context.switches.uncertainty
        is_new = urged_after_outage(state) or guided_since(state) or named_since(state)
        return Situation(
            phase=phase,
            score=self.confidence.score,
            uncertainty=uncertainty_score(everything, phase) if uncertain else 0,
            signs=signs_of(everything, phase) if uncertain else (),
            wording_offered=any(decision.rule is Rule.VAGUE for decision in state.decisions),
            forcing_gaps=forcing_gaps(self.confidence, searched_gaps(state.decisions)),
            refinements_left=ledger.refinements_left if context.switches.refinement else 0,
            retrievals_left=0 if searched_out(state) else retrievals_left(state, work),
            covered=is_covered(state, phase),
            unsearched=UNANSWERED if is_silent(state.reports) else "" if state.retrievals else UNSEARCHED,
            last_boost=None if is_new else last_boost(state.decisions, phase, self.confidence.score),
            answered=any(spoken_for(answer, phase) for answer in state.guidance),
            untried=TO_CALL if calls else TO_READ if awaits_reading(state, phase, work) else "",
            exhausted=ledger.exhausted,
            holds_evidence=bool(state.evidence) and state.perceived is not None,
            interactive=run.interactive if run else context.interactive,
            questions_left=ledger.questions_left,
            ask_at=context.ask_at,
            skip_above=context.skip_above,
        )

    def decide(self, seen: Situation) -> Decision:
        """What the rule says of the situation ``seen``, announced on the stream."""
        context = self.work.context
        ruling = decide(seen, context.thresholds_of(self.phase)) if context.switches.confidence else unjudged(seen)
        if ruling.warning and self.state.steps_left <= WAY_BACK:
            self.work.warnings.append(NO_STEPS)
        return self.record(ruling, seen)

    def record(self, ruling: Ruling, seen: Situation | None = None) -> Decision:
        """A ruling as a line of the trace, announced on the stream."""
        state, work, ledger = self.state, self.work, self.work.ledger
        decision = Decision(
            id=work.deps.new_id(),
            phase=self.phase,
            **dict(ruling),
            confidence=self.confidence,
            before=score_before(state.decisions, self.phase),
            thresholds=work.context.thresholds_of(self.phase),
            uncertainty=seen.uncertainty if seen else 0,
            gaps=seen.forcing_gaps if seen else (),
            attempt=attempt_of(state, self.phase),
            left=ledger.left(),
            retrievals_left=retrievals_left(state, work),
            at=work.deps.clock(),
        )
        work.emit(Decided(decision=decision, spend=ledger.spend, used=ledger.used()))
        return decision

    def update(self, decision: Decision, **more: Any) -> Update:
        """What the phase leaves: its ``decision``, its signals, the question that a person is to be asked, and
        ``more``."""
        question = question_for(self.state, decision, self.work, self.signals)
        return traced(decision, signals=self.signals, **question, **more)


def awaits_reading(state: View, phase: Phase, work: Work) -> bool:
    """Whether a step that has yet to run can still show the passages held to a model."""
    if not work.has_model or not state.evidence or not for_steps(work.ledger, state.results).can_call():
        return False
    open_steps = (step for step in unfinished(state.selected, state.results) if step.kind is StepKind.ANSWER)
    return any(open_steps) if phase is Phase.ACT else phase in (Phase.PERCEIVE, Phase.REASON)


def retrievals_left(state: View, work: Work) -> int:
    """Retrievals the run may still make: none when they are switched off, there is no source, or no time is left, nor
    where LangGraph would end the run before it has come back from one."""
    ledger = work.ledger
    if not work.context.switches.retrieval or not work.deps.sources or ledger.exhausted:
        return 0
    return ledger.retrievals_left if state.steps_left > WAY_BACK else 0


def unjudged(s: Situation) -> Ruling:
    """Without confidence: one search where nothing is held, then straight on."""
    searches = s.phase is Phase.PERCEIVE and not s.holds_evidence and s.retrievals_left > 0 and s.last_boost is None
    action = Action.RETRIEVE if searches else Action.PROCEED
    return Ruling(rule=Rule.UNJUDGED, action=action, reason="confidence tracking is switched off")


def traced(decision: Decision, **more: Any) -> Update:
    """The update that leaves ``decision`` in the trace, where the edges read it, with ``more``. In which phases a run
    went on unsure is told once, at its end (``less_sure``)."""
    warnings = (decision.warning,) if decision.warning and not decision.goes_on_unsure else ()
    return {"decisions": (decision,), "warnings": warnings, **more}
