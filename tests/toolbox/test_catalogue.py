"""The catalogue keeps its bounds whatever there is, and tells no schema."""

from __future__ import annotations

import pytest
from rs_bpe import openai

from app.models.request import ToolSchema
from app.toolbox.catalogue import _FIRST as FIRST, HEAD, LINE, LINES, TOKENS, catalogue
from app.toolbox.discovery.data import entries
from app.toolbox.foreign import ForeignTool
from app.toolbox.here import Here
from app.toolbox.registry import load_registry
from app.toolbox.tool import AnyTool
from tools import ToolResult

COUNT = openai.o200k_base().count


def foreign(server: str, name: str, source: str = "") -> ForeignTool:
    async def call(here: Here, arguments: dict[str, object]) -> ToolResult:
        return ToolResult("")

    schema = ToolSchema(name=f"{server}__{name}" if server else name, description="SECRET", parameters={})
    return ForeignTool(schema.name, server or "own", source or f"mcp:{server}", schema, call)


def made(servers: int, tools: int, word: str = "list_items") -> dict[str, AnyTool]:
    found: dict[str, AnyTool] = {}
    for server in range(servers):
        for tool in range(tools):
            one = foreign(f"server-{server}", f"{word}_{tool}")
            found[one.name] = one
    return found


def test_ours_are_named_by_category() -> None:
    registry = load_registry()
    offered = {schema.name for schema in registry.offered("agent")}
    text = catalogue(registry.loadable("agent", offered))
    assert text.splitlines()[0] == HEAD
    (shell,) = (line for line in text.splitlines() if line.startswith("- shell: "))
    assert shell.startswith("- shell: job_output, job_stop"), "as many of its names as the whole has room for"
    (web,) = (line for line in text.splitlines() if line.startswith("- web: "))
    assert web.startswith("- web: web_search, web_fetch"), "what is asked for most is cut last"
    assert "run_command" not in text and "find_tools" not in text.removeprefix(HEAD)


def test_what_is_named_first_is_there_or_planned() -> None:
    assert set(FIRST) <= {entry.name for entry in entries(load_registry())} and len(set(FIRST)) == len(FIRST)


def test_nothing_to_load_is_no_catalogue() -> None:
    assert catalogue({}) == ""


def test_small_servers_are_named_and_large_ones_collapse() -> None:
    tools = made(1, 2) | made(2, 20) | {"mine": foreign("", "mine", "own")}
    lines = catalogue(tools).splitlines()
    assert lines[1] == "- own: mine"
    assert lines[2].startswith("- server-0 (server, 20 tools): such as list_items_0, ")
    small = catalogue(made(1, 2)).splitlines()
    assert small[1] == "- server-0 (server): server-0__list_items_0, server-0__list_items_1"
    assert "SECRET" not in catalogue(tools)


@pytest.mark.parametrize(
    ("servers", "tools", "word"),
    [
        (10, 20, "list_items"),
        (1, 500, "x"),
        (500, 1, "x"),
        (80, 40, "a_rather_long_name_of_a_tool_that_does_much"),
        (3, 6, "日本語の道具"),
        (1, 6, "n" * 300),
        (10, 20, "🙂" * 20),
    ],
)
def test_the_bounds_hold(servers: int, tools: int, word: str) -> None:
    registry = load_registry()
    every = dict(registry.loadable("agent")) | made(servers, tools, word)
    text = catalogue(every)
    lines = text.splitlines()
    assert len(lines) <= LINES and max(map(len, lines)) <= LINE and COUNT(text) <= TOKENS, text
    assert "- shell: " in text and text == catalogue(dict(reversed(every.items())))
