"""Schemas of servers' tools made fit to be sent: of type object, nothing that only costs, cut. Pure."""

from __future__ import annotations

import json
from typing import Any

from app.platform.plain_text import visible

FIELD_CAP, SCHEMA_CAP = 300, 24_000
"""Characters of a parameter's description, and of a whole schema."""
_DEPTH = 40
_NOTHING: dict[str, Any] = {"type": "object", "properties": {}}
_NAMES = ("properties", "patternProperties", "$defs", "definitions")
"""Words of JSON Schema below which the keys are names."""
_COSTLY = ("$schema", "$id", "title", "examples", "$comment")


def usable(schema: Any) -> tuple[dict[str, Any], tuple[str, ...]]:
    """Return a schema of type object that can be sent, and notes; an empty one where none can be made."""
    if schema is None:
        return dict(_NOTHING), ()
    if not isinstance(schema, dict) or schema.get("type", "object") != "object":
        return dict(_NOTHING), ("schema_broken",)
    properties = schema.get("properties", {})
    required = schema.get("required", [])
    if not isinstance(properties, dict) or not all(
        isinstance(one, dict | bool) for one in properties.values()
    ):
        return dict(_NOTHING), ("schema_broken",)
    if not isinstance(required, list) or not all(isinstance(name, str) for name in required):
        return dict(_NOTHING), ("schema_broken",)
    try:
        made = _cleaned({**schema, "type": "object", "properties": properties}, _DEPTH)
    except _TooDeep:
        return dict(_NOTHING), ("schema_broken",)
    if _size(made) <= SCHEMA_CAP:
        return made, ()
    made = _bare(made)
    return (made if _size(made) <= SCHEMA_CAP else dict(_NOTHING)), ("schema_large",)


class _TooDeep(Exception):
    pass


def _cleaned(value: Any, depth: int, *, named: bool = False) -> Any:
    """Return a part of a schema without what only costs, its descriptions shown and cut; names, choices and
    references stay as they are, since the server knows them so.

    `named`: the keys are names of parameters, not words of JSON Schema.
    """
    if depth < 0:
        raise _TooDeep
    if isinstance(value, list):
        return [_cleaned(one, depth - 1) for one in value]
    if not isinstance(value, dict):
        return value
    made = {}
    for key, one in value.items():
        if not named and key == "description" and isinstance(one, str):
            made[key] = cut(" ".join(visible(one).split()), FIELD_CAP)
        elif named or key not in _COSTLY:
            made[key] = _cleaned(one, depth - 1, named=not named and key in _NAMES)
    return made


def _bare(value: Any, *, named: bool = False) -> Any:
    """Return a part of a schema without its words for the reader."""
    if isinstance(value, dict):
        return {
            key: _bare(one, named=not named and key in _NAMES)
            for key, one in value.items()
            if named or key not in ("description", "default")
        }
    return [_bare(one) for one in value] if isinstance(value, list) else value


def _size(schema: dict[str, Any]) -> int:
    return len(json.dumps(schema, ensure_ascii=False))


def cut(text: str, most: int) -> str:
    """Return at most so many characters of a text."""
    return text if len(text) <= most else text[: most - 1].rstrip() + "…"
