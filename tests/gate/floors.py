"""The floors, below which no figure of a gate may fall: ``python -m tests.gate.floors`` sets them anew.

Each lies a little below what the code reaches: room for one item more that goes wrong among the judgements, for none
among the routes. Raise them after an improvement; to lower one is to accept that the product got worse.
"""

import json
import math
import sys
from pathlib import Path

from tests.gate.gates import GATES, Outcome, free_panel

FILE = Path(__file__).with_name("floors.json")
MARGIN = 0.03
"""Between a figure and its floor."""
CEILINGS = {"mean_searches": 1.05}
"""Figures that must not rise, and by which factor they may."""


def floors() -> dict[str, dict[str, float]]:
    """The floor (or ceiling) of each figure, by gate."""
    held: dict[str, dict[str, float]] = json.loads(FILE.read_text(encoding="utf-8"))
    return held


def floor_for(name: str, value: float) -> float:
    """The floor for a figure that the code reaches."""
    if name in CEILINGS:
        return math.ceil(value * CEILINGS[name] * 100) / 100
    return max(0.0, math.floor((value - MARGIN) * 100) / 100)


def misses(outcome: Outcome, limits: dict[str, float]) -> list[str]:
    """The figures on the wrong side of their limits, as lines."""
    lines = []
    for name, limit in limits.items():
        value = outcome.figures[name]
        if name in CEILINGS and value > limit:
            lines.append(f"{name} is {value:.3f}, must be at most {limit}")
        elif name not in CEILINGS and value < limit:
            lines.append(f"{name} is {value:.3f}, must be at least {limit}")
    return lines


def main() -> None:
    """Measure, show, write."""
    panel, found = free_panel(), {}
    for gate, measure in GATES.items():
        outcome = measure(panel)
        found[gate] = {name: floor_for(name, value) for name, value in outcome.figures.items()}
        for name, value in outcome.figures.items():
            sys.stdout.write(f"{gate:12} {name:18} {value:.3f}  limit {found[gate][name]:.2f}\n")
        sys.stdout.write("".join(f"    {line}\n" for line in outcome.wrong))
    FILE.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
