"""Documentation sites by the indexes that they publish."""

import json

import pytest

from calibrant.retrievers.asking import Partial
from calibrant.retrievers.docs import FRESH_S, Docs
from calibrant.retrievers.http import Http
from calibrant.retrievers.limits import Limits, Rate
from calibrant.state.errors import SourceError, SourceLimited
from calibrant.state.evidence import Evidence, SearchQuery
from tests.remote.server import Reply, Server
from tests.sources import payloads

MKDOCS, SPHINX = "/search/search_index.json", "/searchindex.js"
QUERY = SearchQuery(text="How does dependency injection work?")
SEMAPHORES = SearchQuery(text="semaphores limiting concurrency")


class Web:
    """A web source that notes what it was asked."""

    name = "web"
    remote = True

    def __init__(self, found: list[Evidence]) -> None:
        self.asked: list[str] = []
        self._found = found

    async def search(self, query: SearchQuery) -> list[Evidence]:
        self.asked.append(query.text)
        return self._found


async def test_mkdocs_sections(server: Server, http: Http) -> None:
    server.on(MKDOCS, Reply.of_json(payloads.MKDOCS))
    first, second = await Docs(http, [server.url()]).search(QUERY)
    assert first.url == server.url("/tutorial/deps/")
    assert first.title == "Dependencies & injection"
    assert first.text == "Declare a Depends parameter to use dependency injection."
    assert (first.source, first.rank, first.locator.heading) == ("docs", 1, "Dependencies & injection")
    assert second.title == "Release notes"


async def test_sphinx_pages_are_read(server: Server, http: Http) -> None:
    server.on(SPHINX, Reply(body=payloads.SPHINX.encode(), headers={"Content-Type": "text/javascript"}))
    server.on("/library/asyncio-sync.html", Reply.of_html(payloads.SPHINX_PAGE))
    server.on("/index.html", Reply(status=500))
    first, *_ = await Docs(http, [server.url()]).search(SEMAPHORES)
    assert first.url == server.url("/library/asyncio-sync.html")
    assert "A semaphore manages an internal counter" in first.text
    assert first.locator.heading == "Synchronization Primitives > Semaphore"
    assert "menu" not in first.text


async def test_sphinx_pages_built_as_folders(server: Server, http: Http) -> None:
    server.on(SPHINX, Reply(body=payloads.SPHINX.encode()))
    server.on("/library/asyncio-sync/", Reply.of_html(payloads.SPHINX_PAGE))
    first, *_ = await Docs(http, [server.url()]).search(SEMAPHORES)
    assert first.url == server.url("/library/asyncio-sync/")


@pytest.mark.parametrize("scheme", ["http:", ""])
async def test_an_index_sends_nobody_to_another_host(server: Server, http: Http, scheme: str) -> None:
    led = server.url("/secret", "localhost").replace("http:", scheme)
    server.on(SPHINX, Reply(body=payloads.SPHINX.replace("library/asyncio-sync", led).encode()))
    server.on("/index.html", Reply.of_html(payloads.SPHINX_PAGE))
    server.on("/secret.html", Reply.of_html(payloads.SPHINX_PAGE))
    await Docs(http, [server.url()]).search(SEMAPHORES)
    assert [hit.path for hit in server.hits()] == [MKDOCS, SPHINX, "/index.html"]


async def test_the_index_of_a_large_site_is_read(server: Server, http: Http) -> None:
    """Ten megabytes, where the longest answer of any other service is four."""
    filling = {"location": "filling/", "title": "Filling", "text": "x" * 10 * 2**20}
    server.on(MKDOCS, Reply.of_json({**payloads.MKDOCS, "docs": [*payloads.MKDOCS["docs"], filling]}))
    first, *_ = await Docs(http, [server.url()]).search(QUERY)
    assert first.title == "Dependencies & injection"


async def test_an_index_is_read_once_an_hour(server: Server, http: Http) -> None:
    server.on(MKDOCS, Reply.of_json(payloads.MKDOCS))
    now = [0.0]
    docs = Docs(http, [server.url()], clock=lambda: now[0])
    await docs.search(QUERY)
    await docs.search(SEMAPHORES)
    assert len(server.hits(MKDOCS)) == 1
    now[0] = FRESH_S
    await docs.search(QUERY)
    assert len(server.hits(MKDOCS)) == 2


