"""Asks what two texts make of each other, with the embedding model of the other judgements; a pair is read once."""

from functools import lru_cache, partial

from calibrant.judges.fitted import load_inference
from calibrant.judges.free.evidence.inference import Inference, Relation, relations
from calibrant.judges.free.evidence.late_interaction import cached
from calibrant.state.protocols import CrossEncoder, TokenEncoder

KEPT = 2_000
"""Pairs that are remembered."""


class Relating:
    """Reads pairs of texts. Safe between threads."""

    def __init__(self, inference: Inference, pairs: CrossEncoder) -> None:
        self._read = lru_cache(maxsize=KEPT)(partial(_read, inference, pairs))

    def relation(self, first: str, second: str) -> Relation:
        """What ``first`` makes of ``second``. Blocking."""
        return self._read(first, second)


def _read(inference: Inference, pairs: CrossEncoder, first: str, second: str) -> Relation:
    return relations(inference, pairs, first, [second])[0]


def relating(encoder: TokenEncoder | None) -> Relating | None:
    """What reads pairs with ``encoder``; None where it has other weights, or none that can be changed."""
    held = cached(encoder)
    inference = load_inference()
    if held is None or held.identity != inference.adapter.encoder:
        return None
    pairs = held.adapted(inference.adapter)
    return None if pairs is None else Relating(inference, pairs)
