"""What the real endpoint checks in a request, and what it guarantees of a strict reply."""

import re
from typing import Any

from tests.wire.openai_replies import Json, Status

_NAME = re.compile(r"[a-zA-Z0-9_-]{1,64}")
_TYPES: dict[str, type | tuple[type, ...]] = {
    "string": str, "boolean": bool, "integer": int, "number": (int, float), "array": list, "object": dict,
}  # fmt: skip


def complaint(request: Json, supports: frozenset[str], refuses: frozenset[str] = frozenset()) -> Status | None:
    """The 400 that the endpoint answers ``request`` with, if it is not acceptable."""
    refused = next((name for name in sorted(refuses) if name in request), None)
    if refused:
        message = f"Unsupported parameter: '{refused}' is not supported with this model."
        advice = " Use 'max_completion_tokens' instead." if refused == "max_tokens" else ""
        return Status(400, message + advice, param=refused, code="unsupported_parameter")
    if not request.get("model") or not request.get("messages"):
        return Status(400, "you must provide a model and messages", param="model")
    format_type = (request.get("response_format") or {}).get("type")
    if format_type == "json_schema" and "json_schema" not in supports:
        message = "Invalid parameter: 'response_format' of type 'json_schema' is not supported with this model."
        return Status(400, message, param="response_format")
    if request.get("tools") and "tools" not in supports:
        return Status(400, "registry/model does not support tools")
    problem = _format_problem(request) or _tool_problem(request)
    return Status(400, problem, param="response_format") if problem else None


def _format_problem(request: Json) -> str | None:
    response_format = request.get("response_format") or {}
    if response_format.get("type") != "json_schema":
        return None
    spec = response_format.get("json_schema", {})
    if not _NAME.fullmatch(spec.get("name", "")):
        return "Invalid 'response_format.json_schema.name'"
    loose = _loose(spec["schema"]) if spec.get("strict") else None
    return f"Invalid schema for response_format '{spec['name']}': {loose}" if loose else None


def _loose(node: Json, place: str = "()") -> str | None:
    """What keeps a schema from being strict."""
    if set(node) - {"type", "description", "enum", "items", "properties", "required", "additionalProperties"}:
        return f"In context={place}, a keyword is not permitted."
    if node.get("type") == "object":
        if node.get("additionalProperties") is not False:
            return f"In context={place}, 'additionalProperties' is required to be supplied and to be false."
        if set(node.get("required", ())) != set(node["properties"]):
            return f"In context={place}, 'required' must include every key in properties."
    children = {**node.get("properties", {}), **({"items": node["items"]} if "items" in node else {})}
    return next((found for name, child in children.items() if (found := _loose(child, f"{place}.{name}"))), None)


def _tool_problem(request: Json) -> str | None:
    names = [tool["function"]["name"] for tool in request.get("tools") or ()]
    choice = request.get("tool_choice")
    if isinstance(choice, dict) and choice["function"]["name"] not in names:
        return "Invalid value for 'tool_choice': no such tool."
    return None


def misfit(value: Any, schema: Json, place: str = "reply") -> str | None:
    """How ``value`` breaks ``schema``: a strict endpoint would never have sent it."""
    wanted = _TYPES.get(schema.get("type", ""), object)
    if not isinstance(value, wanted) or (isinstance(value, bool) and wanted is int):
        return f"{place} is not of type {schema.get('type')}"
    if "enum" in schema and value not in schema["enum"]:
        return f"{place} is not one of {schema['enum']}"
    if isinstance(value, dict):
        properties = schema.get("properties", {})
        if set(value) != set(properties):
            return f"{place} has the keys {sorted(value)}, not {sorted(properties)}"
        rows = [misfit(value[key], properties[key], f"{place}.{key}") for key in value]
        return next((row for row in rows if row), None)
    if isinstance(value, list) and "items" in schema:
        rows = [misfit(item, schema["items"], f"{place}[{at}]") for at, item in enumerate(value)]
        return next((row for row in rows if row), None)
    return None
