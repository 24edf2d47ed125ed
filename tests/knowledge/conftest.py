"""Knowledge bases in a temporary folder, an encoder that needs no model, and the real model where it is there."""

import hashlib
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path

import numpy as np
import pytest

from calibrant.retrievers.embedder import MiniLM, find_model
from calibrant.retrievers.knowledge import KnowledgeBase
from calibrant.state.protocols import TextEncoder


class WordEncoder:
    """Vectors of hashed words: texts that share words are near. For tests of the machinery, not of meaning.

    ``same`` maps a word to one that means the same to this encoder; ``fails`` is raised for a query.
    """

    def __init__(
        self,
        identity: str = "words:1",
        dimensions: int = 64,
        same: Mapping[str, str] | None = None,
        fails: Exception | None = None,
    ) -> None:
        self.identity = identity
        self.dimensions = dimensions
        self._same = same or {}
        self._fails = fails

    def encode(self, texts: Sequence[str]) -> np.ndarray:
        if self._fails and len(texts) == 1:
            raise self._fails
        rows = np.zeros((len(texts), self.dimensions), dtype=np.float32)
        for row, text in zip(rows, texts, strict=True):
            for word in text.lower().split():
                row[hashlib.sha256(self._same.get(word, word).encode()).digest()[0] % self.dimensions] += 1
        out: np.ndarray = rows / np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), 1e-9)
        return out


@pytest.fixture
def word_encoder() -> Callable[..., TextEncoder]:
    return WordEncoder


Opener = Callable[..., KnowledgeBase]


@pytest.fixture
def open_base(tmp_path: Path) -> Iterator[Opener]:
    """Opens (and makes) knowledge bases under ``tmp_path/data/knowledge``; closes them at the end."""
    opened: list[KnowledgeBase] = []

    def open_one(name: str = "notes", encoder: TextEncoder | None = None, create: bool = True) -> KnowledgeBase:
        opened.append(KnowledgeBase.open(tmp_path / "data" / "knowledge" / name, name, encoder=encoder, create=create))
        return opened[-1]

    yield open_one
    for base in opened:
        base.close()


@pytest.fixture
def docs(tmp_path: Path) -> Path:
    """A folder for the user's documents."""
    folder = tmp_path / "docs"
    folder.mkdir()
    return folder


@pytest.fixture(scope="session")
def model() -> MiniLM:
    named = os.environ.get("CALIBRANT_TEST_MODEL")
    beside = Path(__file__).resolve().parents[3] / "shared" / "models" / "all-MiniLM-L6-v2"
    folder = find_model(Path(named) if named else beside)
    if folder is None:
        pytest.skip("no embedding model: set CALIBRANT_TEST_MODEL to a folder with all-MiniLM-L6-v2 in ONNX")
    return MiniLM.open(folder)