async def test_a_site_without_an_index_goes_to_the_web(server: Server, http: Http) -> None:
    server.on(MKDOCS, Reply.of_html("<html>a page that does not exist</html>"))
    server.on(SPHINX, Reply(body=b"Search.setIndex({docnames:['old']})"))
    host = server.url().removeprefix("http://").rstrip("/")
    web = Web([
        Evidence(id="1", text="here", title="a", source="web", url=f"http://{host}/a"),
        Evidence(id="2", text="elsewhere", title="b", source="web", url="https://example.org/"),
    ])  # fmt: skip
    (found,) = await Docs(http, [server.url()], web).search(QUERY)
    assert web.asked == [f"site:{host} {QUERY.text}"]
    assert (found.id, found.source, found.query) == ("1", "docs", QUERY.text)
    with pytest.raises(SourceError, match="publishes no index"):
        await Docs(http, [server.url()]).search(QUERY)


async def test_one_site_that_fails_does_not_silence_the_other(server: Server, http: Http) -> None:
    server.on(MKDOCS, Reply.of_json(payloads.MKDOCS))
    server.on("/down" + MKDOCS, Reply(status=418))
    found = await Docs(http, [server.url("/down"), server.url()]).search(QUERY)
    assert found[0].title == "Dependencies & injection"
    assert isinstance(found, Partial)
    assert found.failure.message == "127.0.0.1 answered 418"
    with pytest.raises(SourceError):
        await Docs(http, [server.url("/down")]).search(QUERY)


async def test_a_page_that_cannot_be_read_is_told_with_the_others(server: Server, http: Http) -> None:
    server.on(SPHINX, Reply(body=payloads.SPHINX.encode()))
    server.on("/library/asyncio-sync.html", Reply.of_html(payloads.SPHINX_PAGE))
    server.on("/index.html", Reply(status=418))
    found = await Docs(http, [server.url()]).search(SEMAPHORES)
    assert found[0].url == server.url("/library/asyncio-sync.html")
    assert isinstance(found, Partial)
    assert found.failure.message == "pages could not be read (127.0.0.1 answered 418)"


async def test_pages_that_cannot_be_read_are_a_failure(server: Server, http: Http) -> None:
    server.on(SPHINX, Reply(body=payloads.SPHINX.encode()))
    with pytest.raises(SourceError, match="cannot be read"):
        await Docs(http, [server.url()]).search(SEMAPHORES)


@pytest.mark.parametrize("held", [{}, [], {"docs": None}, {"docs": [{"location": 7, "text": 8}]}])
async def test_malformed_indexes_are_none(server: Server, http: Http, held: object) -> None:
    server.on(MKDOCS, Reply(body=json.dumps(held).encode()))
    server.on(SPHINX, Reply(body=b'Search.setIndex({"docnames": 3})'))
    with pytest.raises(SourceError, match="publishes no index"):
        await Docs(http, [server.url()]).search(QUERY)


async def test_sites_may_be_given_as_domains(http: Http) -> None:
    assert Docs(http, ["docs.python.org/3"])._sites == ["https://docs.python.org/3/"]


async def test_our_own_limit_is_told_as_one(server: Server) -> None:
    """It says nothing against the site, and must not open its breaker."""
    server.on(SPHINX, Reply(body=payloads.SPHINX.encode()))
    server.on("/library/asyncio-sync.html", Reply.of_html(payloads.SPHINX_PAGE))
    limited = Limits(default=(Rate(2, 60.0),))  # for the two indexes
    async with Http(limited) as http:
        with pytest.raises(SourceLimited, match="rate limit reached"):
            await Docs(http, [server.url()]).search(SEMAPHORES)
    limited.close()


async def test_common_words_do_not_choose_the_pages(server: Server, http: Http) -> None:
    """A question begins with "How do I"; so do the titles of many pages."""
    others = [{"location": f"{n}/", "title": f"How do I do it? {n}", "text": "How do I do this?"} for n in range(20)]
    held = [*others, {"location": "sync/", "title": "Primitives", "text": "A semaphore limits what runs at once."}]
    server.on(MKDOCS, Reply.of_json({"docs": held}))
    query = SearchQuery(text="How do I limit what I do with a semaphore?", limit=3)
    first, *_ = await Docs(http, [server.url()]).search(query)
    assert first.title == "Primitives"
