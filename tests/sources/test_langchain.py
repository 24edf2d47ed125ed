"""LangChain retrievers as sources."""

import pytest

from calibrant.retrievers.langchain import LangChainSource
from calibrant.state.errors import ConfigurationError, SourceError
from calibrant.state.evidence import SearchQuery
from tests.sources.retrievers_for_tests import DOCUMENTS, Shelf

HERE = "tests.sources.retrievers_for_tests"
QUERY = SearchQuery(text="What does a semaphore limit?")


async def test_documents_become_evidence() -> None:
    first, local, bare = await LangChainSource(Shelf(documents=DOCUMENTS), "shelf").search(QUERY)
    assert (first.source, first.url, first.title) == ("shelf", "https://example.org/s", "Semaphores")
    assert (first.author, first.native_score, first.relevance) == ("Ada, Bob", 0.7, 1.0)
    assert first.published is not None
    assert first.published.year == 2024
    assert local.url == "file:///srv/notes/%C3%A4%20b.md"
    assert (bare.url, bare.title, bare.document) == ("", "No metadata, semaphore.", "No metadata, semaphore.")


async def test_by_import_path() -> None:
    for path, count in ((f"{HERE}:retriever", 3), (HERE, 3), (f"{HERE}:make", 1)):
        assert len(await LangChainSource.load(path, "mine").search(QUERY)) == count


@pytest.mark.parametrize("path", [f"{HERE}:nothing", "no.such.module:x", f"{HERE}:broken", f"{HERE}:number", "", ":x"])
def test_paths_that_lead_nowhere(path: str) -> None:
    with pytest.raises(ConfigurationError) as caught:
        LangChainSource.load(path)
    assert "secret" not in str(caught.value)


async def test_its_failures_are_ours_and_say_nothing_foreign() -> None:
    with pytest.raises(SourceError, match=r"langchain: the retriever failed \(RuntimeError at \w+\.py:\d+\)"):
        await LangChainSource(Shelf(failure=RuntimeError("key=secret"))).search(QUERY)


async def test_nothing_found_and_limit() -> None:
    assert await LangChainSource(Shelf()).search(QUERY) == []
    assert len(await LangChainSource(Shelf(documents=DOCUMENTS)).search(QUERY.replace(limit=2))) == 2
