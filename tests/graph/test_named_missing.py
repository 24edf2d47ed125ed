"""What a search for words that a model named as missing has found: it is wanted as much as what the question finds."""

import pytest

from calibrant.nodes.retrieval.channels import Hits, RetrieveView, Standing
from calibrant.nodes.retrieval.rank import found_by_name
from calibrant.nodes.retrieval.rounds import candidates
from calibrant.state.evidence import Evidence, SourceState
from calibrant.state.retrieval import RetrievalRequest, SourceReport, Sufficiency

FOUND = Evidence(id="e1", text="Watch the canary.", title="Deploying", source="knowledge", url="file:///a.md")


@pytest.mark.parametrize(
    ("query", "named", "judged", "expected"),
    [
        ("canary deploy", ("canary deploy",), Sufficiency(), True),
        ("booking canary deploy", ("canary deploy?",), Sufficiency(), True),
        ("How is it rolled out? canary deploy", (), Sufficiency(tier="model", missing=("canary deploy",)), True),
        ("canary deploy", (), Sufficiency(missing=("canary deploy",)), False),
        ("canary", ("canary",), Sufficiency(), False),
        ("How is it rolled out?", ("canary deploy",), Sufficiency(), False),
    ],
)
def test_what_is_found_by_the_words_that_a_model_named(
    query: str, named: tuple[str, ...], judged: Sufficiency, expected: bool
) -> None:
    """Not by a single word, which stands anywhere, and not by words that code named."""
    request = RetrievalRequest(id="r", query="How is it rolled out?", named=named)
    report = SourceReport(source="knowledge", state=SourceState.OK)
    hits = Hits(query=query, evidence=(FOUND,), report=report)
    view = RetrieveView(request=request, hits=(hits,), standing=Standing(sufficiency=judged))
    assert found_by_name(view) == ([FOUND] if expected else [])


@pytest.mark.parametrize(("tier", "first"), [("model", "canary deploy"), ("free", "Berth")])
def test_the_next_round_searches_first_for_what_a_model_named(tier: str, first: str) -> None:
    """A name in the passages may lead on; who has read them knows what they lack."""
    judged = Sufficiency(tier=tier, missing=("canary deploy",))
    request = RetrievalRequest(id="r", query="How is it rolled out?", tried=("How is it rolled out?",))
    view = RetrieveView(request=request, standing=Standing(sufficiency=judged, leads={"Berth": 0.9}))
    assert candidates(view)[0] == first


def test_what_a_model_named_is_wanted_in_all_later_rounds() -> None:
    """It may have no call left to read what the next one finds."""
    request = RetrievalRequest(id="r", query="How is it rolled out?")
    standing = Standing(sufficiency=Sufficiency(missing=("rolled",)), named_before=("canary deploy",))
    hits = Hits(query="canary deploy", evidence=(FOUND,), report=SourceReport(source="k", state=SourceState.OK))
    assert found_by_name(RetrieveView(request=request, hits=(hits,), standing=standing)) == [FOUND]
