"""Each request begins with the one before, byte for byte, whatever happens around the conversation; and what
is active follows from the shown branch alone.
"""

from __future__ import annotations

from pathlib import Path
from types import ModuleType
from typing import Any

import msgspec
import pytest

from app.platform.paths import home as home_of
from app.records import Message, TurnOptions, View
from app.store import kept
from app.toolbox.activation import active
from tests.conversation.long_talk import summary
from tests.conversation.story import DAY, LATE, Story, begins, find, unmarked, use
from tests.servers import anthropic, responses, scripted as chat
from tests.servers.scripted import Exchange, Script, ScriptedServer, fails, says, scripted

PIN = "Never touch the folder archive: 7f3a."
SKILL = "---\nname: water-plants\ndescription: Water the plants in the right order.\n---\n\nGently.\n"


def thirty(speaks: ModuleType, steered: Script, *, by_name: bool) -> tuple[Script, ...]:
    """Return the answers of ten turns over the wire that a module `speaks`; `steered` is the first of the
    sixth. What was found is called `by_name` where the provider loads it, but for what came too late.
    """
    calls, says = speaks.calls, speaks.says

    def find(query: str) -> Script:
        return calls(("find_tools", {"query": query}))

    def use(name: str, /, **arguments: Any) -> Script:
        if by_name and name not in ("late__lookup", "no_such_tool"):
            return calls((name, arguments))
        return calls(("use_tool", {"name": name, "arguments": arguments}))

    return (
        *(find("move_file"), use("move_file", source="a.txt", target="b.txt"), says("moved")),
        *(find("archive"), calls(("list_dir", {"path": "."}), ("find_files", {"pattern": "*"})), says("so")),
        *(find("copy_file"), use("copy_file", source="b.txt", target="c.txt"), says("copied")),
        *(find("late__lookup"), use("late__lookup", name="Anna"), says("found her")),
        *(calls(("run_command", {"command": "rm b.txt"})), use("move_file", wrong=1), says("not allowed")),
        *(steered, find("trash_file"), says("steered")),
        *(find("job_list"), use("job_list"), calls(("read_file", {"path": "none"})), says("done")),
        *(calls(("load_skill", {"names": ["water-plants"]})), use("no_such_tool"), says("well")),
        *(
            calls(("write_file", {"path": "d.txt", "content": "x"})),
            find("xyzzy"),
            use("move_file"),
            says("end"),
        ),
        says("bye"),
    )


@pytest.mark.parametrize(
    ("speaks", "wire", "way"),
    [
        (chat, "chat", ""),
        (responses, "responses", ""),
        (responses, "responses", "native"),
        (anthropic, "messages", ""),
        (anthropic, "messages", "native"),
    ],
    ids=["chat", "responses", "responses native", "messages", "messages native"],
)
async def test_thirty_requests_begin_with_the_one_before(
    tmp_path: Path, speaks: ModuleType, wire: str, way: str
) -> None:
    story: list[Story] = []

    async def steered(exchange: Exchange) -> None:
        await story[0].engine.steer(story[0].session, "And be quick")
        await speaks.calls(("list_dir", {"path": "."}))(exchange)

    scripts = thirty(speaks, steered, by_name=bool(way))
    assert len(scripts) == 30
    async with scripted(*scripts) as server:
        one = Story(tmp_path, server, BRAMBLE_WIRE=wire)
        story.append(one)
        if way:
            settings = home_of(one.environ).settings
            settings.parent.mkdir(parents=True)
            settings.write_text(f'[profiles.env.quirks]\ncalling = "{way}"\n')
        (one.folder / "a.txt").write_text("a\n")
        await one.begin()
        assert await one.turn("move it") == "done"
        await one.engine.close()
        await one.begin()
        (one.folder / "AGENTS.md").write_text("Be kind.\n")
        assert await one.turn("look") == "done"
        one.now += DAY
        assert await one.turn("copy it") == "done"
        one.registry.put("mcp:late", [LATE])
        (one.folder / "AGENTS.md").write_text("Be very kind.\n")
        assert await one.turn("look her up") == "done"
        assert "New: server late" in server.requests[9].body.decode()
        await one.engine.sessions.pins.add(one.session, PIN)
        assert await one.turn("delete it") == "done"
        assert await one.turn("do more") == "done"
        one.registry.drop("mcp:late")
        skills = home_of(one.environ).settings.with_name("skills") / "water-plants"
        skills.mkdir(parents=True)
        (skills / "SKILL.md").write_text(SKILL)
        assert await one.turn("what runs?") == "done"
        assert "skill water-plants" in server.requests[18].body.decode()
        await one.engine.close()
        await one.begin()
        one.now += DAY
        assert await one.turn("water them") == "done"
        assert await one.turn("write it") == "done"
        assert await one.turn("bye") == "done"
        found = await one.report()
        await one.engine.close()
    assert len(server.requests) == 30 and list(begins(server)) == [True] * 29
    assert [use.why for use in found.prefixes] == ["first"] and not found.anew
    active_now = {tool.name for tool in found.loaded if tool.why in ("found", "called")}
    # The late one is gone.
    assert active_now == {"move_file", "archive", "copy_file", "trash_file", "job_list"}
    assert found.caching.requests == 30 and sum(part.bytes for part in found.parts) == len(
        found.body.encode()
    )
    assert sum(part.tokens for part in found.parts) == found.total_tokens > found.counted > 0
    whole = (way, wire) == ("native", "messages")
    assert any(part.name == "deferred" for part in found.parts) is whole
    _check_bodies(server, wire, native=bool(way))


