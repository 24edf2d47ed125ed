"""What services beyond this machine are asked: names that lead on carry the question's subject there."""

from pathlib import Path

import pytest

from calibrant.nodes.retrieval.rounds import with_subject
from calibrant.retrievers.knowledge import KnowledgeBase, KnowledgeSource, knowledge_dir
from tests.graph.house import graph_for, ingest, run, write_documents
from tests.graph.test_private_names import Web

ROLLOUT = "How do I do a canary rollout with Gantry?"


@pytest.mark.parametrize(
    ("query", "asked", "sent"),
    [
        ("DNS", ROLLOUT, "DNS Gantry"),
        ("roll 2 fail", ROLLOUT, "roll 2 fail Gantry"),
        ("Gantry weights", ROLLOUT, "Gantry weights"),
        ("Osprey Streams", "Compare HarrierMQ and Osprey Streams.", "Osprey Streams"),
        ("R290", "What does the Brightwell H2 cost in November 2026?", "R290 Brightwell H2"),
        ("R290", "What does Theresa May drive?", "R290 Theresa May"),
        ("value", "how do I sort a dict", "value sort dict"),
    ],
)
def test_a_query_that_says_nothing_of_the_subject_carries_it(query: str, asked: str, sent: str) -> None:
    assert with_subject(query, asked) == sent


async def test_what_leads_on_from_own_documents_is_no_riddle_for_others(tmp_path: Path) -> None:
    said = "The person who owns the Gantry project is Ada Quist. Her project began with Scaling. Nobody likes scaling."
    docs = write_documents(tmp_path / "docs", {"gantry.md": f"# Gantry\n\n{said}\n"})
    ingest(tmp_path / "data", docs)
    base, web = KnowledgeBase.open(knowledge_dir(tmp_path / "data", "manual"), "manual"), Web(said)
    asked = "Who owns the Gantry project, and where was that person born?"
    state = await run(graph_for(tmp_path / "data", sources=[KnowledgeSource([base]), web]), asked)
    base.close()
    own = {query for retrieval in state.retrievals for query in retrieval.queries}
    assert {"Ada Quist", "Scaling"} <= own, "one's own documents are asked for the name alone"
    assert "Ada Quist Gantry" in web.asked
    assert all("gantry" in query.lower() and "Scaling" not in query for query in web.asked)
