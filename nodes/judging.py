"""From a phase's confidence to its decision: the situation is read off the state, the rule decides, the trace grows."""

from collections.abc import Sequence
from typing import Any

from calibrant.judges.free.evidence.sufficiency import absent
from calibrant.judges.free.request.orders import is_order, sought
from calibrant.judges.free.request.vague import PLACEHOLDER
from calibrant.judges.free.words.tongues import is_foreign
from calibrant.nodes.answered import failed_sources
from calibrant.nodes.phrases import fates, lacking, only_quoted
from calibrant.nodes.steps import calls_of, for_steps, lacked, unfinished
from calibrant.nodes.work import Work
from calibrant.state.base import unique
from calibrant.state.budget import StopReason
from calibrant.state.channels import Update, View
from calibrant.state.confidence import Confidence, Level, level_of
from calibrant.state.decision import (
    USEFUL_BOOST,
    Action,
    Asking,
    Decision,
    Rule,
    Ruling,
    Situation,
    decide,
    forcing_gaps,
    of_phase,
)
from calibrant.state.depth import DEEPEST
from calibrant.state.events import Decided, PhaseStarted
from calibrant.state.guidance import Guidance, GuidanceRequest, WordingAction, WordingRequest
from calibrant.state.retrieval import is_silent
from calibrant.state.task import Phase, Power, StepKind, StepStatus, Task
from calibrant.state.uncertainty import Signal, merge_signals, uncertainty_score

OF_EVIDENCE = ("evidence", "past_experience", "pattern_availability")
"""The factors that are low where too little was found."""

WAY_BACK = 11
"""Supersteps after a judgement, to the end of a run that searches first: from perceive; from elsewhere fewer."""

NO_STEPS = "LangGraph's recursion limit left no room for a search: give a higher `recursion_limit`."

TO_CALL, TO_READ = "a tool has yet to be called", "the model has yet to read what was found"

WEAK = (Level.LOW, Level.VERY_LOW)
"""Only such a factor is a reason to ask."""

SHOWN = 6
"""Missing words that a person is told of."""


def attempt_of(state: View, phase: Phase) -> int:
    """The number of the coming judgement of ``phase`` in this run, from 1."""
    return 1 + len(of_phase(state.decisions, phase))


def open_phase(work: Work, state: View, phase: Phase) -> int:
    """Announce the phase; returns its attempt."""
    attempt = attempt_of(state, phase)
    work.emit(PhaseStarted(phase=phase, attempt=attempt))
    return attempt


def score_before(decisions: Sequence[Decision], phase: Phase) -> float | None:
    """The phase's score before the retrieval that it is coming back from; None if it is not."""
    own = of_phase(decisions, phase)
    return own[-1].confidence.score if own and own[-1].action in (Action.RETRIEVE, Action.REFINE) else None


def last_boost(decisions: Sequence[Decision], phase: Phase, score: float) -> float | None:
    """What the phase's last retrieval changed: the score judged after it, minus the one before. None without one."""
    own = of_phase(decisions, phase)
    searched = [index for index, decision in enumerate(own) if decision.action is Action.RETRIEVE]
    if not searched:
        return None
    after = own[searched[-1] + 1].confidence.score if searched[-1] + 1 < len(own) else score
    return after - own[searched[-1]].confidence.score


def searched_gaps(decisions: Sequence[Decision]) -> tuple[str, ...]:
    """The forcing gaps that this run has searched for."""
    return tuple(gap for decision in decisions if decision.rule is Rule.GAPS for gap in decision.gaps)


def situation(
    state: View, phase: Phase, confidence: Confidence, work: Work, signals: Sequence[Signal], *, calls: bool = False
) -> Situation:
    """What the rule needs to know, read off the state. ``calls``: a tool may be called from here on."""
    context, ledger = work.context, work.ledger
    run, task = state.run, state.perceived
    everything = merge_signals(state.signals, signals)
    uncertain, urged = context.switches.uncertainty, urged_after_outage(state) or guided_since(state)
    return Situation(
        phase=phase,
        score=confidence.score,
        uncertainty=uncertainty_score(everything, phase) if uncertain else 0,
        signs=signs_of(everything, phase) if uncertain else (),
        wording_offered=any(decision.rule is Rule.VAGUE for decision in state.decisions),
        forcing_gaps=forcing_gaps(confidence, searched_gaps(state.decisions)),
        refinements_left=ledger.refinements_left if context.switches.refinement else 0,
        retrievals_left=0 if searched_out(state) else retrievals_left(state, work),
        covered=is_covered(state, phase),
        last_boost=None if urged else last_boost(state.decisions, phase, confidence.score),
        answered=any(spoken_for(answer, phase) for answer in state.guidance),
        untried=TO_CALL if calls else TO_READ if unread(state, phase, work) else "",
        exhausted=ledger.exhausted,
        holds_evidence=bool(state.evidence) and task is not None,
        interactive=run.interactive if run else context.interactive,
        questions_left=ledger.questions_left,
        ask_at=context.ask_at,
        skip_above=context.skip_above,
    )


