"""Tools that a model loads by the wire's own search: our find_tools stands for it, run by us (`execution`
client).

Deferred tools are not in the list at all; the definitions of those that were found stand in the output of
their search, so that nothing before it changes. Such a tool lives in a namespace of its own name, and a call
of it without that namespace is refused for good (earendil-works/pi#7709, github/copilot-cli#4519); so calls
that were made before their tool was loaded, by another model, are sent as calls of use_tool.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

import msgspec

from app.models.request import ModelRequest, ToolSchema
from app.models.sending import canonical, plain_name, sound
from app.records import ToolCall

FIND = "find_tools"
"""The tool that the search stands for (`app.toolbox.activation`)."""
USE = "use_tool"

Item = dict[str, Any]


def stands_for_search(name: str, request: ModelRequest) -> bool:
    """Whether a tool of this name is the search of this request."""
    return bool(request.deferred) and name == FIND


def tool_search(tool: ToolSchema) -> Item:
    """Return find_tools as the wire's search tool."""
    return {
        "type": "tool_search",
        "execution": "client",
        "description": tool.description,
        "parameters": canonical(tool.parameters),
    }


class Searches:
    """What searches have brought so far, while a conversation is laid out from its beginning."""

    def __init__(self, request: ModelRequest) -> None:
        self._request = request
        offered = {tool.name for tool in request.tools}
        # One that the list offers may not be loaded a second time (microsoft/vscode#313169).
        self._deferred = {tool.name: tool for tool in request.deferred if tool.name not in offered}
        self._loaded: set[str] = set()
        self._calls: set[str] = set()

    def call(self, call: ToolCall, id_: str) -> Item:
        """Return a call as an item, with what it has to carry here."""
        if stands_for_search(call.name, self._request):
            self._calls.add(call.id)
            arguments = msgspec.json.decode(sound(call.arguments))
            return {
                "type": "tool_search_call",
                "call_id": id_,
                "execution": "client",
                "status": "completed",
                "arguments": arguments,
            }
        name, arguments = call.name, sound(call.arguments)
        if name in self._loaded:
            space = call.extra.get("namespace")
            return {
                **_function_call(id_, name, arguments),
                "namespace": space if isinstance(space, str) else name,
            }
        if name in self._deferred:
            whole = {"name": name, "arguments": msgspec.json.decode(arguments)}
            return _function_call(id_, USE, json.dumps(whole, ensure_ascii=False))
        return _function_call(id_, plain_name(name), arguments)

    def output(self, call: str, id_: str) -> Item | None:
        """Return what a search brought as an item, None for a call that was no search."""
        if call not in self._calls:
            return None
        found = self._found(self._request.found.get(call, ()))
        self._loaded.update(tool.name for tool in found)
        return {
            "type": "tool_search_output",
            "call_id": id_,
            "execution": "client",
            "status": "completed",
            "tools": [self._definition(tool) for tool in found],
        }

    def _found(self, names: Iterable[str]) -> list[ToolSchema]:
        return [self._deferred[name] for name in dict.fromkeys(names) if name in self._deferred]

    def _definition(self, tool: ToolSchema) -> Item:
        return {**function(tool, self._request.profile.tool_fields), "defer_loading": True}


def function(tool: ToolSchema, fields: dict[str, Any]) -> Item:
    """Return a tool as a function. Without `strict` OpenAI takes a schema for a strict one and changes it."""
    return {
        "type": "function",
        "name": tool.name,
        "description": tool.description,
        "parameters": canonical(tool.parameters),
        "strict": False,
        **fields,
    }


def _function_call(id_: str, name: str, arguments: str) -> Item:
    return {"type": "function_call", "call_id": id_, "name": name, "arguments": arguments}
