"""``ingest`` and ``--knowledge``: files in, one clear line for what cannot be read, nothing read twice."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from calibrant.interfaces import terminal
from calibrant.interfaces.commands.named_knowledge import is_path, name_for
from calibrant.retrievers.knowledge import list_knowledge
from calibrant.retrievers.knowledge.database import Database
from calibrant.retrievers.knowledge.loaders import MAX_BYTES
from calibrant.retrievers.knowledge.locks import INDEXING, READING, alone, with_others
from calibrant.state.errors import KnowledgeError
from tests.cli.conftest import Run, error_lines
from tests.remote.server import Hit, Reply, Server

BROKEN_PDF = b"%PDF-1.4\nnot really"


@pytest.fixture
def docs(machine: Path) -> Path:
    """A folder with two documents."""
    folder = machine / "docs"
    folder.mkdir()
    (folder / "cache.md").write_text("# Cache\n\nThe cache drops the oldest entry when it is full.\n")
    (folder / "notes.txt").write_text("Eviction follows the order of use.\n")
    return folder


def test_ingest_tells_what_it_read(run: Run, docs: Path) -> None:
    result = run("ingest", str(docs), "-k", "docs")
    assert result.exit_code == 0
    assert result.stdout == "docs: 2 documents, 2 passages, text search only\n"
    assert "reading: 2 of 2 files" in result.stderr
    assert "docs: 2 added, 0 files unchanged" in result.stderr


def test_what_is_read_is_kept_for_this_user_alone(run: Run, docs: Path, machine: Path) -> None:
    run("ingest", str(docs))
    for folder in (machine / "data", machine / "data" / "knowledge"):
        assert folder.stat().st_mode & 0o077 == 0


def test_ingest_reads_only_what_changed(run: Run, docs: Path) -> None:
    run("ingest", str(docs))
    (docs / "notes.txt").write_text("Eviction follows the order of insertion.\n")
    (docs / "cache.md").unlink()
    assert "default: 1 updated, 1 removed, 0 files unchanged" in run("ingest", str(docs)).stderr
    assert "default: nothing new, 1 file unchanged" in run("ingest", str(docs)).stderr


def test_rebuild_reads_everything_anew(run: Run, docs: Path) -> None:
    run("ingest", str(docs))
    assert "default: 2 added, 0 files unchanged" in run("ingest", str(docs), "--rebuild").stderr


def test_include_and_exclude(run: Run, docs: Path) -> None:
    data = json.loads(run("ingest", str(docs), "--include", "*.md", "--json").stdout)
    assert (data["report"]["added"], data["stats"]["documents"]) == (1, 1)
    data = json.loads(run("ingest", str(docs), "-k", "other", "--exclude", "*.md", "--json").stdout)
    assert data["report"]["added"] == 1


def test_a_filter_that_no_file_passes_is_named(run: Run, machine: Path) -> None:
    (machine / "notes").mkdir()
    (machine / "notes" / "a.md").write_text("A failed job is retried five times.")
    result = run("ingest", "notes", "-k", "e1", "--include", "*.pdf")
    assert result.exit_code == 2
    why = "there is no file to read in notes that matches --include *.pdf"
    assert error_lines(result)[-1] == f"calibrant: e1 is empty: {why}"


@pytest.mark.parametrize(
    ("files", "why"),
    [
        ({}, "there is no file to read in empty"),
        ({"a.md": b"", "b.txt": b" \n"}, "there is no text in 2 files"),
        ({"a.bin": bytes(range(256))}, "1 file could not be read as text"),
    ],
)
def test_where_nothing_is_read_it_says_why(run: Run, machine: Path, files: dict[str, bytes], why: str) -> None:
    (machine / "empty").mkdir()
    for name, content in files.items():
        (machine / "empty" / name).write_bytes(content)
    result = run("ingest", "empty", "-k", "e1")
    assert result.exit_code == 2
    assert error_lines(result)[-1] == f"calibrant: e1 is empty: {why}"
    assert error_lines(run("ask", "Why?", "-k", "empty"))[-1] == f"calibrant: nothing to answer from: {why}"
    assert list_knowledge(machine / "data") == []  # what is empty is not kept
    assert run("ingest", "empty", "-k", "no such").exit_code == 2


@pytest.mark.parametrize("count", [1, 12])
def test_what_is_passed_over_is_named_with_its_reason(run: Run, docs: Path, count: int) -> None:
    for number in range(count):
        (docs / f"{number:02}.bin").write_bytes(bytes(range(256)))
    (docs / "big.md").write_text("word " * (MAX_BYTES // 5 + 1))
    result = run("ingest", str(docs))
    assert result.exit_code == 0
    binary, large = error_lines(result)
    assert binary.startswith(f"calibrant: passed over, a binary file: {docs / '00.bin'}")
    assert binary.endswith(" and 2 more" if count > 10 else ".bin")
    assert large == f"calibrant: passed over, larger than 20 MB: {docs / 'big.md'}"


def test_a_base_that_holds_something_is_not_empty(run: Run, docs: Path) -> None:
    run("ingest", str(docs))
    (docs / "blank.md").write_text("")
    assert run("ingest", str(docs / "blank.md")).exit_code == 0


def test_what_is_gone_is_forgotten_where_it_is_said(run: Run, docs: Path) -> None:
    run("ingest", "docs", "-k", "mine")
    docs.rename(docs.parent / "moved")
    refused = run("ingest", "docs", "-k", "mine")
    command = "calibrant ingest -k mine --forget docs"
    why = f"no such file or folder: docs; 2 documents of it can still be found, until `{command}`"
    assert (refused.exit_code, error_lines(refused)) == (2, [f"calibrant: {why}"])
    result = run("ingest", "moved", "-k", "mine", "--forget", "docs")
    assert "mine: 2 added, 2 removed, 0 files unchanged" in result.stderr
    assert (result.exit_code, result.stdout) == (0, "mine: 2 documents, 2 passages, text search only\n")
    result = run("ingest", "-k", "mine", "--forget", "moved/notes.txt", "--json")
    assert (result.exit_code, json.loads(result.stdout)["report"]["removed"]) == (0, 1)
    result = run("ingest", "-k", "mine", "--forget", "moved", "--forget", "docs")
    assert error_lines(result) == ["calibrant: mine holds nothing that was read from docs"]
    result = run("ingest", "-k", "mine", "--forget", "moved")  # which the refusal has left alone
    assert (result.exit_code, result.stdout) == (0, "mine: 0 documents, 0 passages, text search only\n")
    assert run("ingest", "-k", "other", "--forget", "docs").exit_code == 2


def test_what_cannot_be_forgotten_is_refused_before_anything_is_read(run: Run, docs: Path) -> None:
    (docs.parent / "more").mkdir()
    (docs.parent / "more" / "new.md").write_text("The bridge opens at nine.")
    run("ingest", "docs", "-k", "mine")
    result = run("ingest", "more", "-k", "mine", "--forget", "nowhere")
    assert error_lines(result) == ["calibrant: mine holds nothing that was read from nowhere"]
    assert run("ingest", "-k", "other", "more", "--forget", "nowhere").exit_code == 2
    assert [base["name"] for base in json.loads(run("knowledge", "list", "--json").stdout)] == ["mine"]
    result = run("ingest", "-k", "mine", "docs", "--forget", "docs/notes.txt")
    assert result.stdout == "mine: 1 document, 1 passage, text search only\n"


def test_what_is_left_is_read_anew_where_both_are_asked_for(run: Run, docs: Path) -> None:
    run("ingest", "docs/notes.txt", "-k", "mine")
    run("ingest", "docs", "-k", "mine")
    (docs / "notes.txt").unlink()
    result = run("ingest", "-k", "mine", "--rebuild", "--forget", "docs/notes.txt", "--json")
    report = json.loads(result.stdout)["report"]
    assert (result.exit_code, report["removed"], report["added"]) == (0, 1, 1)


def test_without_a_path_all_that_was_read_is_brought_up_to_date(run: Run, docs: Path) -> None:
    result = run("ingest", "-k", "mine")
    told = "calibrant: nothing was read into 'mine' yet: say what to read, `calibrant ingest PATH -k mine`"
    assert (result.exit_code, error_lines(result)) == (2, [told])
    assert run("knowledge", "list", "--json").stdout == "[]\n"
    run("ingest", "docs", "-k", "mine")
    (docs / "more.txt").write_text("The ferry leaves at nine.\n")
    result = run("ingest", "-k", "mine")
    assert "mine: 1 added, 2 files unchanged" in result.stderr
    assert (result.exit_code, result.stdout) == (0, "mine: 3 documents, 3 passages, text search only\n")


def test_a_link_is_named(run: Run, docs: Path) -> None:
    links = docs.parent / "links"
    links.mkdir()
    (links / "notes.txt").symlink_to(docs / "notes.txt")
    (links / "docs").symlink_to(docs)
    result = run("ingest", "links")
    passed, empty = error_lines(result)
    assert passed == f"calibrant: passed over, a link: {links / 'docs'}, {links / 'notes.txt'}"
    assert empty == "calibrant: default is empty: there is no file to read in links"
    (named,) = error_lines(run("ingest", "links", "docs", "--include", "*.md"))
    assert named == f"calibrant: passed over, a link: {links / 'docs'}"


def test_a_missing_path(scripted_run: Run) -> None:
    run = scripted_run
    result = run("ingest", "nowhere")
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr == "calibrant: no such file or folder: nowhere\n"
    assert "no knowledge base" in run("ask", "Why?", "-k", "default").stderr  # none was made for it


def test_a_pdf_that_cannot_be_read_and_was_named(run: Run, docs: Path) -> None:
    bad = docs / "bad.pdf"
    bad.write_bytes(BROKEN_PDF)
    result = run("ingest", str(bad), str(docs / "cache.md"))
    assert result.exit_code == 2
    assert [str(bad) in line for line in error_lines(result)] == [True]
    assert "default: 1 document" in result.stdout  # the other one is in


def test_a_pdf_that_cannot_be_read_in_a_folder_is_told(run: Run, docs: Path) -> None:
    (docs / "bad.pdf").write_bytes(BROKEN_PDF)
    result = run("ingest", str(docs))
    assert result.exit_code == 0
    assert "bad.pdf" in error_lines(result)[0]


@pytest.mark.parametrize("command", [("ingest", "docs"), ("ingest",), ("ask", "Why?")], ids=" ".join)
def test_a_name_that_is_none(run: Run, docs: Path, machine: Path, command: tuple[str, ...]) -> None:
    result = run(*command, "-k", "My Docs")
    assert (result.exit_code, result.stdout) == (2, "")
    (told,) = error_lines(result)
    assert "not a name for a knowledge base: 'My Docs'" in told
    assert "`" not in told, "no command could make it"
    assert not (machine / "data" / "knowledge").exists()


def test_nothing_is_made_for_a_path_that_is_not_there(run: Run, machine: Path) -> None:
    assert run("ingest", "nowhere", "-k", "mine").exit_code == 2
    assert list((machine / "data" / "knowledge").iterdir()) == []


def damage(machine: Path, name: str) -> None:
    """Overwrite the database of a knowledge base with rubbish."""
    for file in (machine / "data" / "knowledge" / name).glob("knowledge.db*"):
        file.write_bytes(b"this is no database at all, whatever its name says" * 100)


def test_a_corrupt_knowledge_base_and_its_rebuild(run: Run, docs: Path, machine: Path) -> None:
    run("ingest", str(docs), "-k", "docs")
    damage(machine, "docs")
    result = run("ingest", str(docs), "-k", "docs")
    assert (result.exit_code, result.stdout) == (2, "")
    assert len(error_lines(result)) == 1
    result = run("ingest", str(docs), "-k", "docs", "--rebuild")
    assert result.exit_code == 0
    assert "is kept as" in error_lines(result)[0]


def test_what_could_not_be_made_leaves_nothing_and_is_told(
    run: Run, docs: Path, machine: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(database: Database) -> None:
        database.path.parent.mkdir(parents=True, exist_ok=True)
        database.path.touch()
        raise KnowledgeError(f"no space left to write {database.path}")

    monkeypatch.setattr(Database, "create", full)
    result = run("ingest", str(docs), "-k", "mine")
    assert result.exit_code == 2
    assert error_lines(result)[0].startswith("calibrant: no space left to write")
    assert list_knowledge(machine / "data") == []


def test_a_path_becomes_a_knowledge_base_of_its_own(scripted_run: Run, docs: Path, machine: Path) -> None:
    result = scripted_run("ask", "How does it evict?", "-k", "./docs")
    name = name_for(docs)
    assert result.exit_code == 0
    assert f"{name}: 2 added" in result.stderr
    assert f"{name}: nothing new, 2 files unchanged" in scripted_run("ask", "Why?", "-k", "docs").stderr
    assert scripted_run("ask", "Why?", "-k", name).exit_code == 0
    assert [folder.name for folder in (machine / "data" / "knowledge").iterdir()] == [name]


def test_what_was_asked_about_by_its_path_is_searched_only_where_it_is_named(run: Run, docs: Path) -> None:
    question = "What does the cache drop when it is full?"
    assert run("ask", question, "-k", "docs", "--no-input", "--thread", "t1").exit_code == 0
    assert run("ask", question, "--no-input").exit_code == 3
    assert "there is nothing to search yet" in run("ask", question, "--no-input").stderr
    elsewhere = ("ask", "Who founded the company that makes Zephyr?", "--no-input")
    for over in (("-k", name_for(docs)), ("--thread", "t1")):
        unanswered = run(*elsewhere, *over)
        assert (unanswered.exit_code, "nothing to search" in unanswered.stderr) == (3, False)
    assert run("ask", question, "-k", name_for(docs), "--no-input").exit_code == 0
    assert run("ask", "What order does eviction follow?", "--no-input", "--thread", "t1").exit_code == 0
    assert "searched only where it is named" in run("doctor").stdout
    (docs.parent / "other").mkdir()
    (docs.parent / "other" / "a.md").write_text("# Queue\n\nThe queue holds ten jobs.\n")
    run("ingest", "other")
    assert "oldest entry" not in run("ask", question, "--no-input").stdout  # nor is it remembered


def test_a_knowledge_base_of_the_settings_that_is_not_there(
    run: Run, docs: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run("ingest", str(docs), "-k", "docs")
    monkeypatch.setenv("CALIBRANT_KNOWLEDGE", "nope")
    result = run("ask", "What does the cache drop?", "--no-input")
    assert (result.exit_code, result.stdout) == (2, "")
    assert error_lines(result)[-1].startswith("calibrant: no knowledge base named 'nope': ")
    result = run("doctor")
    assert result.exit_code == 1
    assert "`calibrant ingest PATH -k nope`, or change CALIBRANT_KNOWLEDGE" in " ".join(result.stdout.split())
    assert run("ask", "What does the cache drop?", "-k", "docs", "--no-input").exit_code == 0


def test_knowledge_bases_are_listed_and_removed(run: Run, docs: Path, machine: Path) -> None:
    assert "there is no knowledge base yet" in run("knowledge").stderr
    run("ingest", str(docs), "-k", "docs")
    assert run("knowledge", "list").stdout.startswith("docs  2 documents, 2 passages")
    assert run("knowledge").stdout == run("knowledge", "list").stdout
    (held,) = json.loads(run("knowledge", "list", "--json").stdout)
    assert (held["name"], held["state"], held["only_where_named"]) == ("docs", "ok", False)
    result = run("knowledge", "remove", "nope", "--yes")
    assert (result.exit_code, error_lines(result)) == (2, ["calibrant: no knowledge base 'nope': there is docs"])
    result = run("knowledge", "remove", "docs")
    assert (result.exit_code, "`calibrant knowledge remove docs --yes`" in result.stderr) == (2, True)
    assert list_knowledge(machine / "data") == ["docs"]
    assert run("knowledge", "remove", "docs", "--yes").stdout == "docs is removed\n"
    assert list_knowledge(machine / "data") == []
    assert (docs / "cache.md").exists()


@pytest.mark.parametrize(("said", "kept"), [("n\n", ["docs"]), ("\n", ["docs"]), ("y\n", [])])
def test_removing_asks_first(
    run: Run, docs: Path, machine: Path, monkeypatch: pytest.MonkeyPatch, said: str, kept: list[str]
) -> None:
    run("ingest", str(docs), "-k", "docs")
    monkeypatch.setattr(terminal, "somebody_there", lambda: True)
    assert run("knowledge", "remove", "docs", stdin=said).exit_code == 0
    assert list_knowledge(machine / "data") == kept


def test_a_damaged_knowledge_base_can_be_removed(run: Run, docs: Path, machine: Path) -> None:
    run("ingest", str(docs), "-k", "docs")
    (machine / "data" / "knowledge" / "docs" / "knowledge.db").write_bytes(b"no database" * 100)
    assert "ingest PATH -k docs --rebuild" in run("knowledge").stdout
    assert run("knowledge", "remove", "docs", "--yes").exit_code == 0
    assert list_knowledge(machine / "data") == []


def test_what_is_being_embedded_is_not_removed(run: Run, docs: Path, machine: Path) -> None:
    run("ingest", str(docs), "-k", "docs")
    with alone(machine / "data" / "knowledge" / "docs" / INDEXING):
        result = run("knowledge", "remove", "docs", "--yes")
    assert (result.exit_code, result.stdout) == (2, "")
    assert error_lines(result) == ["calibrant: docs is being read or embedded: try again when that has ended"]
    assert run("knowledge", "remove", "docs", "--yes").exit_code == 0


def test_an_empty_base_that_another_process_begins_to_fill_stays(run: Run, machine: Path) -> None:
    folder = machine / "empty"
    folder.mkdir()
    with with_others(machine / "data" / "knowledge" / "new" / READING):
        result = run("ingest", str(folder), "-k", "new")
    assert (result.exit_code, "new is empty" in result.stderr) == (2, True)
    assert list_knowledge(machine / "data") == ["new"]
    assert run("ingest", str(folder), "-k", "other").exit_code == 2
    assert list_knowledge(machine / "data") == ["new"]


def test_a_knowledge_base_wins_over_a_folder_of_its_name(scripted_run: Run, docs: Path) -> None:
    scripted_run("ingest", str(docs), "-k", "docs")
    assert "unchanged" not in scripted_run("ask", "Why?", "-k", "docs").stderr


def test_an_unknown_knowledge_base(scripted_run: Run, docs: Path) -> None:
    result = scripted_run("ask", "Why?", "-k", "manuals")
    assert (result.exit_code, result.stdout) == (2, "")
    assert error_lines(result) == [
        "calibrant: no knowledge base or path 'manuals': there is none yet; `calibrant ingest PATH -k manuals` makes one"  # noqa: E501
    ]
    result = scripted_run("ask", "Why?", "-k", "./manuals")
    assert error_lines(result) == ["calibrant: no such file or folder: manuals"]


def test_asking_over_a_pdf_that_cannot_be_read(scripted_run: Run, docs: Path) -> None:
    bad = docs / "bad.pdf"
    bad.write_bytes(BROKEN_PDF)
    result = scripted_run("ask", "Why?", "-k", str(bad))
    assert (result.exit_code, result.stdout) == (2, "")
    assert "bad.pdf" in error_lines(result)[-1]


def test_paths_are_told_from_names(machine: Path) -> None:
    (machine / "here.txt").touch()
    assert [is_path(value) for value in ("a/b", ".", "~", "here.txt", "docs")] == [True, True, True, True, False]


def test_two_folders_of_one_name_are_two_knowledge_bases(machine: Path) -> None:
    first, second = name_for(machine / "a" / "My Docs"), name_for(machine / "b" / "My Docs")
    assert first != second
    assert first.startswith("my-docs.")


class LetterEncoder:
    """Vectors that need no model: one dimension a letter."""

    identity = "letters:1"
    dimensions = 26

    def encode(self, texts: Sequence[str]) -> Any:
        rows = np.array([[1.0 + text.lower().count(chr(97 + letter)) for letter in range(26)] for text in texts])
        return (rows / np.linalg.norm(rows, axis=1, keepdims=True)).astype(np.float32)


def test_vectors_follow_the_text(run: Run, docs: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("calibrant.graph.encoders.encoder_of", lambda embeddings, machine, api_key: LetterEncoder())
    result = run("ingest", str(docs), "--no-vectors")
    assert result.stdout == "default: 2 documents, 2 passages, text search only\n"
    result = run("ingest", str(docs))
    assert result.stdout == "default: 2 documents, 2 passages, 2 vectors\n"
    now = "questions can be asked now; the passages are being embedded (Ctrl-C: `calibrant ingest -k default` goes on)"
    said = result.stderr.splitlines()
    assert said[-2:] == [now, "embedding: 2 of 2 passages"]
    assert "embedding" not in run("ingest", str(docs)).stderr


def test_that_another_process_embeds_is_told(
    run: Run, docs: Path, machine: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("calibrant.graph.encoders.encoder_of", lambda embeddings, machine, api_key: LetterEncoder())
    with alone(machine / "data" / "knowledge" / "default" / INDEXING):
        result = run("ingest", str(docs))
    assert (result.exit_code, result.stdout) == (0, "default: 2 documents, 2 passages, 0 vectors\n")
    assert error_lines(result) == [
        "calibrant: another process is embedding, and takes these passages too; `calibrant ingest -k default` embeds "
        "what it may leave"
    ]
    result = run("ingest", str(docs))
    assert (result.stdout, error_lines(result)) == ("default: 2 documents, 2 passages, 2 vectors\n", [])


def embedded(hit: Hit) -> Reply:
    """What an OpenAI-compatible endpoint answers: one vector a text."""
    texts = hit.json["input"]
    return Reply.of_json({"data": [{"index": place, "embedding": [1.0, float(place)]} for place in range(len(texts))]})


@pytest.mark.parametrize("command", [("ingest", "docs"), ("ask", "-k", "docs", "When is an entry dropped?")])
def test_the_embeddings_endpoint_is_sent_its_key(
    run: Run, docs: Path, monkeypatch: pytest.MonkeyPatch, command: tuple[str, ...]
) -> None:
    with Server() as server:
        server.on("/v1/embeddings", embedded)
        monkeypatch.setenv("CALIBRANT_EMBEDDINGS", "any")
        monkeypatch.setenv("CALIBRANT_EMBEDDINGS_BASE_URL", server.url("/v1"))
        monkeypatch.setenv("CALIBRANT_EMBEDDINGS_API_KEY", "sk-ours")
        run(*command)
        assert {hit.headers["authorization"] for hit in server.hits()} == {"Bearer sk-ours"}
