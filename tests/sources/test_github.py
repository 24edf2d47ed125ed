"""GitHub's REST API."""

import pytest
from pydantic import SecretStr

from calibrant.retrievers.asking import Partial
from calibrant.retrievers.cache import Cache
from calibrant.retrievers.github import GitHub
from calibrant.retrievers.guard import Guarded
from calibrant.retrievers.http import Http
from calibrant.state.errors import FailureKind, SourceError, SourceLimited, SourceTimeout
from calibrant.state.evidence import SearchQuery
from tests.remote.server import Reply, Server
from tests.sources import payloads

REPOSITORIES, CODE, README = "/search/repositories", "/search/code", "/repos/patrickmn/go-cache/readme"
QUERY = SearchQuery(text="in-memory cache for Go")
TOKEN = SecretStr("ghp_very_secret")


def _serve(server: Server) -> None:
    server.on(REPOSITORIES, Reply.of_json(payloads.GITHUB_REPOSITORIES))
    server.on(README, Reply(body=payloads.GITHUB_README.encode()))
    server.on(CODE, Reply.of_json(payloads.GITHUB_CODE))


async def test_repositories_without_a_token(server: Server, http: Http) -> None:
    _serve(server)
    found = await GitHub(http, base_url=server.url()).search(QUERY)
    assert CODE not in [hit.path for hit in server.hits()]
    first = found[0]
    assert first.url == "https://github.com/patrickmn/go-cache"
    assert first.title == "patrickmn/go-cache: An in-memory key:value store/cache library for Go."
    assert "in-memory key:value cache" in first.text
    assert first.author == "patrickmn"
    assert first.published is not None
    assert first.published.isoformat() == "2023-07-01T10:00:00+00:00"
    assert found[1].text == "other/cache: "
    (search,) = server.hits(REPOSITORIES)
    assert search.query == {"q": ["in-memory cache go"], "per_page": ["5"]}
    assert search.headers["Accept"] == "application/vnd.github+json"
    assert search.headers["X-GitHub-Api-Version"] == "2022-11-28"
    assert "Authorization" not in search.headers
    assert server.hits(README)[0].headers["Accept"] == "application/vnd.github.raw+json"


async def test_code_with_a_token(server: Server, http: Http) -> None:
    _serve(server)
    found = await GitHub(http, TOKEN, server.url()).search(QUERY.replace(negative=("redis",)))
    code = next(item for item in found if "/blob/" in item.url)
    assert code.title == "acme/app: pkg/cache.go"
    assert code.text.startswith("func NewCache(")
    assert code.locator.heading == "pkg/cache.go"
    (hit,) = server.hits(CODE)
    assert hit.headers["Authorization"] == "Bearer ghp_very_secret"
    assert hit.headers["Accept"] == "application/vnd.github.text-match+json"
    assert hit.query["q"] == ["in-memory cache go NOT redis"]
    assert [item.rank for item in found] == list(range(1, len(found) + 1))


async def test_fewer_words_where_all_of_them_find_nothing(server: Server, http: Http) -> None:
    server.on(REPOSITORIES, Reply.of_json({"total_count": 0, "incomplete_results": False, "items": []}))
    query = QUERY.replace(text="fast thread safe memory cache library written golang")
    assert await GitHub(http, base_url=server.url()).search(query) == []
    assert [len(hit.query["q"][0].split()) for hit in server.hits()] == [3, 2]


async def test_one_of_both_searches_is_enough(server: Server, http: Http) -> None:
    _serve(server)
    github = GitHub(http, TOKEN, server.url())
    assert not isinstance(await github.search(QUERY), Partial)
    server.on(REPOSITORIES, Reply(status=422))
    code = await github.search(QUERY)
    _serve(server)
    server.on(CODE, Reply(status=422))
    repositories = await github.search(QUERY)
    for found in (code, repositories):
        assert isinstance(found, Partial)
        assert found.failure.message == "127.0.0.1 answered 422"
    assert [item.author for item in code] == ["acme"]
    assert len(repositories) >= 2


