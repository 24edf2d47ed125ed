"""The agent behind ``langgraph dev``, over HTTP: stream, wait, interrupt and resume, history, schemas, MCP."""

import json
from collections.abc import Iterator
from typing import Any

import pytest

from tests.server.conftest import Server

QUESTION = "How often is a failed job retried by default?"
VAGUE = "help me with it"
AGENT, TOOL = "calibrant", "retrieve_information"

Json = dict[str, Any]


def post(server: Server, path: str, body: Json | None = None) -> Any:
    """The reply to a request that must succeed."""
    reply = server.client.post(path, json=body or {})
    assert reply.status_code == 200, reply.text
    return reply.json()


def get(server: Server, path: str) -> Any:
    """The same for a GET."""
    reply = server.client.get(path)
    assert reply.status_code == 200, reply.text
    return reply.json()


def new_thread(server: Server) -> str:
    """The id of a new thread."""
    return str(post(server, "/threads")["thread_id"])


def agent(**body: Any) -> Json:
    """The body of a run of the agent."""
    return {"assistant_id": AGENT, **body}


def stream(server: Server, path: str, body: Json) -> Iterator[tuple[str, Any]]:
    """The server-sent events of a run: name and data."""
    with server.client.stream("POST", path, json=body) as reply:
        assert reply.status_code == 200
        name = ""
        for line in reply.iter_lines():
            field, _, value = line.partition(": ")
            if field == "event":
                name = value
            elif field == "data":
                yield name, json.loads(value)


def test_a_run_streams_its_phases_and_its_answer(server: Server) -> None:
    body = agent(
        input={"messages": [{"role": "user", "content": QUESTION}], "interactive": False},
        stream_mode=["updates", "custom"],
        stream_subgraphs=True,
    )
    events = list(stream(server, f"/threads/{new_thread(server)}/runs/stream", body))
    told = [data for name, data in events if name.partition("|")[0] == "custom"]
    updates = [(name, data) for name, data in events if name.partition("|")[0] == "updates"]
    phases = list(dict.fromkeys(data["phase"] for data in told if data["event"] == "phase"))
    assert phases == ["perceive", "reason", "act", "reflect"]
    assert {"run", "understood", "searching", "source", "round", "branch", "decision", "step", "finished"} <= {
        data["event"] for data in told
    }
    nodes = [node for name, data in updates if "|" not in name for node in data]
    assert (nodes[0], nodes[-1]) == ("intake", "respond")
    assert {node for name, data in updates if name.startswith("updates|retrieve:") for node in data} >= {
        "plan_search", "search", "rank", "distil",
    }  # fmt: skip
    assert "five times" in updates[-1][1]["respond"]["answer"]
    assert not [name for name, _ in events if name == "error"]


def test_a_run_without_a_thread(server: Server) -> None:
    output = post(server, "/runs/wait", agent(input={"task": QUESTION, "interactive": False}))
    assert "five times" in output["answer"]
    assert output["citations"][0]["url"].endswith("retries.md")
    assert output["stop_reason"] == "answered"
    assert 0.0 < output["confidence"]["score"] <= 1.0
    assert output["spend"]["retrievals"] >= 1
    assert output["decisions"]


def test_the_context_of_a_run_changes_it(server: Server) -> None:
    context = {"interactive": False, "switches": {"retrieval": False}}
    output = post(server, "/runs/wait", agent(input={"task": QUESTION}, context=context))
    assert output["spend"]["retrievals"] == 0
    assert output["stop_reason"] == "abstained"


@pytest.mark.parametrize(
    ("assistant", "body", "line"),
    [
        (AGENT, {"input": {"task": " "}}, "the question is empty"),
        (
            AGENT,
            {"input": {"task": QUESTION, "power": 7}},
            "power = 7 is not allowed: expected 'auto', '1', '2' or '3'",
        ),
        (AGENT, {"input": {"task": QUESTION}, "context": {"power": "7"}}, "the run's context: power = '7' is not"),
        (AGENT, {"input": {"task": QUESTION}, "context": {"limits": {"second": 5}}}, "the run's context: unknown sett"),
        (TOOL, {"input": {"query": "x", "power": "9"}}, "power = '9' is not allowed"),
    ],
)
def test_bad_input_is_one_clear_line(refusing: Server, assistant: str, body: Json, line: str) -> None:
    told = post(refusing, "/runs/wait", {"assistant_id": assistant, **body})["__error__"]
    assert told["message"].startswith(line)
    assert "\n" not in told["message"]


