"""Asking a person: every form in which an answer may arrive, and one clear line for what cannot be read."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from calibrant.state.errors import InputError
from calibrant.state.guidance import (
    REQUEST,
    ApprovalAction,
    ApprovalRequest,
    CallAnswer,
    Guidance,
    GuidanceAction,
    GuidanceRequest,
    PendingCall,
    WordingAction,
    WordingRequest,
    answer_schema,
    expected,
    in_one_line,
    interrupt_payload,
)
from calibrant.state.replies import read_answer
from calibrant.state.task import Phase

GUIDANCE = GuidanceRequest(id="g1", phase=Phase.ACT, task="Sum it up", reasons=("score 0.4", "no source"), score=0.4)
WORDING = WordingRequest(id="w1", phase=Phase.PERCEIVE, task="it", proposal="Which port does it use?")
CALLS = (
    PendingCall(id="c1", tool="write_file", arguments={"path": "a", "text": "x"}),
    PendingCall(id="c2", tool="send_mail", arguments={"to": "b"}),
)
APPROVAL = ApprovalRequest(id="a1", phase=Phase.ACT, task="Sum it up", calls=CALLS)
ONE_CALL = APPROVAL.replace(calls=CALLS[:1])
REQUESTS = (GUIDANCE, WORDING, APPROVAL)

Request = GuidanceRequest | WordingRequest | ApprovalRequest


def said(request: Request, raw: Any) -> tuple[str, str]:
    """Action and text of the answer that was read."""
    answer = read_answer(request, raw)
    assert (answer.request_id, answer.phase, answer.kind) == (request.id, request.phase, request.kind)
    return answer.action, answer.text


# Our own form.


@pytest.mark.parametrize(
    ("raw", "action", "text"),
    [
        ({"action": "guide", "text": "look in the manual"}, "guide", "look in the manual"),
        ({"action": "guide", "text": "  trimmed \n"}, "guide", "trimmed"),
        ({"action": "skip"}, "skip", ""),
        ({"action": "retry"}, "retry", ""),
        ({"action": "abort"}, "abort", ""),
        ({"action": "abort", "text": "enough", "unknown": 1}, "abort", "enough"),
        ({"kind": "guidance", "action": "skip"}, "skip", ""),
    ],
)
def test_guidance(raw: dict[str, Any], action: str, text: str) -> None:
    """The four actions; a text may come with any."""
    assert said(GUIDANCE, raw) == (action, text)


@pytest.mark.parametrize(
    ("raw", "action", "text"),
    [
        ({"action": "use"}, "use", ""),
        ({"action": "keep"}, "keep", ""),
        ({"action": "write", "text": "Which port?"}, "write", "Which port?"),
    ],
)
def test_wording(raw: dict[str, Any], action: str, text: str) -> None:
    """Use it, keep mine, write another."""
    assert said(WORDING, raw) == (action, text)


GAPS = WORDING.replace(proposal="Which port does <what?> use?", options=(WordingAction.KEEP, WordingAction.WRITE))


@pytest.mark.parametrize("raw", ["use", {"action": "use"}, [{"type": "accept", "args": None}]])
def test_a_wording_with_gaps_cannot_be_used(raw: Any) -> None:
    """Words that stand for nothing are no question, whoever sends the answer."""
    with pytest.raises(InputError, match=r"gaps to fill in; expected .*keep"):
        read_answer(GAPS, raw)
    assert said(GAPS, {"action": "write", "text": "Which port?"}) == ("write", "Which port?")
    assert not interrupt_payload(GAPS)["config"]["allow_accept"]
    assert interrupt_payload(WORDING)["config"]["allow_accept"]


def verdicts(answer: Guidance) -> list[tuple[str, str, Any]]:
    """Id, action and arguments of each call."""
    return [(call.id, call.action.value, call.arguments) for call in answer.calls]


@pytest.mark.parametrize(
    ("raw", "overall", "calls"),
    [
        ({"action": "approve"}, "approve", [("c1", "approve", None), ("c2", "approve", None)]),
        ({"action": "reject"}, "reject", [("c1", "reject", None), ("c2", "reject", None)]),
        (
            {"calls": [{"id": "c2", "action": "reject"}, {"id": "c1", "action": "approve"}]},
            "reject",
            [("c1", "approve", None), ("c2", "reject", None)],
        ),
        (
            {"calls": [{"id": "c1", "action": "edit", "arguments": {"path": "b"}}, {"id": "c2", "action": "approve"}]},
            "approve",
            [("c1", "edit", {"path": "b"}), ("c2", "approve", None)],
        ),
    ],
)
def test_approval(raw: dict[str, Any], overall: str, calls: list[tuple[str, str, Any]]) -> None:
    """One verdict for all, or one each, in any order."""
    answer = read_answer(APPROVAL, raw)
    assert answer.action == overall
    assert verdicts(answer) == calls


# Plain text.


@pytest.mark.parametrize("action", [option.value for option in GuidanceAction if option != "guide"])
def test_a_bare_action_is_understood(action: str) -> None:
    """As typed at a prompt."""
    assert said(GUIDANCE, action) == (action, "")


@pytest.mark.parametrize("action", [option.value for option in WordingAction if option != "write"])
def test_a_bare_wording_action_is_understood(action: str) -> None:
    """As typed at a prompt."""
    assert said(WORDING, action) == (action, "")


@pytest.mark.parametrize(
    "typed", ["Abort", " abort\n", "ABORT", '"abort"', '{"action": "abort"}', '[{"type": "reject"}]']
)
def test_an_answer_that_was_typed_into_a_field_for_text_is_one(typed: str) -> None:
    """Else the run would go on, guided by the word that should have ended it."""
    assert said(GUIDANCE, typed) == ("abort", "")


@pytest.mark.parametrize("typed", ["Approve ", '{"action": "approve"}', '{"decisions": [{"type": "approve"}]}'])
def test_so_is_a_verdict(typed: str) -> None:
    """On each of the calls."""
    assert [call.action for call in read_answer(APPROVAL, typed).calls] == [ApprovalAction.APPROVE] * 2


@pytest.mark.parametrize("request_", [GUIDANCE, WORDING], ids=["guidance", "wording"])
def test_a_text_is_one_that_a_question_could_be(request_: Request) -> None:
    """It is searched for, or is the question from then on."""
    assert said(request_, "a\ud800")[1] == "a?"
    with pytest.raises(InputError, match="the text has 20,001 characters"):
        read_answer(request_, "x" * 20_001)


def test_any_other_text_is_guidance_or_a_wording() -> None:
    """What a person types is what they mean."""
    assert said(GUIDANCE, "look in chapter 3") == ("guide", "look in chapter 3")
    assert said(GUIDANCE, '{"max_retries": 5}') == ("guide", '{"max_retries": 5}')
    assert said(WORDING, "Which port does the server use?") == ("write", "Which port does the server use?")


@pytest.mark.parametrize("action", ["approve", "reject"])
def test_a_bare_verdict_is_for_all_calls(action: str) -> None:
    """As typed at a prompt."""
    assert [call.action for call in read_answer(APPROVAL, action).calls] == [ApprovalAction(action)] * 2


@pytest.mark.parametrize("text", ["I don't know", "No idea, sorry.", "não sei", "I am not sure"])
def test_who_does_not_know_leaves_it_as_it_is(text: str) -> None:
    assert said(GUIDANCE, text) == ("skip", "")
    assert said(GUIDANCE, {"action": "guide", "text": text}) == ("skip", "")
    assert said(WORDING, text) == ("keep", "")
    assert said(GUIDANCE, {"action": "abort", "text": text}) == ("abort", text)
    more = f"{text}, look in the manual"
    assert said(GUIDANCE, more) == ("guide", more)


def test_any_other_text_approves_nothing() -> None:
    """A tool is run on a clear yes only."""
    for text in ("ok", "yes please", "edit", ""):
        with pytest.raises(InputError):
            read_answer(APPROVAL, text)


# Agent Inbox and Agent Chat UI; LangChain's middleware.


@pytest.mark.parametrize(
    ("item", "guidance", "wording"),
    [
        ({"type": "accept", "args": None}, ("retry", ""), ("use", "")),
        ({"type": "approve"}, ("retry", ""), ("use", "")),
        ({"type": "ignore", "args": None}, ("skip", ""), ("keep", "")),
        ({"type": "response", "args": "chapter 3"}, ("guide", "chapter 3"), ("write", "chapter 3")),
        (
            {"type": "edit", "args": {"action": "guidance: act", "args": {"task": "chapter 3"}}},
            ("guide", "chapter 3"),
            ("write", "chapter 3"),
        ),
    ],
)
def test_inbox_answers(item: dict[str, Any], guidance: tuple[str, str], wording: tuple[str, str]) -> None:
    """As a list of one, alone, and as ``decisions``."""
    for raw in ([item], item, {"decisions": [item]}):
        assert said(GUIDANCE, raw) == guidance
        assert said(WORDING, raw) == wording


@pytest.mark.parametrize("field", ["message", "text"])
def test_the_reason_of_a_rejection_is_kept_for_all_calls(field: str) -> None:
    answer = read_answer(APPROVAL, {"action": "reject", field: "not before Monday"})
    assert {call.message for call in answer.calls} == {"not before Monday"}
    assert {call.message for call in read_answer(APPROVAL, {"action": "reject"}).calls} == {""}


def test_inbox_reject_ends_guidance_and_keeps_the_wording() -> None:
    """With a message or without."""
    assert said(GUIDANCE, {"decisions": [{"type": "reject", "message": "not now"}]}) == ("abort", "not now")
    assert said(WORDING, {"decisions": [{"type": "reject"}]})[0] == "keep"


@pytest.mark.parametrize(
    ("item", "action"),
    [
        ({"type": "accept", "args": None}, "approve"),
        ({"type": "approve"}, "approve"),
        ({"type": "ignore", "args": None}, "reject"),
        ({"type": "reject", "message": "no"}, "reject"),
        ({"type": "response", "args": "no, wait"}, "reject"),
    ],
)
def test_one_inbox_verdict_is_for_all_calls(item: dict[str, Any], action: str) -> None:
    """A comment instead of a verdict approves nothing."""
    for raw in ([item], {"decisions": [item]}):
        answer = read_answer(APPROVAL, raw)
        assert (answer.action, [call.action.value for call in answer.calls]) == (action, [action, action])


def test_one_decision_for_each_call() -> None:
    """In the order of the calls, as LangChain's middleware sends them."""
    edited = {"type": "edit", "edited_action": {"name": "write_file", "args": {"path": "b"}}}
    answer = read_answer(APPROVAL, {"decisions": [edited, {"type": "reject"}]})
    assert verdicts(answer) == [("c1", "edit", {"path": "b"}), ("c2", "reject", None)]


