"""The schema of somebody else holds wrong arguments back as far as it can be read, and harms nobody."""

from __future__ import annotations

import threading
from pathlib import Path
from typing import Any

import pytest

from app.models.request import ToolSchema
from app.permissions.policy import policy
from app.records import Answer, Decision, Effect, ToolCall
from app.toolbox import foreign
from app.toolbox.call import Scope, ToolCalls
from app.toolbox.foreign import ForeignTool, compiled
from app.toolbox.here import Here
from app.toolbox.output import Spill
from app.toolbox.registry import registry_of
from tools import ReadContext, ToolContext, ToolResult


@pytest.mark.parametrize("pattern", [r"^(?<year>\d+)$", r"^\p{L}+$", "(a+)+$", "["])
def test_a_pattern_that_is_not_ours_to_read_leaves_the_rest_checked(pattern: str) -> None:
    check = compiled({"properties": {"day": {"type": "string", "pattern": pattern}}, "required": ["day"]})
    assert check is not None
    assert check({"day": "a" * 40 + "!"}) == ""
    assert "day" in check({}) and "string" in check({"day": 3})


@pytest.mark.parametrize("schema", [{"type": 3}, {"properties": []}, {"required": "all"}, {"allOf": {}}])
def test_a_schema_that_is_none_holds_nothing_back(schema: dict[str, Any]) -> None:
    assert compiled(schema) is None


def test_a_parameter_may_be_called_pattern() -> None:
    check = compiled({"properties": {"pattern": {"type": "string"}}, "required": ["pattern"]})
    assert check is not None and check({"pattern": "x"}) == "" and check({}) and check({"pattern": 1})


def test_definitions_that_lead_to_endless_checking_end() -> None:
    steps = {f"s{n}": {"allOf": [{"$ref": f"#/$defs/s{n + 1}"}] * 2} for n in range(40)}
    check = compiled({"$defs": {**steps, "s40": {"type": "object"}}, "allOf": [{"$ref": "#/$defs/s0"}]})
    assert check is not None and check({}) == ""


def test_items_are_not_compared_each_with_each() -> None:
    check = compiled({"properties": {"a": {"type": "array", "uniqueItems": True}}})
    assert check is not None
    assert check({"a": [{"n": n} if n % 2 else str(n) for n in range(20_000)]}) == "" and check({"a": 1})


@pytest.mark.parametrize("number", [10**400, float("nan"), float("inf")])
def test_a_number_beyond_dividing_breaks_no_check(number: float) -> None:
    check = compiled({"properties": {"a": {"multipleOf": 0.5}}})
    assert check is not None
    assert isinstance(check({"a": number}), str) and check({"a": 0.3})


def test_each_check_may_follow_as_many_references() -> None:
    check = compiled(
        {"$defs": {"n": {"type": "integer"}}, "properties": {"a": {"items": {"$ref": "#/$defs/n"}}}}
    )
    assert check is not None
    for _ in range(3):
        assert check({"a": [1] * 4_000}) == "" and check({"a": [1] * 3_000 + ["x"]})


def no_context(*given: Any, **named: Any) -> ReadContext | ToolContext:
    raise AssertionError("it needs no capability")


async def no_one(effect: Effect, decision: Decision) -> Answer:
    raise AssertionError("nothing is asked")


async def test_a_schema_is_not_read_in_the_loop(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    async def run(here: Here, arguments: dict[str, Any]) -> ToolResult:
        return ToolResult(f"got {arguments}")

    read_in: list[threading.Thread] = []

    def noted(parameters: dict[str, Any]) -> foreign.Check | None:
        read_in.append(threading.current_thread())
        return compiled(parameters)

    monkeypatch.setattr(foreign, "compiled", noted)
    registry = registry_of([])
    schema = ToolSchema(name="a__b", description="", parameters={"type": "object", "required": ["x"]})
    registry.put("mcp:a", [ForeignTool("a__b", "a", "mcp:a", schema, run)])
    calls = ToolCalls(registry, no_context, Spill(tmp_path))
    scope = Scope(session="s", turn="t", cwd="/", mode="agent", policy=policy("/"))
    outcomes = [
        await calls.run(ToolCall(id="c", name="a__b", arguments=given), scope, no_one)
        for given in ("{}", '{"x": 1}')
    ]
    assert [one.ok for one in outcomes] == [False, True] and "Schema" in outcomes[0].text
    assert read_in and threading.main_thread() not in read_in
