"""``search`` asks one source one query. It runs side by side with its siblings and always reports."""

from langgraph.runtime import Runtime

from calibrant.nodes.deps import Deps, Node
from calibrant.nodes.retrieval.channels import Hits, Search
from calibrant.nodes.work import Work
from calibrant.retrievers.asking import Answered, ask_source
from calibrant.retrievers.breaker import urged
from calibrant.retrievers.cache import fresh
from calibrant.state.budget import Spend
from calibrant.state.channels import Update
from calibrant.state.context import Context
from calibrant.state.errors import Failure, FailureKind
from calibrant.state.events import Searched
from calibrant.state.evidence import SourceState
from calibrant.state.retrieval import SourceReport


def search(deps: Deps) -> Node:
    """The node: runs once for each ``Send``."""

    async def node(state: Search, runtime: Runtime[Context]) -> Update:
        job = Search.model_validate(state)
        work = await Work.begin(deps, runtime)
        with fresh(not work.context.switches.caching), urged(job.urged):
            answered = await _ask(job, deps)
        work.spend(Spend(searches=int(answered.report.state is not SourceState.SKIPPED)))
        work.emit(Searched(report=answered.report, query=job.query.text, depth=job.depth))
        found = tuple(item.replace(query=job.query.text, depth=job.depth) for item in answered.evidence)
        hits = Hits(query=job.of_round, evidence=found, report=answered.report)
        return work.done({"hits": (hits,)})

    return node


async def _ask(job: Search, deps: Deps) -> Answered:
    source = deps.sources.get(job.source)
    if source is not None and job.seconds > 0.0:
        return await ask_source(source, job.query, job.seconds, deps.clock)
    why = "not configured" if source is None else "no time left"
    failure = Failure(
        kind=FailureKind.MISSING if source is None else FailureKind.TIMEOUT, where=job.source, message=why
    )
    return Answered((), SourceReport(source=job.source, state=SourceState.SKIPPED, failure=failure))
