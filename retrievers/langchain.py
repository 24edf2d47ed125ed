"""Any LangChain retriever as a source: an object, or an import path ``package.module:attribute``.

https://docs.langchain.com/oss/python/integrations/retrievers: ``ainvoke(query)`` gives ``Document``s of
``page_content`` and free-form ``metadata``, whose usual names are looked for here.
"""

import importlib
import re
from collections.abc import Mapping
from pathlib import Path, PurePath
from typing import TYPE_CHECKING, Any

from calibrant.retrievers.excerpt import pieces_of
from calibrant.retrievers.findings import Result, evidence_of, moment, web_address, words
from calibrant.state.errors import CalibrantError, ConfigurationError, SourceError, raised
from calibrant.state.evidence import Evidence, SearchQuery

if TYPE_CHECKING:
    from langchain_core.documents import Document
    from langchain_core.retrievers import BaseRetriever

_URLS = ("url", "source", "link", "source_url", "Source", "path", "file_path")
_TITLES = ("title", "Title", "name", "file_name")
_AUTHORS = ("author", "authors", "Authors", "creator")
_DATES = ("published", "published_date", "publish_date", "date", "Published", "last_modified")

_PLACE = re.compile(r"[/\\]|^\w+:\S|\.[a-z]\w*$", re.IGNORECASE)
"""What leads somewhere: a path, an address, the name of a file. Anything else ("Handbook") is a title."""
_RUN = frozenset({"javascript", "vbscript", "data"})
"""Schemes of what a browser would run or show by itself: they lead nowhere."""
_CONTROL = re.compile(r"[\x00-\x1f]")


class LangChainSource:
    """A LangChain retriever. How many documents it gives is its own affair; the first ``limit`` passages are kept."""

    remote = True

    def __init__(self, retriever: "BaseRetriever", name: str = "langchain") -> None:
        self.name = name
        self._retriever = retriever

    @classmethod
    def load(cls, path: str, name: str = "langchain") -> "LangChainSource":
        """The retriever at ``package.module:attribute``; an attribute that is a function or class is called without
        arguments. ``ConfigurationError`` where there is none. Imports the module: for configuration, not for input."""
        from langchain_core.retrievers import BaseRetriever

        module, _, attribute = path.partition(":")
        try:
            found = getattr(importlib.import_module(module), attribute or "retriever")
            retriever = found if isinstance(found, BaseRetriever) else found()
        except CalibrantError:
            raise
        except Exception as error:
            raise ConfigurationError(f"{path}: cannot be loaded as a retriever ({type(error).__name__})") from error
        if not isinstance(retriever, BaseRetriever):
            raise ConfigurationError(f"{path}: not a LangChain retriever but a {type(retriever).__name__}")
        return cls(retriever, name)

    async def search(self, query: SearchQuery) -> list[Evidence]:
        """The retriever's documents, cut where they are long."""
        try:
            documents = await self._retriever.ainvoke(query.text)
        except CalibrantError:
            raise
        except Exception as error:  # foreign code; its messages may hold keys or pages, so only the kind is told
            raise SourceError(f"{self.name}: the retriever failed ({raised(error)})") from error
        return await evidence_of(self.name, query, documents, _result)


def _result(document: "Document") -> Result:
    held: Mapping[str, Any] = document.metadata
    given = _given(_first(held, _URLS))
    url = _url(given)
    name = re.split(r"[/\\]", url)[-1] if _PLACE.search(given) else given
    title = words(_first(held, _TITLES)) or name or document.page_content[:80].split("\n")[0]
    authors = _first(held, _AUTHORS)
    author = ", ".join(map(str, authors)) if isinstance(authors, list | tuple) else words(authors)
    pieces = pieces_of(document.page_content, "markdown")
    return Result(title, url, pieces, author, moment(_first(held, _DATES)))


def _first(held: Mapping[str, Any], names: tuple[str, ...]) -> Any:
    return next((held[name] for name in names if held.get(name) not in (None, "")), None)


def _given(value: Any) -> str:
    """What a document says of where it is from, which may be a path object."""
    return _CONTROL.sub("", str(value) if isinstance(value, PurePath) else words(value)).strip()


def _url(given: str) -> str:
    """A web address, a local file's, or the place as it was given, such as a relative path. Empty where nothing leads
    anywhere: then the title is the document's identity."""
    if given.startswith(("http://", "https://")):
        return web_address(given)
    if not _PLACE.search(given) or given.partition(":")[0].lower() in _RUN:
        return ""
    return Path(given).as_uri() if Path(given).is_absolute() else given
