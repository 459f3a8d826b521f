"""The files of a question stand mirrored where the language reads from right to left."""

from __future__ import annotations

from PySide6.QtCore import QRect, Qt
from PySide6.QtGui import QImage
from pytestqt.qtbot import QtBot

from app.records import FileDiff
from ui.window.approvals.file_list import FileList
from ui.window.approvals.proposal import Proposal
from ui.window.theme import make_theme

WIDE, HIGH = 220, 60


def drawn(qtbot: QtBot, direction: Qt.LayoutDirection, *, added: int = 5) -> QImage:
    file = FileDiff(path="/f/a.md", shown="a.md", kind="changed", added=added, removed=2)
    made = FileList(make_theme("light"), Proposal([file]))
    qtbot.addWidget(made)
    made.setLayoutDirection(direction)
    made.resize(WIDE, HIGH)
    return made.viewport().grab().toImage()


def test_icon_and_counts_change_sides(qtbot: QtBot) -> None:
    left = drawn(qtbot, Qt.LayoutDirection.LeftToRight)
    right = drawn(qtbot, Qt.LayoutDirection.RightToLeft)
    side = 16
    inset = make_theme("light").s8 + 10
    icon = QRect(inset, 0, side, 38)
    mirrored = QRect(left.width() - inset - side, 0, side, 38)
    assert left.copy(icon) == right.copy(mirrored), "the icon begins the row"
    other = drawn(qtbot, Qt.LayoutDirection.RightToLeft, added=7)
    assert right.copy(mirrored) == other.copy(mirrored), "nothing is drawn over it"
    assert right.copy(0, 0, 100, 38) != other.copy(0, 0, 100, 38), "the counts end the row"
