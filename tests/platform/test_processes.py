"""Groups, marks and ancestors are seen as they are, and a command's environment is clean."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from app.platform import spawning
from app.platform.processes import (
    MARK,
    ancestors,
    began_in_tool,
    group_lives,
    marked,
    signal_group,
    signal_marked,
)
from app.platform.warden import Warden

ROOT = Path(__file__).parents[2]
linux = pytest.mark.skipif(sys.platform != "linux", reason="looks into /proc")


def until(condition: Callable[[], object]) -> None:
    end = time.monotonic() + 10
    while not condition():
        assert time.monotonic() < end, "it did not happen in time"
        time.sleep(0.01)


def test_a_group_lives_until_its_last_process_is_gone() -> None:
    first = subprocess.Popen(["bash", "-c", "sleep 616.1 & exit 0"], start_new_session=True)
    first.wait()
    assert group_lives(first.pid)
    signal_group(first.pid, signal.SIGTERM)
    until(lambda: not group_lives(first.pid))
    signal_group(first.pid, signal.SIGTERM)  # once more does no harm


@linux
def test_a_zombie_does_not_live() -> None:
    child = subprocess.Popen(["true"], start_new_session=True)
    until(lambda: Path(f"/proc/{child.pid}/stat").read_text().split(") ")[1][0] == "Z")
    assert not group_lives(child.pid)
    child.wait()


@linux
def test_a_mark_finds_what_left_the_group() -> None:
    mark = f"test-{os.getpid()}"
    child = subprocess.Popen(
        ["bash", "-c", "setsid sleep 616.2 & exit 0"], env={**os.environ, MARK: mark}, start_new_session=True
    )
    child.wait()
    until(lambda: len(marked(mark)) == 1 and not group_lives(child.pid))  # it leaves a moment after it began
    assert marked(mark + "0") == ()
    signal_marked(mark, signal.SIGKILL)
    until(lambda: marked(mark) == ())


def test_ancestors_lead_to_the_first_process() -> None:
    chain = list(ancestors())
    assert chain[0] == os.getppid() and len(chain) == len(set(chain))
    assert list(ancestors(2**22 + 1)) == []


ASK = """
import sys
sys.path.insert(0, {root!r})
from app.platform.processes import began_in_tool
print(began_in_tool())
"""


@linux
@pytest.mark.parametrize(
    ("shell", "seen"),
    [
        ("{ask}", True),
        ("bash -c '{ask}; true'", True),
        ("env -u BRAMBLE_JOB {ask}", True),
        ("env -i PATH=$PATH bash -c '{ask}; true'; true", True),
        ("setsid -w {ask}; true", True),
    ],
)
def test_a_command_of_ours_knows_that_a_tool_began_it(tmp_path: Path, shell: str, seen: bool) -> None:
    """Product.md 5.5: the model cannot approve itself."""
    script = tmp_path / "ask.py"
    script.write_text(ASK.format(root=str(ROOT)))
    command = shell.format(ask=f"{sys.executable} -P {script}")
    found = subprocess.run(
        ["bash", "-c", f"{command}; true"], env={**os.environ, MARK: "x"}, capture_output=True, text=True
    )
    assert found.stdout.strip() == str(seen), found.stderr


def test_a_persons_own_command_is_not_taken_for_a_tools() -> None:
    script = ASK.format(root=str(ROOT))
    found = subprocess.run([sys.executable, "-P", "-c", script], capture_output=True, text=True)
    assert found.stdout.strip() == "False", found.stderr
    assert began_in_tool({MARK: "x"})


def test_the_environment_of_a_command() -> None:
    kept = {"HOME": "/home/a", "LANG": "de_DE.UTF-8", "PATH": "/bin::.:relative:/usr/bin", "TMPDIR": "/t"}
    secret = {
        "OPENAI_API_KEY": "k",
        "PYTHONPATH": "/x",
        "LD_PRELOAD": "/x.so",
        "BASH_ENV": "/x",
        "DISPLAY": ":0",
    }
    assert spawning.environment({**kept, **secret}) == {**kept, "PATH": "/bin:/usr/bin", "TERM": "dumb"}
    assert spawning.environment({}) == {
        "LANG": "C.UTF-8",
        "PATH": "/usr/local/bin:/usr/bin:/bin",
        "TERM": "dumb",
    }


def test_bash_is_not_taken_from_the_path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "bash").write_text("#!/bin/sh\necho planted\n")
    (tmp_path / "bash").chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    assert spawning.find_bash() in (
        "/bin/bash",
        "/usr/bin/bash",
        "/usr/local/bin/bash",
        "/opt/homebrew/bin/bash",
    )
    assert spawning.find_bash((str(tmp_path / "nothing"),)) is None


def test_nothing_runs_before_the_gate_opens(tmp_path: Path) -> None:
    bash = spawning.find_bash()
    assert bash
    child = spawning.start(bash, "touch made", str(tmp_path), dict(os.environ), input=False)
    spawning.abandon(child)
    assert not group_lives(child.group) and not (tmp_path / "made").exists()


def test_the_warden_ends_what_is_in_its_list_when_the_pipe_closes() -> None:
    bash = spawning.find_bash()
    assert bash
    warden = Warden(bash, spawning.environment(os.environ))
    stubborn = ["bash", "-c", "trap '' TERM; echo ready; sleep 616.3; sleep 616.3"]
    with (
        subprocess.Popen(["sleep", "616.3"], start_new_session=True) as kept,
        subprocess.Popen(stubborn, start_new_session=True, stdout=subprocess.PIPE) as ended,
    ):
        assert ended.stdout and ended.stdout.readline() == b"ready\n"
        warden.watch(kept.pid, "none-kept")
        warden.watch(ended.pid, "none-ended")
        warden.forget(kept.pid)
        warden.close()
        assert ended.wait(10) == -signal.SIGKILL
        assert kept.poll() is None
        kept.kill()
