"""Paths that begin with ``~``."""

from pathlib import Path

from calibrant.state.errors import InputError


def at_home(path: Path) -> Path:
    """``path`` with its ``~`` filled in. ``InputError`` where there is no such user, or nobody's home is known."""
    try:
        return path.expanduser()
    except RuntimeError:
        raise InputError(f"{path} names a home directory that is not known here") from None
