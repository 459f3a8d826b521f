"""Commands that only read run without a question in the sandbox, where the person allows that, else not."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from app.engine import Engine
from app.platform.paths import home
from app.platform.sandbox.probe import probe
from app.records import TurnOptions

ALONE = TurnOptions(attended=False)


async def ran(tmp_path: Path, settings: str, arguments: str) -> bool:
    """Whether a call runs to its end though nobody is there to answer."""
    folder = tmp_path.resolve() / "work"
    folder.mkdir()
    (folder / "file").write_text("text")
    ours = home({"BRAMBLE_HOME": str(tmp_path.resolve() / "home")})
    ours.settings.parent.mkdir()
    ours.settings.write_text(settings)
    engine = Engine(ours, dict(os.environ), kind="terminal")
    await engine.open()
    try:
        done = await engine.call_tool("run_command", arguments, cwd=str(folder), options=ALONE)
    finally:
        await engine.close()
    return done.ok


@pytest.mark.parametrize(
    ("settings", "arguments", "runs"),
    [
        ("free_reading = true", '{"command": "cat file"}', True),
        ("free_reading = true", '{"command": "touch made"}', False),
        ("free_reading = true", '{"command": "cat file", "reach": "network"}', False),
        ("free_reading = true", '{"command": "cat file", "reach": "all"}', False),
        ("", '{"command": "cat file"}', False),
        ("free_reading = true\nsandbox = 'off'", '{"command": "cat file"}', False),
    ],
)
async def test_only_reading_in_the_sandbox_is_free(
    tmp_path: Path, settings: str, arguments: str, runs: bool
) -> None:
    held = probe(os.environ).layer != "none"
    assert await ran(tmp_path, settings, arguments) == (runs and held)
