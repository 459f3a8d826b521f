"""The arrows of the house hold: import-linter's contracts, and Qt in the window only."""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[2]
OURS = ("app", "tools", "ui")


def test_import_linter_keeps_all_contracts() -> None:
    script = "from importlinter.cli import lint_imports_command; lint_imports_command()"
    done = subprocess.run(
        [sys.executable, "-P", "-c", script, "--no-cache"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "0 broken" in done.stdout


def test_qt_is_imported_under_the_window_only() -> None:
    """Import-linter reads what it can resolve; this reads every line, also in functions."""
    window = ROOT / "ui" / "window"
    found = [
        f"{path.relative_to(ROOT)}: {name}"
        for folder in OURS
        for path in (ROOT / folder).rglob("*.py")
        if window not in path.parents
        for name in _imports(path)
        if name.split(".")[0] in ("PySide6", "shiboken6")
    ]
    assert found == []


def test_tests_are_no_packages() -> None:
    """A package named tests, app or tools could be taken for another one (architecture.md)."""
    assert list((ROOT / "tests").rglob("__init__.py")) == []


def _imports(path: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and not node.level:
            yield node.module or ""
