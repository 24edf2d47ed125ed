"""Suspicion: what its features measure, and what it makes of them."""

import json

import pytest

from calibrant.judges.free.comparing.alignment import Alignment, align, word_vectors
from calibrant.judges.free.comparing.reading import read
from calibrant.judges.free.comparing.suspicion import FEATURES, FITTED, features, suspicions
from calibrant.state.task import Language
from tests.judges.test_alignment import ToyEncoder

ENCODER = ToyEncoder({})


def pair(first: str, second: str) -> Alignment:
    return align(read(first, Language.ENGLISH), read(second, Language.ENGLISH))


def feature(name: str, first: str, second: str) -> float:
    one = pair(first, second)
    (row,) = features([one], word_vectors(ENCODER, [one.first, one.second]), ENCODER)
    return row[FEATURES.index(name)]


def suspicion(first: str, second: str) -> float:
    one = pair(first, second)
    (found,) = suspicions([one], word_vectors(ENCODER, [one.first, one.second]), ENCODER)
    return found


def test_the_fitted_numbers_are_for_these_features() -> None:
    fitted = json.loads(FITTED.read_text(encoding="utf-8"))
    assert fitted["features"] == list(FEATURES)
    assert len(fitted["weights"]) == len(fitted["mean"]) == len(fitted["scale"]) == len(FEATURES)


@pytest.mark.parametrize(
    ("name", "first", "second", "value"),
    [
        ("rivals", "Harold painted boats", "Harold painted ships", 1.0),
        ("rivals", "Harold painted boats", "Harold painted", 0.0),
        ("left_out", "Harold painted boats", "Harold painted boats", 0.0),
        ("negation_covered", "Harold never painted boats", "Harold painted boats and harbours", 1.0),
        ("negation_covered", "Harold painted boats", "Harold painted boats and harbours", 0.0),
        ("matched", "Harold painted boats", "Harold painted ships", 2.0),
    ],
)
def test_what_a_feature_measures(name: str, first: str, second: str, value: float) -> None:
    assert feature(name, first, second) == pytest.approx(value)


def test_leaving_out_what_the_other_side_does_not_say_brings_two_sentences_closer() -> None:
    assert feature("left_out", "Harold painted boats", "Harold painted ships") > 0.05


def test_a_rival_is_more_suspect_than_a_repetition() -> None:
    same, rival = (suspicion("Harold painted boats", f"Harold painted {what}") for what in ("boats", "ships"))
    assert 0.0 < same < rival < 1.0
