"""Stack Overflow by the Stack Exchange API."""

import gzip
import json
from typing import Any

import pytest
from pydantic import SecretStr

from calibrant.retrievers.http import Http
from calibrant.retrievers.stackoverflow import StackOverflow
from calibrant.state.errors import SourceError, SourceLimited
from calibrant.state.evidence import SearchQuery
from tests.remote.server import Reply, Server
from tests.sources import payloads

SEARCH, ANSWERS = "/search/advanced", "/questions/11;12/answers"
QUERY = SearchQuery(text="How can I limit concurrency with a semaphore?")


def _packed(value: Any) -> Reply:
    """As the service sends it: compressed, asked or not."""
    headers = {"Content-Type": "application/json; charset=utf-8", "Content-Encoding": "gzip"}
    return Reply(body=gzip.compress(json.dumps(value).encode()), headers=headers)


async def test_the_best_answer_with_its_code(server: Server, http: Http) -> None:
    server.on(SEARCH, _packed(payloads.QUESTIONS))
    server.on(ANSWERS, _packed({**payloads.ANSWERS, "backoff": None}))
    answer, unanswered = await StackOverflow(http, base_url=server.url()).search(QUERY)
    assert answer.url == "https://stackoverflow.com/a/22"
    assert answer.title == 'How to limit concurrency with asyncio "semaphore"?'
    assert answer.author == "José"
    assert answer.native_score == 80
    assert answer.published is not None
    assert answer.published.timestamp() == 1700500000
    assert "```py\nsem = asyncio.Semaphore(10)\nasync with sem:\n    await fetch()\n```" in answer.text
    assert "two < three" in answer.text
    assert answer.relevance == 1.0
    assert unanswered.url == "https://stackoverflow.com/questions/12/semaphore-unanswered"
    assert (unanswered.locator.heading, unanswered.author) == ("question", "Lonely & Co")


async def test_the_requests_are_the_documented_ones(server: Server, http: Http) -> None:
    server.on(SEARCH, _packed(payloads.QUESTIONS))
    server.on(ANSWERS, _packed({**payloads.ANSWERS, "backoff": None}))
    await StackOverflow(http, SecretStr("app-key"), "unix", server.url()).search(QUERY.replace(limit=2))
    search, answers = server.hits()
    assert search.query == {
        "q": ["limit concurrency semaphore"], "sort": ["relevance"], "order": ["desc"], "pagesize": ["2"],
        "site": ["unix"], "filter": ["withbody"], "key": ["app-key"],
    }  # fmt: skip
    assert answers.query["sort"] == ["votes"]


async def test_fewer_words_where_all_of_them_find_nothing(server: Server, http: Http) -> None:
    server.on(SEARCH, _packed({"items": []}))
    query = QUERY.replace(text="limit concurrency semaphore python asyncio gather")
    assert await StackOverflow(http, base_url=server.url()).search(query) == []
    assert [hit.query["q"][0].count(" ") + 1 for hit in server.hits()] == [6, 3]


async def test_a_backoff_is_kept(server: Server, http: Http) -> None:
    server.on(SEARCH, _packed({"items": [], "backoff": 30}))
    source = StackOverflow(http, base_url=server.url())
    assert await source.search(QUERY) == []
    with pytest.raises(SourceLimited):
        await source.search(QUERY)
    assert len(server.hits()) == 1


@pytest.mark.parametrize(
    ("reply", "kind"),
    [
        (_packed({"error_id": 502, "error_message": "too many", "error_name": "throttle_violation"}), SourceLimited),
        (_packed({"error_id": 400, "error_message": "site", "error_name": "bad_parameter"}), SourceError),
        (_packed({"items": None}), SourceError),
        (_packed(None), SourceError),
        (Reply.of_html("<html>captcha</html>"), SourceError),
        (_packed({"items": [{"question_id": 11, "link": None}, {"title": None}]}), SourceError),
    ],
)
async def test_failures(server: Server, http: Http, reply: Reply, kind: type[SourceError]) -> None:
    server.on(SEARCH, reply)
    server.on("/questions/11/answers", _packed({"items": []}))
    with pytest.raises(kind):
        await StackOverflow(http, SecretStr("app-key"), base_url=server.url()).search(QUERY)
