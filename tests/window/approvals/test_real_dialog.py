"""The real dialog on a real display, by keyboard alone: three files, a piece left out, another edited; a rule
that is saved; a question that is answered elsewhere.
"""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtGui import QImage

from tests.servers.scripted import calls, says, scripted_in_thread
from tests.window.desk import LAUNCH, Desk, until
from tests.window.test_real_window import MODEL, texts
from ui.window.approvals.guard import GUARD_SECONDS

OLD = "one\n" + "".join(f"line {n}\n" for n in range(20)) + "two\n"
PATCH = """--- a/a.md
+++ b/a.md
@@ -1,2 +1,2 @@
-one
+first
 line 0
@@ -21,2 +21,2 @@
 line 19
-two
+second
--- /dev/null
+++ b/b.py
@@ -0,0 +1 @@
+print(1)
--- a/c.txt
+++ b/c.txt
@@ -1 +1 @@
-red
+green
"""


@pytest.fixture
def workspace(tmp_path: Path, home: Path) -> Path:
    """A folder with two files, set for new conversations."""
    folder = tmp_path / "work"
    folder.mkdir()
    (folder / "a.md").write_text(OLD)
    (folder / "c.txt").write_text("red\n")
    (home / "settings.toml").write_text(f'folder = "{folder}"\nreduced_motion = true\n')
    return folder


def command(desk: Desk, home: Path, url: str, *words: str) -> Any:
    """Run a terminal command in the same home; return its JSON, None where it printed none."""
    environ = desk.environ(home, {"BRAMBLE_BASE_URL": url, **MODEL})
    done = subprocess.run([*LAUNCH, *words], env=environ, capture_output=True, text=True, timeout=60)
    return json.loads(done.stdout) if done.stdout.strip().startswith(("[", "{")) else None


def rest(desk: Desk) -> None:
    """Wait until the screen has come to rest, so that what was pressed has been heard."""
    shots = [QImage(), QImage(1, 1, QImage.Format.Format_RGB32)]

    def still() -> bool:
        shots.append(QImage(str(desk.shot(desk.folder / "rest.png"))))
        return shots[-1] == shots[-2] == shots[-3]

    until(still, "the screen to come to rest")


def ask(desk: Desk, text: str, title: str) -> None:
    """Ask for something and wait until the question about it has the keyboard and hears keys."""
    desk.wait_for_focus("Bramble")
    desk.type(text)
    desk.key("Return")
    desk.wait_for_focus(title)
    rest(desk)
    desk.xdotool("sleep", str(GUARD_SECONDS))  # a question that has just come up hears nothing


def test_three_files_one_piece_left_out_one_text_edited(desk: Desk, home: Path, workspace: Path) -> None:
    with scripted_in_thread(calls(("apply_patch", {"patch": PATCH})), says("It is done.")) as server:
        desk.start(home, BRAMBLE_BASE_URL=server.url, **MODEL).ready()
        ask(desk, "Patch it", "Bramble wants to change 3 files")
        desk.key("alt+Down", "space")  # the second piece of a.md is left out
        desk.key("alt+Down")  # b.py
        desk.key("alt+e")
        desk.key("ctrl+End")
        desk.type("print(2)")
        desk.key("Return")
        rest(desk)
        desk.key("Escape")
        rest(desk)
        assert "Bramble wants to" in desk.focused(), "Esc leaves the editor, not the question"
        desk.key("Return")
        until(lambda: "It is done." in texts(home), "the answer")
        assert (workspace / "a.md").read_text() == OLD.replace("one", "first", 1)
        assert (workspace / "b.py").read_text() == "print(1)\nprint(2)\n"
        assert (workspace / "c.txt").read_text() == "green\n"
        told = str(server.requests[-1].body)
        assert "print(2)" in told and "did not take all of it" in told, "the model knows what was written"
    desk.close_windows()


def test_a_question_waits_when_its_dialog_is_closed(desk: Desk, home: Path, workspace: Path) -> None:
    write = calls(("write_file", {"path": "c.txt", "content": "blue\n"}))
    with scripted_in_thread(write, says("It is blue.")) as server:
        desk.start(home, BRAMBLE_BASE_URL=server.url, **MODEL).ready()
        ask(desk, "Make it blue", "Bramble wants to")
        desk.key("Escape")
        desk.wait_for_focus("Make it blue")
        assert (workspace / "c.txt").read_text() == "red\n"
        desk.key("ctrl+2")  # the inbox
        desk.key("ctrl+r")
        desk.wait_for_focus("Bramble wants to")
        (question,) = command(desk, home, server.url, "approvals", "list", "--json")
        command(desk, home, server.url, "approvals", "deny", question["id"], "--reason", "no colours")
        desk.wait_for_focus("Make it blue")
        until(lambda: "It is blue." in texts(home), "the answer")
        assert (workspace / "c.txt").read_text() == "red\n"
    desk.close_windows()


def test_a_rule_is_saved_by_keyboard_and_counts_at_once(desk: Desk, home: Path, workspace: Path) -> None:
    first = calls(("write_file", {"path": "c.txt", "content": "blue\n"}))
    again = calls(("write_file", {"path": "c.txt", "content": "white\n"}))
    with scripted_in_thread(first, again, says("It is white.")) as server:
        desk.start(home, BRAMBLE_BASE_URL=server.url, **MODEL).ready()
        ask(desk, "Make it blue", "Bramble wants to")
        desk.key("alt+h")
        rest(desk)
        desk.key("Down", "Down", "Down", "Return")  # once, this conversation, this folder
        rest(desk)
        desk.key("alt+a", "space")
        until(lambda: "It is white." in texts(home), "the second change, without a question")
        assert (workspace / "c.txt").read_text() == "white\n"
        rules = (home / "rules.txt").read_text()
        assert f"[project {workspace}]" in rules and "c.txt" in rules
    desk.close_windows()
