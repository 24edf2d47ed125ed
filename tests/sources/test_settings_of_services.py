"""Rates, how long answers are kept and deadlines, by service and source: from the settings to what is done."""

import asyncio
from collections.abc import Sequence
from importlib.metadata import version
from pathlib import Path
from typing import Any

import httpx
import pytest
from pydantic import SecretStr

from calibrant.graph.describe import describe
from calibrant.graph.services import RATES, Gateway, limits_of, rates_of, remote_sources
from calibrant.graph.settings import Machine, Secrets, Settings, load_machine
from calibrant.graph.sources import default_sources, page_reading
from calibrant.nodes.deps import Deps
from calibrant.retrievers.asking import Partial
from calibrant.retrievers.guard import Guarded
from calibrant.retrievers.http import Http
from calibrant.retrievers.limits import DEFAULT, Limits, Rate, parse_rates
from calibrant.retrievers.wikipedia import Wikipedia
from calibrant.state.depth import DEEPEST, QUERIES
from calibrant.state.errors import ConfigurationError, SourceError, SourceLimited
from calibrant.state.evidence import SearchQuery
from calibrant.state.protocols import Source
from tests.graph.house import deps_for
from tests.remote.server import Hit, Reply, Server
from tests.sources import payloads

SECRETS = Secrets(tavily_api_key=SecretStr("k"))
QUERY = SearchQuery(text="What is a semaphore in asyncio?")


def found_sources(machine: Machine, secrets: Secrets = SECRETS) -> dict[str, Source]:
    """The remote sources, through a gateway of their own."""
    return remote_sources(Gateway(machine, secrets))


def chosen_sources(machine: Machine, secrets: Secrets) -> Sequence[Source]:
    """What the settings have searched, through a gateway of its own."""
    return default_sources(Gateway(machine, secrets), None)


@pytest.mark.parametrize(
    ("text", "rates"),
    [
        ("10/min, 100/h", DEFAULT),
        ("50/s", (Rate(50, 1.0),)),
        ("1/3s,1000/d", (Rate(1, 3.0), Rate(1000, 86_400.0))),
        (" 5 / 2 min ", (Rate(5, 120.0),)),
        ("none", ()),
    ],
)
def test_rates_are_read(text: str, rates: tuple[Rate, ...]) -> None:
    assert parse_rates(text) == rates


@pytest.mark.parametrize("text", ["", "10", "0/min", "10 per minute", "10/min,", "10/week", "-1/s", "1/0s", "none,1/s"])
def test_what_is_no_rate_is_refused(text: str) -> None:
    with pytest.raises(ConfigurationError, match="such as 10/min, 100/h or 1/3s, or none"):
        load_machine({"rates": {"github": text}})


def test_defaults_names_and_what_services_ask_for(tmp_path: Path) -> None:
    plain = limits_of(Machine(data_dir=tmp_path), Secrets())
    assert plain.rates_of("stackexchange") == DEFAULT == (Rate(10, 60.0), Rate(100, 3600.0))
    assert Rate(1, 3.0) in plain.rates_of("arxiv")
    rates = {"default": "5/s", "github": "20/min", "arxiv": "none"}
    named = limits_of(Machine(data_dir=tmp_path, rates=rates), Secrets(github_token=SecretStr("k")))
    assert [named.rates_of(name) for name in ("github", "stackexchange", "arxiv")] == [
        (Rate(20, 60.0),), (Rate(5, 1.0),), (),
    ]  # fmt: skip


async def test_the_four_queries_of_a_round_find_whole_articles(server: Server) -> None:
    def answer(hit: Hit) -> Reply:
        return Reply.of_json(payloads.WIKIPEDIA if "generator" in hit.query else payloads.WIKIPEDIA_WHOLE)

    server.on("/w/api.php", answer)
    limits = Limits(rates=RATES)
    async with Http(limits) as http:
        source = Wikipedia(http, base_url=server.url())
        queries = [SearchQuery(text=f"semaphore concept {number}", limit=5) for number in range(QUERIES[DEEPEST])]
        for found in await asyncio.gather(*map(source.search, queries)):
            assert not isinstance(found, Partial)
    limits.close()


@pytest.mark.parametrize(("token", "search", "other"), [("", 10, 60), ("ghp_x", 30, 5_000)])
def test_github_is_asked_as_often_as_it_allows(tmp_path: Path, token: str, search: int, other: int) -> None:
    secrets = Secrets(github_token=SecretStr(token) if token else None)
    rates = rates_of(Machine(data_dir=tmp_path), secrets)
    assert (rates["github"], rates["github-content"]) == ((Rate(search, 60.0),), (Rate(other, 3600.0),))
    assert rates["github-code"] == (Rate(10, 60.0),)