def test_power_is_a_number_too(server: Server) -> None:
    body = agent(input={"task": QUESTION, "power": 1, "interactive": False}, context={"power": 2})
    assert "five times" in post(server, "/runs/wait", body)["answer"]


def test_what_was_learnt_is_kept_in_the_store_of_the_server(server: Server) -> None:
    context = {"switches": {"memory": True}}
    body = agent(input={"task": "How often does a worker send a heartbeat?", "interactive": False}, context=context)
    first, second = (post(server, "/runs/wait", body) for _ in range(2))
    assert "thirty seconds" in first["answer"]
    assert second["answer"] == first["answer"]
    assert second["spend"]["retrievals"] < first["spend"]["retrievals"]


def test_an_interrupt_is_shown_and_answered(server: Server) -> None:
    thread = new_thread(server)
    stopped = post(server, f"/threads/{thread}/runs/wait", agent(input={"task": VAGUE, "interactive": True}))
    (asked,) = stopped["__interrupt__"]
    assert asked["value"]["kind"] == "wording"
    assert asked["value"]["options"] == ["keep", "write"]
    state = get(server, f"/threads/{thread}/state")
    assert [(item["id"], item["value"]) for item in state["interrupts"]] == [(asked["id"], asked["value"])]
    assert state["next"] == ["ask_human"]
    assert get(server, f"/threads/{thread}")["status"] == "interrupted"

    resumed = f"/threads/{thread}/runs/wait"
    malformed = post(server, resumed, agent(command={"resume": {"action": "dance"}}))
    assert malformed["__interrupt__"][0]["value"]["problem"]

    output = post(server, resumed, agent(command={"resume": {"action": "write", "text": QUESTION}}))
    assert "five times" in output["answer"]
    assert "__interrupt__" not in output
    assert get(server, f"/threads/{thread}/state")["next"] == []
    assert output["spend"]["questions"] == 1


def test_a_thread_has_a_history_and_goes_on(server: Server) -> None:
    thread = new_thread(server)
    for question in (QUESTION, "How many jobs does a worker run at a time?"):
        output = post(server, f"/threads/{thread}/runs/wait", agent(input={"task": question, "interactive": False}))
    assert "four" in output["answer"]
    assert [message["type"] for message in output["messages"]] == ["human", "ai"] * 2
    history = post(server, f"/threads/{thread}/history", {"limit": 100})
    assert len(history) > 20
    assert len({entry["checkpoint"]["checkpoint_id"] for entry in history}) == len(history)
    assert history[0]["values"]["answer"] == output["answer"]
    assert sum(entry["next"] == ["intake"] for entry in history) == 2
    for entry in history:
        assert all(task["error"] is None for task in entry["tasks"])


def test_a_state_that_was_edited_over_http_is_gone_on_from(server: Server) -> None:
    """What comes over HTTP is plain data, and nodes read models."""
    thread = new_thread(server)
    post(server, f"/threads/{thread}/runs/wait", agent(input={"task": QUESTION, "interactive": False}))
    values = get(server, f"/threads/{thread}/state")["values"]
    post(server, f"/threads/{thread}/state", {"values": {"evidence": values["evidence"], "run": values["run"]}})
    again = agent(input={"task": "How many jobs does a worker run at a time?", "interactive": False})
    assert "four" in post(server, f"/threads/{thread}/runs/wait", again)["answer"]


