"""Notifications on a real session bus with a real daemon (dunst), and where there is none."""

from __future__ import annotations

import json
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
    needs("dunst", "dunstctl", "dbus-send")
    settings = tmp_path / "dunstrc"
    settings.write_text("[global]\nmarkup = full\n")
    with (
        screen(tmp_path) as seen,
        session_bus(seen) as environ,
        running("dunst", "-conf", str(settings), environ=environ),
    ):
        until(lambda: owned(environ, "org.freedesktop.Notifications"), "the daemon")
        yield DesktopDesk(environ)


def shown(desk: DesktopDesk) -> list[dict[str, str]]:
    """Return what the daemon holds: it closes all, and tells of what it had."""
    subprocess.run(["dunstctl", "close-all"], env=dict(desk.environ), check=True)

    def history() -> list[dict[str, dict[str, str]]]:
        told = subprocess.run(
            ["dunstctl", "history"], env=dict(desk.environ), capture_output=True, check=True
        )
        return json.loads(told.stdout)["data"][0]

    until(history, "the notification")
    return [{name: value["data"] for name, value in one.items()} for one in history()]


async def test_a_notification_is_shown_and_asks_nobody(desk: DesktopDesk) -> None:
    arguments = {"title": "Tests are done", "body": "All <b>12</b> & more", "urgency": "critical"}
    done = await desk.call("notify", json.dumps(arguments))
    assert done.ok and "[verified]" in done.text and desk.asked == []
    (found,) = shown(desk)
    assert found["appname"] == "Bramble" and found["summary"] == "Tests are done"
    assert found["body"] == "All &lt;b&gt;12&lt;/b&gt; &amp; more", "markup of the text is text"
    assert found["timeout"] == 0, "a critical one stays until it is seen"


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