def spoken_for(answer: Guidance, phase: Phase) -> bool:
    """Whether a person has said to go on: for ``phase``, or for all that follows it. Approval of a call is about that
    call alone; who rejects one leaves it out."""
    return answer.action in ("guide", "skip", "reject") or (answer.phase is phase and answer.action != "approve")


def unread(state: View, phase: Phase, work: Work) -> bool:
    """Whether a model is there that can still be shown what is held, by a step that has yet to run."""
    if not work.has_model or not state.evidence or not for_steps(work.ledger, state.results).can_call():
        return False
    open_steps = (step for step in unfinished(state.selected, state.results) if step.kind is StepKind.ANSWER)
    return any(open_steps) if phase is Phase.ACT else phase in (Phase.PERCEIVE, Phase.REASON)


def searched_out(state: View) -> bool:
    """Whether more searching is futile: the last retrieval went as deep as it may, and what it found did not help."""
    last = state.retrieval
    if last is None or guided_since(state) or urged_after_outage(state) or named_by_model(state):
        return False
    deepest = last.depth_used == DEEPEST or last.power is not Power.AUTO
    return deepest and last.confidence_boost < USEFUL_BOOST


def is_covered(state: View, phase: Phase) -> bool:
    """Whether the last search has found all that the request needs, before anything was made of it: what is lacking
    then is no evidence, and another search only costs."""
    last = state.retrieval
    if last is None or phase not in (Phase.PERCEIVE, Phase.REASON) or guided_since(state) or urged_after_outage(state):
        return False
    return last.stop_reason is StopReason.SUFFICIENT and last.phase is Phase.PERCEIVE


def named_by_model(state: View) -> bool:
    """Whether a model has read what was found and said what is missing: new words to search for."""
    return any(one.status is StepStatus.UNANSWERED and lacked(one) for one in state.results)


def guided_since(state: View) -> bool:
    """Whether a person has said something that no retrieval has used yet."""
    searched = [index for index, decision in enumerate(state.decisions) if decision.action is Action.RETRIEVE]
    asked = {answer.request_id for answer in state.guidance if answer.action == "guide"}
    after = state.decisions[searched[-1] + 1 :] if searched else state.decisions
    return any(decision.id in asked for decision in after)


def urged_after_outage(state: View) -> bool:
    """Whether a person has just said to go on after a retrieval in which no source could answer: it does not show that
    searching is futile."""
    last, said = state.retrieval, state.guidance[-1] if state.guidance else None
    if last is None or said is None or state.decision is None or said.request_id != state.decision.id:
        return False
    return is_silent(last.sources) and said.action in ("guide", "retry")


def retrievals_left(state: View, work: Work) -> int:
    """Retrievals the run may still make: none when they are switched off, there is no source, or no time is left, nor
    where LangGraph would end the run before it has come back from one."""
    ledger = work.ledger
    if not work.context.switches.retrieval or not work.deps.sources or ledger.exhausted:
        return 0
    return ledger.retrievals_left if state.steps_left > WAY_BACK else 0


def rule(state: View, phase: Phase, confidence: Confidence, work: Work, seen: Situation) -> Decision:
    """The decision of ``phase``, announced on the stream."""
    thresholds = work.context.thresholds_of(phase)
    ruling = decide(seen, thresholds)
    if ruling.warning and state.steps_left <= WAY_BACK:
        work.warnings.append(NO_STEPS)
    if not work.context.switches.confidence:
        ruling = Ruling(rule=Rule.UNJUDGED, action=Action.PROCEED, reason="confidence tracking is switched off")
    return record(state, phase, confidence, work, ruling, seen)


