"""Where the answer may stand: how likely each word of a passage is part of what the question asks for.

Late interaction says whether a sentence is about the question's words; this says whether it holds a thing of the kind
that is wanted, near them: of "In 1950 the bridge was rebuilt" only "1950" answers "When was it rebuilt?". A small
network over frozen token vectors, fitted by ``evals/fit_spans.py`` to where people marked answers, and to questions
without one.

Shapes: q question tokens, t passage tokens, d dimensions, k kinds, h hidden units.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Numbers = NDArray[np.int64]

REACH = 12
"""Tokens on either side within which the words of a question count as near."""
LEAST, MOST = -6.0, 6.0
"""Log odds are cut off there: text unlike what the network was fitted to must not decide by this alone."""


@dataclass(frozen=True, eq=False)
class SpanModel:
    """The fitted numbers. ``encoder``: identity of the embeddings that they belong to."""

    encoder: str
    attend: Floats
    """d x 2: which question tokens say what kind of answer is wanted (two looks)."""
    wanted: Floats
    """2d x k: those tokens as kinds of answer."""
    kinds: Floats
    """d x k: a passage token as kinds of answer."""
    plain: Floats
    """d: how far a token is like parts of answers, whatever is asked."""
    weigh: Floats
    """d: how much a question token counts when it is looked for in the passage."""
    hidden: Floats
    """5 x h, over what ``_signs`` gives for a token; ``hidden_bias`` (h) and ``out`` (h) belong to it."""
    hidden_bias: Floats
    out: Floats
    direct: Floats
    """5: from the same straight to the score."""
    nowhere: float
    """The score of there being no answer."""


def span_odds(
    model: SpanModel, question: Floats, weights: Floats, passage: Floats, sentence_of: Numbers, count: int
) -> Floats:
    """For each of ``count`` sentences the log odds that the answer stands in it, within ``LEAST``..``MOST``.

    ``question`` (q x d) and ``passage`` (t x d): unit token vectors; ``weights`` (q): of the question's terms;
    ``sentence_of`` (t): each passage token's sentence, -1 for those of the title, which hold no answer.
    """
    odds = np.full(count, LEAST)
    signs = _signs(model, question, weights, passage, sentence_of)
    scores = signs @ model.direct + np.tanh(signs @ model.hidden + model.hidden_bias) @ model.out
    for number in np.unique(sentence_of[sentence_of >= 0]):
        own = scores[sentence_of == number]
        odds[number] = own.max() + np.log(np.exp(own - own.max()).sum()) - model.nowhere
    clipped: Floats = odds.clip(LEAST, MOST)
    return clipped


def _signs(model: SpanModel, question: Floats, weights: Floats, passage: Floats, sentence_of: Numbers) -> Floats:
    """t x 5, for each token: of the kind wanted, like any answer, the question's words near it, itself one of them,
    the question's words in its sentence."""
    matches = passage @ question.T
    counts = weights * np.exp(question @ model.weigh)
    counts = counts / max(float(counts.sum()), 1e-6)
    return np.stack(
        [
            passage @ model.kinds @ _kinds_wanted(model, question),
            passage @ model.plain,
            _near(matches, REACH) @ counts,
            matches.max(axis=1),
            _in_sentence(matches, sentence_of) @ counts,
        ],
        axis=1,
    )


def _kinds_wanted(model: SpanModel, question: Floats) -> Floats:
    """k: the kinds of answer that a question wants."""
    looks = question @ model.attend
    shares = np.exp(looks - looks.max(axis=0))
    wanted: Floats = ((shares / shares.sum(axis=0)).T @ question).ravel() @ model.wanted
    return wanted


def _near(matches: Floats, reach: int) -> Floats:
    """t x q: the best match of each question token within ``reach`` tokens on either side."""
    padded = np.pad(matches, ((reach, reach), (0, 0)), constant_values=-1.0)
    near: Floats = np.lib.stride_tricks.sliding_window_view(padded, 2 * reach + 1, axis=0).max(axis=-1)
    return near


def _in_sentence(matches: Floats, sentence_of: Numbers) -> Floats:
    """t x q: the best match of each question token in a token's own sentence."""
    best = np.zeros_like(matches)
    for number in np.unique(sentence_of):
        own = sentence_of == number
        best[own] = matches[own].max(axis=0)
    return best


def sentence_of(offsets: Sequence[tuple[int, int]], places: Sequence[tuple[int, int, int]]) -> Numbers:
    """t: the number of the sentence in which each token lies, -1 where in none. ``places``: number, start, end."""
    spans = np.asarray(offsets, dtype=np.int64).reshape(-1, 2)
    numbers = np.full(len(spans), -1, dtype=np.int64)
    for number, start, end in places:
        numbers[(spans[:, 0] >= start) & (spans[:, 1] <= end)] = number
    return numbers
