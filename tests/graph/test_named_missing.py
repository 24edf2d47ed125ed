"""What a search for words that a model named as missing has found: it is wanted as much as what the question finds."""

from pathlib import Path
from types import SimpleNamespace
from typing import cast

import pytest

from calibrant.graph.retrieval import retrieval_subgraph
from calibrant.graph.settings import Settings
from calibrant.nodes.reading.history import named_since, named_unsought
from calibrant.nodes.retrieval.channels import Hits, RetrieveView, Standing
from calibrant.nodes.retrieval.plan_search import queries_for
from calibrant.nodes.retrieval.rank import best_first, found_by_name
from calibrant.nodes.retrieval.rounds import candidates, known_ids
from calibrant.nodes.work import Work
from calibrant.state.budget import Allowance
from calibrant.state.channels import View
from calibrant.state.evidence import Evidence, SourceState
from calibrant.state.retrieval import RetrievalRequest, RetrievalResult, SourceReport, Sufficiency
from calibrant.state.task import Phase, StepStatus, SubResult
from tests.graph.house import deps_for, ingest, write_documents

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


@pytest.mark.parametrize(
    ("query", "known"), [("canary deploy", ("e2",)), ("booking canary deploy", ("e2",)), ("booking", ("e1", "e2"))]
)
def test_what_a_model_named_may_stand_in_passages_held_that_it_has_not_read(query: str, known: tuple[str, ...]) -> None:
    request = RetrievalRequest(
        id="r", query="How is it rolled out?", named=("canary deploy",), known=("e1", "e2"), read=("e2",)
    )
    assert known_ids(RetrieveView(request=request), query) == known


@pytest.mark.parametrize("relevance", [(0.8, 0.1), (0.1, 0.8)])
def test_of_two_queries_that_find_a_passage_the_better_one_counts(relevance: tuple[float, float]) -> None:
    report = SourceReport(source="knowledge", state=SourceState.OK)
    named = ("canary deploy", "traffic share")
    hits = tuple(
        Hits(query=query, evidence=(FOUND.replace(relevance=score),), report=report)
        for query, score in zip(named, relevance, strict=True)
    )
    view = RetrieveView(request=RetrievalRequest(id="r", query="How is it rolled out?", named=named), hits=hits)
    work = cast(Work, SimpleNamespace(panel=SimpleNamespace(rate_by_words=lambda _, items: [0.0] * len(items))))
    assert [item.relevance for item in best_first(view, work)] == [0.8]


@pytest.mark.parametrize("is_read", [False, True])
async def test_what_was_held_and_not_read_is_found_again_by_what_a_model_named(tmp_path: Path, is_read: bool) -> None:
    """The question's words found it after many others; those of the model find it first."""
    talks = {f"{n}.md": f"# Team {n}\n\nHopeless work of team {n}: a talk.\n" for n in range(12)}
    talks["attic.md"] = "# Building\n\nSpent tasks rest in the attic, and are no work of a team any more.\n"
    ingest(tmp_path / "data", write_documents(tmp_path / "docs", talks))
    retrieve = retrieval_subgraph(deps_for(tmp_path / "data"), Settings)
    time = Allowance(seconds=60.0)
    first = RetrievalRequest(id="r1", query="Where does hopeless work of a team belong?", start_depth=3, allowance=time)
    held = (await retrieve.ainvoke({"request": first}))["evidence"]
    (attic,) = (item for item in held if "attic" in item.text)
    again = first.replace(
        id="r2",
        known=tuple(item.id for item in held),
        read=tuple(item.id for item in held if is_read or item.id != attic.id),
        tried=(first.query,),
        named=("where spent tasks rest",),
        queries=("where spent tasks rest",),
    )
    found = await retrieve.ainvoke({"request": again})
    assert found["retrievals"][-1].new_ids == ()
    assert [item.id for item in found["evidence"]] == ([] if is_read else [attic.id])
    assert all(item.relevance > attic.relevance for item in found["evidence"])


@pytest.mark.parametrize(
    ("queries", "is_new"), [((), True), (("share of the canary",), True), (("canary share",), False)]
)
def test_what_a_model_names_is_worth_a_search_until_it_was_searched_for(queries: tuple[str, ...], is_new: bool) -> None:
    lacking = SubResult(id="s", question="q", status=StepStatus.UNANSWERED, tier="model", missing="canary share")
    tried = RetrievalResult(id="r", query="q", phase=Phase.ACT, queries=queries)
    assert named_since(View(results=(lacking,), retrievals=(tried,))) is is_new
    assert not named_since(View(results=(lacking.replace(missing=""),), retrievals=(tried,)))


def test_each_thing_that_a_model_named_is_searched_for_in_the_first_round() -> None:
    named = ("build the image", "run the container", "stop the container")
    request = RetrievalRequest(id="r", query="How is it started?", named=named, queries=(*named, "start"))
    assert queries_for(RetrieveView(request=request), 2) == named


def test_what_was_searched_for_gives_way_to_what_was_not() -> None:
    lacking = SubResult(
        id="s", question="q", status=StepStatus.UNANSWERED, tier="model", missing="one; two; three; four"
    )
    tried = RetrievalResult(id="r", query="q", phase=Phase.ACT, queries=("one", "two b", "three"))
    assert named_unsought(View(results=(lacking,), retrievals=(tried,))) == ("four",)
