"""Evals without data: the small sets, words alone, an output folder of each test's own."""

import asyncio
from collections.abc import Callable
from pathlib import Path

import pytest

from calibrant.evals import data, metrics
from calibrant.evals.results import Result
from calibrant.evals.runner import Half, Options, run
from calibrant.evals.setup import Setup
from calibrant.evals.task import Task
from calibrant.graph.settings import Machine, Settings

Evaluate = Callable[..., Result]


@pytest.fixture(autouse=True)
def _few_rounds(monkeypatch: pytest.MonkeyPatch) -> None:
    """Intervals are not what most of these tests look at."""
    monkeypatch.setattr(metrics, "ROUNDS", 40)


@pytest.fixture(autouse=True)
def _no_datasets(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """The public data may lie on the machine that tests."""
    monkeypatch.setattr(data, "BESIDE", tmp_path / "no-data")


@pytest.fixture
def evaluate(tmp_path: Path) -> Evaluate:
    """``evaluate(task)``: one run on the small set."""

    def one(
        task: Task,
        *,
        half: Half = "held-out",
        limit: int | None = None,
        seed: int = 0,
        fresh: bool = False,
        out: str = "out",
        model: str = "",
        at_once: int = 4,
    ) -> Result:
        machine = Machine(data_dir=tmp_path / "data", embeddings="none", allow_download=False)
        settings = Settings.model_validate({"interactive": False, "model": {"name": model}})
        setup = Setup(settings, machine, seed=seed)
        options = Options(tmp_path / out, limit=limit, half=half, fresh=fresh, at_once=at_once)
        return asyncio.run(run(task, setup, options, lambda *_: None))

    return one
