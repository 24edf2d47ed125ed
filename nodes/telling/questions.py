"""What a person is asked where a phase decides to ask, and why, in plain words."""

from collections.abc import Sequence

from calibrant.judges.free.request.orders import is_order
from calibrant.judges.free.request.vague import PLACEHOLDER
from calibrant.nodes.reading.answered import lack_of
from calibrant.nodes.reading.called import calls_of
from calibrant.nodes.reading.history import signs_of
from calibrant.nodes.telling.phrases import phrases_for
from calibrant.nodes.work import Work
from calibrant.state.channels import Update, View
from calibrant.state.confidence import Confidence, Level, level_of
from calibrant.state.decision import Action, Asking, Decision
from calibrant.state.guidance import GuidanceRequest, WordingAction, WordingRequest
from calibrant.state.task import Task
from calibrant.state.uncertainty import Signal, merge_signals

OF_EVIDENCE = ("evidence", "past_experience", "pattern_availability")
"""The factors that are low where too little was found."""

WEAK = (Level.LOW, Level.VERY_LOW)
"""Only such a factor is a reason to ask."""


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
        why = phrases_for(state).too_vague
        return {"pending": WordingRequest(proposal=task.wording, options=options, reasons=(why,), **common)}
    signs = signs_of(merge_signals(state.signals, signals), decision.phase)
    reasons = signs or _in_plain_words(state, task, decision.confidence)
    reasons = (phrases_for(state).only_quoted, *reasons) if is_beyond_quoting(state, task, work) else reasons
    abort = decision.asking is Asking.ABORT
    return {"pending": GuidanceRequest(reasons=reasons, abort_by_default=abort, **common)}


def needs_model(state: View, work: Work) -> bool:
    """Whether the run's request is one that only a model could do, and there is none."""
    return state.perceived is not None and is_beyond_quoting(state, state.perceived, work)


def is_beyond_quoting(state: View, task: Task, work: Work) -> bool:
    """Whether something was ordered that takes a model, there is none, and no tool is called for it."""
    if work.has_model or (state.selected and state.selected.calls):
        return False
    return any(is_order(text, task.language) for text in (task.text, *(part.text for part in task.questions)))


def _in_plain_words(state: View, task: Task, confidence: Confidence) -> tuple[str, ...]:
    """Why a person is asked, without figures: what the evidence lacks, and what else costs most. The trace has the
    figures."""
    phrases = phrases_for(state)
    factors = [factor for factor in confidence.costliest(2) if level_of(factor.score or 0.0) in WEAK]
    others = tuple(phrases.weakness(factor) for factor in factors if factor.name not in OF_EVIDENCE and factor.reason)
    if factors and len(others) == len(factors):
        return others
    calls = calls_of(state)
    if calls.unsure or calls.failed:
        return (phrases.fates(calls), *others)
    said = phrases.lacking(lack_of(state, task.parts))
    return (*said, *others)


def _last_error(state: View) -> str:
    failures = [result.failure for result in state.results if result.failure]
    if failures:
        return f"{failures[-1].where}: {failures[-1].message}"
    reports = [report for report in state.reports if report.failure]
    return f"{reports[-1].source}: {reports[-1].failure.message}" if reports and reports[-1].failure else ""