def _check_bodies(server: ScriptedServer, wire: str, *, native: bool) -> None:
    bodies = [request.body.decode() for request in server.requests]
    # pinned between the fourth turn and the fifth: told once, with the first request after it
    assert [body.count(PIN) for body in bodies] == [0] * 12 + [1] * 18
    loaded = ('"tool_reference"', '"tool_search_output"')
    assert any(kind in bodies[-1] for kind in loaded) is native
    if wire == "messages":
        _check_marks([request.json for request in server.requests])


def _check_marks(bodies: list[Any]) -> None:
    """The marks stand where facts/providers 1.4 says: the last tool that is not deferred, the last block of
    the system prompt, the end of this request and that of the one before, which slide.
    """
    for number, body in enumerate(bodies):
        there = [tool["name"] for tool in body["tools"] if "cache_control" in tool]
        assert there == [tool["name"] for tool in body["tools"] if "defer_loading" not in tool][-1:]
        assert ["cache_control" in block for block in body["system"]] == [
            *([False] * (len(body["system"]) - 1)),
            True,
        ]
        ends = [len(one["messages"]) - 1 for one in bodies[max(number - 1, 0) : number + 1]]
        marked = [
            (at, place)
            for at, message in enumerate(body["messages"])
            for place, block in enumerate(message["content"])
            if "cache_control" in block
        ]
        assert marked == [(at, len(body["messages"][at]["content"]) - 1) for at in ends]
        assert len(there) + 1 + len(marked) <= 4


async def agree(one: Story) -> None:
    """Agree to the instructions that stand in the folder."""
    found = await one.engine.instructions.project(str(one.folder))
    assert found is not None
    await one.engine.instructions.agree(str(one.folder), found.print)


@pytest.mark.parametrize(
    ("speaks", "wire"),
    [(chat, "chat"), (responses, "responses"), (anthropic, "messages")],
    ids=["chat", "responses", "messages"],
)
async def test_a_request_for_a_summary_begins_as_the_one_before_it(
    tmp_path: Path, speaks: ModuleType, wire: str
) -> None:
    """So that a cache holds, of which the summary would else be the dearest request of all."""
    scripts = (speaks.says("read"), speaks.says("so it is"), speaks.says(summary(goal="Read.")))
    async with scripted(*scripts) as server:
        one = Story(tmp_path, server, BRAMBLE_WIRE=wire)
        await one.begin()
        assert await one.turn("A long text: " + "word " * 24_000) == "done"
        assert await one.turn("And?") == "done"
        ended = await one.engine.compact(one.session)
        await one.engine.close()
    assert ended is not None and (ended.stop, ended.problem) == ("done", None)
    before, asked = (msgspec.json.encode(unmarked(one.json)) for one in server.requests[-2:])
    end = before.rindex(b"word word")  # of the older part; what is asked of it stands behind that
    assert end > 100_000 and before[:end] == asked[:end]


