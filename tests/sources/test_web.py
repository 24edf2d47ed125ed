"""Web search by its three ways."""

import pytest
from pydantic import SecretStr

from calibrant.retrievers.cache import Cache
from calibrant.retrievers.guard import Guarded
from calibrant.retrievers.http import Http
from calibrant.retrievers.web import DuckDuckGo, SearXNG, Tavily, web_source
from calibrant.state.errors import SourceError, SourceLimited
from calibrant.state.evidence import Filters, SearchQuery
from tests.remote.server import Reply, Server
from tests.sources import payloads

QUERY = SearchQuery(text="What is a semaphore in asyncio?")
KEY = SecretStr("tvly-very-secret")


async def test_tavily_sends_what_it_documents(server: Server, http: Http) -> None:
    server.on("/search", Reply.of_json(payloads.TAVILY))
    found = await Tavily(http, KEY, server.url()).search(QUERY.replace(limit=2))
    (hit,) = server.hits("/search")
    assert hit.method == "POST"
    assert hit.headers["Authorization"] == "Bearer tvly-very-secret"
    assert hit.json == {"query": QUERY.text, "max_results": 2}
    first, second = found
    assert (first.source, first.rank) == ("web", 1)
    assert first.url == "https://docs.python.org/3/library/asyncio-sync.html"
    assert first.title == "Synchronization Primitives & more"
    assert (first.relevance, second.relevance) == (1.0, 0.0)
    assert second.published is not None
    assert second.published.year == 2024


async def _told(server: Server, http: Http, content: str) -> list[str]:
    """The passages that Tavily's ``content`` of a page gives."""
    item = {"url": "https://gantry.example/canary", "title": "Canary", "content": content}
    server.on("/search", Reply.of_json({"results": [item]}))
    return [one.text for one in await Tavily(http, KEY, server.url()).search(QUERY)]


async def test_each_excerpt_of_a_page_is_a_paragraph(server: Server, http: Http) -> None:
    content = "## Defaults [...] - `memory` is 25 %.\n- `threads` is 4. [...] ```yaml\nmax: 2\n [...] They are new."
    (text,) = await _told(server, http, content)
    assert text == "## Defaults\n\n- `memory` is 25 %.\n- `threads` is 4.\n\n```yaml\nmax: 2\n```\n\nThey are new."


@pytest.mark.parametrize("content", ["", "\n \n", " [...] "])
async def test_a_page_without_content_stands_by_its_title(server: Server, http: Http, content: str) -> None:
    item = {"url": "https://gantry.example/canary", "title": "A semaphore in asyncio", "content": content}
    server.on("/search", Reply.of_json({"results": [item]}))
    assert [one.text for one in await Tavily(http, KEY, server.url()).search(QUERY)] == [item["title"]]


@pytest.mark.parametrize(
    ("above", "is_left_out"),
    [
        ("Home / Asyncio / Canary", True),
        ("Asyncio docs v2.6", True),
        ("Skip to content  Asyncio Docs  2.6 (latest)  Search  Home / Guides", True),
        ("Home / Guides\nYou are reading of an older asyncio.", False),
        ("Asyncio, July 2026", False),
        ("A canary for asyncio gets a share", False),
    ],
)
async def test_what_stands_on_every_page_is_no_passage(
    server: Server, http: Http, above: str, is_left_out: bool
) -> None:
    told = await _told(server, http, f"{above}\n\n# Canary\n\nA semaphore in asyncio asks it to wait.")
    assert any("wait" in text for text in told)
    assert any(above.splitlines()[-1] in text for text in told) is not is_left_out
    assert len(await _told(server, http, above)) == 1, "all that there is stays"


async def test_half_a_character_costs_no_result(server: Server, http: Http) -> None:
    """A title that a service cut in the middle of an emoji; the cache and the index take no such text."""
    cut = {**payloads.TAVILY["results"][0], "title": "Semaphores \ud83d"}
    server.on("/search", Reply.of_json({"results": [cut]}))
    cache = Cache()
    (found,) = await Guarded(Tavily(http, KEY, server.url()), cache=cache).search(QUERY)
    assert found.title == "Semaphores \ufffd"
    cache.close()


