"""Checkpoints that published versions stored load in this one. Their files in ``checkpoints/`` are never rewritten."""

import shutil
from pathlib import Path
from typing import Any

import pytest
from langgraph.checkpoint.sqlite.aio import AsyncSqliteSaver
from pydantic import BaseModel

from calibrant.graph.serde import serde, state_types
from calibrant.state.channels import View

from .store_checkpoints import THREADS, compiled, store

KEPT = sorted((Path(__file__).parent / "checkpoints").glob("*.sqlite"))
NONE_KEPT = pytest.param(None, marks=pytest.mark.skip(reason="no version has been published: checkpoints/ is empty"))


async def load(path: Path) -> None:
    """Every thread of a file: its state is whole, its types are ours, and the view takes it."""
    async with AsyncSqliteSaver.from_conn_string(str(path)) as saver:
        saver.serde = serde()
        graph = compiled(saver)
        rows = await saver.conn.execute_fetchall("SELECT DISTINCT thread_id FROM checkpoints")
        threads = [row[0] for row in rows]
        assert threads
        for thread in threads:
            whole((await graph.aget_state({"configurable": {"thread_id": thread}})).values)


def whole(values: dict[str, Any]) -> None:
    """No half-built object among ``values``: what the serializer could not build would not validate, or be a dict."""
    view = View.model_validate(values)
    assert view.run is not None
    assert view.evidence
    for name, value in values.items():
        for item in value if isinstance(value, list | tuple) else [value]:
            if isinstance(item, BaseModel) and type(item) in state_types():
                assert type(item).model_validate(item.model_dump()) == item, name
            assert not isinstance(item, dict) or name == "filters", name


@pytest.mark.parametrize("path", KEPT or [NONE_KEPT])
async def test_kept_checkpoints_load(path: Path, tmp_path: Path) -> None:
    shutil.copy(path, tmp_path / path.name)
    await load(tmp_path / path.name)


async def test_what_is_stored_now_loads_now(tmp_path: Path) -> None:
    path = tmp_path / "now.sqlite"
    await store(path)
    await load(path)
    async with AsyncSqliteSaver.from_conn_string(str(path)) as saver:
        found = {held.config["configurable"]["thread_id"] async for held in saver.alist(None)}
    assert found == set(THREADS)
