"""Refusing settings that do not fit, each in one line: which setting, which value, where it stands, what is allowed."""

import difflib
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from pydantic import BaseModel, ValidationError

from calibrant.graph.layers import PREFIX, Layer, Place, merge, model_at
from calibrant.state.errors import ConfigurationError
from calibrant.state.validation import Details, excerpt, expected, suggestion

_MAY_HOLD_SECRETS = (("postgres_url",), ("mcp_servers",))
"""Settings whose values are not shown: a URL with its password, a server's environment."""

_PASSWORD = re.compile(r":[^/@]*@")
"""The end of a user's name and password before a host."""


def reject_strange(file: Layer, known: Sequence[str]) -> None:
    """Refuse a name in the settings' file that is none of the ``known`` ones."""
    for name in file.values:
        if name not in known:
            raise _unknown_setting(file, (name,), known)


def reject_unknown(layer: Layer, schema: type[BaseModel]) -> None:
    """Refuse a name in ``layer`` that ``schema`` does not know."""
    for place, allowed in _unknown(layer.values, schema):
        raise _unknown_setting(layer, place, allowed)


def _unknown_setting(layer: Layer, place: Place, allowed: Sequence[str]) -> ConfigurationError:
    return ConfigurationError(f"{layer.origin(place)}: unknown setting {'.'.join(place)!r}; {_hint(place, allowed)}")


def _unknown(
    values: Mapping[str, Any], schema: type[BaseModel], above: Place = ()
) -> Iterator[tuple[Place, list[str]]]:
    for key, value in values.items():
        place = (*above, str(key))
        if key not in schema.model_fields:
            yield place, list(schema.model_fields)
        elif (inner := model_at(schema, key)) is not None and isinstance(value, Mapping):
            yield from _unknown(value, inner, place)


def _hint(place: Place, allowed: Sequence[str]) -> str:
    if place[-1].lower().endswith(("key", "token", "password", "secret")):
        return "secrets are read from the environment only, e.g. CALIBRANT_MODEL_API_KEY"
    return suggestion(place[-1], allowed)


def check_each(schema: type[BaseModel], layers: Sequence[Layer], *below: Layer) -> None:
    """Refuse a wrong value even where a stronger layer hides it: it would count as soon as that layer leaves it out.

    Rules about several settings together are checked only once all layers are merged.
    """
    for layer in (layer for layer in layers if layer.values):
        try:
            schema.model_validate(merge([layer, *below]))
        except ValidationError as error:
            found = [one for one in error.errors(include_url=False) if not _of_several(one)]
            if found:
                raise _refused(found, [layer], schema) from None


def _of_several(details: Details) -> bool:
    """Whether a problem is one of several settings together."""
    return details["type"] == "value_error" and isinstance(details["input"], Mapping)


@contextmanager
def explained(layers: Sequence[Layer], schema: type[BaseModel]) -> Iterator[None]:
    """A value that does not fit, as one line: the setting, the value, where it stands and what is allowed."""
    try:
        yield
    except ValidationError as error:
        raise _refused(error.errors(include_url=False), layers, schema) from None


def _refused(found: Sequence[Details], layers: Sequence[Layer], schema: type[BaseModel]) -> ConfigurationError:
    place = tuple(str(part) for part in found[0]["loc"])
    origin = next((layer.origin(place) for layer in layers if layer.holds(place)), "default")
    given = found[0]["input"]
    value = "(hidden)" if place[:1] in _MAY_HOLD_SECRETS or _PASSWORD.search(str(given)) else excerpt(given)
    what = _names_in(schema, place) if found[0]["type"] == "model_type" else expected(found[0])
    more = f" (and {len(found) - 1} more)" if len(found) > 1 else ""
    return ConfigurationError(f"{origin}: {'.'.join(place)} = {value} is not allowed: expected {what}{more}")


def _names_in(schema: type[BaseModel], place: Place) -> str:
    """What a group of settings consists of."""
    group: type[BaseModel] | None = schema
    for key in place:
        group = model_at(group, key) if group is not None else None
    return f"values by name: {', '.join(group.model_fields)}" if group is not None else "values by name"


def reject_misspelt(variables: Iterable[str], known: set[str], schemas: Sequence[type[BaseModel]]) -> None:
    """Refuse a variable of the environment that is nearly one of ours: a mistake. One that is nothing like it is
    somebody else's. ``known``: those with other names than the settings of ``schemas``.
    """
    known = known | {f"{PREFIX}{name}".upper() for schema in schemas for name in schema.model_fields}
    nested = {place.replace("__", "_"): place for schema in schemas for place in _nested(schema)}
    for variable in sorted({*variables} - known):
        if variable in nested:
            raise ConfigurationError(f"environment variable {variable} is no setting; did you mean {nested[variable]}?")
        name = variable.split("__")[0]
        if variable.startswith(PREFIX) and name not in known:
            close = difflib.get_close_matches(name, sorted(known), n=1, cutoff=0.9)
            if close:
                raise ConfigurationError(f"environment variable {variable} is no setting; did you mean {close[0]}?")


def _nested(schema: type[BaseModel], above: str = PREFIX) -> Iterator[str]:
    """The variables of the settings within a group: ``CALIBRANT_LIMITS__SECONDS``."""
    for name in schema.model_fields:
        inner = model_at(schema, name)
        if inner is not None:
            group = f"{above}{name.upper()}__"
            yield from (f"{group}{field.upper()}" for field in inner.model_fields)
            yield from _nested(inner, group)
