"""Calls that need what an earlier call gives: filled in when it is known, with a person's word, or not made at all."""

import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from langchain_core.tools import BaseTool, StructuredTool, ToolException

from calibrant.graph.retrieval import Compiled
from calibrant.graph.settings import Settings
from calibrant.state.task import StepStatus
from tests.graph.house import answer, asked, config, graph_for, ingest, run, write_documents
from tests.graph.markets import HAMSTERS, HAMSTERS_WANTED, pages
from tests.graph.test_guidance_scenarios import straight
from tests.wire.openai_replies import Json
from tests.wire.openai_server import Call, Handler, OpenAIServer
from tests.wire.smart import block, smart

REQUEST = "What did the customer Miller order last, and refund that order"


@dataclass
class Shop:
    """A shop's tools, and the calls that were made."""

    customer: dict[str, Any] = field(default_factory=lambda: {"customer_id": "C-31", "name": "Miller"})
    order: dict[str, Any] = field(default_factory=lambda: {"order_id": "4711", "amount": 49.5})
    calls: list[str] = field(default_factory=list)

    def tools(self) -> list[BaseTool]:
        async def find_customer(name: str) -> str:
            """Find a customer by name."""
            return self._called(f"find_customer {name}", self.customer)

        async def last_order(customer_id: str) -> str:
            """The last order of a customer."""
            return self._called(f"last_order {customer_id}", self.order)

        async def refund(order_id: str, amount: float) -> str:
            """Refund an order."""
            return self._called(f"refund {order_id} {amount}", {"refunded": amount})

        looks = [
            StructuredTool.from_function(coroutine=one, metadata={"read_only": True})
            for one in (find_customer, last_order)
        ]
        return [*looks, StructuredTool.from_function(coroutine=refund)]

    def _called(self, call: str, gives: dict[str, Any]) -> str:
        self.calls.append(call)
        if not gives:
            raise ToolException("no such customer")
        return json.dumps(gives)


def chain(_: Any) -> Json:
    """A plan of three calls, each of which needs the one before it."""
    rows = [
        ("Who is Miller?", [], "find_customer", {"name": "Miller"}),
        ("What was ordered last?", [1], "last_order", {}),
        ("Refund it", [1, 2], "refund", {"order_id": "<from step 2>"}),
    ]
    steps = [
        {"question": question, "queries": [], "after": after, "tool": tool, "arguments": json.dumps(arguments)}
        for question, after, tool, arguments in rows
    ]
    row = {"name": "Look up, then refund", "rationale": "The order has to be found first.", "sources": []}
    return {"plans": [{**row, "risks": [], "issues": [], "steps": steps}]}


def graph_over(shop: Shop, data_dir: Path, server: OpenAIServer, **given: Any) -> Compiled:
    context = straight(model={"name": "scripted", "base_url": server.base_url}, doubt=0.0, branches=1, **given)
    return graph_for(data_dir, context=context, tools=shop.tools())


async def test_a_call_gets_what_the_calls_before_it_gave(data_dir: Path) -> None:
    shop = Shop()
    with OpenAIServer(smart(plan=chain)) as server:
        graph = graph_over(shop, data_dir, server)
        await run(graph, REQUEST)
        question = await asked(graph)
        assert shop.calls == ["find_customer Miller", "last_order C-31"]
        (pending,) = question["calls"]
        assert pending["arguments"] == {"order_id": "4711", "amount": 49.5}
        assert [line.split(":")[0] for line in pending["rests_on"]] == ["Who is Miller?", "What was ordered last?"]
        assert "49.5" in pending["rests_on"][1]
        state = await answer(graph, {"action": "approve"})
    assert shop.calls[2:] == ["refund 4711 49.5"]
    assert [result.status for result in state.results if result.id.startswith("b1.s")] == [StepStatus.ANSWERED] * 3


async def test_a_number_that_no_checkpoint_holds_is_handed_on_all_the_same(data_dir: Path) -> None:
    """A parcel's number of twenty digits: the run would end where its state is stored."""
    number, given = 34012345678901234567, list[int]()

    async def last_parcel(customer_id: str) -> str:
        """The last parcel of a customer."""
        return json.dumps({"parcel": number})

    async def call_back(parcel: int) -> str:
        """Call a parcel back."""
        given.append(parcel)
        return "The parcel comes back."

    def plan(_: Any) -> Json:
        rows = [("last_parcel", {"customer_id": "C-31"}, []), ("call_back", {}, [1])]
        steps = [
            {"question": tool, "queries": [], "after": after, "tool": tool, "arguments": json.dumps(arguments)}
            for tool, arguments, after in rows
        ]
        row = {"name": "Look, then call", "rationale": "It has a number.", "sources": [], "risks": [], "issues": []}
        return {"plans": [{**row, "steps": steps}]}

    tools: list[BaseTool] = [
        StructuredTool.from_function(coroutine=last_parcel, metadata={"read_only": True}),
        StructuredTool.from_function(coroutine=call_back),
    ]
    with OpenAIServer(smart(plan=plan)) as server:
        context = straight(model={"name": "scripted", "base_url": server.base_url}, doubt=0.0, branches=1)
        graph = graph_for(data_dir, context=context, tools=tools)
        await run(graph, "Call back the last parcel of the customer C-31")
        await answer(graph, {"action": "approve"})
    assert given == [number]