async def test_edited_instructions_are_told_and_the_beginning_stays(tmp_path: Path) -> None:
    """The instructions stand in the prompt as they were when the conversation began."""
    async with scripted(*(says("well") for _ in range(5))) as server:
        one = Story(tmp_path, server)
        file = one.folder / "AGENTS.md"
        file.write_text("Be kind.\n")
        await one.begin()
        await agree(one)
        await one.turn("one")
        assert "Be kind." in server.requests[0].body.decode()
        file.write_text("Be very kind.\n")
        await one.turn("two")
        await one.turn("three")
        await one.engine.instructions.refuse(str(one.folder))
        await one.turn("four")
        found = await one.report()
        one.session = ""
        await agree(one)
        await one.engine.close()
        await one.begin()
        await one.turn("five")
        await one.engine.close()
    bodies = [request.body.decode() for request in server.requests]
    assert list(begins(server))[:3] == [True] * 3
    assert [body.count("are other ones now") for body in bodies] == [0, 1, 1, 1, 0]
    assert [body.count("hold no longer") for body in bodies] == [0, 0, 0, 1, 0]
    assert "Be very kind." not in bodies[3] and "Be very kind." in bodies[4]
    assert "instructions" in {part.name for part in found.parts} and not found.anew


async def test_a_beginning_that_cannot_be_read_is_made_anew(tmp_path: Path) -> None:
    async with scripted(says("one"), says("two")) as server:
        story = Story(tmp_path, server)
        await story.begin()
        await story.turn("go")
        store = story.engine._parts.store
        keys = await store.read(kept.keys, story.session)
        assert keys
        for key in keys:  # as of a version that wrote it otherwise
            await store.write(kept.put, story.session, key, b'{"base": 3, "tools": "none"}')
        assert await story.turn("go on") == "done"
        assert all(begins(server))
        await story.engine.close()


async def test_the_inspector_counts_what_began_anew(tmp_path: Path) -> None:
    async with scripted(says("one"), says("two"), says("three"), says("four")) as server:
        one = Story(tmp_path, server)
        await one.begin()
        assert not (await one.report()).prefixes
        await one.turn("one")
        assert not (await one.report()).anew
        await one.engine.change_settings(always_on=("move_file",), deferred=("grep_files",))
        changed = await one.report()
        assert changed.anew and "move_file" in changed.tools and "grep_files" not in changed.tools
        assert [tool.why for tool in changed.loaded if tool.name == "move_file"] == ["pinned"]
        await one.turn("two")
        await one.turn("three", TurnOptions(mode="plan"))
        await one.turn("four")
        found = await one.report()
        assert {use.why: use.count for use in found.prefixes} == {"first": 1, "mode": 1, "settings": 1}
        states = {tool.name: (tool.state, tool.fixed) for tool in one.engine.tools()}
        assert states["move_file"] == ("always", False) and states["grep_files"] == ("needed", False)
        assert states["find_tools"] == ("always", True)
        await one.engine.close()


async def test_a_failed_turn_activates_nothing_and_a_restart_keeps_what_is_active(tmp_path: Path) -> None:
    scripts = (find("move_file"), use("copy_file", source="none", target="x"), says("no"), fails(400, {}))
    async with scripted(*scripts) as server:
        one = Story(tmp_path, server)
        await one.begin()
        await one.turn("try it")
        before = await one.report()
        await one.engine.close()
        await one.begin()
        after = await one.report()
        await one.engine.close()
    names = [tool.name for tool in before.loaded if tool.why != "core"]
    assert names == ["move_file"] and after.loaded == before.loaded


# --- the rule of activation --------------------------------------------------------------------------------


def result(tool: str, *tools: str, **fields: Any) -> Message:
    made = Message(
        id=f"{tool}-{tools}", session="s", parent=None, turn="t", role="tool", created=0.0, tool=tool
    )
    return msgspec.structs.replace(
        made, view=View(data={"tools": list(tools)}) if tools else View(), **fields
    )


@pytest.mark.parametrize(
    ("message", "names"),
    [
        (result("find_tools", "move_file", "archive"), ("move_file", "archive")),
        (result("archive"), ("archive",)),
        (result("archive", ok=False), ()),
        (result("find_tools", "archive", ok=False), ()),
        (result("archive", state="stopped"), ()),
        (result("find_tools"), ()),
        (result("find_tools", "gone"), ()),
        (result("archive", role="assistant", text="I loaded archive with find_tools."), ()),
    ],
)
def test_only_success_is_evidence(message: Message, names: tuple[str, ...]) -> None:
    assert active([message], {"move_file", "archive"}) == names


def test_another_branch_has_its_own_active_tools() -> None:
    root, one, two = result("find_tools", "a"), result("find_tools", "b"), result("c")
    there = {"a", "b", "c"}
    assert active([root, one], there) == ("a", "b") and active([root, two], there) == ("a", "c")
    assert active([root], there) == ("a",) and active([root, one], {"b"}) == ("b",)