async def test_ids_are_stable_and_need_not_come_again(server: Server, http: Http) -> None:
    server.on("/search", Reply.of_json(payloads.TAVILY))
    source = Tavily(http, KEY, server.url())
    first, again = await source.search(QUERY), await source.search(QUERY)
    assert [item.id for item in first] == [item.id for item in again]
    assert first[0].id not in [item.id for item in await source.search(QUERY.replace(exclude=(first[0].id,)))]


async def test_negative_words_limit_and_date_are_honoured(server: Server, http: Http) -> None:
    server.on("/search", Reply.of_json(payloads.TAVILY))
    source = Tavily(http, KEY, server.url())
    assert [item.rank for item in await source.search(QUERY.replace(limit=1))] == [1]
    assert len(await source.search(QUERY.replace(negative=("garden",)))) == 1
    late = Filters.model_validate({"since": "2025-01-01T00:00:00Z"})
    assert "Unrelated" not in [item.title for item in await source.search(QUERY.replace(filters=late))]


@pytest.mark.parametrize(
    ("reply", "kind", "said"),
    [
        (Reply.of_json({"detail": {"error": "no tvly-very-secret"}}, status=401), SourceError, "TAVILY_API_KEY"),
        (Reply.of_json({"detail": {"error": "slow down"}}, status=429), SourceLimited, "too many requests"),
        (Reply.of_json({"detail": {"error": "plan"}}, status=432), SourceLimited, "plan"),
        (Reply.of_json({"detail": {"error": "paid"}}, status=433), SourceLimited, "plan"),
        (Reply(status=500), SourceError, "500"),
        (Reply.of_html("<html>"), SourceError, "malformed JSON"),
        (Reply.of_json({"results": None}), SourceError, "no results in it"),
        (Reply.of_json([1]), SourceError, "no results in it"),
        (Reply.of_json({"results": [{"title": None, "url": 7}]}), SourceError, "form"),
    ],
)  # fmt: skip
async def test_tavily_failures_are_typed_and_keep_the_key(
    server: Server, http: Http, reply: Reply, kind: type[SourceError], said: str
) -> None:
    server.on("/search", reply)
    with pytest.raises(kind, match=said) as caught:
        await Tavily(http, KEY, server.url()).search(QUERY)
    assert "secret" not in repr(caught.value)
    assert caught.value.__suppress_context__ or caught.value.__context__ is None


async def test_tavily_is_asked_again_where_it_says_when(server: Server, http: Http) -> None:
    busy = Reply(status=429, headers={"Retry-After": "0"})
    server.on("/search", busy, Reply(status=502), Reply.of_json(payloads.TAVILY))
    assert len(await Tavily(http, KEY, server.url()).search(QUERY)) == 2
    assert len(server.hits("/search")) == 3


@pytest.mark.parametrize("status", [432, 433])
async def test_a_plan_that_is_used_up_is_left_alone_for_an_hour(server: Server, http: Http, status: int) -> None:
    server.on("/search", Reply(status=status))
    for said in ("limit of the key's plan", r"tavily \(key \w{8}\): it asked to be left alone"):
        with pytest.raises(SourceLimited, match=said) as caught:
            await Tavily(http, KEY, server.url()).search(QUERY)
        assert caught.value.retry_after == pytest.approx(3600.0, abs=1.0)
        assert KEY.get_secret_value() not in str(caught.value)
    assert len(server.hits("/search")) == 1


async def test_another_key_is_asked_with_at_once(server: Server, http: Http) -> None:
    server.on("/search", Reply(status=432), Reply.of_json(payloads.TAVILY))
    with pytest.raises(SourceLimited):
        await Tavily(http, KEY, server.url()).search(QUERY)
    assert len(await Tavily(http, SecretStr("tvly-another"), server.url()).search(QUERY)) == 2


