"""A file with questions of a user's own: what it may hold, and the documents that they are asked of.

It is a list of records as the task's small set has them, each with its document, or an object: ``documents`` (files
and folders, as they are; a relative path starts where the file lies) and ``questions``, records without one.
"""

import hashlib
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from calibrant.retrievers.home import at_home
from calibrant.retrievers.knowledge.documents import LoadError
from calibrant.retrievers.knowledge.files import Walk
from calibrant.retrievers.knowledge.loaders import read_file
from calibrant.state.errors import InputError

OWN = ".json"
"""A dataset whose name ends so is such a file."""
DOCUMENTS, QUESTIONS = "documents", "questions"
IN_RECORD = frozenset({"title", "text"})
"""The document in a record."""
OPTIONAL = frozenset({"history"})
"""Fields that a record may leave out."""
KINDS = ((str, "a text"), (bool, "true or false"), ((int, float), "a number"), (list, "a list"), (dict, "an object"))

Record = Mapping[str, Any]


@dataclass(frozen=True)
class Own:
    """The records of the file ``path``, called ``name``, and the files and folders that they are asked of; none where
    each record has its document."""

    name: str
    path: Path
    records: list[Record]
    documents: tuple[Path, ...] = ()

    def checked(self, like: Record) -> "Own":
        """Itself, if its records are like a record of the small set; raises ``InputError``."""
        if self.documents and not set(like) >= IN_RECORD:
            raise InputError(f"{self.name} names {DOCUMENTS}, but this task asks no questions of documents")
        wanted = {field: value for field, value in like.items() if not self.documents or field not in IN_RECORD}
        for place, record in enumerate(self.records, start=1):
            if problem := _problem(record, wanted):
                raise InputError(f"{self.name}: record {place} {problem}")
        return self

    @property
    def digest(self) -> str:
        """Of all that the questions are asked of: verdicts over other documents are not used. Blocking: it reads."""
        held = [f"{record.get('title', '')}\n{record.get('text', '')}".encode() for record in self.records]
        return digest_of([*held, *(_content(file) for file in self.files)])

    @property
    def files(self) -> list[Path]:
        """The files of ``documents``. Never the one with the right answers, though it may lie beside them."""
        return [file for file in Walk(self.documents).files() if file.resolve() != self.path]


def own(name: str) -> Own:
    """What the file ``name`` holds. Raises ``InputError`` where it is not there or holds something else."""
    path = at_home(Path(name)).resolve()
    try:
        held = json.loads(path.read_text(encoding="utf-8-sig"))
    except OSError as error:
        raise InputError(f"{name} cannot be read ({error.strerror})") from None
    except ValueError as error:
        raise InputError(f"{name} is no JSON in UTF-8 ({error})") from None
    documents = _documents(name, held, path.parent) if isinstance(held, dict) else ()
    records = held.get(QUESTIONS) if isinstance(held, dict) else held
    if not isinstance(records, list) or not records or not all(isinstance(record, dict) for record in records):
        where = f"{QUESTIONS} in {name} must be" if isinstance(held, dict) else f"{name} must hold"
        raise InputError(f"{where} a list of records, each an object")
    return Own(name, path, records, documents)


def digest_of(parts: Iterable[bytes]) -> str:
    """A short digest of parts, in whatever order they come."""
    return hashlib.sha256("".join(sorted(hashlib.sha256(part).hexdigest() for part in parts)).encode()).hexdigest()[:12]


def _content(file: Path) -> bytes:
    """What an ingest reads of a file: nothing, where it would pass over it."""
    try:
        return read_file(file)[0]
    except LoadError:
        return b""


def _documents(name: str, held: Record, beside: Path) -> tuple[Path, ...]:
    given = held.get(DOCUMENTS)
    told = [given] if isinstance(given, str) else given
    if not isinstance(told, list) or not told or not all(isinstance(one, str) and one for one in told):
        raise InputError(f"{name} is an object: it must name {DOCUMENTS} (a file or folder, or a list) and {QUESTIONS}")
    paths = tuple((beside / at_home(Path(one))).resolve() for one in told)
    for path, said in zip(paths, told, strict=True):
        if not path.exists():
            raise InputError(f"{name} names {said} as {DOCUMENTS}: there is no such file or folder beside it")
    return paths


def _problem(record: Record, like: Record) -> str:
    """What of ``record`` is not like a record of the small set; empty where all is."""
    lacking = sorted(set(like) - set(record) - OPTIONAL)
    if lacking:
        instead = f"; or name `{DOCUMENTS}` for all, beside `{QUESTIONS}`" if IN_RECORD & set(lacking) else ""
        return f"lacks {', '.join(lacking)}{instead}"
    told = (f"has {problem}" for field in like if field in record and (problem := _unlike(record, like, field)))
    return next(told, "")


def _unlike(record: Record, like: Record, field: str) -> str:
    """What is of another kind in a field: its value, or one in that, of a list or an object."""
    held, wanted = record[field], like[field]
    if _kind(held) != _kind(wanted):
        return f"{_kind(held)} as {field}, not {_kind(wanted)}"
    inside = {_kind(one) for one in _parts(wanted)}
    other = next((_kind(one) for one in _parts(held) if _kind(one) not in inside), "")
    return f"{other} in {field}, not {' or '.join(sorted(inside))}" if other else ""


def _parts(value: Any) -> list[Any]:
    """What a list or an object holds."""
    if isinstance(value, dict):
        return list(value.values())
    return value if isinstance(value, list) else []


def _kind(value: Any) -> str:
    """What a value of JSON is, in words."""
    return next((said for kind, said in KINDS if isinstance(value, kind)), "nothing")
