"""The knowledge bases of a data directory as one source: one that is damaged, one that is made anew meanwhile."""

import shutil
from pathlib import Path

import pytest

from calibrant.retrievers.knowledge import KnowledgeBase, knowledge_dir
from calibrant.retrievers.knowledge.folder import KnowledgeFolder
from calibrant.state.budget import StopReason
from calibrant.state.errors import KnowledgeError, SourceEmpty
from calibrant.state.evidence import SearchQuery, SourceState, path_of
from calibrant.state.retrieval import is_bare
from tests.graph.house import graph_for, ingest, run, write_documents

QUESTION = "How often is a failed job retried by default?"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    ingest(tmp_path / "data", write_documents(tmp_path / "docs"))
    return tmp_path / "data"


def _damage(data_dir: Path, name: str) -> None:
    place = knowledge_dir(data_dir, name)
    place.mkdir(parents=True, exist_ok=True)
    (place / "knowledge.db").write_bytes(b"not a database" * 100)


async def test_a_damaged_base_is_named_and_does_not_silence_the_others(folder: Path) -> None:
    _damage(folder, "broken")
    state = await run(graph_for(folder), QUESTION)
    assert state.stop_reason is StopReason.ANSWERED
    assert "five times" in state.answer
    (report,) = state.retrievals[-1].sources
    assert (report.state, report.partial) == (SourceState.OK, True)
    (warning,) = state.warnings
    assert warning.startswith("A part of knowledge could not be searched: ")
    assert "--rebuild" in warning


async def test_where_a_part_failed_and_the_rest_has_nothing_that_is_no_finding(folder: Path) -> None:
    _damage(folder, "broken")
    state = await run(graph_for(folder), "Who painted the harbour of Trondheim?")
    assert {report.state for result in state.retrievals for report in result.sources} == {SourceState.FAILED}
    assert state.answer.endswith("? Could not be searched: knowledge.")
    assert "mentions" not in state.answer
    assert "Searched:" not in state.answer


async def test_where_all_bases_are_damaged_the_search_fails(tmp_path: Path) -> None:
    _damage(tmp_path, "broken")
    with pytest.raises(KnowledgeError, match="--rebuild"):
        await KnowledgeFolder(tmp_path).search(SearchQuery(text="pump"))
    KnowledgeFolder(tmp_path).warm()


async def test_where_there_is_no_base_nothing_is_searched_and_it_is_said_how_to_make_one(tmp_path: Path) -> None:
    state = await run(graph_for(tmp_path), QUESTION)
    assert state.reports
    assert all(map(is_bare, state.reports))
    assert state.answer.endswith("? There is nothing to search yet: `calibrant ingest PATH` makes a knowledge base.")
    assert (state.stop_reason, state.spend.searches) == (StopReason.ABSTAINED, 0)
    assert "Searched" not in state.answer
    assert "mentions" not in state.answer


async def test_a_base_that_is_made_later_is_searched(tmp_path: Path) -> None:
    source, query = KnowledgeFolder(tmp_path / "data"), SearchQuery(text="failed job retried")
    with pytest.raises(SourceEmpty):
        await source.search(query)
    ingest(tmp_path / "data", write_documents(tmp_path / "docs"))
    assert await source.search(query)


async def test_an_answer_from_a_file_that_has_changed_or_is_gone_since_says_so_once(folder: Path) -> None:
    graph, file = graph_for(folder), folder.parent / "docs" / "retries.md"
    told = f"{file} has changed since it was read: `calibrant ingest -k manual` brings its knowledge base up to date."
    both = f"{QUESTION} And how long does a job stay in the dead-letter queue?"
    assert told not in (await run(graph, both, "before")).warnings
    file.write_text(f"{file.read_text('utf-8')}\nNothing else.\n", encoding="utf-8")
    state = await run(graph, both, "after")
    assert {path_of(citation.url) for citation in state.citations} == {str(file)}
    assert len({citation.evidence_id for citation in state.citations}) > 1
    assert [warning for warning in state.warnings if "has changed" in warning] == [told]
    other = await run(graph, "How many jobs does a worker process run at a time?", "other")
    assert other.citations
    assert told not in other.warnings
    ingest(folder, file.parent)
    assert told not in (await run(graph, both, "anew")).warnings
    file.unlink()
    gone = f"{file} is gone, or away for now: `calibrant ingest -k manual` brings its knowledge base up to date."
    assert [warning for warning in (await run(graph, both, "gone")).warnings if str(file) in warning] == [gone]
    assert gone not in (await run(graph, "How many jobs does a worker process run at a time?", "last")).warnings


async def test_a_base_that_was_made_anew_is_the_one_that_is_searched(folder: Path) -> None:
    source = KnowledgeFolder(folder)
    assert "five times" in (await source.search(SearchQuery(text="failed job retried")))[0].text
    KnowledgeBase.set_aside(knowledge_dir(folder, "manual"))
    shutil.rmtree(folder.parent / "docs")
    ingest(
        folder,
        write_documents(folder.parent / "docs", {"new.md": "# Retries\n\nA failed job is retried nine times.\n"}),
    )
    assert "nine times" in (await source.search(SearchQuery(text="failed job retried")))[0].text
