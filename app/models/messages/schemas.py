"""The schema of a tool as the Messages API takes it: one that it does not take spoils every request.

It refuses oneOf, anyOf and allOf at the top, and odd names of arguments (MoonshotAI/kimi-code#2328,
dearlordylord/huly-mcp#66). What is left out here is still checked when the tool is called, and told then.
"""

from __future__ import annotations

import re
from typing import Any

_TOGETHER, _EITHER = ("allOf",), ("oneOf", "anyOf")
_NAME = re.compile(r"[a-zA-Z0-9_.-]{1,64}")

Schema = dict[str, Any]


def taken(schema: Schema) -> Schema:
    """Return a schema of type object without what is refused: arguments of branches stand in one list, and
    those are required that every branch requires.
    """
    branches = {name: _objects(schema.get(name)) for name in (*_TOGETHER, *_EITHER)}
    plain = {name: value for name, value in schema.items() if name not in branches}
    properties = dict(_properties(plain))
    required = set(_required(plain))
    for name, group in branches.items():
        for branch in group:
            for key, value in _properties(branch).items():
                properties.setdefault(key, value)
        wanted = [set(_required(branch)) for branch in group]
        if wanted:
            required |= set.union(*wanted) if name in _TOGETHER else set.intersection(*wanted)
    kept = {name: value for name, value in properties.items() if _NAME.fullmatch(name)}
    plain.update(type="object", properties=kept)
    plain.pop("required", None)
    first = [one for one in _required(schema) if one in kept]
    if names := [*dict.fromkeys(first), *sorted((required & kept.keys()).difference(first))]:
        plain["required"] = names
    return plain


def _objects(value: Any) -> list[Schema]:
    return [one for one in value if isinstance(one, dict)] if isinstance(value, list) else []


def _properties(schema: Schema) -> Schema:
    found = schema.get("properties")
    return found if isinstance(found, dict) else {}


def _required(schema: Schema) -> list[str]:
    found = schema.get("required")
    return [one for one in found if isinstance(one, str)] if isinstance(found, list) else []
