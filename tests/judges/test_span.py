"""Where answers may stand: the network's arithmetic, token by token, and the file that ships."""

import math

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from calibrant.judges.fitted import load, load_spans
from calibrant.judges.free.feat_span import LEAST, MOST, REACH, Floats, Numbers, SpanModel, sentence_of, span_odds

D, K, H = 6, 3, 4


def _model(dice: np.random.Generator) -> SpanModel:
    shapes: dict[str, tuple[int, ...]] = {
        "attend": (D, 2), "wanted": (2 * D, K), "kinds": (D, K), "plain": (D,), "weigh": (D,),
        "hidden": (5, H), "hidden_bias": (H,), "out": (H,), "direct": (5,),
    }  # fmt: skip
    arrays = {name: dice.normal(size=shape) for name, shape in shapes.items()}
    return SpanModel(encoder="test", nowhere=0.5, **arrays)


def _units(dice: np.random.Generator, count: int) -> Floats:
    rows = dice.normal(size=(count, D))
    found: Floats = rows / np.linalg.norm(rows, axis=1, keepdims=True)
    return found


def _by_hand(
    model: SpanModel, question: Floats, weights: Floats, passage: Floats, numbers: Numbers, sentence: int
) -> float:
    """The log odds of one sentence, each token by itself."""
    matches = [[float(word @ asked) for asked in question] for word in passage]
    counts = [float(weight * math.exp(asked @ model.weigh)) for weight, asked in zip(weights, question, strict=True)]
    shares = [count / sum(counts) for count in counts]
    looks = [np.exp(question @ model.attend[:, look]) for look in range(2)]
    wanted = np.concatenate([(look[:, None] * question).sum(axis=0) / look.sum() for look in looks]) @ model.wanted
    total = 0.0
    for at in np.flatnonzero(numbers == sentence):
        near = range(max(0, int(at) - REACH), min(len(passage), int(at) + REACH + 1))
        beside = np.flatnonzero(numbers == sentence)
        signs = np.array(
            [
                (passage[at] @ model.kinds) @ wanted,
                passage[at] @ model.plain,
                sum(share * max(matches[t][q] for t in near) for q, share in enumerate(shares)),
                max(matches[at]),
                sum(share * max(matches[t][q] for t in beside) for q, share in enumerate(shares)),
            ]
        )
        total += math.exp(signs @ model.direct + np.tanh(signs @ model.hidden + model.hidden_bias) @ model.out)
    return min(MOST, max(LEAST, math.log(total) - model.nowhere))


@settings(max_examples=30, deadline=None)
@given(seed=st.integers(0, 10_000), asked=st.integers(1, 5), told=st.integers(2, 60))
def test_a_sentence_is_scored_by_its_tokens(seed: int, asked: int, told: int) -> None:
    dice = np.random.default_rng(seed)
    model, question, passage = _model(dice), _units(dice, asked), _units(dice, told)
    weights = dice.uniform(0.1, 1.0, asked)
    numbers = np.sort(dice.integers(-1, 3, told))
    odds = span_odds(model, question, weights, passage, numbers, 4)
    for sentence in range(3):
        if (numbers == sentence).any():
            assert math.isclose(
                odds[sentence], _by_hand(model, question, weights, passage, numbers, sentence), abs_tol=1e-6
            )
    assert odds[3] == LEAST  # a sentence that was not encoded holds no answer


def test_a_token_belongs_to_the_sentence_that_it_lies_in() -> None:
    offsets = [(0, 5), (7, 10), (11, 14), (16, 20), (19, 22)]
    assert list(sentence_of(offsets, [(0, 7, 14), (3, 16, 20)])) == [-1, 0, 0, 3, -1]


def test_what_ships_belongs_to_the_embeddings_of_the_other_models() -> None:
    model = load_spans()
    assert model.encoder == load().encoder("en")
    assert model.attend.shape == (384, 2)
    assert model.wanted.shape[0] == 2 * 384
    assert model.hidden.shape == (5, len(model.hidden_bias)) == (5, len(model.out))
