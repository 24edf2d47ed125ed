"""What judges of an eval get: the model where the free tier is in doubt, and its failures as failures."""

from dataclasses import replace
from pathlib import Path

import pytest

from calibrant.evals import questions
from calibrant.evals.setup import Setup, cost_of
from calibrant.graph.settings import Machine, Settings
from calibrant.judges.cascade import Judged, Judgement
from calibrant.state.budget import Allowance, Spend
from calibrant.state.errors import ModelTimeout


@pytest.fixture
def setup(tmp_path: Path) -> Setup:
    return Setup(Settings(doubt=0.5), Machine(data_dir=tmp_path, embeddings="none"))


def judgement(doubt: float) -> Judgement[str, str]:
    async def ask(given: str, free: str, allowance: Allowance) -> Judged[str]:
        assert allowance.can_call(1000)
        return Judged("asked", spend=Spend(model_calls=1, tokens_in=7, dollars=0.25))

    return Judgement("anything", lambda given: Judged("free", doubt=doubt), ask)


async def test_the_model_is_asked_only_in_doubt(setup: Setup) -> None:
    sure, unsure = await setup.ask(judgement(0.5), "x"), await setup.ask(judgement(0.6), "x")
    assert (sure.value, sure.tier, cost_of(sure)) == ("free", "free", {})
    assert (unsure.value, unsure.tier) == ("asked", "model")
    assert cost_of(unsure) == {"calls": 1, "tokens": 7, "dollars": 0.25}


async def test_without_a_model_the_free_tier_speaks(setup: Setup) -> None:
    assert (await setup.ask(replace(judgement(0.9), ask=None), "x")).value == "free"


async def test_a_model_that_fails_does_not_pass_for_the_free_tier(setup: Setup) -> None:
    async def fail(given: str, free: str, allowance: Allowance) -> Judged[str]:
        raise ModelTimeout("no answer")

    with pytest.raises(ModelTimeout):
        await setup.ask(replace(judgement(0.9), ask=fail), "x")
    assert (await setup.ask(replace(judgement(0.1), ask=fail), "x")).value == "free"


def test_a_set_is_read_again_when_files_are_read_otherwise(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    documents = [questions.Document("Mill", "The mill was built in 1823.")]
    first = questions.knowledge(tmp_path, "made", documents, None)
    assert questions.knowledge(tmp_path, "made", documents, None) == first
    monkeypatch.setattr("calibrant.evals.questions.RECIPE", 1_000)
    assert questions.knowledge(tmp_path, "made", documents, None) != first
