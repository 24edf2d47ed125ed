"""Ingest: incremental, following deletions, harmless when interrupted, one bad file never stops the rest."""

import os
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from calibrant.retrievers.knowledge import IngestProgress, IngestReport, KnowledgeBase
from calibrant.retrievers.knowledge.files import Walk, matches
from calibrant.state.errors import FailureKind, InputError
from calibrant.state.evidence import SearchQuery

Opener = Callable[..., KnowledgeBase]


def ids(base: KnowledgeBase, text: str) -> set[str]:
    return {item.id for item in base.search(SearchQuery(text=text, limit=100))}


def paths(base: KnowledgeBase, text: str) -> set[str]:
    return {item.url.rsplit("/", 1)[-1] for item in base.search(SearchQuery(text=text, limit=100))}


def numbers(report: IngestReport) -> tuple[int, int, int, int]:
    return report.added, report.updated, report.unchanged, report.removed


def test_only_what_changed_is_read_again(open_base: Opener, docs: Path) -> None:
    base = open_base()
    (docs / "a.md").write_text("# A\n\nThe pump is blue.\n\n# B\n\nThe valve is red.\n")
    (docs / "b.md").write_text("The tank is green.\n")
    assert numbers(base.ingest([docs])) == (2, 0, 0, 0)
    assert numbers(base.ingest([docs])) == (0, 0, 2, 0)
    valve = ids(base, "valve")
    (docs / "a.md").write_text("# A\n\nThe pump is yellow.\n\n# B\n\nThe valve is red.\n")
    assert numbers(base.ingest([docs])) == (0, 1, 1, 0)
    assert ids(base, "valve") == valve
    assert ids(base, "blue") == set()
    assert len(ids(base, "yellow")) == 1


def test_what_another_process_reads_meanwhile_is_not_taken_for_what_is_gone(open_base: Opener, docs: Path) -> None:
    base, other = open_base(), open_base()
    for name in ("a.md", "z.md"):
        (docs / name).write_text("The gate is old.")
    base.ingest([docs])
    (docs / "z.md").unlink()
    (docs / "new.md").write_text("The ferry leaves at nine.")

    def meanwhile(_: IngestProgress) -> None:
        other.ingest([docs])

    base.ingest([docs], progress=meanwhile)
    assert paths(base, "ferry") == {"new.md"}
    assert base.held([docs / "z.md"]) == 0


def test_a_file_that_gives_no_text_is_told(open_base: Opener, docs: Path) -> None:
    """A page that a script fills is not empty: somebody would ask about it in vain."""
    base = open_base()
    page = docs / "app.html"
    page.write_text("<html><head><title>App</title></head><body><p>The tank is green.</p></body></html>")
    (docs / "__init__.py").write_text("\n")
    assert numbers(base.ingest([docs])) == (2, 0, 0, 0)
    page.write_text('<html><head><title>App</title></head><body><div id="root"></div></body></html>')
    report = base.ingest([docs])
    assert numbers(report) == (0, 0, 1, 1)
    assert [(Path(file.path).name, file.reason) for file in report.skipped] == [("app.html", "no text in it")]
    assert [failure.message for failure in base.ingest([page]).failures] == [f"{page}: no text in it"]


@pytest.mark.parametrize("pattern", ["[z-a]*", "[!]", "[]", "[", "a[b-"])
def test_brackets_that_are_no_class_of_characters_stand_for_themselves(pattern: str) -> None:
    assert not matches("/docs/readme.md", pattern)
    assert matches(f"/docs/{pattern.removesuffix('*')}", pattern)


def test_classes_of_characters_in_globs() -> None:
    assert matches("/docs/b.md", "[a-c].md")
    assert not matches("/docs/d.md", "[a-c].md")
    assert matches("/docs/d.md", "[!a-c].md")
    assert matches("/docs/d.md", "[^a-c].md")
    assert matches("/docs/a-b.md", "a[-_]b.md")
    for sign in "[&~|^\\":
        assert matches(f"/docs/{sign}.md", f"[x{sign}].md")
        assert not matches("/docs/y.md", f"[x{sign}].md")


def test_a_home_that_nobody_has_is_bad_input(open_base: Opener) -> None:
    base = open_base()
    for work in (base.ingest, base.forget):
        with pytest.raises(InputError, match="~nobody-of-this-name/docs names a home directory that is not known"):
            work([Path("~nobody-of-this-name/docs")])


def test_deletions_are_followed(open_base: Opener, docs: Path) -> None:
    base = open_base()
    (docs / "a.txt").write_text("pump")
    (docs / "b.txt").write_text("pump")
    base.ingest([docs])
    (docs / "a.txt").unlink()
    assert numbers(base.ingest([docs])) == (0, 0, 1, 1)
    assert paths(base, "pump") == {"b.txt"}
    assert base.stats().documents == 1


