"""Real mouse events: selecting, copying, pressing what can be pressed."""

from __future__ import annotations

from typing import Any

import pytest
from PySide6.QtCore import QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QGuiApplication, QHelpEvent, QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QToolTip
from pytestqt.qtbot import QtBot

from app.events import ApprovalAsked, ToolFinished
from app.records import Problem
from tests.window.transcript.conftest import Show
from tests.window.transcript.stage import (
    RICH,
    approval,
    blocks,
    call,
    click,
    drag,
    message,
    parts,
    point_of,
    send,
)
from ui.window.transcript.code import Code
from ui.window.transcript.view import TranscriptView

LEFT = Qt.MouseButton.LeftButton


def clipboard() -> str:
    return QGuiApplication.clipboard().text()


def test_selecting_in_a_paragraph_copies_markdown(show: Show) -> None:
    view = show([message("assistant", "one **two three** four `five` six")])
    drag(view, point_of(view, "three"), point_of(view, "five", end=True))
    assert view.selected_text() == "**three** four `five`"
    assert view.selected_text(marks=False) == "three four five"


def test_selecting_upwards_is_the_same(show: Show) -> None:
    view = show([message("assistant", "alpha beta\n\ngamma delta")])
    drag(view, point_of(view, "gamma", end=True), point_of(view, "beta"))
    assert view.selected_text() == "beta\n\ngamma"


def test_selecting_across_messages(show: Show) -> None:
    view = show(
        [
            message("user", "the question here"),
            message("assistant", "An answer.\n\n- first\n- second\n\n```py\nx = 1\n```\n\nlast words"),
        ]
    )
    drag(view, point_of(view, "question"), point_of(view, "last", end=True))
    assert view.selected_text() == (
        "question here\n\nAn answer.\n\n- first\n- second\n\n```py\nx = 1\n```\n\nlast"
    )
    assert view.selected_text(marks=False) == (
        "question here\n\nAn answer.\n\n- first\n- second\n\nx = 1\n\nlast"
    )


def test_part_of_code_is_copied_as_it_is(show: Show) -> None:
    view = show([message("assistant", "```py\nfor x in y:\n    print(x)\n```")])
    drag(view, point_of(view, "in y"), point_of(view, "print", end=True))
    assert view.selected_text() == "in y:\n    print"


def test_emoji_count_as_qt_counts_them(show: Show) -> None:
    view = show([message("assistant", "😀😀 word 😀 end\n\n```\n😀 a😀b\n```")])
    drag(view, point_of(view, "word"), point_of(view, "end", end=True))
    assert view.selected_text() == "word 😀 end"
    drag(view, point_of(view, "a😀"), point_of(view, "b", end=True))
    assert view.selected_text() == "a😀b"


def test_double_click_selects_a_word_and_a_third_the_paragraph(show: Show) -> None:
    view = show([message("assistant", "alpha beta gamma\n\nnext one")])
    point = point_of(view, "beta") + QPoint(4, 0)
    click(view, point)
    QTest.mouseDClick(view.viewport(), LEFT, pos=point)
    assert view.selected_text() == "beta"
    click(view, point)
    assert view.selected_text() == "alpha beta gamma"


def test_words_are_added_while_dragging_after_a_double_click(show: Show) -> None:
    view = show([message("assistant", "alpha beta gamma delta")])
    send(view, QEvent.Type.MouseButtonDblClick, point_of(view, "beta") + QPoint(3, 0))
    send(view, QEvent.Type.MouseMove, point_of(view, "gamma") + QPoint(6, 0))
    assert view.selected_text() == "beta gamma"
    send(view, QEvent.Type.MouseMove, point_of(view, "alpha") + QPoint(6, 0))
    assert view.selected_text() == "alpha beta"


def test_shift_click_extends(show: Show) -> None:
    view = show([message("assistant", "alpha beta gamma")])
    click(view, point_of(view, "alpha"))
    click(view, point_of(view, "beta", end=True), shift=True)
    assert view.selected_text() == "alpha beta"


