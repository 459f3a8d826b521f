"""Puts a conversation into a request: fenced, and without the schemas that the provider itself brings.

Where tools stand unloaded in the request (`native`, product.md 2.5), a result of find_tools names the ones it
found and the provider loads them there. The stored message keeps the schemas as text, since the conversation
may go on with another model.
"""

from __future__ import annotations

import json
from collections.abc import Sequence

import msgspec

from app.conversation.fence import for_model
from app.models.request import ModelRequest
from app.records import Message
from app.toolbox.activation import FIND, brought
from app.toolbox.finder import BY_BRIDGE


def with_history(base: ModelRequest, history: Sequence[Message]) -> ModelRequest:
    """Return `base` with this effective history as its messages."""
    there = frozenset(tool.name for tool in base.deferred)
    found = {
        message.call: names
        for message in (history if there else ())
        if message.tool == FIND and (names := tuple(name for name in brought(message) if name in there))
    }
    said = [_named(message, found[message.call]) if message.call in found else message for message in history]
    return msgspec.structs.replace(base, messages=for_model(said), found=found)


def _named(result: Message, names: tuple[str, ...]) -> Message:
    """Return a result of find_tools without the lines that are the schemas of `names`, and without the one
    on use_tool where they are all that it brought (to another model, before).
    """
    begin = tuple(f'{{"name":{json.dumps(name)},' for name in names)
    begin += (BY_BRIDGE,) if len(names) == len(brought(result)) else ()
    kept = [line for line in result.text.split("\n") if not line.startswith(begin)]
    return msgspec.structs.replace(result, text="\n".join(kept))
