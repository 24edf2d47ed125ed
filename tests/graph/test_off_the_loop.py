"""What reads many passages runs in a thread: a server answers others meanwhile."""

import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from calibrant.nodes import fan_out
from calibrant.nodes.retrieval import rank
from tests.graph.house import graph_for, run

ASKED = "How often is a failed job retried, and how many jobs does a worker run at a time?"


def _watched(monkeypatch: pytest.MonkeyPatch, module: Any, name: str) -> list[bool]:
    """For each call of a function, whether it was made in the thread of the event loop."""
    calls: list[bool] = []
    made: Callable[..., Any] = getattr(module, name)

    def watching(*args: Any, **named: Any) -> Any:
        calls.append(threading.current_thread() is threading.main_thread())
        return made(*args, **named)

    monkeypatch.setattr(module, name, watching)
    return calls


async def test_names_that_lead_on_are_looked_for_once_a_round_and_passages_chosen_in_a_thread(
    data_dir: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    leading, chosen = _watched(monkeypatch, rank, "leading"), _watched(monkeypatch, fan_out, "evidence_for")
    state = await run(graph_for(data_dir), ASKED)
    rounds = sum(len(retrieval.rounds) for retrieval in state.retrievals)
    assert 0 < len(leading) <= rounds
    assert chosen
    assert not any((*leading, *chosen))
