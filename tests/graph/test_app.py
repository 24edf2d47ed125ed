"""Opening the app: what is loaded before a run must not keep anybody from opening it, and what was opened is closed."""

import asyncio
import os
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from langchain_core.documents import Document
from langchain_core.retrievers import BaseRetriever

from calibrant.graph import entry
from calibrant.graph.app import open_app
from calibrant.graph.describe import describe
from calibrant.graph.encoders import AGAIN_S, encoder_of, failed_download
from calibrant.graph.persistence import open_store
from calibrant.graph.settings import Machine, Secrets, Settings
from calibrant.interfaces.commands.opening import Prepared
from calibrant.memory import Memory
from calibrant.nodes.deps import Deps
from calibrant.retrievers.knowledge import KnowledgeBase
from calibrant.retrievers.knowledge.folder import KnowledgeFolder
from calibrant.state.context import ModelSettings
from calibrant.state.errors import ConfigurationError
from calibrant.state.evidence import SearchQuery
from tests.graph.house import deps_for, ingest, write_documents
from tests.memory.stores import NOW, WordEncoder, experience
from tests.remote.server import Reply, Server
from tests.sources import payloads

WITHOUT_KEY = Settings(model=ModelSettings(name="some-model"))


async def test_a_model_that_cannot_be_opened_is_told_by_the_run(tmp_path: Path) -> None:
    machine = Machine(data_dir=tmp_path, embeddings="none", allow_download=False)
    async with open_app(settings=WITHOUT_KEY, machine=machine, secrets=Secrets()) as app:
        with pytest.raises(ConfigurationError, match="CALIBRANT_MODEL_API_KEY"):
            await app.deps.panel(app.context)


async def test_searches_and_pages_share_what_the_app_closes(tmp_path: Path, server: Server) -> None:
    server.on("/search", Reply.of_json(payloads.SEARXNG))
    machine = Machine(data_dir=tmp_path, embeddings="none", searxng_url=server.url())
    before = set(threading.enumerate())
    async with open_app(settings=Settings(), machine=machine, secrets=Secrets()) as app:
        (found,) = await app.deps.sources["web"].search(SearchQuery(text="asyncio semaphore"))
        assert app.deps.read_page is not None
        await app.deps.read_page(found.replace(url=server.url("/page")), "semaphore", 2.0)
        opened = {thread for thread in threading.enumerate() if thread.name.startswith("calibrant-store")} - before
        assert len(opened) == 2, "one for the limits, one for the cache"
    assert not opened.intersection(threading.enumerate())


async def test_what_is_cancelled_while_it_warms_up_is_closed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def cancelled(*_: object) -> None:
        raise asyncio.CancelledError

    closed: list[str] = []
    monkeypatch.setattr("calibrant.graph.app.warm", cancelled)
    monkeypatch.setattr(KnowledgeFolder, "close", lambda folder: closed.append(folder.name))
    machine = Machine(data_dir=tmp_path, embeddings="none")
    with pytest.raises(asyncio.CancelledError):
        async with open_app(settings=Settings(), machine=machine, secrets=Secrets()):
            pytest.fail("it was cancelled")
    assert closed == ["knowledge"]


