"""A reply's schema as it goes over the wire, and as a model reads it.

Strict: every field required, nothing else allowed, no references, no keyword that an endpoint may not know.
"""

import json
import re
from copy import deepcopy
from functools import cache
from typing import Any

from pydantic import BaseModel

_BARE = re.compile(r'"(\((?:boolean|integer|number)\)[^"]*)"')

_KEPT = ("type", "description", "enum", "const", "items", "properties", "anyOf")


def wire_schema(reply: type[BaseModel]) -> dict[str, Any]:
    """The JSON schema of ``reply`` as endpoints take it: strict, without references, titled with its name."""
    return deepcopy(_wire_schema(reply))  # clients change what they are given


@cache
def _wire_schema(reply: type[BaseModel]) -> dict[str, Any]:
    raw = reply.model_json_schema()
    schema = _strict(raw, raw.get("$defs", {}))
    return {"title": raw["title"], "description": (reply.__doc__ or raw["title"]).splitlines()[0], **schema}


def _strict(node: dict[str, Any], defs: dict[str, Any]) -> dict[str, Any]:
    if "$ref" in node:
        node = {**defs[node["$ref"].rpartition("/")[2]], **node}
    kept = {key: node[key] for key in _KEPT if key in node}
    if "items" in kept:
        kept["items"] = _strict(kept["items"], defs)
    if "properties" in kept:
        kept["properties"] = {name: _strict(child, defs) for name, child in kept["properties"].items()}
        kept |= {"required": list(kept["properties"]), "additionalProperties": False}
        kept.pop("description", None)
    return kept


@cache
def shape(reply: type[BaseModel]) -> str:
    """The schema of ``reply`` as a model reads it best: an example of the object with a word on each value. Only what
    is a string stands in quotes: a small model copies them."""
    return _BARE.sub(r"\1", json.dumps(_example(wire_schema(reply)), ensure_ascii=False, indent=1))


def _example(node: dict[str, Any]) -> Any:
    if "properties" in node:
        return {name: _example(child) for name, child in node["properties"].items()}
    if node.get("type") == "array":
        told = {"description": node["description"]} if "description" in node else {}
        return [_example({**told, **node["items"]})]  # what is said of a list of words is said of each
    words = " | ".join(map(str, node["enum"])) if "enum" in node else str(node.get("type", ""))
    return f"({words}) {node.get('description', '')}".strip()
