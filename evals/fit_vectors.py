"""What the fits over token vectors share: the vectors, kept on disk (encoding takes minutes, fitting over them
seconds), and the command line."""

import argparse
import hashlib
import pickle
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from calibrant.state.protocols import Adapter, CrossEncoder, PairVectors, TokenVectors


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

    def adapted(self, adapter: Adapter) -> CrossEncoder:
        """What is read in pairs is kept too."""
        return DiskPairs(self._encoder.adapted(adapter), self._path / adapter.name)

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


@dataclass
class StoredPair:
    """Of a pair of texts: the second's tokens, as kept on disk."""

    offsets: Sequence[tuple[int, int]]
    vectors: Any
    whole: Any


class DiskPairs:
    """The cross-encoder with its vectors kept on disk (half precision)."""

    def __init__(self, pairs: CrossEncoder, path: Path) -> None:
        self._pairs = pairs
        self._path = path
        self._path.mkdir(parents=True, exist_ok=True)

    def encode_pairs(self, first: str, seconds: Sequence[str]) -> list[PairVectors]:
        return [self._one(first, second) for second in seconds]

    def _one(self, first: str, second: str) -> PairVectors:
        path = self._path / hashlib.sha256(f"{first}\0{second}".encode()).hexdigest()[:24]
        if path.exists():
            held: PairVectors = pickle.loads(path.read_bytes())  # noqa: S301 - our own file
            return held
        found = self._pairs.encode_pairs(first, [second])[0]
        stored = StoredPair(found.offsets, found.vectors.astype(np.float16), found.whole.astype(np.float16))
        path.write_bytes(pickle.dumps(stored))
        return stored


def fit_options(doc: str | None, file: Path, *, needs_model: bool = False) -> argparse.Namespace:
    """``model``, ``cache`` and ``write`` of a command that fits ``file``; ``doc`` is its module's."""
    parser = argparse.ArgumentParser(description=(doc or "").partition("\n")[0])
    parser.add_argument("--model", type=Path, required=needs_model, help="folder of the embedding model")
    parser.add_argument("--cache", type=Path, default=Path("/tmp/calibrant-fit"), help="where token vectors are kept")  # noqa: S108
    parser.add_argument("--write", action="store_true", help=f"replace judges/{file.name}")
    return parser.parse_args()


def say(line: str) -> None:
    """Show ``line`` at once: a fit takes minutes."""
    sys.stdout.write(line + "\n")
    sys.stdout.flush()
