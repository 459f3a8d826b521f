"""The registry finds the tools by their folders and offers them by mode, in one order."""

from __future__ import annotations

from typing import Annotated, Any

import pytest

from app.errors import ToolError
from app.models.request import ToolSchema
from app.records import Mode
from app.toolbox.foreign import ForeignTool
from app.toolbox.here import Here
from app.toolbox.registry import load_registry, nearest, registry_of, tool_of
from tools import ReadContext, ToolContext, ToolResult, tool


@tool(
    reads=lambda arguments: arguments["method"] == "GET",
    verb="Request",
    main="url",
    examples=("ask the API", "frage die API"),
    accepts={"address": "url"},
)
async def request(
    context: ToolContext, url: Annotated[str, "URL"], method: Annotated[str, "Method"] = "GET"
) -> ToolResult:
    """Send a request.

    Say what came back.
    """
    return ToolResult(url)


@tool(reads=True, verb="List", examples=("list", "liste"))
async def a_list(context: ReadContext) -> ToolResult:
    """List things."""
    return ToolResult("")


@tool(reads=False, verb="Run", examples=("run", "starte"))
async def run_command(context: ToolContext) -> ToolResult:
    """Run it."""
    return ToolResult("")


REGISTRY = registry_of(tool_of(entry, "web") for entry in (run_command, request, a_list))


def test_the_folder_is_the_category_and_names_are_in_order() -> None:
    found = load_registry().tools
    assert list(found) == sorted(found)
    shell = {name for name, entry in found.items() if entry.category == "shell"}
    assert shell == {"run_command", "job_output", "job_input", "job_stop", "job_list"}
    assert found["run_command"].core and not found["job_list"].core
    assert found["job_list"].source == "built in"


@pytest.mark.parametrize(
    ("mode", "names"),
    [
        ("agent", ["a_list", "request", "run_command"]),
        ("plan", ["a_list", "request"]),
        ("chat", ["a_list", "request"]),
    ],
)
def test_plan_and_chat_have_what_reads(mode: Mode, names: list[str]) -> None:
    assert list(REGISTRY.loadable(mode)) == names
    assert [schema.name for schema in REGISTRY.offered(mode, always=names)] == names


def test_the_core_is_offered_and_the_person_may_pin_and_defer() -> None:
    def names(**switches: list[str]) -> list[str]:
        return [schema.name for schema in REGISTRY.offered("agent", **switches)]

    assert names() == ["run_command"]
    assert names(always=["a_list", "not there"]) == ["a_list", "run_command"]
    assert names(deferred=["run_command", "request"]) == []
    assert names(always=["run_command"], deferred=["run_command"]) == ["run_command"]
    finding = [
        schema.name for schema in load_registry().offered("agent", deferred=["find_tools", "use_tool"])
    ]
    assert {"find_tools", "use_tool"} <= set(finding)


def test_tools_of_others_come_and_go() -> None:
    registry = registry_of([tool_of(run_command, "shell")])
    before, seen = registry.tools, []
    registry.subscribe(lambda: seen.append(list(registry.tools)))
    registry.put("mcp:b", [foreign("b__one"), foreign("run_command")])
    registry.put("mcp:a", [foreign("a__two"), foreign("b__one")])
    assert list(registry.tools) == ["a__two", "b__one", "run_command"]
    assert registry.tools["run_command"].source == "built in"
    assert [tool.name for tool in registry.clashes] == ["b__one", "run_command"]
    assert [schema.name for schema in registry.offered("agent")] == ["run_command"]
    assert list(registry.loadable("chat")) == []
    registry.drop("mcp:a")
    registry.drop("mcp:unknown")
    assert list(registry.tools) == ["b__one", "run_command"] and list(before) == ["run_command"]
    assert len(seen) == registry.generation == 3


def foreign(name: str, **parameters: Any) -> ForeignTool:
    async def call(here: Here, arguments: dict[str, Any]) -> ToolResult:
        return ToolResult(repr(arguments))

    schema = ToolSchema(
        name=name, description="Say it. And more.", parameters=parameters or {"type": "object"}
    )
    return ForeignTool(name, "b", "mcp:b", schema, call)


