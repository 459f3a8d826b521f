"""A turn that another process runs is shown as running here, and Stop reaches it."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest
from PySide6.QtCore import Qt

from tests.servers.scripted import scripted_in_thread
from tests.window.desk import LAUNCH
from tests.window.furnished import Furnished
from tests.window.test_talking import endless, point_at


def test_stop_reaches_a_turn_of_a_terminal(
    furnished: Furnished, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with scripted_in_thread(endless()) as server:
        point_at(monkeypatch, server.url)
        life = furnished.open()
        terminal = subprocess.Popen(
            [*LAUNCH, "ask", "Go on for ever"],
            cwd=tmp_path,
            env=dict(os.environ),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
        )
        try:
            furnished.until(lambda: any(info.running for info in life.list.all()), "its turn in the list")
            life.sessions.opened.emit(next(info for info in life.list.all() if info.running), "")
            composer = life.window.chat.composer
            furnished.until(lambda: composer.send.accessibleName() == "Stop", "the button to stop it")
            furnished.bot.mouseClick(composer.send, Qt.MouseButton.LeftButton)
            furnished.until(lambda: terminal.poll() is not None, "the terminal to end")
            furnished.until(lambda: composer.send.accessibleName() == "Send", "the button to send again")
        finally:
            terminal.kill()
            terminal.communicate()
