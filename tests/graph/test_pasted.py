"""A log, settings or a text pasted with a question: searched for by a few words, and read and cited by a model."""

from pathlib import Path

import pytest
from langgraph.checkpoint.memory import InMemorySaver

from calibrant.graph.serde import serde
from calibrant.nodes.reading.pasted import SHOWN, pasted_passages
from calibrant.nodes.respond import NOT_READ
from calibrant.state.budget import StopReason
from calibrant.state.channels import View
from calibrant.state.evidence import MESSAGE
from tests.graph.house import graph_for, run
from tests.graph.test_wire import over, settings
from tests.wire.openai_replies import Json
from tests.wire.openai_server import Call, OpenAIServer
from tests.wire.smart import passages_in, smart

LOG = """2026-11-02 10:14:07,113 ERROR halyard.worker job 8812 failed: ReadTimeout after 10.0s
Traceback (most recent call last):
  File "/srv/halyard/worker.py", line 214, in run
    response = await self.client.post(url, content=body, timeout=self.timeout)
httpx.ReadTimeout: the server did not answer in time"""
WHY = f"Why does this fail, and how often is a failed job retried by default?\n\n{LOG}"
LINE = "httpx.ReadTimeout: the server did not answer in time"
FAILED = "The job failed because the server did not answer in time."


def explains(call: Call) -> Json:
    """The answer of a model that reads the log, and the manual."""
    rows = [
        {"text": text, "sources": [sid], "quote": quote}
        for quote, text in ((LINE, FAILED), ("is retried five times by default", "A failed job is retried five times."))
        for sid, passage in passages_in(call)
        if quote in passage
    ]
    return {"answerable": bool(rows), "statements": rows, "disputed": [], "missing": ""}


async def asked_of_model(data_dir: Path, question: str) -> tuple[View, list[str]]:
    with OpenAIServer(smart(answer=explains)) as server:
        graph = over(data_dir, settings(server, doubt=0.0), checkpointer=InMemorySaver(serde=serde()))
        return await run(graph, question), [str(record.body) for record in server.requests if record.name == "answer"]


async def test_a_model_reads_what_was_pasted_and_its_lines_are_cited(data_dir: Path) -> None:
    state, prompts = await asked_of_model(data_dir, WHY)
    assert state.stop_reason is StopReason.ANSWERED
    assert "did not answer in time" in state.answer
    assert "five times" in state.answer
    places = {citation.place: citation.title for citation in state.citations}
    assert places[f"{MESSAGE}:7"] == "What you pasted"
    assert NOT_READ not in state.warnings
    assert any(place.endswith("retries.md:3") for place in places)
    assert all(prompt.count("halyard/worker.py") == 1 for prompt in prompts), "the log is shown once"


async def test_a_question_that_stands_alone_is_not_answered_by_the_log_below_it(data_dir: Path) -> None:
    state = await run(graph_for(data_dir), f"How often is a failed job retried by default?\n\n{LOG}")
    assert "five times" in state.answer
    assert {citation.source for citation in state.citations} == {"knowledge"}
    assert all("worker.py" not in query for retrieval in state.retrievals for query in retrieval.queries)


def relevance_of(document: str, state: View) -> float:
    return max((item.relevance for item in state.evidence if item.url.endswith(document)), default=0.0)


SHOWN_BELOW = "2026-11-02 10:14:07 [halyard.queue] DEBUG: Writing locks the whole file: <job 8812>"


async def test_the_message_of_a_log_is_searched_for_beside_a_question_that_does_not_point_to_it(data_dir: Path) -> None:
    """Once, and what is found for it alone is more relevant than without it."""
    asked = "Why does the prioridade of our jobs change nothing?"
    alone, state = [await run(graph_for(data_dir), one) for one in (asked, f"{asked}\n\n{SHOWN_BELOW}")]
    sought = "halyard.queue Writing locks the whole file"
    queries = [query for retrieval in state.retrievals for query in retrieval.queries]
    assert queries.count(sought) == 1
    assert sought in state.retrievals[0].rounds[0].queries
    assert relevance_of("storage.md", state) > relevance_of("storage.md", alone)
    assert all(sought not in retrieval.queries for retrieval in alone.retrievals)
    assert state.perceived is not None
    assert alone.perceived is not None
    assert state.perceived.text == alone.perceived.text
    assert state.perceived.must_have == state.perceived.must_not == ()


async def test_what_a_question_points_to_is_searched_for_in_it_alone(data_dir: Path) -> None:
    state = await run(graph_for(data_dir), f"Why does this fail?\n\n{LOG}")
    assert LINE not in [query for retrieval in state.retrievals for query in retrieval.queries]


async def test_without_a_model_a_failure_that_no_document_mentions_is_not_explained_by_its_own_log(
    data_dir: Path,
) -> None:
    state = await run(graph_for(data_dir), f"Why does this fail?\n\n{LOG}")
    assert state.stop_reason is StopReason.ABSTAINED
    assert "httpx.ReadTimeout" in state.answer
    assert state.perceived is not None
    assert state.perceived.text == f"Why does this ({LINE}) fail?"
    assert state.perceived.original.endswith(LOG)
    assert NOT_READ in state.warnings


async def test_the_next_question_of_the_thread_knows_what_the_pasted_text_was_about(data_dir: Path) -> None:
    graph = graph_for(data_dir)
    await run(graph, f"Why does this fail?\n\n{LOG}")
    state = await run(graph, "How can I avoid it?")
    assert state.perceived is not None
    assert "ReadTimeout" in state.perceived.text
    assert "Traceback" not in state.perceived.text


@pytest.mark.parametrize(
    ("request_", "title"),
    [(WHY, "What you pasted"), (f"Por que isto falha?\n\n{LOG}", "O que você colou")],
    ids=["English", "Portuguese"],
)
def test_pasted_passages_are_named_in_the_language_of_the_question(request_: str, title: str) -> None:
    (passage,) = pasted_passages(request_, "Why does it fail?")
    assert (passage.title, passage.locator.line) == (title, 3)


def test_of_a_long_log_the_passages_that_fit_the_question_are_shown() -> None:
    noise = "\n".join(f"2026-11-02 10:15:{second:02d} INFO halyard.worker heartbeat {second}" for second in range(60))
    passages = pasted_passages(
        f"Why does this fail?\n\n{noise}\n{LOG}\n{noise}", "Why does this (httpx.ReadTimeout) fail?"
    )
    assert len(passages) == SHOWN
    assert any("httpx.ReadTimeout" in passage.text for passage in passages)
    starts = [passage.locator.line or 0 for passage in passages]
    assert starts == sorted(starts)
    assert pasted_passages("Why does a job fail?", "Why does a job fail?") == ()
