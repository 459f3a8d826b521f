"""What waits for an answer is marked on the rail and in the panel; its dialog dims the window behind it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QEvent, QPoint, Qt
from PySide6.QtGui import QColor
from PySide6.QtWidgets import QDialog, QWidget
from pytestqt.qtbot import QtBot

from app.records import Answer
from tests.servers.scripted import calls, says, scripted_in_thread
from tests.window.furnished import Furnished
from tests.window.seen import press
from tests.window.test_talking import point_at
from ui.window.approvals.scrim import Scrim, dim_behind
from ui.window.theme import LIGHT, make_theme


def dimmed() -> QColor:
    """The rail's ground under the veil."""
    ground, veil = LIGHT.panel, LIGHT.scrim
    part = veil.alphaF()
    mixed = [
        round(one * (1 - part) + two * part) for one, two in zip(ground.getRgb(), veil.getRgb(), strict=True)
    ]
    return QColor(*mixed[:3])


def near(one: QColor, two: QColor) -> bool:
    return all(abs(a - b) <= 2 for a, b in zip(one.getRgb()[:3], two.getRgb()[:3], strict=True))


@pytest.mark.parametrize("still", [False, True])
def test_a_question_marks_the_rail_and_its_dialog_dims_the_window(
    furnished: Furnished, home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, still: bool
) -> None:
    (home / "settings.toml").write_text(f'theme = "light"\nreduced_motion = {str(still).lower()}\n')
    write = calls(("write_file", {"path": "notes.md", "content": "hello\n"}))
    with scripted_in_thread(write, says("Written.")) as server:
        point_at(monkeypatch, server.url)
        life = furnished.open()
        life.conversation.set_folder(str(tmp_path))
        window, rail = life.window, life.window.rail
        furnished.send("Write it")
        furnished.until(lambda: life.questions.waiting(), "the question")
        inbox = rail._buttons["inbox"]
        furnished.until(lambda: inbox.accessibleDescription() == "1 waiting", "the mark on the rail")
        press(life.rest.panel.changes, "Review")
        question: Any = next(iter(life.questions._dialogs.values()))
        scrim = window.findChild(Scrim)
        furnished.until(lambda: scrim.isVisible() and scrim._strength == 1.0, "the veil")
        assert (scrim._motion.duration() == 150) is not still
        corner = QPoint(rail.width() // 2, rail.height() // 2)
        assert near(window.grab().toImage().pixelColor(corner), dimmed())
        window.resize(900, 700)
        furnished.until(lambda: scrim.size() == window.size(), "the veil to follow the window's size")
        furnished.bot.mouseClick(window.childAt(*corner_of(rail, "settings")), Qt.MouseButton.LeftButton)
        assert window.page() == "settings", "the mouse goes through"
        question.answered.emit(question.approval.id, Answer(decision="allow", by="window"))
        furnished.until(lambda: not life.questions.waiting(), "the answer")
        furnished.until(lambda: not scrim.isVisible(), "the veil to go")
        assert near(window.grab().toImage().pixelColor(corner), LIGHT.panel)
        furnished.until(lambda: inbox.accessibleDescription() == "", "the mark to go")
        furnished.until(lambda: not life.conversation.running, "the end")


def test_the_veil_stays_away_when_a_dialog_is_answered_before_it_became_active(qtbot: QtBot) -> None:
    window, theme = QWidget(), replace(make_theme("light"), reduced_motion=True)
    qtbot.addWidget(window)
    window.show()
    qtbot.waitExposed(window)
    told: list[QEvent.Type] = []

    class Question(QDialog):
        def event(self, event: QEvent) -> bool:
            told.append(event.type())
            return super().event(event)

    dialog = Question(window)
    dim_behind(dialog, theme)
    dialog.show()
    dialog.activateWindow()
    veil = window.findChild(Scrim)
    assert veil.isVisible()
    dialog.close()
    qtbot.waitUntil(lambda: QEvent.Type.WindowActivate in told)
    assert not veil.isVisible()


def corner_of(rail: Any, name: str) -> tuple[int, int]:
    """The middle of a place on the rail, in the window."""
    middle = rail._buttons[name].mapTo(rail.window(), rail._buttons[name].rect().center())
    return middle.x(), middle.y()
