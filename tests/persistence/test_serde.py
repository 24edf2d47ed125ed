"""The serializer: every state type comes back as it was, everything else as plain data."""

import os
import subprocess
import sys
from enum import Enum
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from langchain_core.messages import AIMessage, HumanMessage
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.checkpoint.serde.encrypted import EncryptedSerializer
from langgraph.checkpoint.serde.jsonplus import JsonPlusSerializer
from langgraph.types import Interrupt, Overwrite, Send
from pydantic import BaseModel

from calibrant.graph import build_graph, build_retrieval_graph
from calibrant.graph.serde import knowing, serde, state_types, task_types
from calibrant.state.budget import Spend, StopReason
from calibrant.state.evidence import Evidence, Locator
from calibrant.state.memory import Experience
from calibrant.state.task import Criterion, QueryType, Question, Statement, StepStatus, SubResult, Task

from .samples import WHEN, samples


def back(value: Any) -> Any:
    return serde().loads_typed(serde().dumps_typed(value))


def test_every_type_has_a_sample() -> None:
    assert set(samples()) == {*state_types(), *task_types()}


def test_the_list_is_what_state_defines() -> None:
    assert {Evidence, Task, Spend, StopReason, Experience} <= set(state_types())
    assert {found.__module__.rpartition(".")[0] for found in state_types()} == {"calibrant.state"}
    assert list(state_types()) == sorted(state_types(), key=lambda found: (found.__module__, found.__name__))


def test_every_type_comes_back_as_it_was() -> None:
    for found, value in samples().items():
        again = back(value)
        assert type(again) is found
        assert again == value


def test_the_same_in_strict_mode() -> None:
    test = f"{__file__}::{test_every_type_comes_back_as_it_was.__name__}"
    environment = {**os.environ, "LANGGRAPH_STRICT_MSGPACK": "true"}
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", test]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, cwd=Path(__file__).parents[2])
    assert done.returncode == 0, done.stdout


class Reversing:
    """A cipher that hides nothing."""

    def encrypt(self, plaintext: bytes) -> tuple[str, bytes]:
        return "reversed", plaintext[::-1]

    def decrypt(self, ciphername: str, ciphertext: bytes) -> bytes:
        return ciphertext[::-1]


class Other(JsonPlusSerializer):
    """A serializer of somebody else."""

    def with_msgpack_allowlist(self, extra_allowlist: Any) -> "Other":
        return self


@pytest.mark.parametrize(
    "chosen",
    [
        None,
        JsonPlusSerializer(allowed_msgpack_modules=[("theirs", "Type")]),
        EncryptedSerializer(Reversing(), JsonPlusSerializer(allowed_msgpack_modules=[("theirs", "Type")])),
    ],
)
def test_a_checkpointer_learns_our_types(chosen: Any, caplog: pytest.LogCaptureFixture) -> None:
    given = InMemorySaver(serde=chosen)
    held = given.serde
    saver = knowing(given)
    assert isinstance(saver, InMemorySaver)
    assert given.serde is held, "it may serve other graphs too"
    assert saver.storage is given.storage
    assert type(saver.serde) is type(held)
    evidence = samples()[Evidence]
    assert saver.serde.loads_typed(saver.serde.dumps_typed({"evidence": [evidence]})) == {"evidence": [evidence]}
    assert not caplog.records


@pytest.mark.parametrize(
    "chosen",
    [JsonPlusSerializer(allowed_msgpack_modules=True), EncryptedSerializer(Reversing(), serde()), Other(), serde()],
)
def test_a_serializer_that_was_chosen_stays(chosen: Any, caplog: pytest.LogCaptureFixture) -> None:
    given = InMemorySaver(serde=chosen)
    assert knowing(given) is given
    assert not caplog.records


@pytest.mark.parametrize("build", [build_graph, build_retrieval_graph])
def test_an_embedder_need_not_know(build: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CALIBRANT_EMBEDDINGS", "none")
    assert build(sources=[], checkpointer=InMemorySaver()).checkpointer.serde is serde()


@pytest.mark.parametrize("without", [None, True])
def test_no_checkpointer_is_none(without: Any) -> None:
    assert knowing(without) is without


def test_what_langgraph_puts_beside_it_comes_back_too() -> None:
    evidence = samples()[Evidence]
    for value in (
        HumanMessage("a"),
        AIMessage("b"),
        Overwrite([evidence]),
        Send("step", evidence),
        Interrupt("v", id="i"),
    ):
        assert back(value) == value


class Foreign(BaseModel):
    """A type that is not of our state."""

    secret: str = "s"


class Colour(Enum):
    """Neither is this."""

    RED = "red"


def test_other_types_come_back_as_data() -> None:
    assert back(Foreign()) == {"secret": "s"}
    assert back(Colour.RED) == "red"


def aged(model: type[BaseModel], **fields: Any) -> Any:
    """An object that is stored under the name of ``model``, as an older version of the class would have been."""

    class Older(BaseModel, extra="allow"):
        pass

    Older.__module__, Older.__name__ = model.__module__, model.__name__
    return Older(**fields)


def test_a_record_of_an_older_version_loads() -> None:
    loaded = back(aged(Experience, id="e", task="t", gone="field"))
    assert loaded == Experience(id="e", task="t")
    assert type(loaded) is Experience


@pytest.mark.parametrize("model", [Task, Evidence, SubResult, Spend])
def test_only_what_identifies_a_value_is_required(model: type[BaseModel]) -> None:
    """What was added later must have a default: otherwise loading falls back to a half-built object in silence."""
    required = {
        name: samples()[model].model_dump()[name] for name, field in model.model_fields.items() if field.is_required()
    }
    loaded = back(aged(model, **required))
    assert loaded == model(**required)


TEXT = st.text(max_size=20)
SHARE = st.floats(0.0, 1.0)
LOCATORS = st.builds(Locator, heading=TEXT, start=st.integers(0, 9), line=st.none() | st.integers(1, 99))
EVIDENCE = st.builds(
    Evidence, id=TEXT, text=TEXT, title=TEXT, source=TEXT, url=TEXT, locator=LOCATORS, relevance=SHARE,
    published=st.none() | st.just(WHEN),
)  # fmt: skip
TASKS = st.builds(
    Task,
    text=TEXT,
    query_type=st.sampled_from(QueryType),
    questions=st.lists(st.builds(Question, id=TEXT, text=TEXT), max_size=3),
    criteria=st.lists(st.builds(Criterion, id=TEXT, what=TEXT, met=st.none() | st.integers(0, 9)), max_size=3),
    understanding=SHARE,
)
RESULTS = st.builds(
    SubResult,
    id=TEXT,
    question=TEXT,
    status=st.sampled_from(StepStatus),
    statements=st.lists(st.builds(Statement, text=TEXT, score=SHARE), max_size=3),
)
SPENDS = st.builds(Spend, dollars=st.floats(0.0, 9.0), active=st.lists(st.tuples(SHARE, SHARE), max_size=3))


@given(st.one_of(EVIDENCE, TASKS, RESULTS, SPENDS))
def test_any_value_comes_back_as_it_was(value: BaseModel) -> None:
    again = back(value)
    assert type(again) is type(value)
    assert again == value
