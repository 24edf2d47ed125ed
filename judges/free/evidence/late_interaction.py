"""Late interaction: each token of the question finds its best match among the tokens of a sentence (ColBERT's MaxSim).

A passage is encoded once, with its title in front; a sentence's token vectors are cut out of it. So a sentence is
compared in its context, and nothing is encoded twice.
Shapes: q question tokens, t passage tokens, d dimensions.
"""

import re
import threading
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from calibrant.judges.free.evidence.query import Query, left_open
from calibrant.judges.free.words.text import Sentence
from calibrant.state.errors import ConfigurationError
from calibrant.state.protocols import Adaptable, Adapter, CrossEncoder, TokenEncoder, TokenVectors

Floats = NDArray[np.float64]

LATE_SENTENCE = (
    "s_late", "s_late_min", "s_late_names", "s_late_rest", "s_all", "s_all_rest", "s_wh", "s_pool", "s_pool_rest",
)  # fmt: skip
"""``late``: over the weighted terms; ``all``: over all tokens alike; ``pool``: the cosine of means; ``rest``: what the
title leaves open against the sentence's own tokens; ``wh``: the question word's best match in the sentence, or without
one the mean of all that is open."""
LATE_PASSAGE = ("p_late", "p_late_min", "p_late_rest", "p_all", "p_pool")

WINDOW = 1000
"""Characters encoded together: what fits into the 256 tokens of the model, for prose and for code."""
_QUESTION_WORD = re.compile(r"\b(?:who|whom|whose|what|which|when|where|why|how)\b", re.IGNORECASE)
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

    def adapted(self, adapter: Adapter) -> CrossEncoder | None:
        """The encoder's own weights changed by ``adapter``; None where they are others, or cannot be changed."""
        if not isinstance(self._encoder, Adaptable):
            return None
        try:
            return self._encoder.adapted(adapter)
        except ConfigurationError:
            return None


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


@dataclass(frozen=True)
class Asked:
    """A question's tokens as a passage under a title sees them; each field has one entry per token (q)."""

    tokens: TokenVectors
    vectors: Floats
    weights: Floats
    names: Floats
    """``weights`` of names, identifiers and numbers; 0 elsewhere."""
    rest: Floats
    """``weights`` of the terms that the title leaves open; 0 elsewhere."""
    open: NDArray[np.bool_]
    """Every token but those of the terms that the title says."""
    wh: NDArray[np.bool_]


def _asked_under(query: Query, tokens: TokenVectors, title: frozenset[str]) -> Asked:
    """``query`` by its ``tokens``, asked of a passage under a title with the keys ``title``."""
    weights, names, rest = np.zeros((3, len(tokens.offsets)))
    titled = np.zeros(len(weights), dtype=bool)
    still_open = left_open(query, title)
    before = len(query.scene)
    for term, start, end in query.spans:
        inside = _inside(tokens, before + start, before + end)
        weights[inside] = term.weight / max(int(inside.sum()), 1)
        names[inside] = weights[inside] * term.is_name
        is_open = term in still_open
        rest[inside] = weights[inside] * is_open
        titled |= inside & (not is_open)
    if not weights.any():
        weights = rest = np.ones(len(weights))
    word = _QUESTION_WORD.search(query.whole, before)
    wh = _inside(tokens, *word.span()) if word else np.zeros(len(weights), dtype=bool)
    return Asked(tokens, np.asarray(tokens.vectors, dtype=np.float64), weights, names, rest, ~titled, wh)


def _inside(tokens: TokenVectors, start: int, end: int) -> NDArray[np.bool_]:
    return np.array([left >= start and right <= end for left, right in tokens.offsets], dtype=bool)


def late_features(
    query: Query,
    tokens: TokenVectors,
    title: frozenset[str],
    parts: Sequence[Window],
    encoded: Sequence[TokenVectors],
    count: int,
) -> tuple[Floats, Floats]:
    """``LATE_SENTENCE`` features of each sentence, ``LATE_PASSAGE`` features of the passage (its best window's).

    ``tokens``: the question's; ``title``: the keys of what stands above the passage.
    """
    asked = _asked_under(query, tokens, title)
    sentences = np.zeros((count, len(LATE_SENTENCE)))
    passage = np.zeros((max(len(parts), 1), len(LATE_PASSAGE)))
    for row, (window, held) in enumerate(zip(parts, encoded, strict=True)):
        vectors = np.asarray(held.vectors, dtype=np.float64)
        matches = asked.vectors @ vectors.T
        places = np.asarray(held.offsets, dtype=np.int64).reshape(-1, 2)
        titled = places[:, 1] <= window.prefix
        passage[row] = _of_passage(asked, held, matches, titled)
        for number, start, end in window.places:
            own = (places[:, 0] >= start) & (places[:, 1] <= end)
            if own.any():
                sentences[number] = _of_sentence(asked, vectors, matches, own, own | titled)
    return sentences, passage.max(axis=0)


def _of_passage(asked: Asked, held: TokenVectors, matches: Floats, titled: NDArray[np.bool_]) -> list[float]:
    best, untitled = _best(matches, np.ones_like(titled)), _best(matches, ~titled)
    return [
        _mean(best, asked.weights),
        _least(best, asked.weights),
        _mean(untitled, asked.rest),
        float(best.mean()),
        float(np.dot(asked.tokens.pooled, held.pooled)),
    ]


def _of_sentence(
    asked: Asked, vectors: Floats, matches: Floats, own: NDArray[np.bool_], seen: NDArray[np.bool_]
) -> list[float]:
    """``own``: the tokens of the sentence; ``seen``: those of the title too."""
    with_title, alone = _best(matches, seen), _best(matches, own)
    left = float(alone[asked.open].mean()) if asked.open.any() else float(alone.mean())
    return [
        _mean(with_title, asked.weights),
        _least(with_title, asked.weights),
        _mean(with_title, asked.names) if asked.names.any() else 1.0,
        _mean(alone, asked.rest),
        float(with_title.mean()),
        left,
        float(alone[asked.wh].max()) if asked.wh.any() else left,
        cosine(np.asarray(asked.tokens.pooled), vectors[seen].mean(axis=0)),
        cosine(asked.vectors[asked.open if asked.open.any() else slice(None)].mean(axis=0), vectors[own].mean(axis=0)),
    ]


def _best(matches: Floats, which: NDArray[np.bool_]) -> Floats:
    """Each question token's best match among some tokens; 0 without any."""
    best: Floats = matches[:, which].max(axis=1) if which.any() else np.zeros(len(matches))
    return best


def _mean(best: Floats, weights: Floats) -> float:
    return float(best @ weights / weights.sum()) if weights.any() else 0.0


def _least(best: Floats, weights: Floats) -> float:
    """The worst match of a token that counts."""
    return float(best[weights > 0].min()) if weights.any() else 0.0


def cosine(one: Floats | NDArray[np.float32], other: Floats | NDArray[np.float32]) -> float:
    """How far two vectors point the same way, -1..1; 0 where one has no length."""
    return float(one @ other / max(float(np.linalg.norm(one) * np.linalg.norm(other)), 1e-9))
