"""What a request says about its task: it goes into a query of its own, after the question itself."""

import pytest

from calibrant.nodes.retrieval.channels import Hits, RetrieveView, Standing
from calibrant.nodes.retrieval.plan_search import queries_for
from calibrant.nodes.retrieval.rounds import MOST_CONTEXT, candidates
from calibrant.state.evidence import SourceState
from calibrant.state.retrieval import RetrievalRequest, SourceReport, Sufficiency

ASKED = "How are workers restarted?"


@pytest.mark.parametrize(
    ("context", "sent", "queries"),
    [
        ("", (), (ASKED,)),
        ("gunicorn behind nginx", (), (ASKED,)),
        ("gunicorn behind nginx", (ASKED,), (f"{ASKED} gunicorn behind nginx",)),
        ("x" * 500, (ASKED,), (f"{ASKED} {'x' * MOST_CONTEXT}",)),
    ],
)
def test_the_context_is_searched_for_after_the_question(
    context: str, sent: tuple[str, ...], queries: tuple[str, ...]
) -> None:
    request = RetrievalRequest(id="r", query=ASKED, context=context)
    report = SourceReport(source="web", state=SourceState.OK)
    hits = tuple(Hits(query=query, report=report) for query in sent)
    assert queries_for(RetrieveView(request=request, hits=hits), 1) == queries


def test_the_same_words_in_another_order_are_no_other_query() -> None:
    queries = ("practices request optimization", "optimization request practices", "Request practices best")
    request = RetrievalRequest(id="r", query=ASKED, queries=queries, tried=(ASKED,))
    assert queries_for(RetrieveView(request=request), 3) == (queries[0], queries[2])


def test_the_words_of_a_query_that_was_sent_are_not_sent_again_in_another_order() -> None:
    missing = Standing(sufficiency=Sufficiency(parts=(0.1,), missing=("restarted", "workers")))
    request = RetrievalRequest(id="r", query=ASKED, questions=(ASKED,), queries=("restarted workers",), tried=(ASKED,))
    report = SourceReport(source="web", state=SourceState.OK)
    hits = (Hits(query="workers restarted", report=report),)
    assert candidates(RetrieveView(request=request, hits=hits, standing=missing)) == ()
