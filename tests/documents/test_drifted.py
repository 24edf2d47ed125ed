"""Eight folders of documents that have drifted apart, as those of a team, an office, a centre or a hut do: which
disagreements are told, through the compiled graph without a model, and how often one is told where there is none.

By words alone; with ``CALIBRANT_TEST_MODEL`` (all-MiniLM-L6-v2 as ONNX) with embeddings too. The last four folders were
first asked when most of the rules stood. The floors lie a little below what the code reaches.
"""

import asyncio
import json
import os
from pathlib import Path
from typing import Any

import pytest
from langgraph.checkpoint.memory import InMemorySaver

from calibrant.graph.encoders import encoder_of
from calibrant.graph.serde import serde
from calibrant.graph.settings import Machine, Settings
from calibrant.graph.wiring import wire
from calibrant.retrievers.knowledge import KnowledgeBase, KnowledgeSource
from calibrant.state.answer import ConflictKind
from calibrant.state.protocols import TextEncoder
from tests.documents.test_documents import Ended
from tests.graph.house import deps_for, run

DATA = Path(__file__).with_name("drifted")
QUESTIONS: dict[str, list[dict[str, Any]]] = json.loads((DATA / "questions.json").read_text(encoding="utf-8"))
MODEL = os.environ.get("CALIBRANT_TEST_MODEL")
FLOORS = {"words": 20, "model": 30}
"""So many of the 53 disagreements are told at least."""
CEILINGS = {"words": 8, "model": 10}
"""And something where there is none, of 71 questions, at most."""


@pytest.fixture(scope="module", params=["words", "model"])
def ended(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> tuple[str, list[Ended]]:
    """Every question with the state in which its run ended."""
    if request.param == "model" and not MODEL:
        pytest.skip("no embedding model: set CALIBRANT_TEST_MODEL to a folder with all-MiniLM-L6-v2 in ONNX")
    encoder = encoder_of(None, Machine(embeddings=str(MODEL)), None) if request.param == "model" else None
    found: list[Ended] = []
    for name, questions in QUESTIONS.items():
        found += asyncio.run(asked(tmp_path_factory.mktemp(name), name, questions, encoder))
    return request.param, found


async def asked(place: Path, name: str, questions: list[dict[str, Any]], encoder: TextEncoder | None) -> list[Ended]:
    base = KnowledgeBase.open(place, name, encoder=encoder, create=True)
    base.ingest([DATA / name])
    if encoder is not None:
        base.index_vectors()
    context = Settings.model_validate({"interactive": False, "limits": {"seconds": 600}, "retrieval": {"seconds": 60}})
    deps = deps_for(place, sources=[KnowledgeSource([base])], embeddings=encoder, context=context)
    graph = wire(deps, Settings, checkpointer=InMemorySaver(serde=serde()))
    return [(one, await run(graph, one["question"], str(number))) for number, one in enumerate(questions)]


def test_many_disagreements_are_told(ended: tuple[str, list[Ended]]) -> None:
    way, found = ended
    told = [one["question"] for one, state in found if one["disagree"] and state.conflicts]
    assert len(told) >= FLOORS[way], told


def test_few_are_told_where_there_is_none_and_none_outright(ended: tuple[str, list[Ended]]) -> None:
    way, found = ended
    told = [(one["question"], state.conflicts) for one, state in found if not one["disagree"] and state.conflicts]
    assert len(told) <= CEILINGS[way], told
    outright = [one for one, conflicts in told if any(each.kind is not ConflictKind.AMBIGUITY for each in conflicts)]
    assert outright == []
