"""What reads two texts together: made of the embedding model where its weights are the right ones, and asked once."""

from collections.abc import Sequence
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from calibrant.judges.fitted import load_inference
from calibrant.judges.free.comparing.relating import relating
from calibrant.judges.free.evidence.inference import Inference, relations
from calibrant.state.errors import ConfigurationError
from calibrant.state.protocols import Adapter


class Encoder:
    """An embedding model that can be changed, or says that the adapter belongs to another."""

    def __init__(self, identity: str, *, changes: bool = True) -> None:
        self.identity = identity
        self.changes = changes
        self.asked: list[tuple[str, Sequence[str]]] = []

    def encode_tokens(self, texts: Sequence[str]) -> list[Any]:
        raise AssertionError(texts)

    def adapted(self, adapter: Adapter) -> "Encoder":
        assert adapter is load_inference().adapter
        if not self.changes:
            raise ConfigurationError("the adapter belongs to other weights")
        return self

    def encode_pairs(self, first: str, seconds: Sequence[str]) -> list[Any]:
        self.asked.append((first, seconds))
        rows = np.full((1, 384), float(len(first)))
        return [SimpleNamespace(offsets=[(0, 1)], vectors=rows, whole=rows[0]) for _ in seconds]


KNOWN = load_inference().adapter.encoder


def test_a_pair_is_read_once_and_each_direction_by_itself() -> None:
    encoder = Encoder(KNOWN)
    reads = relating(encoder)
    assert reads is not None
    found = [reads.relation(*pair) for pair in (("a", "bc"), ("a", "bc"), ("bc", "a"))]
    assert encoder.asked == [("a", ["bc"]), ("bc", ["a"])]
    assert found[0] == found[1] == relations(load_inference(), encoder, "a", ["bc"])[0]
    assert found[2] == relations(load_inference(), encoder, "bc", ["a"])[0] != found[0]


@pytest.mark.parametrize("encoder", [None, Encoder("another model"), Encoder(KNOWN, changes=False)])
def test_without_the_weights_that_it_was_fitted_to_nothing_is_read(encoder: Encoder | None) -> None:
    assert relating(encoder) is None


def test_the_fitted_numbers_are_read_once() -> None:
    found: Inference = load_inference()
    assert load_inference() is found
