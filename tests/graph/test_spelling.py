"""A misspelt word in a run: it is read as the documents write it, and that is told."""

from collections.abc import Sequence
from pathlib import Path

import pytest

from calibrant.retrievers.knowledge import KnowledgeBase, KnowledgeSource, knowledge_dir
from calibrant.state.budget import StopReason
from calibrant.state.evidence import Evidence, SearchQuery
from tests.graph.house import graph_for, ingest, run, write_documents

RULES = """# Streams

The retention of a stream is 14 days. Aoife Brennan owns the streams.
The budget of the streams team is 500 euros.
"""
READ = "Read “retenton” as “retention”: no document has “retenton”."


@pytest.fixture
def streams(tmp_path: Path) -> Path:
    ingest(tmp_path / "data", write_documents(tmp_path / "docs", {"streams.md": RULES}))
    return tmp_path / "data"


async def test_a_misspelt_word_is_read_as_the_documents_write_it(streams: Path) -> None:
    state = await run(graph_for(streams), "What is the retenton of a stream?")
    assert state.stop_reason is StopReason.ANSWERED
    assert "14 days" in state.answer
    assert READ in state.warnings
    assert state.perceived is not None
    assert READ in state.perceived.assumptions
    assert state.perceived.text == "What is the retention of a stream?"
    assert state.perceived.original == "What is the retenton of a stream?"


async def test_so_it_is_in_what_follows(streams: Path) -> None:
    graph = graph_for(streams)
    await run(graph, "What is the retenton of a stream?")
    state = await run(graph, "And why?")
    assert state.perceived is not None
    assert "retention" in state.perceived.text
    assert READ not in state.warnings, "it was told before"


@pytest.mark.parametrize(
    ("question", "meant"), [("Who is Aoife Brenan?", "Brennan"), ("what is the bugdet?", "budget")]
)
async def test_a_name_or_a_short_word_is_only_asked_about(streams: Path, question: str, meant: str) -> None:
    state = await run(graph_for(streams), question)
    assert state.stop_reason is StopReason.ABSTAINED
    assert f"Did you mean: {meant}?" in state.answer
    assert state.perceived is not None
    assert meant not in state.perceived.text


class Elsewhere:
    """A source that does not know all that it holds."""

    name = "elsewhere"
    remote = False

    async def search(self, query: SearchQuery) -> Sequence[Evidence]:
        return ()


async def test_a_word_that_may_be_one_elsewhere_is_left_as_it_is(streams: Path) -> None:
    base = KnowledgeBase.open(knowledge_dir(streams, "manual"), "manual")
    graph = graph_for(streams, sources=[KnowledgeSource([base]), Elsewhere()])
    state = await run(graph, "What is the retenton of a stream?")
    base.close()
    assert state.perceived is not None
    assert "retenton" in state.perceived.text
    assert "Did you mean" not in state.answer


class Unspelt(KnowledgeSource):
    """One that breaks when it is asked for words."""

    async def spelt(self, words: Sequence[str], collections: Sequence[str] = ()) -> dict[str, str]:
        raise KeyError(words)


async def test_a_source_that_cannot_tell_costs_nothing_but_a_warning(streams: Path) -> None:
    base = KnowledgeBase.open(knowledge_dir(streams, "manual"), "manual")
    state = await run(graph_for(streams, sources=[Unspelt([base])]), "Who owns the streams of retention?")
    base.close()
    assert "Aoife Brennan" in state.answer
    assert any(
        told.startswith("Whether knowledge holds the words of the request could not be told") for told in state.warnings
    )
