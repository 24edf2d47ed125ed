"""Validation of what a caller gave: read into a model, or refused in one line, in words of a user and not of a
validator."""

import difflib
import operator
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Annotated, Any, Literal, TypeVar, Union
from urllib.parse import urlsplit

from pydantic import AfterValidator, BaseModel, BeforeValidator, TypeAdapter, ValidationError

from calibrant.state.base import unique
from calibrant.state.errors import InputError

M = TypeVar("M", bound=BaseModel)

Details = Mapping[str, Any]
"""One of ``ValidationError.errors()``."""

LONGEST_QUESTION = 20_000
"""Characters of a question. What is longer is a document: reading it as a question takes minutes and finds no more."""

SURROGATE = re.compile("[\ud800-\udfff]")

_UNSEEN = re.compile(
    "\x1b\\][^\x07\x1b]*(?:\x07|\x1b\\\\)|\x1b\\[[0-?]*[ -/]*[@-~]"  # what a terminal obeys, whole
    "|[\x00-\x08\x0e-\x1f\x7f-\x84\x86-\x9f\u00ad\u200b\u200e\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff]"
    "|(?<=[\x00-\u024f])[\u200c\u200d]|[\u200c\u200d](?=[\x00-\u024f])"
)
"""What is not seen in a text. A joiner is part of an emoji, and of words in scripts that are written with it."""

SHOWN = 60
"""Characters of a refused value that are shown."""

_LIST = "a list, such as [a, b]"
_NAMED = "values by name, such as {name: value}"

_EXPECTED = {
    "bool_parsing": "true or false",
    "bool_type": "true or false",
    "datetime_from_date_parsing": "a date, such as 2025-01-31",
    "datetime_parsing": "a date, such as 2025-01-31",
    "datetime_type": "a date, such as 2025-01-31",
    "dict_type": _NAMED,
    "float_parsing": "a number",
    "float_type": "a number",
    "int_from_float": "a whole number",
    "int_parsing": "a whole number",
    "int_type": "a whole number",
    "list_type": _LIST,
    "model_attributes_type": _NAMED,
    "model_type": _NAMED,
    "path_type": "a path",
    "string_type": "text",
    "tuple_type": _LIST,
}
"""What is expected, by the kind of a validator's error. For the others its own words say it: ``greater than 0``."""


def _no_boolean(value: Any) -> Any:
    if isinstance(value, bool):
        raise ValueError("a number")
    return value


_PLAIN: Mapping[str, Any] = {
    "array": list[Any],
    "boolean": bool,
    "integer": Annotated[int, BeforeValidator(_no_boolean)],
    "null": None,
    "number": Annotated[float, BeforeValidator(_no_boolean)],
    "object": dict[str, Any],
    "string": str,
}
"""The types of JSON schema."""

_NUMBER = ("integer", "number")
_BOUNDS: Sequence[tuple[str, Sequence[str], Callable[[Any, Any], bool], str]] = (
    ("minimum", _NUMBER, operator.ge, "a number greater than or equal to {}"),
    ("maximum", _NUMBER, operator.le, "a number less than or equal to {}"),
    ("exclusiveMinimum", _NUMBER, operator.gt, "a number greater than {}"),
    ("exclusiveMaximum", _NUMBER, operator.lt, "a number less than {}"),
    ("minLength", ("string",), operator.ge, "{} characters or more"),
    ("maxLength", ("string",), operator.le, "{} characters or fewer"),
    ("minItems", ("array",), operator.ge, "a list of {} or more"),
    ("maxItems", ("array",), operator.le, "a list of {} or fewer"),
)
"""The bounds of JSON schema: keyword, types that it is for, what has to hold, and how that is told."""


def _of_http(value: str) -> str:
    try:
        parts = urlsplit(value)
        leads = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:  # a port that is no number, half of an IPv6 address
        leads = False
    if value and (not leads or re.search(r"\s", value)):
        raise ValueError("an http:// or https:// URL")
    return value


def _of_site(value: str) -> str:
    try:
        _of_http(value if "://" in value else f"https://{value}")
    except ValueError:
        raise ValueError("a site, such as docs.python.org/3") from None
    return value


HttpUrl = Annotated[str, AfterValidator(_of_http)]
"""The address of a server, or empty. A ``str``, since it is handed on as it was given."""

Site = Annotated[str, AfterValidator(_of_site)]
"""A host with or without a path, or a whole URL."""


