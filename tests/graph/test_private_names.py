"""What only the user's own documents name is not told to a search engine."""

from collections.abc import Sequence
from pathlib import Path

import pytest

from calibrant.retrievers.knowledge import KnowledgeBase, KnowledgeSource, knowledge_dir
from calibrant.state.evidence import Evidence, SearchQuery
from tests.graph.house import graph_for, ingest, run, write_documents

MERGER = """# Project Nightingale

Project Nightingale is the confidential takeover of Hartwell Industries by Brompton Capital.
The takeover of Hartwell Industries is led by Eleanor Vance. The budget of the merger is open.
"""


class Web:
    """A search engine that keeps what it was asked. ``told`` is what it has found about everything."""

    name = "web"
    remote = True

    def __init__(self, told: str = "") -> None:
        self.told = told
        self.asked: list[str] = []

    async def search(self, query: SearchQuery) -> Sequence[Evidence]:
        self.asked.append(query.text)
        page = Evidence(
            id="w1", text=self.told, title="News", source="web", url="https://example.org/news", relevance=0.4
        )
        return [page] if self.told else []


@pytest.mark.parametrize(
    ("question", "told", "named"),
    [
        ("Who is the lawyer of our merger?", "", False),
        ("Who leads the takeover and what is her salary?", "", False),
        ("Who leads the takeover of Hartwell Industries, and what does that person earn?", "", True),
        ("Who is the lawyer of our merger?", "Hartwell Industries is said to have a merger with a bank in mind.", True),
    ],
)
async def test_a_name_leaves_the_machine_only_if_it_is_asked_about_or_public(
    tmp_path: Path, question: str, told: str, named: bool
) -> None:
    ingest(tmp_path / "data", write_documents(tmp_path / "docs", {"merger.md": MERGER}))
    base, web = KnowledgeBase.open(knowledge_dir(tmp_path / "data", "manual"), "manual"), Web(told)
    state = await run(graph_for(tmp_path / "data", sources=[KnowledgeSource([base]), web]), question)
    base.close()
    said = " ".join(web.asked)
    assert web.asked, "it was asked in the words of the question"
    assert ("Hartwell" in said) is named
    assert "Eleanor" not in said
    assert "Brompton" not in said
    own = " ".join(query for retrieval in state.retrievals for query in retrieval.queries)
    assert "Hartwell" in own or "Eleanor" in own, "one's own documents are asked for it"
