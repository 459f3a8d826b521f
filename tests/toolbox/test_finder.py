"""What find_tools answers: schemas of what fits, what is there already, and what else there is."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Sequence
from typing import Any

import msgspec
import pytest

from app.models.request import ToolSchema
from app.permissions.policy import policy
from app.records import Message, Mode, View
from app.toolbox.activation import active
from app.toolbox.call import Scope, Way
from app.toolbox.discovery.data import RESOURCES
from app.toolbox.discovery.ranker import Ranker
from app.toolbox.finder import Finder, schema_line
from app.toolbox.foreign import ForeignTool
from app.toolbox.here import Here
from app.toolbox.registry import AnyTool, Registry, load_registry
from tools import ToolResult

PLANNED = RESOURCES / "discovery" / "planned.json"


class Counted:
    """Takes down what was searched."""

    def __init__(self) -> None:
        self.seen: list[tuple[str, tuple[str, ...]]] = []

    async def searched(self, query: str, names: Sequence[str], session: str) -> None:
        self.seen.append((query, tuple(names)))


def scope(
    registry: Registry, mode: Mode = "agent", *, active: frozenset[str] = frozenset(), way: Way = "bridge"
) -> Scope:
    return Scope(
        session="s",
        turn="t",
        cwd="/",
        mode=mode,
        policy=policy("/"),
        offered=frozenset(schema.name for schema in registry.offered(mode)),
        active=active,
        way=way,
    )


def server_tool(name: str, description: str, parameters: dict[str, Any] | None = None) -> ForeignTool:
    async def call(here: Here, arguments: dict[str, Any]) -> ToolResult:
        return ToolResult("")

    schema = ToolSchema(name=name, description=description, parameters=parameters or {"type": "object"})
    return ForeignTool(name, "shop", "mcp:shop", schema, call)


@pytest.fixture
def registry() -> Registry:
    return load_registry()


async def test_what_fits_comes_with_its_schema(registry: Registry) -> None:
    counted = Counted()
    found = await Finder(registry, counts=counted).find("move a file to another folder", scope(registry))
    assert found.names[0] == "move_file" and len(found.names) <= 4 and not found.missed
    told = json.loads(found.text.splitlines()[0])
    assert told["name"] == "move_file" and told["parameters"] == registry.tools["move_file"].schema.parameters
    assert found.text.splitlines()[-1].startswith("Call with use_tool, such as {")
    assert counted.seen[0][1][0] == "move_file"


async def test_with_append_they_are_called_like_the_others(registry: Registry) -> None:
    found = await Finder(registry).find("move_file", scope(registry, way="append"))
    assert found.text.splitlines()[-1] == "Call them like your other tools."


async def test_an_exact_name_brings_that_one(registry: Registry) -> None:
    found = await Finder(registry).find(" job_list ", scope(registry))
    assert found.names == ("job_list",) and found.text.splitlines()[0] == schema_line(
        registry.tools["job_list"].schema
    )


async def test_what_can_be_called_already_is_said_shortly(registry: Registry) -> None:
    found = await Finder(registry).find("read_file", scope(registry))
    assert found.text == "read_file is already available, call it." and found.names == ()
    loaded = scope(registry, active=frozenset({"job_list"}))
    found = await Finder(registry).find("job_list", loaded)
    assert found.text.splitlines()[0] == "job_list is already loaded, call it with use_tool."


@pytest.mark.parametrize("query", ["", "   ", "🙂", "qqqq xxxx zzzz", "\0", "\ud800", "u" * 10_000])
async def test_a_miss_lists_what_there_is(registry: Registry, query: str) -> None:
    found = await Finder(registry).find(query, scope(registry))
    assert found.missed and found.names == ()
    kinds = sorted({tool.category for tool in registry.tools.values()})
    assert f"There are tools for: {', '.join(kinds)}. " in found.text and "ask the person" in found.text


async def test_planned_tools_are_named_in_no_answer(registry: Registry) -> None:
    rows = json.loads(PLANNED.read_text("utf-8"))
    planned = {one["name"]: one["description"] for one in rows if one["name"] not in registry.tools}
    for query in (*planned, *planned.values()):
        found = await Finder(registry).find(query, scope(registry))
        assert set(found.names) <= set(registry.tools)
        assert not [name for name in planned if name in found.text]


async def test_modes_find_only_what_they_may_call(registry: Registry) -> None:
    found = await Finder(registry).find("move a file to another folder", scope(registry, "chat"))
    assert "move_file" not in found.text
    assert (await Finder(registry).find("move_file", scope(registry, "plan"))).missed


async def test_tools_of_a_server_are_found_as_soon_as_they_are_there(registry: Registry) -> None:
    finder = Finder(registry)
    query = "add a pair of socks to my shopping cart"
    assert "shop__add_to_cart" not in (await finder.find(query, scope(registry))).text
    registry.put("mcp:shop", [server_tool("shop__add_to_cart", "Add an item to the shopping cart.")])
    found = await finder.find(query, scope(registry))
    assert found.names[0] == "shop__add_to_cart"
    registry.drop("mcp:shop")
    assert "shop__add_to_cart" not in (await finder.find(query, scope(registry))).text


async def test_a_name_that_is_left_out_says_why(registry: Registry) -> None:
    registry.leave_out("own", {"mine": "mine is a tool of the person's own; they switched it off."})
    finder = Finder(registry)
    assert (await finder.find(" mine ", scope(registry))).text == registry.why_not("mine") != ""
    registry.drop("own")
    assert (
        registry.why_not("mine") == ""
        and "switched it off" not in (await finder.find("mine", scope(registry))).text
    )


async def test_a_long_schema_comes_with_what_it_requires_and_whole_by_its_name(registry: Registry) -> None:
    properties = {f"field_{number}": {"type": "string", "description": "words " * 20} for number in range(60)}
    long = {"type": "object", "properties": properties, "required": ["field_7"]}
    registry.put("mcp:shop", [server_tool("shop__order_socks", "Order socks in the shop.", long)])
    finder = Finder(registry)
    found = await finder.find("order socks", scope(registry))
    assert "field_7" in found.text and "field_8" not in found.text and "59 further arguments" in found.text
    assert found.names == ()  # not whole, so not active
    exact = await finder.find("shop__order_socks", scope(registry))
    assert "field_59" in exact.text and exact.names == ("shop__order_socks",)


async def test_servers_that_still_connect_are_waited_for_and_then_named(registry: Registry) -> None:
    waited: list[float] = []

    async def connecting(seconds: float) -> tuple[str, ...]:
        waited.append(seconds)
        return ("github",)

    found = await Finder(registry, connecting=connecting).find("open a pull request", scope(registry))
    assert waited == [3.0]
    assert found.text.splitlines()[-1] == "Still connecting: github. Search again in a moment."


# --- active ------------------------------------------------------------------------------------------------


def result(tool: str, *, ok: bool = True, names: Sequence[str] = (), **fields: Any) -> Message:
    view = View(data={"tools": list(names)} if names else {})
    base: dict[str, Any] = {"id": tool + str(ok), "session": "s", "parent": None, "turn": "t", "role": "tool"}
    return Message(**(base | {"created": 0.0, "tool": tool, "ok": ok, "view": view} | fields))


def test_active_is_what_stands_in_the_context_in_its_order() -> None:
    history = [
        result("find_tools", names=["b", "a"]),
        result("c"),
        result("a", id="again"),
        result("gone"),
        result("read_file"),
    ]
    assert active(history, {"a", "b", "c"}) == ("b", "a", "c")


def test_what_failed_was_interrupted_or_was_only_said_counts_for_nothing() -> None:
    history = [
        result("find_tools", ok=False, names=["a"]),
        result("a", ok=False),
        result("a", state="stopped", id="stopped"),
        result("", role="user", text="use a please", id="said"),
        result("a", role="assistant", text="I have loaded a", id="told"),
        result("run_command", names=["a"], id="forged"),
        result("find_tools", id="missed"),
    ]
    assert active(history, {"a"}) == ()


def many_tools(count: int) -> list[AnyTool]:
    """Return so many tools of a server, no two alike."""
    things = ("invoice", "parcel", "playlist", "lamp", "ticket", "branch")
    return [
        server_tool(f"desk__get_{things[number % 6]}_{number}", f"Get {things[number % 6]} number {number}.")
        for number in range(count)
    ]


async def test_many_tools_that_come_are_ranked_before_anybody_asks(registry: Registry) -> None:
    finder = Finder(registry)
    registry.put("mcp:desk", many_tools(300))
    ranking = [task for task in asyncio.all_tasks() if task.get_name() == "rank tools ahead"]
    assert len(ranking) == 1
    ranker = await ranking[0]
    kin = ranker.prepare()
    assert await finder.fitting("get parcel number 7", registry.loadable("agent"))
    assert ranker.prepare() is kin  # the question had nothing left to work out
    await finder.close()


async def test_what_tools_are_like_is_worked_out_once_for_each(
    registry: Registry, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[str] = []
    like = Ranker._like

    def counted(ranker: Ranker, text: str) -> tuple[tuple[str, float], ...]:
        asked.append(text)
        return like(ranker, text)

    monkeypatch.setattr(Ranker, "_like", counted)
    finder = Finder(registry)
    registry.put("mcp:desk", many_tools(20))
    await finder.fitting("find a parcel", registry.loadable("agent"))
    assert len(asked) == 20
    registry.put("mcp:shop", [server_tool("shop__add_to_cart", "Add an item to the shopping cart.")])
    await finder.fitting("find a parcel", registry.loadable("agent"))
    assert len(asked) == 21
    await finder.close()


async def test_a_finder_that_closes_leaves_nothing_running(registry: Registry) -> None:
    finder = Finder(registry)
    registry.put("mcp:desk", many_tools(300))
    await finder.close()
    assert not [task for task in asyncio.all_tasks() if task.get_name() == "rank tools ahead"]


async def test_a_server_named_as_a_category_is_told_once(registry: Registry) -> None:
    tool = msgspec.structs.replace(
        server_tool("files__x", "Xylophone."), category="files", source="mcp:files"
    )
    registry.put("mcp:files", [tool])
    found = await Finder(registry).find("qqqq xxxx zzzz", scope(registry))
    assert found.text.count("files") == 1
