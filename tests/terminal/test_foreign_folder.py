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


@pytest.mark.parametrize("name", [*MODULES, "--version", "--help"])
def test_nothing_of_the_folder_is_imported(
    bramble: Bramble, server: ModelServer, trap: Path, name: str
) -> None:
    server.answers = [calls(("run_command", {"command": "true"})), says("done")]
    words = WORDS.get(name, [name])
    for path in ("", str(trap), "."):
        ran = bramble(
            *words, stdin="sk-x\n" if name == "login" else "go\n", env={"PYTHONPATH": path}, cwd=trap
        )
        mark = trap / "IMPORTED"
        foreign = mark.read_text() if mark.exists() else ""
        # Python itself imports sitecustomize from PYTHONPATH before our first line runs.
        assert set(foreign.split()) <= ({"sitecustomize", "usercustomize"} if path else set()), (
            words,
            path,
            ran.err,
        )
        assert ran.code in (0, 1, 2), (words, ran.err)
        mark.unlink(missing_ok=True)