def test_an_inbox_edit_of_the_only_call() -> None:
    """The edited arguments are the call's."""
    raw = [{"type": "edit", "args": {"action": "write_file", "args": {"path": "b"}}}]
    assert verdicts(read_answer(ONE_CALL, raw)) == [("c1", "edit", {"path": "b"})]


@pytest.mark.parametrize(
    "raw",
    [
        {"decisions": [{"type": "edit", "edited_action": {"name": "send_mail", "args": {"path": "b"}}}]},
        [{"type": "edit", "args": {"action": "send_mail", "args": {"path": "b"}}}],
        [{"type": "edit", "args": {"action": None, "args": {"path": "b"}}}],
    ],
)
def test_an_edit_cannot_name_another_tool(raw: Any) -> None:
    """Else the one that a person took away would be run, with the other one's arguments."""
    with pytest.raises(InputError, match=r"^write_file: the tool cannot be changed"):
        read_answer(ONE_CALL, raw)


def test_an_argument_may_be_called_as_a_tool_is() -> None:
    """Arguments without anything around them name no tool."""
    raw = [{"type": "edit", "args": {"name": "send_mail", "action": "send_mail"}}]
    assert verdicts(read_answer(ONE_CALL, raw)) == [("c1", "edit", {"name": "send_mail", "action": "send_mail"})]


