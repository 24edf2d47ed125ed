"""How old a document is counts in a run where time matters to the question, and only there."""

import os
import time
from pathlib import Path

import pytest

from tests.graph.house import graph_for, ingest, run, write_documents

DAY = 86_400
PRICES = {"prices.md": "# Prices\n\nThe current price of a seat is 20 dollars a month.\n"}


@pytest.mark.parametrize(
    ("question", "days", "recency", "depth"),
    [
        ("What is the current price of a seat?", 0, 1.0, 1),
        ("What is the current price of a seat?", 90, 0.25, 2),
        ("What is the price of a seat?", 90, None, 1),
    ],
)
async def test_what_is_old_does_not_suffice_where_time_matters(
    tmp_path: Path, question: str, days: int, recency: float | None, depth: int
) -> None:
    folder = write_documents(tmp_path / "docs", PRICES)
    written = time.time() - days * DAY
    os.utime(folder / "prices.md", (written, written))
    ingest(tmp_path / "data", folder)
    state = await run(graph_for(tmp_path / "data"), question)
    retrieval = state.retrievals[0]
    factor = retrieval.sufficiency.confidence.factor("recency")
    assert factor == (recency if recency is None else pytest.approx(recency, abs=0.01))
    assert retrieval.depth_used == depth
    assert "20 dollars" in state.answer
