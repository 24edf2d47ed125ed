"""Knowledge bases by name, as a source, and the one line a user reads when one is damaged."""

import os
import sqlite3
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest

from calibrant.retrievers.asking import Partial
from calibrant.retrievers.knowledge import KnowledgeBase, KnowledgeSource, knowledge_dir, list_knowledge
from calibrant.retrievers.knowledge.locks import READING, with_others
from calibrant.retrievers.knowledge.reports import IngestProgress
from calibrant.state.errors import InputError, KnowledgeError, SourceError
from calibrant.state.evidence import Filters, SearchQuery
from calibrant.state.protocols import Kept, Rereadable, Source

Opener = Callable[..., KnowledgeBase]


@pytest.fixture
def two(open_base: Opener, docs: Path) -> list[KnowledgeBase]:
    bases = []
    for name, text in (("alpha", "The pump is blue."), ("beta", "The pump and the valve are red.")):
        (docs / name).mkdir()
        (docs / name / "a.txt").write_text(text)
        base = open_base(name)
        base.ingest([docs / name])
        bases.append(base)
    return bases


async def test_it_is_a_source_over_several_bases(two: list[KnowledgeBase]) -> None:
    source = KnowledgeSource(two)
    assert isinstance(source, Source)
    assert isinstance(source, Rereadable)
    found = await source.search(SearchQuery(text="red valve of the pump"))
    assert [(item.collection, item.rank) for item in found] == [("beta", 1), ("alpha", 2)]
    assert [item.id for item in await source.reread([found[1].id, "none", found[0].id])] == [found[1].id, found[0].id]
    assert len(await source.search(SearchQuery(text="pump", limit=1))) == 1


async def test_collections_choose_the_bases(two: list[KnowledgeBase]) -> None:
    query = SearchQuery(text="pump", filters=Filters(collections=("alpha",)))
    assert {item.collection for item in await KnowledgeSource(two).search(query)} == {"alpha"}


async def test_a_name_that_no_base_has_is_a_failure(two: list[KnowledgeBase]) -> None:
    query = SearchQuery(text="pump", filters=Filters(collections=("alpha", "typo")))
    found = await KnowledgeSource(two).search(query)
    assert {item.collection for item in found} == {"alpha"}
    for answer in (found, await KnowledgeSource([]).search(query)):
        assert isinstance(answer, Partial)
        assert "no knowledge base named" in answer.failure.message


async def test_a_base_that_was_not_read_to_its_end_may_have_missed_something(
    two: list[KnowledgeBase], docs: Path
) -> None:
    """That nothing was found in it is no finding."""

    def stop(_: IngestProgress) -> None:
        raise KeyboardInterrupt

    (docs / "beta" / "b.txt").write_text("Another pump.")
    with pytest.raises(KeyboardInterrupt):
        two[1].ingest([docs / "beta"], progress=stop)
    for collections, is_partial in (((), True), (("beta",), True), (("alpha",), False)):
        query = SearchQuery(text="pump", filters=Filters(collections=collections))
        found = await KnowledgeSource(two).search(query)
        assert found, "what was read is found"
        assert isinstance(found, Partial) is is_partial
    two[1].ingest([docs / "beta"])
    assert not isinstance(await KnowledgeSource(two).search(SearchQuery(text="pump")), Partial)


