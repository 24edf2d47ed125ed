"""SQLite's files in a folder that cannot be written: they are read as they stand."""

import os
from pathlib import Path


def is_read_only(path: Path) -> bool:
    """Whether SQLite cannot make the files that it wants beside a database, and needs none of them to read this one
    (https://sqlite.org/wal.html#readonly)."""
    return path.exists() and not os.access(path.parent, os.W_OK) and not Path(f"{path}-wal").exists()


def reading_address(path: Path) -> str:
    """The address under which SQLite changes nothing in a file."""
    return f"{path.absolute().as_uri()}?mode=ro{'&immutable=1' if is_read_only(path) else ''}"