def test_accepting_leaves_the_arguments_alone() -> None:
    """Agent Inbox sends the action request back on ``accept``; those are not the tool's arguments."""
    raw = [{"type": "accept", "args": {"action": "approval: act", "args": {"task": "Sum it up"}}}]
    assert verdicts(read_answer(ONE_CALL, raw)) == [("c1", "approve", None)]


def test_one_edit_is_never_applied_to_several_calls() -> None:
    """Each tool has arguments of its own: an edit must say which call it means."""
    with pytest.raises(InputError):
        read_answer(APPROVAL, [{"type": "edit", "args": {"action": "write_file", "args": {"path": "b"}}}])


def test_what_the_inbox_shows_for_one_call_can_be_edited() -> None:
    """The action request that a client edits and sends back is the call's own."""
    shown = interrupt_payload(ONE_CALL)["action_request"]
    edited = {**shown, "args": {**shown["args"], "path": "b"}}
    answer = read_answer(ONE_CALL, [{"type": "edit", "args": edited}])
    assert verdicts(answer) == [("c1", "edit", {"path": "b", "text": "x"})]


# What cannot be read.

MALFORMED: list[Any] = [
    None, 7, True, [], {}, [{}], "  ", {"text": "x"}, [[{"type": "accept"}]],
    {"action": "dance"}, {"action": None}, {"action": []}, {"action": {}}, {"action": "guide", "text": 5},
    [{"type": "dance"}], [{"type": None}], {"decisions": []}, {"decisions": None}, {"decisions": "approve"},
    {"calls": 3}, {"calls": [{"id": "c1"}]},
]  # fmt: skip


