"""Evidence: a retrieved passage with everything needed to weigh it and to cite it."""

import re
from datetime import UTC, datetime
from enum import StrEnum
from typing import Annotated, Any, Self
from urllib.parse import unquote, urlsplit

from pydantic import AfterValidator, BeforeValidator, Field, computed_field

from calibrant.state.base import Value
from calibrant.state.validation import SURROGATE

_DAY = re.compile(r"(\d{4})(?:-?(\d\d)(?:-?(\d\d))?)?")
"""A year, a month or a day, with hyphens or without."""


def dated(given: Any) -> Any:
    """``given``; where it is no more than a year, a month or a day, the beginning of that: what has no hyphens would be
    taken for seconds since 1970."""
    found = _DAY.fullmatch(str(given)) if type(given) in (int, str) else None
    return f"{found[1]}-{found[2] or '01'}-{found[3] or '01'}" if found else given


def _zoned(moment: datetime) -> datetime:
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)


Moment = Annotated[datetime, BeforeValidator(dated), AfterValidator(_zoned)]
"""A date with its zone: UTC where none was said, so that any two can be compared."""


_COMMAND = re.compile("\x1b\\[[0-?]*[ -/]*[@-~]|[\x00-\x08\x0e-\x1b\x7f\x9b\u202d\u202e]")
"""What a terminal obeys: colours and the like whole, control characters but white space, and what turns text around."""


def storable(text: str) -> str:
    """``text``, as long as it was, without what no file and no database takes, or a terminal would obey: NULs and other
    control characters, and halves of characters that a service cut in two."""
    return _COMMAND.sub(lambda found: " " * len(found[0]), SURROGATE.sub("\ufffd", text))


Text = Annotated[str, AfterValidator(storable)]
"""A text from somewhere else."""


LONGEST_PASSAGE = 50_000
"""Characters of a passage that are read, some 25 times a usual one: reading takes about a millisecond a sentence, and
nothing can interrupt it."""


MESSAGE = "message"
"""The source, and the address, of what was pasted with a question."""
FROM_TOOL = "tool:"
"""What the name of a source begins with that is a tool's output."""


class Locator(Value):
    """Where a passage stands in its document, so that a citation opens at the place.

    ``start`` and ``end`` are character offsets into the document's extracted text; ``line`` and ``end_line`` count
    from 1; ``page`` counts from 1 (PDF); ``second`` is the start time in a recording.
    """

    heading: Text = ""
    columns: tuple[str, ...] = ()
    """The names of the columns, where the passage starts inside a table."""
    fence: Text = ""
    """The line that opens a block of code ("```sh"), where the passage starts inside one."""
    goes_on: bool | None = None
    """Whether a table in which the passage ends goes on in the next one; None where that is not known."""
    start: int = 0
    end: int = 0
    line: int | None = None
    end_line: int | None = None
    jumps: tuple[tuple[int, int], ...] = ()
    """Where the passage does not go on line by line as the document does (markup stands between, or lines are joined):
    characters of the passage, each with the line in which it stands, in order."""
    page: int | None = None
    second: float | None = None


class Evidence(Value):
    """One passage. ``id`` is stable: the same passage of the same document has the same id in every run."""

    id: str
    text: Text
    title: Text
    source: str
    """Name of the source that found it: ``knowledge``, ``memory``, ``web``, ``github``, ..., ``MESSAGE``, or that of a
    tool after ``FROM_TOOL``."""
    url: Text
    """``file:///...`` for local documents, else http(s), or what a source has in its place. Without a fragment:
    ``locator`` has the place."""
    locator: Locator = Locator()
    collection: str = ""
    """Knowledge base by name, for passages of one."""
    kind: str = ""
    """The document's kind, as ``Filters.kinds`` names it, for passages of a knowledge base."""
    author: Text = ""
    published: Moment | None = None
    opening: Text = ""
    """How its document begins, where the passage is not that beginning and there is a number in it: it may say how old
    the document is, or which edition."""
    relevance: float = Field(default=0.0, ge=0.0, le=1.0)
    """How well it fits the query that found it, 0..1, comparable over sources."""
    rank: int = 0
    """The source's own order, from 1."""
    query: str = ""
    """The query that found it."""
    depth: int = 1

    def shortened(self) -> Self:
        """Itself, or its beginning where it is longer than ``LONGEST_PASSAGE``."""
        return self if len(self.text) <= LONGEST_PASSAGE else self.replace(text=self.text[:LONGEST_PASSAGE])

    @property
    def document(self) -> str:
        """The identity of the document the passage belongs to."""
        return self.url or self.title

    @property
    def is_in_section(self) -> bool:
        """Whether it stands in a section of its document, under a heading that is more than the document's title. What
        a module defines, under its full name, is no section."""
        heading, title = self.locator.heading.strip(), self.title.strip()
        return heading not in ("", title) and not heading.startswith(f"{title}.")


