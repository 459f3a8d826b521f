"""Write the JSON schema of a tool from its signature, flat and short, and hold arguments against it."""

from __future__ import annotations

import functools
import json
from typing import Any

from app.models import tokens
from app.models.request import ToolSchema
from app.toolbox.arguments import read
from app.toolbox.fitting import fit
from app.toolbox.signature import (
    NOTHING,
    Parameter,
    choices,
    fields,
    item_type,
    name_of,
    options,
    parameters,
    spec_of,
    value_type,
)
from tools import Function

_SCALARS = {str: "string", int: "integer", float: "number", bool: "boolean"}
_KEYS = 14
"""Tokens of the words around a schema on the wire: type, function, name, description, parameters."""


@functools.lru_cache(maxsize=512)
def schema_of(function: Function) -> ToolSchema:
    """Return the schema as the model is told it, keys in one fixed order, without titles and defaults.

    Raises TypeError for a type that JSON cannot hold.
    """
    description = " ".join((function.__doc__ or "").split())
    return ToolSchema(
        name=name_of(function), description=description, parameters=_object(parameters(function))
    )


def _object(entries: tuple[Parameter, ...]) -> dict[str, Any]:
    properties = {entry.name: _property(entry) for entry in entries}
    found: dict[str, Any] = {"type": "object", "properties": properties}
    required = [entry.name for entry in entries if entry.required]
    return found | {"required": required} if required else found


def _property(entry: Parameter) -> dict[str, Any]:
    schema = _type(entry.type)
    first = {"type": schema["type"]} if "type" in schema else {}
    return {**first, "description": entry.text, **schema} if _says_more(entry) else schema


def _says_more(entry: Parameter) -> bool:
    """Whether the text tells the model anything that the name does not.

    Every token is sent with every request.
    """
    return entry.text.casefold() not in ("", entry.name.replace("_", " ").casefold())


def _type(hint: Any) -> dict[str, Any]:
    members = options(hint)
    if len(members) > 1:
        schemas = [_type(member) for member in members]
        bare = all(schema.keys() == {"type"} for schema in schemas)
        return {"type": [schema["type"] for schema in schemas]} if bare else {"anyOf": schemas}
    kind = members[0]
    if kind is Any or kind is object:
        return {}
    if kind in _SCALARS:
        return {"type": _SCALARS[kind]}
    return _choice(kind) or _container(kind)


def _choice(kind: Any) -> dict[str, Any]:
    values = choices(kind)
    if not values:
        return {}
    names = {_SCALARS.get(type(value), "") for value in values}
    if len(names) != 1 or "" in names:
        raise TypeError(f"the values of {kind} are not all text or all numbers")
    return {"type": names.pop(), "enum": list(values)}


def _container(kind: Any) -> dict[str, Any]:
    item = item_type(kind)
    if item is not NOTHING:
        schema = _type(item)
        return {"type": "array", "items": schema} if schema else {"type": "array"}
    value = value_type(kind)
    if value is not NOTHING:
        schema = _type(value)
        return {"type": "object", "additionalProperties": schema} if schema else {"type": "object"}
    entries = fields(kind)
    if not entries:
        raise TypeError(
            f"{kind} is no type for a tool: take text, numbers, true or false, lists, plain objects"
        )
    return _object(entries)


def as_text(schema: ToolSchema) -> str:
    """Return the parameters as compact JSON, as an error shows them to the model."""
    return json.dumps(schema.parameters, ensure_ascii=False, separators=(",", ":"))


def cost_of(schema: ToolSchema) -> int:
    """Return about how many tokens a schema costs each request that carries it."""
    whole = [schema.name, schema.description, schema.parameters]
    return tokens.estimate(json.dumps(whole, ensure_ascii=False, separators=(",", ":"))) + _KEYS


@functools.lru_cache(maxsize=512)
def _tail(function: Function) -> str:
    return f"\nSchema: {as_text(schema_of(function))}"


def validate(function: Function, arguments: str | dict[str, Any]) -> dict[str, Any]:
    """Return the arguments as `function` takes them, defaults filled in, from JSON text or an object.

    Slips of models are read as meant: a number as text, JSON inside text, one item for a list, another
    spelling of a name (`ToolSpec.accepts`), null for a left-out argument. Raises ToolError `bad_arguments`:
    sentences for the model, then the schema.
    """
    name = name_of(function)
    tail = _tail(function)
    given = read(name, arguments, tail)
    return fit(name, parameters(function), spec_of(function).accepts, given, tail)
