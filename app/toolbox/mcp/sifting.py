"""What a server sends, made harmless before the SDK reads it: lines that are no messages, one bad tool among
good ones. Pure.
"""

from __future__ import annotations

import json
from typing import Any

MESSAGE_BYTES = 16 << 20
"""The largest message that is taken."""
AS_IT_CAME = "bramble/as-it-came"
"""Below `_meta` of a tool: its definition before it was made fit."""


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

    An answer that is beyond mending becomes an error under its own id, so that nobody waits for it.
    """
    try:
        raw = json.loads(line.decode("utf-8", "replace"))
    except (ValueError, RecursionError):
        return None
    if not isinstance(raw, dict) or raw.get("jsonrpc") != "2.0":
        return None
    text = json.dumps(raw, ensure_ascii=False).encode("utf-8", "replace")
    whole = json.loads(text)
    assert isinstance(whole, dict)
    return whole


def refused(raw: dict[str, Any]) -> dict[str, Any] | None:
    """Return an error in the place of an answer that cannot be used, None for what is no answer."""
    if isinstance(raw.get("id"), str | int) and ("result" in raw or "error" in raw):
        error = {"code": -32603, "message": "The server's answer does not follow the protocol."}
        return {"jsonrpc": "2.0", "id": raw["id"], "error": error}
    return None


def sifted(result: dict[str, Any]) -> dict[str, Any]:
    """Return a result whose list of tools the SDK takes, each with its definition as it came.

    Output schemas go: what a server promises of its answers is not checked, since checking runs its patterns.
    """
    tools = result.get("tools")
    if not isinstance(tools, list):
        return result
    return {**result, "tools": [_fit(tool) for tool in tools if isinstance(tool, dict)]}


def _fit(tool: dict[str, Any]) -> dict[str, Any]:
    kept = {key: value for key, value in tool.items() if key not in ("outputSchema", "icons", "_meta")}
    return {
        "name": tool["name"] if isinstance(tool.get("name"), str) else "",
        "inputSchema": _fit_schema(tool.get("inputSchema")),
        "_meta": {AS_IT_CAME: kept},
    }


def _fit_schema(schema: Any) -> dict[str, Any]:
    """Return no more of a schema than the SDK needs to know which arguments go into headers too."""
    properties = schema.get("properties") if isinstance(schema, dict) else None
    if not isinstance(properties, dict):
        return {"type": "object"}
    return {
        "type": "object",
        "properties": {key: one for key, one in properties.items() if isinstance(one, dict)},
    }
