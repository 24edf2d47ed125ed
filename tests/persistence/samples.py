"""A sample of every state type. A class without one fails ``test_every_type_has_a_sample``."""

from datetime import UTC, datetime
from enum import Enum
from functools import cache
from typing import Annotated, Any, get_args, get_origin

from langchain_core.messages import AnyMessage, HumanMessage
from pydantic import BaseModel, Field, TypeAdapter, ValidationError
from pydantic.fields import FieldInfo

from calibrant.graph.serde import state_types, task_types

WHEN = datetime(2024, 5, 17, 12, 30, tzinfo=UTC)
DEPTH = 6


@cache
def samples() -> dict[type, Any]:
    """One instance of each type that a checkpoint holds; its fields differ from their defaults where possible."""
    return {found: sample(found) for found in (*state_types(), *task_types())}


def sample(found: Any, depth: int = 0) -> Any:
    """A value of a type."""
    if found is AnyMessage:
        return HumanMessage("olá", id="m1")
    if isinstance(found, type) and issubclass(found, Enum):
        return list(found)[-1]
    if isinstance(found, type) and issubclass(found, BaseModel):
        return found(**{name: _field(field, depth) for name, field in found.model_fields.items()})
    return _plain(found, depth)


def _field(field: FieldInfo, depth: int) -> Any:
    if depth > DEPTH and not field.is_required():
        return field.get_default(call_default_factory=True)
    value = sample(field.annotation, depth + 1)
    if not isinstance(value, int | float | BaseModel) and not field.metadata:
        return value
    fits: TypeAdapter[Any] = TypeAdapter(Annotated[(type(value), Field(), *field.metadata)])  # type: ignore[arg-type]
    others = (field.default,) if isinstance(value, BaseModel) else (1, 0.5, 64, 0, "https://example.org/ação")
    return next(one for one in (value, *others) if _accepts(fits, one))


def _accepts(adapter: TypeAdapter[Any], value: object) -> bool:
    try:
        adapter.validate_python(value)
    except ValidationError:
        return False
    return True


def _plain(found: Any, depth: int) -> Any:
    origin, args = get_origin(found), get_args(found)
    if origin is tuple:
        return tuple(sample(arg, depth + 1) for arg in args if arg is not ...)
    if origin is dict:
        key = "key" if args[0] is str else sample(args[0], depth + 1)
        return {key: ["value", 1, None, {"inner": 2.5}] if args[1] is Any else sample(args[1], depth + 1)}
    if origin is list:
        return [sample(args[0], depth + 1)]
    if origin is not None:
        given = next(arg for arg in args if arg is not type(None))
        return given if isinstance(given, str | int) else sample(given, depth + 1)
    return {Any: "texto ação", str: "texto ação", int: 2, float: 0.25, bool: True, datetime: WHEN}[found]
