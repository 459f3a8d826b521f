"""Modules and functions stay small, and every module says what it is for."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[2]
MODULE_LINES = 400
FUNCTION_LINES = 60
WORN_NAMES = ("Manager", "Helper", "Utils", "Util", "Controller", "Common", "Base")


def _modules() -> Iterator[tuple[str, str, ast.Module]]:
    for folder in ("app", "tools", "ui", "tests", "packaging"):
        for path in sorted((ROOT / folder).rglob("*.py")):
            text = path.read_text()
            yield str(path.relative_to(ROOT)), text, ast.parse(text)


def test_no_module_is_too_long() -> None:
    long = {path: text.count("\n") for path, text, _ in _modules() if text.count("\n") > MODULE_LINES}
    assert long == {}


def test_no_function_is_too_long() -> None:
    kinds = (ast.FunctionDef, ast.AsyncFunctionDef)
    long = {
        f"{path}:{node.lineno} {node.name}": (node.end_lineno or 0) - node.lineno + 1
        for path, _, tree in _modules()
        for node in ast.walk(tree)
        if isinstance(node, kinds) and (node.end_lineno or 0) - node.lineno + 1 > FUNCTION_LINES
    }
    assert long == {}


def test_every_module_says_what_it_is_for() -> None:
    silent = [path for path, text, tree in _modules() if text.strip() and not ast.get_docstring(tree)]
    assert silent == []


def test_no_class_has_a_worn_name() -> None:
    found = [
        f"{path}: {node.name}"
        for path, _, tree in _modules()
        for node in ast.walk(tree)
        if isinstance(node, ast.ClassDef) and node.name.endswith(WORN_NAMES)
    ]
    assert found == []
