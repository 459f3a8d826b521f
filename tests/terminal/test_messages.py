"""`bramble ask` over the Messages wire and another: one conversation that goes from wire to wire."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from tests.servers import anthropic
from tests.servers.anthropic import end, start, streams, text, thinking, tool_use
from tests.servers.scripted import calls, says, scripted_in_thread
from tests.terminal.conftest import Bramble


def test_a_conversation_over_two_wires(bramble: Bramble, home: Path, work: Path) -> None:
    (work / "a.txt").write_text("alpha\n")
    secret = streams(
        start(cache_creation_input_tokens=900, cache_read_input_tokens=90),
        thinking(0, "Hm.", "sig-1"),
        text(1, "I look."),
        tool_use(2, "toolu_01", "find_tools", {"query": "move_file"}),
        tool_use(3, "toolu_02", "read_file", {"path": "a.txt"}),
        end("tool_use"),
    )
    move = anthropic.calls(("move_file", {"source": "a.txt", "target": "b.txt"}))
    scripts = (
        *(calls(("list_dir", {"path": "."})), says("one")),
        *(secret, move, anthropic.says("two")),
        says("three"),
        anthropic.says("four"),
    )
    with scripted_in_thread(*scripts) as server:
        own = {"BRAMBLE_BASE_URL": server.url, "ANTHROPIC_API_KEY": "sk-ant-key"}
        (home / "settings.toml").write_text(f'[profiles.anthropic]\nbase_url = "{server.url}"\n')
        first = bramble("ask", "--json", "one", env=own).value
        same = ("--session", first["session"], "--json", "--yes")
        claude = ("--model", "anthropic/claude-sonnet-5-5")
        second = bramble("ask", *same, *claude, "two", env=own)
        assert second.code == 0 and second.value["text"] == "two", second.err
        assert (work / "b.txt").read_text() == "alpha\n"
        assert second.value["cost"] > 0 and second.value["usage"]["cached"] == 90
        assert bramble("ask", *same, "three", env=own).value["text"] == "three"
        assert bramble("ask", *same, *claude, "four", env=own).value["text"] == "four"
        sent = [(one.path, one.json) for one in server.requests]
    wires = [path.rpartition("/")[2] for path, _ in sent]
    assert wires == ["completions"] * 2 + ["messages"] * 3 + ["completions", "messages"]
    _check(sent[2][1], sent[4][1], sent[5][1], sent[6][1])


def _check(begun: Any, ended: Any, chat: Any, last: Any) -> None:
    """What went over each wire of what the other had said."""
    blocks = [block for one in begun["messages"] for block in one["content"]]
    assert [block["type"] for block in blocks] == ["text", "tool_use", "tool_result", "text", "text"]
    assert blocks[1]["id"] == blocks[2]["tool_use_id"] == "call_1_0"
    answer, results = ended["messages"][-4:-2]
    assert [block["type"] for block in answer["content"]] == ["thinking", "text", "tool_use", "tool_use"]
    assert results["content"][0]["content"] == [{"type": "tool_reference", "tool_name": "move_file"}]
    assert "alpha" in results["content"][1]["content"][0]["text"]
    said = json.dumps(chat)
    assert "sig-1" not in said and "tool_reference" not in said and '{\\"name\\":\\"move_file\\",' in said
    assert [one.get("tool_call_id") for one in chat["messages"] if one["role"] == "tool"] == [
        *("call_1_0", "toolu_01", "toolu_02", "toolu_4_0"),
    ]
    assert "sig-1" in json.dumps(last) and last["tools"] == begun["tools"]
