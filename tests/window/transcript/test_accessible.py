"""What a screen reader is told: messages with their text, and everything that can be pressed by name."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

from PySide6.QtGui import QAccessible, QAccessibleInterface
from pytestqt.qtbot import QtBot

from app.events import ApprovalAsked
from tests.window.transcript.conftest import Show
from tests.window.transcript.stage import RICH, approval, call, message

NAME = QAccessible.Text.Name
ROOT = Path(__file__).resolve().parents[3]


def below(item: QAccessibleInterface) -> Iterator[QAccessibleInterface]:
    for index in range(item.childCount()):
        child = item.child(index)
        assert child is not None
        yield child
        yield from below(child)


def test_messages_are_a_list_with_their_text(show: Show) -> None:
    view = show([message("user", "the question"), message("assistant", "the **answer**")])
    tree = QAccessible.queryAccessibleInterface(view)
    assert tree.role() == QAccessible.Role.List
    assert tree.text(NAME) == "Conversation"
    assert [tree.child(index).text(NAME) for index in range(tree.childCount())] == [
        "You: the question",
        "Bramble: the **answer**",
    ]
    assert [tree.indexOfChild(tree.child(index)) for index in range(2)] == [0, 1]
    assert tree.child(2) is None


def test_all_that_can_be_pressed_has_a_name_a_place_and_acts(show: Show, qtbot: QtBot) -> None:
    view = show([message("assistant", RICH, calls=(call("c1"),))])
    view.apply(ApprovalAsked(session="s", approval=approval("a9")))
    view.resize(700, 2000)
    view.flush()
    items = list(below(QAccessible.queryAccessibleInterface(view)))
    pressed = [item for item in items if item.role() in (QAccessible.Role.Button, QAccessible.Role.Link)]
    names = [item.text(NAME) for item in pressed]
    assert names == ["the manual", "Copy", "Open", "Copy", "Read file needs you", "Deny", "Review"]
    window = view.viewport().rect().translated(view.viewport().mapToGlobal(view.viewport().rect().topLeft()))
    for item in pressed:
        assert window.contains(item.rect())
        assert item.actionInterface().actionNames() == ["Press"]
    with qtbot.waitSignal(view.review_requested) as caught:
        pressed[-1].actionInterface().doAction("Press")
    assert caught.args == ["a9"]


def test_point_finds_message(show: Show) -> None:
    view = show([message("user", "one"), message("assistant", "two")])
    tree = QAccessible.queryAccessibleInterface(view)
    place = tree.child(1).rect().center()
    assert tree.childAt(place.x(), place.y()).text(NAME) == "Bramble: two"


def test_waiting_question_and_problem_are_read_out(show: Show) -> None:
    view = show([message("assistant", "", calls=(call("c1"),))])
    view.apply(ApprovalAsked(session="s", approval=approval("a9")))
    view.flush()
    text = QAccessible.queryAccessibleInterface(view).child(0).text(NAME)
    assert "Bramble wants to change 2 files" in text


def test_leaves_quietly_with_accessibility_in_use() -> None:
    """The tree outlives neither the view nor the application, in either order."""
    script = (
        "from PySide6.QtWidgets import QApplication; from PySide6.QtGui import QAccessible\n"
        "app = QApplication([]); QAccessible.setActive(True)\n"
        "from ui.window.theme import make_theme\n"
        "from ui.window.transcript.view import TranscriptView\n"
        "from app.records import Message, Usage; from app.events import TurnEnded\n"
        "view = TranscriptView(make_theme('light')); view.resize(500, 400); view.show()\n"
        "def one(key): return Message(id=key, session='s', parent=None, turn='t', role='assistant',"
        " created=1.0, text=f'[a{key}](b)')\n"
        "view.load([one('1')]); app.processEvents()\n"
        "tree = QAccessible.queryAccessibleInterface(view)\n"
        "print(tree.child(0).child(0).text(QAccessible.Text.Name))\n"
        "view.apply(TurnEnded(session='s', turn='t', stop='done', rounds=1, usage=Usage()))\n"
        "view.load([one('2')]); app.processEvents()\n"
        "print(tree.child(0).child(0).text(QAccessible.Text.Name))\n"
        "view.load([]); print(tree.childCount())\n"
        "if EARLY: view.deleteLater(); app.processEvents()\n"
    )
    environ = os.environ | {"QT_QPA_PLATFORM": "offscreen"}
    for early in ("False", "True"):
        whole = f"import sys; sys.path.insert(0, {str(ROOT)!r}); EARLY = {early}\n{script}"
        command = [sys.executable, "-P", "-c", whole]
        done = subprocess.run(command, capture_output=True, text=True, env=environ, timeout=60)
        assert (done.returncode, done.stdout, done.stderr) == (0, "a1\na2\n0\n", "")
