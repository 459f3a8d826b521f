"""Schemas are written flat from signatures, always in the same bytes."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Annotated, Any, Literal, NotRequired, TypedDict

import msgspec
import pytest

from app.toolbox.schema import as_text, schema_of
from tools import ToolContext, ToolResult, tool


class Edit(TypedDict):
    old: Annotated[str, "Exact text"]
    new: Annotated[str, "Replacement"]
    every: NotRequired[Annotated[bool, "All of them"]]


@dataclass(frozen=True)
class Place:
    path: Annotated[str, "Path"]
    line: Annotated[int, "Line"] = 1


mark = tool(reads=False, verb="Do", examples=("do it", "mach es"))


@mark
async def all_kinds(
    context: ToolContext,
    text: Annotated[str, "Some text"],
    number: Annotated[int, "Whole number"],
    share: Annotated[float, "A share"] = 0.5,
    sure: Annotated[bool, "Is it so"] = False,
    how: Annotated[Literal["fast", "slow"], "How to go"] = "fast",
    names: Annotated[list[str], "Their names"] = (),  # type: ignore[assignment]
    edits: Annotated[list[Edit], "What to change"] = (),  # type: ignore[assignment]
    place: Annotated[Place | None, "Where"] = None,
    headers: Annotated[dict[str, str] | None, "Sent with it"] = None,
    free: Annotated[dict[str, Any] | None, "Any fields"] = None,
    either: Annotated[str | dict[str, Any], "Text or fields"] = "",
    anything: Annotated[Any, "Whatever"] = None,
) -> ToolResult:
    """Do all
    kinds.

    In two paragraphs.
    """
    return ToolResult(text)


@mark
async def nothing(context: ToolContext) -> ToolResult:
    """Take nothing."""
    return ToolResult("")


def test_every_kind_of_parameter_has_its_schema() -> None:
    schema = schema_of(all_kinds)
    assert (schema.name, schema.description) == ("all_kinds", "Do all kinds. In two paragraphs.")
    edit = {
        "type": "object",
        "properties": {
            "old": {"type": "string", "description": "Exact text"},
            "new": {"type": "string", "description": "Replacement"},
            "every": {"type": "boolean", "description": "All of them"},
        },
        "required": ["old", "new"],
    }
    assert schema.parameters["required"] == ["text", "number"]
    assert schema.parameters["properties"] == {
        "text": {"type": "string", "description": "Some text"},
        "number": {"type": "integer", "description": "Whole number"},
        "share": {"type": "number", "description": "A share"},
        "sure": {"type": "boolean", "description": "Is it so"},
        "how": {"type": "string", "description": "How to go", "enum": ["fast", "slow"]},
        "names": {"type": "array", "description": "Their names", "items": {"type": "string"}},
        "edits": {"type": "array", "description": "What to change", "items": edit},
        "place": {
            "type": "object",
            "description": "Where",
            "properties": {
                "path": {"type": "string"},
                "line": {"type": "integer"},
            },
            "required": ["path"],
        },
        "headers": {
            "type": "object",
            "description": "Sent with it",
            "additionalProperties": {"type": "string"},
        },
        "free": {"type": "object", "description": "Any fields"},
        "either": {"type": ["string", "object"], "description": "Text or fields"},
        "anything": {"description": "Whatever"},
    }


@mark
async def plain_names(
    context: ToolContext, path: Annotated[str, "Path"], start_line: Annotated[int, "start line"]
) -> ToolResult:
    """Say it once."""
    return ToolResult(path)


def test_a_text_that_says_what_the_name_says_costs_nothing() -> None:
    properties = schema_of(plain_names).parameters["properties"]
    assert properties == {"path": {"type": "string"}, "start_line": {"type": "integer"}}


def test_the_bytes_are_the_same_each_time() -> None:
    first = msgspec.json.encode(schema_of(all_kinds))
    schema_of.cache_clear()
    assert msgspec.json.encode(schema_of(all_kinds)) == first
    assert b"title" not in first and b"default" not in first


def test_a_tool_without_parameters_has_an_empty_object() -> None:
    assert as_text(schema_of(nothing)) == '{"type":"object","properties":{}}'


def test_the_text_is_compact_json() -> None:
    text = as_text(schema_of(all_kinds))
    assert json.loads(text) == schema_of(all_kinds).parameters
    assert ": " not in text


def _taking(kind: Any) -> Callable[..., Awaitable[ToolResult]]:
    async def odd(context: ToolContext, value: Any) -> ToolResult:
        """Odd."""
        return ToolResult("")

    odd.__annotations__["value"] = Annotated[kind, "Value"]
    return mark(odd)


@pytest.mark.parametrize("kind", [bytes, set[str], Literal["a", 1], complex, Callable[[], None]])
def test_what_json_cannot_hold_is_refused(kind: Any) -> None:
    with pytest.raises(TypeError):
        schema_of(_taking(kind))
