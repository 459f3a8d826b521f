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
VALUES = [
    ("file_checksum", "algorithm", "sha256 sha1 md5"),
    ("archive", "action", "create extract list"),
    ("web_search", "recency", "day week month year"),
    ("http_request", "method", "GET POST PUT PATCH DELETE HEAD"),
    ("weather", "units", "metric imperial"),
    ("git_branch", "action", "list create switch rename delete"),
    ("git_stash", "action", "push pop apply list drop"),
    ("port_status", "protocol", "tcp udp"),
    ("list_processes", "sort", "cpu memory name"),
    ("github_notifications", "filter", "all mentions reviews"),
    ("github_issues", "action", "list read create comment label close"),
    ("github_pulls", "action", "list read create comment review merge checks"),
    ("project_note", "kind", "decision note open_item"),
    ("image_generate", "size", "square wide tall"),
    ("clipboard", "action", "read write"),
    ("screenshot", "target", "screen window"),
    ("notify", "urgency", "low normal critical"),
    ("system_info", "section", "all os cpu memory disk battery network"),
    ("spreadsheet", "action", "read filter summarize write"),
    ("timer", "action", "start list cancel"),
    ("todo", "action", "list add done remove"),
]
"""The values that the catalogue promises for arguments. A region of the screen is not among them here: nobody
could say which.
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


@pytest.mark.parametrize(("name", "argument", "values"), VALUES)
def test_an_argument_takes_the_values_of_the_catalogue(name: str, argument: str, values: str) -> None:
    told = TOOLS[name].schema.parameters["properties"][argument]
    assert set(values.split()) <= set(told["enum"])


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
