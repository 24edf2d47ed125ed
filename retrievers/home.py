"""Folders of the user: paths that begin with ``~``, and those that are made."""

from pathlib import Path

from calibrant.state.errors import InputError


def at_home(path: Path) -> Path:
    """``path`` with its ``~`` filled in. ``InputError`` where there is no such user, or nobody's home is known."""
    try:
        return path.expanduser()
    except RuntimeError:
        raise InputError(f"{path} names a home directory that is not known here") from None


def made_private(folder: Path) -> None:
    """Make ``folder`` and what is missing above it, for this user alone: what is kept there holds documents."""
    for one in (*reversed(folder.parents), folder):
        if not one.is_dir():
            one.mkdir(mode=0o700, exist_ok=True)
