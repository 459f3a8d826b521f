"""The arrows of the house hold: import-linter's contracts, and Qt in the window only."""

from __future__ import annotations

import ast
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[2]
OURS = ("app", "tools", "ui")
OPEN = {
    "app.engine",
    "app.mcp_offers",
    "app.memory_records",
    "app.daily_records",
    "app.routine_records",
    "app.watch_records",
    "app.events",
    "app.records",
    "app.own_tool_records",
    "app.skill_records",
    "app.instruction_records",
    "app.attachment_records",
    "app.settings",
    "app.errors",
    "app.logs",
    "app.platform.paths",
    "app.platform.ids",
    "app.platform.processes",
}
"""What `ui` may import of `app`, as ARCHITECTURE.md says."""


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


def test_every_module_of_app_is_open_or_closed_to_the_front_ends() -> None:
    """A new module must be named in the contract, or it would be open to `ui` without anybody's word."""
    contracts = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["importlinter"][
        "contracts"
    ]
    closed = next(set(one["forbidden_modules"]) for one in contracts if one["name"].startswith("front ends"))
    there = {
        f"{package.replace('/', '.')}.{path.stem}"
        for package in ("app", "app/platform")
        for path in (ROOT / package).iterdir()
        if (path.suffix == ".py" and path.stem != "__init__") or (path / "__init__.py").is_file()
    }
    assert there - {"app.platform"} - OPEN == closed - {"tools"}
    used = {
        name
        for path in (ROOT / "ui").rglob("*.py")
        for name in _imports(path)
        if name.startswith("app.") and name != "app.platform"
    }
    assert used <= OPEN


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