def test_dragging_over_the_edge_scrolls(show: Show, qtbot: QtBot) -> None:
    view = show([message("assistant", "\n\n".join(f"line {n}" for n in range(200)))])
    bar = view.verticalScrollBar()
    bar.setValue(0)
    QTest.mousePress(view.viewport(), LEFT, pos=point_of(view, "line 2"))
    below = QPoint(100, view.viewport().height() + 60)
    send(view, QEvent.Type.MouseMove, below)
    qtbot.waitUntil(lambda: bar.value() > 800, timeout=5_000)
    QTest.mouseRelease(view.viewport(), LEFT, pos=below)
    assert "line 40" in view.selected_text()
    stopped = bar.value()
    qtbot.wait(100)
    assert bar.value() == stopped


def test_copy_of_a_block_of_code(show: Show, qtbot: QtBot) -> None:
    view = show([message("assistant", "```py\nx = '\x00'\n\ty\n```")])
    block, _part, point = parts(view, "copy")[0]
    click(view, point)
    assert clipboard() == "x = '\x00'\n\ty"
    assert isinstance(block, Code)
    assert block.parts()[0].name == "Copied"
    qtbot.waitUntil(lambda: block.parts()[0].name == "Copy", timeout=5_000)


def test_link_tells_where_it_leads_and_is_only_signalled(show: Show, qtbot: QtBot) -> None:
    view = show([message("assistant", "see [the manual](https://example.org/a) for it")])
    _block, _part, point = parts(view, "link")[0]
    with qtbot.waitSignal(view.link_activated) as caught:
        click(view, point)
    assert caught.args == ["https://example.org/a"]
    where = view.viewport().mapToGlobal(point)
    QApplication.sendEvent(view.viewport(), QHelpEvent(QHelpEvent.Type.ToolTip, point, where))
    assert QToolTip.text() == "https://example.org/a"
    QToolTip.hideText()


def test_tool_row_opens_to_arguments_and_output_where_it_stands(show: Show, qtbot: QtBot) -> None:
    output = "\n".join(f"line {number}" for number in range(500))
    view = show(
        [
            message("assistant", "Looking.", calls=(call("c1"), call("c2"))),
            message("tool", output, call="c1", verb="Read file", subject="notes.txt", undo="u1"),
            message("tool", "ok", call="c2", verb="Read file", subject="b.txt"),
        ]
    )
    _block, part, point = parts(view, "toggle")[0]
    assert part.name == "Read file notes.txt done done"
    click(view, point)
    assert [block.kind for block in blocks(view)] == ["prose", "tool", "pane", "pane", "undo", "tool"]
    assert parts(view, "toggle")[0][2] == point
    texts = [block.text() for block in blocks(view) if block.kind == "pane"]
    assert texts == ['{\n  "path": "notes.txt"\n}', output]
    _pane, more, below = parts(view, "more")[0]
    assert more.name == "Show 200 more lines"
    height = view.content_height
    click(view, below)
    assert view.content_height == height + 200 * 19
    assert parts(view, "toggle")[0][2] == point
    view.verticalScrollBar().setValue(view.verticalScrollBar().maximum())
    with qtbot.waitSignal(view.undo_requested) as caught:
        click(view, parts(view, "undo")[0][2])
    assert caught.args == ["u1"]


def test_output_that_grows_is_shown_in_an_open_row(show: Show) -> None:
    view = show([message("assistant", "", calls=(call("c1"),))])
    click(view, parts(view, "toggle")[0][2])
    ended: dict[str, Any] = {"tool": "x", "ok": False, "summary": "", "text": "bad\x1b[31m!", "seconds": 2.0}
    view.apply(ToolFinished(session="s", turn="t1", call="c1", **ended))
    view.flush()
    assert [block.text() for block in blocks(view)][-1] == "bad!"


