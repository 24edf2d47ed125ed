"""The default sources and the encoder, from the machine's settings."""

import asyncio
import threading
from collections.abc import Sequence
from pathlib import Path
from typing import Literal

from langchain_core.embeddings import Embeddings
from pydantic import SecretStr

from calibrant.graph.settings import Machine
from calibrant.retrievers.embedder import LangChainEncoder, MiniLM, download_model, find_model
from calibrant.retrievers.knowledge import KnowledgeBase, KnowledgeSource, knowledge_dir, list_knowledge
from calibrant.state.errors import CalibrantError
from calibrant.state.evidence import Evidence, SearchQuery
from calibrant.state.protocols import Source, TextEncoder

DOWNLOAD_S = 20.0
"""The one try to download the embedding model may take so long."""


def default_sources(machine: Machine, encoder: TextEncoder | None) -> tuple[Source, ...]:
    """The knowledge bases of the data directory."""
    return (KnowledgeFolder(machine.data_dir, encoder, machine.chroma_url),)


class KnowledgeFolder:
    """All knowledge bases of a data directory as one source. Those that appear while it runs are found too."""

    name = "knowledge"
    remote = False

    def __init__(self, data_dir: Path, encoder: TextEncoder | None = None, chroma_url: str | None = None) -> None:
        self._data_dir = data_dir
        self._encoder = encoder
        self._chroma_url = chroma_url
        self._open: dict[str, KnowledgeBase] = {}
        self._lock = threading.Lock()

    async def search(self, query: SearchQuery) -> list[Evidence]:
        """The best passages over the collections that the query names, else over all."""
        bases = await asyncio.to_thread(self._bases, query.filters.collections)
        return await KnowledgeSource(bases).search(query) if bases else []

    async def reread(self, ids: Sequence[str]) -> list[Evidence]:
        """Those of ``ids`` that still stand."""
        bases = await asyncio.to_thread(self._bases, ())
        return await KnowledgeSource(bases).reread(ids) if bases else []

    def health(self, name: str) -> tuple[Literal["ok", "broken"], str]:
        """One line about a knowledge base. Blocking."""
        try:
            stats = self._base(name).stats()
        except CalibrantError as error:
            return "broken", str(error)
        vectors = f", {stats.vectors} vectors" if stats.vectors else ""
        return "ok", f"{stats.documents} documents, {stats.chunks} passages{vectors}, {stats.bytes / 1e6:.1f} MB"

    def _bases(self, wanted: Sequence[str]) -> list[KnowledgeBase]:
        with self._lock:
            names = [name for name in list_knowledge(self._data_dir) if not wanted or name in wanted]
            return [self._base(name) for name in names]

    def _base(self, name: str) -> KnowledgeBase:
        if name not in self._open:
            directory = knowledge_dir(self._data_dir, name)
            self._open[name] = KnowledgeBase.open(
                directory, name, encoder=self._encoder, chroma_url=self._chroma_url or None
            )
        return self._open[name]


def encoder_of(
    embeddings: Embeddings | TextEncoder | None, machine: Machine, api_key: SecretStr | None = None
) -> TextEncoder | None:
    """What was passed in, else what the settings name: ``auto``, ``none``, a directory, or an endpoint's model."""
    if isinstance(embeddings, Embeddings):
        return LangChainEncoder(embeddings)
    if embeddings is not None:
        return embeddings
    if machine.embeddings == "none":
        return None
    if machine.embeddings == "auto":
        found = find_model(None) or (download_model(DOWNLOAD_S) if machine.allow_download else None)
        return MiniLM.open(found) if found else None
    if machine.embeddings_base_url:
        return LangChainEncoder(_endpoint(machine, api_key))
    return MiniLM.open(Path(machine.embeddings))


def _endpoint(machine: Machine, api_key: SecretStr | None) -> Embeddings:
    """Embeddings of an OpenAI-compatible endpoint. Its context check is off: that would download an encoding."""
    from langchain_openai import OpenAIEmbeddings

    return OpenAIEmbeddings(
        model=machine.embeddings,
        openai_api_base=machine.embeddings_base_url,
        openai_api_key=api_key or SecretStr("none"),
        check_embedding_ctx_length=False,
    )
