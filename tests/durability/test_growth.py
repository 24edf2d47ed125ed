"""What a thread costs on disk: turn by turn about the same, and each passage once in a turn."""

import sqlite3
from collections import Counter
from collections.abc import Iterator
from contextlib import closing
from itertools import pairwise
from pathlib import Path

import pytest
from langgraph.types import Overwrite

from calibrant.graph.persistence import CHECKPOINTS, open_checkpointer
from calibrant.graph.serde import serde
from calibrant.state.base import values_of
from calibrant.state.evidence import Evidence
from tests.durability.house import House
from tests.graph.house import graph_for, machine, run

TURNS = (
    "How often is a failed job retried by default?",
    "How many jobs does a worker run at a time?",
    "Which Postgres version does the backend need?",
    "How long does a job stay in the dead-letter queue?",
    "How often does a worker send a heartbeat?",
    "Where are job results kept by default?",
    "Qual é a prioridade padrão de uma fila?",
    "What does a worker do on SIGTERM?",
)


def stored_bytes(data_dir: Path) -> int:
    """The payloads of all checkpoints and writes, without what SQLite adds around them."""
    totals = (
        "SELECT coalesce(sum(length(checkpoint) + length(metadata)), 0) FROM checkpoints",
        "SELECT coalesce(sum(length(value)), 0) FROM writes",
    )
    with closing(sqlite3.connect(data_dir / CHECKPOINTS)) as connection:
        return sum(int(connection.execute(total).fetchone()[0]) for total in totals)


def evidence_written(data_dir: Path) -> Iterator[tuple[int, str]]:
    """Every passage in the parent graph's own writes: the turn, counted by what clears the evidence, and its id."""
    rows = "SELECT type, value FROM writes WHERE checkpoint_ns = '' AND channel = 'evidence' ORDER BY checkpoint_id"
    turn = 0
    with closing(sqlite3.connect(data_dir / CHECKPOINTS)) as connection:
        for kind, value in connection.execute(rows):
            written = serde().loads_typed((kind, value))
            if isinstance(written, Overwrite):
                turn += 1
            else:
                yield from ((turn, item.id) for item in values_of(Evidence, written))


def evidence_copied(data_dir: Path) -> int:
    """How many of the parent's checkpoints hold the evidence once more."""
    rows = "SELECT type, checkpoint FROM checkpoints WHERE checkpoint_ns = ''"
    with closing(sqlite3.connect(data_dir / CHECKPOINTS)) as connection:
        held = [serde().loads_typed((kind, value))["channel_values"] for kind, value in connection.execute(rows)]
    kept = [values.get("evidence") for values in held]
    return sum(bool(getattr(one, "value", one)) for one in kept)  # a snapshot may be empty


async def test_a_thread_grows_linearly_and_a_turn_stores_a_passage_once(
    house: House, capsys: pytest.CaptureFixture[str]
) -> None:
    sizes = [0]
    async with open_checkpointer(machine(house.data_dir)) as checkpointer:
        graph = graph_for(house.data_dir, checkpointer=checkpointer)
        for question in TURNS:
            await run(graph, question)
            sizes.append(stored_bytes(house.data_dir))
    grown = [after - before for before, after in pairwise(sizes)]
    with capsys.disabled():
        print(f"\ncheckpoints: {grown[0] / 1e3:.0f} kB for one turn, {sizes[-1] / 1e3:.0f} kB for {len(TURNS)}", end="")
    assert sizes[-1] < 12 * grown[0]
    written = Counter(evidence_written(house.data_dir))
    assert {turn for turn, _ in written} == set(range(1, len(TURNS) + 1))
    assert set(written.values()) == {1}
    assert evidence_copied(house.data_dir) == 0
