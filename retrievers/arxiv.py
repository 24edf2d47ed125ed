"""arXiv, by its Atom API: papers with their abstracts. https://info.arxiv.org/help/api/user-manual.html. No key."""

import re
from typing import ClassVar
from xml.etree.ElementTree import Element

from calibrant.retrievers.excerpt import pieces_of, xml_root
from calibrant.retrievers.findings import Result, evidence_of, moment, web_address
from calibrant.retrievers.http import Http, user_agent
from calibrant.retrievers.keywords import keywords
from calibrant.state.errors import SourceError
from calibrant.state.evidence import Evidence, SearchQuery

ARXIV = "https://export.arxiv.org"
WORDS = 10
_ATOM = "{http://www.w3.org/2005/Atom}"
_VERSION = re.compile(r"v\d+$")
_NOT_WORDS = re.compile(r"[^\w\s.]")
"""A hyphen means NOT to arXiv, even inside a word: https://github.com/arXiv/arxiv-search/issues/322."""


class Arxiv:
    """Papers by title and abstract, the most relevant first."""

    name = "arxiv"
    remote = True
    hint: ClassVar[str] = ""

    def __init__(self, http: Http, base_url: str = ARXIV, contact: str = "") -> None:
        """``contact``: whom arXiv may write to, told with each request."""
        self._http = http
        self._headers = {"User-Agent": user_agent(contact)}
        self._base_url = base_url.rstrip("/")

    async def search(self, query: SearchQuery) -> list[Evidence]:
        """Papers that have any of the query's words: arXiv ranks those with most of them first."""
        params = {
            "search_query": _asked(query), "start": 0, "max_results": query.limit,
            "sortBy": "relevance", "sortOrder": "descending",
        }  # fmt: skip
        answer = await self._http.text("arxiv", f"{self._base_url}/api/query", params=params, headers=self._headers)
        return await evidence_of(self.name, query, _entries(answer), _result)


def _asked(query: SearchQuery) -> str:
    """``(all:a OR all:b) ANDNOT all:c``, without the signs that mean something in it."""
    wanted = " OR ".join(f"all:{_term(word)}" for word in keywords(query.text, WORDS) if _plain(word))
    barred = "".join(f' ANDNOT all:"{_plain(word)}"' for word in query.negative if _plain(word))
    return f"({wanted}){barred}" if barred else wanted


def _term(word: str) -> str:
    """A word; in quotes what are several to arXiv (``non-invasive``)."""
    plain = _plain(word)
    return f'"{plain}"' if " " in plain else plain


def _plain(word: str) -> str:
    return " ".join(_NOT_WORDS.sub(" ", word).split())


def _entries(answer: str) -> list[Element]:
    """The entries of the feed. An error comes as a feed too, with one entry that is titled so."""
    try:
        feed = xml_root(answer)
    except ValueError as error:
        raise SourceError("arXiv's answer is not in the form that was expected") from error
    if feed.tag != f"{_ATOM}feed":
        raise SourceError("arXiv's answer is not in the form that was expected")
    entries = feed.findall(f"{_ATOM}entry")
    if len(entries) == 1 and "/api/errors" in _text(entries[0], "id"):
        raise SourceError("arXiv refused the search")
    return entries


def _result(entry: Element) -> Result:
    url = web_address(_text(entry, "id").replace("http://arxiv.org/", "https://arxiv.org/"))
    title, summary = _text(entry, "title"), _text(entry, "summary")
    return Result(
        title,
        _VERSION.sub("", url),  # without the version: the latest one, and the same address in every run
        pieces_of(summary or title, "text", "Abstract"),
        _authors(entry),
        moment(_text(entry, "updated") or _text(entry, "published")),
    )


def _authors(entry: Element) -> str:
    names = [_text(author, "name") for author in entry.findall(f"{_ATOM}author")]
    return ", ".join(names[:3]) + (" et al." if len(names) > 3 else "")


def _text(parent: Element, name: str) -> str:
    found = parent.find(f"{_ATOM}{name}")
    return " ".join((found.text or "").split()) if found is not None else ""
