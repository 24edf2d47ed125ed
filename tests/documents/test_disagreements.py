"""Pairs of documents of one house, asked through the compiled graph without a model and by words alone: which
disagreements are shown, and that none is shown where they agree or speak of different cases.

The floor lies a little below what the code reaches.
"""

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest

from calibrant.state.answer import Conflict
from calibrant.state.channels import View
from tests.documents.test_documents import Ended, asked
from tests.graph.house import ingest

PAIRS = Path(__file__).with_name("pairs")
QUESTIONS: dict[str, list[dict[str, Any]]] = json.loads((PAIRS / "questions.json").read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def ended(tmp_path_factory: pytest.TempPathFactory) -> list[Ended]:
    """Every question with the state in which its run ended."""
    found = []
    for name, questions in QUESTIONS.items():
        data_dir = tmp_path_factory.mktemp(name)
        ingest(data_dir, PAIRS / name)
        found += asyncio.run(asked(data_dir, questions))
    return found


def shows(conflict: Conflict, sides: list[str]) -> bool:
    """Whether each side of ``conflict`` says one of ``sides``."""
    told = conflict.first.text, conflict.second.text
    return any(all(one in text for one, text in zip(sides, order, strict=True)) for order in (told, told[::-1]))


def gave_way(state: View, sides: list[str]) -> bool:
    """Whether one of ``sides`` is told as what holds no more, and the other one is the answer."""
    past = [warning for warning in state.warnings if "holds no more" in warning]
    return any(
        old in warning and new in state.answer and old not in state.answer
        for warning in past
        for old, new in (sides, sides[::-1])
    )


def test_most_disagreements_are_shown(ended: list[Ended]) -> None:
    """What a document says it replaces as a whole gives way, and is told as that."""
    disputed = [(one, state) for one, state in ended if "sides" in one]
    shown = [
        gave_way(state, one["sides"]) or any(shows(each, one["sides"]) for each in state.conflicts)
        for one, state in disputed
    ]
    missed = [one["question"] for (one, _), yes in zip(disputed, shown, strict=True) if not yes]
    assert len(disputed) == 18
    assert len(missed) <= 2, missed


def test_no_disagreement_is_shown_where_there_is_none(ended: list[Ended]) -> None:
    false = [
        f"{one['question']}: {each.explanation}"
        for one, state in ended
        for each in state.conflicts
        if "sides" not in one or not shows(each, one["sides"])
    ]
    assert false == []


def test_the_answer_of_the_newer_document_is_followed(ended: list[Ended]) -> None:
    """The circular changes the rules of 2022 and says so, the rules of the rink replace their first version, and the
    later minutes say what has changed."""
    newer = {"35 percent", "three years", "may be used privately", "Deniz Arslan"}
    newer |= {"15 April", "30 euros", "21 days", "28 March", "8 euros"}
    asked = [(one, state) for one, state in ended if newer & {*one.get("sides", ())}]
    told = [each.sides[0].text for _, state in asked for each in state.conflicts]
    told += [state.answer for one, state in asked if gave_way(state, one["sides"])]
    assert len(told) >= 8
    assert all(any(words in text for words in newer) for text in told)
