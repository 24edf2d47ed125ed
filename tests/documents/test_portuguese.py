"""The same in Portuguese, European and Brazilian: rules of a library, minutes of an assembly and a service's manual.

The scores' scale was chosen between two others with these in sight: one answered five of the near misses, the other six
fewer of the questions that have an answer.
"""

import asyncio
import json
from pathlib import Path

import pytest

from tests.documents.test_documents import Ended, asked, outcome, told
from tests.graph.house import ingest

HERE = Path(__file__).parent
QUESTIONS = json.loads((HERE / "portuguese.json").read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def ended(tmp_path_factory: pytest.TempPathFactory) -> list[Ended]:
    data_dir = tmp_path_factory.mktemp("portuguese")
    ingest(data_dir, HERE / "portuguese")
    return asyncio.run(asked(data_dir, QUESTIONS))


def count(ended: list[Ended], kind: str, ended_as: str) -> int:
    return sum((one["kind"], outcome(one, state)) == (kind, ended_as) for one, state in ended)


def test_answers_are_found_and_few_are_wrong(ended: list[Ended]) -> None:
    assert count(ended, "answerable", "right") >= 30, told(ended, "answerable", "abstained")
    assert count(ended, "answerable", "wrong") <= 2, told(ended, "answerable", "wrong")


def test_what_the_documents_do_not_say_is_seldom_answered(ended: list[Ended]) -> None:
    assert count(ended, "near_miss", "wrong") <= 1, told(ended, "near_miss", "wrong")
