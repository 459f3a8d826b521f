"""A call of use_tool is taken for the call of the tool that it names."""

from __future__ import annotations

import json

import pytest

from app.errors import ToolError
from app.records import ToolCall
from app.toolbox.bridge import inner, shown


def call(arguments: object, name: str = "use_tool") -> ToolCall:
    text = arguments if isinstance(arguments, str) else json.dumps(arguments)
    return ToolCall(id="c", name=name, arguments=text)


@pytest.mark.parametrize(
    ("arguments", "name", "given"),
    [
        ({"name": "calculate", "arguments": {"expression": "1+1"}}, "calculate", {"expression": "1+1"}),
        ({"name": "calculate", "arguments": '{"expression": "1"}'}, "calculate", {"expression": "1"}),
        ({"name": "calculate", "expression": "1"}, "calculate", {"expression": "1"}),
        ({"tool": " job_list ", "args": {}}, "job_list", {}),
        ({"name": "job_list"}, "job_list", {}),
        ({"name": "job_list", "arguments": None}, "job_list", {}),
        ({"name": "job_list", "arguments": None, "args": {"a": 1}}, "job_list", {"a": 1}),
        (json.dumps(json.dumps({"name": "job_list", "arguments": {}})), "job_list", {}),
        (
            {"name": "use_tool", "arguments": {"name": "job_list", "arguments": {"a": 1}}},
            "job_list",
            {"a": 1},
        ),
        ({"name": "schöne Welt", "arguments": {"x": "\u202e"}}, "schöne Welt", {"x": "\u202e"}),
    ],
)
def test_what_is_meant(arguments: object, name: str, given: dict[str, object]) -> None:
    meant = inner(call(arguments))
    assert (meant.id, meant.name, json.loads(meant.arguments)) == ("c", name, given)


def test_other_calls_stay_as_they_are() -> None:
    plain = call({"path": "a"}, "read_file")
    assert inner(plain) is plain and shown(plain) is plain


@pytest.mark.parametrize("arguments", ["{", "[]", {"arguments": {}}, {"name": ""}, {"name": 5}, "null", ""])
def test_a_bridge_to_nowhere_is_refused_and_shown_as_itself(arguments: object) -> None:
    with pytest.raises(ToolError) as refused:
        inner(call(arguments))
    assert refused.value.code == "bad_arguments"
    assert shown(call(arguments)).name == "use_tool"


def test_a_bridge_in_itself_ends() -> None:
    wrapped: dict[str, object] = {"name": "use_tool", "arguments": {}}
    for _ in range(10):
        wrapped = {"name": "use_tool", "arguments": wrapped}
    with pytest.raises(ToolError, match="put into itself"):
        inner(call(wrapped))
