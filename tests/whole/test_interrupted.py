"""An interrupt in the middle of a command: it ends with 130, leaves nothing running, --json still holds."""

from __future__ import annotations

import signal
import subprocess
import time
from collections.abc import Callable
from pathlib import Path

from tests.capabilities.shell_desk import running
from tests.whole.program import PATIENCE, Program, ended, killed_after


def wait_for(condition: Callable[[], object], seconds: float, what: str) -> None:
    """Wait until a condition holds."""
    until = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < until, what
        time.sleep(0.02)


def begun(process: subprocess.Popen[bytes]) -> bool:
    """Whether the command runs; fails when the program has ended before."""
    assert process.poll() is None, "the command did not begin"
    return bool(running("sleep", "617.1"))


def test_an_interrupted_call_gives_one_json_value_and_ends_its_command(tmp_path: Path) -> None:
    words = ("tools", "call", "run_command", "--args", '{"command": "sleep 617.1"}', "--json", "--yes")
    with killed_after(Program(tmp_path).start(*words)) as process:
        wait_for(lambda: begun(process), PATIENCE, "the command did not begin")
        process.send_signal(signal.SIGINT)
        ran = ended(process).sound()
    assert ran.code == 130
    assert ran.value["ok"] is False and ran.value["error"]["code"] == "stopped"
    wait_for(lambda: not running("sleep", "617.1"), 10, "the command still runs")
