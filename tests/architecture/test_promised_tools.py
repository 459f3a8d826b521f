"""Each tool is what the catalogue promises, in a short flat schema, and run for real by a test of its own."""

from __future__ import annotations

import ast
import json
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from rs_bpe import openai

from app.toolbox.discovery.data import NEVER_FOUND
from app.toolbox.registry import Tool, load_registry

ROOT = Path(__file__).parents[2]
TOOLS: dict[str, Tool] = {one.name: one for one in load_registry().tools.values() if isinstance(one, Tool)}
CATALOGUE: list[dict[str, Any]] = json.loads(
    (ROOT / "tests" / "toolbox" / "discovery" / "catalogue.json").read_text("utf-8")
)
OTHERWISE = {
    "edit_file": {"old_text": "edits.old", "new_text": "edits.new"},
    "grep_files": {"context": "around"},
}
"""Arguments of the catalogue that are told in another way (several edits at once; `context` is what a tool is
given); what the catalogue says is read all the same.
"""
NOT_REQUIRED = {"git_commit": {"message"}, "git_branch": {"action"}, "git_stash": {"action"}}
"""Arguments without which these do what people mean most: amend as it was, list, put away."""
LONGEST = 150
"""Tokens of the schema of a tool that is only loaded when it is needed ..."""
LONGER = {"spreadsheet": 300, "calendar_add": 215}
"""... and of those that are a program of their own."""
ELSEWHERE = {
    "ask_user": "tests/terminal/test_inquiring.py",
    "delegate": "tests/conversation/test_delegating.py",
    "find_tools": "tests/skills/golden_desk.py",
    "translate": "tests/terminal/test_translating.py",
}
"""What tools of conversations need stands outside of tests/tools."""


@pytest.mark.parametrize(
    "row", [row for row in CATALOGUE if row["name"] in TOOLS], ids=lambda row: row["name"]
)
def test_a_tool_takes_what_the_catalogue_says(row: dict[str, Any]) -> None:
    tool = TOOLS[row["name"]]
    otherwise = OTHERWISE.get(tool.name, {})
    told = tool.schema.parameters
    assert set(row["parameters"]) - set(otherwise) <= set(told["properties"])
    assert otherwise.items() <= tool.spec.accepts.items(), "another word for it is read"
    if not otherwise.keys() & set(row["required"]):
        assert set(row["required"]) - set(told.get("required", ())) == NOT_REQUIRED.get(tool.name, set())
        assert set(told.get("required", ())) <= set(row["required"])


@pytest.mark.parametrize("tool", TOOLS.values(), ids=TOOLS)
def test_its_schema_is_flat_and_short(tool: Tool) -> None:
    schema = tool.schema
    nested = [
        name for name, one in schema.parameters["properties"].items() if '"properties"' in json.dumps(one)
    ]
    assert nested == (["edits"] if tool.name == "edit_file" else [])
    whole = {"name": tool.name, "description": schema.description, "parameters": schema.parameters}
    tokens = openai.o200k_base().count(json.dumps(whole, separators=(",", ":"), ensure_ascii=False))
    assert tokens <= LONGER.get(tool.name, LONGEST)
    assert len(tool.summary) <= 100 and tool.summary.endswith(".")
    assert tool.name in NEVER_FOUND or all(len(example) >= 8 for example in tool.spec.examples)


@pytest.mark.parametrize("tool", TOOLS.values(), ids=TOOLS)
def test_a_test_runs_it_for_real(tool: Tool) -> None:
    """Called by its name, or as the function that it is, in tests/tools or where `ELSEWHERE` says."""
    if tool.name in ELSEWHERE:
        assert tool.name in _called(ROOT / ELSEWHERE[tool.name])
        return
    files = (ROOT / "tests" / "tools").rglob("test_*.py")
    assert [path.name for path in files if tool.name in _called(path)], "no test in tests/tools calls it"


@cache
def _called(path: Path) -> frozenset[str]:
    """Return the tools that a file of tests calls: a word that begins a call or a row of calls is one, and so
    is a function of a tool's module that is used.
    """
    return frozenset(_names(ast.parse(path.read_text("utf-8"))))


def _names(tree: ast.Module) -> Iterator[str]:
    imported = {
        alias.asname or alias.name: alias.name
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("tools.")
        for alias in node.names
    }
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            given = [node.func, *node.args]
        elif isinstance(node, ast.Tuple):
            given = node.elts[:1]
        elif isinstance(node, ast.Dict):  # the arguments of use_tool
            given = [two for one, two in zip(node.keys, node.values, strict=True) if _is(one, "name")]
        else:
            continue
        for one in given:
            if isinstance(one, ast.Constant) and one.value in TOOLS:
                yield str(one.value)
            elif isinstance(one, ast.Name) and one.id in imported:
                yield imported[one.id]


def _is(node: ast.AST | None, text: str) -> bool:
    return isinstance(node, ast.Constant) and node.value == text