@pytest.mark.parametrize("request_", REQUESTS, ids=["guidance", "wording", "approval"])
@pytest.mark.parametrize("raw", MALFORMED, ids=repr)
def test_a_malformed_answer_is_one_line(request_: Request, raw: Any) -> None:
    """An ``InputError`` that can be shown with the question, and nothing else."""
    with pytest.raises(InputError) as caught:
        read_answer(request_, raw)
    assert str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("raw", [{"action": "guide"}, {"action": "guide", "text": " "}, "guide"])
def test_guiding_needs_a_text(raw: Any) -> None:
    """And the line says so."""
    with pytest.raises(InputError, match="needs a text"):
        read_answer(GUIDANCE, raw)


@pytest.mark.parametrize("raw", [{"action": "write"}, "write", [{"type": "response", "args": ""}]])
def test_writing_needs_a_text(raw: Any) -> None:
    """And the line says so."""
    with pytest.raises(InputError, match="needs a text"):
        read_answer(WORDING, raw)


@pytest.mark.parametrize(
    ("raw", "problem"),
    [
        ({"calls": [{"id": "c1", "action": "approve"}]}, "no verdict for c2"),
        ({"calls": [{"id": "c1", "action": "edit"}, {"id": "c2", "action": "approve"}]}, '"edit" needs arguments'),
        ({"action": "edit"}, "expected"),
        (
            {"calls": [{"id": one, "action": "approve"} for one in ("c1", "c2", "c9")]},
            "no call waits under the id 'c9'",
        ),
        (
            {
                "calls": [
                    {"id": one, "action": said}
                    for one, said in (("c1", "reject"), ("c1", "approve"), ("c2", "approve"))
                ]
            },
            "more than one verdict on a call",
        ),
        (
            {"decisions": [{"type": said} for said in ("approve", "approve", "reject")]},
            r"decisions \(3\) .* calls \(2\)",
        ),
        ({"decisions": [{"type": "edit", "args": {}}]}, r"decisions \(1\) .* calls \(2\)"),
    ],
)
def test_an_approval_that_does_not_fit_the_calls_says_why(raw: Any, problem: str) -> None:
    """Nothing is approved by leaving it out, and no rejection is passed over."""
    with pytest.raises(InputError, match=problem):
        read_answer(APPROVAL, raw)


QUEUE = {
    "type": "object",
    "properties": {
        "queue": {"type": "string"},
        "force": {"type": "boolean", "default": False},
        "keep": {"anyOf": [{"type": "integer"}, {"type": "null"}]},
        "mode": {"type": "string", "enum": ["soft", "hard"]},
        "tags": {"type": "array", "items": {"type": "string"}},
        "where": {"$ref": "#/$defs/Place"},
        "count": {"type": "integer", "minimum": 1, "maximum": 5},
        "share": {"anyOf": [{"type": "number", "exclusiveMinimum": 0, "exclusiveMaximum": 1.0}, {"type": "null"}]},
        "note": {"type": "string", "minLength": 2, "maxLength": 3},
        "hosts": {"type": "array", "minItems": 1, "maxItems": 2},
        "odd": {"type": "integer", "minimum": "one", "maximum": True},
    },
    "required": ["queue"],
}


