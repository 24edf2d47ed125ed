"""``read_page`` reads the full page behind one result, at the deepest level. It runs side by side with the searches
and always reports."""

from langgraph.runtime import Runtime

from calibrant.nodes.deps import Deps, Node
from calibrant.nodes.retrieval.channels import Hits, PageJob
from calibrant.nodes.work import Work
from calibrant.retrievers.asking import Answered
from calibrant.retrievers.cache import fresh
from calibrant.state.channels import Update
from calibrant.state.context import Context
from calibrant.state.errors import Failure, FailureKind
from calibrant.state.events import Searched
from calibrant.state.evidence import SourceState
from calibrant.state.retrieval import PAGES, SourceReport


def read_page(deps: Deps) -> Node:
    """The node: runs once for each ``Send``."""

    async def node(state: PageJob, runtime: Runtime[Context]) -> Update:
        job = PageJob.model_validate(state)
        work = await Work.begin(deps, runtime)
        with fresh(not work.context.switches.caching):
            answered = await _read(job, deps)
        work.emit(Searched(report=answered.report, query=job.result.url, depth=job.depth))
        found = tuple(item.replace(depth=job.depth) for item in answered.evidence if item.id not in job.exclude)
        hits = Hits(query=job.result.query, page=job.result.url, evidence=found, report=answered.report)
        return work.done({"hits": (hits,)})

    return node


async def _read(job: PageJob, deps: Deps) -> Answered:
    if deps.read_page is not None and job.seconds > 0.0:
        return await deps.read_page(job.result, job.question, job.seconds)
    why = "pages are not read here" if deps.read_page is None else "no time left"
    failure = Failure(kind=FailureKind.TIMEOUT, where=PAGES, message=why)
    return Answered((), SourceReport(source=PAGES, state=SourceState.SKIPPED, failure=failure))
