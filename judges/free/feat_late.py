"""Late interaction: each token of the question finds its best match among the tokens of a sentence (ColBERT's MaxSim).

A passage is encoded once, with its title in front; a sentence's token vectors are cut out of it. So a sentence is
compared in its context, and nothing is encoded twice. Shapes: q question tokens, t passage tokens, d dimensions.
"""

import threading
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from calibrant.judges.free.feat_lexical import Query
from calibrant.judges.free.text import Sentence
from calibrant.state.protocols import TokenEncoder, TokenVectors

Floats = NDArray[np.float64]

LATE_SENTENCE = ("s_late", "s_late_min", "s_late_own", "s_pool_own", "s_pool")
LATE_PASSAGE = ("p_late", "p_late_min", "p_pool")

WINDOW = 1000
"""Characters encoded together: what fits into the 256 tokens of the model, for prose and for code."""
_HELD = 128
_CODE_LINE = 160


class CachedEncoder:
    """A token encoder that remembers the last texts. Shared by the judges of one graph; safe between threads."""

    def __init__(self, encoder: TokenEncoder, held: int = _HELD) -> None:
        self.identity = encoder.identity
        self._encoder = encoder
        self._held = held
        self._found: OrderedDict[str, TokenVectors] = OrderedDict()
        self._lock = threading.Lock()

    def encode_tokens(self, texts: Sequence[str]) -> list[TokenVectors]:
        """One ``TokenVectors`` per text; only texts not seen lately are encoded."""
        with self._lock:
            known = {text: self._found[text] for text in texts if text in self._found}
        new = [text for text in dict.fromkeys(texts) if text not in known]
        if new:
            known.update(zip(new, self._encoder.encode_tokens(new), strict=True))
        with self._lock:
            for text in texts:
                self._found[text] = known[text]
                self._found.move_to_end(text)
            while len(self._found) > self._held:
                self._found.popitem(last=False)
        return [known[text] for text in texts]


def cached(encoder: TokenEncoder | None) -> CachedEncoder | None:
    """``encoder`` with a memory (its own, if it has one)."""
    return encoder if encoder is None or isinstance(encoder, CachedEncoder) else CachedEncoder(encoder)


@dataclass(frozen=True)
class Window:
    """A run of sentences that is encoded together, with the title in front (``prefix`` characters)."""

    text: str
    prefix: int
    places: tuple[tuple[int, int, int], ...]
    """For each sentence its number in the passage, and where it starts and ends in ``text``."""


def windows(found: Sequence[Sentence], title: str) -> list[Window]:
    """The sentences in runs of at most ``WINDOW`` characters. Of code only the first line is compared."""
    prefix = f"{title}: " if title else ""
    out: list[Window] = []
    text, places = prefix, list[tuple[int, int, int]]()
    for number, sentence in enumerate(found):
        body = shown(sentence)
        if places and len(text) - len(prefix) + len(body) > WINDOW:
            out.append(Window(text, len(prefix), tuple(places)))
            text, places = prefix, []
        places.append((number, len(text), len(text) + len(body)))
        text += body + " "
    return [*out, Window(text, len(prefix), tuple(places))] if places else out


def shown(sentence: Sentence) -> str:
    """What of a sentence is encoded: code bodies would fill the window and are never quoted."""
    if sentence.kind != "code":
        return sentence.text[:WINDOW]
    return sentence.text.strip().splitlines()[0][:_CODE_LINE]


def late_features(
    query: Query,
    asked: TokenVectors,
    parts: Sequence[Window],
    encoded: Sequence[TokenVectors],
    count: int,
) -> tuple[Floats, Floats]:
    """``LATE_SENTENCE`` features of each sentence, ``LATE_PASSAGE`` features of the passage (its best window's)."""
    weights = _weights(query, asked)
    sentences = np.zeros((count, len(LATE_SENTENCE)))
    passage = np.zeros((max(len(parts), 1), len(LATE_PASSAGE)))
    for row, (window, vectors) in enumerate(zip(parts, encoded, strict=True)):
        matches = np.asarray(asked.vectors, dtype=np.float64) @ np.asarray(vectors.vectors, dtype=np.float64).T
        spans = np.asarray(vectors.offsets, dtype=np.int64).reshape(-1, 2)
        passage[row] = [*_late(matches, weights), float(np.dot(asked.pooled, vectors.pooled))]
        titled = spans[:, 1] <= window.prefix
        for number, start, end in window.places:
            own = (spans[:, 0] >= start) & (spans[:, 1] <= end)
            sentences[number] = _of_sentence(asked, vectors, matches, weights, own, own | titled)
    return sentences, passage.max(axis=0)


def _of_sentence(
    asked: TokenVectors,
    vectors: TokenVectors,
    matches: Floats,
    weights: Floats,
    own: NDArray[np.bool_],
    seen: NDArray[np.bool_],
) -> list[float]:
    """``own``: the tokens of the sentence; ``seen``: those of the title too."""
    if not own.any():
        return [0.0] * len(LATE_SENTENCE)
    pooled = [_similar(asked, vectors, which) for which in (own, seen)]
    return [*_late(matches[:, seen], weights), _late(matches[:, own], weights)[0], *pooled]


def _similar(asked: TokenVectors, vectors: TokenVectors, which: NDArray[np.bool_]) -> float:
    """The cosine of the question and of the mean of some tokens."""
    mean = np.asarray(vectors.vectors, dtype=np.float64)[which].mean(axis=0)
    return float(np.dot(asked.pooled, mean) / max(float(np.linalg.norm(mean)), 1e-9))


def _late(matches: Floats, weights: Floats) -> tuple[float, float]:
    """The weighted mean and the minimum, over the question's weighted tokens, of each one's best match."""
    if matches.shape[1] == 0 or not weights.any():
        return 0.0, 0.0
    best = matches.max(axis=1)
    return float(best @ weights / weights.sum()), float(best[weights > 0].min())


def _weights(query: Query, asked: TokenVectors) -> Floats:
    """The weight of each question token: its term's, shared among the term's tokens; all alike without terms."""
    weights = np.zeros(len(asked.offsets))
    for term, start, end in query.spans:
        inside = [place for place, (left, right) in enumerate(asked.offsets) if left >= start and right <= end]
        weights[inside] = term.weight / max(len(inside), 1)
    return weights if weights.any() else np.ones(len(asked.offsets))