_DRIVE = re.compile(r"/(?=[A-Za-z]:/)")


def path_of(url: str) -> str | None:
    """The file that a ``file:`` address names, on a drive (``file:///C:/a.md``) or a share too; None for any other."""
    if not url.startswith("file://"):
        return None
    host, slash, path = unquote(url.removeprefix("file://")).partition("/")
    return f"//{host}{slash}{path}" if host else _DRIVE.sub("", f"/{path}", count=1)


def host_of(url: str) -> str:
    """The host of an address, in small letters; empty where it has none, or is no address at all."""
    try:
        return urlsplit(url).hostname or ""
    except ValueError:  # half of an IPv6 address
        return ""


class Quotation(Value):
    """Words of a passage, and where they stand."""

    evidence_id: str
    title: str
    url: str
    source: str
    quote: str
    locator: Locator = Locator()

    @computed_field  # type: ignore[prop-decorator]
    @property
    def place(self) -> str:
        """``path:line`` for a file, the URL otherwise (with ``#page=`` or ``&t=`` where they apply): one line, in
        JSON too."""
        return " ".join(self._place.split("\n"))

    @property
    def _place(self) -> str:
        if (path := path_of(self.url)) is not None:
            if self.locator.page:
                return f"{path}#page={self.locator.page}"
            return self._in_line(path)
        if self.locator.page:
            return f"{self.url}#page={self.locator.page}"
        if self.locator.second is not None:
            return f"{self.url}{'&' if '?' in self.url else '?'}t={int(self.locator.second)}"
        return self._in_line(self.url) if self.url == MESSAGE else self.url

    def _in_line(self, document: str) -> str:
        return f"{document}:{self.locator.line}" if self.locator.line else document

    @classmethod
    def of(cls, item: Evidence, quote: str, start: int, **more: Any) -> Self:
        """``quote`` stands at ``start`` in the passage; the place is the quote's line, not the passage's."""
        locator = item.locator.replace(line=_line_at(item, start), jumps=())
        return cls(
            evidence_id=item.id, title=item.title, url=item.url, source=item.source, quote=quote, locator=locator,
            **more,
        )  # fmt: skip


def _line_at(item: Evidence, start: int) -> int | None:
    """The line of the document in which the passage's words from ``start`` on begin. A passage that was read before
    jumps were noted ends at its last line."""
    first, last = item.locator.line, item.locator.end_line
    if first is None:
        return None
    start = len(item.text) - len(item.text[start:].lstrip())
    jumped = [jump for jump in item.locator.jumps if jump[0] <= start]
    offset, line = jumped[-1] if jumped else (0, first)
    line += item.text.count("\n", offset, start)
    return line if last is None else min(line, last)


class Citation(Quotation):
    """A numbered reference as the user sees it. Rendered by code from evidence; a model never writes one."""

    number: int


class SourceState(StrEnum):
    """How a source fared in one retrieval."""

    OK = "ok"
    EMPTY = "empty"
    FAILED = "failed"
    LIMITED = "limited"
    SKIPPED = "skipped"


AD_HOC = re.compile(r".+\.[0-9a-f]{6}")
"""The name of a knowledge base that was made of a path for one question (``docs.3fa2c1``)."""


def is_ad_hoc(collection: str) -> bool:
    """Whether a knowledge base is searched only where it is named."""
    return AD_HOC.fullmatch(collection) is not None


KINDS = ("text", "markdown", "html", "pdf", "docx", "csv", "code")
"""What a document of a knowledge base is, as text was read from it."""


class Filters(Value):
    """What part of the knowledge may be searched. Empty fields do not restrict."""

    collections: tuple[str, ...] = ()
    """Knowledge bases by name. Empty: all but those that were made of a path for one question."""
    paths: tuple[str, ...] = ()
    """Glob patterns over a document's path or URL; one match is enough."""
    kinds: tuple[str, ...] = ()
    """Some of ``KINDS``."""
    since: Moment | None = None


class SearchQuery(Value):
    """One query to one source."""

    text: str
    limit: int = Field(default=5, ge=1, le=100)
    filters: Filters = Filters()
    exclude: tuple[str, ...] = ()
    """Evidence ids already held: the source need not return them again."""
    negative: tuple[str, ...] = ()
    """Words that a passage must not contain (a refinement's)."""
