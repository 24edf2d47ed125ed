"""The channels and the view: whatever a checkpoint or HTTP hands back becomes models again."""

import json
from typing import Any, get_type_hints

import pytest
from langchain_core.messages import AIMessage, BaseMessage, HumanMessage
from langgraph.channels.binop import BinaryOperatorAggregate
from langgraph.channels.delta import DeltaChannel
from langgraph.graph import START, StateGraph
from pydantic import BaseModel, ValidationError

from calibrant.state.channels import Input, Output, State, View, merged_texts
from calibrant.state.guidance import GuidanceRequest, WordingRequest
from calibrant.state.retrieval import RetrievalResult
from tests.state.samples import CHANNELS, DECISION, PAGE, PASSAGE

MERGED_BY_ID = ("evidence", "branches", "results", "intents")
APPENDED = ("retrievals", "decisions", "guidance")
LAST_WRITE = ("run", "perceived", "recalled", "selected", "synthesis", "review", "request",
              "confidence")  # fmt: skip
TOLD = ("citations", "claims", "conflicts", "closest")


def plain(value: Any) -> Any:
    """``value`` as JSON gives it back: dicts, lists, strings."""
    if isinstance(value, BaseMessage):
        return {"type": value.type, "content": value.content, "id": value.id}
    if isinstance(value, BaseModel):
        return json.loads(value.model_dump_json())
    if isinstance(value, list | tuple):
        return [plain(item) for item in value]
    return json.loads(json.dumps(value))


def channels() -> dict[str, Any]:
    """The channels of a compiled graph over the state."""
    graph = StateGraph(State)
    graph.add_node("nothing", lambda _: {})
    graph.add_edge(START, "nothing")
    return dict(graph.channels)


def written(name: str, *writes: Any) -> Any:
    """What the channel holds after these writes, one a step."""
    channel = channels()[name].from_checkpoint(None) if name != "evidence" else channels()[name].copy()
    for write in writes:
        channel.update([write])
    return channel.get()


def test_there_is_a_sample_for_every_channel() -> None:
    """And the view shows every channel, with what LangGraph itself tells."""
    assert set(CHANNELS) == set(get_type_hints(State)) == set(View.model_fields) - {"steps_left"}


def test_input_and_output_are_channels() -> None:
    """LangGraph maps by name: one that is misspelt would be lost without a word."""
    assert set(get_type_hints(Input)) <= set(get_type_hints(State))
    assert set(get_type_hints(Output)) <= set(get_type_hints(State))


@pytest.mark.parametrize("name", list(CHANNELS))
def test_the_view_reads_each_channel_from_json(name: str) -> None:
    """The same value comes out, of the same type, all the way down."""
    read = getattr(View.model_validate({name: plain(CHANNELS[name])}), name)
    expected = getattr(View.model_validate({name: CHANNELS[name]}), name)
    assert type(read) is type(expected)
    if name == "messages":
        assert [(type(item), item.content) for item in read] == [(type(item), item.content) for item in expected]
        return
    assert read == expected == CHANNELS[name]
    assert [type(item) for item in items(read)] == [type(item) for item in items(CHANNELS[name])]


def items(value: Any) -> Any:
    """The members of a collection; a single value as one."""
    return value if isinstance(value, tuple) else (value,)


def test_the_view_of_nothing_has_defaults() -> None:
    """Before the first node has run."""
    view = View.model_validate({})
    assert view.evidence == ()
    assert view.spend.model_calls == 0
    assert view.run is None


def test_the_view_reads_a_whole_state_at_once() -> None:
    """As a node gets it, with channels of other graphs in it."""
    raw = {name: plain(value) for name, value in CHANNELS.items()}
    view = View.model_validate({**raw, "somebody_elses": 1})
    assert view.perceived == CHANNELS["perceived"]
    assert isinstance(view.messages[0], HumanMessage)
    assert isinstance(view.messages[1], AIMessage)


def test_the_view_is_frozen() -> None:
    """State is never mutated."""
    with pytest.raises(ValidationError):
        View().answer = "changed"  # type: ignore[misc]


@pytest.mark.parametrize("kind", ["guidance", "wording"])
def test_the_view_tells_the_requests_apart(kind: str) -> None:
    """By ``kind``."""
    pending = View.model_validate({"pending": {"kind": kind, "id": "x", "phase": "act", "task": "t"}}).pending
    assert isinstance(pending, GuidanceRequest if kind == "guidance" else WordingRequest)


@pytest.mark.parametrize("name", [*MERGED_BY_ID, *APPENDED, *LAST_WRITE, *TOLD, "signals", "pending", "spend"])
def test_each_reducer_reads_json(name: str) -> None:
    """A write that is plain data is stored as models."""
    assert written(name, plain(CHANNELS[name])) == written(name, CHANNELS[name]) == CHANNELS[name]


@pytest.mark.parametrize("name", [*MERGED_BY_ID, "signals"])
def test_merging_channels_count_a_replayed_write_once(name: str) -> None:
    """Written twice, held once."""
    assert written(name, CHANNELS[name], plain(CHANNELS[name])) == CHANNELS[name]


@pytest.mark.parametrize("name", APPENDED)
def test_appending_channels_keep_every_write(name: str) -> None:
    """They are logs."""
    assert written(name, CHANNELS[name], CHANNELS[name]) == CHANNELS[name] * 2


@pytest.mark.parametrize("name", [*LAST_WRITE, "pending"])
def test_last_write_channels_are_cleared_by_none(name: str) -> None:
    """As ``intake`` does."""
    assert written(name, CHANNELS[name], None) is None


@pytest.mark.parametrize("name", TOLD)
def test_what_is_told_gives_way_to_what_is_told_next(name: str) -> None:
    """A run that goes on from an edited state answers anew."""
    assert CHANNELS[name]
    assert written(name, CHANNELS[name], ()) == ()


def test_every_channel_that_holds_models_has_a_reducer() -> None:
    """A channel without one would keep plain dicts."""
    bare = {"task", "power", "interactive", "filters", "answer", "unanswered", "stop_reason", "depth_used"}
    reduced = (BinaryOperatorAggregate, DeltaChannel)
    assert {name for name, channel in channels().items() if isinstance(channel, reduced)} >= set(CHANNELS) - bare


def test_evidence_is_stored_as_deltas_and_merged_by_id() -> None:
    """A passage that is found again takes its place; it is not held twice."""
    better = PASSAGE.replace(relevance=0.99)
    assert written("evidence", [PASSAGE, PAGE], [plain(better)]) == (better, PAGE)
    assert isinstance(channels()["evidence"], DeltaChannel)


def test_spend_adds_up_over_steps() -> None:
    """Deltas, as dicts or models."""
    total = written("spend", CHANNELS["spend"], plain(CHANNELS["spend"]))
    assert (total.model_calls, total.sequential_calls, total.tokens) == (4, 2, 20)
    assert total.active == CHANNELS["spend"].active


def test_warnings_are_told_once() -> None:
    """In the order in which they came up."""
    assert merged_texts(["a", "b"], ("b", "c")) == ("a", "b", "c")
    assert merged_texts(None, None) == ()


def test_a_bad_write_fails_where_it_is_made() -> None:
    """Not in the node that reads it later."""
    with pytest.raises(ValidationError):
        written("decisions", [{**plain(DECISION), "action": "dance"}])


def test_stored_values_load_without_fields_that_were_added_later() -> None:
    """What is required is what was there from the start."""
    assert RetrievalResult.model_validate({"id": "r", "query": "q"}).rounds == ()
