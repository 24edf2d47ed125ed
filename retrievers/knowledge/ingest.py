"""Files into the store: read what changed, keep what did not, remove what is gone.

Each document becomes visible in one transaction; whatever stops an ingest, the next one goes on where it stood.
"""

import hashlib
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

from calibrant.retrievers.home import at_home
from calibrant.retrievers.knowledge.chunking import passages
from calibrant.retrievers.knowledge.documents import LoadError, NotTextError
from calibrant.retrievers.knowledge.files import Walk
from calibrant.retrievers.knowledge.loaders import RECIPE, load, read_file
from calibrant.retrievers.knowledge.reports import A_LINK, IngestProgress, IngestReport, Progress, SkippedFile
from calibrant.retrievers.knowledge.store import FileFacts, Known, Store
from calibrant.state.errors import Failure, FailureKind, InputError

NO_NAME = "its name is not valid Unicode"


def ingest(
    store: Store,
    paths: Sequence[Path],
    *,
    progress: Progress | None = None,
    include: Sequence[str] = (),
    exclude: Sequence[str] = (),
) -> IngestReport:
    """Bring ``store`` up to date with ``paths``; without any, with everything that was ingested before."""
    roots = [_existing(path) for path in paths]
    if roots:
        store.remember_roots(roots)
    else:
        roots = store.roots()
    return _Ingest(store, Walk(roots, include, exclude), progress).run()


def forget(store: Store, paths: Sequence[Path]) -> int:
    """Remove the documents at or under ``paths``, which need not exist any more."""
    found = held(store, paths)
    store.remove(found, datetime.now(UTC))
    store.forget_roots([at_home(path).resolve() for path in paths])
    return len(found)


def held(store: Store, paths: Sequence[Path]) -> list[str]:
    """The documents at or under ``paths``, by path."""
    roots = [at_home(path).resolve() for path in paths]
    return [path for path in store.known() if _is_under(Path(path), roots)]


@dataclass
class _Ingest:
    """One ingest as it goes."""

    store: Store
    walk: Walk
    progress: Progress | None
    known: Mapping[str, Known] = field(init=False)
    added: int = 0
    updated: int = 0
    unchanged: int = 0
    chunks: int = 0
    skipped: list[SkippedFile] = field(default_factory=list)
    failures: list[Failure] = field(default_factory=list)
    lost: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.known = self.store.known()

    def run(self) -> IngestReport:
        """Whatever cuts it off leaves the note that it has begun: what was not read yet is no gap in the documents."""
        self.store.mark_reading(begins=True)
        files = list(self.walk.files())
        self.skipped += [SkippedFile(path=shown(path), reason=A_LINK) for path in dict.fromkeys(self.walk.links)]
        for done, path in enumerate(files, start=1):
            self._take(path)
            self._tell(done, len(files), path)
        self._missed_folders()
        self._remove_lost(set(files))
        self.store.mark_reading(begins=False)
        return self._report()

    def _take(self, path: Path) -> None:
        """Read one file if it changed. What goes wrong with it is told in the report."""
        try:
            self._read(path)
        except NotTextError as error:
            if path in self.walk.roots:
                self._fail(path, str(error), error.kind)
            else:
                self.skipped.append(SkippedFile(path=shown(path), reason=str(error)))
            if str(path) in self.known:  # it was text once; what it said then is not in it any more
                self.lost.append(str(path))
        except LoadError as error:
            self._fail(path, str(error), error.kind)

    def _read(self, path: Path) -> None:
        if shown(path) != str(path):
            raise LoadError(NO_NAME)
        content, modified = read_file(path)
        digest = _digest(content)
        held = self.known.get(str(path))
        if held and (held.digest, held.recipe) == (digest, RECIPE):
            self.unchanged += 1
            return
        document = load(path, content)
        facts = FileFacts(path, digest, RECIPE, len(content), modified)
        made = passages(document, facts.url)
        if not made and content.strip():  # an empty file holds nothing back; a page that a script fills does
            raise NotTextError("no text in it")
        self.store.put(facts, document.kind, document.title, made, datetime.now(UTC))
        self.chunks += len(made)
        self.updated, self.added = (self.updated + 1, self.added) if held else (self.updated, self.added + 1)

    def _missed_folders(self) -> None:
        for path, error in self.walk.unreadable:
            self._fail(path, error.strerror or type(error).__name__, FailureKind.UNAVAILABLE)

    def _remove_lost(self, files: set[Path]) -> None:
        """Documents under the roots whose file vanished, is excluded now, or holds no text any more."""
        # A root that vanished as a whole may be a disk that is not mounted: it is told, not forgotten.
        closed = [path for path, _ in self.walk.unreadable] + [root for root in self.walk.roots if not root.exists()]
        for path in map(Path, self.known):
            gone = path not in files and (self.walk.excluded(path) or not _stands(path))
            if gone and _is_under(path, self.walk.roots) and not _is_under(path, closed):
                self.lost.append(str(path))
        if self.lost:
            self.store.remove(self.lost, datetime.now(UTC))

    def _fail(self, path: Path, message: str, kind: FailureKind) -> None:
        self.failures.append(Failure(kind=kind, where=shown(path), message=f"{shown(path)}: {message}"))

    def _tell(self, done: int, total: int, path: Path) -> None:
        if self.progress:
            self.progress(IngestProgress(stage="reading", done=done, total=total, path=shown(path), chunks=self.chunks))

    def _report(self) -> IngestReport:
        return IngestReport(
            added=self.added,
            updated=self.updated,
            unchanged=self.unchanged,
            removed=len(self.lost),
            chunks=self.chunks,
            skipped=tuple(self.skipped),
            failures=tuple(self.failures),
            named=tuple(shown(root) for root in self.walk.roots if not root.is_dir()),
        )


def since_read(facts: FileFacts) -> str:
    """What has become of a file since it was read, in words; empty where it says the same. It is only read again where
    its time differs. One that cannot be read may say the same."""
    try:
        if facts.path.stat().st_mtime == facts.modified:
            return ""
        content, _ = read_file(facts.path)
    except (FileNotFoundError, NotADirectoryError):
        return "is gone, or away for now"
    except (OSError, LoadError):
        return ""
    return "has changed since it was read" if _digest(content) != facts.digest else ""


def _digest(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def _existing(path: Path) -> Path:
    """The real path of what the user named."""
    found = at_home(path)
    if not os.path.exists(found):
        raise InputError(f"no such file or folder: {path}")
    real = found.resolve()
    if shown(real) != str(real):  # no path below it could be stored
        raise InputError(f"{shown(path)}: {NO_NAME}")
    return real


def _stands(path: Path) -> bool:
    """Whether a file is still there. A folder or a link that has come in its place, or in that of a folder above it,
    is another thing: links are not followed."""
    return os.path.isfile(path) and os.path.realpath(path) == str(path)


def shown(path: Path) -> str:
    """A path as text that can be printed and stored; file systems allow names that cannot."""
    return str(path).encode("utf-8", "replace").decode()


def _is_under(path: Path, roots: Sequence[Path]) -> bool:
    return any(path == root or root in path.parents for root in roots)
