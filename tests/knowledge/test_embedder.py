"""The encoder: the same vectors in any company, tokens with their places, clear refusals."""

import hashlib
import io
import tarfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import SimpleNamespace

import httpx
import numpy as np
import pytest
from langchain_core.embeddings import DeterministicFakeEmbedding, Embeddings

from calibrant.retrievers import embedder
from calibrant.retrievers.embedder import (
    _PROBED,
    PUBLISHED,
    LangChainEncoder,
    MiniLM,
    download_model,
    find_model,
    is_published,
)
from calibrant.retrievers.onnx_model import by_length
from calibrant.state.errors import ConfigurationError, SourceError

TEXTS = ["The cat sat on the mat.", "", "A feline rested on a rug.", "Interest rates rose again. " * 60]


def test_a_text_has_one_vector_whatever_stands_beside_it(model: MiniLM) -> None:
    together = model.encode(TEXTS)
    alone = np.vstack([model.encode([text]) for text in TEXTS])
    assert together.shape == (4, model.dimensions)
    assert together.dtype == np.float32
    assert np.allclose(together, alone, atol=1e-5)
    assert np.allclose(np.linalg.norm(together, axis=1), 1, atol=1e-5)
    assert together[0] @ together[2] > 0.5 > together[0] @ together[3]
    assert model.encode([]).shape == (0, model.dimensions)


def test_tokens_have_their_places(model: MiniLM) -> None:
    text = "A ThreadPoolExecutor não espera"
    (found,) = model.encode_tokens([text])
    pieces = [text[start:end] for start, end in found.offsets]
    assert pieces[0] == "A"
    assert "".join(pieces) == text.replace(" ", "")
    assert len(found.offsets) == len(found.vectors)
    assert np.allclose(np.linalg.norm(found.vectors, axis=1), 1, atol=1e-5)
    assert np.allclose(found.pooled, model.encode([text])[0], atol=1e-5)
    assert model.encode_tokens([""])[0].vectors.shape == (0, model.dimensions)


def test_texts_keep_their_order(model: MiniLM) -> None:
    found = model.encode_tokens(TEXTS)
    firsts = [[text[slice(*place)] for place in item.offsets[:1]] for text, item in zip(TEXTS, found, strict=True)]
    assert firsts == [["The"], [], ["A"], ["Interest"]]
    assert len(found[3].offsets) == 254


def test_the_published_weights_are_known_by_what_they_do(model: MiniLM) -> None:
    assert model.identity == PUBLISHED


def test_another_export_is_the_same_model_and_a_quantised_one_is_not() -> None:
    dice = np.random.default_rng(0)
    known = np.concatenate([_PROBED, dice.normal(0, 0.05, 360)]).astype(np.float32)
    assert is_published(known + dice.normal(0, 1e-4, 384).astype(np.float32))
    assert not is_published(known + dice.normal(0, 0.006, 384).astype(np.float32))
    assert not is_published(known[:8])


def test_a_short_text_is_not_padded_to_a_long_one() -> None:
    assert list(by_length([12, 150, 140])) == [[1, 2], [0]]
    assert list(by_length([300, 290, 20, 15])) == [[0], [1], [2, 3]]
    assert list(by_length([])) == []


def test_a_folder_without_the_model(tmp_path: Path) -> None:
    assert find_model(tmp_path) is None
    with pytest.raises(ConfigurationError, match="no embedding model in"):
        MiniLM.open(tmp_path)


def test_a_damaged_model(tmp_path: Path) -> None:
    (tmp_path / "model.onnx").write_bytes(b"cut off")
    (tmp_path / "tokenizer.json").write_bytes(b"{")
    with pytest.raises(ConfigurationError, match="cannot be loaded"):
        MiniLM.open(tmp_path)


def test_the_model_is_found_in_the_folder_or_below(tmp_path: Path) -> None:
    folder = tmp_path / "all-MiniLM-L6-v2" / "onnx"
    folder.mkdir(parents=True)
    for name in ("model.onnx", "tokenizer.json"):
        (folder / name).touch()
    assert [find_model(place) for place in (folder, folder.parent, tmp_path)] == [folder] * 3


def archive() -> bytes:
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w:gz") as tar:
        for name in ("model.onnx", "tokenizer.json"):
            tar.addfile(tarfile.TarInfo(f"onnx/{name}"))
    return out.getvalue()


@pytest.mark.parametrize(
    ("arrives", "sha", "quicker", "found"),
    [
        (archive(), None, False, True),
        (archive(), "0" * 64, False, False),
        (None, None, False, False),
        (archive(), None, True, True),
        (None, None, True, True),
    ],
)
def test_download(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, arrives: bytes | None, sha: str | None, quicker: bool, found: bool
) -> None:
    """``quicker``: another process has the model in its place meanwhile."""

    @contextmanager
    def stream(*_: object, **__: object) -> Iterator[SimpleNamespace]:
        if quicker:
            expected.mkdir(parents=True)
            for name in ("model.onnx", "tokenizer.json"):
                (expected / name).touch()
        if arrives is None:
            raise httpx.ConnectError("offline")
        yield SimpleNamespace(raise_for_status=lambda: None, iter_bytes=lambda _: [arrives])

    from chromadb.utils.embedding_functions import ONNXMiniLM_L6_V2

    monkeypatch.setattr(Path, "home", lambda: tmp_path)
    monkeypatch.setattr(httpx, "stream", stream)
    monkeypatch.setattr(ONNXMiniLM_L6_V2, "_MODEL_SHA256", sha or hashlib.sha256(arrives or b"").hexdigest())
    expected = tmp_path / ".cache/chroma/onnx_models/all-MiniLM-L6-v2/onnx"
    assert download_model(5) == (expected if found else None)
    assert expected.exists() is found


def test_any_langchain_embeddings(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(embedder, "BATCH", 2)
    encoder = LangChainEncoder(DeterministicFakeEmbedding(size=8))
    rows = encoder.encode(["a", "b", "c"])
    assert rows.shape == (3, 8)
    assert encoder.dimensions == 8
    assert np.allclose(np.linalg.norm(rows, axis=1), 1, atol=1e-5)
    assert encoder.identity == "DeterministicFakeEmbedding"
    assert encoder.encode([]).shape[0] == 0


def test_an_embedding_service_that_fails_is_a_source_error() -> None:
    class Away(Embeddings):
        model = "tiny"

        def embed_documents(self, texts: list[str]) -> list[list[float]]:
            raise RuntimeError("key sk-123 is wrong")

        def embed_query(self, text: str) -> list[float]:
            raise RuntimeError

    with pytest.raises(SourceError, match=r"Away:tiny could not answer \(RuntimeError\)"):
        LangChainEncoder(Away()).encode(["a"])