def test_the_doctor_closes_the_bases_that_it_looks_at(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    ingest(tmp_path, write_documents(tmp_path / "docs"))
    closed: list[str] = []
    monkeypatch.setattr(KnowledgeBase, "close", lambda base: closed.append(base.name))
    describe(Settings(), Machine(data_dir=tmp_path, embeddings="none"), Secrets(), deps_for(tmp_path))
    assert closed == ["manual"]


@pytest.mark.parametrize(
    ("allowed", "tried", "told"),
    [
        (False, False, ("no model found: ", "or CALIBRANT_ALLOW_DOWNLOAD=true")),
        (True, False, ("no model found: ", "or the next command tries to download it")),
        (True, True, ("its download from https://", "embedding-model-not-downloaded to try again")),
    ],
)
def test_without_an_embedding_model_the_doctor_says_what_can_be_done(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, allowed: bool, tried: bool, told: tuple[str, str]
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    machine = Machine(data_dir=tmp_path, allow_download=allowed)
    if tried:
        failed_download(machine).touch()
    (row,) = [one for one in describe(Settings(), machine, Secrets(), deps_for(tmp_path)) if one.name == "embeddings"]
    assert (row.state, row.detail.startswith(told[0]), row.hint.endswith(told[1])) == ("missing", True, True)


@pytest.mark.parametrize(("age", "tries"), [(None, 1), (AGAIN_S - 60, 0), (AGAIN_S + 60, 1), (-AGAIN_S, 1)])
def test_a_download_that_fails_is_told_and_tried_again_a_day_later(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, age: float | None, tries: int
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    tried: list[float] = []
    monkeypatch.setattr("calibrant.graph.encoders.download_model", tried.append)
    machine = Machine(data_dir=tmp_path, embeddings="auto", allow_download=True)
    if age is not None:
        failed_download(machine).touch()
        os.utime(failed_download(machine), (time.time() - age,) * 2)
    assert encoder_of(None, machine, None) is None
    assert (len(tried), caplog.text.count("words alone are searched")) == (tries, tries)
    assert failed_download(machine).exists()


def test_looking_at_threads_loads_no_model() -> None:
    having = Prepared(WITHOUT_KEY, Machine(embeddings="auto"), Secrets()).for_reading
    assert not having.settings.model.name
    assert having.machine.embeddings == "none"


async def test_looking_at_threads_leaves_the_vectors_of_the_memory_to_the_model_that_made_them(tmp_path: Path) -> None:
    machine = Machine(data_dir=tmp_path, embeddings="auto")
    async with open_store(machine, WordEncoder()) as store:
        await Memory(store, lambda: NOW).remember(experience("e1", "How are jobs retried?"))
    looking = Prepared(Settings(), machine, Secrets()).for_reading
    async with open_app(settings=looking.settings, machine=looking.machine, secrets=looking.secrets) as app:
        assert await app.memory.feedback("e1", "good") is not None
    async with open_store(machine, encoder := WordEncoder()) as store:
        assert not encoder.texts
        (found,) = await store.asearch(("calibrant", "experience"), query="How are jobs retried?")
        assert found.value["verdict"] == "good"
        assert found.score == pytest.approx(1.0, abs=1e-4)


@pytest.fixture
def unopened() -> Iterator[None]:
    """Nothing that the server's graphs share is held from before, nor left for later."""
    held = (entry._deps, entry._graph, entry._retrieve_information)
    for one in held:
        one.cache_clear()
    yield
    for one in held:
        one.cache_clear()


@pytest.mark.usefixtures("unopened")
@pytest.mark.parametrize("name", ["graph", "retrieve_information"])
async def test_what_the_server_calls_in_its_event_loop_opens_things_elsewhere(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A retriever may read a file when it is loaded; the server refuses that in its loop."""
    loaded: list[bool] = []

    class Retriever(BaseRetriever):
        def _get_relevant_documents(self, query: str, *, run_manager: Any) -> list[Document]:
            return [Document(query)]

    def retriever() -> Retriever:
        loaded.append(threading.current_thread() is threading.main_thread())
        return Retriever()

    monkeypatch.setattr("tests.graph.house.retriever", retriever, raising=False)
    monkeypatch.setenv("CALIBRANT_DATA_DIR", str(tmp_path))
    monkeypatch.setenv("CALIBRANT_EMBEDDINGS", "none")
    monkeypatch.setenv("CALIBRANT_LANGCHAIN_RETRIEVERS", "notes: tests.graph.house:retriever")
    make = getattr(entry, name)
    assert await make() is await make()
    assert loaded == [False]


@pytest.mark.usefixtures("unopened")
async def test_requests_that_come_side_by_side_share_one_graph_and_both_graphs_what_they_work_with(
    data_dir: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened: list[Deps] = []

    def make(**_: Any) -> Deps:
        time.sleep(0.05)
        opened.append(deps_for(data_dir))
        return opened[-1]

    monkeypatch.setattr(entry, "make_deps", make)
    graphs = await asyncio.gather(entry.graph(), entry.retrieve_information(), entry.graph())
    assert graphs[0] is graphs[2]
    assert [graph.name for graph in graphs[:2]] == ["calibrant", "retrieve_information"]
    assert len(opened) == 1
