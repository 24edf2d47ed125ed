"""Suspicion: what its features measure, and what it makes of them."""

import json
import math

import pytest

from calibrant.judges.free.comparing.alignment import Alignment, align, word_vectors
from calibrant.judges.free.comparing.reading import read
from calibrant.judges.free.comparing.suspicion import FEATURES, FITTED, MOST, RELATED, features, suspicions
from calibrant.judges.free.evidence.inference import Relation
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


@pytest.mark.parametrize(
    ("kind", "names"), [("by words", FEATURES), ("read together", (*FEATURES, *RELATED))], ids=["words", "read"]
)
def test_the_fitted_numbers_are_for_these_features(kind: str, names: tuple[str, ...]) -> None:
    fitted = json.loads(FITTED.read_text(encoding="utf-8"))[kind]
    assert fitted["features"] == list(names)
    assert len(fitted["weights"]) == len(fitted["mean"]) == len(fitted["scale"]) == len(names)


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


class Told:
    """Reads pairs as it is told to: what the first text makes of the second."""

    def __init__(self, **told: Relation) -> None:
        self.told = told
        self.asked: list[tuple[str, str]] = []

    def relation(self, first: str, second: str) -> Relation:
        self.asked.append((first, second))
        return self.told["long"] if len(first) > len(second) else self.told["short"]


LONG, SHORT = "Harold painted boats and harbours", "Harold painted ships"


def test_both_sentences_are_read_beside_the_other() -> None:
    reads = Told(long=Relation(follows=0.2, contradicts=0.5), short=Relation(follows=0.0, contradicts=1.0))
    one = pair(SHORT, LONG)
    (row,) = features([one], word_vectors(ENCODER, [one.first, one.second]), ENCODER, reads)
    assert row[len(FEATURES) :] == pytest.approx([0.0, math.log(0.25), MOST, -MOST])
    assert RELATED[0] == "denied"
    assert reads.asked == [(LONG, SHORT), (SHORT, LONG)]


def test_what_the_reader_says_raises_a_suspicion() -> None:
    one = pair(SHORT, LONG)
    vectors = word_vectors(ENCODER, [one.first, one.second])
    nothing = Relation(follows=0.1, contradicts=0.1)
    calm = Told(long=Relation(follows=0.9, contradicts=0.05), short=nothing)
    alarmed = Told(long=Relation(follows=0.05, contradicts=0.9), short=nothing)
    low, high = (suspicions([one], vectors, ENCODER, reads)[0] for reads in (calm, alarmed))
    assert low < 0.3 < 0.6 < high


def test_pairs_in_other_languages_are_not_read_together() -> None:
    texts = "Harold pintou barcos", "Harold pintou navios e portos"
    one = align(read(texts[0], Language.PORTUGUESE), read(texts[1], Language.PORTUGUESE))
    vectors = word_vectors(ENCODER, [one.first, one.second])
    reads = Told()
    assert suspicions([one, one], vectors, ENCODER, reads) == suspicions([one, one], vectors, ENCODER)
    assert reads.asked == []


def test_a_rival_is_more_suspect_than_a_repetition() -> None:
    same, rival = (suspicion("Harold painted boats", f"Harold painted {what}") for what in ("boats", "ships"))
    assert 0.0 < same < rival < 1.0
