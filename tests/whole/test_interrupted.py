"""An interrupt in the middle of a command: it ends with 130, leaves nothing running, --json still holds."""

from __future__ import annotations

import os
import signal
import subprocess
import time
from pathlib import Path

from tests.whole.program import PATIENCE, Program, ended


def wait_for(path: Path, process: subprocess.Popen[bytes]) -> None:
    """Wait until a running command has made the file."""
    until = time.monotonic() + PATIENCE
    while not path.exists():
        assert process.poll() is None and time.monotonic() < until, "the command did not begin"
        time.sleep(0.02)


def test_an_interrupted_call_gives_one_json_value_and_ends_its_command(tmp_path: Path) -> None:
    program = Program(tmp_path)
    arguments = '{"command": "echo $$ > begun.part; mv begun.part begun; sleep 300"}'
    process = program.start("tools", "call", "run_command", "--args", arguments, "--json", "--yes")
    begun = program.work / "begun"
    wait_for(begun, process)
    process.send_signal(signal.SIGINT)
    ran = ended(process).sound()
    assert ran.code == 130
    assert ran.value["ok"] is False and ran.value["error"]["code"] == "stopped"
    shell = int(begun.read_text())
    until = time.monotonic() + 10
    while os.path.exists(f"/proc/{shell}") and time.monotonic() < until:
        time.sleep(0.05)
    assert not os.path.exists(f"/proc/{shell}"), "the command still runs"
