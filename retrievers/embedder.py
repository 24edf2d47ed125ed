"""Text into vectors: all-MiniLM-L6-v2 in ONNX, or any LangChain ``Embeddings``.

``MiniLM`` serves two protocols with one session: ``TextEncoder`` (one vector per text, for the vector index) and
``TokenEncoder`` (one vector per token, for late interaction). Texts are sorted by length and padded only to the
longest of their batch: several times faster than padding each to 256 tokens, with the same vectors.

onnxruntime, tokenizers and chromadb are imported when first needed: importing this module costs nothing.
"""

import hashlib
import os
import tarfile
import tempfile
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from calibrant.retrievers.cross_encoder import MiniLMPairs
from calibrant.retrievers.home import made_private
from calibrant.retrievers.onnx_model import by_length, hidden_states, open_session, open_tokenizer
from calibrant.state.errors import ConfigurationError, SourceError
from calibrant.state.protocols import Adapter

if TYPE_CHECKING:
    from langchain_core.embeddings import Embeddings

Floats = NDArray[np.float32]

MODEL_NAME = "all-MiniLM-L6-v2"
MODEL_FILES = ("model.onnx", "tokenizer.json")
MAX_TOKENS = 256
BATCH = 64
"""Texts that an embedding model of LangChain's is given at once."""
PUBLISHED = f"{MODEL_NAME}:81216551c3cb"
"""The identity of the published weights in full precision, whichever export holds them: fitted numbers and stored
vectors go by it."""
_PROBE = "What is it that you do not know?"
_PROBED = (
    0.0245, 0.0438, -0.0338, 0.0518, -0.0129, -0.0130, 0.1179, -0.0254, 0.0418, 0.0292, 0.0527, -0.0752,
    0.0062, -0.0310, -0.0670, -0.0217, -0.0383, -0.0305, -0.0263, -0.0083, -0.0159, 0.0184, -0.0120, 0.0446,
)  # fmt: skip
"""What the published weights make of ``_PROBE``: the first components of its vector."""
_APART = 0.02
"""How far a vector may lie from ``_PROBED``, as a share of its length: rounding, not a quantisation (about 0.1)."""


@dataclass(frozen=True, eq=False)
class MiniLMTokens:
    """The tokens of one text, special tokens left out; what lies beyond 256 tokens is left out too.

    ``offsets`` and ``vectors`` have one entry per token. The rows of ``vectors`` and ``pooled`` are L2-normalised.
    """

    offsets: tuple[tuple[int, int], ...]
    vectors: Floats
    pooled: Floats


class MiniLM:
    """The embedding model that Chroma uses by default, in one ONNX session. Safe to share between threads."""

    def __init__(self, folder: Path, session: Any, tokenizer: Any, identity: str, dimensions: int) -> None:
        self.identity = identity
        self.dimensions = dimensions
        self._folder = folder
        self._session = session
        self._tokenizer = tokenizer
        self._adapted: dict[str, MiniLMPairs] = {}
        self._adapting = threading.Lock()

    @classmethod
    def open(cls, directory: Path, threads: int | None = None) -> "MiniLM":
        """The model in ``directory`` (or in its ``onnx`` folder). Raises ``ConfigurationError`` where it is not."""
        folder = _model_folder(directory)
        if folder is None:
            raise ConfigurationError(f"no embedding model in {directory}: it must hold {' and '.join(MODEL_FILES)}")
        try:
            session = open_session(folder / MODEL_FILES[0], threads)
            tokenizer = open_tokenizer(folder / MODEL_FILES[1], MAX_TOKENS)
        except Exception as error:  # both libraries raise bare Exception for a damaged file
            message = f"the embedding model in {folder} cannot be loaded ({type(error).__name__}): fetch it again"
            raise ConfigurationError(message) from error
        model = cls(folder, session, tokenizer, _identity_of(folder), int(session.get_outputs()[0].shape[-1]))
        if is_published(model.encode([_PROBE])[0]):
            model.identity = PUBLISHED
        return model

    def encode(self, texts: Sequence[str]) -> Floats:
        """One L2-normalised row per text."""
        out = np.zeros((len(texts), self.dimensions), dtype=np.float32)
        for places, _, hidden, mask in self._batches(texts):
            out[places] = _pooled(hidden, mask)
        return out

    def encode_tokens(self, texts: Sequence[str]) -> list[MiniLMTokens]:
        """The normalised vector of each token of each text, and the pooled vector of the text."""
        found: dict[int, MiniLMTokens] = {}
        for places, encodings, hidden, mask in self._batches(texts):
            pooled = _pooled(hidden, mask)
            for row, place in enumerate(places):
                found[place] = _tokens(encodings[row], hidden[row], pooled[row])
        return [found[place] for place in range(len(texts))]

    def adapted(self, adapter: Adapter) -> MiniLMPairs:
        """The same weights changed by ``adapter``, opened once. Raises ``ConfigurationError`` where it belongs to
        others."""
        with self._adapting:
            if adapter.name not in self._adapted:
                model, tokenizer = (self._folder / name for name in MODEL_FILES)
                self._adapted[adapter.name] = MiniLMPairs.open(model, tokenizer, adapter)
            return self._adapted[adapter.name]

    def _batches(self, texts: Sequence[str]) -> Iterator[tuple[list[int], list[Any], Floats, Floats]]:
        """Batches of similar length: places in ``texts``, their encodings, the hidden states and the mask."""
        encodings = self._tokenizer.encode_batch(list(texts))
        for places in by_length([len(encoding.ids) for encoding in encodings]):
            batch = [encodings[place] for place in places]
            yield places, batch, *hidden_states(self._session, batch)


