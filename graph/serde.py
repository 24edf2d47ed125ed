"""The serializer of checkpoints: strict, with every type of our state, and nothing else of ours.

What is not on the list comes back as plain data, never as an object; the views and reducers turn it into models again.
The list is found from the modules of ``calibrant.state``, so that a new type cannot be forgotten.
"""

import inspect
import pkgutil
from enum import Enum
from functools import cache
from importlib import import_module

from langgraph.checkpoint.serde.jsonplus import JsonPlusSerializer
from pydantic import BaseModel

StateType = type[BaseModel] | type[Enum]


@cache
def state_types() -> tuple[StateType, ...]:
    """Every model and enum that is defined in a module of ``calibrant.state``, in a fixed order."""
    package = import_module("calibrant.state")
    names = sorted(module.name for module in pkgutil.iter_modules(package.__path__, "calibrant.state."))
    return tuple(found for name in names for found in _defined_in(name))


@cache
def serde() -> JsonPlusSerializer:
    """The one serializer for every checkpointer that we make. Built when first needed."""
    return JsonPlusSerializer(allowed_msgpack_modules=state_types())


def _defined_in(module: str) -> list[StateType]:
    members = inspect.getmembers(import_module(module), inspect.isclass)
    return [found for _, found in members if found.__module__ == module and issubclass(found, BaseModel | Enum)]
