"""Tools that stand unloaded in a request: our search finds, the provider loads, the model calls by name."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import msgspec

from app.conversation.prefix import UNLOADED, Prefix, unloaded_of
from app.models.profiles import load_profile, quirks_of
from app.platform.paths import home as home_of
from app.records import Message
from app.store import kept, messages
from app.store.columns import unpack
from app.toolbox.finder import schema_line
from app.toolbox.mcp.fixture import fixture_of, put
from app.toolbox.registry import load_registry
from tests.bench.cost import rows
from tests.conversation.story import DAY, LATE, OPTIONS, Story, begins, unmarked
from tests.servers import scripted as chat
from tests.servers.anthropic import block, calls, end, says, start, streams, text, thinking, tool_use
from tests.servers.scripted import Script, ScriptedServer, scripted

CLAUDE = "anthropic/claude-sonnet-5-5"
WITH_CLAUDE = msgspec.structs.replace(OPTIONS, model=CLAUDE)


def find(query: str) -> Script:
    """Search for a tool."""
    return calls(("find_tools", {"query": query}))


async def begun(place: Path, server: ScriptedServer) -> Story:
    """A conversation with Anthropic's profile, which points to the test's server."""
    one = Story(place, server, ANTHROPIC_API_KEY="sk-ant-key")
    settings = home_of(one.environ).settings
    settings.parent.mkdir(parents=True, exist_ok=True)
    settings.write_text(f'[profiles.anthropic]\nbase_url = "{server.url}"\n')
    await one.begin()
    return one


def bodies(server: ScriptedServer) -> list[Any]:
    return [one.json for one in server.requests]


def unloaded(body: Any) -> set[str]:
    """The names of the tools that stand unloaded in a request."""
    return {tool["name"] for tool in body["tools"] if tool.get("defer_loading")}


def result_of(body: Any) -> list[dict[str, Any]]:
    """The content of the last result in a request."""
    blocks = [block for one in body["messages"] for block in one["content"]]
    return [block for block in blocks if block["type"] == "tool_result"][-1]["content"]


async def stored(one: Story) -> list[Message]:
    return list(await one.engine._parts.store.read(messages.branch, one.session))


async def test_found_tools_are_loaded_by_reference_and_called_by_name(tmp_path: Path) -> None:
    scripts = (
        *(find("move_file"), calls(("move_file", {"source": "a.txt", "target": "b.txt"})), says("moved")),
        *(find("move_file"), says("there")),
        *(
            find("late__lookup"),
            calls(("use_tool", {"name": "late__lookup", "arguments": {}})),
            says("found her"),
        ),
        *(calls(("copy_file", {"source": "b.txt", "target": "c.txt"})), find("copy_file"), says("copied")),
    )
    async with scripted(*scripts) as server:
        one = await begun(tmp_path, server)
        (one.folder / "a.txt").write_text("a\n")
        assert await one.turn("move it", WITH_CLAUDE) == "done"
        assert (one.folder / "b.txt").exists()
        await one.engine.close()
        await one.begin()
        one.now += DAY
        assert await one.turn("again", WITH_CLAUDE) == "done"
        one.registry.put("mcp:late", [LATE])
        assert await one.turn("look her up", WITH_CLAUDE) == "done"
        assert await one.turn("copy it", WITH_CLAUDE) == "done"
        branch = await stored(one)
        await one.engine.close()
    sent = bodies(server)
    assert list(begins(server)) == [True] * 10
    tools = {tool["name"]: tool for tool in sent[0]["tools"]}
    assert tools["move_file"]["defer_loading"] and "defer_loading" not in tools["find_tools"]
    assert "late__lookup" not in tools and all(body["tools"] == sent[0]["tools"] for body in sent)
    marked = [name for name, tool in tools.items() if "cache_control" in tool]
    assert marked == [[name for name, tool in tools.items() if "defer_loading" not in tool][-1]]
    assert "then call it by its name" in sent[0]["system"][0]["text"]
    assert result_of(sent[1]) == [{"type": "tool_reference", "tool_name": "move_file"}]
    assert result_of(sent[4])[0]["text"] == "move_file is already loaded, call it."
    late = result_of(sent[6])
    assert [block["type"] for block in late] == ["text"] and "with use_tool" in late[0]["text"]
    assert result_of(sent[7])[0]["text"] == "found"
    assert "already loaded, call it." in result_of(sent[10])[0]["text"]  # a successful call is evidence
    searched = next(one for one in branch if one.tool == "find_tools")
    assert searched.text.startswith('{"name":"move_file",') and searched.view.data == {"tools": ["move_file"]}


async def test_what_came_later_is_told_beside_what_is_referenced(tmp_path: Path) -> None:
    async with scripted(says("hello"), find("look a customer up, or move a file"), says("well")) as server:
        one = await begun(tmp_path, server)
        await one.turn("hello", WITH_CLAUDE)
        one.registry.put("mcp:late", [LATE])
        await one.turn("look", WITH_CLAUDE)
        await one.engine.close()
    content = result_of(bodies(server)[2])
    names = [block["tool_name"] for block in content if block["type"] == "tool_reference"]
    assert "move_file" in names and content[0]["type"] == "text"
    lines = content[0]["text"].splitlines()
    assert lines[0].startswith('{"name":"late__lookup",') and lines[-1].startswith(
        "Call late__lookup with use_tool"
    )
    assert not any(f'"name":"{name}"' in content[0]["text"] for name in names)


async def test_another_mode_has_its_own_unloaded_tools(tmp_path: Path) -> None:
    async with scripted(says("one"), says("two")) as server:
        one = await begun(tmp_path, server)
        await one.turn("one", WITH_CLAUDE)
        await one.turn("two", msgspec.structs.replace(WITH_CLAUDE, mode="plan"))
        keys = await one.engine._parts.store.read(kept.keys, one.session)
        await one.engine.close()
    agent, plan = (
        {tool["name"] for tool in body["tools"] if "defer_loading" in tool} for body in bodies(server)
    )
    assert "move_file" in agent - plan and "job_list" in agent & plan
    assert len(keys) == 2 and all(key.endswith(" native") for key in keys)


async def test_unloaded_tools_stay_as_they_were_though_a_server_leaves(tmp_path: Path) -> None:
    async with scripted(says("one"), find("late__lookup"), says("two")) as server:
        one = await begun(tmp_path, server)
        one.registry.put("mcp:late", [LATE])
        await one.turn("one", WITH_CLAUDE)
        one.registry.drop("mcp:late")
        await one.turn("two", WITH_CLAUDE)
        (key,) = await one.engine._parts.store.read(kept.keys, one.session)
        raw = await one.engine._parts.store.read(kept.get, one.session, key)
        await one.engine.close()
    sent = bodies(server)
    assert sent[1]["tools"] == sent[0]["tools"] and "late__lookup" in {
        tool["name"] for tool in sent[0]["tools"]
    }
    assert "Gone: server late" in json.dumps(sent[1]["messages"])
    assert "late__lookup" not in [one.get("tool_name") for one in result_of(sent[2])], (
        "it is not there to be loaded"
    )
    assert "late__lookup" in unpack(raw, Prefix).unloaded


async def test_a_session_may_change_from_chat_completions_to_messages_and_back(tmp_path: Path) -> None:
    secret = streams(
        start(),
        thinking(0, "Hm.", "sig-1"),
        tool_use(1, "toolu_1", "find_tools", {"query": "move_file"}),
        end("tool_use"),
    )
    scripts = (
        *(chat.calls(("find_tools", {"query": "copy_file"})), chat.says("one")),
        *(secret, says("two")),
        *(chat.calls(("list_dir", {"path": "."})), chat.says("three")),
        says("four"),
    )
    async with scripted(*scripts) as server:
        one = await begun(tmp_path, server)
        await one.turn("one")
        await one.turn("two", WITH_CLAUDE)
        await one.turn("three")
        await one.turn("four", WITH_CLAUDE)
        branch = await stored(one)
        await one.engine.close()
    paths = [request.path.removeprefix("/v1") for request in server.requests]
    assert paths == ["/chat/completions"] * 2 + ["/messages"] * 2 + ["/chat/completions"] * 2 + ["/messages"]
    sent = bodies(server)
    first, last = sent[2]["messages"], sent[6]["messages"]
    assert result_of(sent[2]) == [{"type": "tool_reference", "tool_name": "copy_file"}]
    assert unmarked(last[: len(first)]) == unmarked(first)
    kinds = [block["type"] for one in last for block in one["content"]]
    assert kinds.count("thinking") == 1 and json.dumps(last).count('"tool_reference"') == 2
    told = [one for one in sent[4]["messages"] if one["role"] == "tool"]
    assert [one["content"][:20] for one in told] == ['{"name":"copy_file",', '{"name":"move_file",']
    assert "sig-1" not in json.dumps(sent[4]) and "sig-1" in json.dumps(sent[6])
    assert [one.extra.get("blocks", [{}])[0].get("signature") for one in branch if one.extra] == ["sig-1"]


async def test_the_inspector_counts_unloaded_definitions_apart(tmp_path: Path) -> None:
    async with scripted(find("move_file"), says("so")) as server:
        one = await begun(tmp_path, server)
        del one.environ["BRAMBLE_BASE_URL"]
        await one.engine.close()
        await one.begin()
        put(one.registry, fixture_of(rows()))
        await one.engine.change_settings(model=CLAUDE)
        before = await one.report()
        await one.turn("move it", OPTIONS)
        after = await one.report()
        await one.engine.close()
    for found in (before, after):
        parts = {part.name: part for part in found.parts}
        assert sum(part.bytes for part in found.parts) == len(found.body.encode())
        assert sum(part.tokens for part in found.parts) == found.total_tokens
        assert parts["deferred"].bytes > 10 * parts["tools"].bytes and parts["deferred"].tokens == 0
        assert all(part.bytes >= 0 for part in found.parts)
        assert found.total_tokens < 3_000 < len(found.body) / 6
    assert [tool.name for tool in after.loaded if tool.why == "found"] == ["move_file"]
    assert before.loadable == after.loadable and not after.anew
    cost = next(tool.tokens for tool in after.loaded if tool.name == "move_file")
    assert next(part.tokens for part in after.parts if part.name == "tool results") > 0 < cost


def test_a_wire_that_cannot_defer_takes_the_bridge() -> None:
    own = {"mine": {"base_url": "http://127.0.0.1:1/v1", "quirks": {"calling": "native"}}}
    assert quirks_of(load_profile("mine", own, {}), "m").calling == "bridge"
    own["mine"]["wire"] = "messages"
    assert quirks_of(load_profile("mine", own, {}), "m").calling == "native"


async def test_an_answer_that_paused_goes_on_within_its_turn(tmp_path: Path) -> None:
    found = {"type": "web_search_tool_result", "tool_use_id": "srv", "content": []}
    paused = streams(start(), text(0, "I search."), block(1, found), end("pause_turn"))
    async with scripted(paused, says("There it is.")) as server:
        one = await begun(tmp_path, server)
        assert await one.turn("look", WITH_CLAUDE) == "done"
        branch = await stored(one)
        await one.engine.close()
    last = bodies(server)[1]["messages"][-1]
    assert last == {"role": "assistant", "content": [{"type": "text", "text": "I search."}, found]}
    assert [message.text for message in branch[1:]] == ["I search.", "There it is."]
    assert list(begins(server)) == [True]


async def test_a_wire_that_sends_definitions_only_when_found_has_no_such_part(tmp_path: Path) -> None:
    async with scripted(says("never asked")) as server:
        one = await begun(tmp_path, server)
        del one.environ["BRAMBLE_BASE_URL"]
        await one.engine.close()
        await one.begin()
        await one.engine.change_settings(model="openai/gpt-6-sol")
        found = await one.report()
        await one.engine.close()
    parts = {part.name: part.bytes for part in found.parts}
    assert "deferred" not in parts and min(parts.values()) >= 0
    assert sum(parts.values()) == len(found.body.encode())
    assert "tool_search" in found.body and '"move_file"' not in found.body


def test_there_is_room_for_ours_first() -> None:
    registry = load_registry()
    many = [
        {**row, "name": f"{row['name']}_{n}", "description": "x" * 900} for row in rows() for n in range(4)
    ]
    put(registry, fixture_of(many))
    loadable = registry.loadable("agent").values()
    found = unloaded_of(loadable)
    names = [schema.name for schema in found]
    ours = {tool.name for tool in loadable if tool.source == "built in"}
    assert ours < set(names) < {tool.name for tool in loadable} and names == sorted(names)
    assert UNLOADED - 2_000 < sum(len(schema_line(schema)) for schema in found) <= UNLOADED
