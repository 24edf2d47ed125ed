"""How far the words of one text stand in another one: by meaning (late interaction without a threshold), or as pairs of
neighbours, word for word."""

from collections.abc import Iterable, Sequence
from itertools import pairwise

import numpy as np

from calibrant.judges.free.comparing.alignment import NAME_WEIGHT, word_vectors
from calibrant.judges.free.comparing.reading import Reading, read
from calibrant.judges.free.words.text import sentences, tokens
from calibrant.state.protocols import TokenEncoder
from calibrant.state.task import Language

_UNRELATED = 0.3
"""Cosine of the best match that a word finds among words about something else: it counts as nothing held."""
_PIECE = 900
"""Characters that are encoded at once: an encoder reads some 256 tokens."""


def pieces(text: str, language: Language) -> tuple[Reading, ...]:
    """The text as readings of whole sentences, each short enough to be encoded at once."""
    out: list[str] = []
    for sentence in sentences(text):
        if out and len(out[-1]) + len(sentence.text) < _PIECE:
            out[-1] = f"{out[-1]} {sentence.text}"
        else:
            out.append(sentence.text)
    return tuple(read(piece, language) for piece in out)


def share_held(wanted: Sequence[Reading], told: Sequence[Reading], encoder: TokenEncoder) -> float | None:
    """The mean over the words of ``wanted`` of their best match in ``told``, 0..1, names twice; None without words."""
    if not any(one.words for one in wanted):
        return None
    vectors = word_vectors(encoder, [*wanted, *told])
    rows = [vectors[one.text, one.language] for one in told if one.words]
    if not rows:
        return 0.0
    field = np.vstack(rows)
    best = np.concatenate([(vectors[one.text, one.language] @ field.T).max(axis=1) for one in wanted if one.words])
    scaled = np.clip((best - _UNRELATED) / (1.0 - _UNRELATED), 0.0, 1.0)
    weights = [NAME_WEIGHT if word.name else 1.0 for one in wanted for word in one.words]
    return float(np.average(scaled, weights=weights))


def share_of_pairs(text: str, passages: Iterable[str]) -> float | None:
    """The share of the pairs of neighbouring words of ``text`` that stand in ``passages``; None for a single word.

    ROUGE-2's precision (Lin 2004): a claim whose words all occur, but never side by side, was put together anew.
    """
    held = {pair for passage in passages for pair in _neighbours(passage)}
    mine = _neighbours(text)
    return sum(pair in held for pair in mine) / len(mine) if mine else None


def _neighbours(text: str) -> list[tuple[str, str]]:
    return list(pairwise(token.word for token in tokens(text)))
