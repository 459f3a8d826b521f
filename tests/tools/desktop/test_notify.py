"""Notifications on a real session bus with a real daemon (dunst), and where there is none."""

from __future__ import annotations

import json
import re
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from app.errors import Refused, ToolError
from app.permissions.policy import policy
from tests.tools.desktop.desktop_desk import (
    DesktopDesk,
    base,
    needs,
    owned,
    running,
    screen,
    session_bus,
    until,
)


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[DesktopDesk]:
    needs("dunst", "dbus-send")
    settings = tmp_path / "dunstrc"
    settings.write_text("[global]\nmarkup = full\n")
    with (
        screen(tmp_path) as seen,
        session_bus(seen) as environ,
        running("dunst", "-conf", str(settings), environ=environ),
    ):
        until(lambda: owned(environ, "org.freedesktop.Notifications"), "the daemon")
        yield DesktopDesk(environ)


def dunst(desk: DesktopDesk, method: str) -> str:
    """Ask the daemon itself; its own dunstctl needs systemd's busctl."""
    words = ["dbus-send", "--session", "--print-reply", "--dest=org.freedesktop.Notifications"]
    words += ["/org/freedesktop/Notifications", f"org.dunstproject.cmd0.{method}"]
    return subprocess.run(words, env=dict(desk.environ), capture_output=True, text=True, check=True).stdout


def shown(desk: DesktopDesk) -> dict[str, str]:
    """Return what the daemon showed last: it closes all, and tells of what it had."""
    dunst(desk, "NotificationCloseAll")
    until(lambda: "summary" in dunst(desk, "NotificationListHistory"), "the notification")
    told = dunst(desk, "NotificationListHistory")
    return dict(re.findall(r'string "(\w+)"\s+variant\s+\w+ "?(.*?)"?\n', told))


async def test_a_notification_is_shown_and_asks_nobody(desk: DesktopDesk) -> None:
    arguments = {"title": "Tests are done", "body": "All <b>12</b> & more", "urgency": "critical"}
    done = await desk.call("notify", json.dumps(arguments))
    assert done.ok and "[verified]" in done.text and desk.asked == []
    found = shown(desk)
    assert found["appname"] == "Bramble" and found["summary"] == "Tests are done"
    assert found["body"] == "All &lt;b&gt;12&lt;/b&gt; &amp; more", "markup of the text is text"
    assert found["timeout"] == "0", "a critical one stays until it is seen"


async def test_a_rule_may_forbid_it(desk: DesktopDesk) -> None:
    desk.rules = policy("/", deny=["notify(*)"])
    with pytest.raises(Refused):
        await desk.call("notify", '{"title": "x"}')


async def test_where_nobody_shows_them(tmp_path: Path) -> None:
    with pytest.raises(ToolError, match="cannot be reached"):
        await DesktopDesk(base(tmp_path)).call("notify", '{"title": "x"}')
    says = "No notification can be shown here"
    with session_bus(base(tmp_path)) as environ, pytest.raises(ToolError, match=says):
        await DesktopDesk(environ).call("notify", '{"title": "x"}')
    with pytest.raises(ToolError, match="needs a title"):
        await DesktopDesk(base(tmp_path)).call("notify", '{"title": " "}')
    with pytest.raises(ToolError, match="not shown on Windows"):
        await DesktopDesk(base(tmp_path), kind="windows").call("notify", '{"title": "x"}')