def test_waiting_card_asks_by_signals(show: Show, qtbot: QtBot) -> None:
    view = show([message("assistant", "", calls=(call("c1", "write_file"),))])
    view.apply(ApprovalAsked(session="s", approval=approval("a7")))
    view.flush()
    assert blocks(view)[1].text() == (
        "Bramble wants to change 2 files\nsort.py is new, README.md changes 3 lines. Both can be undone."
    )
    for act, signal in (("review", view.review_requested), ("deny", view.deny_requested)):
        with qtbot.waitSignal(signal) as caught:
            click(view, parts(view, act)[0][2])
        assert caught.args == ["a7"]


def test_what_cannot_be_undone_is_said(show: Show) -> None:
    view = show([message("assistant", "", calls=(call("c1", "write_file"),))])
    view.apply(ApprovalAsked(session="s", approval=approval("a7", undoable=False)))
    view.flush()
    assert blocks(view)[1].text().endswith("Cannot be undone.")


def test_error_card_offers_what_helps(show: Show, qtbot: QtBot) -> None:
    view = show([message("assistant", "", state="failed", problem=Problem(code="no_key"))])
    with qtbot.waitSignal(view.remedy_requested) as caught:
        click(view, parts(view, "remedy")[0][2])
    assert caught.args == ["open_settings_key"]


def test_pressing_needs_the_same_part_at_the_end(show: Show, qtbot: QtBot) -> None:
    view = show([message("assistant", "", calls=(call("c1"),))])
    point = parts(view, "toggle")[0][2]
    QTest.mousePress(view.viewport(), LEFT, pos=point)
    QTest.mouseRelease(view.viewport(), LEFT, pos=point + QPoint(0, 300))
    assert len(blocks(view)) == 1


def test_wide_code_scrolls_sideways(show: Show) -> None:
    view = show([message("assistant", "```\n" + "wide " * 100 + "\n```")])
    shown = view.shown[0]
    code = shown.block
    assert isinstance(code, Code)
    point = view.rect_of(shown.row, 0).center()
    wheel = QWheelEvent(
        QPointF(point), QPointF(view.viewport().mapToGlobal(point)), QPoint(-90, 0), QPoint(-180, 0),
        Qt.MouseButton.NoButton, Qt.KeyboardModifier.NoModifier, Qt.ScrollPhase.NoScrollPhase, False,
    )  # fmt: skip
    QApplication.sendEvent(view.viewport(), wheel)
    assert code.mono.shift == 90
    assert view.verticalScrollBar().value() == 0


@pytest.mark.parametrize(("mine", "count"), [(True, 6), (False, 5)])
def test_context_menu(show: Show, qtbot: QtBot, mine: bool, count: int) -> None:
    view: TranscriptView = show([message("user" if mine else "assistant", "alpha **beta**", id="m1")])
    QTest.mouseDClick(view.viewport(), LEFT, pos=point_of(view, "alpha") + QPoint(3, 0))
    menu = view.pointer.menu(point_of(view, "alpha"))
    actions = {action.text(): action for action in menu.actions() if action.text()}
    assert len(actions) == count
    actions["Copy"].trigger()
    assert clipboard() == "alpha"
    actions["Copy message"].trigger()
    assert clipboard() == "alpha **beta**"
    with qtbot.waitSignal(view.pin_requested) as pinned:
        actions["Pin message"].trigger()
    assert pinned.args == ["m1"]
    if mine:
        with qtbot.waitSignal(view.edit_requested) as caught:
            actions["Edit message"].trigger()
        assert caught.args == ["m1"]


def test_copy_of_everything_is_the_source(show: Show) -> None:
    view = show([message("user", "hello *there*"), message("assistant", RICH)])
    view.select_all()
    whole = view.selected_text()
    assert whole.startswith("hello *there*\n\n# How it works")
    for part in ("```sh\n   pip install build  # once", "- [x] Read the notes", "| alpha | 12 |", "The end."):
        assert part in whole
