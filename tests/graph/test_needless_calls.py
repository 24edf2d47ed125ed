"""Calls to a model that could change nothing are not made. Whole runs with a model at the other end of a connection."""

import re
from pathlib import Path

import pytest
from langgraph.checkpoint.memory import InMemorySaver

from calibrant.graph.serde import serde
from calibrant.state.budget import StopReason
from tests.graph.house import answer, asked, config
from tests.graph.test_wire import ASKING, Asked, asking, over, settings
from tests.wire.openai_replies import Json
from tests.wire.openai_server import Call, Handler, OpenAIServer
from tests.wire.smart import passages_in, smart, understand

VAGUE, WORDING = "Make it faster", "How can <which service?> be made faster?"


@pytest.fixture
def told(data_dir: Path, tmp_path: Path) -> Asked:
    """``await told(script, question, **settings)``: one run over the manual."""
    return asking(data_dir, tmp_path)


def vaguely(call: Call) -> Json:
    """A model that finds the request too vague for anybody to search for."""
    return {**understand(call), "query_type": "strategic", "vague": True, "wording": WORDING}


def guessing(_: Call) -> Json:
    """A planner that makes something of a request which says too little."""
    step = {"question": "How long is a worker silent before it is considered lost?", "queries": [], "after": []}
    return {"plans": [{"name": "Workers", "rationale": "They may be meant.", "steps": [step]}]}


async def test_what_a_vague_request_might_mean_is_not_planned_and_answered_in_its_place(told: Asked) -> None:
    ran = await told(smart(understand=vaguely, plan=guessing), VAGUE)
    assert "plan" not in ran.names
    assert len(ran.names) <= 4
    assert ran.state.stop_reason is StopReason.ABSTAINED
    assert ran.state.unanswered == (VAGUE,)
    assert f"A sharper wording to ask it in: {WORDING}" in ran.state.warnings


@pytest.mark.parametrize("given", ASKING)
async def test_what_answers_a_vague_request_as_it_stands_is_told(told: Asked, given: Json) -> None:
    ran = await told(smart(understand=vaguely, plan=guessing), "Retries", **given)
    assert "plan" not in ran.names
    assert ran.state.stop_reason is StopReason.ANSWERED
    assert "retried five times" in ran.state.answer or "max_retries" in ran.state.answer


async def test_an_analysis_is_planned(told: Asked) -> None:
    ran = await told(smart(understand=lambda call: {**vaguely(call), "vague": False}), VAGUE)
    assert "plan" in ran.names


async def test_what_a_person_leaves_vague_is_planned(data_dir: Path) -> None:
    with OpenAIServer(smart(understand=vaguely)) as server:
        graph = over(data_dir, settings(server), checkpointer=InMemorySaver(serde=serde()))
        await graph.ainvoke({"task": VAGUE, "interactive": True}, config())
        assert (await asked(graph))["kind"] == "wording"
        await answer(graph, {"action": "keep"})
        assert "plan" in [request.name for request in server.requests]


MOVED = "A job that has used up its retries is moved to the dead-letter queue."
PARTS = "How long does a job stay in the dead-letter queue? Who empties the dead-letter queue?"


def in_part(text: str) -> Handler:
    """A model that answers one of two things that are asked so, from the sentence that tells it."""

    def answer(call: Call) -> Json:
        quote = "It stays there for fourteen days."
        held = [sid for sid, shown in passages_in(call) if quote in shown]
        rows = [{"text": text, "quote": quote, "sources": held}] * bool(held)
        rows += [{"text": MOVED, "quote": MOVED, "sources": held}] * bool(held)
        return {"answerable": bool(rows), "statements": rows, "disputed": [], "missing": "who empties it"}

    return answer


def bearing_out(call: Call) -> Json:
    """A model that finds each claim in the sentence that it quotes."""
    found = {"quote": "It stays there for fourteen days.", "reason": "", "verdict": "supported", "holds": ""}
    return {"verdicts": [{"claim": cid, **found} for cid in re.findall(r'<claim id="(C\d+)"', call.user)]}


@pytest.mark.parametrize(
    ("text", "composed"),
    [
        ("It stays in the dead-letter queue for fourteen days.", False),
        ("It stays in the dead-letter queue for 340 hours.", True),
    ],
    ids=["in its own sentences", "in the words quoted"],
)
async def test_one_answer_of_a_model_is_not_worded_once_more(told: Asked, text: str, composed: bool) -> None:
    ran = await told(smart(answer=in_part(text), support=bearing_out), PARTS, doubt=0.1)
    assert ("compose" in ran.names) is composed
    assert "fourteen days" in ran.state.answer
    assert "moved to the dead-letter queue" in ran.state.answer
    assert "who empties it" in ran.state.answer
