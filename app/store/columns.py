"""How text and records stand in a column, so that any text comes back exactly, lone surrogates and NUL
included.
"""

from __future__ import annotations

import functools
from collections.abc import Mapping
from typing import Any, TypeVar, cast

import msgspec

T = TypeVar("T")

_ESCAPED = b"\x01"
"""First byte of a record whose texts could not be written as plain JSON."""


def as_column(text: str) -> str | bytes:
    """Return what to bind for `text`: itself, or its bytes where SQLite would refuse lone surrogates."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-8", "surrogatepass")
    return text


def as_text(column: str | bytes) -> str:
    """Return the text that `as_column` put there."""
    return column if isinstance(column, str) else column.decode("utf-8", "surrogatepass")


def pack(record: Any) -> bytes:
    """Return a record as JSON bytes; `unpack` gives an equal record for every content."""
    try:
        return msgspec.json.encode(record)
    except (UnicodeEncodeError, OverflowError):
        import json

        # Lone surrogates, or integers over 64 bits that a provider sent: each text goes through its bytes.
        plain = _through(msgspec.to_builtins(record), _escape)
        return _ESCAPED + json.dumps(plain, separators=(",", ":")).encode()


def unpack(column: bytes, kind: type[T]) -> T:
    """Return the record of `kind` that `pack` wrote. Raises msgspec.DecodeError for anything else."""
    if column[:1] != _ESCAPED:
        decoder = _decoder(cast(Any, kind))
        return cast(T, decoder.decode(column))
    import json

    try:
        plain = _through(json.loads(column[1:]), _unescape)
    except ValueError as error:
        raise msgspec.DecodeError(str(error)) from error
    return msgspec.convert(plain, kind)


@functools.cache
def _decoder(kind: Any) -> Any:
    """Return the decoder for records of `kind`, which costs more to make than to use."""
    return msgspec.json.Decoder(kind)


def _escape(text: str) -> str:
    return text.encode("utf-8", "surrogatepass").decode("latin-1")


def _unescape(text: str) -> str:
    return text.encode("latin-1").decode("utf-8", "surrogatepass")


def _through(value: Any, change: Any) -> Any:
    """Return plain data with `change` done to every text in it, keys too."""
    if isinstance(value, str):
        return change(value)
    if isinstance(value, Mapping):
        return {_through(key, change): _through(item, change) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_through(item, change) for item in value]
    return value
