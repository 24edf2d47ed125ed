"""What one text makes of another: from the vectors of a pair read together to how likely it follows or contradicts."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from calibrant.judges.fitted import load, load_inference
from calibrant.judges.free.evidence.inference import Inference, Relation, relations
from calibrant.state.protocols import Adapter

WEIGHTS = np.array([[1.0, 0.0], [0.0, 1.0], [0.0, 0.0]])
FITTED = Inference(Adapter("test", "test", ()), np.hstack([WEIGHTS, WEIGHTS]), np.array([0.0, 0.0, 0.5]))


@dataclass
class Read:
    vectors: Any
    whole: Any
    offsets: Sequence[tuple[int, int]] = ()


@dataclass
class Pairs:
    """Reads each second text as it is told to."""

    read: dict[str, Read]
    asked: list[str] = field(default_factory=list)

    def encode_pairs(self, first: str, seconds: Sequence[str]) -> list[Read]:
        self.asked.append(first)
        return [self.read[one] for one in seconds]


def related(vectors: Sequence[Sequence[float]], whole: Sequence[float]) -> Relation:
    read = Read(np.asarray(vectors).reshape(-1, 2), np.asarray(whole))
    (found,) = relations(FITTED, Pairs({"b": read}), "a", ["b"])
    return found


def test_the_scores_are_of_the_pair_and_of_the_mean_of_the_second_texts_tokens() -> None:
    found = related([[1.0, 0.0], [0.0, 2.0]], [0.25, 0.5])
    scores = [0.25 + 0.5, 0.5 + 1.0, 0.5]
    total = sum(math.exp(score) for score in scores)
    assert math.isclose(found.follows, math.exp(scores[0]) / total)
    assert math.isclose(found.contradicts, math.exp(scores[1]) / total)


@given(st.lists(st.tuples(st.floats(-50, 50), st.floats(-50, 50)), max_size=5), st.floats(-50, 50))
def test_likelihoods_are_shares(vectors: list[tuple[float, float]], whole: float) -> None:
    found = related(vectors, [whole, -whole])
    assert 0.0 <= found.follows <= 1.0
    assert 0.0 <= found.contradicts <= 1.0
    assert found.follows + found.contradicts <= 1.0 + 1e-9


def test_what_was_not_read_says_nothing() -> None:
    assert related([], [50.0, 50.0]) == Relation(0.0, 0.0)


def test_nothing_is_read_for_no_texts() -> None:
    pairs = Pairs({})
    assert relations(FITTED, pairs, "a", []) == []
    assert pairs.asked == []


def test_what_ships_belongs_to_the_embeddings_of_the_other_models() -> None:
    found = load_inference()
    assert found.adapter.encoder == load().encoder("en")
    assert found.weights.shape == (3, 2 * 384)
    assert found.biases.shape == (3,)
    assert len(found.adapter.changes) == 36