def validated(model: type[M], raw: Any) -> M:
    """``raw`` as ``model``. Raises ``InputError`` with one line that says what does not fit and what would."""
    try:
        return model.model_validate(raw)
    except ValidationError as error:
        raise InputError(problem_in(error)) from None


def legible(text: str) -> str:
    """What is seen of ``text``: without control characters and others that only split or turn around its words."""
    return _UNSEEN.sub("", text)


def bounded(text: str, what: str) -> str:
    """``text``. Raises ``InputError`` where it is longer than a question can be, or nothing that can be stored."""
    if SURROGATE.search(text):
        raise InputError(f"{what} holds half a character (a lone surrogate): give it as Unicode text")
    if len(text) > LONGEST_QUESTION:
        told = f"{what} has {len(text):,} characters, {LONGEST_QUESTION:,} at most"
        raise InputError(f"{told}: give a long text as a document (`calibrant ingest`), and ask about it")
    return text


def problem_in(error: ValidationError, *, with_value: bool = True) -> str:
    """The first thing that does not fit, in one line: its name, its value and what is expected."""
    first = error.errors(include_url=False)[0]
    name = ".".join(str(part) for part in first["loc"])
    more = f" (and {error.error_count() - 1} more)" if error.error_count() > 1 else ""
    if first["type"] == "missing":
        return f"{name} is missing{more}"
    value = f" = {excerpt(first['input'])}" if with_value else ""
    return f"{name}{value} is not allowed: expected {expected(first)}{more}"


def misfit(given: Mapping[str, Any], schema: Mapping[str, Any]) -> str:
    """Why the arguments ``given`` do not fit their JSON ``schema``, in one line: a name that it does not have, one that
    is missing, a plain type, or its bounds. Empty where nothing is found; whoever is called looks closer."""
    known = schema.get("properties")
    if not isinstance(known, Mapping):
        return ""
    unknown = next((name for name in given if name not in known), None)
    if unknown is not None and not schema.get("additionalProperties"):
        instead = suggestion(unknown, tuple(known)) if known else "it takes none"
        return f"there is no argument {excerpt(unknown)}: {instead}"
    missing = next((name for name in schema.get("required") or () if name not in given), None)
    if missing is not None:
        return f"{missing} is missing"
    for name, value in given.items():
        try:
            TypeAdapter(_type_of(known.get(name))).validate_python(value)
        except ValidationError as error:
            wanted = " or ".join(unique(expected(one) for one in error.errors(include_url=False)))
            return f"{name} = {excerpt(value)} is not allowed: expected {wanted}"
    return ""


def _type_of(schema: Any) -> Any:
    """The type that a JSON schema tells plainly, or a choice of such; ``Any`` where it tells more, or nothing."""
    if not isinstance(schema, Mapping):
        return Any
    if isinstance(choice := schema.get("anyOf"), list) and choice:
        return Union[tuple(map(_type_of, choice))]  # noqa: UP007 - made of what is known only now
    if isinstance(names := schema.get("enum"), list) and names and all(isinstance(name, str) for name in names):
        return Literal[tuple(names)]
    kind = schema.get("type")
    if not isinstance(kind, str) or kind not in _PLAIN:
        return Any
    return Annotated[_PLAIN[kind], AfterValidator(lambda value: _within(value, kind, schema))]


def _within(value: Any, kind: str, schema: Mapping[str, Any]) -> Any:
    """``value`` of this ``kind``. Raises ``ValueError`` where it lies outside the bounds of its ``schema``."""
    size = value if kind in _NUMBER else len(value) if kind in ("string", "array") else None
    for keyword, kinds, holds, told in _BOUNDS:
        bound = schema.get(keyword)
        # Foreign data: the bound may be anything.
        if kind in kinds and isinstance(bound, int | float) and not isinstance(bound, bool) and not holds(size, bound):
            raise ValueError(told.format(bound))
    return value


def expected(details: Details) -> str:
    """What should stand there."""
    own = str(details["msg"]).removeprefix("Input should be ").removeprefix("Value error, ").partition(", unable")[0]
    if details["type"].startswith(("greater_than", "less_than")):
        return f"a number {own}"
    return _EXPECTED.get(details["type"], own)


def excerpt(value: Any) -> str:
    """The beginning of a refused value."""
    text = repr(value)
    return text if len(text) <= SHOWN else text[: SHOWN - 1] + "…"


def suggestion(name: str, allowed: Sequence[str]) -> str:
    """What an unknown name may have been meant to be."""
    close = difflib.get_close_matches(name, allowed, n=1)
    return f"did you mean {close[0]!r}?" if close else f"allowed: {', '.join(allowed)}"
