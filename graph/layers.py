"""Where settings come from: explicit argument > environment > ``calibrant.yaml`` > default, each value with its origin.

The file is read at first use and held. ``read_afresh`` drops what is held, except inside an event loop: reading a file
there would block it, which ``langgraph dev`` refuses. The environment is in memory and is read each time.
"""

import asyncio
import json
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any, get_origin

import yaml
from pydantic import BaseModel

from calibrant.retrievers.home import at_home
from calibrant.state.errors import ConfigurationError

PREFIX = "CALIBRANT_"
FILE_VARIABLE = "CALIBRANT_CONFIG"
DEFAULT_FILE = "calibrant.yaml"

_UNREADABLE = (yaml.YAMLError, RecursionError, ValueError)
"""What PyYAML raises: the last for a date that is none, and for a number without end."""

Place = tuple[str, ...]
"""The path of a setting: ``("limits", "seconds")``."""


@dataclass(frozen=True)
class Layer:
    """Nested values of one origin. ``places`` says where single ones stand, ``name`` where the others do."""

    name: str
    values: Mapping[str, Any] = field(default_factory=dict)
    places: Mapping[Place, str] = field(default_factory=dict)

    def origin(self, place: Place) -> str:
        """Where a setting of this layer stands, as a user would look for it."""
        prefixes = (place[:end] for end in range(len(place), 0, -1))
        return next((self.places[prefix] for prefix in prefixes if prefix in self.places), self.name)

    def holds(self, place: Place) -> bool:
        """Whether this layer sets ``place``, or a value that contains it."""
        held: Any = self.values
        for key in place:
            if not isinstance(held, Mapping):
                return True
            if key not in held:
                return False
            held = held[key]
        return True

    def only(self, names: Iterable[str]) -> "Layer":
        """The layer with those top-level settings alone."""
        kept = {name: self.values[name] for name in names if name in self.values}
        return Layer(self.name, kept, self.places)


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
        nested = isinstance(value, Mapping) and isinstance(below, Mapping)
        merged[key] = _over(value, below) if nested and below is not None else value
    return merged


def model_at(schema: type[BaseModel], name: str) -> type[BaseModel] | None:
    """The class of a nested setting; None for a plain one."""
    annotation = schema.model_fields[name].annotation
    return annotation if isinstance(annotation, type) and issubclass(annotation, BaseModel) else None


def environment(schema: type[BaseModel], names: Mapping[str, Place]) -> Layer:
    """The environment as a layer: ``CALIBRANT_LIMITS__SECONDS`` and the short ``names`` (without a place: not ours)."""
    values: dict[str, Any] = {}
    places: dict[Place, str] = {}
    canonical = {variable: place for variable in sorted(os.environ) if (place := _place(variable, schema))}
    for variable, place in {**names, **{key: place for key, place in canonical.items() if key not in names}}.items():
        raw = os.environ.get(variable, "").strip()
        if raw and place:
            whole = _place(variable, schema) if raw.startswith("{") else ()  # a group's values by name
            place = whole or place
            places[place] = f"environment variable {variable}"
            _set(values, place, _parsed(raw, schema, place, variable))
    return Layer("environment", values, places)


def _place(variable: str, schema: type[BaseModel]) -> Place:
    place = tuple(variable.removeprefix(PREFIX).lower().split("__")) if variable.startswith(PREFIX) else ()
    return place if place and place[0] in schema.model_fields else ()


def _set(values: dict[str, Any], place: Place, value: Any) -> None:
    for key in place[:-1]:
        inner = values.get(key)
        values[key] = inner if isinstance(inner, dict) else {}
        values = values[key]
    held = values.get(place[-1])
    values[place[-1]] = {**held, **value} if isinstance(held, dict) and isinstance(value, dict) else value


