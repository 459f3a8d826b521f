"""`bramble ask` against servers that we did not write, over each wire: whole turns with tools that really
run, and conversations that go on.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.servers.aimock import Aimock
from tests.servers.llmock import Llmock
from tests.terminal.conftest import Bramble
from tests.wires.failing import PATHS, WIRES


@pytest.mark.parametrize(
    ("wire", "end"), [("chat", "/v1"), ("responses", "/v1/responses"), ("messages", "")], ids=WIRES
)
def test_parallel_calls(bramble: Bramble, aimock: Aimock, work: Path, wire: str, end: str) -> None:
    (work / "a.txt").write_text("alpha\n")
    (work / "b.txt").write_text("beta\n")
    wanted = [
        {"id": "call_one", "name": "read_file", "arguments": {"path": "a.txt"}},
        {"id": "call_two", "name": "read_file", "arguments": {"path": "b.txt"}},
        {"id": "call_three", "name": "list_dir", "arguments": {"path": "."}},
    ]
    first = {"reasoning": "All at once.", "toolCalls": wanted}
    aimock.add({"userMessage": "look around", "hasToolResult": False}, first, chunkSize=4)
    aimock.add({"toolCallId": "call_three"}, {"content": "Alpha and beta."}, chunkSize=3)
    aimock.add({"userMessage": "And again"}, {"content": "Still alpha and beta."})
    env = {"BRAMBLE_BASE_URL": aimock.root + end, "BRAMBLE_WIRE": wire}
    ran = bramble("ask", "--json", "Please look around", env=env)
    value = ran.value
    assert (ran.code, value["text"], value["rounds"]) == (0, "Alpha and beta.", 2), ran.err
    assert [(tool["name"], json.loads(tool["arguments"])["path"], tool["ok"]) for tool in value["tools"]] == [
        ("read_file", "a.txt", True),
        ("read_file", "b.txt", True),
        ("list_dir", ".", True),
    ]
    assert value["usage"]["input"] > 0
    again = bramble("ask", "--json", "--session", value["session"], "And again", env=env)
    assert (again.code, again.value["text"]) == (0, "Still alpha and beta."), again.err
    asked = [entry for entry in aimock.journal() if entry["path"].startswith(f"/v1{PATHS[wire]}")]
    assert [entry["response"]["status"] for entry in asked] == [200, 200, 200]
    said = asked[1]["body"]["messages"]  # in the words of Chat Completions, whatever the wire
    results = {one["tool_call_id"]: one["content"] for one in said if one["role"] == "tool"}
    assert list(results) == ["call_one", "call_two", "call_three"]
    assert "alpha" in results["call_one"] and "beta" in results["call_two"]


@pytest.mark.parametrize("wire", WIRES)
def test_a_conversation_with_a_server_that_judges(
    bramble: Bramble, llmock: Llmock, work: Path, wire: str
) -> None:
    (work / "a.txt").write_text("alpha\n")
    read = {"name": "read_file", "arguments": {"path": "a.txt"}}
    listed = {"name": "list_dir", "arguments": {"path": "."}}
    copied = {"source": "a.txt", "destination": "b.txt"}
    llmock.will(
        {"type": "reply", "text": "I look.", "tool_calls": [read, listed]},
        {"type": "reply", "tool_calls": [{"name": "find_tools", "arguments": {"query": "copy_file"}}]},
        {
            "type": "reply",
            "tool_calls": [{"name": "use_tool", "arguments": {"name": "copy_file", "arguments": copied}}],
        },
        {"type": "reply", "text": "Copied alpha."},
        {"type": "reply", "text": "You had me copy a file.", "times": 2},
    )
    env = {"BRAMBLE_BASE_URL": llmock.url(wire), "BRAMBLE_WIRE": wire}
    ran = bramble("ask", "--json", "--yes", "Copy a.txt to b.txt", env=env)
    value = ran.value
    assert (ran.code, value["rounds"]) == (0, 4), ran.err
    assert value["text"].endswith("Copied alpha.")
    assert [(tool["name"], tool["ok"]) for tool in value["tools"]] == [
        ("read_file", True),
        ("list_dir", True),
        ("find_tools", True),
        ("copy_file", True),
    ]
    assert (work / "b.txt").read_text() == "alpha\n" and value["usage"]["input"] > 0
    llmock.will({"type": "fail", "status": 503}, {"type": "stream_fault", "kind": "truncate"})
    again = bramble("ask", "--json", "--session", value["session"], "What did I ask?", env=env)
    assert (again.code, again.value["text"]) == (0, "You had me copy a file."), again.err
    statuses = [entry["status"] for entry in llmock.journal()]
    assert statuses == [200, 200, 200, 200, 503, 200, 200] and llmock.verdict() == (True, [])
