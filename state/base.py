"""The base of everything that flows through the graph, and the reducers that merge it.

Values are frozen. Stored ones must survive three journeys: through the strict msgpack serializer, through plain
JSON (the server hands a node dicts after a state edit), and through a later version of the class. Hence
``extra="ignore"``, a default for every field that may be added, and reducers that validate what they are given.
"""

from collections.abc import Callable, Iterable, Sequence
from functools import cache
from typing import Any, Self, TypeVar

from pydantic import BaseModel, ConfigDict


class Value(BaseModel):
    """A frozen value. Equality is by content; a change is a new value (``value.replace(...)``)."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    def replace(self, **changes: Any) -> Self:
        """A copy with some fields changed, validated like a new one."""
        return type(self).model_validate({**self.__dict__, **changes})


V = TypeVar("V", bound=Value)
Reducer = Callable[[Any, Any], Any]
"""Made once for each model: a graph and its subgraph compare the reducers of their shared channels by identity."""


def values_of(model: type[V], raw: Iterable[Any] | None) -> tuple[V, ...]:
    """``raw`` (models, dicts, or a list after a checkpoint) as a tuple of ``model``."""
    return tuple(model.model_validate(item) for item in raw or ())


@cache
def latest(model: type[V]) -> Reducer:
    """A reducer that keeps the last write, as ``model`` (or None)."""

    def reduce(_: Any, new: Any) -> V | None:
        return None if new is None else model.model_validate(new)

    return reduce


@cache
def replaced(model: type[V]) -> Reducer:
    """A reducer that keeps the last write, as a tuple of ``model``."""

    def reduce(_: Any, new: Any) -> tuple[V, ...]:
        return values_of(model, new)

    return reduce


@cache
def appended(model: type[V]) -> Reducer:
    """A reducer that appends, in the order of arrival."""

    def reduce(held: Any, new: Any) -> tuple[V, ...]:
        return values_of(model, held) + values_of(model, new)

    return reduce


@cache
def merged(model: type[V], key: str = "id") -> Reducer:
    """A reducer that merges lists by ``key``: a later item replaces an earlier one in its place."""

    def reduce(held: Any, new: Any) -> tuple[V, ...]:
        by_key = {getattr(item, key): item for item in values_of(model, held)}
        by_key.update({getattr(item, key): item for item in values_of(model, new)})
        return tuple(by_key.values())

    return reduce


def folded(reduce: Reducer) -> Callable[[Any, Sequence[Any]], Any]:
    """``reduce`` in the shape that ``DeltaChannel`` takes: one value and a batch of writes."""

    def fold(held: Any, writes: Sequence[Any]) -> Any:
        for write in writes:
            held = reduce(held, write)
        return held

    return fold


def unique(items: Iterable[Any]) -> tuple[Any, ...]:
    """``items`` without repeats, first occurrence kept."""
    return tuple(dict.fromkeys(items))
