"""How far the words of one text stand in another one, by meaning."""

from collections.abc import Sequence
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from calibrant.judges.free.comparing.overlap_measures import pieces, share_held, share_of_pairs
from calibrant.judges.free.comparing.reading import read
from calibrant.state.task import Language

COSINES = {"halts": (1.0, 0.0), "stops": (0.8, 0.6), "queue": (0.0, 1.0)}


class Toy:
    """Two directions: the words of ``COSINES`` where they are given, other words at right angles to all of them."""

    identity = "toy"

    def encode_tokens(self, texts: Sequence[str]) -> list[Any]:
        return [self._encode(text) for text in texts]

    def _encode(self, text: str) -> SimpleNamespace:
        words = text.rstrip(".").split()
        starts = np.cumsum([0] + [len(word) + 1 for word in words])
        offsets = [(int(start), int(start) + len(word)) for start, word in zip(starts, words, strict=False)]
        vectors = np.zeros((len(words), 3), dtype=np.float32)
        for row, word in enumerate(words):
            vectors[row] = (*COSINES.get(word, (0.0, 0.0)), float(word not in COSINES))
        return SimpleNamespace(offsets=offsets, vectors=vectors, pooled=vectors.sum(axis=0))


def held(wanted: str, told: str) -> float | None:
    return share_held([read(wanted, Language.ENGLISH)], [read(told, Language.ENGLISH)], Toy())


def test_a_repeated_text_is_held_whole_and_a_close_word_in_part() -> None:
    assert held("halts queue", "queue halts") == pytest.approx(1.0)
    assert held("halts", "stops") == pytest.approx((0.8 - 0.3) / 0.7)
    assert held("halts", "banana") == 0.0


def test_without_words_there_is_nothing_to_hold_and_nothing_to_hold_it() -> None:
    assert held("", "halts") is None
    assert held("halts", "") == 0.0


def test_long_texts_are_read_in_pieces_and_nothing_is_lost() -> None:
    text = " ".join(f"The queue number {number} halts when it has no more jobs." for number in range(60))
    found = pieces(text, Language.ENGLISH)
    assert len(found) > 1
    assert max(len(one.text) for one in found) <= 900
    assert " ".join(one.text for one in found) == text


@pytest.mark.parametrize(
    ("text", "share"),
    [
        ("The queue halts at night.", 1.0),
        ("At night the queue halts.", 0.75),
        ("The night halts the queue.", 0.25),
        ("Night.", None),
    ],
)
def test_the_pairs_of_words_of_a_claim_that_was_put_together_anew_are_not_held(text: str, share: float | None) -> None:
    assert share_of_pairs(text, ["In spring the queue halts at night.", "Nothing else."]) == share
