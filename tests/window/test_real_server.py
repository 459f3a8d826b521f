"""A server in the real window, by mouse and keyboard: added by its exact command, found, asked about, called;
one of its tools is pinned and deferred again.
"""

from __future__ import annotations

import json
import shlex
import sys
from pathlib import Path

from PySide6.QtGui import QImage

from tests.servers.scripted import calls, says, scripted_in_thread
from tests.window.approvals.test_real_dialog import rest
from tests.window.desk import Desk, until
from tests.window.test_real_window import MODEL, texts
from ui.window.approvals.guard import GUARD_SECONDS

SERVER = (sys.executable, "-I", str(Path(__file__).parents[1] / "toolbox" / "mcp" / "scripted.py"))
ADD, BY_COMMAND, SERVERS, FIND = (1001, 110), (452, 228), (424, 54), (600, 180)
"""Places on the screen: the button that adds, the way by a command, the tab of servers, the field that finds
tools."""


def saved(home: Path) -> dict[str, object]:
    """Return the servers of the file."""
    kept = home / "mcp.json"
    found: dict[str, object] = json.loads(kept.read_text())["mcpServers"] if kept.exists() else {}
    return found


def setting(home: Path, line: str) -> bool:
    """Whether the settings hold a line."""
    kept = home / "settings.toml"
    return kept.exists() and line in kept.read_text()


def test_a_server_is_added_found_in_a_conversation_called_and_one_of_its_tools_pinned(
    desk: Desk, home: Path
) -> None:
    (home / "settings.toml").write_text(
        "reduced_motion = true\n"
    )  # no caret blinks, so the screen comes to rest
    search = calls(("find_tools", {"query": "demo echo the text"}))
    use = calls(("use_tool", {"name": "demo__echo", "arguments": {"text": "hello there"}}))
    with scripted_in_thread(search, use, says("It answered.")) as server:
        desk.start(home, BRAMBLE_BASE_URL=server.url, **MODEL).ready()
        desk.wait_for_focus("Bramble")
        desk.key("ctrl+5")
        rest(desk)
        desk.click(*SERVERS)
        rest(desk)
        desk.click(*ADD)
        rest(desk)
        desk.click(*BY_COMMAND)
        rest(desk)
        desk.type(shlex.join(SERVER))
        assert not saved(home), "nothing is added before the person says so"
        desk.key("Tab")
        desk.type("demo")
        desk.key("Return")
        until(lambda: "pinned" in str(saved(home).get("demo")), "the server and its tools")
        desk.key("ctrl+1")
        desk.type("Echo it")
        desk.key("Return")
        desk.wait_for_focus("Bramble wants to call echo of the server demo")
        assert "demo__echo" in str(server.requests[1].body), "it was found"
        rest(desk)
        desk.xdotool("sleep", str(GUARD_SECONDS))
        desk.key("alt+a", "space")
        until(lambda: "It answered." in texts(home), "the answer")
        assert any("echo: hello there" in text for text in texts(home))
        pin(desk, home)
    desk.close_windows()


def pin(desk: Desk, home: Path) -> None:
    """Pin a tool of the server by keyboard, and defer it again."""
    desk.key("ctrl+5")
    rest(desk)
    desk.key("Left", "Left")  # the tab before that of the servers, and the one before
    rest(desk)
    desk.click(*FIND)
    desk.type("demo__echo")
    rest(desk)
    before = QImage(str(desk.shot(desk.folder / "before.png")))
    desk.key("Tab", "space")
    until(lambda: setting(home, 'always_on = ["demo__echo"]'), "the tool to be always on")
    rest(desk)
    assert QImage(str(desk.shot(desk.folder / "after.png"))) != before
    desk.click(*FIND)
    desk.key("Tab", "space")
    until(lambda: setting(home, "always_on = []"), "the tool to be loaded when it is needed")
