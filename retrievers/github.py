"""GitHub, by its REST API: repositories with their README, and code where a token allows it.

    GET /search/repositories      10 requests a minute without a token, 30 with one
    GET /repos/{name}/readme      60 requests an hour without a token, 5,000 with one
    GET /search/code              with a token only, 10 a minute; matches come as fragments (media type text-match)

https://docs.github.com/rest/search/search and https://docs.github.com/rest/repos/contents. The three limits are
GitHub's own and apart from each other, so they are counted apart here. What GitHub calls secondary limits comes as 403
or 429 with a message, and not always with a time to come back: then it is a minute, for a 403 too
(https://docs.github.com/rest/using-the-rest-api/rate-limits-for-the-rest-api).
"""

import asyncio
from collections.abc import Mapping, Sequence
from functools import partial
from itertools import zip_longest
from typing import Any, ClassVar

from pydantic import SecretStr

from calibrant.retrievers.asking import Partial
from calibrant.retrievers.excerpt import Piece, dicts, pieces_of
from calibrant.retrievers.findings import Result, evidence_of, in_turn, moment, tried, web_address, without, words
from calibrant.retrievers.http import Http
from calibrant.retrievers.http_answers import UNTOLD_S, Answer, BadStatus
from calibrant.retrievers.keywords import keywords, with_fewer_words
from calibrant.state.errors import CalibrantError, SourceError, SourceTimeout, failure_of
from calibrant.state.evidence import Evidence, Locator, SearchQuery

GITHUB = "https://api.github.com"
WORDS = (3, 2)
"""A search matches repositories that have all its words: first with so many of the query's, then with fewer, or with
the name that it has."""
READMES = (2, 5)
"""So many are read, without a token and with one."""
_QUERY = 256
_MISSING, _REFUSED = 404, (401, 403)

Item = dict[str, Any]


class GitHub:
    """Repositories and code."""

    name = "github"
    remote = True
    hint: ClassVar[str] = "GITHUB_TOKEN (no scopes needed): code search, more READMEs, three times as many searches."

    def __init__(self, http: Http, token: SecretStr | None = None, base_url: str = GITHUB) -> None:
        self._http = http
        self._token = token
        self._base_url = base_url.rstrip("/")

    async def search(self, query: SearchQuery) -> list[Evidence]:
        """Repositories and code in turn, each in GitHub's order. One of the two is enough; the answer then says
        that the other one failed. It also says where a README could not be had."""
        both = await asyncio.gather(self._repositories(query), self._code(query), return_exceptions=True)
        failed = next((error for error in both if isinstance(error, BaseException)), None)
        items = in_turn([found for found in both if not isinstance(found, BaseException)])
        if failed and not (items and isinstance(failed, CalibrantError)):
            raise failed
        evidence = await evidence_of(self.name, query, items, _result)
        if failed:
            return Partial(evidence, failure_of(failed, self.name))
        return without(self.name, "READMEs", evidence, (item.get("readme") for item in items))

    async def _repositories(self, query: SearchQuery) -> list[Item]:
        """The repositories, the first of them with their README, or with the reason why there is none."""
        found = await self._matching(query)
        most = READMES[self._token is not None]
        readmes = await asyncio.gather(*(tried(partial(self._readme, item)) for item in found[:most]))
        return [{**item, "readme": text} for item, text in zip_longest(found, readmes)]

    async def _matching(self, query: SearchQuery) -> list[Item]:
        media_type = "application/vnd.github+json"
        return await with_fewer_words(
            query.text, WORDS, lambda wanted: self._find("repositories", wanted, query, media_type), names=1
        )

    async def _readme(self, item: Item) -> str:
        path = f"/repos/{words(item.get('full_name'))}/readme"
        try:
            return (await self._ask("github-content", path, "application/vnd.github.raw+json")).text
        except BadStatus as error:
            if error.status == _MISSING:
                return ""
            raise

    async def _code(self, query: SearchQuery) -> list[Item]:
        if self._token is None:
            return []
        return await self._find("code", keywords(query.text, WORDS[0]), query, "application/vnd.github.text-match+json")

    async def _find(self, what: str, wanted: Sequence[str], query: SearchQuery, media_type: str) -> list[Item]:
        asked = " ".join([*wanted, *(f"NOT {word}" for word in query.negative[:5] if word.isalnum())])
        params = {"q": asked[:_QUERY], "per_page": min(query.limit, 100)}
        provider = "github-code" if what == "code" else "github"
        try:
            found = await self._ask(provider, f"/search/{what}", media_type, params)
        except BadStatus as error:
            if self._token is not None and error.status in _REFUSED:
                raise SourceError("GitHub refused the token: see GITHUB_TOKEN") from None
            raise
        answer = found.json
        if not isinstance(answer, dict) or not isinstance(answer.get("items"), list):
            raise SourceError("GitHub's answer has no items in it")
        if answer.get("incomplete_results") and not answer["items"]:
            raise SourceTimeout("GitHub's search ran out of time before it found anything")
        return list(dicts(answer["items"]))

    async def _ask(self, provider: str, path: str, media_type: str, params: Mapping[str, Any] | None = None) -> Answer:
        """GitHub's answer. A limit without a time to come back is kept for a minute, by all who ask it."""
        headers = self._headers(media_type)
        try:
            return await self._http.answer(provider, f"{self._base_url}{path}", params=params, headers=headers)
        except BadStatus as error:
            if not _is_untold_limit(error):
                raise
            why = f"GitHub is limiting requests for {UNTOLD_S:.0f} s"
            raise await self._http.limited(provider, why, UNTOLD_S) from None

    def _headers(self, media_type: str) -> Mapping[str, str]:
        headers = {"Accept": media_type, "X-GitHub-Api-Version": "2022-11-28"}
        if self._token is not None:
            headers["Authorization"] = f"Bearer {self._token.get_secret_value()}"
        return headers


def _is_untold_limit(error: BadStatus) -> bool:
    """A 403 that names the limit in its message, and no time."""
    said = error.said
    return error.status == 403 and "rate limit" in (words(said.get("message")) if isinstance(said, dict) else "")


def _result(item: Item) -> Result | None:
    return _code_result(item) if "repository" in item else _repository_result(item)


def _repository_result(item: Item) -> Result:
    """The README, else the description."""
    about, topics = words(item.get("description")), item.get("topics")
    named = ", ".join(topic for topic in topics if isinstance(topic, str)) if isinstance(topics, list) else ""
    summary = f"{item['full_name']}: {about}" + (f" (topics: {named})" if named else "")
    readme = words(item.get("readme"))
    pieces = pieces_of(readme, "markdown") if readme.strip() else [Piece(summary, Locator(heading="About"))]
    title = f"{item['full_name']}: {about}" if about else item["full_name"]
    owner = item.get("owner")
    return Result(
        title,
        web_address(item["html_url"]),
        pieces,
        words(owner.get("login")) if isinstance(owner, dict) else "",
        moment(item.get("pushed_at") or item.get("updated_at")),
    )


def _code_result(item: Item) -> Result | None:
    """The fragments of a file in which the words stand."""
    repository = item["repository"]
    matches = [words(match.get("fragment")).strip("\n") for match in dicts(item.get("text_matches"))]
    pieces = [Piece(text, Locator(heading=item["path"])) for text in matches if text.strip()]
    if not pieces:
        return None
    title = f"{repository['full_name']}: {item['path']}"
    owner = repository.get("owner")
    author = words(owner.get("login")) if isinstance(owner, dict) else ""
    return Result(title, web_address(item["html_url"]), pieces, author)