def record(
    state: View, phase: Phase, confidence: Confidence, work: Work, ruling: Ruling, seen: Situation | None = None
) -> Decision:
    """A ruling as a line of the trace."""
    ledger = work.ledger
    decision = Decision(
        id=work.deps.new_id(),
        phase=phase,
        action=ruling.action,
        rule=ruling.rule,
        reason=ruling.reason,
        asking=ruling.asking,
        warning=ruling.warning,
        confidence=confidence,
        before=score_before(state.decisions, phase),
        thresholds=work.context.thresholds_of(phase),
        uncertainty=seen.uncertainty if seen else 0,
        gaps=seen.forcing_gaps if seen else (),
        attempt=attempt_of(state, phase),
        left=ledger.left(),
        retrievals_left=retrievals_left(state, work),
        at=work.deps.clock(),
    )
    work.emit(Decided(decision=decision, spend=ledger.spend, used=ledger.used()))
    return decision


def decided(decision: Decision, **update: Any) -> Update:
    """The update that leaves ``decision`` in the trace, where the edges read it."""
    warnings = (decision.warning,) if decision.warning else ()
    return {"decisions": (decision,), "warnings": warnings, **update}


def question_for(state: View, decision: Decision, work: Work, signals: Sequence[Signal] = ()) -> Update:
    """The request that ``ask_human`` will put, as an update; empty where the decision asks nobody."""
    task = state.perceived
    if decision.action is not Action.ASK or task is None:
        return {}
    common = {
        "id": decision.id,
        "phase": decision.phase,
        "task": task.text,
        "score": decision.confidence.score,
        "asked_at": decision.at,
        "last_error": _last_error(state),
    }
    if decision.asking is Asking.WORDING:
        gaps = PLACEHOLDER.search(task.wording) is not None
        options = tuple(option for option in WordingAction if not (gaps and option is WordingAction.USE))
        request = WordingRequest(proposal=task.wording, options=options, reasons=(decision.reason,), **common)
        return {"pending": request}
    signs = signs_of(merge_signals(state.signals, signals), decision.phase)
    reasons = signs or _in_plain_words(state, task, decision.confidence)
    reasons = (only_quoted(task.language), *reasons) if is_beyond_quoting(state, task, work) else reasons
    abort = decision.asking is Asking.ABORT
    return {"pending": GuidanceRequest(reasons=reasons, abort_by_default=abort, **common)}


def is_beyond_quoting(state: View, task: Task, work: Work) -> bool:
    """Whether something was ordered that takes a model, there is none, and no tool is called for it."""
    if work.has_model or (state.selected and state.selected.calls):
        return False
    return any(is_order(text, task.language) for text in (task.text, *(part.text for part in task.questions)))


def signs_of(signals: Sequence[Signal], phase: Phase) -> tuple[str, ...]:
    """What makes ``phase`` uncertain and nobody has answered yet, in words, each once."""
    details = unique(signal.detail for signal in signals if signal.phase is phase and not signal.resolved)
    return tuple(one for one in details if one and not any(one != other and one in other for other in details))


def _in_plain_words(state: View, task: Task, confidence: Confidence) -> tuple[str, ...]:
    """Why a person is asked, without figures: what the evidence lacks, and what else costs most. The trace has the
    figures."""
    factors = [factor for factor in confidence.costliest(2) if level_of(factor.score or 0.0) in WEAK]
    others = tuple(factor.reason for factor in factors if factor.name not in OF_EVIDENCE and factor.reason)
    if factors and len(others) == len(factors):
        return others
    calls = calls_of(state)
    if calls.unsure or calls.failed:
        return (fates(task.language, calls), *others)
    missing = absent([sought(part, task.language) for part in task.parts], state.evidence)[:SHOWN]
    failed = failed_sources(state)
    held, foreign = bool(state.evidence), is_foreign(task.parts, state.evidence)
    silent = is_silent(state.reports)
    said = lacking(task.language, held=held, silent=silent, foreign=foreign, missing=missing, failed=failed)
    return (*said, *others)


def _last_error(state: View) -> str:
    failures = [result.failure for result in state.results if result.failure]
    if failures:
        return f"{failures[-1].where}: {failures[-1].message}"
    reports = [report for report in state.reports if report.failure]
    return f"{reports[-1].source}: {reports[-1].failure.message}" if reports and reports[-1].failure else ""