@pytest.mark.parametrize(
    ("parameters", "arguments", "problem"),
    [
        ({"type": "object", "required": ["a"]}, "{}", "'a' is a required property"),
        ({"properties": {"a": {"type": "integer"}}}, '{"a": "x"}', "a: 'x' is not of type 'integer'"),
        ({"properties": {"a": {"type": "integer"}}}, '{"a": 1}', ""),
        ({"properties": {"a": {"$ref": "#"}}}, '{"a": {"a": {}}}', ""),
        ({"$ref": "#"}, "{}", ""),
        ({"$ref": "https://example.org/schema"}, "{}", ""),
        ({"type": "no such type"}, '{"a": 1}', ""),
        ({"properties": {"a": {"pattern": "(x+x+)+y"}}}, '{"a": "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"}', ""),
        ({"properties": {"pattern": {"type": "string"}}}, '{"pattern": 1}', "pattern: 1 is not of type"),
        ({"properties": []}, "[1]", "cannot be read"),
    ],
)
def test_arguments_are_held_against_a_schema_of_others(
    parameters: dict[str, Any], arguments: str, problem: str
) -> None:
    tool = foreign("b__one", **parameters)
    if not problem:
        assert isinstance(tool.validate(arguments), dict)
        return
    with pytest.raises(ToolError) as refused:
        tool.validate(arguments)
    assert refused.value.code == "bad_arguments"
    assert problem in str(refused.value) and "Schema: {" in str(refused.value)


def test_description_and_summary() -> None:
    entry = REGISTRY.tools["request"]
    assert entry.description == entry.schema.description == "Send a request. Say what came back."
    assert entry.summary == "Send a request."


@pytest.mark.parametrize(
    ("arguments", "reads"),
    [
        ('{"url": "u"}', True),
        ('{"url": "u", "method": "GET"}', True),
        ('{"url": "u", "method": "POST"}', False),
        ('{"url": "u", "method": ["POST"]}', False),
        ("nonsense", False),
        ("", False),
    ],
)
def test_a_call_reads_by_its_arguments(arguments: str, reads: bool) -> None:
    assert REGISTRY.tools["request"].reads(arguments) is reads
    assert REGISTRY.tools["request"].read_only is False


@pytest.mark.parametrize(
    ("arguments", "subject"),
    [
        ('{"url": "u"}', "u"),
        ('{"address": "u"}', "u"),
        ({"url": 5}, "5"),
        ('{"url": "a\\u202eb"}', "a\\u202eb"),
        ("{", ""),
        ("{}", ""),
    ],
)
def test_the_subject_of_a_row(arguments: str | dict[str, Any], subject: str) -> None:
    assert REGISTRY.tools["request"].subject(arguments) == subject
    assert REGISTRY.tools["a_list"].subject("{}") == ""


def test_infos_are_records() -> None:
    info = {entry.name: entry for entry in REGISTRY.infos()}
    assert info["a_list"].read_only and not info["run_command"].read_only
    assert (info["request"].category, info["request"].source) == ("web", "built in")


def test_two_tools_of_one_name_and_unmarked_ones_are_refused() -> None:
    with pytest.raises(TypeError, match="two tools are named request"):
        registry_of([tool_of(request, "web"), tool_of(request, "git")])

    async def bare(context: ToolContext) -> ToolResult:
        return ToolResult("")

    with pytest.raises(TypeError, match="not marked"):
        tool_of(bare, "web")


def test_a_foreign_tool_is_never_core() -> None:
    assert not tool_of(run_command, "mcp", "some server").core


def test_the_registry_cannot_be_changed() -> None:
    with pytest.raises(TypeError):
        REGISTRY.tools["x"] = REGISTRY.tools["a_list"]  # type: ignore[index]


@pytest.mark.parametrize(
    ("name", "near"),
    [
        ("get-sum", ["everything__get-sum"]),
        ("get_summ", ["everything__get-sum"]),
        ("Everything.get_sum", ["everything__get-sum"]),
        ("reed_file", ["read_file", "fs__read_file"]),
        ("move_file", ["fs__move_file"]),
        ("", []),
        ("\U0001f600", []),
    ],
)
def test_a_tool_of_a_server_is_near_by_its_own_name_too(name: str, near: list[str]) -> None:
    names = ("read_file", "fs__read_file", "fs__move_file", "everything__get-sum", "time__convert_time")
    assert nearest(name, names)[: len(near)] == near and (near or not nearest(name, names))
