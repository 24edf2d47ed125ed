"""What a search sends beside the request: how such a task is gone about, where a round has room for it (spec 1)."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from calibrant.graph.retrieval import information_graph
from calibrant.graph.settings import Settings
from calibrant.graph.wiring import wire
from calibrant.nodes.retrieval.channels import Hits, RetrieveView
from calibrant.nodes.retrieval.plan_search import queries_for
from calibrant.state.evidence import Evidence, SearchQuery, SourceState
from calibrant.state.retrieval import RetrievalRequest, SourceReport
from tests.graph.house import deps_for

OPTIMIZE = "Optimize the HandleTask function using industry best practices"


class Web:
    """A source that finds one thing, and only by one query."""

    name, remote = "web", False

    def __init__(self, wanted: str = "", text: str = "") -> None:
        self.wanted, self.text, self.sent = wanted, text, list[str]()

    async def search(self, query: SearchQuery) -> Sequence[Evidence]:
        self.sent.append(query.text)
        found = Evidence(id="w1", text=self.text, title="Handlers", source="web", url="https://site.test/1")
        return [found] if query.text == self.wanted else []


async def searched(question: str, web: Web, **given: Any) -> dict[str, Any]:
    """A run over ``web`` alone."""
    deps = deps_for(Path("unused"), sources=[web], context=Settings(interactive=False))
    output: dict[str, Any] = await wire(deps, Settings).ainvoke({"task": question, **given})
    return output


async def test_what_is_worked_out_is_searched_for_by_what_is_known_of_such_tasks() -> None:
    practice = "The best practice for the HandleTask function is to cache what it reads, says the industry guide."
    web = Web("HandleTask function best practices", practice)
    output = await searched(OPTIMIZE, web)
    first = [OPTIMIZE, web.wanted, "How to analyze HandleTask function", "HandleTask function overview"]
    assert web.sent[:4] == first
    before, after = (decision.confidence.score for decision in output["decisions"][:2])
    assert after > before


@pytest.mark.parametrize(
    ("question", "given"),
    [("Who wrote the HandleTask function?", {}), (OPTIMIZE, {"power": 1})],
    ids=["a fact", "no room"],
)
async def test_nothing_else_is_sent(question: str, given: dict[str, Any]) -> None:
    web = Web()
    await searched(question, web, **given)
    assert web.sent[0] == question
    assert not [query for query in web.sent if "practices" in query and query != OPTIMIZE]


def test_what_is_missing_goes_first() -> None:
    request = RetrievalRequest(id="r", query=OPTIMIZE, context="in Go", background=("HandleTask overview",))
    asked = Hits(query=OPTIMIZE, report=SourceReport(source="web", state=SourceState.OK))
    view = RetrieveView(request=request, hits=(asked,))
    assert queries_for(view, 1) == (f"{OPTIMIZE} in Go",)
    assert queries_for(view, 2) == (f"{OPTIMIZE} in Go", "HandleTask overview")


@pytest.mark.parametrize(
    ("query", "depth"), [("Who wrote HandleTask?", 1), ("Should we cache HandleTask?", 2), (OPTIMIZE, 3)]
)
async def test_the_tool_starts_as_deep_as_the_kind_of_question_needs(query: str, depth: int) -> None:
    deps = deps_for(Path("unused"), sources=[Web()], context=Settings(interactive=False))
    output = await information_graph(deps, Settings).ainvoke({"query": query})
    assert output["rounds"][0].depth == depth