async def test_a_search_that_failed_does_not_mean_that_there_is_nothing(server: Server, http: Http) -> None:
    server.on(REPOSITORIES, Reply.of_json({"total_count": 0, "incomplete_results": False, "items": []}))
    server.on(CODE, Reply(status=422))
    with pytest.raises(SourceError, match="answered 422"):
        await GitHub(http, TOKEN, server.url()).search(QUERY)


async def test_a_search_that_ran_out_of_time_found_nothing_yet(server: Server, http: Http) -> None:
    server.on(REPOSITORIES, Reply.of_json({"total_count": 0, "incomplete_results": True, "items": []}))
    with pytest.raises(SourceTimeout, match="ran out of time"):
        await GitHub(http, base_url=server.url()).search(QUERY)
    server.on(README, Reply(body=payloads.GITHUB_README.encode()))
    server.on(REPOSITORIES, Reply.of_json({**payloads.GITHUB_REPOSITORIES, "incomplete_results": True}))
    assert await GitHub(http, base_url=server.url()).search(QUERY)


async def test_a_readme_that_cannot_be_had_is_told_and_not_kept(server: Server, http: Http) -> None:
    _serve(server)
    spent = Reply(status=403, headers={"x-ratelimit-remaining": "0", "retry-after": "60"})
    server.on(README, spent, Reply(body=payloads.GITHUB_README.encode()))
    cache = Cache()
    github = Guarded(GitHub(http, base_url=server.url()), cache=cache)
    found = await github.search(QUERY)
    assert isinstance(found, Partial)
    assert found.failure.kind is FailureKind.LIMITED
    assert found.failure.message.startswith("READMEs could not be read (")
    await github.search(QUERY)
    assert len(server.hits(REPOSITORIES)) == 2
    cache.close()


async def test_limited_and_refused_are_told_apart_and_keep_the_token(server: Server, http: Http) -> None:
    spent = {"x-ratelimit-remaining": "0", "retry-after": "60"}
    server.on(REPOSITORIES, Reply(status=401), Reply(status=403, headers=spent))
    server.on(CODE, Reply(status=401))
    source = GitHub(http, TOKEN, server.url())
    with pytest.raises(SourceError, match="GITHUB_TOKEN") as caught:
        await source.search(QUERY)
    assert "secret" not in str(caught.value)
    with pytest.raises(SourceLimited):
        await source.search(QUERY)


@pytest.mark.parametrize(
    "reply",
    [
        Reply.of_json({"message": "You have exceeded a secondary rate limit. Please wait."}, status=403),
        Reply.of_json({"message": "API rate limit exceeded for 192.0.2.1."}, status=429),
        Reply(status=403, headers={"x-ratelimit-remaining": "0", "x-ratelimit-reset": "99999999999"}),
        Reply(status=429, headers={"Retry-After": "60"}),
    ],
)
async def test_limits_of_github_are_limits_and_are_kept(server: Server, http: Http, reply: Reply) -> None:
    server.on(REPOSITORIES, reply)
    source = GitHub(http, base_url=server.url())
    with pytest.raises(SourceLimited) as caught:
        await source.search(QUERY)
    assert caught.value.retry_after is not None
    assert caught.value.retry_after >= 60.0
    with pytest.raises(SourceLimited, match="left alone"):
        await source.search(QUERY)
    assert len(server.hits(REPOSITORIES)) == 1


async def test_a_refusal_is_no_limit(server: Server, http: Http) -> None:
    server.on(REPOSITORIES, Reply.of_json({"message": "Repository access blocked"}, status=403))
    with pytest.raises(SourceError, match="answered 403") as caught:
        await GitHub(http, base_url=server.url()).search(QUERY)
    assert not isinstance(caught.value, SourceLimited)


@pytest.mark.parametrize(
    "reply", [Reply.of_html("<html>"), Reply.of_json({"items": None}), Reply.of_json({"items": [{"full_name": None}]})]
)
async def test_failures(server: Server, http: Http, reply: Reply) -> None:
    server.on(REPOSITORIES, reply)
    with pytest.raises(SourceError):
        await GitHub(http, base_url=server.url()).search(QUERY)
