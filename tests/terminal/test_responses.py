"""Whole turns of `bramble ask` over the Responses wire, and a conversation that goes from one wire to the
other and back.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from tests.servers import scripted
from tests.servers.responses import BLOB, answers, called, ends, event, message, streams, thought
from tests.terminal.conftest import Bramble
from tests.terminal.model_server import ModelServer

RESPONSES = {"BRAMBLE_WIRE": "responses"}


def test_a_turn_with_tools(bramble: Bramble, server: ModelServer, work: Path) -> None:
    (work / "a.txt").write_text("alpha\n")
    server.answers = [
        answers(
            thought("Both."),
            message("I look.", phase="commentary"),
            called("call_one", "read_file", {"path": "a.txt"}),
            called("call_two", "list_dir", {"path": "."}),
        ),
        answers(message("Alpha.", phase="final_answer")),
    ]
    ran = bramble("ask", "--json", "Please look around", env=RESPONSES)
    value = ran.value
    assert (ran.code, value["rounds"]) == (0, 2), ran.err
    assert value["text"].endswith("Alpha.")
    assert [(tool["name"], tool["ok"]) for tool in value["tools"]] == [
        ("read_file", True),
        ("list_dir", True),
    ]
    first, second = server.requests
    assert second["tools"] == first["tools"] and second["instructions"] == first["instructions"]
    assert second["input"][: len(first["input"])] == first["input"]
    items = second["input"][len(first["input"]) :]
    assert [item["type"] for item in items] == [
        "reasoning", "message", "function_call", "function_call", "function_call_output",
        "function_call_output",
    ]  # fmt: skip
    assert (items[0]["encrypted_content"], items[1]["phase"]) == (BLOB, "commentary")
    assert "alpha" in items[4]["output"] and items[4]["call_id"] == "call_one"


def kinds(body: dict[str, Any]) -> list[str]:
    """The items or messages of a request by their kind, the system's left out."""
    if "input" in body:
        return [item["type"] for item in body["input"]]
    return [one["role"] for one in body["messages"] if one["role"] not in ("system", "developer")]


def test_a_conversation_goes_from_wire_to_wire(bramble: Bramble, server: ModelServer, work: Path) -> None:
    (work / "a.txt").write_text("alpha\n")
    server.answers = [scripted.calls(("read_file", {"path": "a.txt"})), scripted.says("Over chat.")]
    begun = bramble("ask", "--json", "One", env={"BRAMBLE_WIRE": "chat"})
    session = begun.value["session"]
    server.answers = [
        answers(thought("Hm."), called("call_r", "read_file", {"path": "a.txt"})),
        answers(message("Over responses.")),
    ]
    gone = bramble("ask", "--json", "--session", session, "Two", env=RESPONSES)
    assert (gone.code, gone.value["text"]) == (0, "Over responses."), gone.err
    server.answers = [scripted.says("Back on chat.")]
    back = bramble("ask", "--json", "--session", session, "Three", env={"BRAMBLE_WIRE": "chat"})
    assert (back.code, back.value["text"]) == (0, "Back on chat."), back.err
    server.answers = [answers(message("And again."))]
    again = bramble("ask", "--json", "--session", session, "Four", env=RESPONSES)
    assert (again.code, again.value["text"]) == (0, "And again."), again.err
    sent = server.requests
    chat = ["user", "assistant", "tool", "assistant"]
    items = ["message", "function_call", "function_call_output", "message"]
    over = ["message", "reasoning", "function_call", "function_call_output", "message"]
    assert kinds(sent[3]) == [*items, *over[:-1]]
    assert kinds(sent[4]) == [*chat, *chat, "user"] and BLOB not in json.dumps(sent[4])
    assert kinds(sent[5]) == [*items, *over, "message", "message", "message"]
    ids = [item["call_id"] for item in sent[5]["input"] if "call_id" in item]
    assert len(set(ids)) == 2 and ids[0::2] == ids[1::2]


def test_tools_that_the_wire_s_own_search_loads(
    bramble: Bramble, server: ModelServer, work: Path, home: Path
) -> None:
    (work / "a.txt").write_text("alpha\n")
    address = server.environment()["BRAMBLE_BASE_URL"]
    home.mkdir(parents=True, exist_ok=True)
    (home / "settings.toml").write_text(
        f'[profiles.mine]\nbase_url = "{address}"\nwire = "responses"\n'
        '[profiles.mine.quirks]\ncalling = "native"\n'
    )
    query = {"query": "copy a file"}
    search = {"type": "tool_search_call", "call_id": "f1", "execution": "client", "arguments": query}
    copied = {"source": "a.txt", "destination": "b.txt"}
    server.answers = [
        streams(event("output_item.done", output_index=0, item=search), ends()),
        answers(called("s1", "copy_file", copied, namespace="copy_file")),
        answers(message("Copied.")),
    ]
    words = ("ask", "--json", "--yes", "--model", "mine/m", "Copy a.txt to b.txt")
    ran = bramble(*words, env={"BRAMBLE_BASE_URL": "", "BRAMBLE_MODEL": "", "BRAMBLE_WIRE": ""})
    assert (ran.code, ran.value["text"]) == (0, "Copied."), ran.err
    assert [tool["name"] for tool in ran.value["tools"]] == ["find_tools", "copy_file"]
    assert (work / "b.txt").read_text() == "alpha\n"
    first, second, third = server.requests
    assert first["tools"] == second["tools"] == third["tools"]
    assert "copy_file" not in json.dumps(first["tools"])
    assert [tool["type"] for tool in first["tools"]].count("tool_search") == 1
    assert kinds(third) == [
        "message", "tool_search_call", "tool_search_output", "function_call", "function_call_output",
    ]  # fmt: skip
    assert [tool["name"] for tool in second["input"][2]["tools"]] == ["copy_file"]
    assert third["input"][3]["namespace"] == "copy_file"
    assert third["input"][: len(second["input"])] == second["input"]
