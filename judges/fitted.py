"""The fitted numbers, each file read once: logistic models and general document frequencies (``fitted.json``), the
readers of where answers stand (``fitted_reader.npz``, ``fitted_sections.npz``), and that of what follows from what
(``fitted_inference.npz``).

``sufficiency.py``, ``reader.py`` and ``inference.py`` in ``evals/fitting/`` write them and say what they were fitted
on.
"""

import hashlib
import io
import json
import math
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from typing import Any

import numpy as np
from numpy.typing import NDArray

from calibrant.judges.free.evidence.inference import Inference
from calibrant.judges.free.evidence.reader import Reader
from calibrant.state.protocols import Adapter, LowRank

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Scale:
    """From a model's log odds to the score that thresholds compare: ``low`` scores 0.5, ``high`` scores 0.9.

    The two anchors are operating points chosen on data (see ``fitted.json``), since the datasets' own mix of answerable
    and unanswerable questions, the latter written to look answerable, is not the mix that a user asks.
    """

    low: float = 0.0
    high: float = math.log(9.0)

    def score(self, logit: float) -> float:
        """0..1, rising with ``logit``."""
        steep = math.log(9.0) / max(self.high - self.low, 1e-6)
        return 1.0 / (1.0 + math.exp(-max(-30.0, min(30.0, steep * (logit - self.low)))))


@dataclass(frozen=True)
class Logistic:
    """A logistic regression over named, standardised features."""

    features: tuple[str, ...]
    means: Floats
    scales: Floats
    coefs: Floats
    intercept: float
    scale: Scale = Scale()
    encoder: str = ""
    """Identity of the encoder whose vectors the features came from; empty for a lexical model."""

    def logits(self, rows: Floats) -> Floats:
        """Log odds, one per row of ``rows`` (n x features)."""
        out: Floats = ((rows - self.means) / self.scales) @ self.coefs + self.intercept
        return out


@dataclass(frozen=True)
class Fitted:
    """Models named ``head.kind.language``: ``passage`` (does it answer?), ``single`` (does this bare sentence answer?)
    and ``sentence`` (is it the answer?)."""

    models: dict[str, Logistic]

    def model(self, head: str, language: str, has_encoder: bool = False) -> Logistic:
        """The model of one head. Raises ``KeyError`` where there is none: see ``encoder``."""
        return self.models[f"{head}.{'encoder' if has_encoder else 'lexical'}.{language}"]

    def head(self, is_bare: bool, language: str) -> str:
        """Which head judges a passage: ``single`` for a bare sentence, where one is fitted to the language.

        Bare: one sentence with no title above it, as ``single`` was fitted. Among titled passages of several sentences
        its scores would outrun theirs.
        """
        return "single" if is_bare and f"single.lexical.{language}" in self.models else "passage"

    def encoder(self, language: str) -> str:
        """Identity of the encoder that the models of ``language`` can use; empty where none helps."""
        held = self.models.get(f"passage.encoder.{language}")
        return held.encoder if held else ""


@lru_cache(maxsize=1)
def load() -> Fitted:
    """The models that ship with the package."""
    raw = _raw()
    return Fitted({name: _logistic(model) for name, model in raw["models"].items()})


READER, SECTIONS = "fitted_reader.npz", "fitted_sections.npz"


@lru_cache(maxsize=2)
def load_reader(name: str) -> Reader:
    """The reader called ``READER``, or ``SECTIONS`` for those of longer documents, as it ships with the package."""
    return reader(files("calibrant.judges").joinpath(name).read_bytes())


def reader(content: bytes) -> Reader:
    """From the file that ``evals/fitting/reader.py`` writes: an array of whole numbers and a scale for each.

    ``left:N`` and ``right:N`` belong to the matrix that starts with ``first:N``; ``meta`` is JSON.
    """
    adapter, heads, meta = _adapted(content)
    return Reader(adapter, heads["told"], heads["nowhere"], meta["threshold"])


@lru_cache(maxsize=1)
def load_inference() -> Inference:
    """What tells whether one text follows from another or is contradicted by it, as it ships with the package."""
    return inference(files("calibrant.judges").joinpath("fitted_inference.npz").read_bytes())


def inference(content: bytes) -> Inference:
    """From the file that ``evals/fitting/inference.py`` writes, kept as the reader's is."""
    adapter, heads, _ = _adapted(content)
    return Inference(adapter, heads["weights"], heads["biases"])


def _adapted(content: bytes) -> tuple[Adapter, dict[str, Floats], dict[str, Any]]:
    """The adapter of a file, the heads on it by name, and what else it says."""
    with np.load(io.BytesIO(content), allow_pickle=False) as held:
        meta = json.loads(str(held["meta"]))
        arrays = {name: held[name] * np.float32(meta["scales"][name]) for name in meta["scales"]}
    changes = tuple(
        LowRank(tuple(first), arrays[f"left:{place}"], arrays[f"right:{place}"])
        for place, first in enumerate(meta["first"])
    )
    heads = {name: array.astype(np.float64) for name, array in arrays.items() if ":" not in name}
    return Adapter(hashlib.sha256(content).hexdigest()[:12], meta["encoder"], changes), heads, meta


@lru_cache(maxsize=4)
def frequencies(language: str) -> dict[str, float]:
    """The share of general texts that hold a stem, for the frequent ones. Rare stems are not listed."""
    table: dict[str, int] = _raw()["per_ten_thousand"].get(language, {})
    return {word: count / 10_000 for word, count in table.items()}


@lru_cache(maxsize=1)
def _raw() -> dict[str, Any]:
    held: dict[str, Any] = json.loads(_text("fitted.json"))
    return held


def _text(name: str) -> str:
    return files("calibrant.judges").joinpath(name).read_text(encoding="utf-8")


def _logistic(raw: dict[str, Any]) -> Logistic:
    return Logistic(
        features=tuple(raw["features"]),
        means=np.asarray(raw["means"]),
        scales=np.asarray(raw["scales"]),
        coefs=np.asarray(raw["coefs"]),
        intercept=float(raw["intercept"]),
        scale=Scale(**raw["scale"]),
        encoder=raw.get("encoder", ""),
    )
