"""The result of a run, kept on disk as JSON, and what changed since the run before it in the same folder."""

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from calibrant.evals.task import Figure, Plot

FILE = "results.json"


@dataclass(frozen=True)
class Block:
    """What one half gave. ``unscored``: dataset, reason, how often."""

    half: str
    counts: dict[str, int]
    unscored: tuple[tuple[str, str, int], ...]
    figures: tuple[Figure, ...]
    plots: tuple[Plot, ...]
    costs: tuple[Figure, ...]


@dataclass(frozen=True)
class Result:
    """A finished run. ``reused`` items were judged by an earlier run; ``before`` is that run's result, as kept. The
    reader was fitted on ``read`` more records of the halves asked for, which were passed over."""

    task: str
    about: str
    datasets: tuple[str, ...]
    made_up: bool
    fingerprint: str
    settings: dict[str, Any]
    seconds: float
    reused: int
    blocks: tuple[Block, ...]
    before: dict[str, Any] = field(default_factory=dict)
    read: int = 0

    @property
    def is_empty(self) -> bool:
        """Whether items were tried and not one could be scored."""
        tried = any(block.unscored for block in self.blocks)
        return tried and not any(sum(block.counts.values()) for block in self.blocks)


@dataclass(frozen=True)
class Change:
    """A figure now and in the run before. ``clear``: the new value lies outside the old interval."""

    half: str
    dataset: str
    name: str
    before: float
    now: float
    clear: bool


def kept_before(folder: Path) -> dict[str, Any]:
    """The run before in this folder, without what it was compared with; empty where there is none."""
    path = folder / FILE
    if not path.exists():
        return {}
    try:
        held: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    except ValueError:
        return {}
    return {name: held.get(name) for name in ("fingerprint", "settings", "datasets", "blocks")}


def changes(result: Result) -> Iterator[Change]:
    """The figures that differ from the run before, in the report's order."""
    old = {
        (block["half"], one["dataset"], one["name"]): one
        for block in result.before.get("blocks", ())
        for one in block["figures"]
    }
    for block in result.blocks:
        for one in block.figures:
            was = old.get((block.half, one.dataset, one.name))
            if was is None or was["value"] is None or one.value is None or was["value"] == one.value:
                continue
            clear = was["low"] is not None and not was["low"] <= one.value <= was["high"]
            yield Change(block.half, one.dataset, one.name, was["value"], one.value, clear)


def other_settings(result: Result) -> str:
    """What was set otherwise in the run before, in a few words; empty where nothing was."""
    was = result.before.get("settings") or {}
    return ", ".join(f"{name} {was[name]}" for name, value in result.settings.items() if was.get(name, value) != value)
