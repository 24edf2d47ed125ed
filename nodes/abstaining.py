"""What is said where a run ends without an answer: what is missing, where it was looked for, what came nearest."""

import asyncio

from calibrant.judges.free.answering.closest import closest
from calibrant.judges.free.evidence.sufficiency import absent
from calibrant.judges.free.request.orders import sought
from calibrant.judges.free.words.tongues import is_foreign
from calibrant.nodes.answered import claims_in, failed_sources, reply_language, unanswered_parts
from calibrant.nodes.phrases import abstention, fates, refusal
from calibrant.nodes.steps import calls_of
from calibrant.state.base import unique
from calibrant.state.budget import StopReason
from calibrant.state.channels import View
from calibrant.state.evidence import Filters, Quotation
from calibrant.state.retrieval import is_silent


async def nearest(state: View, reason: StopReason) -> tuple[Quotation, ...]:
    """What came nearest to an answer, where the run ends without one."""
    if reason not in (StopReason.ABSTAINED, StopReason.BUDGET) or claims_in(state):
        return ()
    return await asyncio.to_thread(closest, sought_in(state), state.evidence)


def parts_of(state: View) -> tuple[str, ...]:
    """What an abstention leaves open."""
    return unanswered_parts(state, ()) or ((state.run.question,) if state.run else ())


def sought_in(state: View) -> tuple[str, ...]:
    """What was searched for, for each open part."""
    return tuple(filter(None, (sought(part, reply_language(state)) for part in parts_of(state))))


def without_answer(state: View, reason: StopReason, instead: str, quoting: bool) -> str:
    """That there is no answer: ``instead``, that a person stopped the run, or the abstention. What became of the calls
    is told in any case."""
    language = reply_language(state)
    stopped = instead or (refusal(language) if reason is StopReason.ABORTED else "")
    if stopped:
        return " ".join(filter(None, (stopped, fates(language, calls_of(state)))))
    return abstention_text(state, quoting)


def abstention_text(state: View, quoting: bool) -> str:
    """No evidence, no answer: what was asked, what is missing (``quoting``: a model), where it was looked for. Where
    nothing could be searched, nothing is known of what is missing."""
    language = reply_language(state)
    parts = parts_of(state)
    calls = {step.question for step in state.selected.calls} if state.selected else set()
    asked = [part for part in parts if part not in calls]
    failed, held = failed_sources(state), state.evidence
    blind = not held and is_silent(state.reports)
    words = [] if blind else absent(list(filter(None, (sought(part, language) for part in asked))), held)
    return abstention(
        language,
        parts=parts,
        calls=calls_of(state),
        quoting=quoting,
        foreign=is_foreign(asked, held),
        missing=words[:6],
        beside=bool(asked and held) and not words,
        searched=unique(report.source for report in state.reports if report.source not in failed),
        filters=state.perceived.filters if state.perceived else Filters(),
        failed=failed,
    )