async def test_a_plan_that_is_made_anew_makes_its_own_calls(tmp_path: Path) -> None:
    """After a refined search: what the first plan's call gave is no result of another one in its place."""
    sheet = "Educational worksheet {} for sale: Syrian hamsters for sale, a breeder and the classroom."
    decoys = {f"Educational sheet {number}": sheet.format(number) for number in range(30)}
    ingest(tmp_path / "data", write_documents(tmp_path / "docs", pages(HAMSTERS | decoys)))
    called: list[str] = []
    planned = iter(("north", "south", "east"))

    async def look_at(name: str) -> str:
        """Look at a gate."""
        called.append(name)
        return f"The gate {name} is open on its {name} side."

    def plan(_: Any) -> Json:
        arguments = {"name": next(planned)}
        step = {"queries": [], "after": [], "tool": "look_at", "arguments": json.dumps(arguments)}
        row = {"name": "Look", "rationale": "A gate is asked about.", "sources": [], "risks": [], "issues": []}
        return {"plans": [{**row, "steps": [{**step, "question": f"Is the {arguments['name']} gate open?"}]}]}

    with OpenAIServer(smart(plan=plan)) as server:
        context = Settings(
            interactive=False,
            quality_threshold=0.99,
            doubt=0.0,
            branches=1,
            model={"name": "scripted", "base_url": server.base_url},
            limits={"sequential_calls": 40, "model_calls": 100},
        )
        tools = [StructuredTool.from_function(coroutine=look_at, metadata={"read_only": True})]
        graph = graph_for(tmp_path / "data", tools=tools, context=context)
        wanted = f"{HAMSTERS_WANTED} Which gate is better, the north or the south one?"
        state = await run(graph, wanted, given={"power": "1"})
    assert state.spend.refinements == 2
    assert called == ["north", "south", "east"]
    given = {result.id: result.content for result in state.results}
    assert [given[step.id] for step in state.steps if step.tool] == ["The gate east is open on its east side."]


async def test_what_is_read_off_by_name_asks_no_model(data_dir: Path) -> None:
    with OpenAIServer(smart(plan=chain)) as server:
        graph = graph_over(Shop(), data_dir, server)
        await run(graph, REQUEST)
        assert not [one for one in server.requests if one.name == "fill"]


async def test_a_call_whose_argument_nothing_tells_is_not_made_and_the_answer_says_so(data_dir: Path) -> None:
    shop = Shop(order={"order_id": "4711"})
    with OpenAIServer(smart(plan=chain)) as server:
        state = await run(graph_over(shop, data_dir, server, interactive=False), REQUEST)
    assert shop.calls == ["find_customer Miller", "last_order C-31"]
    assert "refund: it cannot be called, for nothing found tells its amount" in state.answer


@pytest.mark.parametrize(
    ("reply", "calls"),
    [
        ({"arguments": '{"order_id": "4711", "amount": 49.5}', "drop": False, "reason": ""}, ["refund 4711 49.5"]),
        ({"arguments": '{"order_id": "4711", "amount": 50}', "drop": False, "reason": ""}, []),
        ({"arguments": "{}", "drop": True, "reason": "it is paid back already"}, []),
    ],
)
async def test_a_model_fills_in_what_names_do_not_tell_and_makes_nothing_up(
    data_dir: Path, reply: Json, calls: list[str]
) -> None:
    shop = Shop(order={"order": "4711", "total": 49.5})
    fill: Handler = lambda _: {"calls": [{"call": "K1", **reply}]}  # noqa: E731
    with OpenAIServer(smart(plan=chain, fill=fill)) as server:
        graph = graph_over(shop, data_dir, server)
        state = await run(graph, REQUEST)
        if calls:
            state = await answer(graph, {"action": "approve"})
    assert shop.calls[2:] == calls
    assert not reply["drop"] or "refund: it is paid back already" in state.answer


