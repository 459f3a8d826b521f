"""Modules and functions stay small, and every module says what it is for."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
MODULE_LINES = 400
FUNCTION_LINES = 60
WORN_NAMES = ("Manager", "Helper", "Utils", "Util", "Controller", "Common", "Base")


Modules = dict[str, tuple[str, ast.Module]]


@pytest.fixture(scope="module")
def modules() -> Modules:
    """Every Python file of ours by its path from the root: its text and its tree."""
    folders = ("app", "tools", "ui", "tests", "packaging")
    paths = [path for folder in folders for path in sorted((ROOT / folder).rglob("*.py"))]
    texts = {str(path.relative_to(ROOT)): path.read_text() for path in paths}
    return {path: (text, ast.parse(text)) for path, text in texts.items()}


def test_no_module_is_too_long(modules: Modules) -> None:
    lines = {path: text.count("\n") for path, (text, _) in modules.items()}
    assert {path: count for path, count in lines.items() if count > MODULE_LINES} == {}


def test_no_function_is_too_long(modules: Modules) -> None:
    lines = {
        f"{path}:{node.lineno} {node.name}": (node.end_lineno or 0) - node.lineno + 1
        for path, (_, tree) in modules.items()
        for node in ast.walk(tree)
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef))
    }
    assert {name: count for name, count in lines.items() if count > FUNCTION_LINES} == {}


def test_every_module_says_what_it_is_for(modules: Modules) -> None:
    silent = [path for path, (text, tree) in modules.items() if text.strip() and not ast.get_docstring(tree)]
    assert silent == []


def test_no_class_has_a_worn_name(modules: Modules) -> None:
    found = [
        f"{path}: {node.name}"
        for path, (_, tree) in modules.items()
        for node in ast.walk(tree)
        if isinstance(node, ast.ClassDef) and node.name.endswith(WORN_NAMES)
    ]
    assert found == []
