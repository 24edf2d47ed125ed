"""The pages that a question names: which addresses stand in it, and how many of them a round reads."""

import pytest

from calibrant.nodes.retrieval.channels import Hits, RetrieveView
from calibrant.nodes.retrieval.plan_search import MOST_NAMED, named_pages
from calibrant.state.evidence import SourceState
from calibrant.state.retrieval import PAGES, RetrievalRequest, SourceReport


def named(query: str, *read: str) -> list[str]:
    hits = tuple(Hits(query=query, page=url, report=SourceReport(source=PAGES, state=SourceState.OK)) for url in read)
    request = RetrievalRequest(id="r", query=query)
    return [item.url for item in named_pages(RetrieveView(request=request, hits=hits))]


@pytest.mark.parametrize(
    ("query", "url"),
    [
        ("What does https://example.org/a say?", "https://example.org/a"),
        ("Read (https://example.org/a).", "https://example.org/a"),
        ("Read https://en.wikipedia.org/wiki/Python_(language).", "https://en.wikipedia.org/wiki/Python_(language)"),
        ("(see https://en.wikipedia.org/wiki/Python_(language))", "https://en.wikipedia.org/wiki/Python_(language)"),
        ('Is "https://example.org/a?b=1", or so, right?!', "https://example.org/a?b=1"),
    ],
)
def test_an_address_ends_where_the_sentence_goes_on(query: str, url: str) -> None:
    assert named(query) == [url]


def test_a_round_reads_no_more_than_a_few_and_the_next_one_goes_on() -> None:
    urls = [f"https://example.org/{number}" for number in range(MOST_NAMED + 2)]
    assert named(" ".join(urls)) == urls[:MOST_NAMED]
    assert named(" ".join(urls), *urls[:MOST_NAMED]) == urls[MOST_NAMED:]
