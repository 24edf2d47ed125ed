"""Fixtures: a machine of its own, and known runs."""

from pathlib import Path

import pytest

from tests.cli.conftest import machine, run, scripted_run
from tests.graph.conftest import data_dir

__all__ = ["data_dir", "machine", "run", "scripted_run"]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A data directory that does not exist yet."""
    return tmp_path / "kept" / "data"
