"""What a phase asks ``retrieve`` for: the gaps of the phase, turned into queries, depth and sources."""

from collections.abc import Sequence

from calibrant.judges.free.planning.gaps import background_queries, guided_queries, missing_queries
from calibrant.judges.free.request.conditions import without_conditions
from calibrant.judges.free.request.orders import query_of
from calibrant.judges.free.request.pasted import apart
from calibrant.judges.free.words.text import folded_stems
from calibrant.memory.words import plain
from calibrant.nodes.reading.history import named_missing, named_unsought, urged_after_outage
from calibrant.nodes.reading.thread import guidance_text
from calibrant.nodes.work import Work
from calibrant.state.base import unique
from calibrant.state.channels import View
from calibrant.state.decision import Action, Decision
from calibrant.state.depth import DEEPEST
from calibrant.state.evidence import Evidence, Filters
from calibrant.state.memory import Recollection
from calibrant.state.retrieval import Refinement, RetrievalRequest
from calibrant.state.task import INITIAL_DEPTH, Task

HELD_LIMIT = 10
"""Passages that travel with a request, so that a checkpoint does not store the evidence twice."""


def request_for(
    state: View,
    task: Task,
    decision: Decision,
    work: Work,
    *,
    questions: Sequence[str] = (),
    queries: Sequence[str] = (),
    recalled: Recollection | None = None,
    missing: Sequence[str] = (),
    sources: Sequence[str] = (),
    refinement: Refinement | None = None,
) -> RetrievalRequest | None:
    """The request behind a decision to retrieve or refine; None for any other."""
    if decision.action not in (Action.RETRIEVE, Action.REFINE):
        return None
    tried = unique(query for retrieval in state.retrievals for query in retrieval.queries)
    parts = tuple(questions) or task.parts
    lacking = missing_queries(task, missing) if tried else ()
    named = missing_queries(task, named_unsought(state)) if tried else ()
    guided = guided_queries(task, guidance_text(state))
    wanted = [query_of(part, task.language) for part in parts]
    asked = (*(() if tried else wanted), *without_exclusions(task, parts))
    first, then = remembered_queries(recalled, task)
    planned = unique((*guided, *named, *first, *queries, *asked, *then, *lacking))
    fresh = tuple(query for query in planned if query not in tried)
    return RetrievalRequest(
        id=work.deps.new_id(),
        query=task.text,
        phase=decision.phase,
        questions=parts,
        queries=fresh,
        background=() if refinement else background_queries(decision.phase, task),
        pasted="" if folded_stems(task.pasted) <= folded_stems(task.text) else task.pasted,
        sources=tuple(sources),
        query_type=task.query_type,
        time_sensitive=task.time_sensitive,
        power=task.power,
        start_depth=start_depth(state, task),
        filters=search_filters(task.filters, refinement),
        refinement=refinement,
        held=most_relevant(state.evidence),
        known=tuple(item.id for item in state.evidence),
        read=unique(eid for result in state.results for eid in result.read),
        tried=tried,
        named=named_missing(state),
        answered_next=is_answered_next(state, task),
        urged=urged_after_outage(state),
        limits=work.context.retrieval,
        allowance=work.ledger.left().ahead(),
    )


def is_answered_next(state: View, task: Task) -> bool:
    """Whether the task is one plain question, and passages are all that a model needs to answer it: no guidance,
    nothing that was pasted with it, and no answer in part."""
    begun = any(result.statements for result in state.results)
    return task.is_plain and not (begun or guidance_text(state) or apart(task.original).pasted.strip())


def remembered_queries(recalled: Recollection | None, task: Task) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The queries of the best pattern, those that go before what is asked and those that go after it. What worked last
    time goes first where the same is asked again: to another question it finds what answered that one."""
    held = (item for item in (recalled.patterns if recalled else ()) if item.pattern)
    best = max(held, key=lambda item: item.weight, default=None)
    if best is None or best.pattern is None:
        return (), ()
    is_same = plain(best.pattern.applies_to) == plain(task.text)
    return (best.pattern.queries, ()) if is_same else ((), best.pattern.queries)


def without_exclusions(task: Task, parts: Sequence[str]) -> tuple[str, ...]:
    """The parts without what the task does not want: a search for those words finds just that."""
    bare = (" ".join(without_conditions(part, task.language).split()).strip(" ,;") for part in parts)
    return tuple(text for text in bare if text and text not in parts) if task.must_not else ()


def search_filters(filters: Filters, refinement: Refinement | None) -> Filters:
    """The run's filters; a refinement that has come to domains searches only those, unless a person chose others."""
    domains = refinement.domains if refinement else ()
    return filters.replace(paths=domains) if domains and not filters.paths else filters


def start_depth(state: View, task: Task) -> int:
    """Forced power; else the query type's depth, and one deeper than what this run has already searched."""
    if task.power.depth:
        return task.power.depth
    return min(DEEPEST, max(INITIAL_DEPTH[task.query_type], state.deepest + 1))


def most_relevant(evidence: Sequence[Evidence], limit: int = HELD_LIMIT) -> tuple[Evidence, ...]:
    """The most relevant passages held."""
    return tuple(sorted(evidence, key=lambda item: -item.relevance)[:limit])
