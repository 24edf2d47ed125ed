"""Wikipedia's action API."""

from collections.abc import Callable
from typing import Any

import pytest

from calibrant.retrievers.asking import Partial
from calibrant.retrievers.http import Http
from calibrant.retrievers.wikipedia import Wikipedia
from calibrant.state.errors import SourceError, SourceLimited
from calibrant.state.evidence import SearchQuery
from tests.remote.server import Hit, Reply, Server
from tests.sources import payloads

API = "/w/api.php"
QUERY = SearchQuery(text="Who invented the semaphore concept?", limit=5)


def _answers(whole: Any) -> Callable[[Hit], Reply]:
    """Both kinds of request go to one path."""
    return lambda hit: Reply.of_json(payloads.WIKIPEDIA) if "generator" in hit.query else whole


async def test_leads_and_the_sections_that_fit(server: Server, http: Http) -> None:
    server.on(API, _answers(Reply.of_json(payloads.WIKIPEDIA_WHOLE)))
    found = await Wikipedia(http, base_url=server.url()).search(QUERY)
    first = found[0]
    assert "Edsger Dijkstra" in first.text
    assert first.title == "Semaphore (programming)"
    assert first.url == "https://en.wikipedia.org/wiki/Semaphore_(programming)"
    assert first.locator.heading == "History"
    assert first.relevance == 1.0
    assert first.published is not None
    assert first.published.isoformat() == "2024-08-01T12:00:00+00:00"
    assert [item.rank for item in found] == list(range(1, len(found) + 1))


async def test_the_requests_are_the_documented_ones(server: Server, http: Http) -> None:
    server.on(API, _answers(Reply.of_json(payloads.WIKIPEDIA_WHOLE)))
    await Wikipedia(http, base_url=server.url()).search(QUERY.replace(negative=("flag",)))
    search, *wholes = server.hits(API)
    assert search.query == {
        "action": ["query"], "format": ["json"], "formatversion": ["2"], "generator": ["search"],
        "gsrsearch": ["invented semaphore concept -flag"], "gsrlimit": ["5"], "gsrnamespace": ["0"],
        "prop": ["extracts|info|revisions"], "exintro": ["1"], "explaintext": ["1"], "exlimit": ["max"],
        "inprop": ["url"], "rvprop": ["timestamp"],
    }  # fmt: skip
    assert sorted(hit.query["pageids"][0] for hit in wholes) == ["699", "700"]
    assert wholes[0].query["prop"] == ["extracts"]


async def test_a_question_is_asked_again_by_what_it_names(server: Server, http: Http) -> None:
    def answer(hit: Hit) -> Reply:
        many = len(hit.query.get("gsrsearch", [""])[0].split()) > 1
        return Reply.of_json({"batchcomplete": True} if many else payloads.WIKIPEDIA)

    server.on(API, answer)
    query = QUERY.replace(text="Which semaphore concept invented by Dijkstra limits how many threads enter regions?")
    assert await Wikipedia(http, base_url=server.url()).search(query)
    asked = [hit.query["gsrsearch"][0] for hit in server.hits(API) if "gsrsearch" in hit.query]
    assert asked == ["semaphore concept invented dijkstra", "dijkstra"]


async def test_a_page_that_cannot_be_read_whole_keeps_its_lead_and_says_so(server: Server, http: Http) -> None:
    server.on(API, _answers(Reply(status=404)))
    found = await Wikipedia(http, base_url=server.url()).search(QUERY)
    assert found[0].text.startswith("A semaphore is a variable")
    assert isinstance(found, Partial)
    assert found.failure.message == "whole articles could not be read (127.0.0.1 answered 404)"


async def test_after_a_limit_it_is_left_alone(server: Server, http: Http) -> None:
    server.on(API, Reply.of_json({"error": {"code": "ratelimited", "info": "..."}}))
    for said in ("limiting requests", "left alone"):
        with pytest.raises(SourceLimited, match=said):
            await Wikipedia(http, base_url=server.url()).search(QUERY)
    assert len(server.hits(API)) == 1


@pytest.mark.parametrize("answer", [{"batchcomplete": True}, {"batchcomplete": True, "query": {"pages": []}}])
async def test_nothing_found(server: Server, http: Http, answer: Any) -> None:
    server.on(API, Reply.of_json(answer))
    assert await Wikipedia(http, base_url=server.url()).search(QUERY) == []


@pytest.mark.parametrize(
    ("reply", "kind"),
    [
        (Reply.of_json({"error": {"code": "ratelimited", "info": "..."}}), SourceLimited),
        (Reply.of_json({"error": {"code": "cirrussearch-too-busy-error", "info": "..."}}), SourceError),
        (Reply.of_json([]), SourceError),
        (Reply.of_html("<html>"), SourceError),
        (Reply.of_json({"query": {"pages": [{"title": None}, {"extract": 7}]}}), SourceError),
    ],
)
async def test_failures(server: Server, http: Http, reply: Reply, kind: type[SourceError]) -> None:
    server.on(API, reply)
    with pytest.raises(kind):
        await Wikipedia(http, base_url=server.url()).search(QUERY)


async def test_a_broken_page_costs_only_itself(server: Server, http: Http) -> None:
    pages = [*payloads.WIKIPEDIA["query"]["pages"], {"pageid": 1, "index": 0, "title": None}]
    server.on(API, lambda hit: Reply.of_json({"query": {"pages": pages}} if "generator" in hit.query else {}))
    assert len(await Wikipedia(http, base_url=server.url()).search(QUERY)) == 2
