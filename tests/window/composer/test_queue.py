"""What waits above the composer, and what can be done with it."""

from __future__ import annotations

from PySide6.QtWidgets import QAbstractButton, QLabel, QWidget
from pytestqt.qtbot import QtBot

from app.records import Queued
from ui.window.composer.queue import QueueList
from ui.window.theme import make_theme

NOW = "Send it now, into the running answer if there is one"


def rows(waiting: QueueList) -> list[QWidget]:
    return [waiting._rows.itemAt(at).widget() for at in range(waiting._rows.count())]


def shown(waiting: QueueList) -> list[tuple[str, list[str]]]:
    """The caption and the buttons of each row."""
    return [
        (
            next(one.text() for one in row.findChildren(QLabel) if one.property("tone") == "caption"),
            [one.accessibleName() for one in row.findChildren(QAbstractButton)],
        )
        for row in rows(waiting)
    ]


def test_a_steering_text_can_be_sent_when_its_answer_was_stopped(qtbot: QtBot) -> None:
    waiting = QueueList(make_theme("light"))
    qtbot.addWidget(waiting)
    waiting.show_running(True)
    steering = Queued(id="q1", session="s", text="In French", kind="steer")
    following = Queued(id="q2", session="s", text="And then", kind="next")
    waiting.show_queued([steering, following])
    assert shown(waiting) == [
        ("Into this answer", ["Edit", "Take it back"]),
        ("Next", [NOW, "Edit", "Take it back"]),
    ]
    waiting.show_running(False)
    assert shown(waiting) == [("Next", [NOW, "Edit", "Take it back"])] * 2
    with qtbot.waitSignal(waiting.steered) as sent:
        first = rows(waiting)[0]
        next(one for one in first.findChildren(QAbstractButton) if one.accessibleName() == NOW).click()
    assert sent.args == ["q1"]
