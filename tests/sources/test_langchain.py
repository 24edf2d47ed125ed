"""LangChain retrievers as sources."""

from pathlib import Path, PurePosixPath

import pytest
from langchain_core.documents import Document

from calibrant.retrievers.langchain import LangChainSource
from calibrant.state.errors import ConfigurationError, SourceError
from calibrant.state.evidence import SearchQuery
from tests.sources.retrievers_for_tests import DOCUMENTS, Shelf

HERE = "tests.sources.retrievers_for_tests"
QUERY = SearchQuery(text="What does a semaphore limit?")


async def test_documents_become_evidence() -> None:
    first, local, bare = await LangChainSource(Shelf(documents=DOCUMENTS), "shelf").search(QUERY)
    assert (first.source, first.url, first.title) == ("shelf", "https://example.org/s", "Semaphores")
    assert (first.author, first.relevance) == ("Ada, Bob", 1.0)
    assert first.published is not None
    assert first.published.year == 2024
    assert local.url == "file:///srv/notes/%C3%A4%20b.md"
    assert (bare.url, bare.title, bare.document) == ("", "No metadata, semaphore.", "No metadata, semaphore.")


@pytest.mark.parametrize(
    ("given", "url", "title"),
    [
        ("docs/staging.md", "docs/staging.md", "staging.md"),
        ("staging.md", "staging.md", "staging.md"),
        (r"D:\docs\staging.md", r"D:\docs\staging.md", "staging.md"),
        ("s3://bucket/staging.md", "s3://bucket/staging.md", "staging.md"),
        (Path("/srv/staging.md"), "file:///srv/staging.md", "staging.md"),
        (PurePosixPath("docs/staging.md"), "docs/staging.md", "staging.md"),
        ("docs/\x1b[2J.md", "docs/[2J.md", "[2J.md"),
        ("Staff handbook", "", "Staff handbook"),
        ("javascript:alert(1)", "", ""),
        ("java\tscript://x/%0aalert(1)", "", ""),
        ("Data:text/html,x", "", ""),
    ],
)
async def test_what_a_document_says_of_its_place_is_kept(given: object, url: str, title: str) -> None:
    """Passages of one file are of one document then, however they begin."""
    texts = ("A semaphore limits concurrency.", "What a semaphore limits is told elsewhere.")
    shelf = Shelf(documents=[Document(page_content=text, metadata={"source": given}) for text in texts])
    found = await LangChainSource(shelf).search(QUERY)
    assert [(item.url, item.title) for item in found] == [(url, title or text) for text in texts]


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
