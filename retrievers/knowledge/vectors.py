"""The vector index in Chroma, over the ids of the store's chunks. It may vanish at any time: SQLite refills it.

The name of the collection carries the identity of the encoder, so vectors of two encoders never meet, and who goes
back and forth between two finds those of each. Chroma is imported at the first use, reports to nobody, and never loads
an embedding function of its own.
"""

import hashlib
import shutil
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

import numpy as np
from numpy.typing import NDArray

from calibrant.retrievers.knowledge.locks import INDEXING, alone
from calibrant.state.errors import CalibrantError, ConfigurationError, KnowledgeError

if TYPE_CHECKING:
    from chromadb.api import ClientAPI
    from chromadb.api.models.Collection import Collection

PREFIX = "calibrant-"
"""How the names of our collections begin."""

PAGE = 5000
"""Ids per request."""

_opening = threading.Lock()  # Chroma shares what it opens within the process, but not safely between threads


class VectorIndex:
    """The vectors of one knowledge base and one encoder."""

    def __init__(self, directory: Path, *, key: str, encoder: str, url: str | None = None) -> None:
        self._directory = directory
        self._url = url
        self.name = f"{PREFIX}{key}-{hashlib.sha256(encoder.encode()).hexdigest()[:12]}"
        self.state: str | None = None
        """The mark of the filling that the open index has seen."""
        self._guard = threading.Lock()
        self._client: ClientAPI | None = None
        self._collection: Collection | None = None

    def follow(self, state: str) -> None:
        """Open the index anew if another process has filled it: an embedded Chroma does not look by itself."""
        if self.state is not None and state != self.state and self._url is None:
            self.close()
        self.state = state

    def count(self) -> int:
        """How many vectors there are; 0 where there is no index yet."""
        with self._errors_as_ours():
            collection = self._find()
            return collection.count() if collection else 0

    def nearest(self, vector: NDArray[np.float32], limit: int, among: Sequence[str] | None) -> dict[str, float]:
        """Ids and cosines of the nearest chunks, best first; ``among`` restricts to some of them."""
        with self._errors_as_ours():
            collection = self._find()
            if collection is None or among == []:
                return {}
            found = collection.query(
                query_embeddings=vector[None, :],
                n_results=limit,
                ids=list(among) if among is not None else None,
                include=["distances"],
            )
            distances = (found["distances"] or [[]])[0]
            return {key: 1.0 - float(far) for key, far in zip(found["ids"][0], distances, strict=True)}

    def vectors(self, ids: Sequence[str]) -> dict[str, NDArray[np.float32]]:
        """The vectors of those of ``ids`` that are indexed."""
        with self._errors_as_ours():
            collection = self._find()
            if collection is None or not ids:
                return {}
            found = collection.get(ids=list(ids), include=["embeddings"])
            rows = found["embeddings"]
            pairs = zip(found["ids"], rows if rows is not None else (), strict=True)
            return {key: np.asarray(row, dtype=np.float32) for key, row in pairs}

    def held(self) -> set[str]:
        """Every id that is indexed."""
        with self._errors_as_ours():
            collection, found = self._find(), set[str]()
            while collection and (page := collection.get(include=[], limit=PAGE, offset=len(found))["ids"]):
                found.update(page)
            return found

    def repaired(self) -> set[str]:
        """``held``; a damaged embedded index counts as missing, and is begun anew."""
        try:
            return self.held()
        except KnowledgeError:
            if self._url or not self._directory.exists():
                raise
            self.close()
            shutil.rmtree(self._directory, ignore_errors=True)
            return self.held()

    def add(self, ids: Sequence[str], vectors: NDArray[np.float32]) -> None:
        """Vectors for ``ids``, in place of those they had."""
        with self._errors_as_ours():
            self._made().upsert(ids=list(ids), embeddings=vectors)

    def remove(self, ids: Sequence[str]) -> None:
        """Forget ``ids``."""
        with self._errors_as_ours():
            for start in range(0, len(ids), PAGE):
                self._made().delete(ids=list(ids[start : start + PAGE]))

    @contextmanager
    def exclusive(self) -> Iterator[bool]:
        """True for the one process that may fill the index now. The system frees the lock however that one ends."""
        with alone(self._directory.with_name(INDEXING)) as ours:
            yield ours

    def close(self) -> None:
        """Let go of Chroma. The index opens again when it is used again."""
        with self._guard:
            client, self._client, self._collection = self._client, None, None
        if client is not None and (close := getattr(client, "close", None)):
            close()

    def _find(self) -> "Collection | None":
        """The collection, if there is one. Looking does not make the folder."""
        from chromadb.errors import NotFoundError

        if self._collection is None and (self._url or self._directory.exists()):
            try:
                self._collection = self._connected().get_collection(self.name, embedding_function=None)
            except NotFoundError:
                return None
        return self._collection

    def _made(self) -> "Collection":
        if (found := self._find()) is None:
            found = self._collection = self._connected().get_or_create_collection(
                self.name, embedding_function=None, configuration={"hnsw": {"space": "cosine"}}
            )
        return found

    def _connected(self) -> "ClientAPI":
        with self._guard:
            if self._client is None:
                self._client = _server(self._url) if self._url else _embedded(self._directory)
            return self._client

    @contextmanager
    def _errors_as_ours(self) -> Iterator[None]:
        """Chroma's errors as ours. After one, the next use connects anew: the collection may have been replaced."""
        try:
            yield
        except KnowledgeError:
            raise
        except BaseException as error:
            # A damaged index panics in Chroma's native part, which is no Exception.
            if not isinstance(error, Exception) and type(error).__name__ != "PanicException":
                raise
            self._collection = None
            where = f"the Chroma server at {self._url}" if self._url else f"the vector index in {self._directory}"
            raise KnowledgeError(f"{where} cannot be used ({type(error).__name__})") from error


def drop_vectors(url: str, key: str) -> None:
    """Delete what the Chroma server at ``url`` holds of a knowledge base, for whichever encoder."""
    try:
        client = _server(url)
        for collection in client.list_collections():
            if collection.name.startswith(f"{PREFIX}{key}-"):
                client.delete_collection(collection.name)
    except CalibrantError:
        raise
    except Exception as error:
        why = f"the Chroma server at {url} cannot be used ({type(error).__name__})"
        raise KnowledgeError(f"{why}: nothing was removed, try again when it can") from error


def _settings() -> Any:
    from chromadb.config import Settings

    return Settings(anonymized_telemetry=False)


def _embedded(directory: Path) -> "ClientAPI":
    import chromadb
    from chromadb.api.shared_system_client import SharedSystemClient

    with _opening:
        try:
            return chromadb.PersistentClient(str(directory), settings=_settings())
        except BaseException:
            # Chroma remembers by path even what it failed to open, and would hand that out from now on.
            SharedSystemClient._identifier_to_system.pop(str(directory), None)
            raise


def _server(url: str) -> "ClientAPI":
    import chromadb

    parts = urlsplit(url if "://" in url else f"http://{url}")
    try:
        host, port = parts.hostname, parts.port
    except ValueError:
        host, port = None, None
    if not host:
        raise ConfigurationError(f"the Chroma server's address is not one: {url} (expected http://host:port)")
    secure = parts.scheme == "https"
    return chromadb.HttpClient(host, port or (443 if secure else 8000), ssl=secure, settings=_settings())
