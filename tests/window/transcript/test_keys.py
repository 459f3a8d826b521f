"""Real keys: scrolling, going from part to part, pressing them, copying."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLineEdit, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from app.events import ApprovalAnswered, ApprovalAsked
from tests.window.transcript.conftest import Show
from tests.window.transcript.stage import approval, blocks, call, message, picture
from ui.window.transcript.view import TranscriptView

KEY = Qt.Key


def focused(view: TranscriptView) -> str:
    return view.keys.focus[1].name if view.keys.focus is not None else ""


def test_keys_scroll(show: Show, qtbot: QtBot) -> None:
    view = show([message("assistant", "\n\n".join(f"line {n}" for n in range(300)))])
    bar = view.verticalScrollBar()
    view.setFocus()
    end = bar.value()
    QTest.keyClick(view, KEY.Key_Up)
    assert bar.value() == end - 40
    QTest.keyClick(view, KEY.Key_PageUp)
    assert bar.value() == end - 40 - int(600 * 0.9)
    QTest.keyClick(view, KEY.Key_Home)
    assert bar.value() == 0
    QTest.keyClick(view, KEY.Key_PageDown)
    QTest.keyClick(view, KEY.Key_Down)
    assert bar.value() == int(600 * 0.9) + 40
    QTest.keyClick(view, KEY.Key_End)
    assert bar.value() == bar.maximum()


def test_tab_goes_over_all_that_can_be_pressed_and_then_leaves(show: Show, view: TranscriptView) -> None:
    show(
        [
            message(
                "assistant", "see [one](http://a) and [two](http://b)\n\n```py\nx\n```", calls=(call("c1"),)
            ),
        ]
    )
    view.apply(ApprovalAsked(session="s", approval=approval()))
    view.flush()
    view.setFocus()
    seen = []
    for _ in range(6):
        QTest.keyClick(view, KEY.Key_Tab)
        seen.append(focused(view))
    assert seen == ["one", "two", "Copy", "Read file needs you", "Deny", "Review"]
    QTest.keyClick(view, KEY.Key_Backtab)
    assert focused(view) == "Deny"


def test_tab_leaves_to_the_next_widget_and_comes_back(qtbot: QtBot, view: TranscriptView) -> None:
    window = QWidget()
    box = QVBoxLayout(window)
    box.addWidget(view)
    line = QLineEdit()
    box.addWidget(line)
    qtbot.addWidget(window)
    window.resize(700, 500)
    window.show()
    view.load([message("assistant", "see [one](http://a)")])
    window.activateWindow()
    view.setFocus()
    qtbot.waitUntil(view.hasFocus)
    QTest.keyClick(view, KEY.Key_Tab)
    assert (focused(view), view.hasFocus()) == ("one", True)
    QTest.keyClick(view, KEY.Key_Tab)
    assert line.hasFocus()
    assert focused(view) == ""
    QTest.keyClick(line, KEY.Key_Backtab)
    assert view.hasFocus()
    QTest.keyClick(view, KEY.Key_Backtab)
    assert focused(view) == "one"
    view.setParent(None)


def test_focus_is_seen_and_follows_into_sight(show: Show) -> None:
    text = "\n\n".join(["word " * 60] * 12 + ["[far](http://far)"])
    view = show([message("assistant", "[near](http://near)\n\n" + text)])
    view.verticalScrollBar().setValue(0)
    view.setFocus()
    plain = picture(view)
    QTest.keyClick(view, KEY.Key_Tab)
    assert focused(view) == "near"
    assert picture(view) != plain
    QTest.keyClick(view, KEY.Key_Tab)
    assert focused(view) == "far"
    assert view.keys.focus is not None
    shown = next(shown for shown in view.shown if shown.block is view.keys.focus[0])
    assert 0 <= shown.y <= view.viewport().height() - shown.block.height


def test_enter_presses(show: Show, qtbot: QtBot) -> None:
    view = show([message("assistant", "", calls=(call("c1", "write_file"),))])
    view.apply(ApprovalAsked(session="s", approval=approval("a3")))
    view.flush()
    view.setFocus()
    QTest.keyClick(view, KEY.Key_Tab)
    QTest.keyClick(view, KEY.Key_Return)
    assert [block.kind for block in blocks(view)] == ["tool", "pane", "waiting"]
    QTest.keyClick(view, KEY.Key_Return)
    assert [block.kind for block in blocks(view)] == ["tool", "waiting"]
    QTest.keyClick(view, KEY.Key_Tab)
    assert focused(view) == "Deny"
    with qtbot.waitSignal(view.deny_requested) as caught:
        QTest.keyClick(view, KEY.Key_Space)
    assert caught.args == ["a3"]


def test_copy_and_select_all(show: Show) -> None:
    view = show([message("user", "one"), message("assistant", "two **three**")])
    view.setFocus()
    QGuiApplication.clipboard().setText("before")
    QTest.keyClick(view, KEY.Key_C, Qt.KeyboardModifier.ControlModifier)
    assert QGuiApplication.clipboard().text() == "before"
    QTest.keyClick(view, KEY.Key_A, Qt.KeyboardModifier.ControlModifier)
    QTest.keyClick(view, KEY.Key_C, Qt.KeyboardModifier.ControlModifier)
    assert QGuiApplication.clipboard().text() == "one\n\ntwo **three**"


def test_arrows_scroll_focused_code_sideways(show: Show) -> None:
    view = show([message("assistant", "```\n" + "wide " * 100 + "\n```")])
    view.setFocus()
    QTest.keyClick(view, KEY.Key_Tab)
    QTest.keyClick(view, KEY.Key_Right)
    assert blocks(view)[0].mono.shift == 40  # type: ignore[attr-defined]
    QTest.keyClick(view, KEY.Key_Left)
    assert blocks(view)[0].mono.shift == 0  # type: ignore[attr-defined]


def test_other_keys_are_left_to_the_window(show: Show, qtbot: QtBot) -> None:
    view = show([message("user", "one")])
    window = QWidget()
    qtbot.addWidget(window)
    pressed: list[int] = []
    window.keyPressEvent = lambda event: pressed.append(event.key())  # type: ignore[method-assign]
    view.setParent(window)
    QTest.keyClick(view, KEY.Key_X)
    assert pressed == [KEY.Key_X]
    view.setParent(None)


def test_tab_goes_on_after_what_had_the_keyboard_is_gone(show: Show) -> None:
    view = show([message("assistant", "", calls=(call("c1", "write_file"),))])
    view.apply(ApprovalAsked(session="s", approval=approval("a3")))
    view.flush()
    view.setFocus()
    for _ in range(3):
        QTest.keyClick(view, KEY.Key_Tab)
    assert focused(view) == "Review"
    view.apply(ApprovalAnswered(session="s", approval="a3"))
    view.flush()
    QTest.keyClick(view, KEY.Key_Tab)
    assert focused(view) == "Write file waits its turn"