async def test_searxng_is_asked_for_json(server: Server, http: Http) -> None:
    server.on("/search", Reply.of_json(payloads.SEARXNG))
    (found,) = await SearXNG(http, server.url()).search(QUERY)
    (hit,) = server.hits()
    assert hit.query == {"q": [QUERY.text], "format": ["json"], "pageno": ["1"]}
    assert "text/html" in hit.headers["Accept"]
    assert hit.headers["Accept-Language"]
    assert found.text == "An asyncio semaphore limits concurrency."
    assert found.title == "Semáforos em asyncio"
    assert found.published is not None
    assert found.published.isoformat() == "2024-03-05T00:00:00+00:00"
    assert (found.locator.start, found.locator.end) == (0, len(found.text))


async def test_searxng_without_results_is_empty_only_if_its_engines_answered(server: Server, http: Http) -> None:
    empty = {**payloads.SEARXNG, "results": []}
    server.on("/search", Reply.of_json(empty), Reply.of_json({**empty, "unresponsive_engines": [["brave", "timeout"]]}))
    source = SearXNG(http, server.url())
    assert await source.search(QUERY) == []
    with pytest.raises(SourceError, match="engines"):
        await source.search(QUERY)


@pytest.mark.parametrize(
    ("reply", "said"),
    [
        (Reply.of_html("<html>forbidden</html>"), "malformed JSON"),
        (Reply(status=403), r"json under search\.formats"),
        (Reply(status=404), "answered 404"),
        (Reply.of_json({}), "no results in it"),
    ],
)
async def test_searxng_failures(server: Server, http: Http, reply: Reply, said: str) -> None:
    server.on("/search", reply)
    with pytest.raises(SourceError, match=said):
        await SearXNG(http, server.url()).search(QUERY)


async def test_duckduckgo_reads_results_and_skips_advertisements(server: Server, http: Http) -> None:
    server.on("/html/", Reply.of_html(payloads.DUCKDUCKGO))
    first, second = await DuckDuckGo(http, server.url()).search(QUERY.replace(text="asyncio semaphore"))
    (hit,) = server.hits()
    assert hit.query == {"q": ["asyncio semaphore"], "kl": ["wt-wt"]}
    assert "calibrant" in hit.headers["User-Agent"]
    assert first.url == "https://example.org/semaphore?a=1"
    assert first.title == "Asyncio semaphore"
    assert first.text == "A semaphore limits concurrency in asyncio."
    assert second.url == "https://example.com/other"


async def test_duckduckgo_tells_nothing_from_a_puzzle_and_from_a_new_page(server: Server, http: Http) -> None:
    server.on(
        "/html/",
        Reply.of_html(payloads.DUCKDUCKGO_NONE),
        Reply.of_html("<html><body>Just a moment</body></html>", status=202),
        Reply.of_html(payloads.DUCKDUCKGO_PUZZLE),
        Reply.of_html("<html><body>Welcome to our new look</body></html>"),
    )
    assert await DuckDuckGo(http, server.url()).search(QUERY) == []
    for kind in (SourceLimited, SourceLimited, SourceError):
        async with Http() as unpaused:
            with pytest.raises(kind):
                await DuckDuckGo(unpaused, server.url()).search(QUERY)


async def test_duckduckgo_is_left_alone_after_a_puzzle(server: Server, http: Http) -> None:
    server.on("/html/", Reply.of_html("<html><body>Just a moment</body></html>", status=202))
    for said in ("wants to see a person", "left alone"):
        with pytest.raises(SourceLimited, match=said):
            await DuckDuckGo(http, server.url()).search(QUERY)
    assert len(server.hits()) == 1


def test_the_best_way_that_is_configured() -> None:
    http = Http()
    assert isinstance(web_source(http, tavily_key=KEY, searxng_url="http://localhost:8080"), Tavily)
    assert isinstance(web_source(http, searxng_url="http://localhost:8080"), SearXNG)
    assert isinstance(web_source(http, tavily_key=SecretStr("")), DuckDuckGo)
    assert web_source(http).name == "web"
