"""Fixtures of the durability tests: a machine with a knowledge base, and Postgres where one can be started."""

from pathlib import Path

import pytest

from tests.durability.house import House
from tests.graph.house import ingest, write_documents
from tests.persistence.conftest import fresh_postgres, postgres_url

__all__ = ["fresh_postgres", "postgres_url"]


@pytest.fixture
def house(tmp_path: Path) -> House:
    """A machine of its own: a data directory with the knowledge base ``manual``, and no threads yet."""
    ingest(tmp_path / "data", write_documents(tmp_path / "docs"))
    return House(tmp_path)
