"""Where settings come from: explicit argument > environment > ``calibrant.yaml`` > default, each value with its origin.

The file is read at the first use, and again by each ``load_...`` outside an event loop. Inside one the held copy counts: reading
a file there would block the loop, which ``langgraph dev`` refuses. The environment is memory and is read each time.
"""

import asyncio
import difflib
import json
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, get_origin

import yaml
from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails

from calibrant.state.errors import ConfigurationError

PREFIX = "CALIBRANT_"
FILE_VARIABLE = "CALIBRANT_CONFIG"
DEFAULT_FILE = "calibrant.yaml"

Place = tuple[str, ...]
"""The path of a setting: ``("limits", "seconds")``."""


@dataclass(frozen=True)
class Layer:
    """Values of one origin, nested. ``places`` says for each path where exactly it stands, ``name`` where the rest does."""

    name: str
    values: Mapping[str, Any] = field(default_factory=dict)
    places: Mapping[Place, str] = field(default_factory=dict)

    def origin(self, place: Place) -> str:
        """Where a setting of this layer stands, as a user would look for it."""
        ways = (self.places[place[:end]] for end in range(len(place), 0, -1) if place[:end] in self.places)
        return next(ways, self.name)

    def holds(self, place: Place) -> bool:
        """Whether this layer sets ``place``."""
        held: Any = self.values
        for key in place:
            if not isinstance(held, Mapping) or key not in held:
                return False
            held = held[key]
        return True


def merge(layers: Sequence[Layer]) -> dict[str, Any]:
    """The values of ``layers``, the first one winning, nested mappings key by key."""
    merged: dict[str, Any] = {}
    for layer in reversed(layers):
        merged = _over(layer.values, merged)
    return merged


def _over(upper: Mapping[str, Any], lower: Mapping[str, Any]) -> dict[str, Any]:
    merged = dict(lower)
    for key, value in upper.items():
        below = merged.get(key)
        both = isinstance(value, Mapping) and isinstance(below, Mapping)
        merged[key] = _over(value, below) if both and below is not None else value
    return merged


def variables(names: Mapping[str, Place], schema: type[BaseModel]) -> Layer:
    """The environment as a layer: ``CALIBRANT_LIMITS__SECONDS``, and the short ``names``. Empty variables do not count."""
    values: dict[str, Any] = {}
    places: dict[Place, str] = {}
    for variable, raw in sorted(os.environ.items()):
        place = names.get(variable) or _place(variable, schema)
        if place is None or not raw.strip():
            continue
        _set(values, place, _parsed(raw, schema, place))
        places[place] = f"environment variable {variable}"
    return Layer("environment", values, places)
