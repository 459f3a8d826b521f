"""`bramble ask` against the independent mock server: parallel calls of one batch, each with one result."""

from __future__ import annotations

import json
from pathlib import Path

from tests.servers.aimock import Aimock
from tests.terminal.conftest import Bramble


def test_parallel_calls(bramble: Bramble, aimock: Aimock, work: Path) -> None:
    (work / "a.txt").write_text("alpha\n")
    (work / "b.txt").write_text("beta\n")
    wanted = [
        {"id": "call_one", "name": "read_file", "arguments": {"path": "a.txt"}},
        {"id": "call_two", "name": "read_file", "arguments": {"path": "b.txt"}},
        {"id": "call_three", "name": "list_dir", "arguments": {"path": "."}},
    ]
    aimock.add({"userMessage": "look around", "hasToolResult": False}, {"toolCalls": wanted}, chunkSize=4)
    aimock.add({"toolCallId": "call_three"}, {"content": "Alpha and beta."}, chunkSize=3)
    ran = bramble("ask", "--json", "Please look around", env={"BRAMBLE_BASE_URL": aimock.url})
    value = ran.value
    assert (ran.code, value["text"], value["rounds"]) == (0, "Alpha and beta.", 2), ran.err
    assert [(tool["name"], json.loads(tool["arguments"])["path"], tool["ok"]) for tool in value["tools"]] == [
        ("read_file", "a.txt", True),
        ("read_file", "b.txt", True),
        ("list_dir", ".", True),
    ]
    assert value["usage"]["input"] > 0
    asked = [entry["body"] for entry in aimock.journal() if entry["path"].startswith("/v1/chat")]
    results = {one["tool_call_id"]: one["content"] for one in asked[1]["messages"] if one["role"] == "tool"}
    assert list(results) == ["call_one", "call_two", "call_three"]
    assert "alpha" in results["call_one"] and "beta" in results["call_two"]
