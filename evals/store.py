"""What was judged so far: one JSON line an item, so that a run that was stopped goes on where it stood."""

import hashlib
import importlib
import json
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

from calibrant.evals.setup import Setup
from calibrant.evals.task import Item, Row, Task, Verdict
from calibrant.graph.calibrators import FILE
from calibrant.retrievers.home import made_private

CODE = (".py", ".json", ".npz", ".md")
"""Files of a room that a verdict may depend on: code, fitted numbers, prompts."""
SHARED = ("questions", "setup")
"""Modules of ``evals`` that verdicts of several tasks depend on: what counts as right, and how a judgement is asked."""


def fingerprint(task: Task, setup: Setup) -> str:
    """Of the code and the settings that a verdict depends on. Results under another one are not used."""
    digest = hashlib.sha256(json.dumps(setup.identity, sort_keys=True, default=str).encode())
    for file in _code_of(task):
        digest.update(file.read_bytes())
    return digest.hexdigest()[:16]


def _code_of(task: Task) -> list[Path]:
    """The files of the task's rooms, the module that defines its judge, and what those share. Calibrators are a part of
    the settings."""
    rooms = [Path(importlib.import_module(f"calibrant.{room}").__path__[0]) for room in task.rooms]
    held = [file for room in rooms for file in room.rglob("*") if file.suffix in CODE and file.name != FILE]
    names = (task.figures.__module__, *(f"calibrant.evals.{name}" for name in SHARED))
    modules = [importlib.import_module(name).__file__ for name in names]
    return sorted([*held, *(Path(file) for file in modules if file)])


@dataclass(frozen=True)
class Kept:
    """A verdict with the seconds that it took."""

    verdict: Verdict
    seconds: float


class Store:
    """The lines of ``items.jsonl`` in an output folder, by fingerprint and item."""

    def __init__(self, folder: Path, mark: str, *, fresh: bool = False) -> None:
        made_private(folder)
        self._path = folder / "items.jsonl"
        self._mark = mark
        if fresh:
            self._path.unlink(missing_ok=True)
        self.kept = self._read()
        self._file: IO[str] = self._path.open("a", encoding="utf-8")

    def _read(self) -> dict[str, Kept]:
        if not self._path.exists():
            return {}
        found = {}
        for line in self._path.read_bytes().splitlines():  # as bytes: text has ends of lines that JSON leaves in
            held = _parsed(line)
            if held.get("fingerprint") == self._mark:
                found[held["id"]] = Kept(Verdict(held["values"], held["unscored"]), held["seconds"])
        return found

    def add(self, item: Item, kept: Kept) -> None:
        """Keep a verdict, on disk at once."""
        self.kept[item.id] = kept
        line = {
            "id": item.id, "fingerprint": self._mark, "dataset": item.dataset, "key": item.key[:80],
            "category": item.category, "truth": item.truth, "values": dict(kept.verdict.values),
            "unscored": kept.verdict.unscored, "seconds": kept.seconds,
        }  # fmt: skip
        self._file.write(json.dumps(line, ensure_ascii=False) + "\n")
        self._file.flush()

    def close(self) -> None:
        self._file.close()


def _parsed(line: bytes) -> dict[str, Any]:
    """A line as data; one that was cut short by a stop, be it inside a character, counts as not written."""
    try:
        held = json.loads(line)
    except ValueError:
        return {}
    return held if isinstance(held, dict) else {}


def row_of(item: Item, kept: Kept) -> Row:
    """The item beside its verdict."""
    return Row(
        id=item.id, dataset=item.dataset, key=item.key, half=item.half, truth=item.truth, category=item.category,
        values=kept.verdict.values, unscored=kept.verdict.unscored, seconds=kept.seconds,
    )  # fmt: skip
