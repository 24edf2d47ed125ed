"""Calls completed without a model: by the names of their arguments, from what was found and what a person said."""

import json
from typing import Any

import pytest

from calibrant.judges.free.planning.filling import fill, leaves_out
from calibrant.judges.free.planning.tool_steps import names_deed
from calibrant.judges.given import ToFill, ToolCard
from calibrant.state.task import Statement, Step, StepKind, StepStatus, SubResult, Task

SCHEMA = {
    "properties": {"customer_id": {"type": "string"}, "limit": {"type": "integer"}},
    "required": ["customer_id"],
}
CARD = ToolCard("list_invoices", "Lists invoices.", SCHEMA)


def call(**more: Any) -> Step:
    return Step(id="s2", kind=StepKind.TOOL, question="Which are open?", tool="list_invoices", **more)


def gave(content: Any, status: StepStatus = StepStatus.ANSWERED) -> SubResult:
    said = content if isinstance(content, str) else json.dumps(content)
    return SubResult(id="s1", question="Who?", status=status, statements=(Statement(text=said),))


@pytest.mark.parametrize(
    ("content", "arguments"),
    [
        ({"customer_id": "C-31", "name": "Miller"}, {"customer_id": "C-31"}),
        ({"customers": [{"customer_id": "C-31"}]}, {"customer_id": "C-31"}),
        ([{"Customer_ID": "C-31"}, {"customer_id": "C-31"}], {"customer_id": "C-31"}),
        ({"customer_id": 31}, {"customer_id": "31"}),
        ([{"customer_id": "C-31"}, {"customer_id": "C-40"}], {}),
        ({"id": "C-31"}, {}),
        ({"customer_id": {"value": "C-31"}}, {}),
        ("The customer is C-31.", {}),
    ],
)
def test_what_is_found_under_the_name_of_an_argument_is_its_value(content: Any, arguments: dict[str, Any]) -> None:
    judged = fill(ToFill(Task(text="x"), (call(awaits=("customer_id",)),), (CARD,), (gave(content),)))
    (filled,) = judged.value.steps
    assert filled.arguments == arguments
    assert filled.awaits == (() if arguments else ("customer_id",))
    assert judged.doubt == float(not arguments)


def test_a_value_that_does_not_fit_its_type_is_none() -> None:
    given = ToFill(Task(text="x"), (call(awaits=("limit",)),), (CARD,), (gave({"limit": "many"}),))
    assert fill(given).value.steps[0].awaits == ("limit",)


def test_what_failed_tells_nothing() -> None:
    given = ToFill(
        Task(text="x"), (call(awaits=("customer_id",)),), (CARD,), (gave({"customer_id": "C-1"}, StepStatus.FAILED),)
    )
    assert fill(given).value.steps[0].awaits == ("customer_id",)


@pytest.mark.parametrize(
    ("said", "arguments"),
    [
        ("customer_id=C-40", {"customer_id": "C-40"}),
        ('customer_id is "C-40"', {"customer_id": "C-40"}),
        ("Try again later.", {}),
    ],
)
def test_a_person_says_what_is_awaited(said: str, arguments: dict[str, Any]) -> None:
    judged = fill(ToFill(Task(text="x"), (call(awaits=("customer_id",)),), (CARD,), said=said, guidance=said))
    assert judged.value.steps[0].arguments == arguments
    assert judged.doubt == 1.0  # words alone may have misread them


@pytest.mark.parametrize(
    ("said", "left"),
    [
        ("Leave the invoices out.", True),
        ("Leave out the invoices", True),
        ("Skip the invoices, and tell me the address.", True),
        ("Don't list invoices", True),
        ("Esqueça as invoices.", True),
        ("Leave the conversion out.", False),
        ("Leave a note. Then list the invoices.", False),
        ("Use the invoices of May.", False),
        ("Skip the first page.", False),
        ("Leave the address out, and list the invoices.", False),
        ("", False),
    ],
)
def test_a_call_that_a_person_does_not_want_is_left_out(said: str, left: bool) -> None:
    assert leaves_out(said, call()) is left
    dropped = fill(ToFill(Task(text="x"), (call(),), (CARD,), said=said, guidance=said)).value.dropped
    assert dropped == ({"s2": said} if left else {})


@pytest.mark.parametrize(
    ("text", "after", "doubt"),
    [
        ("If it was delivered, refund it.", ("s1",), 1.0),
        ("Se foi entregue, reembolse.", ("s1",), 1.0),
        ("Refund it.", ("s1",), 0.0),
        ("If it was delivered, refund it.", (), 0.0),
    ],
)
def test_a_call_under_a_condition_is_in_doubt(text: str, after: tuple[str, ...], doubt: float) -> None:
    given = ToFill(Task(text=text), (call(arguments={"customer_id": "C-1"}, depends_on=after),), (CARD,))
    assert fill(given).doubt == doubt


@pytest.mark.parametrize(
    ("text", "deed"),
    [
        ("Restart the checkout service.", True),
        ("Please restart checkout", True),
        ("Could you restart the checkout service?", True),
        ("How do I restart the checkout service?", False),
        ("When was the checkout service restarted?", False),
        ("Checkout service", False),
    ],
)
def test_an_order_to_do_what_a_tool_does(text: str, deed: bool) -> None:
    assert names_deed(text, (ToolCard("restart_service", ""),)) is deed
    assert not names_deed(text, (CARD,))
