"""Sentences about files stay in the direction of the interface, whatever letters a name begins with."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QRect, Qt
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from ui.window.approvals.facts import wrapping
from ui.window.theme import make_theme
from ui.window.transcript.painting import Wrapped

SENTENCE = "\u05e9\u05dc\u05d5\u05dd.md is new. Can be undone."
WIDE = 700


def ink(image: QImage, part: QRect) -> bool:
    ground = image.pixel(image.width() // 2, 0)
    inside = part.intersected(image.rect())
    columns = range(inside.left(), inside.right() + 1)
    return any(image.pixel(x, y) != ground for x in columns for y in range(image.height()))


@pytest.mark.parametrize("text", [SENTENCE, "/w/a.md is new."])
def test_a_name_turns_no_sentence_round(qtbot: QtBot, text: str) -> None:
    made = wrapping("", "small")
    made.setText(text)
    qtbot.addWidget(made)
    made.resize(WIDE, 40)
    shown = made.grab().toImage()
    assert ink(shown, QRect(0, 0, 30, 40)) and not ink(shown, QRect(WIDE - 30, 0, 30, 40))
    assert made.accessibleName() == text, "the mark is not spoken"


def test_it_stands_at_the_right_where_the_language_does(qtbot: QtBot) -> None:
    app = QApplication.instance()
    assert isinstance(app, QApplication)
    app.setLayoutDirection(Qt.LayoutDirection.RightToLeft)
    try:
        made, path = wrapping("a.md is new.", "small"), wrapping("/w/\u05e9\u05dc/a.md", "", mono=True)
        qtbot.addWidget(made)
        qtbot.addWidget(path)
        made.resize(WIDE, 40)
        assert ink(made.grab().toImage(), QRect(WIDE - 30, 0, 30, 40))
        assert path.text().startswith("\u200e"), "a path reads from left to right"
    finally:
        app.setLayoutDirection(Qt.LayoutDirection.LeftToRight)


@pytest.mark.parametrize(("right", "last"), [(False, True), (True, False)])
def test_the_waiting_card_lays_its_line_out_in_the_direction_of_the_interface(
    qtbot: QtBot, right: bool, last: bool
) -> None:
    laid = Wrapped(SENTENCE, make_theme("light").font(13), WIDE, 19, right=right)
    line = laid._layout.lineAt(0)
    first_letter = line.cursorToX(len("\u05e9\u05dc\u05d5\u05dd"))
    end = line.cursorToX(len(SENTENCE))
    assert (end[0] > first_letter[0]) is last  # type: ignore[index]