def test_the_environment_sets_them(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CALIBRANT_RATES__GITHUB", "30/min, 1000/h")
    monkeypatch.setenv("CALIBRANT_CACHE_TTL_S", '{"default": 60, "web": 0}')
    monkeypatch.setenv("CALIBRANT_DEADLINE_S__YOUTUBE", "8")
    machine = load_machine()
    assert machine.rates == {"github": "30/min, 1000/h"}
    assert machine.cache_ttl_s == {"default": 60.0, "web": 0.0}
    assert machine.deadline_s == {"youtube": 8.0}


def test_each_source_has_its_deadline_and_its_time_to_live(tmp_path: Path) -> None:
    machine = Machine(data_dir=tmp_path, deadline_s={"default": 2, "youtube": 8}, cache_ttl_s={"web": 60})
    found = {name: source for name, source in found_sources(machine).items() if isinstance(source, Guarded)}
    assert (found["youtube"].seconds, found["web"].seconds) == (8.0, 2.0)
    assert (found["youtube"].kept_s, found["web"].kept_s) == (3600.0, 60.0)
    plain = found_sources(Machine(data_dir=tmp_path))["web"]
    assert isinstance(plain, Guarded)
    assert (plain.seconds, plain.kept_s) == (4.0, 3600.0)


@pytest.mark.parametrize(("sources", "asked"), [((), 0), (("docs",), 0), (("docs", "web"), 1), (("all",), 1)])
async def test_a_site_without_an_index_goes_to_a_web_search_that_was_asked_for(
    tmp_path: Path, server: Server, sources: tuple[str, ...], asked: int
) -> None:
    server.on("/html/", Reply.of_html(payloads.DUCKDUCKGO))
    machine = Machine(
        data_dir=tmp_path, sources=sources, docs_domains=(server.url("/none"),), base_urls={"duckduckgo": server.url()}
    )
    source = found_sources(machine, Secrets())["docs"]
    if asked:
        await source.search(QUERY)
    else:
        with pytest.raises(SourceError, match="publishes no index"):
            await source.search(QUERY)
    assert len(server.hits("/html/")) == asked


async def test_what_another_address_or_key_answered_is_not_kept_for_this_one(tmp_path: Path, server: Server) -> None:
    for name in ("a", "b"):
        found = {**payloads.SEARXNG, "results": [{**payloads.SEARXNG["results"][0], "url": f"https://{name}.org/"}]}
        server.on(f"/{name}/search", Reply.of_json(found))

    async def asked(name: str, key: str) -> list[str]:
        machine = Machine(data_dir=tmp_path, searxng_url=server.url(f"/{name}"))
        source = found_sources(machine, Secrets(github_token=SecretStr(key)))["web"]
        return [item.url for item in await source.search(QUERY)]

    assert await asked("a", "k1") == ["https://a.org/"]
    assert await asked("b", "k1") == ["https://b.org/"]
    assert await asked("a", "k1") == ["https://a.org/"]
    assert len(server.hits("/a/search")) == 1
    assert await asked("a", "k2") == ["https://a.org/"]
    assert len(server.hits("/a/search")) == 2


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"rates": {"gitub": "1/s"}}, r"^rates: there is no 'gitub'; use default, tavily"),
        ({"cache_ttl_s": {"tavily": 1}}, r"^cache_ttl_s: there is no 'tavily'; use default, web"),
        ({"deadline_s": {"x": 1}}, r"^deadline_s: there is no 'x'"),
        ({"base_urls": {"gitub": "https://x"}}, r"^base_urls: there is no 'gitub'; use tavily, duckduckgo, github"),
    ],
)
@pytest.mark.parametrize("secrets", [SECRETS, Secrets()], ids=["remote", "local"])
def test_names_that_there_are_not_are_refused(
    tmp_path: Path, secrets: Secrets, given: dict[str, Any], said: str
) -> None:
    with pytest.raises(ConfigurationError, match=said):
        chosen_sources(Machine(data_dir=tmp_path, **given), secrets)


def test_sites_are_named_by_their_host(tmp_path: Path) -> None:
    rates = {"docs:docs.python.org": "30/min", "page:example.org": "1/s"}
    assert chosen_sources(Machine(data_dir=tmp_path, rates=rates), Secrets())


