"""The vector index follows the store: filled, resumed, rebuilt, never trusted more than SQLite."""

import shutil
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from calibrant.retrievers.knowledge import IngestProgress, KnowledgeBase, knowledge_dir
from calibrant.retrievers.knowledge.folder import KnowledgeFolder
from calibrant.state.errors import KnowledgeError
from calibrant.state.evidence import SearchQuery
from calibrant.state.protocols import TextEncoder

Opener = Callable[..., KnowledgeBase]
Encoder = Callable[..., TextEncoder]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "data" / "knowledge" / "notes"


@pytest.fixture
def filled(open_base: Opener, docs: Path, word_encoder: Encoder) -> KnowledgeBase:
    for number in range(5):
        (docs / f"{number}.txt").write_text(f"The pump number {number}.")
    base = open_base(encoder=word_encoder())
    base.ingest([docs])
    assert base.index_vectors() == 5
    return base


def reaches(base: KnowledgeBase, vectors: int) -> bool:
    """Whether so many vectors are there soon."""
    for _ in range(300):
        if base.stats().vectors == vectors:
            return True
        time.sleep(0.1)
    return False


def test_only_what_is_missing_is_embedded(filled: KnowledgeBase, docs: Path) -> None:
    assert filled.index_vectors() == 0
    (docs / "0.txt").write_text("The tank.")
    (docs / "1.txt").unlink()
    filled.ingest([docs])
    behind = filled.stats()
    assert (behind.vectors, behind.chunks) == (3, 4)
    told: list[IngestProgress] = []
    assert filled.index_vectors(progress=told.append) == 1
    assert [(item.stage, item.done, item.total) for item in told] == [("embedding", 1, 1)]
    stats = filled.stats()
    assert (stats.vectors, stats.chunks, stats.encoder) == (4, 4, "words:1")


def test_a_missing_index_is_filled_again(
    filled: KnowledgeBase, open_base: Opener, folder: Path, word_encoder: Encoder
) -> None:
    filled.close()
    shutil.rmtree(folder / "chroma")
    again = open_base(encoder=word_encoder())
    assert again.stats().vectors == 0
    assert len(again.search(SearchQuery(text="pump"))) == 5
    assert again.index_vectors() == 5


def test_a_damaged_index_is_filled_again(
    filled: KnowledgeBase, open_base: Opener, folder: Path, word_encoder: Encoder
) -> None:
    filled.close()
    (folder / "chroma" / "chroma.sqlite3").write_bytes(b"garbage" * 1000)
    again = open_base(encoder=word_encoder())
    assert len(again.search(SearchQuery(text="pump"))) == 5
    degraded = again.stats().degraded
    assert degraded is not None
    assert "cannot be used" in degraded.message
    assert again.index_vectors() == 5
    assert again.stats().degraded is None


def test_another_encoder_means_another_index(filled: KnowledgeBase, open_base: Opener, word_encoder: Encoder) -> None:
    other = open_base(encoder=word_encoder("words:2", dimensions=32))
    assert other.stats().vectors == 0
    assert len(other.search(SearchQuery(text="pump"))) == 5
    assert other.index_vectors() == 5


def test_who_goes_back_and_forth_between_two_encoders_pays_once(
    filled: KnowledgeBase, open_base: Opener, docs: Path, word_encoder: Encoder
) -> None:
    filled.close()
    other = open_base(encoder=word_encoder("words:2", dimensions=32))
    assert other.index_vectors() == 5
    (docs / "0.txt").write_text("The tank.")  # as many passages as before, and not the same ones
    other.ingest([docs])
    assert other.index_vectors() == 1
    other.close()
    back = open_base(encoder=word_encoder())
    assert back.stats().vectors == 4
    back.start_indexing()
    assert reaches(back, 5)
    assert back.index_vectors() == 0


def test_stopped_and_resumed(
    open_base: Opener, docs: Path, monkeypatch: pytest.MonkeyPatch, word_encoder: Encoder
) -> None:
    monkeypatch.setattr("calibrant.retrievers.knowledge.meaning.BATCH", 2)
    for number in range(5):
        (docs / f"{number}.txt").write_text(f"The pump number {number}.")
    base = open_base(encoder=word_encoder())
    base.ingest([docs])
    assert base.index_vectors(progress=lambda _: base._stop.set()) == 2  # as ``close`` does from another thread
    base.close()
    assert open_base(encoder=word_encoder()).index_vectors() == 3


def test_vectors_of_removed_chunks_are_never_shown(filled: KnowledgeBase, docs: Path) -> None:
    (docs / "3.txt").unlink()
    filled.ingest([docs])
    assert {item.title for item in filled.search(SearchQuery(text="pump"))} == {"0.txt", "1.txt", "2.txt", "4.txt"}


def test_one_process_fills_at_a_time(filled: KnowledgeBase, docs: Path, folder: Path) -> None:
    (docs / "9.txt").write_text("More.")
    filled.ingest([docs])
    lock = sqlite3.connect(folder / "indexing.lock", isolation_level=None)
    lock.execute("BEGIN EXCLUSIVE")
    assert filled.index_vectors() == 0
    lock.close()
    assert filled.index_vectors() == 1


