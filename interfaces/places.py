"""Where a quotation stands: the words for it, and the address that a click opens."""

import os
from pathlib import Path

from calibrant.state.evidence import Quotation, path_of


def place_of(quotation: Quotation) -> str:
    """``path:line`` for a file, as short as it can be said from here; the URL otherwise."""
    path = path_of(quotation.url)
    if path is None:
        return quotation.place
    short = _shortened(path)
    if quotation.locator.page:
        return f"{short}, page {quotation.locator.page}"
    return f"{short}:{quotation.locator.line}" if quotation.locator.line else short


def link_of(quotation: Quotation) -> str:
    """The address behind the words. Editors' terminals take the line from the fragment, PDF viewers the page."""
    if path_of(quotation.url) is None:
        return quotation.place
    if quotation.locator.page:
        return f"{quotation.url}#page={quotation.locator.page}"
    return f"{quotation.url}#{quotation.locator.line}" if quotation.locator.line else quotation.url


def _shortened(path: str) -> str:
    """The path from the working directory where the file lies below it."""
    try:
        return os.fspath(Path(path).relative_to(Path.cwd()))
    except (ValueError, OSError):
        return path