class LangChainEncoder:
    """Any LangChain ``Embeddings`` as a ``TextEncoder``. ``dimensions`` is 0 until the first vectors arrive."""

    def __init__(self, embeddings: "Embeddings") -> None:
        self.identity = _langchain_identity(embeddings)
        self.dimensions = 0
        self._embeddings = embeddings

    def encode(self, texts: Sequence[str]) -> Floats:
        """One L2-normalised row per text. Raises ``SourceError`` where the embedding model cannot answer."""
        rows: list[list[float]] = []
        for start in range(0, len(texts), BATCH):
            rows += self._embed(list(texts[start : start + BATCH]))
        if not rows:
            return np.zeros((0, self.dimensions), dtype=np.float32)
        self.dimensions = len(rows[0])
        return _normalised(np.asarray(rows, dtype=np.float32))

    def _embed(self, batch: list[str]) -> list[list[float]]:
        try:
            return self._embeddings.embed_documents(batch)
        except Exception as error:  # each provider has errors of its own: typed here, once
            message = f"the embedding model {self.identity} could not answer ({type(error).__name__})"
            raise SourceError(message) from error


def find_model(named: Path | None) -> Path | None:
    """The folder with the model's files: in the one that is named, else in Chroma's cache, else None."""
    if named is not None:
        return _model_folder(named)
    try:
        return _model_folder(_cache())
    except RuntimeError:  # nobody's home is known
        return None


def download_model(timeout_s: float) -> Path | None:
    """The model from where Chroma has it, into Chroma's cache, tried once. None when it did not arrive in time."""
    if (held := find_model(None)) is not None:
        return held
    # Optional by design: without a model, word search alone answers, and says so. Another process may be quicker.
    with suppress(Exception):
        from chromadb.utils.embedding_functions import ONNXMiniLM_L6_V2 as Chroma

        target = _cache()
        with tempfile.TemporaryFile() as archive:
            _fetch(model_url(), archive, time.monotonic() + timeout_s, Chroma._MODEL_SHA256)
            _unpack(archive, target)
    return find_model(None)


def model_url() -> str:
    """Where Chroma has the model, as an archive."""
    from chromadb.utils.embedding_functions import ONNXMiniLM_L6_V2

    return ONNXMiniLM_L6_V2.MODEL_DOWNLOAD_URL


def _cache() -> Path:
    return Path.home() / ".cache" / "chroma" / "onnx_models" / MODEL_NAME


def _fetch(url: str, archive: Any, deadline: float, sha256: str) -> None:
    import httpx

    seen = hashlib.sha256()
    limit = max(deadline - time.monotonic(), 0.1)
    with httpx.stream("GET", url, timeout=limit, follow_redirects=True) as response:
        response.raise_for_status()
        for data in response.iter_bytes(1 << 16):
            if time.monotonic() > deadline:
                raise TimeoutError
            archive.write(data)
            seen.update(data)
    if seen.hexdigest() != sha256:
        raise ValueError("checksum")


def _unpack(archive: Any, target: Path) -> None:
    """Unpack beside the target and move into place, so that a half-unpacked model is never found."""
    archive.seek(0)
    made_private(target)
    with tempfile.TemporaryDirectory(dir=target) as folder:
        with tarfile.open(fileobj=archive, mode="r:gz") as tar:
            tar.extractall(folder, filter="data")
        os.replace(Path(folder) / "onnx", target / "onnx")


def _model_folder(directory: Path) -> Path | None:
    for folder in (directory, directory / "onnx", directory / MODEL_NAME / "onnx"):
        if all((folder / name).is_file() for name in MODEL_FILES):
            return folder
    return None


def is_published(probed: Floats) -> bool:
    """Whether a model that makes ``probed`` of the probe text holds the published weights. Another export of them is
    another file, with the same vectors."""
    if len(probed) < len(_PROBED):
        return False
    known = np.asarray(_PROBED)
    return bool(np.linalg.norm(probed[: len(known)] - known) <= _APART * np.linalg.norm(known))


def _identity_of(folder: Path) -> str:
    """Name and digest of samples of the weights: another export or quantisation is another identity."""
    digest = hashlib.sha256()
    for name in MODEL_FILES:
        size = (folder / name).stat().st_size
        digest.update(f"{name}:{size}".encode())
        with (folder / name).open("rb") as file:
            for part in range(16):
                file.seek(size * part // 16)
                digest.update(file.read(4096))
    name = folder.parent.name if folder.name == "onnx" else folder.name
    return f"{name}:{digest.hexdigest()[:12]}"


def _langchain_identity(embeddings: "Embeddings") -> str:
    names = (getattr(embeddings, field, None) for field in ("model", "model_name", "deployment", "model_id"))
    model = next((str(name) for name in names if name), "")
    size = getattr(embeddings, "dimensions", None)
    return ":".join(str(part) for part in (type(embeddings).__name__, model, size) if part)


def _pooled(hidden: Floats, mask: Floats) -> Floats:
    """The mean over the tokens that are there, normalised."""
    return _normalised(np.einsum("btd,bt->bd", hidden, mask) / np.maximum(mask.sum(1, keepdims=True), 1))


def _normalised(rows: Floats) -> Floats:
    out: Floats = (rows / np.maximum(np.linalg.norm(rows, axis=-1, keepdims=True), 1e-12)).astype(np.float32)
    return out


def _tokens(encoding: Any, hidden: Floats, pooled: Floats) -> MiniLMTokens:
    """Without the special tokens."""
    kept = [place for place, special in enumerate(encoding.special_tokens_mask) if not special]
    return MiniLMTokens(tuple(encoding.offsets[place] for place in kept), _normalised(hidden[kept]), pooled)
