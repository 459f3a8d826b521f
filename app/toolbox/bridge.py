"""Reads a call of use_tool as the call of the tool that it names, before anybody judges, shows or runs it."""

from __future__ import annotations

import json
from typing import Any

import msgspec

from app.errors import ToolError
from app.records import ToolCall
from app.toolbox.arguments import read

BRIDGE = "use_tool"
_DEPTH = 3
"""How often one use_tool may stand in another; small models wrap twice."""
_NAME_KEYS = ("name", "tool", "tool_name")
_ARGUMENT_KEYS = ("arguments", "args", "parameters", "input")


def inner(call: ToolCall) -> ToolCall:
    """Return the call that is meant; one that is no bridge as it is.

    The arguments may be an object, JSON text, or stand beside the name. Raises ToolError bad_arguments where
    no tool is named.
    """
    for _ in range(_DEPTH):
        if call.name != BRIDGE:
            return call
        call = _unwrapped(call)
    if call.name == BRIDGE:
        raise ToolError("bad_arguments", f"{BRIDGE} was put into itself. Name the tool once.", tool=BRIDGE)
    return call


def shown(call: ToolCall) -> ToolCall:
    """Return the call that is meant, or the bridge itself where none can be read from it."""
    try:
        return inner(call)
    except ToolError:
        return call


def _unwrapped(call: ToolCall) -> ToolCall:
    given = read(BRIDGE, call.arguments)
    name = next((given[key] for key in _NAME_KEYS if isinstance(given.get(key), str)), "")
    if not name.strip():
        raise ToolError(
            "bad_arguments",
            f'{BRIDGE} needs the name of a tool: {{"name": "...", "arguments": {{...}}}}.',
            tool=BRIDGE,
        )
    return msgspec.structs.replace(call, name=name.strip(), arguments=_arguments(given))


def _arguments(given: dict[str, Any]) -> str:
    found = next((given[key] for key in _ARGUMENT_KEYS if given.get(key) is not None), None)
    if isinstance(found, str):
        return found  # JSON text, read as any call's
    if found is None:
        found = {key: value for key, value in given.items() if key not in (*_NAME_KEYS, *_ARGUMENT_KEYS)}
    return json.dumps(found, ensure_ascii=False)
