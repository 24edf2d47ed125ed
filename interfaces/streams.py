"""The standard streams where they fail: progress is never the answer's concern, and the exit code is the command's."""

import os
import sys
from io import BufferedWriter, FileIO, TextIOWrapper
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from typing_extensions import Buffer


class Progress(FileIO):
    """Where progress is written. Where that fails, since its reader has left or the disk is full, it goes nowhere."""

    def write(self, data: "Buffer", /) -> int:
        """Write what can be written."""
        try:
            return super().write(data)
        except OSError:
            return len(memoryview(data))


def spare_progress() -> None:
    """Make stderr such a place. One that is closed (`2>&-`) stays closed."""
    if sys.stderr is not None:
        raw = Progress(sys.stderr.fileno(), "w", closefd=False)
        sys.stderr = TextIOWrapper(BufferedWriter(raw), sys.stderr.encoding, sys.stderr.errors, line_buffering=True)


def let_go_of_stdout() -> None:
    """Drop what stdout did not take, on a full disk: Python would try once more at the end, and tell it in its own way
    and by an exit code of its own."""
    try:
        if sys.stdout is not None:
            sys.stdout.flush()
    except OSError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
