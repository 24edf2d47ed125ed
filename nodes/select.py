"""``select`` takes the best-scored branch and judges whether it is good enough to act on."""

from langgraph.runtime import Runtime

from calibrant.nodes.deps import Deps, Node
from calibrant.nodes.judging import attempt_of, decided, question_for, rule, situation
from calibrant.nodes.requests import request_for
from calibrant.nodes.signals import of_branches, of_sources
from calibrant.nodes.work import Work
from calibrant.state.base import unique
from calibrant.state.channels import Update, View
from calibrant.state.context import Context
from calibrant.state.task import Branch, Phase


def select(deps: Deps) -> Node:
    """The node. The score of the phase is the best branch's."""

    async def node(state: View, runtime: Runtime[Context]) -> Update:
        work = await Work.begin(deps, runtime, state)
        if state.perceived is None or not state.branches:
            raise RuntimeError("select runs after at least one branch")
        best = best_of(state.branches)
        attempt = attempt_of(state, Phase.REASON)
        signals = work.weighed(
            *of_branches(state.branches, best, attempt), *of_sources(state, Phase.REASON, attempt)
        )
        seen = situation(state, Phase.REASON, best.confidence, work, signals)
        decision = rule(state, Phase.REASON, best.confidence, work, seen)
        queries = unique(query for step in best.steps for query in step.queries)
        request = request_for(state, state.perceived, decision, work, queries=queries, sources=best.sources)
        asked = question_for(state, decision, signals)
        return work.done(decided(decision, selected=best, request=request, signals=signals, **asked))

    return node


def best_of(branches: tuple[Branch, ...]) -> Branch:
    """The highest score; the first proposed wins a tie, so that a run can be repeated."""
    return max(branches, key=lambda branch: branch.confidence.score)