def _parsed(raw: str, schema: type[BaseModel], place: Place, variable: str) -> Any:
    """The text of a variable as its setting takes it: values by name, as JSON or as in the file; a list, as JSON or by
    commas; else the text."""
    holder: type[BaseModel] | None = schema
    for key in place[:-1]:
        holder = model_at(holder, key) if holder is not None and key in holder.model_fields else None
    known = holder is not None and place[-1] in holder.model_fields
    annotation = holder.model_fields[place[-1]].annotation if holder is not None and known else None
    is_list, by_name = get_origin(annotation) is tuple, get_origin(annotation) is dict
    if raw.startswith("{") or (by_name and ":" in raw):
        return _by_name(raw, variable)
    if not (is_list and raw.startswith("[")):
        return [part.strip() for part in raw.split(",") if part.strip()] if is_list else raw
    try:
        return json.loads(raw)
    except (ValueError, RecursionError):
        raise ConfigurationError(f"environment variable {variable} is not valid JSON") from None


def _by_name(raw: str, variable: str) -> Any:
    """``{"youtube": 8}``, or as the file has it: ``{youtube: 8}``, ``youtube: 8, web: 5``."""
    with suppress(ValueError, RecursionError):
        return json.loads(raw)
    try:
        _, values = _parsed_yaml(raw if raw.startswith("{") else f"{{{raw}}}")
    except _UNREADABLE:
        raise ConfigurationError(
            f"environment variable {variable} cannot be read: expected values by name, such as {{name: value}}"
        ) from None
    return values


def read_afresh() -> None:
    """Forget the file that was read, so that the next use reads it again; inside an event loop, keep it."""
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        settings_file.cache_clear()


@cache
def settings_file() -> Layer:
    """``calibrant.yaml`` of the working directory, or the file that ``CALIBRANT_CONFIG`` names, as a layer."""
    named = os.environ.get(FILE_VARIABLE, "").strip()
    path = at_home(Path(named)) if named else Path(DEFAULT_FILE)
    try:
        text = path.read_text(encoding="utf-8")
    except FileNotFoundError:
        if named:
            raise ConfigurationError(f"{FILE_VARIABLE} names {path}, which does not exist") from None
        return Layer(DEFAULT_FILE)
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigurationError(f"{path} cannot be read ({type(error).__name__})") from None
    return _yaml_layer(text, str(path))


def _yaml_layer(text: str, name: str) -> Layer:
    try:
        node, values = _parsed_yaml(text)
    except _UNREADABLE as error:
        raise ConfigurationError(f"{name}{_line(error)}: not valid YAML ({_problem(error)})") from None
    if values is None:
        return Layer(name)
    if not isinstance(values, dict):
        raise ConfigurationError(f"{name}: settings are expected as `name: value` lines")
    return Layer(name, {str(key): value for key, value in values.items()}, _once_each(_lines(node, name)))


def _parsed_yaml(text: str) -> tuple[yaml.Node | None, Any]:
    """``text`` as nodes, which know their lines, and as values. Made in depth: only so does PyYAML refuse an anchor
    that contains itself."""
    loader = yaml.SafeLoader(text)
    node = loader.get_single_node()
    return node, None if node is None else loader.construct_object(node, deep=True)


def _once_each(lines: Iterable[tuple[Place, str]]) -> dict[Place, str]:
    """Where each setting stands. Raises ``ConfigurationError`` for one that stands twice: YAML takes the last."""
    places: dict[Place, str] = {}
    for place, where in lines:
        if place in places:
            raise ConfigurationError(f"{where}: {'.'.join(place)} is set a second time, first at {places[place]}")
        places[place] = where
    return places


def _line(error: Exception) -> str:
    mark = getattr(error, "problem_mark", None)
    return "" if mark is None else f", line {mark.line + 1}"


def _problem(error: Exception) -> str:
    return str(getattr(error, "problem", None) or getattr(error, "reason", None) or str(error).partition(";")[0])


def _lines(node: yaml.Node | None, name: str, above: Place = ()) -> Iterator[tuple[Place, str]]:
    if not isinstance(node, yaml.MappingNode):
        return
    for key, value in node.value:
        place = (*above, str(key.value))
        yield place, f"{name}, line {key.start_mark.line + 1}"
        yield from _lines(value, name, place)
