"""The serializer of checkpoints: strict, with every type of our state, and nothing else of ours.

What is not on the list comes back as plain data, never as an object; the views and reducers turn it into models again.
The list is found from the modules of ``calibrant.state``, so that a new type cannot be forgotten, and from the few
modules of ``calibrant.nodes`` whose values a checkpoint holds too.
"""

import copy
import inspect
import pkgutil
from enum import Enum
from functools import cache
from importlib import import_module
from typing import Any

from langgraph.checkpoint.base import BaseCheckpointSaver
from langgraph.checkpoint.serde.encrypted import EncryptedSerializer
from langgraph.checkpoint.serde.jsonplus import JsonPlusSerializer
from pydantic import BaseModel

from calibrant.state.base import Value

StateType = type[BaseModel] | type[Enum]

TASK_MODULES = ("calibrant.nodes.branch", "calibrant.nodes.retrieval.channels", "calibrant.nodes.step")
"""Where the values are defined that a fan-out sends to one node, or that only a retrieval holds."""


@cache
def state_types() -> tuple[StateType, ...]:
    """Every model and enum that is defined in a module of ``calibrant.state``, in a fixed order."""
    package = import_module("calibrant.state")
    names = sorted(module.name for module in pkgutil.iter_modules(package.__path__, "calibrant.state."))
    return tuple(found for name in names for found in _defined_in(name))


@cache
def task_types() -> tuple[StateType, ...]:
    """Every value that is defined in one of ``TASK_MODULES``: a run that stopped in a fan-out has stored them."""
    found = (member for name in TASK_MODULES for member in _defined_in(name))
    return tuple(member for member in found if issubclass(member, Value))


@cache
def serde() -> JsonPlusSerializer:
    """The one serializer for every checkpointer that we make. Built when first needed."""
    return JsonPlusSerializer(allowed_msgpack_modules=(*state_types(), *task_types()))


def knowing(checkpointer: BaseCheckpointSaver[Any] | None) -> BaseCheckpointSaver[Any] | None:
    """``checkpointer``, or a copy over the same storage that knows our types: the given one may serve other graphs.

    A serializer that was chosen for it stays; where it is LangGraph's own, our types are added to those that it allows.
    One that allows everything, as ``JsonPlusSerializer()`` does, has no list to add to.
    """
    if not isinstance(checkpointer, BaseCheckpointSaver):  # None; or True, for LangGraph: the parent's
        return checkpointer
    if checkpointer.serde is BaseCheckpointSaver.serde:  # nobody chose one
        checkpointer = copy.copy(checkpointer)
        checkpointer.serde = serde()
    elif isinstance(checkpointer.serde, JsonPlusSerializer | EncryptedSerializer):
        known = (*state_types(), *task_types())
        checkpointer = checkpointer.with_allowlist({(found.__module__, found.__name__) for found in known})
    return checkpointer


def _defined_in(module: str) -> list[StateType]:
    members = inspect.getmembers(import_module(module), inspect.isclass)
    return [found for _, found in members if found.__module__ == module and issubclass(found, BaseModel | Enum)]
