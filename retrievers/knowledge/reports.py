"""What an ingest tells while it runs and when it is done, and what a knowledge base holds."""

from collections.abc import Callable
from datetime import datetime
from typing import Literal

from calibrant.state.base import Value
from calibrant.state.errors import Failure


class IngestProgress(Value):
    """One step of work on a knowledge base. ``total`` is what was found to do at its start."""

    stage: Literal["reading", "embedding"]
    done: int
    total: int
    path: str = ""
    """The file just read; empty while embedding."""
    chunks: int = 0
    """Chunks made so far; while embedding, vectors added so far."""


A_LINK = "a link"
"""Why a symbolic link is passed over: what it points to is read where it stands, if that was named."""

Progress = Callable[[IngestProgress], None]


class SkippedFile(Value):
    """A file in a folder that was passed over: binary, too large, of a format that needs another package, or a link."""

    path: str
    reason: str


class IngestReport(Value):
    """What an ingest did. Files that could not be read are in ``failures``, one line each."""

    added: int = 0
    updated: int = 0
    unchanged: int = 0
    removed: int = 0
    chunks: int = 0
    """Chunks of the documents added and updated."""
    skipped: tuple[SkippedFile, ...] = ()
    failures: tuple[Failure, ...] = ()
    named: tuple[str, ...] = ()
    """The files that the user named one by one; folders are not in it."""

    @property
    def unread(self) -> int:
        """How many files could not be read as text. A link is no file of its own."""
        return sum(file.reason != A_LINK for file in self.skipped) + len(self.failures)

    @property
    def named_failures(self) -> tuple[Failure, ...]:
        """Failures of files that were named one by one."""
        return tuple(failure for failure in self.failures if failure.where in self.named)


class KnowledgeStats(Value):
    """What a knowledge base holds. ``vectors`` behind ``chunks``: the index is still being filled."""

    name: str
    documents: int = 0
    chunks: int = 0
    vectors: int = 0
    bytes: int = 0
    encoder: str = ""
    """Identity of the encoder in use; empty where words alone are searched."""
    updated: datetime | None = None
    half_read: bool = False
    """Whether the last ingest did not come to its end."""
    degraded: Failure | None = None
    """Why the vector index does not answer, if it does not."""
