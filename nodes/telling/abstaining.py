"""What is said where a run ends without an answer: what is missing, where it was looked for, what came nearest."""

import asyncio
from collections.abc import Sequence

from calibrant.judges.free.answering.closest import closest
from calibrant.judges.free.request.misspelt import comparable, misspelt
from calibrant.judges.free.request.orders import sought
from calibrant.nodes.reading.answered import Lack, claims_in, lack_of, reply_language, unanswered_parts
from calibrant.nodes.reading.called import calls_of
from calibrant.nodes.sources import spelt
from calibrant.nodes.telling.phrases import phrases_for
from calibrant.nodes.telling.questions import needs_model
from calibrant.nodes.work import Work
from calibrant.state.base import unique
from calibrant.state.budget import StopReason
from calibrant.state.channels import View
from calibrant.state.evidence import Filters, Quotation
from calibrant.state.retrieval import is_bare
from calibrant.state.task import Language


async def nearest(state: View, reason: StopReason, work: Work) -> tuple[Quotation, ...]:
    """What came nearest to an answer, where the run ends without one."""
    if reason not in (StopReason.ABSTAINED, StopReason.BUDGET) or claims_in(state):
        return ()
    return await asyncio.to_thread(closest, sought_in(state), state.evidence, work.panel.by_meaning)


def parts_of(state: View) -> tuple[str, ...]:
    """What an abstention leaves open."""
    return unanswered_parts(state, ()) or ((state.run.question,) if state.run else ())


def sought_in(state: View) -> tuple[str, ...]:
    """What was searched for, for each open part."""
    return tuple(filter(None, (sought(part, reply_language(state)) for part in parts_of(state))))


async def without_answer(state: View, reason: StopReason, instead: str, work: Work) -> str:
    """That there is no answer: ``instead``, that a person stopped the run, or the abstention. What became of the calls
    is told in any case."""
    phrases = phrases_for(state)
    stopped = instead or (phrases.refusal if reason is StopReason.ABORTED else "")
    if stopped:
        return " ".join(filter(None, (stopped, phrases.fates(calls_of(state)))))
    return await abstention_text(state, work)


async def abstention_text(state: View, work: Work) -> str:
    """No evidence, no answer: what was asked, what is missing (a model may be), where it was looked for. Where
    nothing could be searched, nothing is known of what is missing."""
    phrases, parts = phrases_for(state), parts_of(state)
    filters = state.perceived.filters if state.perceived else Filters()
    calls = {step.question for step in state.selected.calls} if state.selected else set()
    lack = lack_of(state, [part for part in parts if part not in calls])
    return phrases.abstention(
        lack,
        meant=await _meant(parts, filters.collections, phrases.language, work),
        parts=parts,
        calls=calls_of(state),
        needs_model=needs_model(state, work),
        searched=searched_in(state, lack),
        filters=filters,
    )


def searched_in(state: View, lack: Lack) -> tuple[str, ...]:
    """The sources that were searched: neither failed nor bare."""
    asked = (report.source for report in state.reports if not is_bare(report))
    return unique(source for source in asked if source not in lack.failed)


async def _meant(parts: Sequence[str], collections: Sequence[str], language: Language, work: Work) -> tuple[str, ...]:
    """The words of the documents that may be meant by strange ones: a name, or a short word, is not taken for misspelt,
    but the person who asked may know."""
    words = unique(word for part in parts for word in comparable(part))
    strange = await spelt(words, collections, work) if words else {}
    return unique((await asyncio.to_thread(misspelt, strange, language)).values()) if strange else ()
