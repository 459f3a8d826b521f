"""The field of the composer: Enter sends but never while an input method composes, it grows, and recalls
what was sent."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QMimeData, Qt
from PySide6.QtGui import QInputMethodEvent
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from ui.window.composer.editor import MOST_LINES, Editor
from ui.window.theme import make_theme

KEY, MODIFIER = Qt.Key, Qt.KeyboardModifier


@pytest.fixture
def editor(qtbot: QtBot) -> Editor:
    made = Editor(make_theme("light"))
    qtbot.addWidget(made)
    made.resize(400, 40)
    made.show()
    return made


def compose(editor: Editor, preedit: str, commit: str = "") -> None:
    """Do what an input method does: show a candidate, or put text in."""
    event = QInputMethodEvent(preedit, [])
    event.setCommitString(commit)
    QApplication.sendEvent(editor, event)


def test_enter_sends_and_shift_enter_begins_a_line(editor: Editor, qtbot: QtBot) -> None:
    sent: list[bool] = []
    editor.submitted.connect(sent.append)
    qtbot.keyClicks(editor, "one")
    qtbot.keyClick(editor, KEY.Key_Return, MODIFIER.ShiftModifier)
    qtbot.keyClicks(editor, "two")
    assert (editor.toPlainText(), sent) == ("one\ntwo", [])
    qtbot.keyClick(editor, KEY.Key_Return)
    qtbot.keyClick(editor, KEY.Key_Enter, MODIFIER.KeypadModifier)
    qtbot.keyClick(editor, KEY.Key_Return, MODIFIER.ControlModifier)
    assert sent == [False, False, True]


def test_enter_while_an_input_method_composes_never_sends(editor: Editor, qtbot: QtBot) -> None:
    sent: list[bool] = []
    editor.submitted.connect(sent.append)
    compose(editor, "にほん")
    qtbot.keyClick(editor, KEY.Key_Return)
    assert sent == []
    compose(editor, "", "日本")
    assert editor.toPlainText() == "日本"
    qtbot.keyClick(editor, KEY.Key_Return)
    assert sent == [False]


def test_escape_while_an_input_method_composes_stops_nothing(editor: Editor, qtbot: QtBot) -> None:
    escaped: list[bool] = []
    editor.escaped.connect(lambda: escaped.append(True))
    compose(editor, "ka")
    qtbot.keyClick(editor, KEY.Key_Escape)
    assert escaped == []
    compose(editor, "")
    qtbot.keyClick(editor, KEY.Key_Escape)
    assert escaped == [True]


def test_enter_begins_a_line_where_a_person_set_it_so(editor: Editor, qtbot: QtBot) -> None:
    sent: list[bool] = []
    editor.submitted.connect(sent.append)
    editor.enter_sends = False
    qtbot.keyClick(editor, KEY.Key_Return)
    assert (editor.toPlainText(), sent) == ("\n", [])
    qtbot.keyClick(editor, KEY.Key_Return, MODIFIER.ControlModifier)
    assert sent == [False]


def test_it_grows_to_eight_lines_and_then_scrolls(editor: Editor) -> None:
    line = editor.fontMetrics().lineSpacing()
    heights = []
    for lines in (1, 3, MOST_LINES, 40):
        editor.setPlainText("\n".join("x" * lines))
        heights.append(round((editor.height() - 2) / line))
    assert heights == [1, 3, MOST_LINES, MOST_LINES]
    assert editor.verticalScrollBarPolicy() == Qt.ScrollBarPolicy.ScrollBarAsNeeded
    editor.setPlainText("wide " * 200)
    assert editor.height() > 3 * line, "a long line wraps and counts as several"


def test_up_and_down_go_through_what_was_sent(editor: Editor, qtbot: QtBot) -> None:
    editor.set_past(["first", "second", "second", "third\nwith a line"])
    seen = []
    for key in (KEY.Key_Up, KEY.Key_Up, KEY.Key_Up, KEY.Key_Up, KEY.Key_Down, KEY.Key_Down, KEY.Key_Down):
        qtbot.keyClick(editor, key)
        seen.append(editor.toPlainText())
    assert seen == ["third\nwith a line", "second", "first", "first", "second", "third\nwith a line", ""]


def test_up_in_words_of_ones_own_moves_the_caret_alone(editor: Editor, qtbot: QtBot) -> None:
    editor.set_past(["sent before"])
    editor.setPlainText("mine\nand more")
    qtbot.keyClick(editor, KEY.Key_Up)
    assert editor.toPlainText() == "mine\nand more"
    qtbot.keyClick(editor, KEY.Key_Up)
    qtbot.keyClick(editor, KEY.Key_Up)
    assert editor.toPlainText() == "mine\nand more"


def test_a_recalled_text_that_was_changed_is_kept(editor: Editor, qtbot: QtBot) -> None:
    editor.set_past(["first", "second"])
    qtbot.keyClick(editor, KEY.Key_Up)
    qtbot.keyClicks(editor, " and more")
    qtbot.keyClick(editor, KEY.Key_Up)
    assert editor.toPlainText() == "second and more"


def test_pasting_takes_the_text_alone(editor: Editor) -> None:
    data = QMimeData()
    data.setText("plain\0 text")
    data.setHtml("<b>bold</b>")
    editor.insertFromMimeData(data)
    assert editor.toPlainText() == "plain text"


def test_what_was_replaced_comes_back_with_undo(editor: Editor) -> None:
    editor.setPlainText("")
    editor.replace("an example")
    editor.undo()
    assert editor.toPlainText() == ""
