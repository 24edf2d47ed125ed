"""The remote sources from the machine's settings: where and with which key each is asked, how often and how long."""

import asyncio
import hashlib
import json
from collections import ChainMap
from collections.abc import Mapping

from calibrant.graph.settings import Machine, Secrets
from calibrant.retrievers.breaker import shared_breakers
from calibrant.retrievers.cache import TTL_S, Cache
from calibrant.retrievers.catalogue import BY_HOST, REPLACEABLE, SERVICES, catalogue, known_sources
from calibrant.retrievers.guard import DEADLINE_S, Guarded
from calibrant.retrievers.http import Http
from calibrant.retrievers.limits import DEFAULT, Limits, Rate, parse_rates
from calibrant.state.base import unique
from calibrant.state.errors import ConfigurationError
from calibrant.state.protocols import Source

RATES: Mapping[str, tuple[Rate, ...]] = {
    "arxiv": (Rate(1, 3.0), *DEFAULT),
    "github": (Rate(10, 60.0),),
    "github-code": (Rate(10, 60.0),),
    "github-content": (Rate(60, 3600.0),),
    "wikipedia": (Rate(30, 60.0), Rate(300, 3600.0)),
    "youtube-transcripts": (Rate(60, 60.0),),
}
"""Services that publish limits other than the default of 10 a minute and 100 an hour, or of which one search makes
several calls (of Wikipedia's three). https://info.arxiv.org/help/api/tou.html: one request every three seconds.
GitHub's are those of its search (https://docs.github.com/rest/search/search#rate-limit) and of all else
(https://docs.github.com/rest/using-the-rest-api/rate-limits-for-the-rest-api)."""

WITH_KEY: Mapping[str, Mapping[str, tuple[Rate, ...]]] = {
    "github_token": {"github": (Rate(30, 60.0),), "github-content": (Rate(5_000, 3600.0),)},
}
"""By secret: what services allow to those who have it."""

_ANSWERING = (
    "searxng_url", "docs_domains", "wikipedia_language", "base_urls", "langchain_retrievers", "mcp_sources",
)  # fmt: skip
"""The settings that say who answers."""

ALL = "all"
"""In the settings: every source there is."""

OTHERWISE = "default"
"""In such settings as ``rates``: every service or source that has no entry of its own."""


class Gateway:
    """The way out for all that leaves the machine: one client, one count of requests, one cache, as the machine's
    settings and keys have it. Limits and cache are files that all processes of a data directory share. Opens on first
    use, and ends with ``aclose``."""

    def __init__(self, machine: Machine, secrets: Secrets) -> None:
        self.machine = machine
        self.secrets = secrets
        self.limits = limits_of(machine, secrets)
        self.cache = cache_of(machine)
        self.http = Http(self.limits)

    async def aclose(self) -> None:
        """Close connections and files. Nothing can be asked through it afterwards."""
        await self.http.aclose()
        for file in (self.limits, self.cache):
            await asyncio.to_thread(file.close)


def remote_sources(gateway: Gateway) -> dict[str, Source]:
    """Every remote source behind cache, breaker and deadline."""
    machine, secrets = gateway.machine, gateway.secrets
    found = catalogue(
        gateway.http,
        tavily_key=secrets.tavily_api_key,
        searxng_url=machine.searxng_url,
        github_token=secrets.github_token,
        youtube_key=secrets.youtube_api_key,
        stackexchange_key=secrets.stackexchange_key,
        docs_domains=machine.docs_domains,
        wikipedia_language=machine.wikipedia_language,
        contact=machine.contact,
        langchain=machine.langchain_retrievers,
        mcp=machine.mcp_sources,
        base_urls=machine.base_urls,
        may_ask_web=_has_web(machine, secrets),
    )
    foreign, asked_where = _foreign(machine), _fingerprint(machine, secrets)
    return {
        name: Guarded(
            source,
            cache=gateway.cache,
            breaker=shared_breakers().of(name),
            seconds=machine.deadline_s.get(name, machine.deadline_s.get(OTHERWISE, DEADLINE_S)),
            ttl=machine.cache_ttl_s.get(name),
            limits=gateway.limits if name in foreign else None,
            options=f"{type(source).__name__} {asked_where}",
        )
        for name, source in found.items()
    }


def rates_of(machine: Machine, secrets: Secrets) -> dict[str, tuple[Rate, ...]]:
    """The rates by service: the settings', else those of the keys that there are, else what anybody may do. ``default``
    stands for the services that are not named."""
    keyed = ChainMap(*(dict(rates) for secret, rates in WITH_KEY.items() if getattr(secrets, secret)))
    named = {name: parse_rates(text) for name, text in machine.rates.items()}
    return {OTHERWISE: DEFAULT, **RATES, **keyed, **named}


def limits_of(machine: Machine, secrets: Secrets) -> Limits:
    """The rate limits, in the file that all processes of this data directory share."""
    rates = rates_of(machine, secrets)
    return Limits(machine.data_dir / "limits.sqlite3", rates, rates.pop(OTHERWISE))


def cache_of(machine: Machine) -> Cache:
    """The cache of the settings, which all processes of this data directory share."""
    return Cache(machine.data_dir / "cache.sqlite3", ttl=machine.cache_ttl_s.get(OTHERWISE, TTL_S))


def _has_web(machine: Machine, secrets: Secrets) -> bool:
    """Whether web search was asked for: by its name, or by a key or an address for it."""
    return bool({"web", ALL}.intersection(machine.sources) or secrets.tavily_api_key or machine.searxng_url)


def _fingerprint(machine: Machine, secrets: Secrets) -> str:
    """Changes with whatever answers depend on beside the question: what one site or account said is not kept for
    another. A digest, since it is made of keys too."""
    keys = (secrets.tavily_api_key, secrets.github_token, secrets.youtube_api_key, secrets.stackexchange_key)
    settings = machine.model_dump(mode="json", include=set(_ANSWERING))
    told = [settings, [key.get_secret_value() if key else "" for key in keys]]
    return hashlib.sha256(json.dumps(told, sort_keys=True).encode("utf-8", "replace")).hexdigest()


def _foreign(machine: Machine) -> frozenset[str]:
    """Sources that make their requests themselves: theirs are counted by search, under their own names."""
    return frozenset((*machine.langchain_retrievers, *machine.mcp_sources))


def check_names(machine: Machine) -> None:
    """Raises ``ConfigurationError`` for a setting about a service or a source that there is not."""
    foreign = sorted(_foreign(machine))
    services = (OTHERWISE, *SERVICES, *foreign)
    sources = unique((OTHERWISE, *(row.name for row in known_sources()), *foreign))
    for setting, names, known in (
        ("rates", machine.rates, services),
        ("cache_ttl_s", machine.cache_ttl_s, sources),
        ("deadline_s", machine.deadline_s, sources),
        ("base_urls", machine.base_urls, REPLACEABLE),
    ):
        for name in names:
            if name not in known and not (setting == "rates" and name.startswith(BY_HOST)):
                raise ConfigurationError(f"{setting}: there is no {name!r}; use {', '.join(known)}")
