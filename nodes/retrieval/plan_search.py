"""``plan_search`` decides what the coming round sends where: other queries or other sources each time, never the
same again."""

import re
from collections.abc import Sequence

from langgraph.runtime import Runtime

from calibrant.nodes.deps import Deps, Node
from calibrant.nodes.retrieval.channels import PageJob, Plan, RetrieveView, Search
from calibrant.nodes.retrieval.rounds import (
    candidates,
    common_words,
    kept_home,
    kept_so_far,
    known_ids,
    leads_of,
    pages_unread,
    reads_pages,
    seconds_for,
    unsent,
    with_subject,
)
from calibrant.nodes.work import Work
from calibrant.state.base import unique
from calibrant.state.channels import Update
from calibrant.state.context import Context
from calibrant.state.depth import ASKED, DEEPEST, PAGES_READ, QUERIES, QUICK_SOURCES
from calibrant.state.events import RetrievalStarted
from calibrant.state.evidence import Evidence, SearchQuery
from calibrant.state.retrieval import PAGES, DepthDecision, RetrievalRequest

PAGE_S = 3.0
"""For one page: a site that hangs must not take the whole retrieval's time."""

MOST_NAMED = 6
"""Pages that the question itself names, read in one round; the others have to wait for the next."""

_ADDRESS = re.compile(r"https?://[^\s<>\"`]+")


def plan_search(deps: Deps) -> Node:
    """The node: writes the round's plan, whose searches and pages the edge after it sends out."""

    async def node(state: RetrieveView, runtime: Runtime[Context]) -> Update:
        work = await Work.begin(deps, runtime, before=state.spend)
        request = state.wanted
        number = len(state.rounds) + 1
        depth = depth_of(state)
        queries = queries_for(state, depth)
        sources = sources_for(request, depth, tuple(deps.sources))
        plan = Plan(
            number=number,
            depth=depth,
            searches=searches(state, depth, queries, sources, work),
            pages=page_jobs(state, depth, work),
            leads={**(state.plan.leads if state.plan else {}), **leads_of(state)},
        )
        work.emit(RetrievalStarted(phase=request.phase, depth=depth, round=number, queries=queries, sources=sources))
        return work.done({"plan": plan})

    return node


def depth_of(state: RetrieveView) -> int:
    """Forced, or what the request starts with, or what the last round decided."""
    request = state.wanted
    if request.power.depth:
        return request.power.depth
    if not state.rounds:
        return min(request.start_depth, request.limits.depth)
    last = state.rounds[-1]
    return last.depth + 1 if last.decision is DepthDecision.DEEPER else last.depth


def queries_for(state: RetrieveView, depth: int) -> tuple[str, ...]:
    """The round's queries. The first round sends one a part, or for each thing that a model named as missing, and the
    words of what was pasted; a round with nothing new goes on with the question itself (a deeper level searches more
    sources and takes more passages)."""
    request = state.wanted
    wanted = max(len(request.questions), len(request.named)) if not state.rounds else 0
    count = max(QUERIES[depth], min(QUERIES[DEEPEST], wanted))
    return (*(candidates(state)[:count] or (request.query,)), *unsent((request.pasted,), state))


def sources_for(request: RetrievalRequest, depth: int, configured: Sequence[str]) -> tuple[str, ...]:
    """The level's sources: the request's and the refinement's own where given, the quick ones at depth 1, else all."""
    wanted = (request.refinement.sources if request.refinement else ()) or request.sources
    named = tuple(name for name in wanted if name in configured)
    if named:
        return named
    quick = tuple(name for name in configured if name in QUICK_SOURCES)
    return quick if depth == 1 and quick else tuple(configured)


def searches(
    state: RetrieveView, depth: int, queries: Sequence[str], sources: Sequence[str], work: Work
) -> tuple[Search, ...]:
    """One search a source and query. What is held already is excluded; nothing runs past the deadline; what only the
    user's own documents name leaves the machine for no search."""
    request = state.wanted
    home = kept_home(queries, state, work) | common_words(queries, state)
    away = {name for name, source in work.deps.sources.items() if source.remote}
    seconds = seconds_for(state, depth, work)
    negative = request.refinement.negative if request.refinement else ()

    def sent(query: str, source: str) -> str:
        return with_subject(query, request.query) if source in away else query

    return tuple(
        Search(
            source=source,
            query=SearchQuery(
                text=sent(query, source),
                limit=ASKED[depth],
                filters=request.filters,
                exclude=known_ids(state, query),
                negative=negative,
            ),
            depth=depth,
            seconds=seconds,
            urged=request.urged,
            asked=query,
        )
        for source in sources
        for query in queries
        if not (source in away and query in home)
    )


def page_jobs(state: RetrieveView, depth: int, work: Work) -> tuple[PageJob, ...]:
    """The pages to read in this round: those behind the best results so far, at the deepest level; and at any level
    those that the question itself names."""
    request = state.wanted
    if not reads_pages(work):
        return ()
    named = named_pages(state)
    known, seconds = known_ids(state), min(PAGE_S, seconds_for(state, depth, work))
    question = " ".join(request.questions) or request.query
    return tuple(
        PageJob(result=result, question=question, exclude=known, depth=depth, seconds=seconds)
        for result in (*named, *pages_unread(state, kept_so_far(state))[: PAGES_READ[depth]])
    )


def named_pages(state: RetrieveView) -> list[Evidence]:
    """The addresses that stand in the question, as results that were not read yet."""
    request = state.wanted
    read = {hits.page for hits in state.hits}
    urls = unique(_without_punctuation(found) for found in _ADDRESS.findall(request.query))
    return [
        Evidence(id=url, text="", title=url, source=PAGES, url=url, query=request.query)
        for url in [url for url in urls if url not in read][:MOST_NAMED]
    ]


def _without_punctuation(address: str) -> str:
    """``address`` without what belongs to the sentence around it: a bracket does, unless it was opened in it."""
    while address and address[-1] in ".,;:!?)]}'\"":
        if address[-1] == ")" and address.count("(") >= address.count(")"):
            break
        address = address[:-1]
    return address
