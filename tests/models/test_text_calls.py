"""Calls that small models write as text are read when, and only when, they fit."""

from __future__ import annotations

import itertools
import json

import pytest

from app.models.request import ToolSchema
from app.models.text_calls import LONGEST, calls_in

WRITE = ToolSchema(
    name="write_file",
    description="",
    parameters={"type": "object", "properties": {"path": {}, "content": {}}, "required": ["path", "content"]},
)
LIST = ToolSchema(name="list_dir", description="", parameters={"type": "object", "properties": {"path": {}}})
GOOD = '{"name": "write_file", "arguments": {"path": "a", "content": "x\\ny"}}'


def read(text: str) -> tuple[list[tuple[str, dict[str, object]]], str]:
    count = itertools.count()
    calls, rest = calls_in(text, (WRITE, LIST), lambda: f"c{next(count)}")
    return [(call.name, json.loads(call.arguments)) for call in calls], rest


@pytest.mark.parametrize(
    "text",
    [
        GOOD,
        f"```json\n{GOOD}\n```",
        f"```\n{GOOD}\n```",
        f"<tool_call>\n{GOOD}\n</tool_call>",
        f"[{GOOD}]",
        '```json\n{"tool": "write_file", "parameters": {"path": "a", "content": "x\\ny"}}\n```',
        json.dumps({"function": {"name": "write_file", "arguments": '{"path": "a", "content": "x\\ny"}'}}),
    ],
)
def test_the_forms_that_models_write_are_read(text: str) -> None:
    assert read(text) == ([("write_file", {"path": "a", "content": "x\ny"})], "")


def test_prose_around_a_fenced_call_stays() -> None:
    calls, rest = read(f"I will write it.\n```json\n{GOOD}\n```\nDone.")
    assert [name for name, _ in calls] == ["write_file"]
    assert rest == "I will write it.\n\nDone."


def test_several_calls_are_read_in_order() -> None:
    calls, _ = read(f'```json\n{GOOD}\n{{"name": "list_dir"}}\n```')
    assert calls == [("write_file", {"path": "a", "content": "x\ny"}), ("list_dir", {})]


@pytest.mark.parametrize(
    "text",
    [
        "",
        "Hello",
        '```json\n{"name": "rm_all", "arguments": {}}\n```',
        '```json\n{"name": "write_file", "arguments": {"path": "a"}}\n```',
        '```json\n{"port": 8080}\n```',
        "```python\nprint({})\n```",
        '{"name": "write_file", "arguments": {"path": "a", "content": "x"}} is how you call it',
        "```json\n" + "[" * 5000 + "\n```",
        "{" * 1000,
        '{"name": ["write_file"]}',
        '{"name": "write_file", "arguments": "no"}',
        "\ud800{",
        GOOD + " " * LONGEST,
    ],
)
def test_what_does_not_fit_stays_text(text: str) -> None:
    assert read(text) == ([], text)
