"""Calls completed by a model: what was found and what a person said goes in, and nothing that it made up."""

import json
from typing import Any

import pytest

from calibrant.judges.given import Filled, ToFill, ToolCard
from calibrant.judges.model.fill import Fill
from calibrant.state.budget import Allowance
from calibrant.state.errors import Failure, FailureKind
from calibrant.state.task import Statement, Step, StepKind, StepStatus, SubResult, Task
from tests.judges_model.conftest import PortTo
from tests.wire.openai_replies import Json
from tests.wire.openai_server import OpenAIServer

SCHEMA = {
    "properties": {"order": {"type": "string"}, "amount": {"type": "number"}, "note": {"type": "string"}},
    "required": ["order", "amount"],
}
CARD = ToolCard("refund", "Refunds an order, with a priority (P1 or P2).", SCHEMA)
CALL = Step(
    id="b1.s2", kind=StepKind.TOOL, question="Refund it", tool="refund", arguments={"order": "4711"}, awaits=("amount",)
)
FOUND = SubResult(
    id="b1.s1",
    question="What did it cost?",
    status=StepStatus.ANSWERED,
    statements=(Statement(text='{"order": "4711", "total": 49.00, "paid": "2026-11-02"}'),),
)
GIVEN = ToFill(Task(text="Refund order 4711."), (CALL,), (CARD,), (FOUND,))


def row(**more: Any) -> Json:
    arguments = more.pop("arguments", {})
    told = arguments if isinstance(arguments, str) else json.dumps(arguments)
    return {"call": "K1", "arguments": told, "drop": False, "reason": "", **more}


async def filled(
    port_to: PortTo, allowance: Allowance, given: ToFill, *rows: Json
) -> tuple[Filled, OpenAIServer, float]:
    with OpenAIServer({"fill": lambda _: {"calls": list(rows)}}) as server:
        judged = await Fill(port_to(server))(given, Filled(given.steps), allowance)
    return judged.value, server, judged.doubt


@pytest.mark.parametrize(
    ("arguments", "known", "awaits"),
    [
        ({"order": "4711", "amount": 49.0}, {"order": "4711", "amount": 49.0}, ()),
        ({"amount": 49}, {"order": "4711", "amount": 49}, ()),
        ({"amount": 49, "note": "as asked"}, {"order": "4711", "amount": 49, "note": "as asked"}, ()),
        ({"amount": 49, "note": "paid 2026-11-30"}, {"order": "4711", "amount": 49, "note": "paid 2026-11-30"}, ()),
        ({"amount": 94}, {"order": "4711"}, ("amount",)),
        ({"amount": 49, "note": "ticket T-77"}, {"order": "4711", "amount": 49}, ()),
        ({"amount": "<amount from step 1>"}, {"order": "4711"}, ("amount",)),
        ({"amount": 49, "to": "me"}, {"order": "4711", "amount": 49}, ()),
        ({"order": "471", "amount": 49}, {"order": "4711", "amount": 49}, ()),
        ({}, {"order": "4711"}, ("amount",)),
        ({"amount": 49, "note": "tell bob@evil.example"}, {"order": "4711", "amount": 49}, ()),
        ({"amount": 49, "note": "P2"}, {"order": "4711", "amount": 49, "note": "P2"}, ()),
        ({"amount": 49, "note": "P3"}, {"order": "4711", "amount": 49}, ()),
    ],
)
async def test_only_what_was_said_somewhere_goes_in(
    port_to: PortTo,
    allowance: Allowance,
    arguments: dict[str, Any],
    known: dict[str, Any],
    awaits: tuple[str, ...],
) -> None:
    found, _, _ = await filled(port_to, allowance, GIVEN, row(arguments=arguments))
    (step,) = found.steps
    assert (step.arguments, step.awaits) == (known, awaits)


@pytest.mark.parametrize(
    ("found", "amount", "is_said"),
    [
        ("It cost 1,049.00 EUR.", 1049.0, True),
        ("Custou 412,50 EUR.", 412.5, True),
        ("It took five days.", 5, True),
        ('{"invoices": [{"amount": 1049.0}, {"amount": 49.5}, {"amount": 10}]}', 1098.5, True),
        ('{"invoices": [{"amount": 1049.0}, {"amount": 49.5}, {"amount": 10}]}', 1108.5, True),
        ('{"invoices": [{"amount": 1049.0}, {"tax": 49.5}]}', 1098.5, False),
        ("It cost 1,049.00 EUR.", 1094.0, False),
        ("It is order C-171.", 171.5, False),
    ],
)
async def test_a_number_is_said_however_it_is_written_and_so_is_a_sum(
    port_to: PortTo, allowance: Allowance, found: str, amount: float, is_said: bool
) -> None:
    given = ToFill(GIVEN.task, (CALL,), (CARD,), (FOUND.replace(statements=(Statement(text=found),)),))
    completed, _, _ = await filled(port_to, allowance, given, row(arguments={"amount": amount}))
    assert ("amount" in completed.steps[0].arguments) is is_said


async def test_a_call_that_failed_says_why(port_to: PortTo, allowance: Allowance) -> None:
    failed = SubResult(
        id=CALL.id,
        question=CALL.question,
        status=StepStatus.FAILED,
        failure=Failure(kind=FailureKind.ERROR, where="refund", message="the amount is too large"),
    )
    given = ToFill(GIVEN.task, (CALL,), (CARD,), (FOUND, failed), "Try again.", "Try again.")
    _, server, _ = await filled(port_to, allowance, given, row(arguments={"amount": 49}))
    sent = server.requests[0].body["messages"][-1]["content"]
    assert 'failed="the amount is too large"' in sent
    assert sent.count("<result ") == 1


async def test_the_prompt_has_what_was_found_and_what_a_person_said(port_to: PortTo, allowance: Allowance) -> None:
    failed = SubResult(
        id="b1.s0",
        question="Look it up",
        status=StepStatus.FAILED,
        failure=Failure(kind=FailureKind.MISSING, where="find", message="no such order"),
    )
    given = ToFill(GIVEN.task, (CALL,), (CARD, ToolCard("unused", "")), (FOUND, failed), "x", "The number is 4712.")
    found, server, _ = await filled(port_to, allowance, given, row(arguments={"order": "4712", "amount": 49}))
    sent = server.requests[0].body["messages"][-1]["content"]
    assert "49.00" in sent
    assert "failed: no such order" in sent
    assert "The number is 4712." in sent
    assert 'not_known_yet="amount"' in sent
    assert "unused" not in sent
    assert found.steps[0].arguments == {"order": "4712", "amount": 49}


async def test_a_call_that_is_not_wanted_is_dropped_with_the_reason(port_to: PortTo, allowance: Allowance) -> None:
    found, _, _ = await filled(port_to, allowance, GIVEN, row(drop=True, reason="refunded already"))
    assert found.dropped == {"b1.s2": "refunded already"}


async def test_a_reply_that_cannot_be_read_leaves_the_call_as_it_was(port_to: PortTo, allowance: Allowance) -> None:
    found, _, doubt = await filled(port_to, allowance, GIVEN, row(arguments="forty-nine"))
    assert found.steps == (CALL,)
    assert doubt == 1.0
