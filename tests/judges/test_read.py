"""Where answers stand: from the vectors of a question read with a passage to the odds of each sentence."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from calibrant.judges import fitted
from calibrant.judges.fitted import load, load_reader
from calibrant.judges.free.evidence.reader import LEAST, MOST, Reader, read_odds, sentence_of
from calibrant.state.protocols import Adapter

READER = Reader(Adapter("test", "test", ()), told=np.array([1.0, 0.0]), nowhere=np.array([0.0, 1.0]), threshold=0.5)
DIMENSIONS = 384


@dataclass
class Read:
    offsets: Sequence[tuple[int, int]]
    vectors: Any
    whole: Any


def told(scores: Sequence[float], nowhere: float = 0.0) -> Read:
    """Tokens of one character each, with these scores."""
    offsets = [(place, place + 1) for place in range(len(scores))]
    return Read(offsets, np.array([[score, 7.0] for score in scores]), np.array([7.0, nowhere]))


@given(st.lists(st.floats(-3, 3), min_size=4, max_size=4), st.floats(-3, 3))
def test_a_sentence_has_the_odds_of_its_tokens_against_nowhere(scores: list[float], nowhere: float) -> None:
    found = read_odds(READER, [[(0, 0, 2), (2, 3, 4)]], [told(scores, nowhere)], 3)
    first = math.log(math.exp(scores[0]) + math.exp(scores[1])) - nowhere - 0.5
    assert math.isclose(found[0], min(MOST, max(LEAST, first)), abs_tol=1e-9)
    assert math.isclose(found[2], min(MOST, max(LEAST, scores[3] - nowhere - 0.5)), abs_tol=1e-9)
    assert found[1] == LEAST  # a sentence that was not read holds no answer


def test_each_text_has_a_nowhere_of_its_own() -> None:
    found = read_odds(READER, [[(0, 0, 1)], [(1, 0, 1)]], [told([1.0], 0.0), told([1.0], 2.0)], 2)
    assert list(found) == [0.5, -1.5]


def test_a_token_belongs_to_the_sentence_that_it_lies_in() -> None:
    offsets = [(0, 5), (7, 10), (11, 14), (16, 20), (19, 22)]
    assert list(sentence_of(offsets, [(0, 7, 14), (3, 16, 20)])) == [-1, 0, 0, 3, -1]


@pytest.mark.parametrize("name", [fitted.READER, fitted.SECTIONS])
def test_what_ships_belongs_to_the_embeddings_of_the_other_models(name: str) -> None:
    reader = load_reader(name)
    assert reader.adapter.encoder == load().encoder("en")
    assert reader.told.shape == reader.nowhere.shape == (DIMENSIONS,)
    shapes = {(change.left.shape[0], change.right.shape[1]) for change in reader.adapter.changes}
    assert shapes == {(DIMENSIONS, DIMENSIONS), (DIMENSIONS, 4 * DIMENSIONS), (4 * DIMENSIONS, DIMENSIONS)}
    ranks = {change.left.shape[1] - change.right.shape[0] for change in reader.adapter.changes}
    assert (len(reader.adapter.changes), ranks) == (36, {0})
