"""The cases of the catalogue about files (safety 2.2: 21a, 22, 23), through the engine."""

from __future__ import annotations

import ast
import json
from pathlib import Path

import pytest

from app.engine import Engine
from app.platform.paths import home
from app.records import TurnOptions

ROOT = Path(__file__).parents[3]
CASES = (
    ("22 prefix of a folder", "write_file", "{work}-evil/a", ("write_file({work}/**)",), "ask"),
    ("22 prefix of a folder", "read_file", "{work}-evil/b", ("read_file({work}/**)",), "ask"),
    ("22 the folder itself", "write_file", "docs/a", ("write_file({work}/**)",), "allow"),
    ("22 a link to elsewhere", "write_file", "out/a", ("write_file({work}/**)",), "ask"),
    ("22 a new file below a link", "write_file", "out/new/deep/a", ("write_file({work}/**)",), "ask"),
    ("22 a link to a protected place", "write_file", "hooks/a", ("write_file(*)",), "ask"),
    ("22 dots", "write_file", "docs/../../x", ("write_file({work}/**)",), "ask"),
    ("22 dots into .git", "write_file", "docs/../.git/config", ("write_file(**)",), "ask"),
    ("22 other letters", "write_file", ".GIT/config", ("write_file(**)",), "ask"),
    ("22 a name that misleads", "write_file", "a\u202egpj.sh", ("write_file(**)",), "ask"),
    ("23 settings made when absent", "write_file", "{data}/settings.toml", ("write_file(*)",), "ask"),
    ("23 rules made when absent", "write_file", "{data}/rules.txt", ("write_file(*)",), "ask"),
    ("23 settings of an editor", "write_file", ".vscode/tasks.json", ("write_file(**)",), "ask"),
)  # fmt: skip


@pytest.fixture
def work(tmp_path: Path) -> Path:
    """A working folder with links that lead astray."""
    folder = tmp_path / "work"
    for name in ("docs", ".git/hooks", "../work-evil", "../elsewhere"):
        (folder / name).mkdir(parents=True)
    (tmp_path / "work-evil" / "b").write_text("b")
    (folder / "out").symlink_to(tmp_path / "elsewhere")
    (folder / "hooks").symlink_to(".git/hooks")
    return folder


async def test_every_case_about_files(work: Path, record_property) -> None:
    data = work.parent / "data"
    variables = {"BRAMBLE_HOME": str(data), "PATH": "/usr/bin:/bin"}
    engine = Engine(home(variables), variables)
    await engine.open()
    wrong = []
    try:
        for name, tool, path, allow, right in CASES:
            filled = [
                text.replace("{work}", str(work)).replace("{data}", str(data)) for text in (path, *allow)
            ]
            arguments = {"path": filled[0]} | ({"content": "x"} if tool == "write_file" else {})
            options = TurnOptions(allow=tuple(filled[1:]))
            found = await engine.explain(tool, json.dumps(arguments), cwd=str(work), options=options)
            if found.decision != right:
                wrong.append(f"{name}: wanted {right}, got {found}")
    finally:
        await engine.close()
    record_property("catalogue", f"files: {len(CASES)} cases of 2 numbers")
    assert wrong == []


def test_no_shell_string_is_ever_built_by_us() -> None:
    """Case 21a: a value from a repository never meets a shell, since we start programs with words."""
    found = []
    for path in (path for folder in ("app", "tools", "ui") for path in (ROOT / folder).rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.keyword) and node.arg == "shell":
                found.append(f"{path}: shell=")
            if isinstance(node, ast.Attribute) and node.attr in (
                "create_subprocess_shell",
                "popen",
                "getoutput",
            ):
                found.append(f"{path}: {node.attr}")
            if isinstance(node, ast.Attribute) and node.attr == "system" and ast.unparse(node) == "os.system":
                found.append(f"{path}: os.system")
    assert found == []