@pytest.mark.parametrize(("status", "asks"), [("delivered", True), ("in transit", False)])
async def test_a_condition_is_checked_before_a_call_is_put_to_a_person(data_dir: Path, status: str, asks: bool) -> None:
    """All of its arguments are known: whether it is to be made, only the call before it tells."""
    shop = Shop(order={"order_id": "4711", "status": status})

    def plan(_: Any) -> Json:
        rows = [("last_order", {"customer_id": "C-31"}, []), ("refund", {"order_id": "4711", "amount": 49.5}, [1])]
        steps = [
            {"question": tool, "queries": [], "after": after, "tool": tool, "arguments": json.dumps(arguments)}
            for tool, arguments, after in rows
        ]
        row = {"name": "Look, then refund", "rationale": "The status tells.", "sources": [], "risks": [], "issues": []}
        return {"plans": [{**row, "steps": steps}]}

    def fill(call: Any) -> Json:
        drop = "in transit" in call.user
        return {
            "calls": [{"call": "K1", "arguments": "{}", "drop": drop, "reason": "it is in transit" if drop else ""}]
        }

    with OpenAIServer(smart(plan=plan, fill=fill)) as server:
        graph = graph_over(shop, data_dir, server)
        state = await run(graph, "If the last order of C-31 was delivered, refund 49.5 for order 4711")
        assert bool(state.pending) is asks
        if asks:
            state = await answer(graph, {"action": "approve"})
    assert shop.calls == ["last_order C-31", *(["refund 4711 49.5"] if asks else [])]
    assert asks or "refund: it is in transit" in state.answer
    assert len([one for one in server.requests if one.name == "fill"]) == 1


async def test_a_person_names_a_call_that_the_plan_lacks(data_dir: Path) -> None:
    shop = Shop(customer={})

    def first_only(_: Any) -> Json:
        (plan,) = chain(_)["plans"]
        return {"plans": [{**plan, "steps": plan["steps"][:1]}]}

    with OpenAIServer(smart(plan=first_only)) as server:
        graph = graph_over(shop, data_dir, server, ask_at=2)
        await run(graph, "Who is the customer Miller?")
        await asked(graph)
        before = len(shop.calls)
        await answer(graph, {"action": "guide", "text": "Use last_order with customer_id=C-40"})
    assert "last_order C-40" in shop.calls[before:]


async def test_guidance_is_read_by_the_model_and_an_unwanted_call_is_left_out(data_dir: Path) -> None:
    """The customer is not found; a person says what to do instead."""
    shop = Shop(customer={})

    def fill(call: Any) -> Json:
        assert "Use customer C-40, and leave the refund out" in call.user
        rows = [("K1", "{}", True), ("K2", '{"customer_id": "C-40"}', False), ("K3", "{}", True)]
        return {"calls": [{"call": key, "arguments": told, "drop": drop, "reason": ""} for key, told, drop in rows]}

    with OpenAIServer(smart(plan=chain, fill=fill)) as server:
        graph = graph_over(shop, data_dir, server, ask_at=2)
        await run(graph, REQUEST)
        assert "no such customer" in " ".join((await asked(graph))["reasons"])
        before = len(shop.calls)
        state = await answer(graph, {"action": "guide", "text": "Use customer C-40, and leave the refund out"})
    assert shop.calls[before:] == ["last_order C-40"]
    assert {result.id: result.status for result in state.results}["b1.s3"] is StepStatus.SKIPPED


LOOK = "What did the customer Miller order last?"


def looking(call: Any) -> Json:
    """The plan without its last call."""
    (row,) = chain(call)["plans"]
    return {"plans": [{**row, "steps": row["steps"][:2]}]}


def taking(key: str) -> Handler:
    """A model that fills in a customer's id where the request or a person has told it."""

    def fill(call: Call) -> Json:
        is_told = key in block(call.user, "request") or key in block(call.user, "guidance")
        arguments = json.dumps({"customer_id": key} if is_told else {})
        return {"calls": [{"call": "K1", "arguments": arguments, "drop": False, "reason": ""}]}

    return fill


NAMESAKES = {"customers": [{"customer_id": key, "name": "Miller"} for key in ("C-17", "C-31")]}


async def test_who_is_there_is_asked_which_of_two_of_that_name_is_meant(data_dir: Path) -> None:
    shop = Shop(customer=NAMESAKES)
    with OpenAIServer(smart(plan=looking, fill=taking("C-31"))) as server:
        graph = graph_over(shop, data_dir, server)
        await graph.ainvoke({"task": LOOK, "interactive": True}, config())
        assert "Miller (C-17), Miller (C-31)" in " ".join((await asked(graph))["reasons"])
        assert shop.calls == ["find_customer Miller"]
        await answer(graph, {"action": "guide", "text": "I mean C-31"})
    assert shop.calls[-1] == "last_order C-31"


async def test_what_the_request_tells_apart_is_not_asked(data_dir: Path) -> None:
    shop = Shop(customer=NAMESAKES)
    with OpenAIServer(smart(plan=looking, fill=taking("C-17"))) as server:
        graph = graph_over(shop, data_dir, server)
        await graph.ainvoke({"task": f"{LOOK} It is customer C-17.", "interactive": True}, config())
        assert not (await graph.aget_state(config())).interrupts
    assert shop.calls == ["find_customer Miller", "last_order C-17"]
