"""Token vectors of the fitting data, kept on disk: encoding them takes minutes, fitting over them seconds."""

import hashlib
import pickle
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from calibrant.state.protocols import TokenVectors


@dataclass
class Stored:
    """Token vectors as kept on disk."""

    words: Sequence[str]
    word_of: Sequence[int]
    offsets: Sequence[tuple[int, int]]
    vectors: Any
    pooled: Any


class DiskEncoder:
    """The encoder with its vectors kept on disk (half precision), so that a second fit takes seconds."""

    def __init__(self, model: Path, cache: Path) -> None:
        from calibrant.retrievers.embedder import MiniLM

        self._encoder = MiniLM.open(model)
        self.identity = self._encoder.identity
        self._path = cache / "vectors"
        self._path.mkdir(parents=True, exist_ok=True)

    def encode_tokens(self, texts: Sequence[str]) -> list[TokenVectors]:
        return [self._one(text) for text in texts]

    def _one(self, text: str) -> TokenVectors:
        path = self._path / hashlib.sha256(text.encode()).hexdigest()[:24]
        if path.exists():
            held: TokenVectors = pickle.loads(path.read_bytes())  # noqa: S301 - our own file
            return held
        found = self._encoder.encode_tokens([text])[0]
        stored = Stored(
            tuple(found.words),
            tuple(found.word_of),
            tuple(found.offsets),
            found.vectors.astype(np.float16),
            found.pooled,
        )
        path.write_bytes(pickle.dumps(stored))
        return stored
