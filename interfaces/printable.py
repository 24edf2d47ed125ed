"""Text as it may go to a terminal: what documents, web pages and file names hold is shown there, and never obeyed."""

import json
import re
from urllib.parse import quote

_OBEYED = "\x00-\x08\x0b-\x1f\x7f-\x9f\u202d\u202e"
"""Control characters but tab and newline, and the two that turn the text behind them around."""

_COMMAND = re.compile(f"[{_OBEYED}]")
_BEYOND_ASCII = re.compile(f"[{_OBEYED}]|[^\x00-\x7f]")
_NOT_IN_ADDRESSES = re.compile(rf"[\s{_OBEYED}]")


def printable(text: str) -> str:
    """``text`` without what a terminal would obey."""
    return _COMMAND.sub("", text)


def printable_json(text: str, *, ascii_only: bool = False) -> str:
    """JSON that says the same, with what a terminal would obey spelled out, and all that ``ascii_only`` cannot hold."""
    spelled = _BEYOND_ASCII if ascii_only else _COMMAND
    return spelled.sub(lambda found: json.dumps(found.group())[1:-1], text)


def printable_address(address: str) -> str:
    """An address that ends where it should: what cannot stand in one is written as the web writes it."""
    return _NOT_IN_ADDRESSES.sub(lambda found: quote(found.group()), address)
