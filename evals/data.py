"""Where the datasets lie, what to say when one is missing, and which of their items a run takes."""

import hashlib
import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from importlib.resources import files
from pathlib import Path
from typing import Any

from calibrant.evals.halves import MANUALS
from calibrant.evals.own import OWN, own
from calibrant.evals.task import SMALL, Item, Task
from calibrant.graph.settings import load_machine
from calibrant.state.errors import InputError

BESIDE = Path(__file__).resolve().parents[2] / "shared" / "datasets"
"""Where the public data is looked for if no setting says otherwise: beside the project."""


def root_of(named: Path | None) -> Path | None:
    """The folder of the datasets; None where there is none, and only the small sets can be used.

    Raises ``InputError`` where a folder was named that does not exist.
    """
    if named is None:
        return BESIDE if BESIDE.is_dir() else None
    if not named.is_dir():
        raise InputError(f"no folder {named}: CALIBRANT_DATASETS (or `datasets`) must name the folder of the datasets")
    return named


def datasets() -> Path:
    """The folder of the datasets for the fitting tools: by the settings, else beside the project."""
    return root_of(load_machine().datasets) or BESIDE


def lines_of(path: Path) -> Iterator[dict[str, Any]]:
    """The records of a file of JSON lines."""
    with path.open(encoding="utf-8") as file:
        for line in file:
            if line.strip():
                yield json.loads(line)


def chosen_datasets(task: Task, names: Sequence[str], root: Path | None) -> tuple[str, ...]:
    """The datasets to run: those named, else all of the task's, but manuals that nobody brought, else the small one."""
    unknown = [name for name in names if name not in (*task.loaders, SMALL) and not name.endswith(OWN)]
    if unknown:
        known = ", ".join((*task.loaders, SMALL))
        raise InputError(f"{task.name} has no dataset {unknown[0]!r}: use {known} or a file of yours (NAME{OWN})")
    if names:
        return tuple(dict.fromkeys(names))
    if root is None:
        return (SMALL,)
    return tuple(name for name in task.loaders if name != MANUALS or (root / MANUALS).is_dir())


def load(task: Task, dataset: str, root: Path | None) -> list[Item]:
    """The items of one dataset, in its own order, each once. Raises ``InputError`` where its file is missing."""
    if dataset == SMALL:
        return _distinct(task.small(record) for record in small_records(task.name))
    if dataset.endswith(OWN):
        return _distinct(_own_items(task, dataset))
    folder = root or BESIDE
    try:
        return _distinct(task.loaders[dataset](folder))
    except FileNotFoundError as error:
        raise InputError(_missing(Path(error.filename), folder)) from None


def sample(items: Sequence[Item], limit: int | None, seed: int, stratum: Callable[[Item], str]) -> list[Item]:
    """At most ``limit`` items, drawn by hash so that a larger limit keeps those of a smaller one; order kept. Of each
    ``stratum`` as many as it has of all, or the draw alone would say how many questions have no answer."""
    if limit is None or len(items) <= limit:
        return list(items)
    strata: dict[str, list[Item]] = {}
    for item in sorted(items, key=lambda item: _hash(f"{seed}:{item.id}")):
        strata.setdefault(stratum(item), []).append(item)
    places = {item.id: (place + 0.5) / len(held) for held in strata.values() for place, item in enumerate(held)}
    drawn = set(sorted(places, key=lambda name: (places[name], _hash(f"{seed}:{name}")))[:limit])
    return [item for item in items if item.id in drawn]


def _distinct(items: Iterable[Item]) -> list[Item]:
    return list({item.id: item for item in items}.values())


def _hash(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def small_records(name: str) -> list[dict[str, Any]]:
    """The records of a task's small set."""
    text = files("calibrant.evals").joinpath("small", f"{name}.json").read_text(encoding="utf-8")
    records: list[dict[str, Any]] = json.loads(text)
    return records


def _own_items(task: Task, name: str) -> list[Item]:
    held = own(name).checked(small_records(task.name)[0])
    over, items = held.digest, []
    for place, record in enumerate(held.records, start=1):
        try:
            items.append(replace(task.small(record), dataset=name, over=over))
        except (KeyError, TypeError, ValueError, AttributeError) as error:
            raise InputError(f"{name}: record {place} cannot be used ({error})") from None
    return items


def _missing(file: Path, root: Path) -> str:
    """The missing file, where it comes from, and how to point to a copy."""
    name = file.relative_to(root).as_posix() if file.is_relative_to(root) else str(file)
    source = _sources().get(name.split("/")[0])
    where = f", from {source['repository']} at commit {source['commit']}" if source else ""
    return f"missing data file {name} in {root}{where}; set CALIBRANT_DATASETS to the folder that holds a copy"


def _sources() -> dict[str, dict[str, str]]:
    """For each folder of the datasets the repository and commit that it was taken from."""
    held: dict[str, dict[str, str]] = json.loads(
        files("calibrant.evals").joinpath("sources.json").read_text(encoding="utf-8")
    )
    return held