@pytest.mark.parametrize("files", [0, 1, 3])
def test_what_is_read_during_the_embedding_is_embedded_too(
    open_base: Opener, filled: KnowledgeBase, docs: Path, word_encoder: Encoder, files: int
) -> None:
    """Whoever reads it finds the lock taken, and leaves it to the one who holds the lock."""
    other = open_base(encoder=word_encoder())
    begun: list[int] = []

    def read_more(told: IngestProgress) -> None:
        begun.append(told.total)
        if len(begun) == 1:
            for number in range(files):
                (docs / f"more-{number}.txt").write_text(f"More about the pump {number}.")
            other.ingest([docs])
            assert other.index_vectors() == 0

    (docs / "9.txt").write_text("The ninth.")
    filled.ingest([docs])
    assert filled.index_vectors(progress=read_more) == 1 + files
    assert begun == [1, files] if files else [1]
    assert filled.stats().vectors == filled.stats().chunks == 6 + files
    assert other.index_vectors() == 0


class FullDisk(sqlite3.Connection):
    """A file that cannot be written."""

    def execute(self, *_: Any) -> Any:
        raise sqlite3.OperationalError("database or disk is full")


def test_a_full_disk_is_not_told_as_another_process(filled: KnowledgeBase, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sqlite3, "connect", partial(sqlite3.connect, factory=FullDisk))
    with pytest.raises(KnowledgeError, match="no space left to write"):
        filled.index_vectors()


FILLED_ELSEWHERE = """
import sys
from pathlib import Path
sys.path.insert(0, sys.argv[1])
from conftest import WordEncoder
from calibrant.retrievers.knowledge import KnowledgeBase
base = KnowledgeBase.open(Path(sys.argv[2]), "notes", encoder=WordEncoder())
base.ingest([Path(sys.argv[3])])
base.index_vectors()
base.close()
"""


def test_what_another_process_fills_is_found(
    open_base: Opener, docs: Path, folder: Path, word_encoder: Encoder
) -> None:
    (docs / "a.txt").write_text("The pump.")
    base = open_base(encoder=word_encoder(same={"quagga": "zebra"}))
    base.ingest([docs])
    base.index_vectors()
    assert base.search(SearchQuery(text="quagga")) == []
    (docs / "b.txt").write_text("A zebra runs")
    command = [sys.executable, "-c", FILLED_ELSEWHERE, str(Path(__file__).parent), str(folder), str(docs)]
    subprocess.run(command, check=True)
    assert [item.title for item in base.search(SearchQuery(text="quagga"))] == ["b.txt"]


def test_filled_in_the_background(open_base: Opener, docs: Path, word_encoder: Encoder) -> None:
    (docs / "a.txt").write_text("The pump.")
    base = open_base(encoder=word_encoder())
    base.ingest([docs])
    base.start_indexing()
    assert reaches(base, 1)
    base.close()
    assert open_base(encoder=word_encoder()).stats().vectors == 1


def test_few_vectors_rank_nothing(open_base: Opener, docs: Path, word_encoder: Encoder) -> None:
    (docs / "a.txt").write_text("A zebra runs")
    base = open_base(encoder=word_encoder(same={"quagga": "zebra"}))
    base.ingest([docs])
    base.index_vectors()
    for number in range(3):
        (docs / f"{number}.txt").write_text(f"The pump number {number}.")
    base.ingest([docs])
    base.close()
    base = open_base(encoder=word_encoder(same={"quagga": "zebra"}))
    assert base.search(SearchQuery(text="quagga")) == []
    base.index_vectors()
    assert [item.title for item in base.search(SearchQuery(text="quagga"))][:1] == ["a.txt"]


def test_vectors_that_are_missing_are_made_while_questions_are_answered(
    tmp_path: Path, docs: Path, word_encoder: Encoder
) -> None:
    (docs / "a.txt").write_text("The pump.")
    base = KnowledgeBase.open(knowledge_dir(tmp_path, "notes"), "notes", create=True)
    base.ingest([docs])
    base.close()
    folder = KnowledgeFolder(tmp_path, word_encoder())
    assert "vectors" not in folder.health("notes")[1]
    folder.warm()
    for _ in range(300):
        if "1 vector," in folder.health("notes")[1]:
            break
        time.sleep(0.1)
    folder.close()
    assert KnowledgeFolder(tmp_path, word_encoder()).health("notes")[1].startswith("1 document, 1 passage, 1 vector,")


def test_without_an_encoder_there_are_no_vectors(open_base: Opener, docs: Path, folder: Path) -> None:
    (docs / "a.txt").write_text("The pump.")
    base = open_base()
    base.ingest([docs])
    assert base.index_vectors() == 0
    assert base.stats().encoder == ""
    assert not (folder / "chroma").exists()


def test_a_server_that_is_away_leaves_word_search(tmp_path: Path, docs: Path, word_encoder: Encoder) -> None:
    (docs / "a.txt").write_text("The pump.")
    base = KnowledgeBase.open(
        tmp_path / "kb", "notes", encoder=word_encoder(), chroma_url="http://127.0.0.1:9", create=True
    )
    base.ingest([docs])
    assert len(base.search(SearchQuery(text="pump"))) == 1
    degraded = base.stats().degraded
    assert degraded is not None
    assert "Chroma server at http://127.0.0.1:9" in degraded.message
    base.close()
    with pytest.raises(KnowledgeError, match="nothing was removed"):
        KnowledgeBase.remove(tmp_path / "kb", "http://127.0.0.1:9")
    assert (tmp_path / "kb").exists()


def test_after_closing_no_indexing_begins(open_base: Opener, docs: Path, word_encoder: Encoder) -> None:
    (docs / "a.txt").write_text("The pump.")
    base = open_base("late", encoder=word_encoder())
    base.ingest([docs])
    base.close()
    base.start_indexing()
    assert base._worker is None


def test_warming_up_changes_nothing(filled: KnowledgeBase, open_base: Opener, word_encoder: Encoder) -> None:
    before = filled.stats()
    filled.warm()
    open_base("empty", encoder=word_encoder()).warm()
    open_base("words").warm()
    assert filled.stats() == before
