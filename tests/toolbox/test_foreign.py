"""The schema of somebody else holds wrong arguments back as far as it can be read, and harms nobody."""

from __future__ import annotations

from typing import Any

import pytest

from app.toolbox.foreign import compiled


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


def test_each_check_may_follow_as_many_references() -> None:
    check = compiled(
        {"$defs": {"n": {"type": "integer"}}, "properties": {"a": {"items": {"$ref": "#/$defs/n"}}}}
    )
    assert check is not None
    for _ in range(3):
        assert check({"a": [1] * 4_000}) == "" and check({"a": [1] * 3_000 + ["x"]})