def edited(arguments: dict[str, Any], parameters: dict[str, Any]) -> Guidance:
    """The answer that edits a call of a tool with these parameters."""
    pending = PendingCall(id="c1", tool="delete_queue", arguments={"queue": "red"}, parameters=parameters)
    call = {"id": "c1", "action": "edit", "arguments": arguments}
    return read_answer(APPROVAL.replace(calls=(pending,)), {"calls": [call]})


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        ({"queue": "red", "dry_run": True}, "there is no argument 'dry_run': allowed: queue, force, keep, mode,"),
        ({"queu": "red"}, r"there is no argument 'queu': did you mean 'queue'\?"),
        ({}, "queue is missing"),
        ({"queue": ["a"]}, r"queue = \['a'\] is not allowed: expected text"),
        ({"queue": "red", "force": "maybe"}, "force = 'maybe' is not allowed: expected true or false"),
        ({"queue": "red", "keep": "few"}, "keep = 'few' is not allowed: expected a whole number"),
        ({"queue": "red", "mode": "fast"}, "mode = 'fast' is not allowed: expected 'soft' or 'hard'"),
        ({"queue": "red", "tags": "a"}, "tags = 'a' is not allowed: expected a list"),
        ({"queue": "red", "count": 0}, "count = 0 is not allowed: expected a number greater than or equal to 1$"),
        ({"queue": "red", "count": 6}, "count = 6 is not allowed: expected a number less than or equal to 5$"),
        ({"queue": "red", "count": "6"}, "count = '6' is not allowed: expected a number less than or equal to 5$"),
        ({"queue": "red", "count": True}, "count = True is not allowed: expected a number$"),
        ({"queue": "red", "share": 0}, "share = 0 is not allowed: expected a number greater than 0 or "),
        ({"queue": "red", "share": 1}, "share = 1 is not allowed: expected a number less than 1.0 or "),
        ({"queue": "red", "note": "a"}, "note = 'a' is not allowed: expected 2 characters or more$"),
        ({"queue": "red", "note": "abcd"}, "note = 'abcd' is not allowed: expected 3 characters or fewer$"),
        ({"queue": "red", "hosts": []}, r"hosts = \[\] is not allowed: expected a list of 1 or more$"),
        ({"queue": "red", "hosts": [1, 2, 3]}, r"hosts = \[1, 2, 3\] is not allowed: expected a list of 2 or fewer$"),
    ],
)
def test_edited_arguments_have_to_be_those_of_the_tool(arguments: dict[str, Any], problem: str) -> None:
    with pytest.raises(InputError, match=f"^delete_queue: {problem}"):
        edited(arguments, QUEUE)


@pytest.mark.parametrize(
    ("arguments", "parameters"),
    [
        ({"queue": "blue", "force": True, "keep": None, "mode": "soft", "tags": [], "where": 5}, QUEUE),
        ({"queue": "blue", "keep": "7", "force": "true"}, QUEUE),  # a form gives texts, and a tool reads them
        ({"queue": "blue", "count": 5, "share": 0.5, "note": "abc", "hosts": [1, 2], "odd": 7}, QUEUE),
        ({"queue": "blue", "count": 1, "share": None, "note": "ab", "hosts": [1]}, QUEUE),
        ({"queue": "blue", "more": 1}, {**QUEUE, "additionalProperties": True}),
        ({"anything": 1}, {}),  # a request that an earlier version stored
        ({"anything": 1}, {"type": "object"}),
    ],
)
def test_what_a_tool_may_take_is_left_to_it(arguments: dict[str, Any], parameters: dict[str, Any]) -> None:
    assert edited(arguments, parameters).calls[0].arguments == arguments


