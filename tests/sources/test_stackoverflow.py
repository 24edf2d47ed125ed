"""Stack Overflow by the Stack Exchange API."""

import gzip
import json
from dataclasses import replace
from typing import Any

import pytest
from pydantic import SecretStr

from calibrant.retrievers.asking import Partial
from calibrant.retrievers.http import Http
from calibrant.retrievers.stackoverflow import StackOverflow
from calibrant.state.errors import FailureKind, SourceError, SourceLimited
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
    answer, popular, unanswered = await StackOverflow(http, base_url=server.url()).search(QUERY)
    assert answer.url == "https://stackoverflow.com/a/22"
    assert answer.title == 'How to limit concurrency with asyncio "semaphore"?'
    assert answer.author == "José"
    assert answer.published is not None
    assert answer.published.timestamp() == 1700500000
    assert "```py\nsem = asyncio.Semaphore(10)\nasync with sem:\n    await fetch()\n```" in answer.text
    assert "two < three" in answer.text
    assert answer.relevance == 1.0
    assert answer.locator.heading == f"{answer.title} (Stack Overflow, accepted answer, score 80, 2023-11-20)"
    assert (popular.url, popular.title) == ("https://stackoverflow.com/a/21", answer.title)
    assert popular.locator.heading == f"{answer.title} (Stack Overflow, answer, score 90, 2023-11-14)"
    assert unanswered.url == "https://stackoverflow.com/questions/12/semaphore-unanswered"
    assert unanswered.locator.heading == "Semaphore unanswered (Stack Overflow, question)"
    assert unanswered.author == "Lonely & Co"


@pytest.mark.parametrize(
    ("scores", "given"), [((80, 90, 70), [22, 21]), ((80, 80, 70), [22]), ((-2, 90, 95), [22, 23]), ((80, None), [22])]
)
async def test_the_accepted_answer_and_the_one_with_more_votes(
    server: Server, http: Http, scores: tuple[int | None, ...], given: list[int]
) -> None:
    ids = (22, 21, 23)
    items = [
        {"answer_id": key, "question_id": 11, "score": score, "is_accepted": key == 22, "body": f"limit it {key}"}
        for key, score in zip(ids, scores, strict=False)
    ]
    server.on(SEARCH, _packed({"items": payloads.QUESTIONS["items"][:1]}))
    server.on("/questions/11/answers", _packed({"items": items}))
    found = await StackOverflow(http, base_url=server.url()).search(QUERY)
    assert [item.url for item in found] == [f"https://stackoverflow.com/a/{key}" for key in given]


async def test_the_requests_are_the_documented_ones(server: Server, http: Http) -> None:
    server.on(SEARCH, _packed(payloads.QUESTIONS))
    server.on(ANSWERS, _packed({**payloads.ANSWERS, "backoff": None}))
    await StackOverflow(http, SecretStr("app-key"), server.url()).search(QUERY.replace(limit=2))
    search, answers = server.hits()
    assert search.query == {
        "q": ["limit concurrency semaphore"], "sort": ["relevance"], "order": ["desc"], "pagesize": ["2"],
        "site": ["stackoverflow"], "filter": ["withbody"], "key": ["app-key"],
    }  # fmt: skip
    assert answers.query["sort"] == ["votes"]


async def test_fewer_words_where_all_of_them_find_nothing(server: Server, http: Http) -> None:
    server.on(SEARCH, _packed({"items": []}))
    query = QUERY.replace(text="limit concurrency semaphore python asyncio gather")
    assert await StackOverflow(http, base_url=server.url()).search(query) == []
    assert [hit.query["q"][0].count(" ") + 1 for hit in server.hits()] == [4, 2]


async def test_a_backoff_holds_for_the_method_that_gave_it(server: Server, http: Http) -> None:
    server.on(SEARCH, _packed({**payloads.QUESTIONS, "backoff": 30}))
    server.on(ANSWERS, _packed({**payloads.ANSWERS, "backoff": None}))
    source = StackOverflow(http, base_url=server.url())
    assert (await source.search(QUERY))[0].url == "https://stackoverflow.com/a/22"
    with pytest.raises(SourceLimited, match="stackexchange: it asked to be left alone; free again in"):
        await source.search(QUERY)
    assert [hit.path for hit in server.hits()] == [SEARCH, ANSWERS]


@pytest.mark.parametrize(
    ("message", "seconds"),
    [("too many requests from this IP, more requests available in 1754 seconds", 1754.0), ("backoff violated", 60.0)],
)
async def test_throttling_comes_with_status_400(server: Server, http: Http, message: str, seconds: float) -> None:
    said = {"error_id": 502, "error_message": message, "error_name": "throttle_violation"}
    server.on(SEARCH, replace(_packed(said), status=400))
    source = StackOverflow(http, base_url=server.url())
    with pytest.raises(SourceLimited, match="limiting requests") as caught:
        await source.search(QUERY)
    assert caught.value.retry_after == seconds
    with pytest.raises(SourceLimited, match="left alone"):
        await source.search(QUERY)
    assert len(server.hits()) == 1


async def test_questions_stand_for_themselves_where_answers_are_limited(server: Server, http: Http) -> None:
    server.on(SEARCH, _packed(payloads.QUESTIONS))
    server.on(ANSWERS, Reply(status=429, headers={"Retry-After": "60"}))
    found = await StackOverflow(http, base_url=server.url()).search(QUERY)
    assert found[0].locator.heading.endswith(" (Stack Overflow, question)")
    assert isinstance(found, Partial)  # so that they are not kept as if nobody had answered
    assert found.failure.kind is FailureKind.LIMITED


@pytest.mark.parametrize(
    ("reply", "kind"),
    [
        (_packed({"error_id": 502, "error_message": "too many", "error_name": "throttle_violation"}), SourceLimited),
        (_packed({"error_id": 400, "error_message": "site", "error_name": "bad_parameter"}), SourceError),
        (_packed({"items": None}), SourceError),
        (_packed(None), SourceError),
        (Reply(status=400), SourceError),
        (replace(_packed({"error_id": 400, "error_name": "bad_parameter"}), status=400), SourceError),
        (Reply.of_html("<html>captcha</html>"), SourceError),
        (_packed({"items": [{"question_id": 11, "link": None}, {"title": None}]}), SourceError),
    ],
)
async def test_failures(server: Server, http: Http, reply: Reply, kind: type[SourceError]) -> None:
    server.on(SEARCH, reply)
    server.on("/questions/11/answers", _packed({"items": []}))
    with pytest.raises(kind):
        await StackOverflow(http, SecretStr("app-key"), base_url=server.url()).search(QUERY)
