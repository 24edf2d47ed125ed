"""Composition over what tools gave: data is told in sentences, and no data stands in the answer beside them."""

import json
from typing import Any

import pytest

from calibrant.judges.free.planning.tool_outputs import spoken
from calibrant.judges.given import Composed, ToCompose
from calibrant.judges.model.compose import Compose
from calibrant.state.answer import Claim, Span
from calibrant.state.budget import Allowance
from calibrant.state.task import Question, Task
from tests.judges_model.conftest import PortTo
from tests.wire.openai_server import OpenAIServer

ORDER = {"order_id": "4650", "amount": 239.0, "refunded": False, "lines": []}


def data_claim(key: str, data: Any, eid: str = "tool-1") -> Claim:
    told = json.dumps(data)
    return Claim(id=key, text=told, spans=(Span(evidence_id=eid, quote=told),), confidence=0.9, question_id=key)


async def told(port_to: PortTo, allowance: Allowance, claims: tuple[Claim, ...], *rows: tuple[str, str]) -> list[str]:
    request = "What about the order?"
    questions = tuple(Question(id=claim.question_id, text=request) for claim in claims)
    given = ToCompose(Task(text=request), questions, claims)
    sentences = [{"text": text, "claims": [cid]} for text, cid in rows]
    with OpenAIServer({"compose": lambda _: {"sentences": sentences}}) as server:
        judged = await Compose(port_to(server))(given, Composed((("free", (claims[0].id,)),)), allowance)
    return [text for text, _ in judged.value.sentences]


@pytest.mark.parametrize(
    ("data", "said"),
    [
        ({"refunded": False}, "not refunded, no refunded"),
        ({"refunded": True}, "refunded"),
        ({"invoices": [], "count": 0}, "no invoices; count 0, no count"),
        ({"customers": [{"id": 1}, {"id": 2}]}, "2 customers; id 1; id 2"),
        ({"due_on": None}, "not due on, no due on"),
        ({"order": {"total_eur": 49.5}}, "total eur 49.5"),
    ],
)
def test_what_data_says_in_words(data: Any, said: str) -> None:
    assert spoken(json.dumps(data)) == said


def test_text_that_is_no_data_says_itself() -> None:
    assert spoken("Not refunded.") == "Not refunded."


@pytest.mark.parametrize(
    ("sentence", "stands"),
    [
        ("Order 4650 has an amount of 239.00 and has not been refunded.", True),
        ("Order 4650 has no lines.", True),
        ("Order 4650 has been refunded.", False),
        ("Order 4650 has an amount of 293.00.", False),
    ],
)
async def test_a_sentence_tells_what_data_says(
    port_to: PortTo, allowance: Allowance, sentence: str, stands: bool
) -> None:
    assert (await told(port_to, allowance, (data_claim("a", ORDER),), (sentence, "C1")) == [sentence]) is stands


async def test_a_sentence_may_count_what_data_lists(port_to: PortTo, allowance: Allowance) -> None:
    found = data_claim("a", {"customers": [{"name": "Miller", "id": "C-17"}, {"name": "Miller", "id": "C-31"}]})
    right = "There are two customers with the name Miller: C-17 and C-31."
    assert await told(port_to, allowance, (found,), (right, "C1")) == [right]
    assert await told(port_to, allowance, (found,), (right.replace("two", "five"), "C1")) != [right]


async def test_data_that_the_draft_tells_of_is_not_told_again_as_it_stands(
    port_to: PortTo, allowance: Allowance
) -> None:
    looked_up = data_claim("a", ORDER)
    answered = Claim(
        id="b", text="Order 4650 has not been refunded.", spans=looked_up.spans, confidence=0.8, question_id="b"
    )
    said = "Order 4650 has not been refunded."
    assert await told(port_to, allowance, (looked_up, answered), (said, "C2")) == [said]
    other = data_claim("c", {"customer": "Miller"}, "tool-2")
    assert await told(port_to, allowance, (looked_up, answered, other), (said, "C2")) == [said, other.text]
