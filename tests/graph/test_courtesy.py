"""A chat's small talk through the compiled graph: replied to at once, and forgotten by what is asked next."""

from pathlib import Path

import pytest
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.store.memory import InMemoryStore

from calibrant.graph.runs import RunLog
from calibrant.graph.serde import serde
from calibrant.graph.settings import Settings
from calibrant.graph.wiring import wire
from calibrant.interfaces.tracefile import lines_of_thread
from calibrant.nodes.intake import named
from calibrant.state.budget import StopReason
from calibrant.state.evidence import Filters
from tests.graph.house import config, deps_for, graph_for, path, run, state_of

QUESTION = "How long does a job stay in the dead-letter queue?"


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ("hello!", "Hello! I answer questions from sources, and say which. What I can search: knowledge."),
        ("thanks, that helps", "You are welcome. I answer questions from sources, and say which."),
        ("bye", "Goodbye! I answer"),
        ("what can you do?", "I answer questions from sources"),
        ("ok", "All right. I answer"),
        ("Obrigado!", "De nada. Respondo a perguntas a partir de fontes, e digo quais. O que posso consultar: know"),
    ],
)
async def test_it_is_replied_to_in_kind_without_a_search(data_dir: Path, said: str, told: str) -> None:
    graph = graph_for(data_dir)
    assert await path(graph, {"task": said, "interactive": True}) == ["intake", "respond"]
    state = await state_of(graph)
    assert state.answer.startswith(told)
    assert state.stop_reason is StopReason.COURTESY
    assert (state.confidence, state.claims, state.citations, state.closest, state.decisions) == (None, (), (), (), ())
    assert [message.text for message in state.messages] == [said, state.answer]
    assert (state.spend.searches, state.spend.model_calls, state.warnings) == (0, 0, ())


async def test_without_a_source_it_promises_none(data_dir: Path) -> None:
    state = await run(graph_for(data_dir, sources=[]), "hello")
    assert state.answer == "Hello! I answer questions from sources, and say which. There is nothing to search yet."


def test_the_knowledge_bases_that_are_searched_are_named() -> None:
    assert named(("knowledge", "web"), Filters(collections=("hr", "it"))) == ("knowledge (hr, it)", "web")
    assert named(("knowledge", "web"), Filters()) == ("knowledge", "web")


async def test_nothing_is_learnt_and_the_record_has_no_confidence(data_dir: Path, tmp_path: Path) -> None:
    log, store = RunLog(tmp_path), InMemoryStore()
    deps = deps_for(data_dir, recorder=log)
    await run(wire(deps, Settings, checkpointer=InMemorySaver(serde=serde()), store=store), "thanks, that helps")
    (record,) = log.read()
    assert (record.stop_reason, record.confidence, record.raw, record.retrievals) == ("courtesy", None, None, ())
    assert store.search(()) == []
    await log.aclose()


async def test_what_follows_is_asked_of_the_question_before(data_dir: Path) -> None:
    graph = graph_for(data_dir)
    await run(graph, QUESTION)
    assert (await run(graph, "thanks, that helps")).stop_reason is StopReason.COURTESY
    state = await run(graph, "Why?")
    assert state.perceived is not None
    assert state.perceived.text == "Why does a job stay in the dead-letter queue so long?"
    assert len(state.messages) == 6


async def test_who_has_asked_is_not_told_again_what_can_be_asked(data_dir: Path) -> None:
    graph = graph_for(data_dir)
    await run(graph, QUESTION)
    assert (await run(graph, "thanks, that helps")).answer == "You are welcome."
    assert (await run(graph, "no")).answer == "All right."
    assert (await run(graph, "what can you do?")).answer.startswith("I answer questions from sources")


async def test_a_question_after_it_is_answered_and_one_behind_it_too(data_dir: Path) -> None:
    graph = graph_for(data_dir)
    await run(graph, "hello")
    assert "fourteen days" in (await run(graph, QUESTION)).answer
    assert "fourteen days" in (await run(graph, f"Hello! {QUESTION} Thanks!")).answer


async def test_the_words_of_a_chat_may_come_as_messages(data_dir: Path) -> None:
    graph = graph_for(data_dir)
    await graph.ainvoke({"messages": [("user", "tchau")]}, config())
    assert (await state_of(graph)).answer.startswith("Até logo!")
    await graph.ainvoke({"messages": [("user", "ok")]}, config())
    assert (await state_of(graph)).answer.startswith("All right.")


async def test_its_trace_says_so(data_dir: Path) -> None:
    state = await run(graph_for(data_dir), "hello")
    first, last = lines_of_thread(state, "t1")
    assert '"hello"' in first
    assert '"stop_reason": "courtesy"' in last
    assert '"confidence": null' in last