def test_a_file_that_is_no_text_any_more_is_removed(open_base: Opener, docs: Path) -> None:
    base = open_base()
    (docs / "a.txt").write_text("pump")
    base.ingest([docs])
    (docs / "a.txt").write_bytes(b"\x00\x01")
    report = base.ingest([docs])
    assert (report.removed, len(report.skipped), report.failures) == (1, 1, ())


def test_a_file_in_whose_place_something_else_has_come_is_removed(
    open_base: Opener, docs: Path, tmp_path: Path
) -> None:
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    (docs / "folder").mkdir()
    for name in ("a.txt", "b.txt", "folder/c.txt"):
        (docs / name).write_text("The pump is blue.")
        (elsewhere / Path(name).name).write_text("The tank is green.")
    base = open_base()
    base.ingest([docs])
    for name in ("a.txt", "b.txt", "folder/c.txt"):
        (docs / name).unlink()
    (docs / "folder").rmdir()
    (docs / "a.txt").mkdir()
    (docs / "b.txt").symlink_to(elsewhere / "b.txt")
    (docs / "folder").symlink_to(elsewhere)
    assert numbers(base.ingest([docs])) == (0, 0, 0, 3)
    assert base.stats().documents == 0


def test_a_file_that_cannot_be_read_now_keeps_its_last_text(open_base: Opener, docs: Path) -> None:
    base = open_base()
    (docs / "a.ipynb").write_text('{"cells": [{"cell_type": "markdown", "source": "pump"}]}')
    base.ingest([docs])
    (docs / "a.ipynb").write_text("{")
    report = base.ingest([docs])
    assert [failure.kind for failure in report.failures] == [FailureKind.MALFORMED]
    assert paths(base, "pump") == {"a.ipynb"}


def test_without_paths_everything_ingested_before(open_base: Opener, docs: Path) -> None:
    base = open_base()
    (docs / "a.txt").write_text("pump")
    base.ingest([docs])
    (docs / "b.txt").write_text("pump")
    assert numbers(base.ingest([])) == (1, 0, 1, 0)


def test_a_root_that_vanished_is_told_and_not_forgotten(open_base: Opener, docs: Path, tmp_path: Path) -> None:
    base = open_base()
    (docs / "a.txt").write_text("pump")
    base.ingest([docs])
    docs.rename(tmp_path / "away")
    report = base.ingest([])
    assert [failure.kind for failure in report.failures] == [FailureKind.MISSING]
    assert base.stats().documents == 1
    assert base.forget([docs]) == 1
    assert base.stats().documents == 0
    assert base.ingest([]) == IngestReport()


def test_a_path_that_does_not_exist(open_base: Opener, docs: Path) -> None:
    with pytest.raises(InputError, match=r"no such file or folder: .*none\.txt"):
        open_base().ingest([docs / "none.txt"])


def test_one_bad_file_does_not_stop_the_rest(open_base: Opener, docs: Path) -> None:
    base = open_base()
    (docs / "a.pdf").write_bytes(b"%PDF-1.7 broken")
    (docs / "b.txt").write_text("pump")
    report = base.ingest([docs])
    assert report.added == 1
    assert [failure.message for failure in report.failures] == [
        f"{docs / 'a.pdf'}: not a readable PDF file (PdfStreamError)"
    ]
    assert report.named_failures == ()
    assert len(base.ingest([docs / "a.pdf"]).named_failures) == 1


def test_a_name_that_is_no_text(open_base: Opener, docs: Path) -> None:
    Path(os.fsdecode(os.fsencode(docs) + b"/\xff.txt")).write_text("pump")
    (docs / "b.txt").write_text("pump")
    report = open_base().ingest([docs])
    assert report.added == 1
    assert [failure.message for failure in report.failures] == [f"{docs}/?.txt: its name is not valid Unicode"]


def test_a_folder_whose_name_is_no_text(open_base: Opener, docs: Path) -> None:
    folder = Path(os.fsdecode(os.fsencode(docs) + b"/\xff"))
    folder.mkdir()
    (folder / "a.txt").write_text("pump")
    (docs / "straße").mkdir()
    (docs / "straße" / "b.txt").write_text("pump")
    base = open_base()
    with pytest.raises(InputError, match=r"/\?: its name is not valid Unicode$"):
        base.ingest([folder])
    assert base.ingest([docs / "straße"]).added == 1


def test_permission_denied_is_a_failure(open_base: Opener, docs: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (docs / "a.txt").write_text("pump")

    def denied(_: Path) -> bytes:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "read_bytes", denied)
    report = open_base().ingest([docs])
    assert [(failure.kind, failure.message) for failure in report.failures] == [
        (FailureKind.UNAVAILABLE, f"{docs / 'a.txt'}: permission denied")
    ]