def test_sources_of_the_settings_are_named_as_those_that_there_are(tmp_path: Path) -> None:
    paths = {"shelf": "tests.sources.retrievers_for_tests:retriever"}
    given: dict[str, Any] = {"deadline_s": {"shelf": 2}, "cache_ttl_s": {"shelf": 60}, "rates": {"shelf": "1/s"}}
    assert chosen_sources(Machine(data_dir=tmp_path, langchain_retrievers=paths, **given), Secrets())
    with pytest.raises(ConfigurationError, match="there is no 'shelf'"):
        chosen_sources(Machine(data_dir=tmp_path, **given), Secrets())


@pytest.mark.parametrize("given", [{"deadline_s": {"x": 0}}, {"deadline_s": {"x": 61}}, {"cache_ttl_s": {"x": -1}}])
def test_impossible_times_are_refused(given: dict[str, Any]) -> None:
    with pytest.raises(ConfigurationError, match="is not allowed"):
        load_machine(given)


async def test_they_hold_for_requests(server: Server, tmp_path: Path) -> None:
    server.on("/search", Reply.of_json(payloads.TAVILY))
    base_urls = {"tavily": server.url("")}
    machine = Machine(data_dir=tmp_path, rates={"tavily": "2/h"}, cache_ttl_s={"web": 0}, base_urls=base_urls)
    web = found_sources(machine)["web"]
    for _ in range(2):
        assert await web.search(QUERY)
    with pytest.raises(SourceLimited, match=r"tavily: rate limit reached \(2 in 3600 s\)"):
        await web.search(QUERY)
    assert len(server.hits()) == 2, "nothing was kept"


async def test_a_retriever_of_somebody_else_is_counted_by_search(tmp_path: Path) -> None:
    paths = {"shelf": "tests.sources.retrievers_for_tests:retriever"}
    machine = Machine(data_dir=tmp_path, langchain_retrievers=paths, rates={"shelf": "1/h"})
    shelf = found_sources(machine)["shelf"]
    assert await shelf.search(QUERY)
    with pytest.raises(SourceLimited, match="shelf: rate limit reached"):
        await shelf.search(QUERY.replace(text="concurrency"))
    free = Machine(data_dir=tmp_path, langchain_retrievers=paths, rates={"shelf": "none"})
    assert await found_sources(free)["shelf"].search(QUERY.replace(text="limits"))


def test_the_doctor_shows_them(tmp_path: Path) -> None:
    machine = Machine(data_dir=tmp_path, rates={"github": "30/min"}, deadline_s={"web": 2.5})
    deps: Deps = deps_for(tmp_path, sources=[found_sources(machine)["web"]])
    rows = {row.name: row.detail for row in describe(Settings(), machine, SECRETS, deps)}
    assert rows["source: web"] == "remote, 2.5 s a search, answers kept for 3600 s"
    assert rows["rate limits"].startswith("10 in 60 s, 100 in 3600 s; arxiv 1 in 3 s")
    assert "github 30 in 60 s" in rows["rate limits"]


def test_memory_reads_no_pages(tmp_path: Path) -> None:
    local = Machine(data_dir=tmp_path, sources=("memory", "knowledge"))
    assert page_reading(Gateway(local, Secrets())) is None
    assert page_reading(Gateway(Machine(data_dir=tmp_path), SECRETS)) is not None


@pytest.mark.parametrize(
    ("contact", "hinted"), [("", {"source: wikipedia", "source: arxiv"}), ("me@example.org", set())]
)
def test_the_doctor_asks_for_a_contact_where_one_is_told(tmp_path: Path, contact: str, hinted: set[str]) -> None:
    machine = Machine(data_dir=tmp_path, contact=contact)
    found = found_sources(machine)
    deps = deps_for(tmp_path, sources=[found[name] for name in ("web", "wikipedia", "arxiv")])
    rows = describe(Settings(), machine, SECRETS, deps)
    assert {row.name for row in rows if "CALIBRANT_CONTACT" in row.hint} == hinted


async def test_the_contact_is_told_where_it_is_wanted(tmp_path: Path, server: Server) -> None:
    urls = {name: server.url(f"/{name}") for name in ("wikipedia", "arxiv", "github")}
    machine = Machine(data_dir=tmp_path, base_urls=urls, contact="me@example.org")
    found = found_sources(machine)
    for name in urls:
        with pytest.raises(SourceError):
            await found[name].search(QUERY)
    told = {hit.path.split("/")[1]: hit.headers["User-Agent"] for hit in server.hits()}
    own = f"calibrant/{version('calibrant')}"
    assert told == {
        "wikipedia": f"{own} (me@example.org) httpx/{httpx.__version__}",
        "arxiv": f"{own} (me@example.org) httpx/{httpx.__version__}",
        "github": f"{own} httpx/{httpx.__version__}",
    }
