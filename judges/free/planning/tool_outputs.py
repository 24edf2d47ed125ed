"""What a tool gave: as text, and whether two calls about one thing contradict each other."""

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

from pydantic import BaseModel

from calibrant.state.base import unique
from calibrant.state.errors import FailureKind

_CUES = {
    FailureKind.TIMEOUT: re.compile(r"\btime(?:d|s)?[- ]?out\b|\bdeadline exceeded\b", re.IGNORECASE),
    FailureKind.MISSING: re.compile(
        r"\bno such\b|\b(?:not|isn't|cannot be) found\b|\bdo(?:es)?(?: not|n't) exist\b|\bENOENT\b", re.IGNORECASE
    ),
}

_PASSING = frozenset({"at", "date", "time", "timestamp", "now", "elapsed", "duration", "took", "request_id", "uuid"})
"""Fields that differ from call to call by their nature."""

_TELLING = ("error", "errors", "message", "reason", "detail", "details")
_OF_ERRORS = frozenset({*_TELLING, "status", "status_code", "code", "type", "ok", "success", "request_id", "trace_id"})
"""The fields of data that tells nothing but that something went wrong."""

_MEDIA = ("image", "image_url", "audio", "input_audio", "video", "file", "media")
_BODY = frozenset({"base64", "data", "url", "file_id", "image_url", "input_audio", "source", "file"})
_LABELS = frozenset(
    {"type", "id", "index", "extras", "mime_type", "source_type", "detail", "filename", "title", "cache_control"}
)
"""A content block that is no text: of what type, where it holds itself, and what else it may say. Other fields are
those of data that only has a type."""


def rendered(output: Any) -> str:
    """``output`` as text: JSON where it is data, of content blocks the texts and links, anything else as it prints
    itself."""
    if isinstance(output, str):
        return output
    if isinstance(output, BaseModel):
        output = output.model_dump(mode="json")
    if blocks := _blocks(output):
        return "\n".join(filter(None, map(_words, blocks)))
    if isinstance(output, dict | list | tuple | bool | int | float | None):
        return json.dumps(output, ensure_ascii=False, default=_plain)
    return str(output)


def unread_kinds(output: Any) -> tuple[str, ...]:
    """What of content blocks is neither a text nor a link, by its kind (``image``), each once; empty for all else."""
    kinds = (block["type"] for block in _blocks(output) if not _is_text(block) and not _words(block))
    return unique(kind.removeprefix("input_").removesuffix("_url") for kind in kinds)


def parsed(text: str) -> Any:
    """The data in ``text``; None where it is no JSON object or list."""
    try:
        held = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return held if isinstance(held, dict | list) else None


def error_in(text: str, arguments: Mapping[str, Any]) -> str:
    """The error that data consists of: ``{"error": "no such order", "order": 7}`` for a call with 7; empty for data
    that tells anything else than the ``arguments`` that were given."""
    data = parsed(text)
    given = {str(value) for value in arguments.values()}
    if not isinstance(data, dict) or any(name not in _OF_ERRORS and str(data[name]) not in given for name in data):
        return ""
    failed = data.get("ok", data.get("success")) is False or data.get("status") in ("error", "failed")
    if not (failed or data.get("error") or data.get("errors")):
        return ""
    return next((said for name in _TELLING if (said := _said_of_error(data.get(name)))), "")


def _said_of_error(held: Any) -> str:
    """The words of an error, however deep: a text, its message, the first of several."""
    if isinstance(held, list):
        held = next(iter(held), "")
    held = held.get("message", "") if isinstance(held, dict) else held
    return held if isinstance(held, str) else ""


def spoken(text: str) -> str:
    """What data says, in words that a sentence can be compared with: ``{"refunded": false, "lines": []}`` as "not
    refunded; no lines". Any other text as it is."""
    data = parsed(text)
    return text if data is None else "; ".join(_clauses("", data))


def _clauses(name: str, value: Any) -> Iterator[str]:
    match value:
        case dict():
            for key, held in value.items():
                yield from _clauses(str(key).replace("_", " "), held)
        case list():
            yield f"{len(value) or 'no'} {name}"
            for held in value:
                yield from _clauses(name, held)
        case True:
            yield name
        case False | None:
            yield f"not {name}, no {name}"
        case _:
            yield f"{name} {value}" + (f", no {name}" if value == 0 else "")


def named_in(output: Any) -> list[str]:
    """The list that an MCP server gives as one text block an item; empty for anything else."""
    several = isinstance(output, list) and len(output) > 1 and all(map(_is_text, output))
    return [block["text"] for block in output] if several else []


def kind_of_failure(said: str) -> FailureKind:
    """What went wrong by a tool's own words for it."""
    return next((kind for kind, cue in _CUES.items() if cue.search(said)), FailureKind.ERROR)


def contradiction(
    one: tuple[Mapping[str, Any], Any], other: tuple[Mapping[str, Any], Any]
) -> tuple[str, Any, Any] | None:
    """The first field in which two calls with the same arguments differ, with both values; None where none does.

    Each call is its arguments and its output as data. Different arguments ask about different things.
    """
    (given, first), (also, second) = one, other
    if given != also or not isinstance(first, dict) or not isinstance(second, dict):
        return None
    shared = [key for key in first if key in second and key.casefold() not in _PASSING]
    pairs = ((key, first[key], second[key]) for key in shared if _scalar(first[key]) and _scalar(second[key]))
    return next((pair for pair in pairs if pair[1] != pair[2]), None)


def _blocks(output: Any) -> list[dict[str, Any]]:
    """``output`` where it is a list of content blocks; else an empty one."""
    return output if isinstance(output, list) and all(_is_text(block) or _is_media(block) for block in output) else []


def _is_media(block: Any) -> bool:
    if not isinstance(block, dict) or block.get("type") not in _MEDIA:
        return False
    return bool(block.keys() & _BODY) and block.keys() <= _BODY | _LABELS


def _words(block: Mapping[str, Any]) -> str:
    """The text of a block, else where a reader finds it; empty where it holds what it is."""
    if _is_text(block):
        return str(block["text"])
    link = block.get("url")
    return link if isinstance(link, str) and not link.startswith("data:") else ""


def _is_text(block: Any) -> bool:
    return isinstance(block, dict) and block.get("type") == "text" and isinstance(block.get("text"), str)


def _plain(value: Any) -> Any:
    return value.model_dump(mode="json") if isinstance(value, BaseModel) else str(value)


def _scalar(value: Any) -> bool:
    return isinstance(value, str | int | float | bool)
