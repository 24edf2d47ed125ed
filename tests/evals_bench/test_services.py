"""The scripted services and the agent over them: real connections, a log that is theirs, and right answers."""

import re
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from calibrant.evals.bench.agent import config_of, context_of, opened
from calibrant.evals.bench.manual import NAMES, complex_question, number_of, plain_question
from calibrant.evals.bench.overhead import floor
from calibrant.evals.bench.services import Services
from calibrant.state.budget import StopReason


@pytest.fixture(scope="module")
def services() -> Iterator[Services]:
    with Services(0.0, 0.0) as running:
        yield running


def test_the_log_has_each_request_once(services: Services) -> None:
    services.log()
    answer = httpx.get(f"{services.url}/search", params={"q": plain_question(5), "format": "json"}).json()
    (worked,) = services.log()
    assert "Farrow" in answer["results"][0]["title"]
    assert (worked.service, worked.tokens) == ("search", 0)
    assert worked.started <= worked.ended
    assert services.log() == []


async def test_a_plain_question_is_answered_in_three_calls_at_most(services: Services, tmp_path: Path) -> None:
    services.log()
    async with opened(tmp_path, context_of(services, doubt=0.0), services) as agent:
        await agent.ask(plain_question(0), "t1")
        state = await agent.state("t1")
        calls = [work for work in services.log() if work.service == "model"]
        assert state.stop_reason is StopReason.ANSWERED
        assert f"retries a failed job {number_of('Arden', 0)} times" in state.answer
        assert 1 <= state.spend.sequential_calls <= 3
        assert len(calls) == state.spend.model_calls
        assert sum(work.tokens for work in calls) == state.spend.tokens_in + state.spend.tokens_out
        assert not [warning for warning in state.warnings if "model" in warning]


@pytest.mark.parametrize("doubt", [0.35, 0.0], ids=["default", "eager"])
async def test_a_complex_question_is_answered_in_all_its_parts(
    services: Services, tmp_path: Path, doubt: float
) -> None:
    async with opened(tmp_path, context_of(services, doubt=doubt), services) as agent:
        await agent.ask(complex_question(0), "t1")
        state = await agent.state("t1")
    said = [f"{number_of(name, fact)}" for fact, name in enumerate(NAMES[:3])]
    assert state.stop_reason is StopReason.ANSWERED
    assert all(number in re.findall(r"\d+", state.answer) for number in said)
    assert state.spend.sequential_calls <= 10


async def test_the_floor_is_as_many_nodes_with_the_same_checkpointer(services: Services, tmp_path: Path) -> None:
    async with opened(tmp_path, context_of(None), services) as agent:
        nodes = await agent.nodes_of(plain_question(1), "counted")
        await floor(nodes, agent.checkpointer)
        stored = [one async for one in agent.checkpointer.alist(config_of("floor-0"))]
    assert nodes > 10
    assert len(stored) == nodes + 2  # the input and the start
