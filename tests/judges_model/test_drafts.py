"""A plain question is read for once: whether the passages suffice, its answer shows, and the step takes that."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest

from calibrant.judges.cascade import Judged
from calibrant.judges.given import ToAnswer, ToSuffice
from calibrant.judges.model.drafts import Drafts
from calibrant.judges.model.port import ModelPort
from calibrant.judges.model.suffice import Suffice
from calibrant.state.budget import Allowance
from calibrant.state.evidence import Evidence
from calibrant.state.retrieval import Sufficiency
from calibrant.state.task import Step, StepStatus, SubResult, Task
from tests.judges_model.conftest import PortTo
from tests.wire.openai_replies import Json
from tests.wire.openai_server import Call, OpenAIServer
from tests.wire.smart import passages_in

QUESTION = "What does SQLite lock during a write?"
LOCK = "SQLite locks the whole database file during a write"
FREE = SubResult(id="b1s1", question=QUESTION, status=StepStatus.UNANSWERED)
BY_WORDS = Sufficiency(parts=(0.3,))

Passages = tuple[Evidence, ...]


def stating(said: str = LOCK) -> OpenAIServer:
    """A model that answers where a passage says ``said``."""

    def answer(call: Call) -> Json:
        held = [sid for sid, text in passages_in(call) if said in text]
        rows = [{"text": f"{said}.", "sources": held, "quote": said}] if held else []
        missing = "" if rows else "what is locked; for how long"
        return {"answerable": bool(rows), "statements": rows, "disputed": [], "missing": missing}

    return OpenAIServer({"answer": answer})


class Reader:
    """The two judgements of one run, over one port."""

    def __init__(self, port: ModelPort, allowance: Allowance) -> None:
        self._drafts = Drafts(port)
        self._suffice = Suffice(port, self._drafts)
        self._allowance = allowance

    async def suffices(self, evidence: Sequence[Evidence]) -> Judged[Sufficiency]:
        given = ToSuffice((QUESTION,), tuple(evidence), request=QUESTION, answered_next=True)
        return await self._suffice(given, BY_WORDS, self._allowance)

    def holds(self, given: ToAnswer) -> bool:
        return self._drafts.holds(given)

    async def answer(self, given: ToAnswer) -> Judged[SubResult]:
        return await self._drafts(given, FREE, self._allowance)


def to_answer(evidence: Sequence[Evidence]) -> ToAnswer:
    return ToAnswer(Step(id="b1s1", question=QUESTION), Task(text=QUESTION), tuple(evidence))


async def test_what_was_read_for_is_answered_without_a_call(
    port_to: PortTo, evidence: Passages, allowance: Allowance
) -> None:
    with stating() as server:
        reader = Reader(port_to(server), allowance)
        sufficed = await reader.suffices(evidence)
        given = to_answer(evidence[1::-1])  # another order, and what did not fit the question left out
        assert reader.holds(given)
        answered = await reader.answer(given)
    assert [record.name for record in server.requests] == ["answer"]
    assert (sufficed.value.stated_in, sufficed.value.shown) == (("e-lock",), True)
    assert (answered.value.id, answered.value.content) == ("b1s1", f"{LOCK}.")
    assert (answered.spend.model_calls, answered.spend.sequential_calls) == (0, allowance.chain)


async def test_a_question_that_no_answer_follows_on_is_only_judged(
    port_to: PortTo, evidence: Passages, allowance: Allowance
) -> None:
    part = {"question": "Q1", "answerable": True, "sources": ["S1"], "quote": LOCK, "missing": ""}
    with OpenAIServer({"suffice": lambda _: {"parts": [part]}}) as server:
        port = port_to(server)
        suffice = Suffice(port, Drafts(port))
        judged = await suffice(ToSuffice((QUESTION,), evidence), BY_WORDS, allowance)
        nothing = ToSuffice((QUESTION,), (), answered_next=True)
        await suffice(nothing, BY_WORDS, allowance)  # without passages there is nothing to answer from
    assert [record.name for record in server.requests] == ["suffice", "suffice"]
    assert judged.value.witnessed == judged.value.parts


@pytest.mark.parametrize(
    "changed",
    [
        {"guidance": "Only WAL mode counts."},
        {"stated": "It locks a file."},
        {"step": Step(id="b1s1", question="What does WAL lock?")},
        {"step": Step(id="b1s1", question=QUESTION, parts=(QUESTION, "For how long?"))},
        {"task": Task(text="Compare the locks of two databases.")},
    ],
    ids=["guidance", "stated before", "another question", "several parts", "part of another request"],
)
async def test_what_is_asked_otherwise_is_answered_anew(
    port_to: PortTo, evidence: Passages, allowance: Allowance, changed: dict[str, Any]
) -> None:
    with stating() as server:
        reader = Reader(port_to(server), allowance)
        await reader.suffices(evidence)
        given = replace(to_answer(evidence), **changed)
        assert not reader.holds(given)
        await reader.answer(given)
    assert [record.name for record in server.requests] == ["answer", "answer"]


async def test_a_passage_that_was_not_read_or_is_gone_is_answered_anew(
    port_to: PortTo, evidence: Passages, allowance: Allowance
) -> None:
    new = evidence[0].replace(id="new", text="In WAL mode a write locks the log.")
    with stating() as server:
        reader = Reader(port_to(server), allowance)
        await reader.suffices(evidence)
        assert not reader.holds(to_answer((*evidence, new)))
        assert not reader.holds(to_answer(evidence[1:])), "what the answer quotes"
        assert not reader.holds(to_answer((evidence[0].replace(title="Another title"), evidence[1])))


async def test_what_was_read_in_vain_counts_as_read(port_to: PortTo, evidence: Passages, allowance: Allowance) -> None:
    """What is new is read beside the best of it, and the answer then stands for all of them."""
    others = tuple(evidence[2].replace(id=f"tea-{n}", text=f"Tea number {n}.") for n in range(5))
    with stating() as server:
        reader = Reader(port_to(server), allowance)
        before = await reader.suffices(others)
        assert reader.holds(to_answer(others)), "that nothing is found is an answer too"
        after = await reader.suffices((*others, evidence[0]))
        answered = (await reader.answer(to_answer((*others, evidence[0])))).value
    assert answered.evidence_ids == ("e-lock",)
    assert set(answered.read) == {"e-lock", *(item.id for item in others)}, "none of it is shown as if it were new"
    prompt = server.requests[1].body["messages"][1]["content"]
    assert [f"Tea number {n}." in prompt for n in range(5)] == [True, True, True, False, False]
    assert (before.value.missing, before.value.shown) == (("what is locked", "for how long"), False)
    assert (after.value.missing, after.value.shown) == ((), True)
    assert len(server.requests) == 2


async def test_an_answer_is_no_witness_of_itself(port_to: PortTo, evidence: Passages, allowance: Allowance) -> None:
    with stating() as server:
        judged = await Reader(port_to(server), allowance).suffices(evidence)
    assert judged.value.parts == pytest.approx((0.965,))
    assert judged.value.witnessed == BY_WORDS.parts


async def test_an_answer_of_which_nothing_holds_settles_nothing(
    port_to: PortTo, evidence: Passages, allowance: Allowance
) -> None:
    row = {"text": "Carrier pigeons deliver every parcel.", "sources": ["S9"], "quote": "deliver every parcel"}
    reply = {"answerable": True, "statements": [row], "disputed": [], "missing": ""}
    with OpenAIServer({"answer": lambda _: reply}) as server:
        reader = Reader(port_to(server), allowance)
        judged = await reader.suffices(evidence)
        assert not reader.holds(to_answer(evidence))
    assert (judged.doubt, judged.value.parts) == (1.0, (0.3,))
    assert judged.warnings == (), "they are told with the answer"
