"""Asking a person: the payload, each answer, malformed answers, effects once, and what happens with nobody there."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from langchain_core.tools import StructuredTool
from langgraph.checkpoint.memory import InMemorySaver

from calibrant.graph.serde import serde
from calibrant.graph.settings import Settings
from calibrant.graph.wiring import wire
from calibrant.judges.cascade import Judged
from calibrant.judges.free.request.understand import understand
from calibrant.judges.given import ToUnderstand
from calibrant.judges.panel import Panel
from calibrant.nodes.perceive import wording
from calibrant.retrievers.breaker import SourceSkipped
from calibrant.state.budget import StopReason
from calibrant.state.context import Context
from calibrant.state.decision import Action, Asking
from calibrant.state.evidence import Evidence, SearchQuery
from calibrant.state.guidance import Guidance
from calibrant.state.task import Phase, Task
from tests.graph.house import answer, asked, deps_for, graph_for, ingest, run, state_of, write_documents

UNKNOWN = "Who is the chief executive of the worker process company?"
VAGUE = "help me with it"
THERE = Settings(interactive=True)


async def test_an_unanswerable_question_is_put_to_the_person(data_dir: Path) -> None:
    graph = graph_for(data_dir, context=THERE)
    await run(graph, UNKNOWN)
    question = await asked(graph)
    assert question["kind"] == "guidance"
    assert question["task"] == UNKNOWN
    assert question["options"] == ["guide", "skip", "retry", "abort"]
    assert question["reasons"][0].startswith("Nothing found mentions: ")
    assert not any(character.isdigit() for reason in question["reasons"] for character in reason)
    assert question["problem"] == ""


async def test_abort_ends_the_run(data_dir: Path) -> None:
    graph = graph_for(data_dir, context=THERE)
    await run(graph, UNKNOWN)
    state = await answer(graph, {"action": "abort"})
    assert state.stop_reason is StopReason.ABORTED
    assert state.citations == ()


async def test_guidance_reaches_the_phase_and_it_does_not_ask_again(data_dir: Path) -> None:
    graph = graph_for(data_dir, context=THERE)
    await run(graph, UNKNOWN)
    state = await answer(graph, {"action": "guide", "text": "Answer about the heartbeat of a worker instead"})
    assert state.guidance[-1].text.startswith("Answer about the heartbeat")
    asked_phases = [one.phase for one in state.guidance]
    assert len(asked_phases) == len(set(asked_phases))
    assert state.spend.questions == len(state.guidance)


@pytest.mark.parametrize(
    "said", ["How often does a worker send a heartbeat?", "Look in the chapter about retries", "Use workers.md"]
)
async def test_guidance_changes_what_is_searched_for_but_not_what_counts_as_an_answer(
    data_dir: Path, said: str
) -> None:
    """It is a hint for the search: what answers the hint does not answer the question."""
    graph = graph_for(data_dir, context=THERE)
    await run(graph, UNKNOWN)
    state = await answer(graph, {"action": "guide", "text": said})
    assert state.pending is None
    assert state.stop_reason is StopReason.ABSTAINED
    assert state.unanswered == (UNKNOWN,)
    queries = [query for retrieval in state.retrievals for query in retrieval.queries]
    assert any(said in query for query in queries)
    assert not any("no sentence found" in query or "nothing found" in query for query in queries)
    assert state.spend.questions == 1


async def test_skip_goes_on_to_the_next_phase_and_abstains(data_dir: Path) -> None:
    graph = graph_for(data_dir, context=THERE)
    state = await run(graph, UNKNOWN)
    for _ in range(4):
        if state.pending is None:
            break
        state = await answer(graph, {"action": "skip"})
    assert state.pending is None
    assert state.stop_reason is StopReason.ABSTAINED


@pytest.mark.parametrize("reply", [{"action": "dance"}, {"action": "guide"}, 17, None, {"text": "no action"}])
async def test_a_malformed_answer_is_asked_again_with_the_reason(data_dir: Path, reply: Any) -> None:
    graph = graph_for(data_dir, context=THERE)
    await run(graph, UNKNOWN)
    if reply is None:
        reply = {"type": "nothing known"}
    before = await state_of(graph)
    after = await answer(graph, reply)
    question = await asked(graph)
    assert question["problem"]
    assert after.guidance == ()
    assert len(after.decisions) == len(before.decisions)
    ended = await answer(graph, {"action": "abort"})
    assert ended.stop_reason is StopReason.ABORTED
    assert ended.spend.questions == 1


async def test_with_nobody_there_a_vague_request_is_told_how_to_put_it(data_dir: Path) -> None:
    state = await run(graph_for(data_dir, context=Settings(interactive=False)), VAGUE)
    told = [warning for warning in state.warnings if warning.startswith("A sharper wording to ask it in: ")]
    assert state.perceived is not None
    assert told == [f"A sharper wording to ask it in: {state.perceived.wording}"]


async def test_a_guess_at_what_a_vague_request_is_about_is_told_with_little_confidence(tmp_path: Path) -> None:
    pages = {
        "deploys.md": "# Deploys\n\nA rollback takes up to 90 seconds.\n",
        "leave.md": "# Leave\n\nAn answer to a request for leave takes up to five days.\n",
    }
    ingest(tmp_path / "data", write_documents(tmp_path / "docs", pages))
    state = await run(graph_for(tmp_path / "data", context=Settings(interactive=False)), "How long does it take?")
    assert state.stop_reason is StopReason.ANSWERED
    assert state.confidence is not None
    assert state.confidence.score <= 0.45
    assert "The request is vague; taken as it stands." in state.warnings
    assert state.conflicts == ()  # the two are not about one thing


async def test_a_vague_request_gets_a_wording_to_fill_in(data_dir: Path) -> None:
    graph = graph_for(data_dir, context=THERE)
    await run(graph, VAGUE)
    question = await asked(graph)
    assert question["kind"] == "wording"
    assert question["options"] == ["keep", "write"]
    again = await answer(graph, {"action": "use"})
    assert again.pending is not None
    assert "gaps" in (await asked(graph))["problem"]
    state = await answer(graph, {"action": "write", "text": "How often is a failed job retried by default?"})
    assert "five times" in state.answer
    assert state.decisions[0].asking is Asking.WORDING


async def test_what_a_person_worded_anew_is_what_the_next_question_follows(data_dir: Path) -> None:
    graph = graph_for(data_dir, context=THERE)
    await run(graph, VAGUE)
    state = await answer(graph, {"action": "write", "text": "How often is a failed job retried by default?"})
    assert [message.type for message in state.messages] == ["human", "human", "ai"]
    state = await run(graph, "Why?")
    assert state.perceived is not None
    assert state.perceived.text == "Why is a failed job retried by default so often?"


@pytest.mark.parametrize(
    ("vague", "reason"),
    [
        (VAGUE, "the request is too vague to search for"),
        ("me ajude com isso", "o pedido é vago demais para ser procurado"),
    ],
)
async def test_why_a_wording_is_asked_for_is_told_in_the_language_of_the_request(
    data_dir: Path, vague: str, reason: str
) -> None:
    graph = graph_for(data_dir, context=THERE)
    await run(graph, vague)
    assert (await asked(graph))["reasons"] == [reason]


async def test_keeping_the_wording_does_not_ask_for_it_twice(data_dir: Path) -> None:
    graph = graph_for(data_dir, context=THERE)
    await run(graph, VAGUE)
    state = await answer(graph, {"action": "keep"})
    assert sum(1 for decision in state.decisions if decision.asking is Asking.WORDING) == 1


class Away:
    """A source that is never asked."""

    name = "away"
    remote = False

    async def search(self, query: SearchQuery) -> list[Evidence]:
        """Nothing: it is left alone."""
        raise SourceSkipped("not asked after 3 failures in a row")


async def test_an_accepted_wording_outlasts_another_question(data_dir: Path) -> None:
    """The task that proposed it is understood anew, and proposes nothing any more."""
    deps = deps_for(data_dir, sources=[Away()], context=THERE)
    panel = await deps.panel(THERE)
    sharper = "How do I make the job queue faster?"

    def proposing(given: ToUnderstand) -> Judged[Task]:
        judged = understand(given)
        return replace(judged, value=judged.value.replace(wording=sharper)) if given.text == VAGUE else judged

    async def made(_: Context) -> Panel:
        return replace(panel, understand=replace(panel.understand, free=proposing))

    graph = wire(replace(deps, panel=made), Settings, checkpointer=InMemorySaver(serde=serde()))
    await run(graph, VAGUE)
    assert (await asked(graph))["proposal"] == sharper
    for reply in ("use", "retry"):
        state = await answer(graph, {"action": reply})
        assert state.perceived
        assert state.perceived.text == sharper
    assert (state.guidance[0].action, state.guidance[0].text) == ("use", sharper)


def test_a_wording_that_an_earlier_version_accepted_stands_in_the_task() -> None:
    accepted = Guidance(request_id="r", phase=Phase.PERCEIVE, kind="wording", action="use")
    assert wording(VAGUE, Task(text=VAGUE, wording="Which port is open?"), [accepted]) == ("Which port is open?", "")


async def test_agent_inbox_answers_are_understood(data_dir: Path) -> None:
    graph = graph_for(data_dir, context=THERE)
    await run(graph, VAGUE)
    state = await answer(graph, [{"type": "response", "args": "How many jobs does a worker run at a time?"}])
    assert "four" in state.answer


class Counting:
    """A source that counts its calls and finds nothing."""

    name = "counting"
    remote = False

    def __init__(self) -> None:
        self.calls = 0

    async def search(self, query: SearchQuery) -> list[Evidence]:
        """Nothing, counted."""
        self.calls += 1
        return []


async def test_effects_before_the_question_happen_once(data_dir: Path) -> None:
    source = Counting()
    graph = graph_for(data_dir, context=THERE, sources=[source])
    await run(graph, UNKNOWN)
    before = source.calls
    assert before > 0
    await answer(graph, {"action": "abort"})
    assert source.calls == before


async def test_nobody_there_means_an_honest_abstention(data_dir: Path) -> None:
    state = await run(graph_for(data_dir, context=Settings(interactive=False)), UNKNOWN)
    assert state.pending is None
    assert state.stop_reason is StopReason.ABSTAINED
    assert all(decision.action is not Action.ASK for decision in state.decisions)
    assert state.warnings


async def test_a_run_that_is_not_kept_asks_nobody(data_dir: Path) -> None:
    """Its question would be its end: there is nothing that an answer could go on with."""
    graph = wire(deps_for(data_dir, context=THERE), Settings)
    output = await graph.ainvoke({"task": UNKNOWN, "interactive": True})
    assert "__interrupt__" not in output
    assert output["stop_reason"] is StopReason.ABSTAINED
    assert output["answer"]


def _tool(log: list[str], read_only: bool) -> StructuredTool:
    async def restart(name: str) -> str:
        """Restart a worker by name."""
        log.append(name)
        return f"worker {name} was restarted"

    return StructuredTool.from_function(coroutine=restart, name="restart_worker", metadata={"read_only": read_only})


@pytest.mark.parametrize("interactive", [True, False])
async def test_where_no_time_was_left_to_search_that_is_the_reason_given(data_dir: Path, interactive: bool) -> None:
    """Not that the evidence carries no answer, nor that searching does not help: nobody knows."""
    graph = graph_for(data_dir, context=Settings(interactive=interactive, limits={"seconds": 1e-6}))
    state = await run(graph, "How often is a failed job retried by default?")
    while state.pending:
        state = await answer(graph, {"action": "guide", "text": "look at the retries"})
    assert state.spend.retrievals == 0
    assert state.stop_reason is StopReason.BUDGET
    assert not [one.reason for one in state.decisions if "does not help" in one.reason]


async def test_where_no_source_could_answer_that_is_the_reason_given(data_dir: Path) -> None:
    graph = graph_for(data_dir, sources=[Away()], context=Settings(interactive=False))
    state = await run(graph, "How often is a failed job retried by default?")
    assert state.stop_reason is StopReason.ABSTAINED
    assert state.warnings[-1].endswith("no source could answer.")
    assert not [one.reason for one in state.decisions if "does not help" in one.reason]
