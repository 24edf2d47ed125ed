"""Questions to a person, through a real client session that can ask its user, and through one that cannot."""

import re
from pathlib import Path
from typing import Any

import pytest
from mcp import ClientSession
from mcp.shared.context import RequestContext
from mcp.shared.memory import create_connected_server_and_client_session as connected
from mcp.types import INTERNAL_ERROR, ElicitRequestParams, ElicitResult, ErrorData

from calibrant.graph.threads import list_threads
from calibrant.interfaces.elicit import form_of, message_of, unanswered
from calibrant.interfaces.mcp import make_server
from calibrant.state.guidance import ApprovalRequest, GuidanceRequest, PendingCall
from calibrant.state.replies import read_answer
from calibrant.state.task import Phase
from tests.mcp.house import PLAIN, app_over, data_of, text_of

Said = ElicitResult | ErrorData


class User:
    """Someone at the client, with their answers in order; the last one holds on."""

    def __init__(self, *answers: Said) -> None:
        self.answers = list(answers)
        self.asked: list[ElicitRequestParams] = []

    async def __call__(self, context: RequestContext[ClientSession, Any], params: ElicitRequestParams) -> Said:
        self.asked.append(params)
        return self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]


def fill(**content: str) -> ElicitResult:
    return ElicitResult(action="accept", content=dict(content))


async def ask_vaguely(data_dir: Path, user: User | None) -> dict[str, Any]:
    async with connected(make_server(app_over(data_dir)), elicitation_callback=user) as session:
        return data_of(await session.call_tool("ask", {"question": "fix it"}))


async def test_a_vague_question_is_put_to_the_user_and_their_words_are_used(data_dir: Path) -> None:
    user = User(fill(action="write", text=PLAIN))
    found = await ask_vaguely(data_dir, user)
    assert "five times" in found["answer"]
    (asked,) = user.asked
    assert "fix it" in asked.message
    form = asked.model_dump()["requestedSchema"]["properties"]
    assert set(form["action"]["enum"]) >= {"keep", "write"}
    assert form["text"]["type"] == "string"


async def test_a_form_without_the_words_it_needs_is_given_back_once(data_dir: Path) -> None:
    user = User(fill(action="write"), fill(action="write", text=PLAIN))
    assert "five times" in (await ask_vaguely(data_dir, user))["answer"]
    assert len(user.asked) == 2
    assert user.asked[1].message.startswith("That was no answer: ")


@pytest.mark.parametrize(
    ("badly", "problem"),
    [
        (fill(), "action is missing"),
        (fill(text=PLAIN), "action is missing"),
        (fill(action="dance"), ""),
        (ElicitResult.model_construct(action="accept", content={"action": None}), "action = None is not allowed"),
        (ElicitResult(action="accept"), "the form came back empty"),
    ],
    ids=str,
)
async def test_a_form_that_is_filled_in_wrongly_is_given_back(
    data_dir: Path, badly: ElicitResult, problem: str
) -> None:
    user = User(badly, fill(action="write", text=PLAIN))
    assert "five times" in (await ask_vaguely(data_dir, user))["answer"]
    assert user.asked[1].message.startswith(f"That was no answer: {problem}")


@pytest.mark.parametrize(
    "answer",
    [
        ElicitResult(action="decline"),
        ElicitResult(action="cancel"),
        ElicitResult(action="accept"),
        ErrorData(code=INTERNAL_ERROR, message="no window to ask in"),
        fill(),
        fill(action="write"),
    ],
    ids=str,
)
async def test_without_an_answer_the_run_ends_all_the_same(data_dir: Path, answer: Said) -> None:
    user = User(answer)
    found = await ask_vaguely(data_dir, user)
    assert found["stop_reason"] == "abstained", "nobody has stopped it"
    assert 1 <= len(user.asked) <= 6


async def test_a_client_is_told_which_thread_it_left_in_the_middle(
    data_dir: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def broken(*_: Any) -> None:
        raise RuntimeError("sk-secret")

    app = app_over(data_dir)
    monkeypatch.setattr("calibrant.interfaces.mcp.elicited", broken)
    async with connected(make_server(app), elicitation_callback=User(fill())) as session:
        told = text_of(await session.call_tool("ask", {"question": "fix it"}))
    ((thread, question),) = [(one.id, one.question) for one in await list_threads(app.checkpointer)]
    assert question == "fix it"
    resume = f"`calibrant resume {thread}` goes on with it"
    assert re.sub(r"py:\d+", "py:_", told) == (
        f"ask failed: RuntimeError at test_elicitation.py:_ (thread {thread} is not finished: {resume})"
    )


async def test_a_client_that_cannot_ask_gets_the_policy_for_an_empty_room(data_dir: Path) -> None:
    found = await ask_vaguely(data_dir, None)
    assert found["stop_reason"] == "abstained"
    assert "The request is vague; taken as it stands." in found["warnings"]


def test_the_user_is_told_what_failed_and_how_sure_it_is() -> None:
    known = {"id": "r", "phase": Phase.ACT, "task": "t", "score": 0.43, "last_error": "run_tests: it timed out"}
    request = GuidanceRequest(reasons=("Nothing was found on this.",), abort_by_default=True, **known)
    said = message_of(request, "which?").splitlines()
    assert said[1:] == [
        "Question: t",
        "Nothing was found on this.",
        "last error: run_tests: it timed out",
        "Confidence: 0.43 very low",
        "Without an answer the run ends with what it has.",
    ]
    once = message_of(GuidanceRequest(reasons=("failed 3 times alike: run_tests: it timed out",), **known))
    assert once.count("run_tests") == 1


def test_calls_are_approved_or_rejected_together_and_rejected_without_an_answer() -> None:
    request = ApprovalRequest(
        id="r", phase=Phase.ACT, task="t", calls=(PendingCall(id="c", tool="send", arguments={}),)
    )
    assert form_of(request).model_json_schema()["properties"]["action"]["enum"] == ["approve", "reject"]
    assert read_answer(request, unanswered(request)).calls[0].action == "reject"


@pytest.mark.parametrize(("abort_by_default", "action"), [(True, "abort"), (False, "skip")])
def test_guidance_without_an_answer(abort_by_default: bool, action: str) -> None:
    request = GuidanceRequest(id="r", phase=Phase.ACT, task="t", abort_by_default=abort_by_default)
    answer = read_answer(request, unanswered(request))
    assert (answer.action, answer.by_default) == (action, True)
