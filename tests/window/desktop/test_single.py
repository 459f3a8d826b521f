"""One window for each home: claims, a second start that hands over its arguments, and what a crash leaves
behind."""

from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path

from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from tests.window.desk import LAUNCH, ROOT, Desk, until
from ui.window.desktop.single import SingleWindow, address

HOLD = """
import sys, time
sys.path.insert(0, sys.argv[1])
from pathlib import Path
from ui.window.desktop.single import SingleWindow
single = SingleWindow(Path(sys.argv[2]))
print("claimed" if single.claim() else "refused", flush=True)
time.sleep(60)
"""


def test_the_second_start_hands_its_arguments_over(qapp: QApplication, qtbot: QtBot, tmp_path: Path) -> None:
    first, second = SingleWindow(tmp_path), SingleWindow(tmp_path)
    heard: list[list[str]] = []
    assert first.claim() and first.listen(heard.append)
    assert not second.claim()
    told = subprocess.Popen(
        [
            sys.executable,
            "-P",
            "-c",
            HOLD.replace("time.sleep(60)", "print(single.tell(['--session', 'ä b']))"),
            str(ROOT),
            str(tmp_path),
        ],
        stdout=subprocess.PIPE,
        text=True,
    )
    qtbot.waitUntil(lambda: heard == [["--session", "ä b"]], timeout=20_000)
    qtbot.waitUntil(lambda: told.poll() is not None, timeout=20_000)
    assert told.communicate()[0].split() == ["refused", "True"]
    first.close()
    assert second.claim(), "a window that was closed gives the home free"
    second.close()


def test_a_killed_window_does_not_keep_the_home(tmp_path: Path) -> None:
    holder = subprocess.Popen(
        [sys.executable, "-P", "-c", HOLD, str(ROOT), str(tmp_path)], stdout=subprocess.PIPE, text=True
    )
    assert holder.stdout is not None and holder.stdout.readline() == "claimed\n"
    next_one = SingleWindow(tmp_path)
    assert not next_one.claim()
    holder.kill()
    holder.wait(20)
    holder.stdout.close()
    assert next_one.claim()
    next_one.close()


def test_a_long_home_gets_a_short_name(tmp_path: Path) -> None:
    assert address(tmp_path / "run") == str(tmp_path / "run" / "window")
    long = address(tmp_path / ("x" * 200))
    assert len(long) < 100 and long != address(tmp_path / ("y" * 200))


def test_a_start_beside_a_window_focuses_it_and_ends(desk: Desk, home: Path) -> None:
    desk.start(home).ready()
    began = time.monotonic()
    second = subprocess.run(LAUNCH, env=desk.environ(home, {}), capture_output=True, text=True, timeout=30)
    taken = time.monotonic() - began
    assert (second.returncode, second.stdout, second.stderr) == (0, "", "")
    desk.wait_for_focus("Bramble")
    assert taken < 10, f"the second start took {taken:.1f} s"
    desk.close_windows()


def test_toggle_hides_and_shows(desk: Desk, home: Path) -> None:
    desk.start(home).ready()
    desk.wait_for_focus("Bramble")
    for wanted in (False, True):
        done = subprocess.run(
            [*LAUNCH, "--toggle"], env=desk.environ(home, {}), capture_output=True, text=True, timeout=30
        )
        assert done.returncode == 0
        until(lambda wanted=wanted: ("Bramble" in desk.focused()) == wanted, "the window to toggle")
    desk.close_windows()