async def test_the_loop_is_never_blocked(two: list[KnowledgeBase], monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[threading.Thread] = []
    search = KnowledgeBase.search

    def watched(self: KnowledgeBase, query: SearchQuery) -> object:
        seen.append(threading.current_thread())
        return search(self, query)

    monkeypatch.setattr(KnowledgeBase, "search", watched)
    await KnowledgeSource(two).search(SearchQuery(text="pump"))
    assert len(seen) == 2
    assert threading.main_thread() not in seen


async def test_a_document_is_outdated_where_its_file_says_something_else_by_now(
    two: list[KnowledgeBase], docs: Path
) -> None:
    source = KnowledgeSource(two)
    assert isinstance(source, Kept)
    first, second = (docs / name / "a.txt" for name in ("alpha", "beta"))
    urls = [first.as_uri(), second.as_uri(), "https://example.org/a"]
    assert await source.outdated(urls) == {}
    os.utime(first, (1.0, 1.0))
    assert await source.outdated(urls) == {}, "only its time has changed"
    first.write_text("The pump is green.")
    second.write_text("The pump and the valve are green.")
    changed = "has changed since it was read: `calibrant ingest -k {}` brings its knowledge base up to date."
    assert await source.outdated(urls) == {urls[0]: changed.format("alpha"), urls[1]: changed.format("beta")}
    assert await source.outdated(urls, ["beta"]) == {urls[1]: changed.format("beta")}
    two[1].ingest([])
    assert await source.outdated(urls[1:]) == {}


@pytest.mark.parametrize("moved", ["a.txt", "."], ids=["the file", "its folder"])
async def test_a_document_is_outdated_where_its_file_is_gone(two: list[KnowledgeBase], docs: Path, moved: str) -> None:
    place, away = docs / "alpha" / moved, docs / "away"
    urls = [(docs / name / "a.txt").as_uri() for name in ("alpha", "beta")]
    place.rename(away)
    told = "is gone, or away for now: `calibrant ingest -k alpha` brings its knowledge base up to date."
    assert await KnowledgeSource(two).outdated(urls) == {urls[0]: told}
    away.rename(place)
    assert await KnowledgeSource(two).outdated(urls) == {}


def test_a_file_that_cannot_be_read_may_say_the_same(
    two: list[KnowledgeBase], docs: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(path: Path) -> bytes:
        raise PermissionError(13, "Permission denied", str(path))

    file = docs / "alpha" / "a.txt"
    file.write_text("The pump is green, and its file is another one.")
    assert two[0].outdated([file.as_uri()])
    monkeypatch.setattr("calibrant.retrievers.knowledge.ingest.read_file", refuse)
    assert two[0].outdated([file.as_uri()]) == {}


async def test_a_file_whose_time_is_the_same_is_not_read_again(
    two: list[KnowledgeBase], docs: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(path: Path) -> bytes:
        raise AssertionError(path)

    monkeypatch.setattr(Path, "read_bytes", refuse)
    assert two[0].outdated([(docs / "alpha" / "a.txt").as_uri()]) == {}


CLOSED_IN_USE = """
import random, sys, threading
from pathlib import Path
from calibrant.retrievers.knowledge import KnowledgeBase

told = set()
for _ in range(20):
    base = KnowledgeBase.open(Path(sys.argv[1]), "alpha")
    begun = threading.Event()

    def work():
        try:
            while True:
                base.spelt(["pmup", "retenton"])
                begun.set()
        except Exception as error:
            told.add(str(error).rpartition(".db ")[2])

    reading = threading.Thread(target=work)
    reading.start()
    begun.wait()
    base.close()
    reading.join()
print(told)
"""


def test_who_closes_a_base_that_is_being_read_crashes_nothing(two: list[KnowledgeBase], tmp_path: Path) -> None:
    """In a process of its own: what crashes there is no exception."""
    ended = subprocess.run(
        [sys.executable, "-c", CLOSED_IN_USE, str(tmp_path / "data/knowledge/alpha")],
        capture_output=True, text=True, timeout=60, check=False,
    )  # fmt: skip
    assert (ended.returncode, ended.stdout) == (0, "{'was closed while it was in use'}\n"), ended.stderr


async def test_one_base_that_fails_does_not_silence_the_other(two: list[KnowledgeBase], tmp_path: Path) -> None:
    source = KnowledgeSource(two)
    two[0].close()
    (tmp_path / "data/knowledge/alpha/knowledge.db").write_bytes(b"not a database" * 100)
    found = await source.search(SearchQuery(text="pump"))
    assert [item.collection for item in found] == ["beta"]
    assert isinstance(found, Partial)
    assert "is damaged" in found.failure.message
    with pytest.raises(SourceError, match="--rebuild"):
        await KnowledgeSource(two[:1]).search(SearchQuery(text="pump"))


AT_WORK = """
import sys
from pathlib import Path
from calibrant.retrievers.knowledge.locks import READING, with_others
with with_others(Path(sys.argv[1]) / READING):
    print("reading", flush=True)
    sys.stdin.read()
"""


@pytest.fixture
def reader(two: list[KnowledgeBase], tmp_path: Path) -> Iterator["subprocess.Popen[str]"]:
    """Another process that reads into the first base, until its stdin is closed."""
    command = [sys.executable, "-c", AT_WORK, str(tmp_path / "data/knowledge/alpha")]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout
        assert process.stdout.readline() == "reading\n"
        yield process


def test_a_base_that_is_being_read_is_not_removed(tmp_path: Path, reader: "subprocess.Popen[str]") -> None:
    alpha, beta = (tmp_path / "data/knowledge" / name for name in ("alpha", "beta"))
    for _ in range(2):
        with pytest.raises(InputError, match="alpha is being read or embedded"):
            KnowledgeBase.remove(alpha)
        with with_others(alpha / READING):
            pass  # another one that has ended leaves the first one's lock
    KnowledgeBase.remove(beta)
    assert list_knowledge(tmp_path / "data") == ["alpha"]
    reader.kill()
    reader.wait()
    KnowledgeBase.remove(alpha)
    assert list_knowledge(tmp_path / "data") == []


def test_a_base_that_is_being_embedded_is_not_removed(two: list[KnowledgeBase], tmp_path: Path) -> None:
    alpha = tmp_path / "data/knowledge/alpha"
    with closing(sqlite3.connect(alpha / "indexing.lock", isolation_level=None)) as lock:
        lock.execute("BEGIN EXCLUSIVE")
        with pytest.raises(InputError, match="try again when that has ended"):
            KnowledgeBase.remove(alpha)
    KnowledgeBase.remove(alpha)
    assert list_knowledge(tmp_path / "data") == ["beta"]


def test_names(tmp_path: Path, open_base: Opener) -> None:
    assert list_knowledge(tmp_path / "data") == []
    open_base("beta")
    open_base("alpha-2")
    (tmp_path / "data" / "knowledge" / "empty").mkdir()
    assert list_knowledge(tmp_path / "data") == ["alpha-2", "beta"]
    assert knowledge_dir(tmp_path, "a_1") == tmp_path / "knowledge" / "a_1"
    for name in ("", "../up", "Upper", "-a", "a b", "a\n"):
        with pytest.raises(InputError, match="not a name"):
            knowledge_dir(tmp_path, name)


def test_one_that_does_not_exist(open_base: Opener, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no knowledge base named 'none': make it with `calibrant ingest"):
        open_base("none", create=False)
    assert not (tmp_path / "data").exists()


@pytest.mark.parametrize(("content", "says"), [(b"garbage" * 999, "--rebuild"), (b"", "is not a knowledge base")])
def test_a_damaged_file_is_told_and_kept(open_base: Opener, tmp_path: Path, content: bytes, says: str) -> None:
    folder = tmp_path / "data" / "knowledge" / "notes"
    folder.mkdir(parents=True)
    (folder / "knowledge.db").write_bytes(content)
    with pytest.raises(KnowledgeError, match=says) as caught:
        open_base(create=False)
    assert "\n" not in str(caught.value)
    assert (folder / "knowledge.db").read_bytes() == content


def test_damage_inside_the_file_is_told(two: list[KnowledgeBase], open_base: Opener, tmp_path: Path) -> None:
    two[0].close()
    path = tmp_path / "data/knowledge/alpha/knowledge.db"
    whole = path.read_bytes()
    path.write_bytes(whole[:4096] + b"\xff" * (len(whole) - 4096))
    with pytest.raises(KnowledgeError, match="is damaged"):
        open_base("alpha", create=False)


def test_a_newer_schema_is_refused(two: list[KnowledgeBase], open_base: Opener, tmp_path: Path) -> None:
    two[0].close()
    connection = sqlite3.connect(tmp_path / "data/knowledge/alpha/knowledge.db")
    connection.execute("PRAGMA user_version = 99")
    connection.close()
    with pytest.raises(KnowledgeError, match="newer version of calibrant"):
        open_base("alpha")


def test_set_aside_keeps_the_old_file(open_base: Opener, tmp_path: Path) -> None:
    folder = tmp_path / "data" / "knowledge" / "notes"
    folder.mkdir(parents=True)
    (folder / "knowledge.db").write_bytes(b"garbage")
    kept = KnowledgeBase.set_aside(folder)
    assert kept is not None
    assert kept.read_bytes() == b"garbage"
    assert open_base().stats().documents == 0
    assert KnowledgeBase.set_aside(folder) != kept
    assert KnowledgeBase.set_aside(folder) is None


def test_two_threads_read_while_one_writes(two: list[KnowledgeBase], docs: Path) -> None:
    base = two[0]
    found: list[int] = []

    def look() -> None:
        found.extend(len(base.search(SearchQuery(text="pump", limit=50))) for _ in range(50))

    threads = [threading.Thread(target=look) for _ in range(2)]
    for thread in threads:
        thread.start()
    for number in range(20):
        (docs / "alpha" / f"{number}.txt").write_text(f"The pump {number}.")
        base.ingest([docs / "alpha"])
    for thread in threads:
        thread.join()
    assert len(found) == 100
    assert min(found) >= 1
    assert base.stats().documents == 21


def test_importing_loads_nothing_heavy() -> None:
    code = (
        "import sys, calibrant.retrievers.knowledge, calibrant.retrievers.embedder\n"
        "heavy = {'chromadb', 'onnxruntime', 'tokenizers', 'langchain_community', 'pypdf', 'docx', 'bs4'}\n"
        "print(sorted(heavy & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"