@pytest.mark.parametrize(
    ("graph", "given", "output"),
    [
        (AGENT, {"messages", "task", "power", "interactive", "filters"}, {"answer", "confidence", "citations"}),
        (TOOL, {"query", "context", "sources", "max_results", "power"}, {"documents", "synthesis", "confidence_boost"}),
    ],
)
def test_each_graph_has_its_schemas(server: Server, graph: str, given: set[str], output: set[str]) -> None:
    (assistant,) = post(server, "/assistants/search", {"graph_id": graph})
    schemas = get(server, f"/assistants/{assistant['assistant_id']}/schemas")
    assert set(schemas["input_schema"]["properties"]) == given
    assert output <= set(schemas["output_schema"]["properties"])
    assert schemas["state_schema"]["properties"]
    settings = schemas["context_schema"]["properties"]
    assert {"model", "interactive", "limits", "thresholds", "switches"} <= set(settings)
    assert not [name for name in settings if "key" in name or "token" in name]


def test_the_drawing_shows_every_node(server: Server) -> None:
    (assistant,) = post(server, "/assistants/search", {"graph_id": AGENT})
    drawn = get(server, f"/assistants/{assistant['assistant_id']}/graph?xray=1")
    nodes = {node["id"].rpartition(":")[2] for node in drawn["nodes"]}
    assert {"perceive", "reason", "branch", "act", "step", "ask_human", "respond", "search", "distil"} <= nodes


def test_the_metrics_count_the_runs_of_the_server(server: Server) -> None:
    """On a route of ours, read from the file that the runs are recorded in; the server's own metrics stay its own."""

    def counted(name: str) -> float:
        reply = server.client.get("/calibrant/metrics")
        assert reply.status_code == 200, reply.text
        return next(float(line.split()[-1]) for line in reply.text.splitlines() if line.startswith(f"{name} "))

    runs, searches = counted("calibrant_run_confidence_count"), counted("calibrant_searches_total")
    output = post(server, "/runs/wait", agent(input={"task": QUESTION, "interactive": False}))
    assert counted("calibrant_run_confidence_count") == runs + 1
    assert counted("calibrant_synthesis_confidence_count") >= 1
    assert counted("calibrant_searches_total") == searches + output["spend"]["searches"]
    assert "calibrant_" not in server.client.get("/metrics").text


def rpc(server: Server, method: str, number: int, **params: Any) -> Json:
    """The result of an MCP request. No trailing slash: with one, the server does not know the path."""
    message = {"jsonrpc": "2.0", "id": number, "method": method, "params": params}
    accept = {"Accept": "application/json, text/event-stream"}
    reply = server.client.post("/mcp", json=message, headers=accept)
    assert reply.status_code == 200, reply.text
    result: Json = reply.json()["result"]
    return result


def test_both_graphs_are_mcp_tools(server: Server) -> None:
    hello = rpc(
        server, "initialize", 1,
        protocolVersion="2025-03-26", capabilities={}, clientInfo={"name": "test", "version": "1"},
    )  # fmt: skip
    assert "tools" in hello["capabilities"]
    tools = {tool["name"]: tool for tool in rpc(server, "tools/list", 2)["tools"]}
    assert set(tools) == {AGENT, TOOL}
    assert tools[TOOL]["inputSchema"]["required"] == ["query"]
    assert all(tool["description"] for tool in tools.values())

    called = rpc(server, "tools/call", 3, name=TOOL, arguments={"query": QUESTION})
    assert not called.get("isError")
    found = called["content"][0]["text"]
    assert "five times" in found
    assert "retries.md" in found


def test_a_run_without_a_thread_ends_although_it_would_ask(server: Server) -> None:
    """Nobody could answer it: the server forgets such a run when it stops. Its MCP tools are such runs."""
    output = post(server, "/runs/wait", agent(input={"task": VAGUE}))
    assert (output["stop_reason"], "__interrupt__" in output) == ("abstained", False)
    called = rpc(server, "tools/call", 5, name=AGENT, arguments={"task": VAGUE})
    assert "'stop_reason': 'abstained'" in called["content"][0]["text"]


def test_the_agent_answers_over_mcp(server: Server) -> None:
    called = rpc(server, "tools/call", 4, name=AGENT, arguments={"task": QUESTION, "interactive": False})
    assert not called.get("isError")
    assert "five times" in called["content"][0]["text"]
