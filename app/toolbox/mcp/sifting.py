"""What a server sends, made harmless before the SDK reads it: lines that are no messages, one bad tool among
good ones. Pure.
"""

from __future__ import annotations

import json
import re
from typing import Any

MESSAGE_BYTES = 16 << 20
"""The largest message that is taken."""
AS_IT_CAME = "bramble/as-it-came"
"""Below `_meta` of a tool: its definition before it was made fit, as JSON."""
BLOCKS_CAP = 1_000
"""Parts of one answer that are taken; the SDK makes an object of each."""
_HEADER, _CHAIN = "x-mcp-header", 8
"""The word of a schema that puts an argument into a header, and how deep it is looked for."""
_DIGITS = 300
"""Digits of a whole number that is read as it is; beyond that it stands for infinity anyhow."""
_EDGE = 4_096
"""Bytes at either end of a message in which its id is looked for."""
_ID = re.compile(rb'"id"\s*:\s*(\d{1,15}|"[^"\\]{1,100}")(?=\s*[,}])')


class TooLarge(Exception):
    """A line is longer than a message may be."""


class Lines:
    """Puts pieces of a stream together to lines, at most `most` bytes each."""

    def __init__(self, most: int = MESSAGE_BYTES) -> None:
        self._most = most
        self._begun: list[bytes] = []
        self._size = 0

    def feed(self, piece: bytes) -> list[bytes]:
        """Return the lines that a piece completes. Raises TooLarge."""
        first, *more = piece.split(b"\n")
        self._begun.append(first)
        self._size += len(first)
        if self._size > self._most:
            raise TooLarge
        if not more:
            return []
        found = [b"".join(self._begun), *more[:-1]]
        self._begun, self._size = [more[-1]], len(more[-1])
        return found


def is_message(line: bytes) -> bool:
    """Whether a line looks like a message at all; others are log lines that went astray."""
    line = line.strip()
    return line.startswith(b"{") and line.endswith(b"}")


def mended(line: bytes) -> dict[str, Any] | None:
    """Return a message that the SDK could not read with its halves of characters replaced, None for none.

    Numbers that JSON does not know become null, and one that is too long infinity.
    """
    try:
        raw = json.loads(line.decode("utf-8", "replace"), parse_int=_whole, parse_constant=lambda name: None)
    except (ValueError, RecursionError):
        return None
    if not isinstance(raw, dict) or raw.get("jsonrpc") != "2.0":
        return None
    try:
        text = json.dumps(raw, ensure_ascii=False).encode("utf-8", "replace")
    except RecursionError:
        return None
    whole = json.loads(text)
    assert isinstance(whole, dict)
    return whole


def _whole(digits: str) -> int | float:
    return int(digits) if len(digits) <= _DIGITS else float(digits)


NO_ANSWER = "The server's answer does not follow the protocol."


def refused(line: bytes, raw: dict[str, Any] | None, why: str = NO_ANSWER) -> dict[str, Any] | None:
    """Return an error in the place of an answer that cannot be used, so that nobody waits for it; None for
    what is no answer. `raw` is the line as far as it could be read at all.
    """
    found = _id_of(line) if raw is None else raw.get("id") if {"result", "error"} & raw.keys() else None
    if isinstance(found, str | int):
        error = {"code": -32603, "message": why}
        return {"jsonrpc": "2.0", "id": found, "error": error}
    return None


def _id_of(line: bytes) -> Any:
    """Return the id of an answer that no parser reads (nested too deeply, broken), as it stands at one of its
    ends; None where it does not look like an answer.
    """
    ends = line if len(line) <= 2 * _EDGE else line[:_EDGE] + line[-_EDGE:]
    found = _ID.search(ends)
    if found is None or b'"method"' in ends or not (b'"result"' in ends or b'"error"' in ends):
        return None
    return json.loads(found[1].decode("utf-8", "replace"))


def sifted(result: dict[str, Any]) -> dict[str, Any]:
    """Return a result whose list of tools the SDK takes, each with its definition as it came, and whose parts
    are no more than anybody reads.

    Output schemas go: what a server promises of its answers is not checked, since checking runs its patterns.
    """
    parts, tools = result.get("content"), result.get("tools")
    if isinstance(parts, list) and len(parts) > BLOCKS_CAP:
        words = f"[{len(parts) - BLOCKS_CAP:,} more parts are left out]"
        result = {**result, "content": [*parts[:BLOCKS_CAP], {"type": "text", "text": words}]}
    if not isinstance(tools, list):
        return result
    return {**result, "tools": [_fit(tool) for tool in tools if isinstance(tool, dict)]}


def _fit(tool: dict[str, Any]) -> dict[str, Any]:
    """Return a tool whose definition stands beside it as text: nothing follows how deep it goes."""
    kept = {key: value for key, value in tool.items() if key not in ("outputSchema", "icons", "_meta")}
    try:
        text = json.dumps(kept)
    except RecursionError:
        text = json.dumps({**kept, "inputSchema": "nested too deeply"})
    return {
        "name": tool["name"] if isinstance(tool.get("name"), str) else "",
        "inputSchema": _fit_schema(tool.get("inputSchema")),
        "_meta": {AS_IT_CAME: text},
    }


def _fit_schema(schema: Any) -> dict[str, Any]:
    """Return no more of a schema than the SDK needs to know which arguments go into headers too."""
    return {**_chain(schema, _CHAIN), "type": "object"}


def _chain(schema: Any, deep: int) -> dict[str, Any]:
    if not isinstance(schema, dict):
        return {}
    made = {key: schema[key] for key in ("type", _HEADER) if isinstance(schema.get(key), str)}
    properties = schema.get("properties")
    if deep and isinstance(properties, dict):
        made["properties"] = {key: _chain(one, deep - 1) for key, one in properties.items()}
    return made