def test_a_tool_without_arguments_takes_none() -> None:
    with pytest.raises(InputError, match="there is no argument 'queue': it takes none"):
        edited({"queue": "red"}, {"properties": {}})


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8)
    | st.sampled_from(["guide", "skip", "approve", "edit", "accept", "c1"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(
        st.sampled_from(["action", "text", "type", "args", "decisions", "calls", "id", "arguments", "edited_action"]),
        inner, max_size=4),
    max_leaves=10,
)  # fmt: skip


ANSWERS = JSON | st.fixed_dictionaries({"action": JSON}) | st.fixed_dictionaries({"type": JSON, "args": JSON})


@given(st.sampled_from(REQUESTS), ANSWERS)
def test_whatever_arrives_is_read_or_refused_in_one_line(request_: Request, raw: Any) -> None:
    """No other error ever; and what was read is complete."""
    problem = ""
    try:
        answer = read_answer(request_, raw)
    except InputError as error:
        problem = str(error)
    if problem:
        assert len(problem.splitlines()) == 1
        return
    assert answer.request_id == request_.id
    if isinstance(request_, ApprovalRequest):
        assert [call.id for call in answer.calls] == [call.id for call in request_.calls]
        assert answer.action in {"approve", "reject"}
    else:
        assert answer.action in {option.value for option in request_.options}


@given(JSON, JSON, JSON, JSON)
def test_whatever_a_server_calls_a_schema_is_read(value: Any, kind: Any, names: Any, choice: Any) -> None:
    """It is foreign data: nothing breaks, and what is refused is told in one line."""
    problem = ""
    try:
        edited({"name": value}, {"properties": {"name": {"type": kind, "enum": names, "anyOf": choice}, "id": kind}})
    except InputError as error:
        problem = str(error)
    assert len(problem.splitlines()) <= 1


# What goes out.


@pytest.mark.parametrize("request_", REQUESTS, ids=["guidance", "wording", "approval"])
def test_a_request_travels_as_json_and_back(request_: Request) -> None:
    """The payload of the interrupt still is the request; the fields for Agent Inbox stand beside it."""
    payload = interrupt_payload(request_, problem="say it again")
    assert REQUEST.validate_python(payload) == request_
    assert REQUEST.validate_json(request_.model_dump_json()) == request_
    assert payload["problem"] == "say it again"
    assert payload["expected"] == expected(request_)
    assert set(payload["action_request"]) == {"action", "args"}
    assert set(payload["config"]) == {"allow_ignore", "allow_respond", "allow_edit", "allow_accept"}
    assert payload["description"]


@pytest.mark.parametrize(
    ("reasons", "told"),
    [
        ((), ""),
        (("Nothing was found.",), "Nothing was found"),
        (("score 0.4", "no source"), "score 0.4; no source"),
        (
            ("Nothing was found.", "last error: no answer within 0.5 s."),
            "Nothing was found; last error: no answer within 0.5 s",
        ),
        (("Which one?", "Version 2.0 or 3"), "Which one?; Version 2.0 or 3"),
    ],
)
def test_reasons_that_are_sentences_stand_in_one_line(reasons: tuple[str, ...], told: str) -> None:
    assert in_one_line(reasons) == told
    assert interrupt_payload(GUIDANCE.replace(reasons=reasons))["description"] == (told or "guidance")


@pytest.mark.parametrize("request_", REQUESTS, ids=["guidance", "wording", "approval"])
def test_the_form_of_an_answer_is_described(request_: Request) -> None:
    """In one line for people, and as a schema with the actions for clients that render a form."""
    assert len(expected(request_).splitlines()) == 1
    schema = answer_schema(request_)
    assert schema["type"] == "object"
    actions = {value for definition in schema["$defs"].values() for value in definition.get("enum", [])}
    assert actions == {option.value for option in request_.options}
    assert "by_default" not in schema["properties"], "no person says that nobody answered"


def test_a_guidance_travels_as_json_and_back() -> None:
    """It is stored in the state."""
    given_ = Guidance(
        request_id="a1",
        phase=Phase.ACT,
        kind="approval",
        action="approve",
        calls=(CallAnswer(id="c1", action=ApprovalAction.EDIT, arguments={"path": "b"}),),
    )
    assert Guidance.model_validate_json(given_.model_dump_json()) == given_