def test_what_a_walk_passes_over(docs: Path) -> None:
    for name in ("a.md", "b.py", ".hidden/c.md", "node_modules/d.md", "__pycache__/e.md", "sub/f.md", ".env"):
        (docs / name).parent.mkdir(exist_ok=True)
        (docs / name).write_text("x")
    (docs / "link.md").symlink_to(docs / "a.md")
    found = [path.relative_to(docs).as_posix() for path in Walk([docs]).files()]
    assert found == ["a.md", "b.py", "sub/f.md"]
    assert [path.name for path in Walk([docs], include=["*.md"], exclude=["sub"]).files()] == ["a.md"]
    assert [path.name for path in Walk([docs / ".env"], exclude=["*"]).files()] == [".env"]


def test_what_stands_above_a_folder_that_is_named_keeps_nothing_out_of_it(open_base: Opener, docs: Path) -> None:
    site = docs / "build" / "site"
    for name in ("a.md", "build/b.md", "drafts/c.md"):
        (site / name).parent.mkdir(parents=True, exist_ok=True)
        (site / name).write_text("pump")
    base = open_base()
    assert base.ingest([site]).added == 3
    assert base.ingest([site], exclude=["build", "site/drafts"]).removed == 2
    assert base.held([site / "a.md"]) == 1
    assert [path.name for path in Walk([site], include=["build"]).files()] == ["b.md"]
    assert list(Walk([site], exclude=[str(docs)]).files()) == []


def test_excluded_files_leave_and_others_stay_with_an_include(open_base: Opener, docs: Path) -> None:
    base = open_base()
    (docs / "a.md").write_text("pump")
    (docs / "b.txt").write_text("pump")
    base.ingest([docs])
    assert base.ingest([docs], include=["*.md"]).removed == 0
    assert base.ingest([docs], exclude=["*.txt"]).removed == 1


@pytest.mark.parametrize(
    ("path", "pattern", "fits"),
    [
        ("/home/a/docs/x.md", "*.md", True),
        ("/home/a/docs/x.md", "docs/*.md", True),
        ("/home/a/docs/b/x.md", "docs/*.md", False),
        ("/home/a/docs/x.md", "docs/**/*.md", True),
        ("/home/a/docs/b/c/x.md", "docs/**/*.md", True),
        ("/home/a/docs/b/x.md", "/home/*/docs", True),
        ("/home/a/docs/x.md", "ocs", False),
        ("/home/a/docs/x1.md", "x[0-9].md", True),
        ("/home/a/docs/x1.md", "x[!0-9].md", False),
        ("/home/a/docs/x+.md", "x+.md", True),
        ("file:///home/a/x.md", "file:///home/**", True),
    ],
)
def test_globs(path: str, pattern: str, fits: bool) -> None:
    assert matches(path, pattern) is fits


def test_progress_tells_each_file(open_base: Opener, docs: Path) -> None:
    (docs / "a.txt").write_text("pump")
    (docs / "b.txt").write_text("tank")
    told: list[IngestProgress] = []
    open_base().ingest([docs], progress=told.append)
    assert [(item.stage, item.done, item.total, item.chunks) for item in told] == [
        ("reading", 1, 2, 1),
        ("reading", 2, 2, 2),
    ]


KILLED = """
import os, signal, sys
from pathlib import Path
from calibrant.retrievers.knowledge import KnowledgeBase, store

def die(*_):
    os.kill(os.getpid(), signal.SIGKILL)

if sys.argv[3] == "inside":
    stamp, calls = store._stamp, []
    store._stamp = lambda *args: die() if len(calls) == 3 else calls.append(stamp(*args))
base = KnowledgeBase.open(Path(sys.argv[1]), "notes", create=True)
base.ingest([Path(sys.argv[2])], progress=lambda step: die() if step.done == 4 else None)
"""


@pytest.mark.parametrize("moment", ["between", "inside"])
def test_killed_in_the_middle_and_run_again(open_base: Opener, docs: Path, tmp_path: Path, moment: str) -> None:
    for number in range(8):
        (docs / f"{number}.md").write_text(f"# Part\n\nThe pump number {number}.\n")
    folder = tmp_path / "data" / "knowledge" / "notes"
    done = subprocess.run([sys.executable, "-c", KILLED, str(folder), str(docs), moment], check=False)
    assert done.returncode == -signal.SIGKILL
    base = open_base()
    half = base.stats()
    assert half.documents == half.chunks == len(ids(base, "pump")) == (4 if moment == "between" else 3)
    report = base.ingest([docs])
    assert numbers(report) == (8 - half.documents, 0, half.documents, 0)
    fresh = open_base("fresh")
    fresh.ingest([docs])
    assert ids(base, "pump") == ids(fresh, "pump")


def test_what_an_interrupt_leaves_is_whole(open_base: Opener, docs: Path) -> None:
    for number in range(3):
        (docs / f"{number}.md").write_text("pump")
    base = open_base()

    def stop(_: IngestProgress) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        base.ingest([docs], progress=stop)
    assert (base.stats().documents, base.stats().half_read) == (1, True)
    assert f"was not read to its end: `calibrant ingest -k {base.name}` goes on with it" in base.shortfall()
    assert base.ingest([docs]).added == 2
    assert (base.stats().half_read, base.shortfall()) == (False, "")
    assert os.listdir(docs) != []
