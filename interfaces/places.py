"""Where a citation stands: the words for it, and the address that a click opens."""

import os
from pathlib import Path

from calibrant.state.evidence import Citation, path_of


def place_of(citation: Citation) -> str:
    """``path:line`` for a file, as short as it can be said from here; the URL otherwise."""
    path = path_of(citation.url)
    if path is None:
        return citation.place
    short = _shortened(path)
    if citation.locator.page:
        return f"{short}, page {citation.locator.page}"
    return f"{short}:{citation.locator.line}" if citation.locator.line else short


def link_of(citation: Citation) -> str:
    """The address behind the words. Editors' terminals take the line from the fragment, PDF viewers the page."""
    if path_of(citation.url) is None:
        return citation.place
    if citation.locator.page:
        return f"{citation.url}#page={citation.locator.page}"
    return f"{citation.url}#{citation.locator.line}" if citation.locator.line else citation.url


def _shortened(path: str) -> str:
    """The path from the working directory where the file lies below it."""
    try:
        return os.fspath(Path(path).relative_to(Path.cwd()))
    except (ValueError, OSError):
        return path
