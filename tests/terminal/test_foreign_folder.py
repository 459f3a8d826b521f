"""Commands that are run in a folder with modules named like ours import none of them."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.servers.scripted import calls, says
from tests.terminal.conftest import Bramble
from tests.terminal.model_server import ModelServer
from ui.terminal.commands import MODULES

WORDS: dict[str, list[str]] = {
    "ask": ["ask", "--yes", "go"],
    "chat": ["chat", "--yes"],
    "sessions": ["sessions", "list"],
    "approvals": ["approvals", "list"],
    "undo": ["undo", "list"],
    "tools": ["tools", "call", "run_command", "--args", '{"command":"true"}', "--yes"],
    "permissions": ["permissions", "explain", "--tool", "read_file", "--args", '{"path":"a"}'],
    "context": ["context", "--json"],
    "models": ["models", "list"],
    "login": ["login", "openai", "--key", "-", "--file"],
    "logout": ["logout", "openai"],
    "doctor": ["doctor"],
    "backup": ["backup"],
    "restore": ["restore", "nothing"],
}


@pytest.fixture
def trap(work: Path) -> Path:
    """A folder of modules that leave a mark when they are imported."""
    text = f"open({str(work / 'IMPORTED')!r}, 'a').write(__name__ + '\\n')\n"
    for name in ("app", "ui", "tools", "tests", "msgspec", "click", "rich", "httpx"):
        (work / name).mkdir()
        (work / name / "__init__.py").write_text(text)
    for name in ("sitecustomize", "usercustomize", "asyncio", "json", "launch"):
        (work / f"{name}.py").write_text(text)
    return work


def imported(trap: Path) -> set[str]:
    mark = trap / "IMPORTED"
    return set(mark.read_text().split()) if mark.exists() else set()


@pytest.mark.parametrize("name", [*MODULES, "--version", "--help"])
def test_nothing_of_the_folder_is_imported(
    bramble: Bramble, server: ModelServer, trap: Path, name: str
) -> None:
    server.answers = [calls(("run_command", {"command": "true"})), says("done")]
    words = WORDS.get(name, [name])
    stdin = "sk-x\n" if name == "login" else "go\n"
    ran = bramble(*words, stdin=stdin, env={"PYTHONPATH": str(trap)}, cwd=trap)
    # Python itself imports sitecustomize from PYTHONPATH before our first line runs.
    assert imported(trap) <= {"sitecustomize", "usercustomize"}, (words, ran.err)
    assert ran.code in (0, 1, 2), (words, ran.err)


def test_nothing_at_all_without_a_path(bramble: Bramble, server: ModelServer, trap: Path) -> None:
    server.answers = [calls(("run_command", {"command": "true"})), says("done")]
    assert bramble("ask", "--yes", "go", cwd=trap).code == 0
    assert imported(trap) == set()
