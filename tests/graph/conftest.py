"""Fixtures of the graph tests."""

from pathlib import Path

import pytest

from tests.graph.house import ingest, write_documents
from tests.remote.conftest import http, server

__all__ = ["data_dir", "http", "server"]


@pytest.fixture(scope="session")
def data_dir(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A data directory with the knowledge base ``manual``. Read-only by convention."""
    root = tmp_path_factory.mktemp("house")
    ingest(root / "data", write_documents(root / "docs"))
    return root / "data"
