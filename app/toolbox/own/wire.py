"""The messages between a tool's child process and its parent: one line of JSON each, values by their kind.

Each side takes what comes for claims: a value is rebuilt from the records of the contract alone, and held
against the type that is wanted before anything is done with it. JSON is written in ASCII, so that text with
half a surrogate pair, such as a damaged file name, comes through as it is.
"""

from __future__ import annotations

import base64
import json
import types
import typing
from collections.abc import Mapping, Sequence
from typing import Any, Literal

import tools

LONGEST = 32 << 20
"""Bytes of one message, its line end included."""
_DEEPEST = 60
_NOT_SENT = ("ReadContext", "ToolContext", "ToolSpec")
_RECORDS = {
    name: kind
    for name, kind in vars(tools).items()
    if isinstance(kind, type) and hasattr(kind, "_fields") and name not in _NOT_SENT
}
"""The named tuples of the contract by their names."""


class NotUnderstood(Exception):
    """What came is no message, or no value of the type that is wanted."""


def packed(message: Mapping[str, Any]) -> bytes:
    """Return a message as a line. Raises NotUnderstood for what JSON cannot hold, or too much of it."""
    try:
        line = json.dumps(message, ensure_ascii=True, allow_nan=False, separators=(",", ":")).encode() + b"\n"
    except (TypeError, ValueError, RecursionError) as error:
        raise NotUnderstood(f"this cannot be sent: {error}") from None
    if len(line) > LONGEST:
        raise NotUnderstood(f"this is more than can be sent at once ({len(line):,} bytes)")
    return line


def unpacked(line: bytes) -> dict[str, Any]:
    """Return the message of a line. Raises NotUnderstood."""
    try:
        message = json.loads(line)
    except (ValueError, RecursionError):
        raise NotUnderstood("what came is no message") from None
    if not isinstance(message, dict) or not isinstance(message.get("kind"), str):
        raise NotUnderstood("what came is no message")
    return message


def told(value: Any, deep: int = 0) -> Any:
    """Return a value as JSON that says what it is. Raises NotUnderstood for what has no form."""
    if deep > _DEEPEST:
        raise NotUnderstood("a value is nested too deeply")
    if value is None or isinstance(value, (bool, int, float, str)):
        return value
    if isinstance(value, (bytes, bytearray)):
        return {"bytes": base64.b64encode(value).decode("ascii")}
    name = type(value).__name__
    if isinstance(value, tuple) and _RECORDS.get(name) is type(value):
        return {"record": name, "of": [told(field, deep + 1) for field in value]}
    if isinstance(value, (list, tuple)):
        kind = "list" if isinstance(value, list) else "tuple"
        return {kind: [told(entry, deep + 1) for entry in value]}
    if isinstance(value, Mapping):
        return {"map": [[str(key), told(entry, deep + 1)] for key, entry in value.items()]}
    raise NotUnderstood(f"a value of the type {name} cannot be sent")


def heard(value: Any, deep: int = 0) -> Any:
    """Return the value that `told` made this of. Raises NotUnderstood."""
    if deep > _DEEPEST:
        raise NotUnderstood("a value is nested too deeply")
    if value is None or isinstance(value, (bool, int, float, str)):
        return value
    try:
        match value:
            case {"bytes": str(text)}:
                return base64.b64decode(text, validate=True)
            case {"record": str(name), "of": list(fields)} if name in _RECORDS:
                return _RECORDS[name](*(heard(field, deep + 1) for field in fields))
            case {"list": list(entries)}:
                return [heard(entry, deep + 1) for entry in entries]
            case {"tuple": list(entries)}:
                return tuple(heard(entry, deep + 1) for entry in entries)
            case {"map": list(pairs)}:
                return {str(key): heard(entry, deep + 1) for key, entry in pairs}
    except (TypeError, ValueError):
        pass
    raise NotUnderstood("a value is none of the contract")


def fits(value: Any, hint: Any) -> bool:
    """Whether a value that was heard is one of the type `hint`, through all of it."""
    origin, inner = typing.get_origin(hint), typing.get_args(hint)
    if hint in (Any, object):
        return True
    if hint in (None, type(None)):
        return value is None
    if origin in (typing.Union, types.UnionType):
        return any(fits(value, member) for member in inner)
    if origin is not None:
        return _fits_inside(value, origin, inner)
    if isinstance(value, bool) or hint is bool:
        return isinstance(value, bool) and hint is bool
    if not isinstance(hint, type) or not isinstance(value, (int, float) if hint is float else hint):
        return False
    return not hasattr(hint, "_fields") or _fits_fields(value, hint)


def _fits_inside(value: Any, origin: Any, inner: tuple[Any, ...]) -> bool:
    if origin is Literal:
        return any(value == member and type(value) is type(member) for member in inner)
    if origin is tuple:
        return isinstance(value, (list, tuple)) and _fits_tuple(value, inner)
    if origin in (Sequence, list):
        return isinstance(value, (list, tuple)) and all(fits(entry, inner[0]) for entry in value)
    if origin in (Mapping, dict):
        return isinstance(value, Mapping) and all(fits(entry, inner[1]) for entry in value.values())
    return False


def _fits_tuple(value: Sequence[Any], inner: tuple[Any, ...]) -> bool:
    if len(inner) == 2 and inner[1] is Ellipsis:
        return all(fits(entry, inner[0]) for entry in value)
    return len(value) == len(inner) and all(map(fits, value, inner))


def _fits_fields(value: Any, kind: type) -> bool:
    hints = typing.get_type_hints(kind)
    return all(fits(getattr(value, name), hints[name]) for name in kind._fields)  # type: ignore[attr-defined]
