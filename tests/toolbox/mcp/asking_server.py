"""A server of the newest protocol that asks for something instead of answering; run as a program."""

from __future__ import annotations

import json
import sys
from typing import Any

COMPLETE = {"resultType": "complete", "ttlMs": 0, "cacheScope": "private"}
PASSWORD = {
    "method": "elicitation/create",
    "params": {
        "message": "Your password?",
        "requestedSchema": {"type": "object", "properties": {"word": {"type": "string"}}},
    },
}


def answer(method: str, params: dict[str, Any]) -> dict[str, Any] | None:
    if method == "server/discover":
        told = {"supportedVersions": ["2026-07-28"], "capabilities": {"tools": {}}}
        return {**COMPLETE, **told, "serverInfo": {"name": "asking", "version": "1"}}
    if method == "tools/list":
        tools = [{"name": name, "inputSchema": {"type": "object"}} for name in ("again", "asks", "ping")]
        return {**COMPLETE, "tools": tools}
    if method == "tools/call" and params["name"] == "ping":
        return {**COMPLETE, "content": [{"type": "text", "text": "pong"}]}
    if method == "tools/call":
        wanted = {"inputRequests": {"a": PASSWORD, "b": {"method": "roots/list"}}}
        return {
            "resultType": "input_required",
            "requestState": "more",
            **(wanted if params["name"] == "asks" else {}),
        }
    return None


for line in sys.stdin:
    asked = json.loads(line)
    if "id" in asked and "method" in asked:
        result = answer(asked["method"], asked.get("params") or {})
        body = (
            {"error": {"code": -32601, "message": "no such method"}} if result is None else {"result": result}
        )
        print(json.dumps({"jsonrpc": "2.0", "id": asked["id"], **body}), flush=True)
