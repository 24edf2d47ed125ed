"""The encoder that gives texts their vectors, from the machine's settings."""

import logging
import time
from pathlib import Path

from langchain_core.embeddings import Embeddings
from pydantic import SecretStr

from calibrant.graph.settings import Machine
from calibrant.retrievers.embedder import LangChainEncoder, MiniLM, download_model, find_model
from calibrant.retrievers.home import made_private
from calibrant.state.protocols import TextEncoder

NO_DOWNLOAD = "embedding-model-not-downloaded"
"""A file of this name in the data directory says that the last try to download the embedding model failed."""

DOWNLOAD_S = 20.0
"""A try to download the embedding model may take so long."""

AGAIN_S = 86_400.0
"""After a try that failed, the next one is so much later."""

_log = logging.getLogger(__name__)


def encoder_of(
    embeddings: Embeddings | TextEncoder | None, machine: Machine, api_key: SecretStr | None
) -> TextEncoder | None:
    """What was passed in, else what the settings name: ``auto``, ``none``, a directory, or an endpoint's model."""
    if isinstance(embeddings, Embeddings):
        return LangChainEncoder(embeddings)
    if embeddings is not None:
        return embeddings
    if machine.embeddings == "none":
        return None
    if machine.embeddings == "auto":
        found = find_model(None) or _downloaded(machine)
        return MiniLM.open(found) if found else None
    if machine.embeddings_base_url:
        return LangChainEncoder(_endpoint(machine, api_key))
    return MiniLM.open(machine.embeddings_path or Path(machine.embeddings))


def _downloaded(machine: Machine) -> Path | None:
    """The model from its download, which is tried once a day: a file in the data directory remembers that it failed."""
    failed = failed_download(machine)
    # Not one of a day to come, which a clock made that was set back since.
    is_recent = failed.exists() and 0.0 <= time.time() - failed.stat().st_mtime < AGAIN_S
    if is_recent or not machine.allow_download:
        return None
    found = download_model(DOWNLOAD_S)
    if found is None:
        made_private(machine.data_dir)
        failed.write_text("The embedding model could not be downloaded. Remove this file to try again now.\n")
        _log.warning("no embedding model could be downloaded: words alone are searched (`calibrant doctor` tells more)")
    else:
        failed.unlink(missing_ok=True)
    return found


def failed_download(machine: Machine) -> Path:
    """The file that is there if the model's download was tried last and failed."""
    return machine.data_dir / NO_DOWNLOAD


def _endpoint(machine: Machine, api_key: SecretStr | None) -> Embeddings:
    """Embeddings of an OpenAI-compatible endpoint. Its context check is off: that would download an encoding."""
    from langchain_openai import OpenAIEmbeddings

    return OpenAIEmbeddings(
        model=machine.embeddings,
        openai_api_base=machine.embeddings_base_url,
        openai_api_key=api_key or SecretStr("none"),
        check_embedding_ctx_length=False,
    )
