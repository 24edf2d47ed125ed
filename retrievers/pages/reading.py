"""Depth 3: the full pages behind the best results of a search."""

import asyncio
import time
from collections.abc import Sequence

from calibrant.retrievers.asking import Answered
from calibrant.retrievers.deadline import within
from calibrant.retrievers.pages.page import passages_of
from calibrant.retrievers.pages.reader import PageReader
from calibrant.state.errors import Failure, FailureKind, failure_of
from calibrant.state.evidence import Evidence, SourceState
from calibrant.state.retrieval import PAGES, SourceReport

PER_PAGE = 4
"""So many passages of one page: its best ones."""


def to_read(evidence: Sequence[Evidence]) -> list[Evidence]:
    """The first result of each web page."""
    pages: dict[str, Evidence] = {}
    for item in evidence:
        # A recording's page has nothing to read: its words are in the transcript.
        if item.url.startswith(("http://", "https://")) and item.locator.second is None:
            pages.setdefault(item.url, item)
    return list(pages.values())


async def read_page(item: Evidence, reader: PageReader, question: str, seconds: float) -> Answered:
    """The best passages of the page behind ``item`` for ``question``, with a report. Never raises for the page's
    sake."""
    started = time.monotonic()
    try:
        with within(seconds):
            async with asyncio.timeout(seconds):
                page = await reader.read(item.url)
                found = await asyncio.to_thread(passages_of, page, question, item.source)
    except TimeoutError:
        failure = Failure(kind=FailureKind.TIMEOUT, where=PAGES, message=f"not read within {seconds:.1f} s")
        return _unread(failure, time.monotonic() - started)
    except Exception as error:  # noqa: BLE001 - whatever a page does to a parser is a typed failure here
        return _unread(failure_of(error, PAGES), time.monotonic() - started)
    kept = tuple(_completed(passage, item) for passage in found[:PER_PAGE])
    state = SourceState.OK if kept else SourceState.EMPTY
    return Answered(kept, SourceReport(source=PAGES, state=state, count=len(kept), seconds=time.monotonic() - started))


def _unread(failure: Failure, seconds: float) -> Answered:
    state = SourceState.LIMITED if failure.kind is FailureKind.LIMITED else SourceState.FAILED
    return Answered((), SourceReport(source=PAGES, state=state, seconds=seconds, failure=failure))


def _completed(passage: Evidence, item: Evidence) -> Evidence:
    """With what the search knew and the page does not say."""
    return passage.replace(
        query=item.query,
        depth=item.depth,
        author=passage.author or item.author,
        published=passage.published or item.published,
        title=passage.title if passage.title != passage.url else item.title,
    )
