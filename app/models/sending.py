"""What every wire does alike with the parts of a request: schemas in one fixed form, names and arguments that
any server takes, the words of a message.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

import msgspec

from app.records import Message

NO_OUTPUT = "(no output)"
"""Stands for an empty result, which some servers refuse."""

_NAME = re.compile(r"[^a-zA-Z0-9_-]")
_LONGEST_NAME = 64


def canonical(schema: Any, *, names: bool = False) -> Any:
    """Sort the keywords of a schema; the parameters themselves (`names`) keep the order in which the model
    should fill them.
    """
    if isinstance(schema, list):
        return [canonical(item) for item in schema]
    if not isinstance(schema, dict):
        return schema
    keys = list(schema) if names else sorted(schema)
    return {key: canonical(schema[key], names=key == "properties" and not names) for key in keys}


def plain_name(name: str) -> str:
    """Return a tool's name in the letters that servers take, at most 64 of them."""
    return _NAME.sub("_", name)[:_LONGEST_NAME]


def sound(arguments: str) -> str:
    """Return arguments, or `{}` for what is no JSON object: it would spoil every later request
    (litellm#33678, llama.cpp#16932).
    """
    try:
        value = msgspec.json.decode(arguments or "{}")
    except (msgspec.DecodeError, UnicodeError, RecursionError):
        return "{}"
    return (arguments or "{}") if isinstance(value, dict) else "{}"


def spoken(message: Message) -> str:
    """Return what the model reads of a person's message: its context, an empty line and its text."""
    return "\n\n".join(part for part in (message.context, message.text) if part)


def call_ids(messages: Iterable[Message]) -> list[str]:
    """Return all call ids in the order in which they came up."""
    ids: list[str] = []
    for message in messages:
        ids += [call.id for call in message.calls]
        ids += [message.call] if message.role == "tool" else []
    return ids
