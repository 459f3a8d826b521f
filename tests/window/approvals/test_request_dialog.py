"""A question about a web request in the window: all that is sent, to where, and where the answer lands."""

from __future__ import annotations

import msgspec
from PySide6.QtWidgets import QLabel
from pytestqt.qtbot import QtBot

from app.records import Approval, FileDiff, FilesEffect, RequestEffect
from tests.window.approvals.test_dialog import Scene
from ui.window.approvals.wording import facts


def words(scene: Scene) -> str:
    return "\n".join(label.text().replace("\u200b", "") for label in scene.dialog.findChildren(QLabel))


def test_all_that_is_sent_is_shown_and_can_be_read_to_its_end(qtbot: QtBot) -> None:
    body = "line\n" * 500 + "the end"
    effect = RequestEffect(
        method="POST",
        url="https://a.org/x",
        host="a.org",
        headers=("authorization: Bearer ***",),
        body=body,
    )
    scene = Scene(qtbot, effect)
    assert scene.dialog._plain is not None
    shown = scene.dialog._plain.field.toPlainText().replace("\u200b", "")
    assert shown == f"POST https://a.org/x\nauthorization: Bearer ***\n\n{body}"
    assert scene.dialog.windowTitle() == "Bramble wants to send something to a.org"


def test_a_download_from_this_computer_says_both(qtbot: QtBot) -> None:
    file = FileDiff(path="/w/a.zip", shown="a.zip", kind="new", binary=True)
    effect = RequestEffect(
        method="GET",
        url="http://localhost:8000/a.zip",
        host="localhost",
        port=8000,
        private="named",
        saves=FilesEffect(files=(file,)),
    )
    said = words(Scene(qtbot, effect))
    assert "Bramble wants to bring a file from localhost" in said
    assert "localhost is this computer or one of your own network" in said
    assert "What it brings is written to /w/a.zip." in said


def test_that_it_is_this_computer_is_said_once() -> None:
    effect = RequestEffect(method="GET", url="http://a:1/", host="a", port=1, private="named")
    asked = Approval(id="q", session="s", turn="t", call="c", tool="x", effect=effect, asked=1.0)
    found = facts(msgspec.structs.replace(asked, reason="private_host"))
    assert [one.sentence for one in found] == [
        "a is this computer or one of your own network, which others cannot see."
    ]
    assert len(facts(msgspec.structs.replace(asked, reason="rule_ask"))) == 2
