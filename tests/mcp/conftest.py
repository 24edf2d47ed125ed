"""Fixtures of the MCP tests."""

from tests.graph.conftest import data_dir

__all__ = ["data_dir"]
